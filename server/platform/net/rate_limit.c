#include "server/platform/net/rate_limit.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include <sodium.h>

#include "base/array.h"

#define SETS      2048 /* power of two */
#define WAYS      4
#define SECOND_US UINT64_C(1000000)

/* The calls that are missing in a full token bucket, in millionths of a call. An unused entry is a full bucket. */
struct bucket {
    uint64_t key; /* keyed hash, so that a client cannot choose a key that collides with another client's */
    uint64_t missing, at_us;
};
struct rate_limit {
    pthread_mutex_t lock;
    unsigned char secret[crypto_shorthash_KEYBYTES];
    struct bucket buckets[SETS][WAYS];
};

int rate_limit_new(struct rate_limit **out, struct err *e)
{
    struct rate_limit *l = mem_zalloc(1, sizeof *l, e);

    if (!l)
        return -1;
    pthread_mutex_init(&l->lock, NULL);
    crypto_shorthash_keygen(l->secret);
    *out = l;
    return 0;
}

void rate_limit_free(struct rate_limit *l)
{
    if (!l)
        return;
    pthread_mutex_destroy(&l->lock);
    free(l);
}

static uint64_t hash(const struct rate_limit *l, const char *key)
{
    unsigned char bytes[crypto_shorthash_BYTES];
    uint64_t h;

    crypto_shorthash(bytes, (const unsigned char *)key, strlen(key), l->secret);
    memcpy(&h, bytes, sizeof h);
    return h;
}

/* Adds the tokens for the time that has passed. */
static void refill(struct bucket *b, struct rate rate, uint64_t now_us)
{
    uint64_t passed = now_us > b->at_us ? now_us - b->at_us : 0;
    uint64_t filled = passed > 3600 * SECOND_US ? UINT64_MAX / 2 : passed * rate.a_second;

    b->missing = b->missing > filled ? b->missing - filled : 0;
    b->at_us = now_us;
}

/* The bucket of the key. If it has none, it replaces the fullest bucket of its set. */
static struct bucket *find(struct rate_limit *l, uint64_t key, struct rate rate, uint64_t now_us)
{
    struct bucket *set = l->buckets[key % SETS], *best = set;

    for (struct bucket *b = set; b < set + WAYS; b++) {
        refill(b, rate, now_us);
        if (b->key == key)
            return b;
        if (b->missing < best->missing)
            best = b;
    }
    *best = (struct bucket){.key = key, .at_us = now_us};
    return best;
}

static struct rate_state look(struct rate_limit *l, const char *key, struct rate rate, uint64_t now_us, bool take)
{
    struct rate_state s = {.limited = rate.a_second > 0, .burst = rate.burst};
    uint64_t most = (uint64_t)rate.burst * SECOND_US;
    struct bucket *b;

    if (!s.limited)
        return s;
    pthread_mutex_lock(&l->lock);
    b = find(l, hash(l, key), rate, now_us);
    s.refused = b->missing + SECOND_US > most;
    if (take && !s.refused)
        b->missing += SECOND_US;
    s.left = b->missing < most ? (uint32_t)((most - b->missing) / SECOND_US) : 0;
    if (s.left == 0)
        s.wait_s = (uint32_t)((b->missing + SECOND_US - most) / rate.a_second / SECOND_US + 1);
    pthread_mutex_unlock(&l->lock);
    return s;
}

struct rate_state rate_take(struct rate_limit *l, const char *key, struct rate rate, uint64_t now_us)
{
    return look(l, key, rate, now_us, true);
}

struct rate_state rate_peek(struct rate_limit *l, const char *key, struct rate rate, uint64_t now_us)
{
    return look(l, key, rate, now_us, false);
}
