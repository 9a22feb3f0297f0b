/* vivace farm doctor: finds faults of a running farm and of its workers, as seen from this machine, and advises.
 * For the requirements of a server before its start: `vivace-server --check`. */
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/hash.h"
#include "base/text.h"
#include "base/version.h"
#include "cli/client/farm.h"
#include "cli/nouns.h"

#define CLOCKS_S   2.0  /* the same limit as in server/domain/operate/watch.h */
#define SNAPSHOT_S 60.0 /* the same limit as there */
#define WAITING_S  60.0 /* jobs that wait longer than this while slots are free are blocked by another cause */

#define WAITING_RUNS 10 /* maximum of runs shown one by one; each takes a request to the server */

enum verdict { OK, NOTE, WRONG };
struct doctor {
    struct api *api;
    char *metrics; /* Prometheus text */
    json_t *farm, *workers;
    json_t *found; /* for --json: one object for each printed line */
    bool quiet;
    int wrong;
};

static void say(struct doctor *d, enum verdict v, const char *what, const char *hint, const char *format, ...)
    PRINTF_LIKE(5, 6);
static void say(struct doctor *d, enum verdict v, const char *what, const char *hint, const char *format, ...)
{
    static const char *const words[] = {[OK] = "ok", [NOTE] = "note", [WRONG] = "WRONG"},
                             *const states[] = {[OK] = "ok", [NOTE] = "note", [WRONG] = "wrong"};
    struct json_obj o = json_obj_begin();
    char text[600];
    va_list ap;

    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    utf8_mend(text);
    d->wrong += v == WRONG;
    json_put_str(&o, "check", what);
    json_put_str(&o, "state", states[v]);
    json_put_str(&o, "detail", text);
    json_put_str(&o, "hint", v == OK ? NULL : hint);
    if (json_array_append_new(d->found, json_obj_end(&o)) < 0)
        d->wrong++; /* no memory: count it as a fault, so that the result is never "no faults" */
    if (d->quiet)
        return;
    printf("%-6s %s: %s\n", words[v], what, text);
    if (v != OK && hint && hint[0])
        printf("       %s\n", hint);
}

static void say_error(struct doctor *d, const char *what, const struct err *e)
{
    say(d, WRONG, what, e->hint, "%s", e->text);
}

/* The value of a line of /metrics. name: with its labels. NaN where there is no such line. */
static double metric(const struct doctor *d, const char *name)
{
    size_t n = strlen(name);

    for (const char *at = d->metrics; at && *at; at = strchr(at, '\n'), at = at ? at + 1 : NULL) {
        if (strncmp(at, name, n) == 0 && at[n] == ' ')
            return strtod(at + n + 1, NULL);
    }
    return NAN;
}

/* --- The checks --- */

static void check_ready(struct doctor *d)
{
    char *text = NULL;
    size_t n;
    struct err e;

    if (api_get_text(d->api, "//readyz", &text, &n, &e) < 0)
        say_error(d, "server", &e);
    else
        say(d, OK, "server", NULL, "%s is ready", api_url(d->api));
    free(text);
}

static void check_version(struct doctor *d)
{
    static const char name[] = "vivace_build_info{version=\"";
    const char *at = strstr(d->metrics, name);
    char version[40] = "";

    if (at)
        snprintf(version, sizeof version, "%.*s", (int)strcspn(at + strlen(name), "\""), at + strlen(name));
    if (strcmp(version, VIVACE_VERSION) == 0)
        say(d, OK, "versions", NULL, "server and command line are %s", version);
    else
        say(d, NOTE, "versions", "Install the same version here.", "the server is %s, this program %s", version,
            VIVACE_VERSION);
}

static void check_clocks(struct doctor *d)
{
    double here = (double)clock_now(&clock_system) / 1e6 - metric(d, "vivace_clock_seconds"),
           database = metric(d, "vivace_db_clock_skew_seconds");

    if (fabs(database) > CLOCKS_S)
        say(d, WRONG, "clocks", "Synchronise both with a time server.",
            "the server's clock differs from the database's by %.1f s", database);
    else if (fabs(here) > CLOCKS_S + 1) /* plus one second for the time of the request */
        say(d, NOTE, "clocks", "Synchronise both with a time server.",
            "this machine's clock differs from the server's by %.1f s", here);
    else
        say(d, OK, "clocks", NULL, "the clocks of server, database and this machine agree");
}

static void check_store(struct doctor *d)
{
    double answers = metric(d, "vivace_blob_store_answers"),
           silent_s = metric(d, "vivace_blob_store_silent_seconds");

    if (isnan(answers))
        return; /* an older server has no such metric */
    if (answers > 0)
        say(d, OK, "file store", NULL, "it answers");
    else
        say(d, WRONG, "file store",
            "Check that the store runs and that the server can reach it. The server tries again every few seconds.",
            "the store of the bucket has not answered for %.0f s: uploads, imports and workers wait", silent_s);
}

static void check_tokens(struct doctor *d)
{
    double count = metric(d, "vivace_worker_tokens_expiring"),
           days = metric(d, "vivace_worker_token_left_seconds") / 86400;

    if (!(count > 0))
        say(d, OK, "worker tokens", NULL, "no token in use expires within 14 days");
    else
        say(d, days > 0 ? NOTE : WRONG, "worker tokens",
            "`vivace token create NAME --scopes worker` creates one that does not expire. Put it into the worker's "
            "token file and start the worker again.",
            days > 0 ? "%.0f in use expire soon, the first in %.1f days"
                     : "%.0f in use expire soon or have expired, the first %.1f days ago",
            count, fabs(days));
}

static void check_settings(struct doctor *d)
{
    static const char *const needed[] = {"fsync", "full_page_writes", "autovacuum"};
    char name[80], hint[120];
    int off = 0;

    for (size_t i = 0; i < sizeof needed / sizeof needed[0]; i++) {
        snprintf(name, sizeof name, "vivace_db_setting_on{setting=\"%s\"}", needed[i]);
        if (metric(d, name) == 1)
            continue;
        off++;
        if (isnan(metric(d, name))) {
            say(d, NOTE, "database", "Try again in a moment.",
                "the server has not checked the database's settings yet");
            return;
        }
        snprintf(hint, sizeof hint, "ALTER SYSTEM SET %s = on, then restart PostgreSQL.", needed[i]);
        say(d, WRONG, "database", hint, "%s is off, so acknowledged data could be lost, or the queue tables grow",
            needed[i]);
    }
    if (!off)
        say(d, OK, "database", NULL, "fsync, full_page_writes and autovacuum are on");
}

static void check_snapshot(struct doctor *d)
{
    double age = metric(d, "vivace_db_oldest_snapshot_seconds");

    if (age >= SNAPSHOT_S)
        say(d, WRONG, "snapshots", "The server's log names the session's pid: SELECT pg_terminate_backend(PID).",
            "a session has held a snapshot for %.0f s, so vacuum cannot remove dead rows and leases get slow", age);
    else
        say(d, OK, "snapshots", NULL, "no session holds an old snapshot");
}

/* Tests an upload: sends a few bytes, then deletes them. */
static int send_piece(struct doctor *d, const char *id, struct err *e)
{
    static const char bytes[] = "vivace farm doctor";
    FILE *f = tmpfile();
    char digest[SHA256_HEX], *path;
    int ret;

    if (!f || fwrite(bytes, 1, strlen(bytes), f) != strlen(bytes) || fflush(f) != 0) {
        if (f)
            fclose(f);
        return err_set(e, ERR_IO, "no temporary file can be created here");
    }
    path = farm_path("/uploads/", id, "/pieces/0", e);
    ret = !path || sha256_bytes(bytes, strlen(bytes), digest, e) < 0
              ? -1
              : api_put_file(d->api, path, fileno(f), 0, strlen(bytes), digest, e);
    free(path);
    fclose(f);
    return ret;
}

static void check_files(struct doctor *d)
{
    struct json_obj o = json_obj_begin();
    json_t *upload = NULL;
    char *path = NULL;
    struct err e;
    int ret;

    json_put_str(&o, "name", "doctor");
    json_put_u64(&o, "bytes", strlen("vivace farm doctor"));
    if (api_post(d->api, "/uploads", json_obj_end(&o), &upload, &e) < 0) {
        if (e.code == ERR_FORBIDDEN)
            say(d, NOTE, "stored files", "Use a token that may write.", "not tried: %s", e.text);
        else
            say_error(d, "stored files", &e);
        return;
    }
    ret = send_piece(d, farm_text(upload, "id"), &e);
    path = farm_path("/uploads/", farm_text(upload, "id"), "", &e);
    if (ret == 0 && (!path || api_delete(d->api, path, &e) < 0))
        ret = -1;
    if (ret < 0)
        say_error(d, "stored files", &e);
    else
        say(d, OK, "stored files", NULL, "a test file was stored and removed; free space %.3g GB",
            metric(d, "vivace_blob_free_bytes") / 1e9);
    free(path);
    json_decref(upload);
}

static void check_results(struct doctor *d)
{
    double disputed = metric(d, "vivace_disputed_results_total"),
           quarantined = metric(d, "vivace_results_quarantined");

    if (quarantined > 0)
        say(d, WRONG, "results",
            "Revoke the token of the faulty worker, then run `vivace result discard --quarantined --why …`.",
            "%.0f results differ between two workers, so they are not used: the runs' events name the workers",
            quarantined);
    else if (disputed > 0)
        say(d, WRONG, "results",
            "The run's page shows both results. Possible causes are a worker's memory, or different builds.",
            "%.0f results differ from the stored result of their key", disputed);
    else
        say(d, OK, "results", NULL, "no result differs from another of its key");
}

/* Prints one line for all workers where none has a fault. */
static void check_workers(struct doctor *d)
{
    const char *simulator = farm_text(d->farm, "simulator");
    uint64_t waiting = farm_count(d->farm, "queue.ready"), alive = farm_count(d->farm, "workers_alive");
    char n[CLI_NUMBER];
    int shown = 0;

    for (size_t i = 0; i < json_array_size(d->workers); i++) {
        const json_t *w = json_array_get(d->workers, i);
        const char *name = farm_text(w, "name");

        if (strcmp(farm_text(w, "state"), "alive") != 0)
            continue;
        if (simulator[0] && strcmp(farm_text(w, "simulator"), simulator) != 0)
            say(d, NOTE, "workers",
                "Install the same version there: results of different versions are never mixed.",
                "%s simulates with %s, but new runs need %s", name, farm_text(w, "simulator"), simulator),
                shown++;
        if (strcmp(farm_text(w, "sandbox"), "full") != 0)
            say(d, NOTE, "workers", "A kernel with Landlock and seccomp gives full confinement.",
                "the sandbox of %s is %s", name, farm_text(w, "sandbox")),
                shown++;
    }
    if (alive == 0)
        say(d, waiting ? WRONG : NOTE, "workers", "Start one: vivace worker --server URL --token-file FILE",
            "no worker sends heartbeats; %s", cli_counted(waiting, "job waits", "jobs wait", n));
    else if (!shown)
        say(d, OK, "workers", NULL, "%llu workers alive, with the farm's simulator and full confinement",
            (unsigned long long)alive);
}

static void check_queue(struct doctor *d)
{
    double oldest = metric(d, "vivace_queue_oldest_ready_seconds");
    uint64_t ready = farm_count(d->farm, "queue.ready"), leased = farm_count(d->farm, "queue.leased"),
             slots = farm_count(d->farm, "slots");
    char n[CLI_NUMBER], with[CLI_NUMBER];

    if (ready > 0 && slots > 0 && leased == 0 && oldest > WAITING_S)
        say(d, WRONG, "queue", "Compare the simulator versions of the runs (vivace run list) and of the workers.",
            "%s, the oldest run for %.0f s, and no worker takes a job",
            cli_counted(ready, "job waits", "jobs wait", n), oldest);
    else
        say(d, OK, "queue", NULL, "%s, %s with workers", cli_counted(ready, "job waits", "jobs wait", n),
            cli_counted(leased, "is", "are", with));
    if (farm_text(d->farm, "launcher.problem")[0])
        say(d, WRONG, "launcher", "The server starts no more workers until this is corrected.", "%s",
            farm_text(d->farm, "launcher.problem"));
}

static void check_stranded(struct doctor *d)
{
    double stranded = metric(d, "vivace_runs_stranded");

    if (isnan(stranded) || farm_count(d->farm, "workers_alive") == 0)
        return; /* an older server does not count them; without workers, another check reports the fault */
    if (stranded > 0)
        say(d, WRONG, "simulators",
            "`vivace run list` and `vivace run show RUN` show the version. Start workers with it, or run `vivace "
            "run restart RUN --simulator new`.",
            "%.0f %s a simulator version that no connected worker has", stranded,
            stranded == 1 ? "run needs" : "runs need");
    else
        say(d, OK, "simulators", NULL, "each waiting run has workers of its version");
}

static void check_projections(struct doctor *d)
{
    double stuck = metric(d, "vivace_runs_stuck");

    if (isnan(stuck))
        return; /* an older server does not count them */
    if (stuck > 0)
        say(d, WRONG, "projections", "See `vivace run events RUN` and the server's log for the reason.",
            "%.0f %s: the projection fails, so such a run cannot end", stuck, stuck == 1 ? "run" : "runs");
    else
        say(d, OK, "projections", NULL, "no run is prevented from ending");
}

static int check_run_waits(struct doctor *d, const char *id, struct err *e)
{
    struct strbuf what = STRBUF_INIT, now = STRBUF_INIT;
    json_t *run = farm_get(d->api, "/runs/", id, "", e);
    struct run_waits w;
    int ret = run ? farm_run_waits(d->api, run, &w, e) : -1;

    if (ret == 0 && w.jobs > 0) {
        run_waits_say(&w, &what);
        run_waits_say_what_now(&w, &now);
        ret = what.failed || now.failed ? err_no_memory(e) : 0;
        if (ret == 0)
            say(d, NOTE, "traces", now.text, "run %s: %s", id, what.text);
    }
    strbuf_release(&what);
    strbuf_release(&now);
    json_decref(run);
    return ret;
}

/* Runs of other teams, whose names are not visible, and runs after the first few are only counted. */
static int check_traces(struct doctor *d, struct err *e)
{
    uint64_t blocked = farm_count(d->farm, "queue.blocked"), shown = 0, runs = 0;
    const json_t *queue;
    json_t *activity;
    char n[CLI_NUMBER];
    int ret = 0;

    if (blocked == 0) {
        say(d, OK, "traces", NULL, "no job waits for a trace");
        return 0;
    }
    activity = farm_get(d->api, "/farm/activity", "", "", e);
    queue = farm_member(activity, "queue");
    for (size_t i = 0; ret == 0 && runs < WAITING_RUNS && i < json_array_size(queue); i++) {
        const json_t *x = json_array_get(queue, i);

        if (!*farm_text(x, "run") || !farm_count(x, "blocked"))
            continue;
        ret = check_run_waits(d, farm_text(x, "run"), e);
        shown += farm_count(x, "blocked");
        runs++;
    }
    if (activity && ret == 0 && shown < blocked)
        say(d, NOTE, "traces", "`vivace run show RUN` shows it for each of your runs.", "%s for traces",
            cli_counted(blocked - shown, "job of another run is waiting", "jobs of other runs are waiting", n));
    ret = activity ? ret : -1;
    json_decref(activity);
    return ret;
}

/* --- The command --- */

static const char doctor_help[] = "Checks the farm. Prints one line for each check, and what to do where something "
                                  "is wrong; then the exit code is not 0.\n"
                                  "It queries the running server and stores a few bytes for a moment. `vivace "
                                  "admin check`, on the server's machine,\n"
                                  "checks what a server needs before it can start.\n";

static int examine(struct doctor *d, struct err *e)
{
    size_t n;

    d->found = json_array();
    if (!d->found)
        return err_no_memory(e);
    check_ready(d);
    if (api_get_text(d->api, "//metrics", &d->metrics, &n, e) < 0)
        return d->wrong > 0 ? 0 : -1; /* no further check is possible */
    check_store(d);
    d->farm = farm_get(d->api, "/farm", "", "", e);
    d->workers = d->farm ? api_list_all(d->api, "/workers", e) : NULL;
    if (!d->workers)
        return d->wrong > 0 ? 0 : -1;
    check_version(d);
    check_clocks(d);
    check_settings(d);
    check_tokens(d);
    check_snapshot(d);
    check_files(d);
    check_results(d);
    check_workers(d);
    check_queue(d);
    check_stranded(d);
    check_projections(d);
    return check_traces(d, e);
}

static int show(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    const struct cli_output *o = ctx;
    json_t *v = farm_get(api, "/farm", "", "", e);

    (void)args;
    if (v && o->json)
        return cli_print_json(v, e);
    if (v)
        farm_print_glance(v);
    json_decref(v);
    return v ? 0 : -1;
}

static int doctor(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    const struct cli_output *o = ctx;
    struct doctor d = {.api = api, .quiet = o->json};
    int ret = examine(&d, e);

    (void)args;
    if (ret == 0 && o->json) {
        ret = cli_print_json(d.found, e);
        d.found = NULL;
    }
    if (ret == 0 && d.wrong > 0)
        ret = err_set(e, ERR_UNSUPPORTED, "%d of the checks failed", d.wrong);
    json_decref(d.found);
    json_decref(d.farm);
    json_decref(d.workers);
    free(d.metrics);
    return ret;
}

int farm_show(int argc, char **argv)
{
    struct cli_output o = {.json = false};
    const struct cli_usage usage = {
        "farm show", "", "Shows an overview of the farm: workers, queue, simulator.\n", NULL, &o, false, 0, 0};

    return farm_command(argc, argv, &usage, show, &o);
}

int farm_doctor(int argc, char **argv)
{
    struct cli_output o = {.json = false};
    const struct cli_usage usage = {"farm doctor", "", doctor_help, NULL, &o, false, 0, 0};

    return farm_command(argc, argv, &usage, doctor, &o);
}
