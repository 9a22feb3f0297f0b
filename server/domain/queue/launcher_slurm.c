/* server/domain/queue/launcher_slurm.c: starts workers as array jobs of Slurm. Each worker takes many of our jobs.
 *
 * --signal=B:TERM signals the process of the batch script, so the worker must be that process: the wrapped
 * script only `exec`s it. Slurm's own requeue is off: a requeued job waits for minutes, but a new one starts at
 * once, and our queue retries the jobs. Workers are counted from plain columns of squeue, which old and new
 * versions support. */
#include <errno.h>
#include <limits.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "server/platform/child.h"
#include "server/domain/queue/launcher.h"

enum { COMMAND_S = 60, SBATCH_WORDS = 48, ARRAY_MAX = 1000 /* MaxArraySize is 1001 unless a site lowered it */ };

struct slurm {
    const struct launcher_settings *settings;
    char sbatch[PATH_MAX], squeue[PATH_MAX];
};

static int find_program(const char *name, char out[PATH_MAX], struct err *e)
{
    const char *path = getenv("PATH");

    for (; path && *path; path += strcspn(path, ":"), path += *path == ':') {
        int n = snprintf(out, PATH_MAX, "%.*s/%s", (int)strcspn(path, ":"), path, name);

        if (n > 0 && n < PATH_MAX && *out == '/' && access(out, X_OK) == 0)
            return 0;
    }
    err_set(e, ERR_NOT_FOUND, "--launcher slurm: %s is not on PATH", name);
    return err_hint(e, "Install Slurm's client programs on the server's machine (Debian: slurm-client).");
}

static void make_one_line(char *s)
{
    for (char *at = s; (at = strchr(at, '\n')); at++)
        *at = at[1] ? ' ' : '\0';
    text_sanitize(s);
}

/* The command's output. -1 also on a timeout: Slurm's programs wait for a controller that does not answer. */
static int run_command(const char *const *argv, struct strbuf *output, struct err *e)
{
    uint64_t end = clock_monotonic_us() + COMMAND_S * UINT64_C(1000000);
    struct child c = {.out = -1};
    bool late = false, over = false;
    char bytes[4096];
    int status = 0;

    if (child_start(argv, NULL, 1, NULL, &c, e) < 0)
        return -1;
    ASSERT(c.pid > 0 && c.out >= 0);
    while (!over && !late) {
        struct pollfd p = {.fd = c.out, .events = POLLIN};
        ssize_t n;

        late = poll(&p, 1, 200) <= 0 && clock_monotonic_us() > end;
        if (!p.revents)
            continue;
        n = read(c.out, bytes, sizeof bytes);
        over = n == 0 || (n < 0 && errno != EINTR);
        if (n > 0)
            strbuf_add(output, bytes, (size_t)n);
    }
    if (late)
        kill(-c.pid, SIGKILL);
    close(c.out);
    if (child_wait(&c, &status, e) < 0)
        return -1;
    if (output->failed)
        return err_no_memory(e);
    if (output->length && (late || status != 0))
        make_one_line(output->text);
    if (late)
        return err_set(e, ERR_NETWORK, "%s did not end within %d s: %.200s", argv[0], COMMAND_S, output->text);
    if (status != 0)
        return err_set(e, ERR_UNSUPPORTED, "%s: %.300s", argv[0], output->length ? output->text : "no word why");
    return 0;
}

static int count_pilots(void *ctx, struct launcher_count *out, struct err *e)
{
    struct slurm *s = ctx;
    char name[80];
    const char *argv[] = {s->squeue, "--noheader", "--array", "--format=%T", name, NULL};
    struct strbuf text = STRBUF_INIT;
    int ret;

    ASSERT(s->settings->job_name[0] != '\0'); /* without a name, all jobs would be counted */
    snprintf(name, sizeof name, "--name=%s", s->settings->job_name);
    *out = (struct launcher_count){0};
    ret = run_command(argv, &text, e);
    for (const char *word = text.text; ret == 0 && *word;
         word += strcspn(word, "\n "), word += strspn(word, "\n ")) {
        out->waiting += str_starts(word, "PENDING") || str_starts(word, "CONFIGURING");
        out->running += str_starts(word, "RUNNING") || str_starts(word, "SUSPENDED");
    }
    strbuf_release(&text);
    return ret;
}

static void add_quoted(struct strbuf *b, const char *word)
{
    strbuf_adds(b, " '");
    for (; *word; word++)
        if (*word == '\'')
            strbuf_adds(b, "'\\''");
        else
            strbuf_addc(b, *word);
    strbuf_addc(b, '\'');
}

/* Uses all slots that Slurm has allocated. They may be more than requested (whole cores). */
static void write_script(const struct launcher_settings *s, struct strbuf *out)
{
    struct launcher_words w = {.words = {NULL}};

    launcher_worker_words(s, NULL, &w);
    strbuf_adds(out, "--wrap=exec");
    add_quoted(out, s->worker);
    for (const char **word = w.words; *word; word++)
        add_quoted(out, *word);
    strbuf_adds(out, " --slots \"$SLURM_CPUS_ON_NODE\"");
}

struct words {
    const char *argv[SBATCH_WORDS];
    size_t count;
    struct strbuf text[SBATCH_WORDS];
};

static struct strbuf *word(struct words *w)
{
    if (w->count + 2 > SBATCH_WORDS)
        return NULL;
    w->text[w->count] = (struct strbuf)STRBUF_INIT;
    return &w->text[w->count++];
}

static void add(struct words *w, const char *name, const char *value)
{
    struct strbuf *b = value ? word(w) : NULL;

    if (b)
        strbuf_addf(b, "%s%s", name, value);
}

static int finish_words(struct words *w, struct err *e)
{
    for (size_t i = 0; i < w->count; i++) {
        if (w->text[i].failed)
            return err_no_memory(e);
        w->argv[i] = w->text[i].text;
    }
    ASSERT(w->count < SBATCH_WORDS);
    w->argv[w->count] = NULL;
    return w->count + 1 < SBATCH_WORDS ? 0 : err_set(e, ERR_USAGE, "--slurm-options: too many words");
}

static int build_command(const struct slurm *s, uint32_t workers, struct words *w, struct err *e)
{
    const struct launcher_settings *o = s->settings;
    struct strbuf *b;
    char number[64];

    ASSERT(workers > 0 && w->count == 0);
    add(w, "", s->sbatch);
    add(w, "--parsable", "");
    add(w, "--no-requeue", "");
    add(w, "--open-mode=append", "");
    add(w, "--export=NONE", "");
    add(w, "--chdir=", "/");
    add(w, "--job-name=", o->job_name);
    snprintf(number, sizeof number, "1-%u", workers);
    add(w, "--array=", number);
    snprintf(number, sizeof number, "%u", o->slots);
    add(w, "--cpus-per-task=", number);
    snprintf(number, sizeof number, "%u", o->drain_s + 30);
    add(w, "--signal=B:TERM@", number);
    add(w, "--time=", o->time);
    add(w, "--mem=", o->memory);
    add(w, "--partition=", o->partition);
    add(w, "--output=", o->folder);
    if (w->count > 0)
        strbuf_adds(&w->text[w->count - 1], "/%A_%a.log");
    for (const char *p = o->options; p && *(p += strspn(p, " ")); p += strcspn(p, " "))
        if ((b = word(w)))
            strbuf_add(b, p, strcspn(p, " "));
    b = word(w);
    if (b)
        write_script(o, b);
    return finish_words(w, e);
}

static int submit(void *ctx, uint32_t workers, struct err *e)
{
    struct slurm *s = ctx;
    struct strbuf text = STRBUF_INIT;
    struct words w = {.count = 0};
    int ret = build_command(s, workers < ARRAY_MAX ? workers : ARRAY_MAX, &w, e);

    if (ret == 0)
        ret = run_command(w.argv, &text, e);
    if (ret == 0)
        log_info("launcher", "submitted to Slurm", "job=%s workers=%u", log_quote(text.text, (char[80]){0}, 80),
                 workers);
    for (size_t i = 0; i < w.count; i++)
        strbuf_release(&w.text[i]);
    strbuf_release(&text);
    return ret;
}

static void close_slurm(void *ctx)
{
    free(ctx); /* workers continue: they serve the farm's other servers, or this one after a restart */
}

int launcher_slurm_open(const struct launcher_settings *s, struct launcher_place *out, struct err *e)
{
    struct slurm *slurm = mem_zalloc(1, sizeof *slurm, e);

    ASSERT(s->slots > 0);
    if (!slurm)
        return -1;
    slurm->settings = s;
    if (find_program("sbatch", slurm->sbatch, e) < 0 || find_program("squeue", slurm->squeue, e) < 0) {
        free(slurm);
        return -1;
    }
    *out = (struct launcher_place){
        .kind = "slurm", .ctx = slurm, .count = count_pilots, .start = submit, .close = close_slurm};
    return 0;
}
