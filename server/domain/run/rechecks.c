#include "server/domain/run/rechecks.h"

#include <stdio.h>

#include "base/log.h"
#include "server/store/repo/repo_recheck.h"
#include "server/domain/run/again.h"
#include "server/domain/plan/design_store.h"

static int quarantine(struct farm *farm, struct db *db, const char *result, const char *first, const char *second,
                      struct err *e)
{
    char id[UUID_TEXT], ids[UUID_TEXT + 2], why[2 * WIRE_NAME + 64];
    const struct quarantine workers = {first, second};
    const struct discard d = {.id = id,
                              .by = "the farm",
                              .why = why,
                              .chosen = "{}",
                              .at = clock_now(farm->clock),
                              .quarantine = &workers};

    uuid_make(farm->clock, id);
    snprintf(ids, sizeof ids, "{%s}", result);
    snprintf(why, sizeof why, "workers %s and %s had different results", first, second);
    log_error("recheck", "two workers had different results, so neither is used", "result=%s first=%s second=%s",
              result, first, second);
    return again_discard(farm, db, &d, ids, e);
}

int rechecks_tick(struct farm *farm, struct db *db, struct err *e)
{
    struct db_rows q;
    int ret = 0;

    if (repo_task_give_up(db, TASK_RECHECK, design_store_simulator(farm->designs),
                          "the farm has another simulator version now", clock_now(farm->clock), NULL, e) < 0 ||
        repo_recheck_differing(db, &q, e) < 0)
        return -1;
    for (int i = 0; ret == 0 && i < q.count; i++)
        ret = quarantine(farm, db, db_get(&q, i, 0), db_get(&q, i, 1), db_get(&q, i, 2), e);
    db_rows_release(&q);
    return ret;
}
