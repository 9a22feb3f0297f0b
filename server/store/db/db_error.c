/* server/store/db/db_error.c: converts errors of libpq into struct err. */
#include <stdatomic.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "server/store/db/db_internal.h"
#include "server/store/db/schema_fence.h"

/* Copies the first line of a libpq message. It states the error; further lines are details. */
const char *db_first_line(const char *s, char *out, size_t size)
{
    snprintf(out, size, "%.*s", (int)strcspn(s, "\n"), s);
    return out;
}

static atomic_uint_fast64_t disk_full_us;

uint64_t db_disk_full_us(void)
{
    return atomic_load(&disk_full_us);
}

static bool state_is(const char *state, const char *prefix)
{
    return strncmp(state, prefix, strlen(prefix)) == 0;
}

static enum err_code code_of(const char *state)
{
    static const struct {
        const char *prefix;
        enum err_code code;
    } map[] = {
        {"23505", ERR_CONFLICT}, {"23503", ERR_NOT_FOUND}, {"23", ERR_INVALID},     {"22", ERR_INVALID},
        {"53100", ERR_NO_SPACE}, {"53200", ERR_DATABASE},  {"53300", ERR_DATABASE}, {"57014", ERR_BUSY},
        {"57P0", ERR_DATABASE},  {"08", ERR_DATABASE},     {"25006", ERR_DATABASE}, {"40001", ERR_BUSY},
        {"40P01", ERR_BUSY},     {"55P03", ERR_BUSY},
    };

    for (size_t i = 0; i < sizeof map / sizeof map[0]; i++)
        if (state_is(state, map[i].prefix))
            return map[i].code;
    return ERR_INTERNAL;
}

/* What a statement of this program meets in a schema that it does not know: missing tables, columns and functions,
 * results of another type, a column that it leaves empty. */
static bool may_be_newer(const char *state, enum err_code code)
{
    return code == ERR_INTERNAL || state_is(state, "23502");
}

static int hint_unavailable(const struct db *db, struct err *e)
{
    return err_hint(e, "%s",
                    db->opening ? "Check that the database runs and that --database, where given, names it."
                                : "Try again in a moment; the server keeps trying to connect.");
}

int db_fail_unavailable(struct db *db, struct err *e)
{
    char line[300];

    db_first_line(db->conn ? PQerrorMessage(db->conn) : "no connection", line, sizeof line);
    err_set(e, ERR_DATABASE, "the database cannot be reached: %s", line);
    if (strstr(line, "unsupported startup parameter"))
        return err_hint(e, "This is PgBouncer: also set --database-direct to PostgreSQL's own URL.");
    return hint_unavailable(db, e);
}

int db_fail_result(struct db *db, const PGresult *res, const char *stmt, struct err *e)
{
    const char *state = res ? PQresultErrorField(res, PG_DIAG_SQLSTATE) : NULL;
    const char *text = res ? PQresultErrorField(res, PG_DIAG_MESSAGE_PRIMARY) : NULL;
    enum err_code code = state ? code_of(state) : ERR_DATABASE;
    char line[300];

    db_first_line(text ? text : PQerrorMessage(db->conn), line, sizeof line);
    if (state && may_be_newer(state, code) && schema_fence_look_at(db->conninfo)) {
        db->retry = false;
        return schema_fence_pass(e);
    }
    db->retry = state && (state_is(state, "40001") || state_is(state, "40P01") || state_is(state, "55P03"));
    if (code == ERR_DATABASE || PQstatus(db->conn) != CONNECTION_OK) {
        err_set(e, ERR_DATABASE, "the database is not available: %s", line);
        hint_unavailable(db, e);
        db_disconnect(db);
    } else if (code == ERR_NO_SPACE) {
        atomic_store(&disk_full_us, clock_monotonic_us());
        err_set(e, code, "the database has no space left on its disk");
        err_hint(e, "Free space on the database's disk; running jobs continue.");
    } else if (code == ERR_BUSY) {
        err_set(e, code, "the database took too long (%s)", stmt);
    } else {
        err_set(e, code, "%s: %s", stmt, line);
    }
    if (code == ERR_INTERNAL)
        log_error("db", "a statement failed", "statement=%s sqlstate=%s error=%s", stmt, state ? state : "-",
                  log_quote(line, (char[300]){0}, 300));
    return -1;
}
