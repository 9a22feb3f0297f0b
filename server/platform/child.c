#include "server/platform/child.h"

#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/child_environment.h"
#include "base/descriptors.h"
#include "base/text.h"

/* Address and thread sanitizers reserve terabytes of address space, which no limit can allow. */
#if defined __SANITIZE_ADDRESS__ || defined __SANITIZE_THREAD__
#define LIMIT_MEMORY 0
#else
#define LIMIT_MEMORY 1
#endif

static void limit(int what, uint64_t value, uint64_t more)
{
    struct rlimit r = {value, value + more};

    if (value)
        setrlimit((__rlimit_resource_t)what, &r);
}

/* Runs in the child process between fork and exec, so it makes only async-signal-safe calls. */
static void become(const char *const *argv, char *const *env, const struct child_limits *limits, int with_us,
                   pid_t parent, int out, int log_fd)
{
    static const struct rlimit no_core = {0, 0};
    int null = open("/dev/null", O_RDONLY);
    sigset_t none;

    sigemptyset(&none);
    sigprocmask(SIG_SETMASK, &none, NULL);
    signal(SIGPIPE, SIG_DFL);
    signal(SIGHUP, SIG_DFL);
    setsid();
    if (with_us) {
        prctl(PR_SET_PDEATHSIG, SIGKILL);
        if (getppid() != parent)
            _exit(127);
    }
    setrlimit(RLIMIT_CORE, &no_core);
    if (limits) {
        limit(RLIMIT_AS, LIMIT_MEMORY ? limits->memory_bytes : 0, 0);
        limit(RLIMIT_CPU, limits->cpu_s, 5); /* first SIGXCPU, which names the cause; SIGKILL 5 s later */
        limit(RLIMIT_FSIZE, limits->file_bytes, 0);
    }
    if (null < 0 || dup2(null, 0) < 0 || dup2(log_fd >= 0 ? log_fd : out, 1) < 0 || dup2(1, 2) < 0)
        _exit(127);
    descriptors_close_on_exec(3);
    execve(argv[0], (char *const *)argv, env);
    _exit(127);
}

int child_start(const char *const *argv, const struct child_limits *limits, int with_us, const char *log_path,
                struct child *out, struct err *e)
{
    int pipe_fd[2] = {-1, -1}, log_fd = -1;
    char *few[CHILD_ENVIRONMENT];
    pid_t parent = getpid();

    if (log_path) {
        log_fd = open(log_path, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0600);
        if (log_fd < 0)
            return err_set_errno(e, errno, "%s", log_path);
    } else if (pipe2(pipe_fd, O_CLOEXEC) < 0) {
        return err_set_errno(e, errno, "a pipe for %s", argv[0]);
    }
    child_environment(few);
    out->pid = fork();
    if (out->pid == 0)
        become(argv, limits ? few : environ, limits, with_us, parent, pipe_fd[1], log_fd);
    if (log_fd >= 0)
        close(log_fd);
    if (pipe_fd[1] >= 0)
        close(pipe_fd[1]);
    out->out = pipe_fd[0];
    if (out->pid < 0) {
        err_set_errno(e, errno, "starting %s", argv[0]);
        if (out->out >= 0)
            close(out->out);
        return -1;
    }
    return 0;
}

int child_wait(struct child *c, int *status, struct err *e)
{
    while (waitpid(c->pid, status, 0) < 0)
        if (errno != EINTR)
            return err_set_errno(e, errno, "waiting for a child process");
    return 0;
}

static int fail_with_last_line(const char *program, int status, struct strbuf *output, struct err *e)
{
    char *text = output->text, *line;

    while (output->length > 0 && strchr("\r\n ", text[output->length - 1]))
        text[--output->length] = '\0';
    line = strrchr(text, '\n');
    line = line ? line + 1 : text;
    text_sanitize(line);
    if (WIFEXITED(status) && WEXITSTATUS(status) == 127 && !*line)
        return err_set(e, ERR_NOT_FOUND, "%s cannot be started", program);
    if (WIFSIGNALED(status))
        return err_set(e, ERR_IO, "%s was killed by signal %d", program, WTERMSIG(status));
    return err_set(e, ERR_IO, "%s ended with code %d: %.300s", program, WEXITSTATUS(status), line);
}

int child_run(const char *const *argv, const struct child_limits *limits, size_t most, struct strbuf *output,
              struct err *e)
{
    struct child c = {.out = -1};
    char buffer[4096];
    ssize_t n;
    int status = 0;

    if (child_start(argv, limits, 1, NULL, &c, e) < 0)
        return -1;
    while ((n = read(c.out, buffer, sizeof buffer)) > 0 || (n < 0 && errno == EINTR))
        if (n > 0 && output->length < most)
            strbuf_add(output, buffer, (size_t)n < most - output->length ? (size_t)n : most - output->length);
    close(c.out);
    if (child_wait(&c, &status, e) < 0)
        return -1;
    if (output->failed)
        return err_no_memory(e);
    return WIFEXITED(status) && WEXITSTATUS(status) == 0 ? 0 : fail_with_last_line(argv[0], status, output, e);
}
