/* tests/scenario/scenario.c: runs the farm in one thread, driven by a seed.
 *
 *   scenario [--from N] [--count N] [-j N]    seeds N, N+1 ...; prints seeds with violations; exit 1 if any
 *   scenario --seed N [--trace]               one seed, with the history of its steps
 *
 * Servers are the real code (router, handlers, queue, projector, SQL) on fibers of one thread, and PostgreSQL is
 * real. Time, random bytes, the network, workers, users and faults come from the seed. */
#include <errno.h>
#include <ftw.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include <sodium.h>

#include "base/log.h"
#include "tests/scenario/checks.h"
#include "tests/scenario/database.h"
#include "tests/scenario/farm.h"
#include "tests/scenario/network.h"
#include "tests/scenario/people.h"
#include "tests/scenario/worker.h"
#include "tests/scenario/world.h"

#define STORM_LEAST_S 6
#define STORM_MORE_S  14
#define CALM_MAX_S    700 /* a job after ten failures waits ten minutes for its next attempt */
#define VERIFY_EACH   10  /* every tenth seed runs twice and must give the same history */
#define LIFE_MAX      60  /* scenarios per process: memory of killed servers is never freed */

struct wanted {
    uint64_t from, count;
    unsigned processes;
    bool trace, quiet, verify;
};

/* --- Faults of servers --- */

static void restart(void *ctx)
{
    farm_start(*(const int *)ctx);
}

static void trouble(void *ctx)
{
    static int numbers[SERVERS_MAX] = {0, 1};
    int server = (int)random_below((uint64_t)farm_servers());

    (void)ctx;
    if (!world.faults)
        return;
    switch (random_below(6)) {
    case 0:
    case 1: farm_crash(server); break;
    case 2: farm_stop(server); break;
    case 3:
        tell("all connections of server %d to the database are cut", server);
        database_cut(server);
        break;
    default: break;
    }
    later(random_below(4 * S), restart, &numbers[server]);
    later(2 * S + random_below(12 * S), trouble, NULL);
}

/* --- One scenario --- */

static void choose_world(void)
{
    world.faults = chance(900); /* some scenarios have no faults, for comparison */
    world.linger = chance(700) ? 20 + (unsigned)random_below(400) : 0;
    world.linger_us = 200 + (unsigned)random_below(chance(100) ? 400000 : 4000);
    world.cut_before = chance(250) ? 1 + (unsigned)random_below(4) : 0;
    world.cut_after = chance(250) ? 1 + (unsigned)random_below(4) : 0;
}

static void keep_up(void)
{
    for (int i = 0; i < farm_servers(); i++)
        farm_start(i);
}

static void storm(void)
{
    choose_world();
    farm_begin(chance(400) ? 2 : 1);
    people_begin();
    workers_begin(1 + (int)random_below(WORKERS_MAX));
    if (chance(800))
        later(2 * S + random_below(8 * S), trouble, NULL);
    world_run(STORM_LEAST_S * S + random_below(STORM_MORE_S * S));
}

static void calm(void)
{
    uint64_t until = world.now_us + CALM_MAX_S * S;

    tell("the storm is over");
    world.faults = false;
    people_calm();
    do {
        keep_up();
        workers_calm();
        world_run(1 * S);
    } while (!people_done() && world.now_us < until);
    if (!people_done()) {
        people_tell_unfinished();
        broken("%d s after the last fault not everything has ended", CALM_MAX_S);
    }
    for (int i = 0; i < 2 * DEAD_AFTER_S && !workers_idle(); i++)
        world_run(1 * S); /* late outcomes are delivered */
    world_run(5500 * MS); /* readers of events reconnect and catch up */
    keep_up();
}

static void play(uint64_t seed, bool trace)
{
    struct err e;

    world_begin(seed, trace);
    if (database_reset(&e) < 0) {
        fprintf(stderr, "scenario: %s\n", e.text);
        exit(2);
    }
    storm();
    calm();
    workers_check();
    people_check();
    check_farm();
    if (chance(250)) {
        world_run((ARCHIVE_S + 10) * S);
        check_archive();
    }
    people_check_projections();
    people_forget();
    workers_forget();
    farm_forget();
}

/* --- Many seeds --- */

static int open_all(const char *folder, struct err *e)
{
    world_begin(0, false);
    if (sodium_init() < 0)
        return err_set(e, ERR_INTERNAL, "libsodium does not start");
    return database_start(folder, fixture_make, (void *)folder, e) < 0 ? -1 : farm_open(folder, e);
}

static int play_some(const struct wanted *w, uint64_t first, uint64_t step)
{
    uint64_t broken_seeds = 0, end = first + LIFE_MAX * step;

    if (end > w->from + w->count)
        end = w->from + w->count;
    for (uint64_t seed = first; seed < end; seed += step) {
        uint64_t history;

        play(seed, w->trace);
        broken_seeds += world.broken > 0;
        if (world.broken > 0)
            printf("        again: build/tests/scenario/scenario --seed %" PRIu64 " --trace\n", seed);
        if (w->trace || !w->quiet)
            printf("seed %" PRIu64 ": history %016" PRIx64 ", %" PRIu64 " lines%s\n", seed, world.history,
                   world.lines, world.broken ? ", BROKEN" : "");
        history = world.history;
        if (w->verify || seed % VERIFY_EACH == 0) {
            play(seed, false);
            if (world.history != history) {
                printf("BROKEN  seed %" PRIu64 ": a second run gave another history\n", seed);
                broken_seeds++;
            }
        }
        fflush(stdout);
    }
    return broken_seeds > 0;
}

static int wait_for(pid_t pid)
{
    int status;

    if (pid < 0 || waitpid(pid, &status, 0) < 0 || !WIFEXITED(status)) {
        fprintf(stderr, "scenario: a process of scenarios crashed\n");
        return 2;
    }
    return WEXITSTATUS(status);
}

/* Runs some dozens of seeds in each child process, one child after the other, on the same database. */
static int play_in_lives(const struct wanted *w, uint64_t first, uint64_t step)
{
    int worst = 0;

    for (uint64_t seed = first; seed < w->from + w->count; seed += LIFE_MAX * step) {
        pid_t pid;
        int ret;

        fflush(stdout);
        pid = fork();
        if (pid == 0)
            _exit(play_some(w, seed, step));
        ret = wait_for(pid);
        worst = ret > worst ? ret : worst;
    }
    return worst;
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *f)
{
    (void)st;
    (void)type;
    (void)f;
    return remove(path);
}

static int in_folder(const struct wanted *w, uint64_t first, uint64_t step)
{
    char folder[] = "/tmp/vivace-scenario-XXXXXX";
    struct err e;
    int ret;

    if (!mkdtemp(folder)) {
        perror("scenario: a folder in /tmp");
        return 2;
    }
    ret = open_all(folder, &e);
    if (ret < 0)
        fprintf(stderr, "scenario: %s\n", e.text);
    else
        ret = play_in_lives(w, first, step);
    database_stop();
    nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS);
    return ret < 0 ? 2 : ret;
}

static int play_all(const struct wanted *w)
{
    pid_t pid[16];
    int worst = 0;

    if (w->processes <= 1 || w->count == 1)
        return in_folder(w, w->from, 1);
    for (unsigned i = 0; i < w->processes; i++) {
        fflush(stdout);
        pid[i] = fork();
        if (pid[i] == 0)
            exit(in_folder(w, w->from + i, w->processes));
    }
    for (unsigned i = 0; i < w->processes; i++) {
        int ret = wait_for(pid[i]);

        worst = ret > worst ? ret : worst;
    }
    return worst;
}

static int usage(void)
{
    fprintf(stderr, "usage: scenario [--seed N] [--trace] [--from N] [--count N] [-j N] [--twice] [--quiet]\n");
    return 2;
}

int main(int argc, char **argv)
{
    struct wanted w = {.from = 1, .count = 100, .processes = 2};
    int ret;

    for (int i = 1; i < argc; i++) {
        const char *value = i + 1 < argc ? argv[i + 1] : NULL;

        if (strcmp(argv[i], "--trace") == 0)
            w.trace = true;
        else if (strcmp(argv[i], "--twice") == 0)
            w.verify = true;
        else if (strcmp(argv[i], "--quiet") == 0)
            w.quiet = true;
        else if (value && strcmp(argv[i], "--seed") == 0)
            w.from = strtoull(argv[++i], NULL, 10), w.count = 1;
        else if (value && strcmp(argv[i], "--from") == 0)
            w.from = strtoull(argv[++i], NULL, 10);
        else if (value && strcmp(argv[i], "--count") == 0)
            w.count = strtoull(argv[++i], NULL, 10);
        else if (value && strcmp(argv[i], "-j") == 0)
            w.processes = (unsigned)strtoul(argv[++i], NULL, 10);
        else
            return usage();
    }
    if (w.processes > 16)
        w.processes = 16;
    signal(SIGPIPE, SIG_IGN);
    log_set_level(w.trace ? LOG_WARN : LOG_ERROR);
    ret = play_all(&w);
    if (ret < 2)
        printf("%s %" PRIu64 " scenarios from seed %" PRIu64 "\n", ret ? "FAIL   " : "ok     ", w.count, w.from);
    return ret;
}
