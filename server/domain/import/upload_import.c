#include "server/domain/import/upload_import.h"

#include "base/assert.h"
#include "server/platform/config.h"
#include "server/store/repo/repo_import.h"
#include "server/store/repo/repo_pack.h"
#include "server/domain/import/importer.h"

struct beginning {
    struct farm *farm;
    struct upload_import *b;
    char holder[UUID_TEXT];
};

static int record(struct db *db, void *ctx, struct err *e)
{
    const struct beginning *g = ctx;
    const struct upload *u = g->b->upload;

    ASSERT(uuid_valid(g->b->id) && uuid_valid(g->holder));
    if (repo_upload_finish(db, u->id, e) < 0 ||
        repo_import_put(db, g->b->id, g->b->team, u, g->b->by, g->holder, clock_now(g->farm->clock), e) < 0)
        return -1;
    return g->b->traces ? repo_pack_of_import(db, g->b->id, g->b->traces, g->b->launches, e) : 0;
}

int upload_import(struct farm *farm, struct db *db, struct upload_import *b, struct err *e)
{
    struct beginning g = {.farm = farm, .b = b};

    uuid_make(farm->clock, b->id);
    if (importer_holder(farm->config->state, g.holder, e) < 0 || db_transaction(db, record, &g, e) < 0)
        return -1;
    return importer_submit(farm, b->id, e);
}
