#include "server/domain/project/turns.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

struct turn {
    char id[UUID_TEXT];
    enum { RESTS, WAITS, IN_HAND } state;
    uint64_t next_us;
    unsigned failures; /* consecutive failures since the last successful projection */
    bool seen;
    bool hurried; /* while it was being projected */
    struct last_published published;
};
struct turns {
    pthread_mutex_t lock;
    struct turn *runs; /* sorted by id */
    size_t count, capacity, waiting;
};

int turns_new(struct turns **out, struct err *e)
{
    *out = mem_zalloc(1, sizeof **out, e);
    if (!*out)
        return -1;
    pthread_mutex_init(&(*out)->lock, NULL);
    return 0;
}

void turns_free(struct turns *t)
{
    if (!t)
        return;
    pthread_mutex_destroy(&t->lock);
    free(t->runs);
    free(t);
}

/* The index of the run, or the index at which to insert it. */
static size_t place_of(const struct turns *t, const char *id)
{
    size_t low = 0, high = t->count;

    while (low < high) {
        size_t mid = low + (high - low) / 2;

        if (strcmp(t->runs[mid].id, id) < 0)
            low = mid + 1;
        else
            high = mid;
    }
    return low;
}

static struct turn *find(const struct turns *t, const char *id)
{
    size_t at = place_of(t, id);

    return at < t->count && strcmp(t->runs[at].id, id) == 0 ? &t->runs[at] : NULL;
}

/* NULL: out of memory. */
static struct turn *find_or_add(struct turns *t, const char *id)
{
    size_t at = place_of(t, id);
    struct err e;

    if (at < t->count && strcmp(t->runs[at].id, id) == 0)
        return &t->runs[at];
    if (array_reserve((void **)&t->runs, &t->capacity, t->count + 1, sizeof *t->runs, &e) < 0)
        return NULL;
    memmove(&t->runs[at + 1], &t->runs[at], (t->count - at) * sizeof *t->runs);
    t->runs[at] = (struct turn){.state = RESTS};
    snprintf(t->runs[at].id, UUID_TEXT, "%s", id);
    t->count++;
    return &t->runs[at];
}

void turns_wait(struct turns *t, const char *id, uint64_t now_us)
{
    struct turn *r;

    pthread_mutex_lock(&t->lock);
    r = find_or_add(t, id);
    if (r && r->state == RESTS && now_us >= r->next_us) {
        r->state = WAITS;
        t->waiting++;
    }
    pthread_mutex_unlock(&t->lock);
}

size_t turns_waiting(struct turns *t)
{
    size_t n;

    pthread_mutex_lock(&t->lock);
    n = t->waiting;
    pthread_mutex_unlock(&t->lock);
    return n;
}

bool turns_take(struct turns *t, char id[UUID_TEXT])
{
    struct turn *oldest = NULL;

    pthread_mutex_lock(&t->lock);
    for (size_t i = 0; t->waiting > 0 && i < t->count; i++) {
        struct turn *r = &t->runs[i];

        if (r->state == WAITS && (!oldest || r->next_us < oldest->next_us))
            oldest = r;
    }
    if (oldest) {
        oldest->state = IN_HAND;
        t->waiting--;
        snprintf(id, UUID_TEXT, "%s", oldest->id);
    }
    pthread_mutex_unlock(&t->lock);
    return oldest != NULL;
}

static unsigned back(struct turns *t, const char *id, uint64_t next_us, bool failed)
{
    unsigned failures = 0;
    struct turn *r;

    pthread_mutex_lock(&t->lock);
    r = find(t, id); /* a run that is being projected is not dropped */
    if (r) {
        r->state = RESTS;
        r->next_us = r->hurried && !failed ? 0 : next_us;
        r->hurried = false;
        failures = r->failures = failed ? r->failures + 1 : 0;
    }
    pthread_mutex_unlock(&t->lock);
    return failures;
}

void turns_back(struct turns *t, const char *id, uint64_t next_us)
{
    back(t, id, next_us, false);
}

void turns_hurry(struct turns *t, const char *id)
{
    struct turn *r;

    pthread_mutex_lock(&t->lock);
    r = find(t, id);
    if (r && r->state == IN_HAND)
        r->hurried = true;
    else if (r && r->failures == 0)
        r->next_us = 0;
    pthread_mutex_unlock(&t->lock);
}

unsigned turns_back_failed(struct turns *t, const char *id, uint64_t next_us)
{
    return back(t, id, next_us, true);
}

size_t turns_failing(struct turns *t)
{
    size_t n = 0;

    pthread_mutex_lock(&t->lock);
    for (size_t i = 0; i < t->count; i++)
        n += t->runs[i].failures >= TURNS_FAILURES_MAX;
    pthread_mutex_unlock(&t->lock);
    return n;
}

struct last_published *turns_seen(struct turns *t, const char *id)
{
    struct turn *r;

    pthread_mutex_lock(&t->lock);
    r = find_or_add(t, id);
    if (r)
        r->seen = true;
    pthread_mutex_unlock(&t->lock);
    return r ? &r->published : NULL;
}

void turns_forget_unseen(struct turns *t)
{
    size_t kept = 0;

    pthread_mutex_lock(&t->lock);
    for (size_t i = 0; i < t->count; i++) {
        bool keep = t->runs[i].seen || t->runs[i].state != RESTS;

        t->runs[i].seen = false;
        if (keep)
            t->runs[kept++] = t->runs[i];
    }
    t->count = kept;
    pthread_mutex_unlock(&t->lock);
}
