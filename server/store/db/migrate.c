#include "server/store/db/migrate.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/embed.h"
#include "base/hash.h"
#include "base/log.h"
#include "base/text.h"
#include "server/store/db/db.h"

/* Any number will do, as long as no other program that uses the same database takes it: "vivace" in ASCII. */
#define LOCK "SELECT pg_advisory_xact_lock(130263850017637)"

struct patch {
    const struct embedded_file *file;
    char name[80], checksum[SHA256_HEX];
};

static int by_name(const void *a, const void *b)
{
    return strcmp(((const struct patch *)a)->name, ((const struct patch *)b)->name);
}

static int list_patches(struct patch **out, size_t *count, struct err *e)
{
    size_t n = 0;
    struct patch *p;

    while (embedded_schema[n].name)
        n++;
    p = mem_zalloc(n ? n : 1, sizeof *p, e);
    if (!p)
        return -1;
    for (size_t i = 0; i < n; i++) {
        const struct embedded_file *f = &embedded_schema[i];

        p[i].file = f;
        snprintf(p[i].name, sizeof p[i].name, "%.*s", (int)(strlen(f->name) - 4), f->name); /* without ".sql" */
        if (sha256_bytes(f->bytes, f->size, p[i].checksum, e) < 0) {
            free(p);
            return -1;
        }
    }
    array_sort(p, n, sizeof *p, by_name);
    *out = p;
    *count = n;
    return 0;
}

/* 1: applied already. 0: not yet. */
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

/* The file's text behind its own "BEGIN;", which it has for whoever reads it with psql: here the transaction was
 * begun with the lock. Its COMMIT ends that one. */
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
        db_exec_text(db, "SET LOCAL lock_timeout = 0; SET LOCAL statement_timeout = 0", e) < 0 ||
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

static int refuse_unknown(struct db *db, const struct patch *patches, size_t count, struct err *e)
{
    struct db_rows r;
    int ret = 0;

    if (db_query_text(db, "SELECT name FROM schema_patch ORDER BY name", NULL, &r, e) < 0)
        return -1;
    for (int i = 0; i < r.count && ret == 0; i++) {
        struct patch key = {0};

        snprintf(key.name, sizeof key.name, "%s", db_get(&r, i, 0));
        if (!array_search(&key, patches, count, sizeof *patches, by_name)) {
            ret = err_set(e, ERR_UNSUPPORTED,
                          "the database has the schema file %s, which this program does not know", key.name);
            err_hint(e, "A newer vivace-server has used this database: start that one.");
        }
    }
    db_rows_release(&r);
    return ret;
}

bool migrate_knows(const char *name)
{
    for (size_t i = 0; embedded_schema[i].name; i++) {
        size_t n = strlen(embedded_schema[i].name) - strlen(".sql");

        if (strlen(name) == n && strncmp(embedded_schema[i].name, name, n) == 0)
            return true;
    }
    return false;
}

int migrate(const char *conninfo, struct err *e)
{
    struct patch *patches = NULL;
    struct db *db = NULL;
    size_t count = 0;
    int ret = -1;

    if (list_patches(&patches, &count, e) < 0 || db_open_plain(conninfo, &db, e) < 0)
        goto out;
    for (size_t i = 0; i < count; i++)
        if (apply(db, &patches[i], e) < 0)
            goto out;
    ret = refuse_unknown(db, patches, count, e);
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
    int ret = -1;

    if (list_patches(&patches, &count, e) < 0 || db_open_plain(conninfo, &db, e) < 0)
        goto out;
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
    ret = refuse_unknown(db, patches, count, e);
out:
    db_close(db);
    free(patches);
    return ret;
}
