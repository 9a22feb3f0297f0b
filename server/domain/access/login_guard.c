#include "server/domain/access/login_guard.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/timed_wait.h"

#define WINDOW_US   (15 * INT64_C(60000000))
#define PATIENT_US  INT64_C(1000000) /* minimum time between two tries that do not count as guessing */
#define PAUSE_MAX_S 300
#define SLOTS       4096

struct entry {
    char key[80]; /* "u", "a", "t" or "d" + login, address (failures), address (turns) or device; "": unused */
    unsigned failures;
    wall_us last;
    uint64_t turn_us; /* of an account, on the monotonic clock: when the next try may be checked */
};
/* Allocated on the stack of the waiting thread. */
struct waiter {
    struct waiter *next;
    const char *key; /* key of the account */
    unsigned turns;  /* number of turns that the address has used */
    bool refused;    /* another waiter has taken the place, and this one is no longer in the list */
};
struct login_guard {
    struct clock *clock;
    uint64_t turn_us;
    pthread_mutex_t lock;
    pthread_cond_t changed; /* uses the monotonic clock */
    bool stopping;
    struct waiter *waiters; /* sorted by turns, then by arrival */
    unsigned waiting;
    struct entry entries[SLOTS];
};

int login_guard_new(struct clock *clock, uint64_t turn_us, struct login_guard **out, struct err *e)
{
    struct login_guard *g = mem_zalloc(1, sizeof *g, e);

    if (!g)
        return -1;
    g->clock = clock;
    g->turn_us = turn_us;
    pthread_mutex_init(&g->lock, NULL);
    timed_cond_init(&g->changed);
    *out = g;
    return 0;
}

void login_guard_stop(struct login_guard *g)
{
    if (!g)
        return;
    pthread_mutex_lock(&g->lock);
    g->stopping = true;
    pthread_cond_broadcast(&g->changed);
    pthread_mutex_unlock(&g->lock);
}

void login_guard_free(struct login_guard *g)
{
    if (!g)
        return;
    pthread_cond_destroy(&g->changed);
    pthread_mutex_destroy(&g->lock);
    free(g);
}

/* --- The table; call with the lock held --- */

static void make_key(char key[80], char kind, const char *text)
{
    memset(key, 0, 80);
    snprintf(key, 80, "%c%.70s", kind, text);
}

/* The entry of a key, or NULL. A linear search is cheap compared with a log-in, which takes 70 ms. */
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

static unsigned failures_of(struct login_guard *g, char kind, const char *text)
{
    const struct entry *x;
    char key[80];

    make_key(key, kind, text);
    x = find(g, key);
    return x ? x->failures : 0;
}

static struct entry *entry_of(struct login_guard *g, char kind, const char *text)
{
    char key[80];
    struct entry *x;

    make_key(key, kind, text);
    x = find(g, key);
    return x ? x : make_room(g, key);
}

static void count(struct login_guard *g, char kind, const char *text)
{
    struct entry *x = entry_of(g, kind, text);

    x->failures++;
    x->last = clock_now(g->clock);
}

/* The number of fast retries of an address: tries less than one second after the previous try. */
static unsigned ask(struct login_guard *g, const char *address)
{
    struct entry *x = entry_of(g, 't', address);
    unsigned before = x->failures;
    wall_us now = clock_now(g->clock);

    x->failures += x->last && now - x->last < PATIENT_US;
    x->last = now;
    return before;
}

/* --- Addresses and devices --- */

int login_guard_address(struct login_guard *g, const char *address)
{
    wall_us until = 0, now = clock_now(g->clock);
    int64_t pause_s = PAUSE_MAX_S;
    const struct entry *x;
    char key[80];

    make_key(key, 'a', address);
    pthread_mutex_lock(&g->lock);
    x = find(g, key);
    if (x && x->failures >= LOGIN_FREE_TRIES) {
        if (x->failures - LOGIN_FREE_TRIES < 8)
            pause_s = INT64_C(1) << (x->failures - LOGIN_FREE_TRIES);
        until = x->last + pause_s * 1000000;
    }
    pthread_mutex_unlock(&g->lock);
    return until > now ? (int)((until - now + 999999) / 1000000) : 0;
}

bool login_guard_device(struct login_guard *g, const char *device)
{
    unsigned failures;

    pthread_mutex_lock(&g->lock);
    failures = failures_of(g, 'd', device);
    pthread_mutex_unlock(&g->lock);
    return failures < LOGIN_FREE_TRIES;
}

void login_guard_failed(struct login_guard *g, const char *login, const char *address, const char *device)
{
    pthread_mutex_lock(&g->lock);
    if (device) {
        count(g, 'd', device);
    } else {
        count(g, 'u', login);
        count(g, 'a', address);
    }
    pthread_mutex_unlock(&g->lock);
}

/* --- Turns; call with the lock held --- */

static void leave(struct login_guard *g, struct waiter *w)
{
    struct waiter **at = &g->waiters;

    while (*at != w)
        at = &(*at)->next;
    *at = w->next;
    g->waiting--;
    pthread_cond_broadcast(&g->changed);
}

/* false: the list is full, and no waiter in it has used more turns. */
static bool enter(struct login_guard *g, struct waiter *w)
{
    struct waiter **at = &g->waiters, *last = g->waiters;

    while (last && last->next)
        last = last->next;
    if (g->waiting == LOGIN_PLACES) {
        if (!last || last->turns <= w->turns)
            return false;
        last->refused = true;
        leave(g, last);
    }
    while (*at && (*at)->turns <= w->turns)
        at = &(*at)->next;
    w->next = *at;
    *at = w;
    g->waiting++;
    return true;
}

static bool first_of_its_account(const struct login_guard *g, const struct waiter *w)
{
    const struct waiter *x = g->waiters;

    while (strcmp(x->key, w->key) != 0)
        x = x->next;
    return x == w;
}

/* Returns when it is w's turn, or when w was refused. The account's entry may have been evicted meanwhile. */
static void wait_for_turn(struct login_guard *g, struct waiter *w)
{
    while (!w->refused && !g->stopping) {
        struct entry *x = find(g, w->key);
        uint64_t now = clock_monotonic_us();

        if (!first_of_its_account(g, w)) {
            pthread_cond_wait(&g->changed, &g->lock);
        } else if (x && x->turn_us > now) {
            timed_cond_wait(&g->changed, &g->lock, x->turn_us);
        } else {
            if (x)
                x->turn_us = now + g->turn_us;
            break;
        }
    }
    if (!w->refused)
        leave(g, w);
}

int login_guard_turn(struct login_guard *g, const char *login, const char *address)
{
    char key[80];
    struct waiter w = {.key = key};
    bool there = true;

    make_key(key, 'u', login);
    pthread_mutex_lock(&g->lock);
    if (failures_of(g, 'u', login) >= LOGIN_FREE_TRIES) {
        w.turns = ask(g, address);
        there = enter(g, &w);
        if (there)
            wait_for_turn(g, &w);
        there = there && !w.refused && !g->stopping;
        if (there)
            count(g, 't', address);
    }
    pthread_mutex_unlock(&g->lock);
    return there ? 0 : (int)(LOGIN_PLACES * g->turn_us / 1000000) + 1;
}

unsigned login_guard_waiting(struct login_guard *g)
{
    unsigned n;

    pthread_mutex_lock(&g->lock);
    n = g->waiting;
    pthread_mutex_unlock(&g->lock);
    return n;
}
