#include "server/access/login_guard.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"

#define WINDOW_US    (15 * INT64_C(60000000))
#define FREE_TRIES   10
#define PAUSE_MOST_S 300
#define SLOTS        4096

struct entry {
    char key[80]; /* "u" or "a" + login or address; "": unused */
    unsigned failures;
    wall_us last;
};
struct login_guard {
    struct clock *clock;
    pthread_mutex_t lock;
    struct entry entries[SLOTS];
};

int login_guard_new(struct clock *clock, struct login_guard **out, struct err *e)
{
    struct login_guard *g = mem_zalloc(1, sizeof *g, e);

    if (!g)
        return -1;
    g->clock = clock;
    pthread_mutex_init(&g->lock, NULL);
    *out = g;
    return 0;
}

void login_guard_free(struct login_guard *g)
{
    if (!g)
        return;
    pthread_mutex_destroy(&g->lock);
    free(g);
}

static void make_key(char key[80], char kind, const char *text)
{
    snprintf(key, 80, "%c%.70s", kind, text);
}

/* The entry of a key, or NULL. A log-in costs 70 ms: a walk over the table is nothing beside it. */
static struct entry *find(struct login_guard *g, const char *key)
{
    wall_us now = clock_now(g->clock);

    for (struct entry *x = g->entries; x < g->entries + SLOTS; x++)
        if (strcmp(x->key, key) == 0) {
            if (now - x->last > WINDOW_US)
                x->failures = 0;
            return x;
        }
    return NULL;
}

static struct entry *make_room(struct login_guard *g, const char *key)
{
    struct entry *oldest = g->entries;

    for (struct entry *x = g->entries; x < g->entries + SLOTS && oldest->key[0]; x++)
        if (!x->key[0] || x->last < oldest->last)
            oldest = x;
    memset(oldest, 0, sizeof *oldest);
    memcpy(oldest->key, key, sizeof oldest->key);
    return oldest;
}

static int wait_of(struct login_guard *g, const char *key)
{
    const struct entry *x = find(g, key);
    wall_us until, now = clock_now(g->clock);
    int64_t pause_s = PAUSE_MOST_S;

    if (!x || x->failures < FREE_TRIES)
        return 0;
    if (x->failures - FREE_TRIES < 8)
        pause_s = INT64_C(1) << (x->failures - FREE_TRIES);
    until = x->last + pause_s * 1000000;
    return until > now ? (int)((until - now + 999999) / 1000000) : 0;
}

int login_guard_wait(struct login_guard *g, const char *login, const char *address)
{
    char user[80], from[80];
    int a, b;

    make_key(user, 'u', login);
    make_key(from, 'a', address);
    pthread_mutex_lock(&g->lock);
    a = wait_of(g, user);
    b = wait_of(g, from);
    pthread_mutex_unlock(&g->lock);
    return a > b ? a : b;
}

static void count(struct login_guard *g, char kind, const char *text)
{
    char key[80];
    struct entry *x;

    memset(key, 0, sizeof key);
    make_key(key, kind, text);
    x = find(g, key);
    if (!x)
        x = make_room(g, key);
    x->failures++;
    x->last = clock_now(g->clock);
}

void login_guard_failed(struct login_guard *g, const char *login, const char *address)
{
    pthread_mutex_lock(&g->lock);
    count(g, 'u', login);
    count(g, 'a', address);
    pthread_mutex_unlock(&g->lock);
}

void login_guard_succeeded(struct login_guard *g, const char *login)
{
    char key[80];
    struct entry *x;

    make_key(key, 'u', login);
    pthread_mutex_lock(&g->lock);
    x = find(g, key);
    if (x)
        memset(x, 0, sizeof *x);
    pthread_mutex_unlock(&g->lock);
}
