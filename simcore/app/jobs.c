/* Simulates jobs for a worker. The input is a JSON list; each job has its own files. worker/sim_process.h describes
 * the reports. */
#include <errno.h>
#include <inttypes.h>
#include <jansson.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/sandbox.h"
#include "base/strbuf.h"
#include "base/whole_file.h"
#include "simcore/app/simulation.h"
#include "simcore/design.h"
#include "simcore/record/recording.h"
#include "simcore/app/program_run.h"
#include "simcore/trace/program_launch.h"

enum { JOB_TEXT_MAX = 16 << 20, PROGRESS_US = 250000, EVENT_FD = 3, FILES_MAX = 64, RESULT_MAX = 1 << 30 };

struct job {
    const char *id, *trace, *design, *result;
    const char *program; /* or NULL */
    const char *record;  /* output file of the recording, or NULL */
    bool warmed;         /* the trace holds several launches: simulate the last one after the others */
    uint64_t limit_cycles;
    double
        inside_kernels; /* intra-kernel projection: largest half-width, as a share of its cycles; 0: not allowed */
    bool allow_foreign_isa; /* simulate also instructions that the design's GPU does not have */
};

struct job_run {
    const char *id;
    uint64_t last_us, memory_bytes; /* memory_bytes: for a program */
    /* the design of the previous job, which the next job mostly uses, too */
    char *design_path;
    struct gpu_design *design;
    struct simulator *simulator;
};

/* Writes one line to descriptor 3. If the worker has ended, SIGPIPE ends this process. */
static void say(const char *format, ...) PRINTF_LIKE(1, 2);
static void say(const char *format, ...)
{
    struct strbuf b = STRBUF_INIT;
    va_list ap;
    ssize_t wrote = 0;

    va_start(ap, format);
    strbuf_vaddf(&b, format, ap);
    va_end(ap);
    for (size_t i = 0; i < b.length; i++)
        if (b.text[i] == '\n' || b.text[i] == '\r')
            b.text[i] = ' ';
    strbuf_addc(&b, '\n');
    for (size_t at = 0; at < b.length; at += (size_t)wrote) {
        wrote = write(EVENT_FD, b.text + at, b.length - at);
        if (wrote < 0 && errno == EINTR)
            wrote = 0;
        else if (wrote <= 0)
            break;
    }
    strbuf_release(&b);
}

static int job_progress(void *ctx, uint64_t cycles, uint64_t warp_instructions)
{
    struct job_run *run = ctx;
    uint64_t now = clock_monotonic_us();

    if (now - run->last_us >= PROGRESS_US) {
        run->last_us = now;
        say("progress %s %" PRIu64 " %" PRIu64, run->id, cycles, warp_instructions);
    }
    return 0;
}

/* Outcome names of wire/lease.h. A missing file is not an error of the job: the worker must fetch it again. */
static const char *outcome_of(enum exit_code code, const struct err *e)
{
    if (code == SIM_EXIT_BAD_INPUT && e->code == ERR_NOT_FOUND)
        return "fetch";
    switch (code) {
    case EXIT_DONE: return "ok";
    case SIM_EXIT_UNSUPPORTED: return "unsupported";
    case SIM_EXIT_MISMATCH: return "mismatch";
    case SIM_EXIT_DEADLOCK: return "deadlock";
    case SIM_EXIT_LIMIT_CYCLES: return "limit_cycles";
    case SIM_EXIT_MEMORY: return "memory";
    case EXIT_TRY_AGAIN: return "disk"; /* an error of this machine; another worker can retry */
    default: return "bad_input";
    }
}

/* Makes a simulator for this design. The last one is kept and reused. */
static int use_design(struct job_run *run, const char *path, struct err *e)
{
    if (run->design_path && strcmp(run->design_path, path) == 0)
        return 0;
    simulator_free(run->simulator);
    design_free(run->design);
    free(run->design_path);
    run->simulator = NULL;
    run->design = NULL;
    run->design_path = NULL;
    if (design_load(path, &run->design, e) < 0)
        return -1;
    run->simulator = simulator_new(run->design, e);
    if (!run->simulator)
        return -1;
    run->design_path = strdup(path);
    return run->design_path ? 0 : err_no_memory(e);
}

static void start_job(struct job_run *run, const struct job *job)
{
    run->id = job->id;
    run->last_us = clock_monotonic_us();
    fprintf(stderr, "\x1e%s\n", job->id); /* worker/sim_process.h: the following stderr text belongs to this job */
    say("start %s", job->id);
}

static void end_job(const struct job *job, enum exit_code code, const struct err *e)
{
    bool advised = code != EXIT_DONE && e->hint[0] != '\0';

    say("end %s %s %s%s%s", job->id, outcome_of(code, e), e->text, advised ? ". " : "", advised ? e->hint : "");
}

/* source: NULL if the trace holds the instructions. */
static void simulate_job(struct job_run *run, const struct job *job, struct inst_source *source)
{
    struct simulation s = {.simulator = run->simulator,
                           .design = run->design,
                           .options = {.limit_cycles = job->limit_cycles,
                                       .native_only = !job->allow_foreign_isa,
                                       .partial = true, /* a collective polls memory that other GPUs write */
                                       .progress = job_progress,
                                       .progress_ctx = run,
                                       .record_interval_cycles = job->record ? SIM_RECORD_AUTO : 0}};
    struct sim_input input = {.trace = job->trace, .last_launch = true, .replayed = true};
    struct err e = {0};
    enum exit_code code;
    char *text = NULL;

    if (job->warmed) {
        s.input = &input;
        s.options.caches = SIM_CACHES_REPLAYED;
    }
    if (job->inside_kernels > 0) {
        s.options.projection = PROJECT_STABLE;
        s.options.projection_limit = job->inside_kernels;
        s.options.projection_warm_only = true;
    }
    code = simulation_run_source(&s, job->trace, source, &e);
    if (s.result.counters) {
        text = simulation_json(&s, &e);
        if (!text || (job->record && recording_write(s.result.recording, job->record, &e) < 0) ||
            whole_file_write(job->result, text, strlen(text), &e) < 0)
            code = err_sim_exit_code(e.code);
        else
            snprintf(e.text, sizeof e.text, "%s", s.result.report ? s.result.report : "");
    }
    end_job(job, code, &e);
    free(text);
    simulation_release(&s);
    sim_input_release(&input);
}

static void run_job(struct job_run *run, const struct job *job)
{
    struct err e;

    start_job(run, job);
    if (use_design(run, job->design, &e) < 0)
        end_job(job, err_sim_exit_code(e.code), &e);
    else
        simulate_job(run, job, NULL);
}

/* --- launches of one program on one design: the program runs once for all of them --- */

struct pass {
    struct job_run *run;
    const struct job *jobs;
    struct program_launch *launches;
    uint64_t *numbers;
    size_t count, next; /* next: the job that has begun and not ended */
};

static int use_launch(void *ctx, size_t i, struct inst_source *source, struct err *e)
{
    struct pass *p = ctx;
    struct err wrong;

    (void)e;
    if (program_launch_compare(&p->launches[i], &source->info, &wrong) < 0)
        end_job(&p->jobs[i], SIM_EXIT_BAD_INPUT, &wrong);
    else
        simulate_job(p->run, &p->jobs[i], source);
    p->next = i + 1;
    if (p->next < p->count)
        start_job(p->run, &p->jobs[p->next]);
    return 0;
}

static void run_pass(struct pass *p)
{
    const struct job *first = &p->jobs[0];
    struct program_run r = {.path = first->program,
                            .numbers = p->numbers,
                            .count = p->count,
                            .memory_bytes = p->run->memory_bytes,
                            .use = use_launch,
                            .ctx = p};
    struct err e;
    int ret;

    start_job(p->run, first);
    ret = use_design(p->run, first->design, &e);
    if (ret == 0) {
        r.arch = p->run->design->compute_capability;
        r.l2_lines = design_l2_lines(p->run->design);
        ret = program_run(&r, &e);
    }
    for (; ret < 0 && p->next < p->count; p->next++) { /* an error of the program applies to all remaining jobs */
        end_job(&p->jobs[p->next], err_sim_exit_code(e.code), &e);
        if (p->next + 1 < p->count)
            start_job(p->run, &p->jobs[p->next + 1]);
    }
}

/* The number of jobs, from the first on, that one pass can do: launches of the same program on the same design, in
 * ascending order. */
static size_t length_of_pass(struct pass *p, const struct job *jobs, size_t most, struct err *e)
{
    size_t n = 0;

    while (n < most && jobs[n].program && strcmp(jobs[n].program, jobs[0].program) == 0 &&
           strcmp(jobs[n].design, jobs[0].design) == 0 &&
           program_launch_read_path(jobs[n].trace, &p->launches[n], e) == 0) {
        p->numbers[n] = p->launches[n].number;
        if (n > 0 && p->numbers[n] <= p->numbers[n - 1]) {
            program_launch_release(&p->launches[n]);
            break;
        }
        n++;
    }
    return n;
}

/* Returns the number of jobs done, at least one. */
static size_t run_some(struct job_run *run, const struct job *jobs, size_t most)
{
    struct pass p = {.run = run, .jobs = jobs};
    struct err e;

    if (!jobs->program) {
        run_job(run, jobs);
        return 1;
    }
    p.launches = mem_zalloc(most, sizeof *p.launches, &e);
    p.numbers = mem_zalloc(most, sizeof *p.numbers, &e);
    if (p.launches && p.numbers)
        p.count = length_of_pass(&p, jobs, most, &e);
    if (p.count > 0) {
        run_pass(&p);
    } else {
        start_job(run, jobs);
        end_job(jobs, err_sim_exit_code(e.code), &e);
    }
    for (size_t i = 0; i < p.count; i++)
        program_launch_release(&p.launches[i]);
    free(p.launches);
    free(p.numbers);
    return p.count > 0 ? p.count : 1;
}

static int read_limit(const json_t *limits, const char *name, uint64_t *out, struct err *e)
{
    const json_t *v = json_object_get(limits, name);

    if (!v || json_is_null(v))
        return 0;
    if (!json_is_integer(v) || json_integer_value(v) <= 0)
        return err_set(e, ERR_INVALID, "limits.%s: must be a whole number above 0", name);
    *out = (uint64_t)json_integer_value(v);
    return 0;
}

/* The folder of a result file. */
static int folder_of(const char *path, char *out, size_t size, struct err *e)
{
    const char *slash = strrchr(path, '/');
    size_t n = !slash ? 0 : slash == path ? 1 : (size_t)(slash - path);

    if (n >= size)
        return err_set(e, ERR_INVALID, "the path of a result is too long");
    snprintf(out, size, "%.*s", n ? (int)n : 1, n ? path : ".");
    return 0;
}

/* Restricts the process to limit the damage of a malicious trace: it can read the jobs' files and write only in the
 * folders of their results and recordings. */
static int confine(const struct job *jobs, size_t n, const json_t *limits, struct err *e)
{
    struct sandbox_rules rules = {.file_bytes = RESULT_MAX, .open_files = FILES_MAX};
    struct sandbox_path *paths = mem_zalloc(4 * n + 1, sizeof *paths, e);
    char(*folders)[PATH_MAX] = mem_zalloc(n + 1, sizeof *folders, e);
    enum sandbox_level level;
    int ret = paths && folders ? 0 : -1;

    for (size_t i = 0; ret == 0 && i < n; i++) {
        const char *read_only[] = {jobs[i].trace, jobs[i].design, jobs[i].program};

        for (size_t k = 0; k < 3; k++)
            if (read_only[k])
                paths[rules.path_count++].path = read_only[k];
        ret = folder_of(jobs[i].result, folders[i], sizeof folders[i], e);
        paths[rules.path_count++] = (struct sandbox_path){folders[i], true};
    }
    rules.paths = paths;
    if (ret == 0 && read_limit(limits, "memory_bytes", &rules.memory_bytes, e) == 0 &&
        read_limit(limits, "cpu_s", &rules.cpu_s, e) == 0)
        ret = sandbox_enter(&rules, &level, e);
    else
        ret = -1;
    if (ret == 0 && json_is_true(json_object_get(limits, "require_sandbox")) && level != SANDBOX_FULL)
        ret = err_set(e, ERR_UNSUPPORTED, "a full sandbox is required, and this machine supports only: %s",
                      sandbox_level_name(level));
    free(folders);
    free(paths);
    return ret;
}

static int read_inside(const json_t *v, size_t at, struct job *job, struct err *e)
{
    job->inside_kernels = json_number_value(v);
    if (!v || json_is_null(v))
        return 0;
    if (json_is_number(v) && job->inside_kernels >= SIM_PROJECTION_LIMIT_MIN &&
        job->inside_kernels <= SIM_PROJECTION_LIMIT_MAX)
        return 0;
    return err_set(e, ERR_INVALID, "jobs[%zu].inside_kernels: must be a number from 0.01 to 0.08", at);
}

static int read_job(const json_t *v, size_t at, struct job *job, struct err *e)
{
    const struct {
        const char *name, **to;
    } texts[] = {{"job", &job->id}, {"trace", &job->trace}, {"design", &job->design}, {"result", &job->result}};
    const json_t *limit = json_object_get(v, "limit_cycles");

    for (size_t i = 0; i < 4; i++) {
        *texts[i].to = json_string_value(json_object_get(v, texts[i].name));
        if (!*texts[i].to || !**texts[i].to)
            return err_set(e, ERR_INVALID, "jobs[%zu].%s is missing", at, texts[i].name);
    }
    if (strpbrk(job->id, " \t\r\n"))
        return err_set(e, ERR_INVALID, "jobs[%zu].job: the id of a job must not contain blanks", at);
    if (limit && !json_is_null(limit) && (!json_is_integer(limit) || json_integer_value(limit) < 0))
        return err_set(e, ERR_INVALID, "jobs[%zu].limit_cycles: must be a whole number", at);
    job->limit_cycles = (uint64_t)json_integer_value(limit);
    job->program = json_string_value(json_object_get(v, "program"));
    job->record = json_string_value(json_object_get(v, "record"));
    job->warmed = json_is_true(json_object_get(v, "warmed"));
    job->allow_foreign_isa = json_is_true(json_object_get(v, "allow_foreign_isa"));
    if (read_inside(json_object_get(v, "inside_kernels"), at, job, e) < 0)
        return -1;
    if (job->warmed && job->program)
        return err_set(e, ERR_INVALID, "jobs[%zu].warmed: not possible for launches of a program", at);
    return 0;
}

static json_t *read_jobs(struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    char piece[4096];
    json_error_t je;
    json_t *root = NULL;
    ssize_t got;

    do {
        got = read(STDIN_FILENO, piece, sizeof piece);
        if (got > 0)
            strbuf_add(&b, piece, (size_t)got);
    } while ((got > 0 && b.length <= JOB_TEXT_MAX) || (got < 0 && errno == EINTR));
    if (got < 0)
        err_set_errno(e, errno, "standard input");
    else if (b.failed)
        err_no_memory(e);
    else if (b.length > JOB_TEXT_MAX)
        err_set(e, ERR_TOO_LARGE, "the list of jobs has more than %d bytes", JOB_TEXT_MAX);
    else if (!(root = json_loadb(b.text, b.length, JSON_REJECT_DUPLICATES, &je)))
        err_set(e, ERR_MALFORMED, "the list of jobs, line %d: %s", je.line, je.text);
    strbuf_release(&b);
    if (root && !json_is_array(json_object_get(root, "jobs"))) {
        err_set(e, ERR_INVALID, "the list of jobs must be an object with \"jobs\"");
        json_decref(root);
        root = NULL;
    }
    return root;
}

static int run_all(struct job_run *run, const json_t *list, const json_t *limits, struct err *e)
{
    size_t n = json_array_size(list);
    struct job *jobs = mem_zalloc(n ? n : 1, sizeof *jobs, e);
    int ret = jobs ? 0 : -1;

    for (size_t i = 0; ret == 0 && i < n; i++)
        ret = read_job(json_array_get(list, i), i, &jobs[i], e);
    if (ret == 0)
        ret = confine(jobs, n, limits, e);
    /* The packed program takes one third, its buffers another; the simulation gets the rest. */
    run->memory_bytes = (uint64_t)json_integer_value(json_object_get(limits, "memory_bytes")) / 3;
    for (size_t i = 0; ret == 0 && i < n;)
        i += run_some(run, &jobs[i], n - i);
    free(jobs);
    return ret;
}

enum exit_code run_jobs(void)
{
    struct job_run run = {0};
    struct err e;
    json_t *root = read_jobs(&e);
    int ret = root ? run_all(&run, json_object_get(root, "jobs"), json_object_get(root, "limits"), &e) : -1;

    if (ret < 0)
        sim_print_error(&e);
    simulator_free(run.simulator);
    design_free(run.design);
    free(run.design_path);
    json_decref(root);
    return ret < 0 ? err_sim_exit_code(e.code) : EXIT_DONE;
}

enum exit_code test_sandbox(void)
{
    struct sandbox_report r;
    struct err e;

    if (sandbox_self_test(&r, &e) < 0) {
        sim_print_error(&e);
        return err_sim_exit_code(e.code);
    }
    puts(sandbox_level_name(r.level)); /* the worker reads this line */
    for (size_t i = 0; i < SANDBOX_TRIALS; i++)
        printf("%-9s %s (%s)\n", r.trials[i].held ? "refused" : "possible", r.trials[i].what, r.trials[i].guard);
    if (r.landlock_version)
        printf("This kernel has Landlock in version %d.\n", r.landlock_version);
    else
        puts("This kernel has no Landlock.");
    return EXIT_DONE;
}
