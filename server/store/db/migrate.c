#include "server/store/db/migrate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/embed.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/text.h"
#include "server/store/db/db.h"
#include "server/store/db/schema_fence.h"

/* Key of the advisory lock: the ASCII codes of "vivace". No other program on the same database may use this
 * key. */
#define LOCK "SELECT pg_advisory_xact_lock(130263850017637)"

/* Before the baseline, the schema had the files 0001_versioning to 0541_task. The upgrade needs all of them. */
#define FORMER_FIRST "0001_versioning"
#define FORMER_LAST  "0541_task"
/* SHA-256 of their lines "name checksum" in schema_patch, sorted by name and joined by line feeds. */
#define FORMER_DIGEST  "263ec8b1d4350ab57677cfea347c0af1c0a1c1fdabb25356ffd00b60138a53a0"
#define FORMER_UPGRADE "upgrade_from_0541.sql"
/* Commit of a version that upgrades older databases to FORMER_LAST. */
#define FORMER_COMMIT "5fbba45b"
/* The last file of the baseline, which replaces the former files. */
#define BASELINE_LAST "0012_operation"

struct patch {
    const struct embedded_file *file;
    char name[80], checksum[SHA256_HEX];
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct patch *)a)->name, ((const struct patch *)b)->name);
}

/* The files of the baseline and later files have names that start with a number. */
static bool is_numbered(const struct embedded_file *f)
{
    return f->name[0] >= '0' && f->name[0] <= '9';
}

static int list_patches(struct patch **out, size_t *count, struct err *e)
{
    size_t files = 0, n = 0;
    struct patch *p;

    while (embedded_schema[files].name)
        files++;
    p = mem_zalloc(files ? files : 1, sizeof *p, e);
    if (!p)
        return -1;
    for (size_t i = 0; i < files; i++) {
        const struct embedded_file *f = &embedded_schema[i];

        if (!is_numbered(f))
            continue;
        p[n].file = f;
        snprintf(p[n].name, sizeof p[n].name, "%.*s", (int)(strlen(f->name) - 4), f->name); /* without ".sql" */
        if (sha256_bytes(f->bytes, f->size, p[n++].checksum, e) < 0) {
            free(p);
            return -1;
        }
    }
    array_sort(p, n, sizeof *p, by_name);
    *out = p;
    *count = n;
    return 0;
}

/* Returns 1 when the file is applied already, 0 when it is not. */
static int look_up(struct db *db, const struct patch *patch, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;
    int ret;

    if (db_query_text(db, "SELECT to_regclass('schema_patch') IS NOT NULL", NULL, &r, e) < 0)
        return -1;
    ret = db_get_bool(&r, 0, 0);
    db_rows_release(&r);
    if (!ret)
        return 0;
    db_text(&p, patch->name);
    if (db_query_text(db, "SELECT checksum FROM schema_patch WHERE name = $1::text", &p, &r, e) < 0)
        return -1;
    ret = r.count;
    if (r.count && strcmp(db_get(&r, 0, 0), patch->checksum) != 0) {
        ret = err_set(e, ERR_UNSUPPORTED, "schema %s: the database has another version of it than this program",
                      patch->name);
        err_hint(e, "Start the release of vivace-server that made this database, or restore a backup.");
    }
    db_rows_release(&r);
    return ret;
}

/* Returns the file's text after its "BEGIN;", which is for users of psql. Here, the transaction has begun before,
 * to take the lock. The file's COMMIT ends it. */
static const char *behind_begin(const struct patch *patch, struct err *e)
{
    static const char begin[] = "BEGIN;";
    const char *text = (const char *)patch->file->bytes;

    if (strncmp(text, begin, sizeof begin - 1) == 0)
        return text + sizeof begin - 1;
    err_set(e, ERR_INTERNAL, "schema %s does not begin with BEGIN;", patch->name);
    return NULL;
}

static int apply(struct db *db, const struct patch *patch, struct err *e)
{
    const char *text = behind_begin(patch, e);
    struct db_params p = DB_PARAMS_INIT;
    int found;

    if (!text || db_exec_text(db, "BEGIN", e) < 0 || db_exec_text(db, LOCK, e) < 0)
        return -1;
    found = look_up(db, patch, e);
    if (found != 0)
        goto back;
    db_text(&p, patch->checksum);
    if (db_query_text(db, "SELECT set_config('vivace.migration_checksum', $1::text, true)", &p, NULL, e) < 0 ||
        db_exec_text(db, "SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0; NOTIFY " SCHEMA_CHANNEL, e) <
            0 ||
        db_exec_text(db, text, e) < 0) {
        err_wrap(e, "schema %s", patch->name);
        found = -1;
        goto back;
    }
    log_info("db", "a schema file was applied", "name=%s", patch->name);
    return 0;
back:
    if (db_exec_text(db, "ROLLBACK", &(struct err){0}) < 0)
        log_warn("db", "a transaction could not be rolled back", "schema=%s", patch->name);
    return found < 0 ? -1 : 0;
}

/* --- Upgrade from the former files --- */

static const char *upgrade_text(void)
{
    size_t i = 0;

    while (embedded_schema[i].name && strcmp(embedded_schema[i].name, FORMER_UPGRADE) != 0)
        i++;
    ASSERT(embedded_schema[i].name);
    return (const char *)embedded_schema[i].bytes;
}

static int refuse_former(const char *what, struct err *e)
{
    err_set(e, ERR_UNSUPPORTED, "the %s has a schema from before the baseline that is not " FORMER_LAST, what);
    return err_hint(e, "First start vivace-server of commit " FORMER_COMMIT
                       " on it, which upgrades it to " FORMER_LAST ". Then start this one.");
}

/* Returns 1 when the database has exactly the former files, 0 when it has none of them, -1 when it has some of
 * them or others. */
static int has_former(struct db *db, struct err *e)
{
    struct db_rows r;
    int ret;

    if (db_query_text(db, "SELECT to_regclass('schema_patch') IS NOT NULL", NULL, &r, e) < 0)
        return -1;
    ret = db_get_bool(&r, 0, 0);
    db_rows_release(&r);
    if (!ret)
        return 0;
    if (db_query_text(
            db,
            "SELECT count(*) FILTER (WHERE name = '" FORMER_FIRST "'),"
            " encode(sha256(convert_to(string_agg(name || ' ' || checksum, E'\n' ORDER BY name COLLATE \"C\"),"
            " 'UTF8')), 'hex') FROM schema_patch",
            NULL, &r, e) < 0)
        return -1;
    if (db_get_i64(&r, 0, 0) == 0)
        ret = 0;
    else if (strcmp(db_get(&r, 0, 1), FORMER_DIGEST) == 0)
        ret = 1;
    else
        ret = refuse_former("database", e);
    db_rows_release(&r);
    return ret;
}

static int register_baseline(struct db *db, const struct patch *patches, size_t count, struct err *e)
{
    for (size_t i = 0; i < count && strcmp(patches[i].name, BASELINE_LAST) <= 0; i++) {
        struct db_params p = DB_PARAMS_INIT;

        db_text(&p, patches[i].name);
        db_text(&p, i > 0 ? patches[i - 1].name : NULL);
        db_text(&p, patches[i].checksum);
        if (db_query_text(
                db, "INSERT INTO schema_patch (name, requires, checksum) VALUES ($1::text, $2::text, $3::text)", &p,
                NULL, e) < 0)
            return -1;
    }
    return 0;
}

static int upgrade_former(struct db *db, const struct patch *patches, size_t count, struct err *e)
{
    int former;

    if (db_exec_text(db, "BEGIN", e) < 0 || db_exec_text(db, LOCK, e) < 0)
        return -1;
    former = has_former(db, e);
    if (former == 1) {
        if (db_exec_text(db, "SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0", e) < 0 ||
            db_exec_text(db, upgrade_text(), e) < 0 || register_baseline(db, patches, count, e) < 0 ||
            db_exec_text(db, "COMMIT", e) < 0) {
            err_wrap(e, "schema " FORMER_UPGRADE);
            former = -1;
        } else {
            log_info("db", "the schema was upgraded", "from=%s to=%s", FORMER_LAST, BASELINE_LAST);
            return 0;
        }
    }
    if (db_exec_text(db, "ROLLBACK", &(struct err){0}) < 0)
        log_warn("db", "a transaction could not be rolled back", "schema=%s", FORMER_UPGRADE);
    return former;
}

/* --- Names --- */

static bool knows(const char *name)
{
    for (size_t i = 0; embedded_schema[i].name; i++) {
        size_t n = strlen(embedded_schema[i].name) - strlen(".sql");

        if (is_numbered(&embedded_schema[i]) && strlen(name) == n && strncmp(embedded_schema[i].name, name, n) == 0)
            return true;
    }
    return false;
}

static bool contains(const char *const *names, size_t count, const char *name)
{
    for (size_t i = 0; i < count; i++)
        if (strcmp(names[i], name) == 0)
            return true;
    return false;
}

int migrate_check_names(const char *const *names, size_t count, const char *what, struct err *e)
{
    if (contains(names, count, FORMER_FIRST))
        return contains(names, count, FORMER_LAST) ? 0 : refuse_former(what, e);
    for (size_t i = 0; i < count; i++)
        if (!knows(names[i])) {
            err_set(e, ERR_UNSUPPORTED, "the %s has the schema file %.80s, which this program does not know", what,
                    names[i]);
            return err_hint(e, "A newer vivace-server wrote this %s: use that one.", what);
        }
    return 0;
}

int migrate_check_unknown(struct db *db, struct err *e)
{
    const char **names = NULL;
    struct db_rows r;
    int ret = -1;

    if (db_query_text(db, "SELECT name FROM schema_patch ORDER BY name", NULL, &r, e) < 0)
        return -1;
    names = mem_zalloc(r.count > 0 ? (size_t)r.count : 1, sizeof *names, e);
    if (names) {
        for (int i = 0; i < r.count; i++)
            names[i] = db_get(&r, i, 0);
        ret = migrate_check_names(names, (size_t)r.count, "database", e);
    }
    free(names);
    db_rows_release(&r);
    return ret;
}

int migrate(const char *conninfo, struct err *e)
{
    struct patch *patches = NULL;
    struct db *db = NULL;
    size_t count = 0;
    int ret = -1;

    if (list_patches(&patches, &count, e) < 0 || db_open_plain(conninfo, &db, e) < 0 ||
        upgrade_former(db, patches, count, e) < 0)
        goto out;
    for (size_t i = 0; i < count; i++)
        if (apply(db, &patches[i], e) < 0)
            goto out;
    ret = migrate_check_unknown(db, e);
out:
    db_close(db);
    free(patches);
    return ret;
}

int migrate_check(const char *conninfo, struct err *e)
{
    struct patch *patches = NULL;
    struct db *db = NULL;
    size_t count = 0;
    int ret = -1, former;

    if (list_patches(&patches, &count, e) < 0 || db_open_plain(conninfo, &db, e) < 0 ||
        (former = has_former(db, e)) < 0)
        goto out;
    if (former == 1) {
        err_set(e, ERR_UNSUPPORTED,
                "the database has the schema " FORMER_LAST ", which is older than this program");
        err_hint(e, "Starting vivace-server upgrades it.");
        goto out;
    }
    for (size_t i = 0; i < count; i++) {
        int found = look_up(db, &patches[i], e);

        if (found < 0)
            goto out;
        if (found == 0) {
            err_set(e, ERR_UNSUPPORTED, "the database lacks the schema file %s", patches[i].name);
            err_hint(e, "Starting vivace-server applies it.");
            goto out;
        }
    }
    ret = migrate_check_unknown(db, e);
out:
    db_close(db);
    free(patches);
    return ret;
}
