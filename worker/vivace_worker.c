/* The program `vivace-worker`. */
#include <errno.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include <curl/curl.h>

#include "base/descriptors.h"
#include "base/array.h"
#include "base/log.h"
#include "base/text.h"
#include "worker/agent.h"
#include "worker/cache.h"
#include "worker/scratch_dir.h"
#include "worker/settings.h"

/* Paths and programs on this machine. */
struct place {
    char state[PATH_MAX], vivace_sim[PATH_MAX], simulator[64], name[256], sandbox[16];
    bool temporary; /* the state folder is temporary: it is removed when this process ends */
};

static int choose_state(const struct worker_settings *s, struct place *p, struct err *e)
{
    const char *base = getenv("XDG_STATE_HOME"), *home = getenv("HOME");
    char chosen[PATH_MAX];
    int n = s->state ? 0 : scratch_dir_state_make(p->state, sizeof p->state, e);

    if (n != 0) {
        p->temporary = n > 0;
        return n < 0 ? -1 : 0;
    }
    if (s->state)
        n = snprintf(chosen, sizeof chosen, "%s", s->state);
    else if (geteuid() == 0)
        n = snprintf(chosen, sizeof chosen, "/var/lib/vivace-worker");
    else if (base && *base == '/')
        n = snprintf(chosen, sizeof chosen, "%s/vivace-worker", base);
    else if (home && *home)
        n = snprintf(chosen, sizeof chosen, "%s/.local/state/vivace-worker", home);
    else
        return err_set(e, ERR_USAGE, "there is no home folder: set --state to a folder that the worker may write");
    if (n < 0 || (size_t)n >= sizeof chosen)
        return err_set(e, ERR_USAGE, "--state: the path is too long");
    /* Absolute, because vivace-sim runs in another folder. */
    if (make_folders(chosen, e) < 0)
        return -1;
    return realpath(chosen, p->state) ? 0 : err_set_errno(e, errno, "%s", chosen);
}

static bool try_program(const char *folder, size_t n, char out[PATH_MAX])
{
    int length = snprintf(out, PATH_MAX, "%.*s/vivace-sim", (int)n, folder);

    return length > 0 && length < PATH_MAX && access(out, X_OK) == 0;
}

static int choose_simulator(const struct worker_settings *s, struct place *p, struct err *e)
{
    char self[PATH_MAX];
    ssize_t n = readlink("/proc/self/exe", self, sizeof self - 1);
    const char *path = getenv("PATH"), *slash;

    if (s->vivace_sim) {
        if (!realpath(s->vivace_sim, p->vivace_sim) || access(p->vivace_sim, X_OK) != 0)
            return err_set_errno(e, errno, "--vivace-sim %s", s->vivace_sim);
        return 0;
    }
    self[n > 0 ? n : 0] = '\0';
    slash = strrchr(self, '/');
    if (slash && try_program(self, (size_t)(slash - self), p->vivace_sim))
        return 0;
    for (; path && *path; path += strcspn(path, ":"), path += *path == ':')
        if (try_program(path, strcspn(path, ":"), p->vivace_sim))
            return 0;
    err_set(e, ERR_NOT_FOUND, "vivace-sim is neither beside this program nor on PATH");
    return err_hint(e, "Set --vivace-sim FILE.");
}

/* Runs vivace-sim with an option and reads the first line of its output. */
static int ask(struct place *p, const char *option, char *line, size_t size, struct err *e)
{
    char *args[] = {p->vivace_sim, (char *)(uintptr_t)option, NULL};
    int fds[2], status = 0;
    ssize_t n;
    pid_t pid;

    if (pipe2(fds, O_CLOEXEC) != 0)
        return err_set_errno(e, errno, "pipe");
    pid = fork();
    if (pid == 0) {
        dup2(fds[1], STDOUT_FILENO);
        descriptors_close_on_exec(3);
        execv(p->vivace_sim, args);
        _exit(127);
    }
    close(fds[1]);
    n = pid > 0 ? read(fds[0], line, size - 1) : -1;
    close(fds[0]);
    if (pid < 0 || waitpid(pid, &status, 0) < 0)
        return err_set_errno(e, errno, "%s", p->vivace_sim);
    line[n > 0 ? n : 0] = '\0';
    line[strcspn(line, "\n")] = '\0';
    return status == 0
               ? 0
               : err_set(e, ERR_UNSUPPORTED, "%s is not vivace-sim: unexpected reply to %s", p->vivace_sim, option);
}

/* "vivace-sim 0.1.0" -> "0.1.0". This also checks that vivace-sim runs on this machine. */
static int ask_version(struct place *p, struct err *e)
{
    char line[256];

    if (ask(p, "--version", line, sizeof line, e) < 0)
        return -1;
    if (sscanf(line, "vivace-sim %60s", p->simulator) != 1)
        return err_set(e, ERR_UNSUPPORTED, "%s is not vivace-sim: unexpected reply to --version", p->vivace_sim);
    return 0;
}

/* Reads the sandbox level of vivace-sim on this machine (base/sandbox.h). */
static int ask_sandbox(struct place *p, bool required, struct err *e)
{
    if (ask(p, "--test-sandbox", p->sandbox, sizeof p->sandbox, e) < 0 || !p->sandbox[0])
        snprintf(p->sandbox, sizeof p->sandbox, "none"); /* an older version without a sandbox */
    if (strcmp(p->sandbox, "full") == 0)
        return 0;
    if (required) {
        err_set(e, ERR_UNSUPPORTED, "--require-sandbox: this machine confines simulations only by: %s", p->sandbox);
        return err_hint(e, "A kernel with Landlock (5.13 or later, in its list of LSMs) and seccomp gives full "
                           "confinement; an outer sandbox may hide them.");
    }
    log_warn("worker", "simulations are not fully confined on this machine", "sandbox=%s", p->sandbox);
    return 0;
}

static int choose(const struct worker_settings *s, struct place *p, struct agent_options *o, struct err *e)
{
    long processors = sysconf(_SC_NPROCESSORS_ONLN);

    if (!s->token) {
        err_set(e, ERR_USAGE, "a token is missing");
        return err_hint(
            e, "set --token-file FILE; the server's first start wrote a token to its state folder: worker-token");
    }
    if (choose_state(s, p, e) < 0 || choose_simulator(s, p, e) < 0 || ask_version(p, e) < 0 ||
        ask_sandbox(p, s->require_sandbox, e) < 0)
        return -1;
    if (gethostname(p->name, sizeof p->name - 1) != 0)
        snprintf(p->name, sizeof p->name, "worker");
    *o = (struct agent_options){.server = s->server,
                                .token = s->token,
                                .ca_file = s->ca_file,
                                .name = s->name ? s->name : p->name,
                                .state = p->state,
                                .vivace_sim = p->vivace_sim,
                                .simulator = p->simulator,
                                .sandbox = p->sandbox,
                                .require_sandbox = s->require_sandbox,
                                .slots = s->slots         ? (uint32_t)s->slots
                                         : processors > 0 ? (uint32_t)processors
                                                          : 1,
                                .pack = (uint32_t)s->pack,
                                .cache_bytes = s->cache_bytes,
                                .exit_when_idle_s = s->exit_when_idle_s,
                                .drain_for_s = s->drain_for_s};
    return 0;
}

/* SIGTERM drains. A second SIGTERM, or SIGINT, returns all leases. */
static void on_signal(uv_signal_t *handle, int number)
{
    static bool before;

    agent_drain(handle->data, number == SIGINT || before);
    before = true;
}

static int run(const struct agent_options *o, struct place *p, struct err *e)
{
    uv_loop_t loop;
    uv_signal_t signals[2];
    static const int numbers[2] = {SIGTERM, SIGINT};
    struct agent *a = NULL;
    int ret;

    uv_loop_init(&loop);
    if (agent_open(&loop, o, &a, e) < 0) {
        uv_run(&loop, UV_RUN_DEFAULT); /* close the open handles */
        uv_loop_close(&loop);
        return -1;
    }
    for (int i = 0; i < 2; i++) {
        uv_signal_init(&loop, &signals[i]);
        signals[i].data = a;
        uv_unref((uv_handle_t *)&signals[i]);
        uv_signal_start(&signals[i], on_signal, numbers[i]);
    }
    agent_start(a);
    uv_run(&loop, UV_RUN_DEFAULT);
    for (int i = 0; i < 2; i++)
        uv_close((uv_handle_t *)&signals[i], NULL);
    uv_run(&loop, UV_RUN_DEFAULT);
    ret = agent_result(a, e);
    p->temporary = p->temporary && !agent_has_results(a); /* undelivered results stay in the folder */
    agent_free(a);
    uv_loop_close(&loop);
    return ret;
}

static int fail(const struct err *e)
{
    fprintf(stderr, "vivace-worker: %s\n", e->text);
    if (*e->hint)
        fprintf(stderr, "               %s\n", e->hint);
    return err_exit_code(e->code);
}

int main(int argc, char **argv)
{
    struct worker_settings s = {.slots = 0};
    struct agent_options o;
    struct conf_result conf = {.arg_count = 0};
    static struct place place;
    enum log_level level;
    struct err e;
    int r = conf_load(&worker_program, argc, argv, &s, &conf, &e);

    signal(SIGPIPE, SIG_IGN);
    if (r == 0 && log_level_from_name(s.log_level, &level) == 0)
        log_set_level(level);
    if (r == 0) {
        log_set_json(strcmp(s.log_format, "json") == 0);
        conf_warn(&worker_program, &conf);
    }
    if (r == 0 && choose(&s, &place, &o, &e) < 0)
        r = -1;
    if (r == 0) {
        curl_global_init(CURL_GLOBAL_DEFAULT);
        setenv("UV_THREADPOOL_SIZE", "2", 0); /* the thread pool only computes hashes */
        r = run(&o, &place, &e);
        curl_global_cleanup();
    }
    if (place.temporary)
        scratch_dir_state_remove(place.state);
    conf_release(&worker_program, &s);
    log_end();
    return r < 0 ? fail(&e) : 0;
}
