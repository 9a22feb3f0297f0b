#include "ingest/nsys_database.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/assert.h"
#include "base/strbuf.h"
#include "ingest/ingest.h"

/* A row of a kernel table has at least 27 values, and each takes at least one byte. The size of the file therefore
 * limits the number of rows. */
#define ROW_BYTES_MIN 27
#define OPS_PER_ROW   400u      /* steps of SQLite's virtual machine; a row takes about 60 */
#define OPS_FREE      50000000u /* for all work that does not depend on the number of rows */
#define OPS_STEP      100000
#define HEADER_BYTES  100        /* size of the header of a SQLite file */
#define VALUE_BYTES   (64 << 20) /* every text and row of a valid export is much smaller */

/* --- opening, and limits on the database --- */

static int allow(void *ctx, int action, const char *a, const char *b, const char *database, const char *trigger)
{
    static const char *const readable[] = {
        "sqlite_master", NSYS_KERNELS, NSYS_GRAPHS, NSYS_CALLS,        NSYS_RANGES,        NSYS_COPIES,
        NSYS_MEMSETS,    NSYS_SYNCS,   "StringIds", "TARGET_INFO_GPU", "META_DATA_EXPORT", "EXPORT_META_DATA"};

    (void)ctx;
    (void)database;
    (void)trigger;
    if (action == SQLITE_SELECT)
        return SQLITE_OK;
    if (action == SQLITE_PRAGMA)
        return strcmp(a, "table_xinfo") == 0 ? SQLITE_OK : SQLITE_DENY;
    if (action == SQLITE_FUNCTION)
        return strcmp(b, "count") == 0 ? SQLITE_OK : SQLITE_DENY;
    if (action != SQLITE_READ)
        return SQLITE_DENY;
    for (size_t i = 0; i < sizeof readable / sizeof *readable; i++) {
        if (sqlite3_stricmp(a, readable[i]) == 0)
            return SQLITE_OK;
    }
    return SQLITE_DENY;
}

static int too_much_work(void *ctx)
{
    struct nsys_database *d = ctx;

    ASSERT(d->ops_max >= OPS_FREE);
    d->ops += OPS_STEP;
    return d->ops > d->ops_max;
}

int nsys_failed(const struct nsys_database *d, struct err *e)
{
    int code = sqlite3_errcode(d->sqlite) & 0xff;

    if (code == SQLITE_NOMEM)
        return err_no_memory(e);
    if (code == SQLITE_INTERRUPT) {
        err_set(e, ERR_INVALID, "%s: reading it takes far more work than a file of %llu bytes needs; it is damaged",
                d->name, (unsigned long long)d->file_bytes);
    } else {
        err_set(e, code == SQLITE_IOERR ? ERR_IO : ERR_INVALID, "%s: damaged SQLite file (%s)", d->name,
                sqlite3_errmsg(d->sqlite));
    }
    return err_hint(e, "Copy the file again, or export it again: nsys export --type sqlite --output report.sqlite "
                       "report.nsys-rep");
}

static uint64_t be32(const unsigned char *p)
{
    return (uint64_t)p[0] << 24 | (uint64_t)p[1] << 16 | (uint64_t)p[2] << 8 | p[3];
}

/* Reads the first bytes of the file and its size. */
static int read_header(struct nsys_database *d, const char *path, unsigned char head[HEADER_BYTES], size_t *got,
                       struct err *e)
{
    FILE *f = fopen(path, "rb");
    struct stat st;
    int ret = 0;

    if (!f)
        return err_set_errno(e, errno, "cannot open %s", d->name);
    *got = fread(head, 1, HEADER_BYTES, f);
    if (fstat(fileno(f), &st) < 0)
        ret = err_set_errno(e, errno, "cannot read %s", d->name);
    else
        d->file_bytes = (uint64_t)st.st_size;
    ASSERT(*got <= HEADER_BYTES);
    fclose(f);
    return ret;
}

/* Refuses a file that is shorter than its header states: it was truncated. The header's page count is valid when
 * the two change counters beside it are equal (SQLite's file format, section 1.3). */
static int check_length(struct nsys_database *d, const char *path, struct err *e)
{
    unsigned char head[HEADER_BYTES];
    size_t got = 0;
    uint64_t whole;

    if (read_header(d, path, head, &got, e) < 0)
        return -1;
    if (got < HEADER_BYTES) {
        err_set(e, ERR_INVALID, "%s: the SQLite file is cut off within its first %d bytes", d->name, HEADER_BYTES);
    } else {
        d->page_bytes = (uint64_t)head[16] << 8 | head[17];
        if (d->page_bytes == 1)
            d->page_bytes = 65536; /* 65536 does not fit into the two bytes of the header */
        whole = be32(head + 28) * d->page_bytes;
        if (be32(head + 24) != be32(head + 92) || whole <= d->file_bytes)
            return 0;
        err_set(e, ERR_INVALID, "%s: the SQLite file is cut off: it has %llu of its %llu bytes", d->name,
                (unsigned long long)d->file_bytes, (unsigned long long)whole);
    }
    return err_hint(e, "Copy it again, or wait until nsys export has finished.");
}

int nsys_check_log(const char *path, const char *name, struct err *e)
{
    struct strbuf log = STRBUF_INIT;
    struct stat st;
    int ret = 0;

    strbuf_addf(&log, "%s-wal", path);
    if (log.failed)
        return err_no_memory(e);
    if (stat(log.text, &st) == 0 && st.st_size > 0) {
        err_set(e, ERR_INVALID, "%s: %lld bytes of changes are still in its write-ahead log (%s-wal)", name,
                (long long)st.st_size, name);
        ret = err_hint(
            e, "Close the program that has it open, or run: sqlite3 FILE 'PRAGMA wal_checkpoint(TRUNCATE)'");
    }
    strbuf_release(&log);
    return ret;
}

/* file:PATH?immutable=1, with all special characters of a URI escaped. */
static char *immutable_uri(const char *path, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    char *uri;

    strbuf_adds(&b, "file:");
    if (path[0] == '/')
        strbuf_adds(&b, "//"); /* without it a path that begins with two slashes would be read as a host name */
    for (const unsigned char *p = (const unsigned char *)path; *p; p++) {
        if (*p <= ' ' || *p >= 0x7f || strchr("%?#", *p))
            strbuf_addf(&b, "%%%02x", *p);
        else
            strbuf_addc(&b, (char)*p);
    }
    strbuf_adds(&b, "?mode=ro&immutable=1");
    ASSERT(b.failed || b.length > strlen(path));
    uri = strbuf_detach(&b);
    if (!uri)
        err_no_memory(e);
    return uri;
}

static int open_guarded(struct nsys_database *d, const char *path, struct err *e)
{
    static const struct {
        int option, value;
    } settings[] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},
                    {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                    {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
                    {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                    {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0}};
    char *uri = immutable_uri(path, e);
    int status;

    ASSERT(!d->sqlite);
    if (!uri)
        return -1;
    status = sqlite3_open_v2(uri, &d->sqlite, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
    free(uri);
    if (!d->sqlite)
        return err_no_memory(e);
    if (status != SQLITE_OK)
        return nsys_failed(d, e);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        sqlite3_db_config(d->sqlite, settings[i].option, settings[i].value, NULL);
    sqlite3_limit(d->sqlite, SQLITE_LIMIT_LENGTH, VALUE_BYTES);
    sqlite3_limit(d->sqlite, SQLITE_LIMIT_ATTACHED, 0);
    d->ops_max = d->file_bytes / ROW_BYTES_MIN * OPS_PER_ROW + OPS_FREE;
    sqlite3_progress_handler(d->sqlite, OPS_STEP, too_much_work, d);
    sqlite3_set_authorizer(d->sqlite, allow, d);
    return 0;
}

int nsys_prepare(struct nsys_database *d, sqlite3_stmt **out, const char *sql, struct err *e)
{
    ASSERT(d->sqlite && !*out);
    return sqlite3_prepare_v2(d->sqlite, sql, -1, out, NULL) == SQLITE_OK ? 0 : nsys_failed(d, e);
}

/* --- checks of the tables --- */

int nsys_has_table(struct nsys_database *d, const char *name, struct err *e)
{
    sqlite3_stmt *s = NULL;
    int ret = -1, status;
    const char *type, *sql;

    if (nsys_prepare(d, &s, "SELECT type, sql, rootpage FROM sqlite_master WHERE name = ?1 COLLATE NOCASE", e) < 0)
        goto out;
    sqlite3_bind_text(s, 1, name, -1, SQLITE_STATIC);
    status = sqlite3_step(s);
    ret = 0;
    if (status == SQLITE_ROW) {
        type = (const char *)sqlite3_column_text(s, 0);
        sql = (const char *)sqlite3_column_text(s, 1);
        ret = 1;
        if (!type || !sql || strcmp(type, "table") != 0 || sqlite3_strnicmp(sql, "CREATE TABLE", 12) != 0 ||
            sqlite3_column_int64(s, 2) <= 0)
            ret = err_set(e, ERR_INVALID, "%s: %s is not a plain table, so this is not an export of nsys", d->name,
                          name);
    } else if (status != SQLITE_DONE) {
        ret = nsys_failed(d, e);
    }
out:
    sqlite3_finalize(s);
    return ret;
}

static int refuse_triggers(struct nsys_database *d, struct err *e)
{
    sqlite3_stmt *s = NULL;
    int ret = -1, status;

    if (nsys_prepare(d, &s, "SELECT 1 FROM sqlite_master WHERE type = 'trigger'", e) < 0)
        goto out;
    status = sqlite3_step(s);
    if (status == SQLITE_DONE)
        ret = 0;
    else if (status == SQLITE_ROW)
        err_set(e, ERR_INVALID, "%s: the database has triggers, which no export of nsys has", d->name);
    else
        nsys_failed(d, e);
out:
    sqlite3_finalize(s);
    return ret;
}

enum { COLUMNS_MAX = 16 }; /* that can be required */

/* Sets a bit for each required column that the table has. */
static int find_columns(const struct nsys_database *d, sqlite3_stmt *s, const char *table,
                        const char *const *required, unsigned *found, struct err *e)
{
    int status;

    *found = 0;
    while ((status = sqlite3_step(s)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(s, 1);

        if (sqlite3_column_int(s, 6) != 0) /* hidden or generated column */
            return err_set(e, ERR_INVALID, "%s: table %s has computed columns, which no export of nsys has",
                           d->name, table);
        for (unsigned c = 0; name && required[c]; c++)
            if (sqlite3_stricmp(name, required[c]) == 0)
                *found |= 1U << c;
    }
    return status == SQLITE_DONE ? 0 : nsys_failed(d, e);
}

int nsys_check_columns(struct nsys_database *d, const char *table, const char *const *required, struct err *e)
{
    sqlite3_stmt *s = NULL;
    char sql[100];
    unsigned found = 0;
    int ret;

    ASSERT(strlen(table) + sizeof "PRAGMA table_xinfo()" <= sizeof sql);
    snprintf(sql, sizeof sql, "PRAGMA table_xinfo(%s)", table);
    ret = nsys_prepare(d, &s, sql, e) < 0 ? -1 : find_columns(d, s, table, required, &found, e);
    sqlite3_finalize(s);
    for (unsigned c = 0; ret == 0 && required[c]; c++) {
        ASSERT(c < COLUMNS_MAX);
        if (found >> c & 1)
            continue;
        err_set(e, ERR_UNSUPPORTED, "%s: table %s has no column %s", d->name, table, required[c]);
        ret = err_hint(e, "Export the report again with nsys 2021.4 or later.");
    }
    return ret;
}

int nsys_count_rows(struct nsys_database *d, const char *table, uint64_t *out, struct err *e)
{
    sqlite3_stmt *s = NULL;
    char sql[100];
    int there = nsys_has_table(d, table, e), ret = 0;

    ASSERT(strlen(table) + sizeof "SELECT count(*) FROM " <= sizeof sql);
    *out = 0;
    if (there <= 0)
        return there;
    snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", table);
    if (nsys_prepare(d, &s, sql, e) < 0)
        return -1;
    if (sqlite3_step(s) == SQLITE_ROW)
        *out = (uint64_t)sqlite3_column_int64(s, 0);
    else
        ret = nsys_failed(d, e);
    sqlite3_finalize(s);
    return ret;
}

int nsys_check_row_count(const struct nsys_database *d, uint64_t rows, struct err *e)
{
    if (rows <= d->file_bytes / ROW_BYTES_MIN)
        return 0;
    return err_set(e, ERR_INVALID, "%s: damaged SQLite file (it returns more rows than %llu bytes can contain)",
                   d->name, (unsigned long long)d->file_bytes);
}

uint64_t nsys_bytes_read(struct nsys_database *d)
{
    int pages = 0, most = 0;
    uint64_t bytes;

    sqlite3_db_status(d->sqlite, SQLITE_DBSTATUS_CACHE_MISS, &pages, &most, 0);
    ASSERT(pages >= 0);
    bytes = (uint64_t)pages * d->page_bytes;
    return bytes < d->file_bytes ? bytes : d->file_bytes;
}

int nsys_database_open(struct nsys_database *d, const char *path, const char *name, struct err *e)
{
    *d = (struct nsys_database){.name = name};
    if (nsys_check_log(path, name, e) < 0 || check_length(d, path, e) < 0 || open_guarded(d, path, e) < 0)
        return -1;
    return refuse_triggers(d, e);
}

void nsys_database_close(struct nsys_database *d)
{
    sqlite3_close(d->sqlite);
    d->sqlite = NULL;
}
