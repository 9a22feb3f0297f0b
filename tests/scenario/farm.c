#include "tests/scenario/farm.h"

#include <dirent.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/array.h"
#include "base/strbuf.h"
#include "server/domain/access/access.h"
#include "server/domain/access/login_guard.h"
#include "server/api/app.h"
#include "server/platform/child.h"
#include "server/platform/config.h"
#include "server/store/threads/executor.h"
#include "server/api/http/http.h"
#include "server/api/http/http_server.h"
#include "server/api/http/idempotency.h"
#include "server/api/http/router.h"
#include "server/api/handlers/made.h"
#include "server/domain/import/importer.h"
#include "server/platform/metrics.h"
#include "server/domain/queue/dispatcher.h"
#include "server/main/parts.h"
#include "server/store/blob/blob_store.h"
#include "tests/scenario/database.h"
#include "tests/scenario/fibers.h"
#include "tests/scenario/network.h"
#include "tests/scenario/world.h"

enum { DOWN, STARTING, UP, STOPPING };

struct server {
    int number, phase;
    struct app app; /* of the current process of the server */
    bool runs;
};

static struct server_config config[SERVERS_MAX];
static struct server servers[SERVERS_MAX];
static int server_count;

/* --- Output of the simulator, computed once per process --- */

#define ANSWERS_MAX 5
static struct answer_of {
    char option[40];
    char *text;
} answers[ANSWERS_MAX];

int __wrap_child_run(const char *const *argv, const struct child_limits *limits, size_t most, struct strbuf *output,
                     struct err *e);
int __real_child_run(const char *const *argv, const struct child_limits *limits, size_t most, struct strbuf *output,
                     struct err *e);

int __wrap_child_run(const char *const *argv, const struct child_limits *limits, size_t most, struct strbuf *output,
                     struct err *e)
{
    struct strbuf text = STRBUF_INIT;
    size_t i = 0;

    for (; i < ANSWERS_MAX && answers[i].text; i++) {
        if (strcmp(answers[i].option, argv[1]) == 0) {
            strbuf_adds(output, answers[i].text);
            return 0;
        }
    }
    if (i == ANSWERS_MAX)
        return err_set(e, ERR_INTERNAL, "the scenario does not know `%s %s`", argv[0], argv[1]);
    if (__real_child_run(argv, limits, most, &text, e) < 0)
        return -1;
    snprintf(answers[i].option, sizeof answers[i].option, "%s", argv[1]);
    answers[i].text = strbuf_detach(&text);
    strbuf_adds(output, answers[i].text);
    return 0;
}

static int ask_simulator(const char *program, struct err *e)
{
    static const char *const options[] = {"--version", "--list-designs", "--describe-counters"};
    const struct child_limits limits = {.cpu_s = 10};

    for (size_t i = 0; i < sizeof options / sizeof *options; i++) {
        const char *argv[] = {program, options[i], NULL};
        struct strbuf text = STRBUF_INIT;
        int ret = __wrap_child_run(argv, &limits, (size_t)16 << 20, &text, e);

        if (ret == 0 && i == 0 && strrchr(text.text, ' '))
            snprintf(fixture.simulator, sizeof fixture.simulator, "%.*s",
                     (int)strcspn(strrchr(text.text, ' ') + 1, "\n"), strrchr(text.text, ' ') + 1);
        strbuf_release(&text);
        if (ret < 0)
            return -1;
    }
    return 0;
}

/* --- Settings --- */

static const char *simulator_path(void)
{
    const char *build = getenv("VIVACE_BUILD");
    static char path[300];

    snprintf(path, sizeof path, "%s/vivace-sim", build ? build : "build");
    return path;
}

static int load_settings(struct server_config *c, const char *folder, int number, struct err *e)
{
    char state[300], blobs[300], heartbeat[20], dead[20], job[20], archive[20];
    char *argv[] = {(char *)"vivace-server",
                    (char *)"--state",
                    state,
                    (char *)"--blob-store",
                    blobs,
                    (char *)"--test-vivace-sim",
                    (char *)simulator_path(),
                    (char *)"--test-heartbeat",
                    heartbeat,
                    (char *)"--test-dead-after",
                    dead,
                    (char *)"--job-time-limit",
                    job,
                    (char *)"--test-archive-after",
                    archive,
                    (char *)"--requests-a-second",
                    (char *)"0",
                    (char *)"--db-threads",
                    (char *)"2",
                    (char *)"--cpu-threads",
                    (char *)"1",
                    (char *)"--listen",
                    (char *)"127.0.0.1:0",
                    (char *)"--database",
                    (char *)database_conninfo(),
                    NULL};
    struct conf_result words = {0};

    snprintf(state, sizeof state, "%s/server%d", folder, number);
    snprintf(blobs, sizeof blobs, "%s/blobs", folder);
    snprintf(heartbeat, sizeof heartbeat, "%ds", HEARTBEAT_S);
    snprintf(dead, sizeof dead, "%ds", DEAD_AFTER_S);
    snprintf(job, sizeof job, "%ds", JOB_TIME_S);
    snprintf(archive, sizeof archive, "%ds", ARCHIVE_S);
    if (mkdir(state, 0700) < 0 && access(state, W_OK) < 0)
        return err_set(e, ERR_INTERNAL, "%s cannot be made", state);
    mkdir(blobs, 0700);
    return conf_load(&server_program, (int)(sizeof argv / sizeof argv[0]) - 1, argv, c, &words, e);
}

int farm_open(const char *folder, struct err *e)
{
    if (ask_simulator(simulator_path(), e) < 0)
        return -1;
    for (int i = 0; i < SERVERS_MAX; i++) {
        char holder[37];

        /* The server creates its name at its first start. The name must not depend on the order of scenarios. */
        if (load_settings(&config[i], folder, i, e) < 0 || importer_holder(config[i].state, holder, e) < 0)
            return -1;
    }
    return 0;
}

/* --- Start and end of a server --- */

static int read_cursor_key(struct app *app)
{
    memset(app->farm.cursor_key, 7, sizeof app->farm.cursor_key);
    return 0;
}

static int start_parts(struct server *s, struct err *e)
{
    const struct server_config *c = &config[s->number];
    struct app *app = &s->app;
    const struct http_options options = {.listen = c->listen,
                                         .threads = 1,
                                         .connections_max = 1000,
                                         .connections_per_ip_max = 1000,
                                         .made = made_kinds,
                                         .idle_s = 30,
                                         .head_s = 10,
                                         .content_security_policy = "default-src 'none'"};

    *app = (struct app){.farm.store = {.conninfo = database_conninfo(), .direct = database_conninfo()}};
    parts_init(app, c, &clock_system);
    if (read_cursor_key(app) < 0 || blob_store_open_configured(c, app->clock, &app->farm.store.blobs, e) < 0 ||
        router_metrics(routes, &app->farm.metrics, e) < 0 || access_new(app->clock, &app->farm.access, e) < 0 ||
        login_guard_new(app->clock, 1, &app->farm.login_guard, e) < 0 ||
        executor_start("db", (unsigned)c->db_threads, REQUESTS_WAITING, 0, app->farm.store.conninfo,
                       &app->farm.db_executor, e) < 0 ||
        executor_start("work", (unsigned)c->db_threads, REQUESTS_WAITING, 0, app->farm.store.conninfo,
                       &app->farm.work_executor, e) < 0 ||
        executor_start("cpu", (unsigned)c->cpu_threads, REQUESTS_WAITING, 0, app->farm.store.conninfo,
                       &app->farm.cpu_executor, e) < 0 ||
        executor_start("file", 1, REQUESTS_WAITING, 0, app->farm.store.conninfo, &app->farm.file_executor, e) < 0 ||
        executor_start("login", 1, 16, 0, app->farm.store.conninfo, &app->farm.login_executor, e) < 0 ||
        executor_start("device", 1, 16, 0, app->farm.store.conninfo, &app->farm.device_executor, e) < 0)
        return -1;
    blob_store_keep_free(app->farm.store.blobs, c->disk_reserve_bytes);
    if (importer_new(&app->farm.importer, e) < 0 || parts_start(app, e) < 0)
        return -1;
    s->runs = true;
    if (idempotency_resume(app, e) < 0)
        return -1;
    return http_start(app, routes, &options, &app->http, e);
}

/* Same order as in vivace_server.c. */
static void stop_parts(struct server *s)
{
    struct app *app = &s->app;

    http_quiesce(app->http);
    atomic_store(&app->farm.stopping, true);
    dispatcher_drain(app->farm.dispatcher);
    http_drain(app->http, 200);
    if (s->runs)
        parts_stop(app);
    http_stop(app->http);
    executor_stop(app->farm.login_executor);
    executor_stop(app->farm.device_executor);
    executor_stop(app->farm.work_executor);
    executor_stop(app->farm.file_executor);
    executor_stop(app->farm.cpu_executor);
    executor_stop(app->farm.db_executor);
    importer_free(app->farm.importer);
    login_guard_free(app->farm.login_guard);
    access_free(app->farm.access);
    metrics_free(app->farm.metrics);
    blob_store_free(app->farm.store.blobs);
}

static void *live(void *ctx)
{
    struct server *s = ctx;
    struct err e;

    s->runs = false;
    if (start_parts(s, &e) < 0) {
        tell("server %d does not start: %s", s->number, e.text);
        stop_parts(s);
        s->phase = DOWN;
        database_leave(s->number);
        return NULL;
    }
    tell("server %d is up", s->number);
    s->phase = UP;
    while (s->phase == UP)
        fiber_wait(s, UINT64_MAX);
    stop_parts(s);
    tell("server %d has stopped", s->number);
    s->phase = DOWN;
    database_leave(s->number);
    return NULL;
}

void farm_start(int server)
{
    if (servers[server].phase != DOWN)
        return;
    servers[server].phase = STARTING;
    fiber_new(server, live, &servers[server]);
}

void farm_crash(int server)
{
    if (servers[server].phase == DOWN)
        return;
    tell("server %d is killed", server);
    world.blows++;
    fibers_drop(server);
    network_reset(server);
    database_leave(server);
    servers[server].phase = DOWN; /* its memory is not freed: a test process runs only some dozens of scenarios */
}

static void come_back(void *ctx)
{
    farm_start(((const struct server *)ctx)->number);
}

static void crash(void *ctx)
{
    farm_crash(((const struct server *)ctx)->number);
    later(random_below(4 * S), come_back, ctx);
}

void farm_crash_soon(int server)
{
    later(0, crash, &servers[server]);
}

void farm_stop(int server)
{
    if (servers[server].phase != UP)
        return;
    tell("server %d has to stop", server);
    servers[server].phase = STOPPING;
    fiber_wake(&servers[server], true);
}

/* Then the same seed gives the same ids again. */
static void forget_uploads(void)
{
    const struct dirent *f;
    char path[400];
    DIR *d;

    snprintf(path, sizeof path, "%s/staging", farm_files());
    d = opendir(path);
    while (d && (f = readdir(d)))
        if (strncmp(f->d_name, "upload-", 7) == 0)
            unlinkat(dirfd(d), f->d_name, 0);
    if (d)
        closedir(d);
}

void farm_begin(int count)
{
    forget_uploads();
    server_count = count;
    for (int i = 0; i < SERVERS_MAX; i++)
        servers[i] = (struct server){.number = i, .phase = DOWN};
    for (int i = 0; i < count; i++)
        farm_start(i);
}

void farm_forget(void)
{
    fibers_forget();
    network_forget();
    for (int i = 0; i < SERVERS_MAX; i++)
        database_leave(i);
}

int farm_servers(void)
{
    return server_count;
}

const char *farm_files(void)
{
    return config[0].blob_store;
}

bool farm_up(int server)
{
    return servers[server].phase == UP;
}
