#include "server/maintenance.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "server/blob_store.h"
#include "server/collector.h"
#include "server/config.h"
#include "server/db/migrate.h"
#include "server/private_pg.h"
#include "server/privileges.h"
#include "server/scrub.h"

static int do_gc(struct app *app, struct db *db, struct err *e)
{
    bool dry = app->config->dry_run;
    struct collection sum;

    if (collect(app, db, dry, &sum, e) < 0)
        return -1;
    printf("%s %" PRIu64 " blobs that nothing refers to (%" PRIu64 " bytes), %" PRIu64
           " files without a row (%" PRIu64 " bytes)",
           dry ? "would remove" : "removed", sum.blobs, sum.bytes, sum.orphans, sum.orphan_bytes);
    if (!dry)
        printf(", %" PRIu64 " expired uploads", sum.uploads);
    printf("\n");
    return 0;
}

static int do_scrub(struct app *app, struct db *db, struct err *e)
{
    struct scrubbing sum;

    if (scrub(app, db, app->config->scrub_bytes_a_s, &sum, e) < 0)
        return -1;
    printf("looked at %" PRIu64 " blobs (%" PRIu64 " bytes): %" PRIu64 " damaged, %" PRIu64 " missing\n", sum.blobs,
           sum.bytes, sum.damaged, sum.missing);
    if (sum.damaged + sum.missing == 0)
        return 0;
    err_set(e, ERR_IO, "%" PRIu64 " stored files are damaged or missing", sum.damaged + sum.missing);
    return err_hint(e, "Damaged ones lie in %s/quarantine; `vivace push` the same files again.",
                    app->config->state);
}

static const struct {
    const char *word;
    int (*act)(struct app *app, struct db *db, struct err *e);
} words[] = {{"gc", do_gc}, {"scrub", do_scrub}};

bool maintenance_knows(const char *word)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i].word, word) == 0)
            return true;
    return false;
}

/* A server that runs on this state folder has its private database running too; otherwise it is started for this.
 */
static int find_database(const struct server_config *c, struct private_pg **pg, char address[600],
                         const char **conninfo, struct err *e)
{
    struct err locked;

    *conninfo = c->database_direct ? c->database_direct : c->database ? c->database : address;
    if (c->database)
        return 0;
    if (state_lock(c->state, &locked) < 0)
        return private_pg_address(c, address, e);
    if (private_pg_start(c, pg, e) < 0)
        return -1;
    *conninfo = private_pg_conninfo(*pg);
    return 0;
}

int maintenance_run(struct app *app, const struct server_config *c, const char *word, struct err *e)
{
    struct private_pg *pg = NULL;
    struct db *db = NULL;
    const char *conninfo;
    char address[600];
    int ret = -1;

    if (find_database(c, &pg, address, &conninfo, e) < 0 || migrate_check(conninfo, e) < 0 ||
        db_open(conninfo, &db, e) < 0 || blob_store_open(c->state, &app->blobs, e) < 0)
        goto out;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i].word, word) == 0)
            ret = words[i].act(app, db, e);
out:
    db_close(db);
    private_pg_stop(pg);
    return ret;
}
