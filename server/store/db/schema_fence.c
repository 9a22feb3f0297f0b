#include "server/store/db/schema_fence.h"

#include <pthread.h>
#include <stdatomic.h>

#include "base/log.h"
#include "server/store/db/db.h"
#include "server/store/db/migrate.h"

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static void (*act)(void *ctx); /* under `lock` */
static void *act_ctx;
static struct err reason; /* written before `closed` is set, and not changed afterwards */
static atomic_bool watching, closed;
static _Thread_local bool looking; /* a failure of the comparison itself does not start another one */

void schema_fence_watch(void (*fn)(void *ctx), void *ctx)
{
    pthread_mutex_lock(&lock);
    act = fn;
    act_ctx = ctx;
    atomic_store(&watching, fn != NULL);
    pthread_mutex_unlock(&lock);
}

static void close_fence(const struct err *why)
{
    pthread_mutex_lock(&lock);
    if (!atomic_load(&closed)) {
        reason = *why;
        atomic_store(&closed, true);
        log_error("db", "a newer server has upgraded the database: this server stops using it", "error=%s",
                  log_quote(why->text, (char[600]){0}, 600));
        if (act)
            act(act_ctx);
    }
    pthread_mutex_unlock(&lock);
}

void schema_fence_look(struct db *db)
{
    struct err e;

    if (!atomic_load(&watching) || atomic_load(&closed) || looking)
        return;
    looking = true;
    if (migrate_check_unknown(db, &e) < 0) {
        if (e.code == ERR_UNSUPPORTED)
            close_fence(&e);
        else
            log_debug("db", "the schema could not be compared", "error=%s", log_quote(e.text, (char[600]){0}, 600));
    }
    looking = false;
}

bool schema_fence_look_at(const char *conninfo)
{
    struct db *db = NULL;
    struct err e;

    if (atomic_load(&watching) && !atomic_load(&closed) && !looking) {
        looking = true;
        if (db_open_plain(conninfo, &db, &e) < 0)
            db = NULL;
        looking = false;
        if (db)
            schema_fence_look(db);
        db_close(db);
    }
    return atomic_load(&closed);
}

int schema_fence_reason(struct err *e)
{
    if (!atomic_load(&closed))
        return 0;
    *e = reason;
    return -1;
}

int schema_fence_pass(struct err *e)
{
    if (!atomic_load(&closed))
        return 0;
    err_set(e, ERR_DATABASE, "%s", reason.text);
    return err_hint(e, "This server ends now, and the newer one answers.");
}
