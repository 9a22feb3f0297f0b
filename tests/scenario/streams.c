/* tests/scenario/streams.c: readers of events. They reconnect with the last id that they received, and must miss
 * none. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "tests/scenario/checks.h"
#include "tests/scenario/database.h"
#include "tests/scenario/farm.h"
#include "tests/scenario/network.h"
#include "tests/scenario/world.h"

static void connect_stream(void *ctx);

static void note(struct stream_log *l, int64_t id)
{
    struct err e;

    if (id <= l->last)
        broken("events of run %s come out of order, or twice", l->run);
    l->last = id;
    if (array_reserve((void **)&l->ids, &l->room, l->count + 1, sizeof *l->ids, &e) < 0)
        abort();
    l->ids[l->count++] = id;
}

/* Handles the complete events of a piece. The rest is kept for the next piece. */
static void on_piece(void *ctx, const char *text, size_t n)
{
    struct stream_log *l = ctx;
    size_t had = l->rest ? strlen(l->rest) : 0;
    char *all = calloc(1, had + n + 1), *at = all, *end;

    if (!all)
        abort();
    if (had)
        memcpy(all, l->rest, had);
    memcpy(all + had, text, n);
    for (; (end = strstr(at, "\n\n")); at = end + 2) {
        *end = '\0';
        if (strncmp(at, "id: ", 4) == 0)
            note(l, strtoll(at + 4, NULL, 10));
        else if (strstr(at, "event: reset"))
            l->reset = true;
    }
    free(l->rest);
    l->rest = strdup(at);
    free(all);
}

static void on_end(void *ctx, const struct answer *a)
{
    struct stream_log *l = ctx;

    (void)a;
    tell("a reader of run %.8s: the stream ended after %zu events", l->run + 24, l->count);
    free(l->rest);
    l->rest = NULL;
    if (!l->over)
        later(200 * MS + random_below(800 * MS), connect_stream, l);
}

static void connect_stream(void *ctx)
{
    struct stream_log *l = ctx;
    char path[120];
    const struct call c = {.server = (int)random_below((uint64_t)farm_servers()),
                           .method = "GET",
                           .path = path,
                           .token = fixture.member[l->team],
                           .last_event = l->last,
                           .timeout_us = 2 * S + random_below(2 * S),
                           .done = on_end,
                           .piece = on_piece,
                           .ctx = l};

    snprintf(path, sizeof path, "/api/v1/events?topics=run:%s", l->run);
    tell("a reader of run %.8s asks server %d for the events after the first %zu", l->run + 24, c.server, l->count);
    network_call(&c);
}

void stream_follow(struct stream_log *l, int team, const char *run)
{
    *l = (struct stream_log){.team = team};
    snprintf(l->run, sizeof l->run, "%s", run);
    connect_stream(l);
}

void stream_check(const struct stream_log *l)
{
    char topic[48];
    PGresult *q;
    size_t n;

    if (l->reset)
        return;
    snprintf(topic, sizeof topic, "run:%s", l->run);
    q = ask("SELECT id, at || ' ' || kind || ' ' || params::text FROM event WHERE topic = $1 ORDER BY id", topic);
    n = (size_t)PQntuples(q);
    for (size_t i = 0; i < n || i < l->count; i++) {
        if (i < n && i < l->count && strtoll(PQgetvalue(q, (int)i, 0), NULL, 10) == l->ids[i])
            continue;
        broken("a reader of run %s missed events: saw %zu of %zu, the first that differs is number %zu: %.200s",
               l->run, l->count, n, i, i < n ? PQgetvalue(q, (int)i, 1) : "of another run");
        break;
    }
    PQclear(q);
}

void stream_forget(struct stream_log *l)
{
    free(l->rest);
    free(l->ids);
    *l = (struct stream_log){.team = 0};
}
