#include "server/platform/net/http_connection.h"

#include <stdlib.h>
#include <sys/socket.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/timed_wait.h"

#define SECOND_US UINT64_C(1000000)

static void expect_within(struct http_connection *c, uint64_t us)
{
    atomic_store_explicit(&c->until_us, clock_monotonic_us() + us, memory_order_relaxed);
}

/* --- Connections for which the server waits, in order of time. The caller holds the lock. --- */

static void remove_connection(struct http_connection *c)
{
    struct http_connections *all = c->all;

    if (c->waits == WAITS_NOT)
        return;
    *(c->older ? &c->older->newer : &all->oldest[c->waits]) = c->newer;
    *(c->newer ? &c->newer->older : &all->newest[c->waits]) = c->older;
    c->older = c->newer = NULL;
    c->waits = WAITS_NOT;
}

static void put_last(struct http_connection *c, enum http_waiting waits)
{
    struct http_connections *all = c->all;

    remove_connection(c);
    c->waits = waits;
    c->since_us = clock_monotonic_us();
    c->older = all->newest[waits];
    *(c->older ? &c->older->newer : &all->oldest[waits]) = c;
    all->newest[waits] = c;
}

static unsigned too_many(const struct http_connections *all)
{
    unsigned fine = all->most - all->most / 8;

    return all->count > fine ? all->count - fine : 0;
}

/* Ends a connection. It leaves the list before its descriptor is closed: under the lock, no other connection has
 * this descriptor. libmicrohttpd then reads an end of input and closes it. */
static void end(struct http_connection *c)
{
    remove_connection(c);
    shutdown(c->fd, SHUT_RDWR);
    connection_awaits_nothing(c);
}

static void make_places(struct http_connections *all)
{
    uint64_t before = clock_monotonic_us() - HURRY_MS * UINT64_C(1000);
    unsigned n = too_many(all);

    for (int i = 0; i < WAITS_COUNT; i++)
        for (; n > 0 && all->oldest[i] && all->oldest[i]->since_us <= before; n--) {
            end(all->oldest[i]);
            all->hurried++;
        }
}

uint64_t http_connections_hurried(struct http_connections *all)
{
    uint64_t n;

    pthread_mutex_lock(&all->lock);
    n = all->hurried;
    pthread_mutex_unlock(&all->lock);
    return n;
}

void connection_awaits_request(struct http_connections *all, struct http_connection *c)
{
    expect_within(c, ((uint64_t)all->idle_s + all->head_s) * SECOND_US);
    pthread_mutex_lock(&all->lock);
    put_last(c, WAITS_IDLE);
    pthread_mutex_unlock(&all->lock);
}

void connection_of_stranger(struct http_connection *c)
{
    pthread_mutex_lock(&c->all->lock);
    put_last(c, WAITS_STRANGER);
    pthread_mutex_unlock(&c->all->lock);
}

void connection_received(struct http_connection *c)
{
    pthread_mutex_lock(&c->all->lock);
    remove_connection(c);
    pthread_mutex_unlock(&c->all->lock);
    connection_awaits_nothing(c);
}

void connection_awaits_head(const struct http_connections *all, struct http_connection *c)
{
    expect_within(c, all->head_s * SECOND_US);
}

void connection_awaits_body(struct http_connection *c, uint64_t begun_us, uint64_t bytes_so_far)
{
    uint64_t until = begun_us + BODY_GRACE_S * SECOND_US + bytes_so_far / BODY_MIN * SECOND_US;

    atomic_store_explicit(&c->until_us, until, memory_order_relaxed);
}

void connection_awaits_nothing(struct http_connection *c)
{
    atomic_store_explicit(&c->until_us, 0, memory_order_relaxed);
}

struct http_connection *connection_enter(struct http_connections *all, int fd)
{
    struct http_connection *c = mem_zalloc(1, sizeof *c, &(struct err){0});

    if (!c)
        return NULL;
    c->fd = fd;
    c->all = all;
    c->waits = WAITS_NOT;
    expect_within(c, ((uint64_t)all->idle_s + all->head_s) * SECOND_US);
    pthread_mutex_lock(&all->lock);
    put_last(c, WAITS_UNHEARD);
    all->count++;
    if (too_many(all) == 1)
        pthread_cond_signal(&all->cond);
    c->next = all->first;
    c->link = &all->first;
    if (c->next)
        c->next->link = &c->next;
    all->first = c;
    pthread_mutex_unlock(&all->lock);
    return c;
}

struct http_request *connection_leave(struct http_connections *all, struct http_connection *c)
{
    struct http_request *left = c->request;

    pthread_mutex_lock(&all->lock);
    *c->link = c->next;
    if (c->next)
        c->next->link = c->link;
    remove_connection(c);
    all->count--;
    pthread_mutex_unlock(&all->lock);
    free(c);
    return left;
}

struct http_connection *connection_of(struct MHD_Connection *connection)
{
    const union MHD_ConnectionInfo *info = MHD_get_connection_info(connection, MHD_CONNECTION_INFO_SOCKET_CONTEXT);

    return info ? info->socket_context : NULL;
}

static unsigned end_late_ones(struct http_connections *all)
{
    uint64_t now = clock_monotonic_us();
    unsigned n = 0;

    for (struct http_connection *c = all->first; c; c = c->next) {
        uint64_t until = atomic_load_explicit(&c->until_us, memory_order_relaxed);

        if (until == 0 || until > now)
            continue;
        end(c);
        n++;
    }
    return n;
}

static uint64_t next_look_us(const struct http_connections *all)
{
    return clock_monotonic_us() + (too_many(all) ? HURRY_MS * UINT64_C(1000) / 5 : SECOND_US);
}

static void *watch(void *ctx)
{
    struct http_connections *all = ctx;

    pthread_mutex_lock(&all->lock);
    while (!all->ending) {
        unsigned n = end_late_ones(all);

        if (n > 0)
            log_info("http", "clients took too long to send their requests", "connections=%u", n);
        make_places(all);
        timed_cond_wait(&all->cond, &all->lock, next_look_us(all));
    }
    pthread_mutex_unlock(&all->lock);
    return NULL;
}

int http_connections_start(struct http_connections *all, unsigned idle_s, unsigned head_s, unsigned most,
                           struct err *e)
{
    int ret;

    *all = (struct http_connections){.idle_s = idle_s, .head_s = head_s, .most = most};
    pthread_mutex_init(&all->lock, NULL);
    timed_cond_init(&all->cond);
    ret = pthread_create(&all->thread, NULL, watch, all);
    all->running = ret == 0;
    return ret == 0 ? 0 : err_set_errno(e, ret, "the thread that watches connections");
}

void http_connections_stop(struct http_connections *all)
{
    if (!all->running)
        return;
    pthread_mutex_lock(&all->lock);
    all->ending = true;
    pthread_cond_signal(&all->cond);
    pthread_mutex_unlock(&all->lock);
    pthread_join(all->thread, NULL);
    pthread_cond_destroy(&all->cond);
    pthread_mutex_destroy(&all->lock);
    all->running = false;
}
