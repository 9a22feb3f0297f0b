#include "server/domain/operate/maintenance.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "server/store/blob/blob_store.h"
#include "server/store/blob/collector.h"
#include "server/platform/config.h"
#include "server/store/db/migrate.h"
#include "server/store/cluster/private_pg.h"
#include "server/platform/privileges.h"
#include "server/store/blob/scrub.h"

static int do_gc(struct farm *farm, struct db *db, struct err *e)
{
    bool dry = farm->config->dry_run;
    struct collection sum;

    if (collect(&farm->store, db, dry, &sum, e) < 0)
        return -1;
    printf("%s %" PRIu64 " blobs without references (%" PRIu64 " bytes), %" PRIu64 " files without a row (%" PRIu64
           " bytes)",
           dry ? "would remove" : "removed", sum.blobs, sum.bytes, sum.orphans, sum.orphan_bytes);
    if (!dry)
        printf(", %" PRIu64 " expired uploads", sum.uploads);
    printf("\n");
    return 0;
}

static int do_scrub(struct farm *farm, struct db *db, struct err *e)
{
    struct scrubbing sum;

    if (scrub(&farm->store, db, farm->config->scrub_bytes_a_s, &sum, e) < 0)
        return -1;
    printf("looked at %" PRIu64 " blobs (%" PRIu64 " bytes): %" PRIu64 " damaged, %" PRIu64 " missing\n", sum.blobs,
           sum.bytes, sum.damaged, sum.missing);
    if (sum.damaged + sum.missing == 0)
        return 0;
    err_set(e, ERR_IO, "%" PRIu64 " stored files are damaged or missing", sum.damaged + sum.missing);
    return err_hint(e, "Damaged ones are in %s/quarantine; send the same files again with `vivace push`.",
                    farm->config->state);
}

static const struct {
    const char *word;
    int (*act)(struct farm *farm, struct db *db, struct err *e);
} words[] = {{"gc", do_gc}, {"scrub", do_scrub}};

bool maintenance_knows(const char *word)
{
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i].word, word) == 0)
            return true;
    return false;
}

/* A server on this state folder has its private database running. If there is no server, the database is
 * started. */
int maintenance_database_open(const struct server_config *c, struct maintenance_database *out, bool own,
                              struct err *e)
{
    struct err locked;

    *out = (struct maintenance_database){.conninfo = c->database_direct ? c->database_direct : c->database};
    if (c->database)
        return 0;
    if (!own && state_lock(c->state, &locked) < 0) {
        out->conninfo = out->address;
        return private_pg_address(c, out->address, e);
    }
    if (private_pg_start(c, &out->started, e) < 0)
        return -1;
    out->conninfo = private_pg_conninfo(out->started);
    return 0;
}

void maintenance_database_close(struct maintenance_database *d)
{
    private_pg_stop(d->started);
    d->started = NULL;
}

int maintenance_run(struct farm *farm, const struct server_config *c, const char *word, struct err *e)
{
    struct maintenance_database at = {.conninfo = NULL};
    struct db *db = NULL;
    int ret = -1;

    if (maintenance_database_open(c, &at, false, e) < 0 || migrate_check(at.conninfo, e) < 0 ||
        db_open(at.conninfo, &db, e) < 0 || blob_store_open_configured(c, farm->clock, &farm->store.blobs, e) < 0)
        goto out;
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++)
        if (strcmp(words[i].word, word) == 0)
            ret = words[i].act(farm, db, e);
out:
    db_close(db);
    maintenance_database_close(&at);
    return ret;
}
