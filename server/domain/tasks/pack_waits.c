#include "server/domain/tasks/pack_waits.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "server/platform/config.h"
#include "server/store/repo/repo_upload.h"

#define KEPT 64 /* maximum number of remembered plans */

struct pack_waits {
    struct pack_wait {
        char plan[UUID_TEXT];
        int missing;
        uint64_t bytes;
    } items[KEPT];
    size_t next; /* index of the entry to overwrite next */
};

int pack_waits_new(struct pack_waits **out, struct err *e)
{
    *out = mem_zalloc(1, sizeof **out, e);
    return *out ? 0 : -1;
}

void pack_waits_free(struct pack_waits *w)
{
    free(w);
}

static struct pack_wait *find(struct pack_waits *w, const char *plan)
{
    for (size_t i = 0; w && i < KEPT; i++)
        if (strcmp(w->items[i].plan, plan) == 0)
            return &w->items[i];
    return NULL;
}

void pack_waits_note(struct pack_waits *w, const char *plan, int missing, uint64_t bytes)
{
    struct pack_wait *item = find(w, plan);

    if (!w)
        return;
    if (!item)
        item = &w->items[w->next++ % KEPT];
    snprintf(item->plan, sizeof item->plan, "%s", plan);
    item->missing = missing;
    item->bytes = bytes;
}

int pack_waits_check(struct farm *farm, struct db *db, const struct pack_plan *p, int missing, struct err *e)
{
    const struct storage_limits limits = {UINT64_MAX, farm->config->team_quota_bytes};
    const struct pack_wait *item = find(farm->pack_waits, p->plan);

    if (!item || item->missing != missing)
        return 0;
    return repo_storage_admit(db, p->team, item->bytes, &limits, e);
}
