#include "server/domain/queue/launcher.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/hash.h"
#include "base/log.h"
#include "server/store/threads/background.h"
#include "server/store/threads/db_clock.h"
#include "server/platform/config.h"
#include "server/store/repo/repo_leader.h"

#define SECOND_US   UINT64_C(1000000)
#define TICK_US     SECOND_US
#define LOOK_S      10 /* seconds; maximum interval between queries of the number of started workers */
#define LEASE_US    (30 * (int64_t)SECOND_US)
#define BACKOFF_MAX 600 /* seconds */
#define FRUITLESS_S 60  /* seconds; if all workers end within this time without a job, the start has failed */

struct launcher {
    struct farm *farm;
    struct launcher_settings settings;
    struct launcher_place place;
    struct background thread;
    char holder[UUID_TEXT], url[300], token[PATH_MAX], folder[PATH_MAX], worker[PATH_MAX], job_name[40], memory[32];
    struct scale_report reported; /* the problem text is in reported_problem */
    struct launcher_count count;
    uint64_t looked_us, started_us, again_us; /* monotonic; again_us: earliest next start after a failure */
    uint64_t ready_when_started;
    uint32_t failures; /* consecutive failures */
    char problem[sizeof((struct err *)0)->text], reported_problem[sizeof((struct err *)0)->text];
};

/* --- The decision --- */

uint32_t launcher_wanted(const struct launcher_settings *s, const struct scale_demand *d)
{
    double workers = ceil(d->expected_s / (s->target_s * s->slots));
    double jobs = ceil((double)d->ready_jobs / s->slots);
    bool long_jobs = d->ready_jobs > 0 && d->expected_s / (double)d->ready_jobs > s->target_s;

    ASSERT(s->slots > 0 && s->target_s > 0);
    if (d->ready_jobs > 0 && workers < 1)
        workers = 1;
    if (workers > jobs)
        workers = jobs;
    if (long_jobs)
        workers += d->busy;
    if (workers < d->busy)
        workers = d->busy;
    if (workers < s->least)
        workers = s->least;
    return workers > s->most ? s->most : (uint32_t)workers;
}

void launcher_worker_words(const struct launcher_settings *s, const char *state, struct launcher_words *out)
{
    const char **w = out->words;

    snprintf(out->slots, sizeof out->slots, "%u", s->slots);
    snprintf(out->idle, sizeof out->idle, "%u", s->idle_s);
    snprintf(out->drain, sizeof out->drain, "%u", s->drain_s);
    *w++ = "--server", *w++ = s->url;
    *w++ = "--token-file", *w++ = s->token_file;
    *w++ = "--exit-when-idle", *w++ = out->idle;
    *w++ = "--drain-for", *w++ = out->drain;
    if (s->vivace_sim)
        *w++ = "--vivace-sim", *w++ = s->vivace_sim;
    if (s->ca_file)
        *w++ = "--ca-file", *w++ = s->ca_file;
    if (state) {
        *w++ = "--state", *w++ = state;
        *w++ = "--slots", *w++ = out->slots;
    }
    ASSERT(w < out->words + LAUNCHER_WORDS);
    *w = NULL;
}

/* --- One check --- */

static void failed(struct launcher *l, const struct err *e)
{
    uint64_t pause = UINT64_C(5) << (l->failures < 7 ? l->failures : 7);

    l->failures++;
    l->again_us = clock_monotonic_us() + (pause < BACKOFF_MAX ? pause : BACKOFF_MAX) * SECOND_US;
    if (strcmp(l->problem, e->text) != 0)
        log_warn("launcher", "workers cannot be started", "kind=%s error=%s", l->place.kind,
                 log_quote(e->text, (char[600]){0}, 600));
    snprintf(l->problem, sizeof l->problem, "%s", e->text);
}

static void worked(struct launcher *l)
{
    l->failures = 0;
    l->again_us = 0;
    l->problem[0] = '\0';
}

/* Detects workers that end at once. Otherwise the launcher would restart them again and again without a report. */
static int judge_last_start(struct launcher *l, const struct scale_demand *d, struct err *e)
{
    uint64_t since = l->started_us ? clock_monotonic_us() - l->started_us : 0;

    if (!l->started_us || l->count.running + l->count.waiting > 0)
        return 0;
    l->started_us = 0;
    if (since >= FRUITLESS_S * SECOND_US || d->busy > 0 || d->ready_jobs < l->ready_when_started ||
        l->ready_when_started == 0)
        return 0;
    return err_set(e, ERR_UNSUPPORTED,
                   "the started workers ended at once without taking a job; see their logs in %s", l->folder);
}

static int start_workers(struct launcher *l, const struct scale_demand *d, uint32_t wanted, struct err *e)
{
    uint32_t have = l->count.running + l->count.waiting, more = wanted > have ? wanted - have : 0;
    uint64_t now = clock_monotonic_us();

    if (more == 0 || l->count.waiting >= l->settings.waiting_max ||
        (l->started_us && now - l->started_us < l->settings.each_s * SECOND_US))
        return 0;
    if (more > l->settings.waiting_max - l->count.waiting)
        more = l->settings.waiting_max - l->count.waiting;
    ASSERT(more > 0);
    if (l->place.start(l->place.ctx, more, e) < 0)
        return -1;
    log_info("launcher", "starting workers", "kind=%s workers=%u wanted=%u ready_jobs=%llu expected_s=%.0f",
             l->place.kind, more, wanted, (unsigned long long)d->ready_jobs, d->expected_s);
    l->started_us = now;
    l->ready_when_started = d->ready_jobs;
    l->count.waiting += more;
    ASSERT(l->count.waiting <= l->settings.waiting_max);
    l->looked_us = 0;
    return 0;
}

/* Queries the number of workers when some may have to be started, and periodically for the farm page. */
static int look_and_start(struct launcher *l, const struct scale_demand *d, uint32_t wanted, struct err *e)
{
    uint64_t now = clock_monotonic_us();

    ASSERT(l->looked_us <= now);
    if (now < l->again_us)
        return 0;
    if (!l->looked_us || now - l->looked_us >= LOOK_S * SECOND_US || wanted > l->count.running + l->count.waiting) {
        if (l->place.count(l->place.ctx, &l->count, e) < 0)
            return -1;
        l->looked_us = now;
    }
    if (judge_last_start(l, d, e) < 0)
        return -1;
    if (l->failures > 0 && l->count.running > 0)
        worked(l);
    return start_workers(l, d, wanted, e);
}

static void tell(struct launcher *l, uint32_t wanted)
{
    struct scale_report r = {.kind = l->place.kind,
                             .problem = l->problem,
                             .wanted = wanted,
                             .running = l->count.running,
                             .waiting = l->count.waiting};
    struct err e;

    ASSERT(wanted <= l->settings.most);
    if (l->reported.kind && r.wanted == l->reported.wanted && r.running == l->reported.running &&
        r.waiting == l->reported.waiting && strcmp(l->reported_problem, l->problem) == 0)
        return;
    if (repo_scale_report(l->thread.db, &r, clock_now(l->farm->clock), &e) < 0)
        return;
    l->reported = r;
    memcpy(l->reported_problem, l->problem, sizeof l->reported_problem);
}

static void tick(struct launcher *l)
{
    wall_us now = clock_now(l->farm->clock);
    struct scale_demand d = {0};
    uint32_t wanted;
    struct err e;

    if (!db_clock_may_lead(l->farm->clock) ||
        repo_leader_hold(l->thread.db, "launcher", l->holder, now, now + LEASE_US, &e) <= 0 ||
        repo_scale_demand(l->thread.db, &d, &e) < 0)
        return; /* another server is the leader, or the database is unavailable: other modules report that */
    wanted = launcher_wanted(&l->settings, &d);
    if (look_and_start(l, &d, wanted, &e) < 0)
        failed(l, &e);
    tell(l, wanted);
}

static void *run(void *ctx)
{
    struct launcher *l = ctx;
    struct err ignored;

    do
        tick(l);
    while (background_rest(&l->thread, TICK_US));
    l->place.close(l->place.ctx);
    if (repo_leader_leave(l->thread.db, "launcher", l->holder, clock_now(l->farm->clock), &ignored) == 0 &&
        repo_scale_forget(l->thread.db, &ignored) < 0)
        log_debug("launcher", "the launcher's row could not be released", "error=%s",
                  log_quote(ignored.text, (char[300]){0}, 300));
    return NULL;
}

/* --- Starting the launcher --- */

static int choose_url(struct launcher *l, const struct server_config *c, const struct launcher_farm *farm,
                      struct err *e)
{
    const char *at = farm->address, *port = strrchr(at, ':');
    bool slurm = strcmp(c->launcher, "slurm") == 0, everywhere = strncmp(at, "0.0.0.0:", 8) == 0 || *at == '[';
    char host[200] = "127.0.0.1";

    ASSERT(port);
    if (c->public_url) {
        snprintf(l->url, sizeof l->url, "%s", c->public_url);
        return 0;
    }
    if (slurm && everywhere && gethostname(host, sizeof host - 1) != 0)
        return err_set(e, ERR_USAGE, "set --public-url to the address under which the nodes reach this server");
    snprintf(l->url, sizeof l->url, "%s://%s", farm->scheme, at);
    if (everywhere && *at != '[')
        snprintf(l->url, sizeof l->url, "%s://%s%s", farm->scheme, host, port);
    return 0;
}

static int choose_paths(struct launcher *l, const struct server_config *c, struct err *e)
{
    ssize_t n = readlink("/proc/self/exe", l->worker, sizeof l->worker - 1);
    char *slash;

    l->worker[n > 0 ? n : 0] = '\0';
    slash = strrchr(l->worker, '/');
    if (c->launcher_worker)
        snprintf(l->worker, sizeof l->worker, "%s", c->launcher_worker);
    else if (slash)
        snprintf(slash, sizeof l->worker - (size_t)(slash - l->worker), "/vivace-worker");
    if (access(l->worker, X_OK) != 0) {
        err_set(e, ERR_NOT_FOUND, "--launcher %s: %s is missing, or the server's user may not run it", c->launcher,
                l->worker);
        return err_hint(e, "Set --launcher-worker PATH to vivace-worker.");
    }
    if (c->launcher_folder)
        snprintf(l->folder, sizeof l->folder, "%s", c->launcher_folder);
    else if (snprintf(l->folder, sizeof l->folder, "%s/workers", c->state) >= (int)sizeof l->folder)
        return err_set(e, ERR_USAGE, "the state folder's path is too long");
    if (c->launcher_token_file)
        snprintf(l->token, sizeof l->token, "%s", c->launcher_token_file);
    else if (snprintf(l->token, sizeof l->token, "%s/worker-token", c->state) >= (int)sizeof l->token)
        return err_set(e, ERR_USAGE, "the state folder's path is too long");
    if (mkdir(l->folder, 0700) < 0 && errno != EEXIST)
        return err_set_errno(e, errno, "making the folder %s", l->folder);
    return 0;
}

/* A name that is the same on every server of the farm, and differs between farms. */
static int choose_job_name(struct launcher *l, struct err *e)
{
    static const char purpose[] = "job name";
    unsigned char text[sizeof l->farm->cursor_key + sizeof purpose];
    char hex[SHA256_HEX];

    memcpy(text, l->farm->cursor_key, sizeof l->farm->cursor_key);
    memcpy(text + sizeof l->farm->cursor_key, purpose, sizeof purpose);
    if (sha256_bytes(text, sizeof text, hex, e) < 0)
        return -1;
    snprintf(l->job_name, sizeof l->job_name, "vivace-%.8s", hex);
    return 0;
}

/* Maximum number of workers that wait for a start. More would only make the batch system's queue longer. */
enum { WAITING_MAX = 100 };

static void settle(struct launcher *l, const struct server_config *c)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);
    bool slurm = strcmp(c->launcher, "slurm") == 0;
    unsigned long long memory_mib;
    int64_t slots = c->launcher_slots ? (int64_t)c->launcher_slots : slurm ? 1 : processors;

    memory_mib = (unsigned long long)(c->job_memory_bytes >> 20) * (unsigned long long)slots;
    snprintf(l->memory, sizeof l->memory, "%lluM", memory_mib + 256);
    l->settings = (struct launcher_settings){
        .least = (uint32_t)c->launcher_min_workers,
        .most = (uint32_t)(c->launcher_max_workers ? c->launcher_max_workers
                           : slurm                 ? 16
                                                   : 1),
        .slots = slots > 0 ? (uint32_t)slots : 1,
        .target_s = (double)c->launcher_target_s,
        .each_s = (uint32_t)c->launcher_each_s,
        .waiting_max = WAITING_MAX,
        .idle_s = (uint32_t)c->launcher_idle_s,
        .drain_s = (uint32_t)c->launcher_drain_s,
        .worker = l->worker,
        .vivace_sim = slurm || strncmp(c->vivace_sim, "/proc/", 6) == 0 ? NULL : c->vivace_sim,
        .url = l->url,
        .token_file = l->token,
        .ca_file = c->launcher_ca_file,
        .folder = l->folder,
        .job_name = l->job_name,
        .partition = c->slurm_partition,
        .memory = l->memory,
        .time = c->slurm_time,
        .options = c->slurm_options,
    };
    ASSERT(l->settings.slots > 0 && l->settings.most > 0);
}

static int open_place(struct launcher *l, const struct server_config *c, const struct launcher_farm *at,
                      struct err *e)
{
    if (choose_url(l, c, at, e) < 0 || choose_paths(l, c, e) < 0 || choose_job_name(l, e) < 0)
        return -1;
    settle(l, c);
    return strcmp(c->launcher, "slurm") == 0 ? launcher_slurm_open(&l->settings, &l->place, e)
                                             : launcher_local_open(&l->settings, &l->place, e);
}

int launcher_start(struct farm *farm, const struct launcher_farm *at, struct launcher **out, struct err *e)
{
    struct launcher *l;

    *out = NULL;
    if (strcmp(farm->config->launcher, "none") == 0)
        return 0;
    l = mem_zalloc(1, sizeof *l, e);
    if (!l)
        return -1;
    l->farm = farm;
    uuid_make(farm->clock, l->holder);
    if (open_place(l, farm->config, at, e) < 0)
        goto fail;
    if (background_start(&l->thread, farm->store.conninfo, run, l, "the launcher", e) < 0) {
        l->place.close(l->place.ctx);
        goto fail;
    }
    *out = l;
    return 0;
fail:
    free(l);
    return -1;
}

void launcher_stop(struct launcher *l)
{
    if (!l)
        return;
    background_stop(&l->thread);
    background_release(&l->thread);
    free(l);
}
