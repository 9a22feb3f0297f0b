#include "server/store/blob/s3_guard.h"

#include <stdio.h>

#include "base/log.h"

#define SECOND_US UINT64_C(1000000)

void s3_guard_init(struct s3_guard *g)
{
    *g = (struct s3_guard){.failures = 0};
    pthread_mutex_init(&g->lock, NULL);
}

void s3_guard_release(struct s3_guard *g)
{
    pthread_mutex_destroy(&g->lock);
}

static int refuse(const struct s3_guard *g, const char *where, uint64_t now_us, struct err *e)
{
    err_set(e, ERR_UNAVAILABLE, "the blob store %s has not answered for %.0f s (%s)", where,
            (double)(now_us - g->since_us) / 1e6, g->why);
    return err_hint(
        e, "The server tries again every few seconds; requests that need stored files wait, others continue.");
}

/* The caller holds the lock. */
static bool probe_due(const struct s3_guard *g, bool probe, uint64_t now_us)
{
    return !g->probing && now_us - g->tried_us >= (probe ? S3_GUARD_TRY_S : S3_GUARD_ALONE_S) * SECOND_US;
}

int s3_guard_enter(struct s3_guard *g, bool probe, const char *where, uint64_t now_us, struct err *e)
{
    int ret = 0;

    pthread_mutex_lock(&g->lock);
    if (!g->open) {
        g->tried_us = now_us;
    } else if (probe_due(g, probe, now_us)) {
        g->probing = true;
        g->tried_us = now_us;
    } else {
        g->refused++;
        ret = refuse(g, where, now_us, e);
    }
    pthread_mutex_unlock(&g->lock);
    return ret;
}

void s3_guard_left(struct s3_guard *g, const char *why, uint64_t now_us)
{
    bool was_open, opened = false;
    double silent_s;

    pthread_mutex_lock(&g->lock);
    was_open = g->open;
    silent_s = (double)(now_us - g->since_us) / 1e6;
    g->probing = false;
    if (!why) {
        g->failures = 0;
        g->open = false;
        g->answered_us = now_us;
    } else {
        snprintf(g->why, sizeof g->why, "%s", why);
        g->failures++;
        if (!g->open)
            g->tried_us = now_us; /* while open, s3_guard_enter() has set the start of the probe */
        opened = !g->open && g->failures >= S3_GUARD_FAILURES;
        if (opened) {
            g->open = true;
            g->opened++;
            g->since_us = now_us;
        }
    }
    pthread_mutex_unlock(&g->lock);
    if (opened)
        log_error("s3", "the blob store does not answer: calls are refused until it does", "error=%s",
                  log_quote(why, (char[300]){0}, 300));
    else if (was_open && !why)
        log_info("s3", "the blob store answers again", "silent_s=%.0f", silent_s);
}

int s3_guard_ask(struct s3_guard *g, const char *where, uint64_t now_us, struct err *e)
{
    int ret;

    pthread_mutex_lock(&g->lock);
    ret = g->open ? refuse(g, where, now_us, e) : 0;
    pthread_mutex_unlock(&g->lock);
    return ret;
}

bool s3_guard_due(struct s3_guard *g, uint64_t idle_us, uint64_t now_us)
{
    bool due;

    pthread_mutex_lock(&g->lock);
    due = g->open ? probe_due(g, true, now_us)
                  : now_us - g->answered_us >= idle_us && now_us - g->tried_us >= S3_GUARD_TRY_S * SECOND_US;
    pthread_mutex_unlock(&g->lock);
    return due;
}

void s3_guard_facts(struct s3_guard *g, uint64_t now_us, struct s3_facts *out)
{
    pthread_mutex_lock(&g->lock);
    out->answers = !g->open;
    out->silent_s = g->open ? (double)(now_us - g->since_us) / 1e6 : 0;
    out->opened = g->opened;
    out->refused = g->refused;
    pthread_mutex_unlock(&g->lock);
}
