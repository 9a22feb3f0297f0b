/* The SQLite file of `nsys export --type sqlite`, every schema: columns are found by name, tables may be missing.
 *
 * The file comes from a stranger. It is opened read-only and immutable, SQLite's own defences are on, and an
 * authorizer lets statements see five tables and nothing else, so that what else these files hold (environment,
 * host, user, processes) is out of reach even by mistake. Work is bounded by the size of the file. */
#include <sqlite3.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/array.h"
#include "base/text.h"
#include "ingest/import.h"

#define KERNELS "CUPTI_ACTIVITY_KIND_KERNEL"
#define GRAPHS  "CUPTI_ACTIVITY_KIND_GRAPH_TRACE"
/* The shortest row of a kernel table has 27 values, and a cell has a head: no file holds more rows than this. */
#define ROW_BYTES_MIN 27
#define OPS_PER_ROW   400u      /* of SQLite's machine; a row takes about 60 */
#define OPS_FREE      50000000u /* for everything that is not a row */
#define OPS_STEP      100000
#define HEADER_BYTES  100        /* of a SQLite file */
#define VALUE_BYTES   (64 << 20) /* no text or row of an export comes near */

/* The columns we read. Required ones are in all schemas; `end` may hold NULL, so may ids. */
enum column {
    START,
    END,
    DEVICE,
    CONTEXT,
    STREAM,
    CORRELATION,
    PROCESS,
    NAME,
    MANGLED,
    REGISTERS,
    GRID_X,
    GRID_Y,
    GRID_Z,
    BLOCK_X,
    BLOCK_Y,
    BLOCK_Z,
    SHARED_STATIC,
    SHARED_DYNAMIC,
    GRAPH_NODE,
    COLUMN_COUNT
};
static const struct {
    const char *name;
    bool required;
} columns[COLUMN_COUNT] = {
    [START] = {"start", true},
    [END] = {"end", true},
    [DEVICE] = {"deviceId", true},
    [CONTEXT] = {"contextId", true},
    [STREAM] = {"streamId", true},
    [CORRELATION] = {"correlationId", false},
    [PROCESS] = {"globalPid", false},
    [NAME] = {"demangledName", true},
    [MANGLED] = {"mangledName", false},
    [REGISTERS] = {"registersPerThread", false},
    [GRID_X] = {"gridX", true},
    [GRID_Y] = {"gridY", true},
    [GRID_Z] = {"gridZ", true},
    [BLOCK_X] = {"blockX", true},
    [BLOCK_Y] = {"blockY", true},
    [BLOCK_Z] = {"blockZ", true},
    [SHARED_STATIC] = {"staticSharedMemory", false},
    [SHARED_DYNAMIC] = {"dynamicSharedMemory", false},
    [GRAPH_NODE] = {"graphNodeId", false},
};

/* Strings by id, fetched when first met. Linear probing; ids are any 64-bit number. */
struct string_slot {
    int64_t id;
    const struct import_name *name; /* NULL: the file has no such id, or the text is no name */
    bool used, too_long;
};
struct nsys {
    struct import *im;
    const char *name; /* of the file, for messages */
    sqlite3 *db;
    sqlite3_stmt *string;
    struct string_slot *slots;
    size_t slot_count, slots_used; /* slot_count is a power of two */
    uint64_t file_bytes, page_bytes, ops, ops_most;
    bool has_column[COLUMN_COUNT];
};

/* --- opening, and what the database may do --- */

static int allow(void *ctx, int action, const char *a, const char *b, const char *database, const char *trigger)
{
    static const char *const readable[] = {
        "sqlite_master", KERNELS, GRAPHS, "StringIds", "TARGET_INFO_GPU", "META_DATA_EXPORT", "EXPORT_META_DATA"};

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
    struct nsys *n = ctx;

    n->ops += OPS_STEP;
    return n->ops > n->ops_most;
}

static int sqlite_failed(const struct nsys *n, struct err *e)
{
    int code = sqlite3_errcode(n->db) & 0xff;

    if (code == SQLITE_NOMEM)
        return err_no_memory(e);
    if (code == SQLITE_INTERRUPT) {
        err_set(e, ERR_INVALID,
                "%s: reading it takes far more work than a file of %llu bytes can ask for; it is damaged", n->name,
                (unsigned long long)n->file_bytes);
    } else {
        err_set(e, code == SQLITE_IOERR ? ERR_IO : ERR_INVALID, "%s: damaged SQLite file (%s)", n->name,
                sqlite3_errmsg(n->db));
    }
    return err_hint(e, "Copy the file again, or export it again: nsys export --type sqlite --output report.sqlite "
                       "report.nsys-rep");
}

static uint64_t be32(const unsigned char *p)
{
    return (uint64_t)p[0] << 24 | (uint64_t)p[1] << 16 | (uint64_t)p[2] << 8 | p[3];
}

/* The first bytes of the file, and how long it is. */
static int read_header(struct nsys *n, unsigned char head[HEADER_BYTES], size_t *got, struct err *e)
{
    FILE *f = fopen(n->im->path, "rb");
    struct stat st;
    int ret = 0;

    if (!f)
        return err_set_errno(e, errno, "cannot open %s", n->name);
    *got = fread(head, 1, HEADER_BYTES, f);
    if (fstat(fileno(f), &st) < 0)
        ret = err_set_errno(e, errno, "cannot read %s", n->name);
    else
        n->file_bytes = (uint64_t)st.st_size;
    fclose(f);
    return ret;
}

/* A file that is shorter than its own header says was cut off on the way. The header's count of pages is right when
 * the two change counters beside it agree (SQLite's file format, section 1.3). */
static int check_length(struct nsys *n, struct err *e)
{
    unsigned char head[HEADER_BYTES];
    size_t got = 0;
    uint64_t whole;

    if (read_header(n, head, &got, e) < 0)
        return -1;
    if (got < HEADER_BYTES) {
        err_set(e, ERR_INVALID, "%s: the SQLite file is cut off within its first %d bytes", n->name, HEADER_BYTES);
    } else {
        n->page_bytes = (uint64_t)head[16] << 8 | head[17];
        if (n->page_bytes == 1)
            n->page_bytes = 65536; /* does not fit into its two bytes */
        whole = be32(head + 28) * n->page_bytes;
        if (be32(head + 24) != be32(head + 92) || whole <= n->file_bytes)
            return 0;
        err_set(e, ERR_INVALID, "%s: the SQLite file is cut off: it has %llu of its %llu bytes", n->name,
                (unsigned long long)n->file_bytes, (unsigned long long)whole);
    }
    return err_hint(e, "Copy it again, or wait until nsys export has finished.");
}

/* file:PATH?immutable=1 with everything escaped that means something in a URI. */
static char *immutable_uri(const char *path, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    char *uri;

    strbuf_adds(&b, "file:");
    if (path[0] == '/')
        strbuf_adds(&b, "//"); /* so that a path that begins with two slashes is no host name */
    for (const unsigned char *p = (const unsigned char *)path; *p; p++) {
        if (*p <= ' ' || *p >= 0x7f || strchr("%?#", *p))
            strbuf_addf(&b, "%%%02x", *p);
        else
            strbuf_addc(&b, (char)*p);
    }
    strbuf_adds(&b, "?mode=ro&immutable=1");
    uri = strbuf_detach(&b);
    if (!uri)
        err_no_memory(e);
    return uri;
}

static int nsys_open(struct nsys *n, struct err *e)
{
    static const struct {
        int option, value;
    } settings[] = {{SQLITE_DBCONFIG_DEFENSIVE, 1},
                    {SQLITE_DBCONFIG_TRUSTED_SCHEMA, 0},
                    {SQLITE_DBCONFIG_ENABLE_VIEW, 0},
                    {SQLITE_DBCONFIG_ENABLE_TRIGGER, 0},
                    {SQLITE_DBCONFIG_ENABLE_LOAD_EXTENSION, 0}};
    char *uri = immutable_uri(n->im->path, e);
    int status;

    if (!uri)
        return -1;
    status = sqlite3_open_v2(uri, &n->db, SQLITE_OPEN_READONLY | SQLITE_OPEN_URI | SQLITE_OPEN_NOMUTEX, NULL);
    free(uri);
    if (!n->db)
        return err_no_memory(e);
    if (status != SQLITE_OK)
        return sqlite_failed(n, e);
    for (size_t i = 0; i < sizeof settings / sizeof *settings; i++)
        sqlite3_db_config(n->db, settings[i].option, settings[i].value, NULL);
    sqlite3_limit(n->db, SQLITE_LIMIT_LENGTH, VALUE_BYTES);
    sqlite3_limit(n->db, SQLITE_LIMIT_ATTACHED, 0);
    n->ops_most = n->file_bytes / ROW_BYTES_MIN * OPS_PER_ROW + OPS_FREE;
    sqlite3_progress_handler(n->db, OPS_STEP, too_much_work, n);
    sqlite3_set_authorizer(n->db, allow, n);
    return 0;
}

static int prepare(struct nsys *n, sqlite3_stmt **out, const char *sql, struct err *e)
{
    return sqlite3_prepare_v2(n->db, sql, -1, out, NULL) == SQLITE_OK ? 0 : sqlite_failed(n, e);
}

/* --- which tables there are, and whether they are what they should be --- */

/* 1: an ordinary table; 0: there is none; -1. Views and virtual tables would run code of the file's choosing. */
static int has_table(struct nsys *n, const char *name, struct err *e)
{
    sqlite3_stmt *s = NULL;
    int ret = -1, status;
    const char *type, *sql;

    if (prepare(n, &s, "SELECT type, sql, rootpage FROM sqlite_master WHERE name = ?1 COLLATE NOCASE", e) < 0)
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
            ret =
                err_set(e, ERR_INVALID, "%s: %s is not a plain table, so this is no export of nsys", n->name, name);
    } else if (status != SQLITE_DONE) {
        ret = sqlite_failed(n, e);
    }
out:
    sqlite3_finalize(s);
    return ret;
}

static int refuse_triggers(struct nsys *n, struct err *e)
{
    sqlite3_stmt *s = NULL;
    int ret = -1, status;

    if (prepare(n, &s, "SELECT 1 FROM sqlite_master WHERE type = 'trigger'", e) < 0)
        goto out;
    status = sqlite3_step(s);
    if (status == SQLITE_DONE)
        ret = 0;
    else if (status == SQLITE_ROW)
        err_set(e, ERR_INVALID, "%s: the database has triggers, which no export of nsys has", n->name);
    else
        sqlite_failed(n, e);
out:
    sqlite3_finalize(s);
    return ret;
}

static int note_column(struct nsys *n, const char *name, struct err *e)
{
    for (int c = 0; c < COLUMN_COUNT; c++) {
        if (name && sqlite3_stricmp(name, columns[c].name) == 0)
            n->has_column[c] = true;
    }
    return name ? 0 : err_no_memory(e);
}

static int read_columns(struct nsys *n, struct err *e)
{
    sqlite3_stmt *s = NULL;
    int ret = -1, status;

    if (prepare(n, &s, "PRAGMA table_xinfo(" KERNELS ")", e) < 0)
        goto out;
    while ((status = sqlite3_step(s)) == SQLITE_ROW) {
        if (sqlite3_column_int(s, 6) != 0) { /* hidden or computed */
            err_set(e, ERR_INVALID, "%s: the kernel table has computed columns, which no export of nsys has",
                    n->name);
            goto out;
        }
        if (note_column(n, (const char *)sqlite3_column_text(s, 1), e) < 0)
            goto out;
    }
    if (status != SQLITE_DONE) {
        sqlite_failed(n, e);
        goto out;
    }
    for (int c = 0; c < COLUMN_COUNT; c++) {
        if (columns[c].required && !n->has_column[c]) {
            err_set(e, ERR_UNSUPPORTED, "%s: the kernel table has no column %s", n->name, columns[c].name);
            err_hint(e, "Export the report again with nsys 2021.4 or later.");
            goto out;
        }
    }
    ret = 0;
out:
    sqlite3_finalize(s);
    return ret;
}

/* --- small facts: version, GPUs, CUDA graphs --- */

static int read_version(struct nsys *n, struct err *e)
{
    static const char *const tables[] = {"META_DATA_EXPORT", "EXPORT_META_DATA"};
    struct import_report *r = n->im->report;

    for (size_t i = 0; i < 2 && !r->schema[0]; i++) {
        sqlite3_stmt *s = NULL;
        char sql[120];
        int there = has_table(n, tables[i], e);

        if (there < 0)
            return -1;
        if (!there)
            continue;
        snprintf(sql, sizeof sql, "SELECT value FROM %s WHERE name = 'EXPORT_SCHEMA_VERSION'", tables[i]);
        if (prepare(n, &s, sql, e) < 0)
            return -1;
        if (sqlite3_step(s) == SQLITE_ROW && sqlite3_column_text(s, 0)) {
            snprintf(r->schema, sizeof r->schema, "%.32s", (const char *)sqlite3_column_text(s, 0));
            text_sanitize(r->schema);
        }
        sqlite3_finalize(s);
    }
    return 0;
}

static int read_gpu_rows(struct nsys *n, sqlite3_stmt *s, struct err *e)
{
    int status;

    while ((status = sqlite3_step(s)) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(s, 1);

        if (name)
            import_gpu_name(n->im, sqlite3_column_int64(s, 0), name, (size_t)sqlite3_column_bytes(s, 1));
    }
    return status == SQLITE_DONE ? 0 : sqlite_failed(n, e);
}

/* Kernels name a GPU by its CUDA number; the table's own id may count differently. Old schemas have only the id. */
static int read_gpus(struct nsys *n, struct err *e)
{
    sqlite3_stmt *s = NULL;
    int there = has_table(n, "TARGET_INFO_GPU", e), ret;

    if (there <= 0)
        return there;
    if (sqlite3_prepare_v2(n->db,
                           "SELECT CASE WHEN cuDevice IS NULL THEN id ELSE cuDevice END, name"
                           " FROM TARGET_INFO_GPU",
                           -1, &s, NULL) != SQLITE_OK &&
        sqlite3_prepare_v2(n->db, "SELECT id, name FROM TARGET_INFO_GPU", -1, &s, NULL) != SQLITE_OK)
        return 0; /* a shape we do not know: the GPU stays unnamed, and the report says so */
    ret = read_gpu_rows(n, s, e);
    sqlite3_finalize(s);
    return ret;
}

static int count_rows(struct nsys *n, const char *table, uint64_t *out, struct err *e)
{
    sqlite3_stmt *s = NULL;
    char sql[100];
    int there = has_table(n, table, e), ret = 0;

    *out = 0;
    if (there <= 0)
        return there;
    snprintf(sql, sizeof sql, "SELECT count(*) FROM %s", table);
    if (prepare(n, &s, sql, e) < 0)
        return -1;
    if (sqlite3_step(s) == SQLITE_ROW)
        *out = (uint64_t)sqlite3_column_int64(s, 0);
    else
        ret = sqlite_failed(n, e);
    sqlite3_finalize(s);
    return ret;
}

/* --- strings --- */

static struct string_slot *slot_of(struct nsys *n, int64_t id)
{
    size_t at = ((uint64_t)id * UINT64_C(0x9e3779b97f4a7c15)) >> 20 & (n->slot_count - 1);

    while (n->slots[at].used && n->slots[at].id != id)
        at = (at + 1) & (n->slot_count - 1);
    return &n->slots[at];
}

static int slots_grow(struct nsys *n, struct err *e)
{
    struct string_slot *old = n->slots;
    size_t old_count = n->slot_count, count = old_count ? old_count * 2 : 1024;
    struct string_slot *fresh = mem_zalloc(count, sizeof *fresh, e);

    if (!fresh)
        return -1;
    n->slots = fresh;
    n->slot_count = count;
    for (size_t i = 0; i < old_count; i++) {
        if (old[i].used)
            *slot_of(n, old[i].id) = old[i];
    }
    free(old);
    return 0;
}

static int fetch_string(struct nsys *n, int64_t id, struct string_slot *slot, struct err *e)
{
    int status, ret = 0;

    sqlite3_bind_int64(n->string, 1, id);
    status = sqlite3_step(n->string);
    if (status == SQLITE_ROW) {
        const char *text = (const char *)sqlite3_column_text(n->string, 0);
        size_t length = (size_t)sqlite3_column_bytes(n->string, 0);

        slot->too_long = length > n->im->options.most_name_bytes;
        if (text)
            ret = import_intern(n->im, text, length, &slot->name, e);
    } else if (status != SQLITE_DONE) {
        ret = sqlite_failed(n, e);
    }
    sqlite3_reset(n->string);
    return ret;
}

static int string_of(struct nsys *n, int64_t id, const struct string_slot **out, struct err *e)
{
    struct string_slot *slot;

    if (n->slots_used * 2 >= n->slot_count && slots_grow(n, e) < 0)
        return -1;
    slot = slot_of(n, id);
    if (!slot->used) {
        *slot = (struct string_slot){.id = id, .used = true};
        n->slots_used++;
        if (fetch_string(n, id, slot, e) < 0)
            return -1;
    }
    *out = slot;
    return 0;
}

/* --- kernels --- */

/* One SELECT with every column in its place; a column that this schema lacks reads as NULL. */
static int prepare_kernels(struct nsys *n, sqlite3_stmt **out, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    int ret;

    strbuf_adds(&b, "SELECT ");
    for (int c = 0; c < COLUMN_COUNT; c++)
        strbuf_addf(&b, n->has_column[c] ? "%s\"%s\"" : "%sNULL", c ? ", " : "", columns[c].name);
    strbuf_adds(&b, " FROM " KERNELS);
    ret = b.failed ? err_no_memory(e) : prepare(n, out, b.text, e);
    strbuf_release(&b);
    return ret;
}

static bool present(sqlite3_stmt *s, enum column c)
{
    return sqlite3_column_type(s, c) == SQLITE_INTEGER;
}

static void read_numbers(sqlite3_stmt *s, struct import_launch *l)
{
    for (int i = 0; i < 3; i++) {
        l->grid[i] = sqlite3_column_int64(s, GRID_X + i);
        l->block[i] = sqlite3_column_int64(s, BLOCK_X + i);
    }
    l->device = sqlite3_column_int64(s, DEVICE);
    l->context = (uint64_t)sqlite3_column_int64(s, CONTEXT);
    l->stream = (uint64_t)sqlite3_column_int64(s, STREAM);
    l->process = (uint64_t)sqlite3_column_int64(s, PROCESS);
    l->registers = sqlite3_column_int64(s, REGISTERS);
    l->correlation = (uint64_t)sqlite3_column_int64(s, CORRELATION);
    l->has_correlation = l->correlation != 0 || present(s, CORRELATION);
    l->graph = sqlite3_column_int64(s, GRAPH_NODE) != 0; /* NULL or 0 outside graphs */
    if (__builtin_add_overflow(sqlite3_column_int64(s, SHARED_STATIC), sqlite3_column_int64(s, SHARED_DYNAMIC),
                               &l->shared_bytes))
        l->shared_bytes = -1;
}

/* Start, end and name; false when the row was dropped for one of them. */
static int read_rest(struct nsys *n, sqlite3_stmt *s, struct import_launch *l, struct err *e)
{
    const struct string_slot *name, *mangled;
    unsigned long long row = l->number;

    if (!present(s, START)) {
        import_drop(n->im, DROP_NO_START_TIME, "row %llu", row);
        return 0;
    }
    l->start_ns = sqlite3_column_int64(s, START);
    if (string_of(n, sqlite3_column_int64(s, NAME), &name, e) < 0)
        return -1;
    if (name->too_long) {
        import_drop(n->im, DROP_NAME_TOO_LONG, "row %llu: string %lld", row, (long long)name->id);
        return 0;
    }
    l->name = name->name;
    if (!present(s, END) || (sqlite3_column_int64(s, END) == 0 && l->start_ns > 0)) {
        import_drop(n->im, DROP_NO_END_TIME, "row %llu: %s", row, l->name ? l->name->text : "");
        return 0;
    }
    if (__builtin_sub_overflow(sqlite3_column_int64(s, END), l->start_ns, &l->value)) {
        import_drop(n->im, DROP_TIME_RANGE, "row %llu: %s", row, l->name ? l->name->text : "");
        return 0;
    }
    /* `name` may have moved once the second string is looked up; it is not used after this. */
    if (present(s, MANGLED)) {
        if (string_of(n, sqlite3_column_int64(s, MANGLED), &mangled, e) < 0)
            return -1;
        l->mangled = mangled->name;
    }
    return 1;
}

static int check_row_count(const struct nsys *n, uint64_t rows, struct err *e)
{
    if (rows <= n->file_bytes / ROW_BYTES_MIN)
        return 0;
    return err_set(e, ERR_INVALID, "%s: damaged SQLite file (it yields more rows than %llu bytes can hold)",
                   n->name, (unsigned long long)n->file_bytes);
}

/* Pages fetched so far stand for the bytes read. */
static void nsys_progress(struct nsys *n)
{
    int pages = 0, most = 0;
    uint64_t bytes;

    sqlite3_db_status(n->db, SQLITE_DBSTATUS_CACHE_MISS, &pages, &most, 0);
    bytes = (uint64_t)pages * n->page_bytes;
    import_progress(n->im, bytes < n->file_bytes ? bytes : n->file_bytes);
}

static int read_kernels(struct nsys *n, struct err *e)
{
    sqlite3_stmt *s = NULL;
    uint64_t rows = 0;
    int ret = -1, status;

    if (prepare(n, &n->string, "SELECT value FROM StringIds WHERE id = ?1", e) < 0 || prepare_kernels(n, &s, e) < 0)
        goto out;
    while ((status = sqlite3_step(s)) == SQLITE_ROW) {
        struct import_launch l = {.place = "row", .number = ++rows, .has_shape = true, .has_stream = true};
        int use = check_row_count(n, rows, e) < 0 ? -1 : read_rest(n, s, &l, e);

        if (use < 0)
            goto out;
        if (use) {
            read_numbers(s, &l);
            if (import_launch(n->im, &l, e) < 0)
                goto out;
        }
        if (rows % 8192 == 0)
            nsys_progress(n);
    }
    ret = status == SQLITE_DONE ? 0 : sqlite_failed(n, e);
out:
    sqlite3_finalize(s);
    return ret;
}

/* --- the whole --- */

static int refuse_foreign(struct nsys *n, struct err *e)
{
    int strings = has_table(n, "StringIds", e), meta = has_table(n, "META_DATA_EXPORT", e),
        old_meta = has_table(n, "EXPORT_META_DATA", e);

    if (strings < 0 || meta < 0 || old_meta < 0)
        return -1;
    if (strings || meta || old_meta)
        return 0;
    err_set(e, ERR_UNSUPPORTED, "%s: a SQLite database, but not one that nsys export writes", n->name);
    return err_hint(e, "Export the report: nsys export --type sqlite --output report.sqlite report.nsys-rep");
}

static int refuse_no_kernels(const struct nsys *n, uint64_t graphs, struct err *e)
{
    if (graphs > 0) {
        err_set(e, ERR_INVALID,
                "%s: no GPU kernels in this report: its %llu CUDA graph launches were traced as whole "
                "graphs",
                n->name, (unsigned long long)graphs);
        return err_hint(e, "Profile again with: nsys profile --cuda-graph-trace=node ...");
    }
    err_set(e, ERR_INVALID, "%s: no GPU kernels in this report", n->name);
    return err_hint(
        e, "Profile with CUDA tracing on (nsys profile --trace=cuda ...), and let the program end or flush "
           "before the profile is taken.");
}

static int nsys_read(struct nsys *n, struct err *e)
{
    uint64_t graphs;
    int there;

    if (check_length(n, e) < 0 || nsys_open(n, e) < 0 || refuse_triggers(n, e) < 0 || refuse_foreign(n, e) < 0 ||
        read_version(n, e) < 0 || read_gpus(n, e) < 0 || count_rows(n, GRAPHS, &graphs, e) < 0)
        return -1;
    there = has_table(n, KERNELS, e);
    if (there <= 0)
        return there < 0 ? -1 : refuse_no_kernels(n, graphs, e);
    there = has_table(n, "StringIds", e);
    if (there < 0)
        return -1;
    if (!there)
        return err_set(e, ERR_INVALID, "%s: kernels but no table StringIds with their names", n->name);
    if (read_columns(n, e) < 0 || read_kernels(n, e) < 0)
        return -1;
    n->im->report->bytes_read = n->file_bytes;
    if (n->im->launches_seen == 0 && n->im->report->dropped_count == 0)
        return refuse_no_kernels(n, graphs, e);
    if (graphs > 0)
        import_warn(
            n->im, "cuda_graphs", graphs,
            "CUDA graphs were traced as whole graphs: the kernels of %llu graph launches are missing, so the "
            "total is too small. Profile again with --cuda-graph-trace=node.",
            (unsigned long long)graphs);
    return 0;
}

int nsys_sqlite_import(struct import *im, struct err *e)
{
    struct nsys n = {.im = im, .name = im->name};
    int ret = nsys_read(&n, e);

    sqlite3_finalize(n.string);
    sqlite3_close(n.db);
    free(n.slots);
    return ret;
}
