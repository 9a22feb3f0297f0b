/* server/main/vivace_server.c: starts the parts in order, waits for a signal, and stops the parts in reverse
 * order. */
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <uv.h>

#include "base/log.h"
#include "server/api/app.h"
#include "server/domain/access/access.h"
#include "server/domain/operate/backup.h"
#include "server/store/blob/blob_store.h"
#include "server/domain/operate/check.h"
#include "server/platform/config.h"
#include "server/store/threads/db_clock.h"
#include "server/store/db/db.h"
#include "server/store/db/migrate.h"
#include "server/store/db/schema_fence.h"
#include "server/domain/queue/dispatcher.h"
#include "server/store/threads/executor.h"
#include "server/api/http/http.h"
#include "server/api/http/http_server.h"
#include "server/api/http/idempotency.h"
#include "server/api/http/router.h"
#include "server/api/handlers/made.h"
#include "server/domain/import/import_child.h"
#include "server/domain/import/importer.h"
#include "server/domain/queue/launcher.h"
#include "server/domain/access/login_guard.h"
#include "server/domain/operate/maintenance.h"
#include "server/platform/metrics.h"
#include "server/store/cluster/private_pg.h"
#include "server/platform/privileges.h"
#include "server/platform/restart.h"
#include "server/domain/tasks/pack_waits.h"
#include "server/domain/tasks/pack_child.h"
#include "server/domain/tasks/trace_child.h"
#include "server/main/parts.h"
#include "server/platform/net/static_files.h"
#include "server/store/blob/store_mark.h"
#include "server/platform/net/tls.h"
#include "server/store/repo/sql/statements.h"

static const char content_policy[] =
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data: blob:; connect-src 'self'; "
    "worker-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'";

#define LINGER_MS 2000 /* time at shutdown in which requests that are already on their way are still answered */
/* LOGIN_PLACES threads may wait for the turn of an account (login_guard.h). Two passwords are hashed at the same
 * time. */
enum { LOGIN_THREADS = LOGIN_PLACES + 4, DEVICE_THREADS = 2, LOGINS_WAITING = 16 };

struct server {
    struct db_clock clock;
    struct server_config config;
    struct app app;
    struct private_pg *postgres;
    struct launcher *launcher;
    struct tls tls;
    bool runs, restart;
    int kept_socket; /* the listening socket during a restart, else -1 */
};

static int check_pooler(const struct server_config *c, struct err *e)
{
    if (!c->database_direct || c->database)
        return 0;
    err_set(e, ERR_USAGE, "--database-direct needs --database, the URL of the pooler");
    return err_hint(e, "Without a pooler, name the database with --database alone.");
}

static int open_database(struct server *s, struct err *e)
{
    const struct server_config *c = &s->config;

    if (check_pooler(c, e) < 0)
        return -1;
    if (c->database) {
        s->app.farm.store.conninfo = c->database;
    } else {
        if (private_pg_start(c, &s->postgres, e) < 0)
            return -1;
        s->app.farm.store.conninfo = private_pg_conninfo(s->postgres);
    }
    s->app.farm.store.direct = c->database_direct ? c->database_direct : s->app.farm.store.conninfo;
    return 0;
}

static int read_cursor_key(struct app *app, struct db *db, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    unsigned char *key = NULL;
    struct db_rows r;
    size_t n = 0;
    int ret;

    db_text(&p, "cursor");
    if (db_query(db, &sql_farm_secret, &p, &r, e) < 0)
        return -1;
    ret = r.count ? db_get_bytes(&r, 0, 0, &key, &n, e)
                  : err_set(e, ERR_INTERNAL, "the farm's cursor key is missing");
    db_rows_release(&r);
    if (ret == 0 && n != sizeof app->farm.cursor_key)
        ret = err_set(e, ERR_INTERNAL, "the farm's cursor key has another length");
    if (ret == 0 && key)
        memcpy(app->farm.cursor_key, key, n);
    free(key);
    return ret;
}

/* Migrates and opens the database. admin: the owner's token on the first start, else "". */
static int settle_database(struct server *s, char admin[TOKEN_TEXT], struct err *e)
{
    struct db *db = NULL;
    int ret = -1;

    admin[0] = '\0';
    if (migrate(s->app.farm.store.direct, e) < 0 ||
        (s->config.database_direct && db_use_pooler(s->app.farm.store.conninfo, s->app.farm.store.direct, e) < 0) ||
        db_open(s->app.farm.store.conninfo, &db, e) < 0)
        return -1;
    if (db_clock_measure(s->app.clock, db, e) == 0 && store_fits_database(&s->config, db, e) == 0 &&
        read_cursor_key(&s->app, db, e) == 0) {
        ret = access_first_start(db, s->app.clock, s->config.state, admin, e);
        if (ret == 0)
            admin[0] = '\0';
    }
    db_close(db);
    return ret < 0 ? -1 : 0;
}

static int start_http(struct server *s, struct err *e)
{
    const struct server_config *c = &s->config;
    const struct http_options options = {
        .listen = c->listen,
        .public_url = c->public_url,
        .trusted_proxies = c->trusted_proxies,
        .tls = &s->tls,
        .host_names = c->host_names,
        .threads = HTTP_THREADS,
        .connections_max = (unsigned)c->connections,
        .connections_per_ip_max = (unsigned)c->connections_per_ip,
        .rate = {(uint32_t)c->requests_a_second, (uint32_t)c->requests_burst},
        .rate_anonymous = {(uint32_t)c->anonymous_a_second, (uint32_t)c->anonymous_a_second * 10},
        .made = made_kinds,
        .idle_s = (unsigned)c->idle_s,
        .head_s = (unsigned)c->header_timeout_s,
        .content_security_policy = content_policy,
    };

    return http_start(&s->app, routes, &options, &s->app.http, e);
}

static void say_where(const struct server *s, const char *admin)
{
    const char *address = http_address(s->app.http), *scheme = http_scheme(s->app.http);

    if (admin[0])
        printf("This is the first start. The owner's token is printed only now, and is in %s/admin-token:\n"
               "\n"
               "  %s\n"
               "\n"
               "  vivace login %s://%s --token-file %s/admin-token\n"
               "  vivace worker --server %s://%s --token-file %s/worker-token\n"
               "\n",
               s->config.state, admin, scheme, address, s->config.state, scheme, address, s->config.state);
    printf("Vivace listens on %s://%s\n", scheme, address);
    fflush(stdout);
    log_info("server", "ready", "listen=%s state=%s database=%s version=%s", address, s->config.state,
             s->config.database ? "given" : "private", server_program.version);
}

/* admin: the owner's token on the first start, else "". */
static int start(struct server *s, char admin[TOKEN_TEXT], struct err *e)
{
    const struct server_config *c = &s->config;
    struct app *app = &s->app;

    if (state_lock(c->state, e) < 0 || blob_store_open_configured(c, app->clock, &app->farm.store.blobs, e) < 0)
        return -1;
    blob_store_sweep(app->farm.store.blobs);
    if (router_metrics(routes, &app->farm.metrics, e) < 0 || access_new(app->clock, &app->farm.access, e) < 0 ||
        login_guard_new(app->clock, LOGIN_TURN_S * UINT64_C(1000000), &app->farm.login_guard, e) < 0 ||
        open_database(s, e) < 0 || settle_database(s, admin, e) < 0 ||
        executor_start("db", (unsigned)c->db_threads, REQUESTS_WAITING, REQUESTS_WAIT_S, app->farm.store.conninfo,
                       &app->farm.db_executor, e) < 0 ||
        executor_start("work", (unsigned)c->worker_threads, REQUESTS_WAITING, REQUESTS_WAIT_S,
                       app->farm.store.conninfo, &app->farm.work_executor, e) < 0 ||
        executor_start("cpu", (unsigned)c->cpu_threads, REQUESTS_WAITING, 0, app->farm.store.conninfo,
                       &app->farm.cpu_executor, e) < 0 ||
        executor_start("file", FILE_THREADS, REQUESTS_WAITING, 0, app->farm.store.conninfo,
                       &app->farm.file_executor, e) < 0 ||
        executor_start("login", LOGIN_THREADS, LOGINS_WAITING, 0, app->farm.store.conninfo,
                       &app->farm.login_executor, e) < 0 ||
        executor_start("device", DEVICE_THREADS, LOGINS_WAITING, 0, app->farm.store.conninfo,
                       &app->farm.device_executor, e) < 0)
        return -1;
    blob_store_keep_free(app->farm.store.blobs, c->disk_reserve_bytes);
    if (importer_new(&app->farm.importer, e) < 0 || pack_waits_new(&app->farm.pack_waits, e) < 0 ||
        parts_start(app, e) < 0)
        return -1;
    s->runs = true;
    executor_yield_to(app->farm.db_executor, dispatcher_strained, app->farm.dispatcher);
    return 0;
}

static int start_launcher(struct server *s, struct err *e)
{
    const struct launcher_farm at = {http_address(s->app.http), http_scheme(s->app.http)};

    return launcher_start(&s->app.farm, &at, &s->launcher, e);
}

static int open_doors(struct server *s, struct err *e)
{
    return idempotency_resume(&s->app, e) < 0 || start_http(s, e) < 0 || start_launcher(s, e) < 0 ? -1 : 0;
}

/* A task of an executor may use every running part, and may submit a task to another executor. So this repeats
 * until all executors are idle. */
static void wait_for_executors(struct app *app)
{
    struct executor *all[] = {app->farm.cpu_executor,    app->farm.file_executor, app->farm.login_executor,
                              app->farm.device_executor, app->farm.work_executor, app->farm.db_executor};
    bool waited = true;

    while (waited) {
        waited = false;
        for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
            waited = executor_wait(all[i]) || waited;
    }
}

/* Stops the parts in reverse order. First the launched workers return their leases. Then no new request is
 * accepted, then the tasks that answer requests end, then the parts that they use are stopped. A restart keeps the
 * listening socket open and the private database running. */
static void stop(struct server *s)
{
    struct app *app = &s->app;

    launcher_stop(s->launcher);
    s->kept_socket = s->restart ? http_take_socket(app->http) : -1;
    http_quiesce(app->http);
    atomic_store(&app->farm.stopping, true);
    login_guard_stop(app->farm.login_guard);
    dispatcher_drain(app->farm.dispatcher);
    http_drain(app->http, LINGER_MS);
    wait_for_executors(app);
    if (s->runs) {
        executor_yield_to(app->farm.db_executor, NULL, NULL); /* shutdown does not wait for the dispatcher */
        parts_quiet(app);
        wait_for_executors(app);
        parts_stop(app);
    }
    http_stop(app->http);
    executor_stop(app->farm.login_executor);
    executor_stop(app->farm.device_executor);
    executor_stop(app->farm.file_executor);
    executor_stop(app->farm.cpu_executor);
    executor_stop(app->farm.work_executor);
    executor_stop(app->farm.db_executor);
    importer_free(app->farm.importer);
    pack_waits_free(app->farm.pack_waits);
    if (s->restart)
        private_pg_leave(s->postgres);
    else
        private_pg_stop(s->postgres);
    login_guard_free(app->farm.login_guard);
    access_free(app->farm.access);
    metrics_free(app->farm.metrics);
    blob_store_free(app->farm.store.blobs);
    static_files_close(app->farm.files);
    tls_release(&s->tls);
}

/* --- Signals --- */

static void on_stop(uv_signal_t *signal, int number)
{
    log_info("server", "stopping", "signal=%d", number);
    uv_stop(signal->loop);
}

static void on_restart(uv_signal_t *signal, int number)
{
    struct server *s = signal->data;
    const char *database = s->postgres ? private_pg_conninfo(s->postgres) : NULL;
    struct err e;

    log_info("server", "asked to restart", "signal=%d", number);
    if (restart_try(&s->config, database, &e) < 0) {
        log_error("server", "not restarted: the server continues with its old settings", "error=%s hint=%s",
                  log_quote(e.text, (char[600]){0}, 600), log_quote(e.hint, (char[300]){0}, 300));
        return;
    }
    s->restart = true;
    uv_stop(signal->loop);
}

/* A newer server has upgraded the database: schema_fence.h. Called by any thread. */
static void on_newer_schema(void *ctx)
{
    uv_async_send(ctx);
}

static void on_end(uv_async_t *end)
{
    log_info("server", "stopping", "why=schema");
    uv_stop(end->loop);
}

static void on_level(uv_signal_t *signal, int number)
{
    static bool talkative;

    (void)signal;
    (void)number;
    talkative = !talkative;
    log_set_level(talkative ? LOG_DEBUG : LOG_INFO);
    log_info("server", "the log level changed", "level=%s", talkative ? "debug" : "info");
}

static const struct {
    int number;
    uv_signal_cb act;
} signals[] = {
    {SIGUSR1, on_level}, {SIGUSR2, on_restart}, {SIGHUP, on_restart}, {SIGTERM, on_stop}, {SIGINT, on_stop}};
#define SIGNALS (sizeof signals / sizeof signals[0])
#define ASKING  3 /* number of signals that do not stop the server */

struct waiting {
    uv_loop_t loop;
    uv_signal_t handles[SIGNALS];
    uv_async_t end;
};

static void heed(struct waiting *w, struct server *s, size_t from, size_t to)
{
    for (size_t i = from; i < to; i++) {
        uv_signal_init(&w->loop, &w->handles[i]);
        w->handles[i].data = s;
        uv_signal_start(&w->handles[i], signals[i].act, signals[i].number);
    }
}

/* Stops the handling of signals. Afterwards a second SIGTERM ends the process at once. The first ASKING signals
 * are ignored. */
static void heed_no_more(struct waiting *w, size_t count)
{
    schema_fence_watch(NULL, NULL);
    uv_close((uv_handle_t *)&w->end, NULL);
    for (size_t i = 0; i < count; i++)
        uv_close((uv_handle_t *)&w->handles[i], NULL);
    uv_run(&w->loop, UV_RUN_DEFAULT);
    uv_loop_close(&w->loop);
    for (size_t i = 0; i < ASKING; i++)
        signal(signals[i].number, SIG_IGN); /* also across exec, until the new program installs a handler */
}

/* The handlers are installed before the server answers requests: a client that has an answer may send a signal at
 * once. */
static int start_and_wait(struct server *s, struct err *e)
{
    struct waiting w;
    char admin[TOKEN_TEXT];
    size_t heeded = ASKING;
    int ret;

    if (uv_loop_init(&w.loop) < 0)
        return err_set(e, ERR_INTERNAL, "the event loop cannot be started");
    uv_async_init(&w.loop, &w.end, on_end);
    schema_fence_watch(on_newer_schema, &w.end);
    heed(&w, s, 0, ASKING);
    ret = start(s, admin, e);
    if (ret == 0) {
        heed(&w, s, ASKING, SIGNALS);
        heeded = SIGNALS;
        ret = open_doors(s, e);
    }
    if (ret == 0) {
        say_where(s, admin);
        uv_run(&w.loop, UV_RUN_DEFAULT);
        ret = schema_fence_reason(e);
    }
    heed_no_more(&w, heeded);
    return ret;
}

/* --- Commands other than serving --- */

static int print_database_url(const struct server *s, struct err *e)
{
    char conninfo[600];

    if (s->config.database) {
        printf("%s\n", s->config.database);
        return 0;
    }
    if (private_pg_address(&s->config, conninfo, e) < 0)
        return -1;
    printf("%s\n", conninfo);
    return 0;
}

/* Checks the settings that would make a start fail. Changes nothing. */
static int check_settings(struct server *s, struct err *e)
{
    const struct server_config *c = &s->config;

    if (static_files_open(c->web_dir, &s->app.farm.files, e) < 0 ||
        tls_read(c->tls_cert, c->tls_key, &s->tls, e) < 0 || check_pooler(c, e) < 0 ||
        (!c->database && private_pg_possible(c, e) < 0))
        return -1;
    return print_database_url(s, e);
}

static int serve(struct server *s, struct err *e)
{
    if (static_files_open(s->config.web_dir, &s->app.farm.files, e) < 0 ||
        tls_read(s->config.tls_cert, s->config.tls_key, &s->tls, e) < 0 || privileges_settle(&s->config, e) < 0)
        return -1;
    if (s->config.check)
        return check_farm(&s->app.farm, e);
    return start_and_wait(s, e);
}

/* Runs `vivace-server WORD`: one command, then the process ends. */
static int act_once(struct server *s, const struct conf_result *words, struct err *e)
{
    const char *word = words->args[0];
    int ret, fd = -1;

    if (backup_knows(word) && backup_open_file(word, words->args[1], &fd, e) < 0)
        return -1;
    ret = privileges_settle(&s->config, e);
    if (ret == 0)
        ret = backup_knows(word)                 ? backup_run(&s->app.farm, word, fd, e)
              : maintenance_knows(word)          ? maintenance_run(&s->app.farm, &s->config, word, e)
              : strcmp(word, RESTART_PROBE) == 0 ? check_settings(s, e)
                                                 : print_database_url(s, e);
    static_files_close(s->app.farm.files);
    tls_release(&s->tls);
    blob_store_free(s->app.farm.store.blobs);
    return ret;
}

/* Checks the command-line arguments that are not settings. */
static int check_words(const struct conf_result *words, struct err *e)
{
    const char *word = words->arg_count ? words->args[0] : NULL;

    if (!word)
        return 0;
    if (backup_knows(word) && words->arg_count != 2) {
        err_set(e, ERR_USAGE, "`vivace-server %s` needs one file", word);
        return err_hint(e, "vivace-server %s FILE", word);
    }
    if (backup_knows(word) ||
        (words->arg_count == 1 &&
         (strcmp(word, "database-url") == 0 || strcmp(word, RESTART_PROBE) == 0 || maintenance_knows(word))))
        return 0;
    err_set(e, ERR_USAGE, "vivace-server does not know the argument \"%.80s\"", word);
    return err_hint(e, "`vivace-server --help` shows the command line.");
}

static int act(struct server *s, const struct conf_result *words, struct err *e)
{
    int ret;

    if (check_words(words, e) < 0 || server_config_complete(&s->config, e) < 0)
        return -1;
    if (words->arg_count)
        return act_once(s, words, e);
    ret = serve(s, e);
    stop(s);
    if (s->restart)
        return restart_now(s->kept_socket, e);
    if (!s->config.check && ret == 0)
        log_info("server", "stopped", "state=%s", s->config.state);
    return ret;
}

int main(int argc, char **argv)
{
    struct server s = {.kept_socket = -1};
    struct conf_result words = {0};
    enum log_level level = LOG_INFO;
    struct err e = {0};
    int ret;

    if (argc >= 2 && strcmp(argv[1], "import-child") == 0)
        return import_child_main(argc - 2, argv + 2);
    if (argc >= 2 && strcmp(argv[1], TRACE_CHILD) == 0)
        return trace_child_main(argc - 2, argv + 2);
    if (argc >= 2 && strcmp(argv[1], PACK_CHILD) == 0)
        return pack_child_main(argc - 2, argv + 2);
    restart_remember(argc, argv);
    signal(SIGPIPE, SIG_IGN);
    signal(SIGHUP, SIG_IGN); /* a closed terminal does not end the server while it starts; after the start, SIGHUP
                                restarts it */
    db_clock_init(&s.clock);
    db_use_statements(sql_statements);
    parts_init(&s.app, &s.config, &s.clock.clock);
    ret = conf_load(&server_program, argc, argv, &s.config, &words, &e);
    if (ret == 0) {
        if (log_level_from_name(s.config.log_level, &level) == 0)
            log_set_level(level);
        log_set_json(strcmp(s.config.log_format, "json") == 0);
        conf_warn(&server_program, &words);
        ret = act(&s, &words, &e);
    }
    conf_release(&server_program, &s.config);
    log_end();
    if (ret < 0) {
        fprintf(stderr, "vivace-server: %s\n", e.text);
        if (e.hint[0])
            fprintf(stderr, "%s\n", e.hint);
        return err_exit_code(e.code);
    }
    return 0;
}
