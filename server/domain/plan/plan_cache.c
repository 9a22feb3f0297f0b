#include "server/domain/plan/plan_cache.h"

#include <pthread.h>
#include <stdio.h>
#include <string.h>

#include "server/store/repo/repo_plan.h"

#define LARGE_SAMPLES 10000   /* smaller plans are read fast enough for a page */
#define KEPT_SAMPLES  2500000 /* samples of all cached plans: 120 MB */
#define KEPT_PLANS    8

struct kept {
    char id[UUID_TEXT];
    struct plan plan;
    uint64_t used; /* sequence number of the last use */
};

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static struct kept kept[KEPT_PLANS];
static uint64_t uses;

static struct kept *find(const char *id)
{
    for (size_t i = 0; i < KEPT_PLANS; i++)
        if (kept[i].plan.sample_count > 0 && strcmp(kept[i].id, id) == 0)
            return &kept[i];
    return NULL;
}

/* Makes room for a plan of n samples: evicts the least recently used plans. */
static struct kept *place_for(size_t samples)
{
    for (;;) {
        struct kept *oldest = NULL, *empty = NULL;
        size_t all = samples;

        for (size_t i = 0; i < KEPT_PLANS; i++) {
            struct kept *k = &kept[i];

            all += k->plan.sample_count;
            if (k->plan.sample_count == 0)
                empty = k;
            else if (!oldest || k->used < oldest->used)
                oldest = k;
        }
        if ((all <= KEPT_SAMPLES && empty) || !oldest)
            return all <= KEPT_SAMPLES ? empty : NULL;
        plan_release(&oldest->plan);
    }
}

/* Caches a copy. If memory is short, the plan is not cached. */
static void keep(const char *id, const struct plan *plan)
{
    struct kept *k;
    struct err e;

    if (plan->sample_count < LARGE_SAMPLES)
        return;
    pthread_mutex_lock(&lock);
    k = find(id) ? NULL : place_for(plan->sample_count);
    if (k && plan_copy(plan, &k->plan, &e) == 0) {
        snprintf(k->id, sizeof k->id, "%s", id);
        k->used = ++uses;
    }
    pthread_mutex_unlock(&lock);
}

/* 1: the plan was in the cache. */
static int copy_kept(const char *id, struct plan *out, struct err *e)
{
    struct kept *k;
    int ret = 0;

    pthread_mutex_lock(&lock);
    k = find(id);
    if (k) {
        k->used = ++uses;
        ret = plan_copy(&k->plan, out, e) < 0 ? -1 : 1;
    }
    pthread_mutex_unlock(&lock);
    return ret;
}

int plan_cache_load(struct db *db, const char *id, struct plan *out, struct err *e)
{
    int known = repo_plan_exists(db, id, e), found;

    if (known <= 0)
        return known < 0 ? -1 : err_set(e, ERR_NOT_FOUND, "there is no plan %s", id);
    found = copy_kept(id, out, e);
    if (found != 0)
        return found < 0 ? -1 : 0;
    if (repo_plan_load(db, id, out, e) < 0)
        return -1;
    keep(id, out);
    return 0;
}

void plan_cache_clear(void)
{
    pthread_mutex_lock(&lock);
    for (size_t i = 0; i < KEPT_PLANS; i++)
        plan_release(&kept[i].plan);
    pthread_mutex_unlock(&lock);
}
