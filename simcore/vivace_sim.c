/* simcore/vivace_sim.c: the program: one kernel for people, or a list of jobs for a worker. */
#include <errno.h>
#include <fcntl.h>
#include <getopt.h>
#include <inttypes.h>
#include <jansson.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/resource.h>
#include <unistd.h>

#include "base/clock.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "base/whole_file.h"
#include "simcore/design.h"
#include "simcore/simcore.h"
#include "simcore/trace/read_ahead.h"
#include "simcore/trace/trace_file.h"

enum exit_code {
    EXIT_OK = 0,
    EXIT_USAGE = 2,
    EXIT_BAD_INPUT = 3,
    EXIT_UNSUPPORTED = 4,
    EXIT_MISMATCH = 5,
    EXIT_STALLED = 6,
    EXIT_LIMIT = 7,
    EXIT_MEMORY = 8,
    EXIT_TRY_AGAIN = 75
};
enum { JOB_TEXT_MAX = 16 << 20, PROGRESS_US = 250000, EVENT_FD = 3 };

static const char help_text[] =
    "usage: vivace-sim TRACE --gpu NAME|FILE [--json] [--limit-cycles N] [--explain CTA:WARP]\n"
    "                 [--project METHOD] [--record FILE [--record-interval N]] [--no-read-ahead]\n"
    "                 [--checkpoint FILE [--checkpoint-at N] [--checkpoint-every N]] [--resume FILE]\n"
    "       vivace-sim --describe-counters | --list-gpus | --list-designs | --check-design FILE | --job\n"
    "\n"
    "Simulates one kernel launch and prints a line a counter: name, unit, value.\n"
    "\n"
    "  TRACE                a kernel file of an Accel-Sim trace (kernel-1.traceg; plain, .xz, .gz or .zst)\n"
    "  --gpu NAME|FILE      a built-in GPU design, or a design file: a path with '/' or ending in .json\n"
    "  --json               the result as one JSON document instead\n"
    "  --limit-cycles N     stop after N SM cycles\n"
    "  --no-read-ahead      read the trace on the same thread; the result is the same, without a second core's "
    "help\n"
    "  --project METHOD     stop once the kernel runs steadily and project the rest: pkp (as published), pkp-code "
    "(as\n"
    "                       its authors' code), stable (ours: never with fewer than three waves of CTAs)\n"
    "  --explain CTA:WARP   instead of counters: one warp, instruction by instruction: when it issued, what it "
    "waited\n"
    "                       for, and where its requests were when\n"
    "  --record FILE        beside the counters: what happened when, for `vivace record`\n"
    "  --record-interval N  in intervals of N cycles (500), doubled where there would be more than 4096\n"
    "  --checkpoint FILE    writes the whole state of the simulation into a file, from which --resume goes on\n"
    "  --checkpoint-at N    ... at cycle N (0: when the first CTA can start)\n"
    "  --checkpoint-every N ... and again each N cycles from then on, over the one before\n"
    "  --resume FILE        goes on from a checkpoint of this trace on this GPU: counters and cycles end the same\n"
    "  --describe-counters  every counter with its unit and a sentence\n"
    "  --list-gpus          the built-in designs\n"
    "  --list-designs       the same with their facts and texts, as JSON\n"
    "  --check-design FILE  whether a design file is right; its facts as JSON\n"
    "  --job                for workers: read a list of jobs as JSON from standard input, report on descriptor 3\n"
    "\n"
    "Try:  vivace-sim kernel-1.traceg --gpu v100\n"
    "      vivace-sim kernel-1.traceg --gpu h100 --json >result.json\n"
    "\n"
    "Exit codes: 0 done; 2 the command line is wrong; 3 the trace or the design is damaged or missing; 4 its "
    "format or\n"
    "version is not supported; 5 trace and GPU do not match: a CTA does not fit into an SM; 6 deadlock: nothing "
    "can\n"
    "ever happen again (the report on standard error says who waits for what); 7 the cycle limit was reached;\n"
    "8 out of memory; 75 try again (reading or writing failed).\n";

static void print_error(const struct err *e)
{
    fprintf(stderr, "vivace-sim: %s\n", e->text);
    if (e->hint[0])
        fprintf(stderr, "  %s\n", e->hint);
}

static enum exit_code code_of_error(const struct err *e)
{
    switch (e->code) {
    case ERR_USAGE: return EXIT_USAGE;
    case ERR_UNSUPPORTED: return EXIT_UNSUPPORTED;
    case ERR_NO_MEMORY: return EXIT_MEMORY;
    case ERR_IO:
    case ERR_NO_SPACE:
    case ERR_BUSY: return EXIT_TRY_AGAIN;
    default: return EXIT_BAD_INPUT;
    }
}

static enum exit_code code_of_end(enum sim_end end)
{
    return end == SIM_DONE ? EXIT_OK : end == SIM_STALLED ? EXIT_STALLED : EXIT_LIMIT;
}

/* --- one simulation --- */

struct simulation {
    struct simulator *simulator;
    const struct gpu_design *design;
    struct sim_options options;
    bool read_ahead; /* on a thread of its own */
    struct inst_source *source;
    struct sim_result result;
    char trace_sha256[SHA256_HEX];
    double seconds;
};

static void simulation_release(struct simulation *s)
{
    sim_result_release(&s->result);
    inst_source_release(s->source);
    s->source = NULL;
}

static int open_trace(struct simulation *s, const char *trace, struct err *e)
{
    if (trace_file_open_path(trace, &s->source, e) < 0)
        return -1;
    return s->read_ahead ? inst_source_read_ahead(s->source, &s->source, e) : 0;
}

/* Runs the trace; an exit code, with *e filled for codes that are errors. The caller releases. */
static enum exit_code simulation_run(struct simulation *s, const char *trace, struct err *e)
{
    uint64_t begin = clock_monotonic_us();

    s->source = NULL;
    memset(&s->result, 0, sizeof s->result);
    if (sha256_file(trace, s->trace_sha256, e) < 0 || open_trace(s, trace, e) < 0)
        return code_of_error(e);
    if (design_fits(s->design, &s->source->info, e) < 0) {
        err_wrap(e, "%s", trace);
        return EXIT_MISMATCH;
    }
    if (simulator_run(s->simulator, s->source, &s->options, &s->result, e) < 0)
        return code_of_error(e);
    s->seconds = (double)(clock_monotonic_us() - begin) / 1e6;
    return code_of_end(s->result.end);
}

static char *simulation_json(const struct simulation *s, struct err *e)
{
    return sim_result_json(s->design, &s->source->info, s->trace_sha256, &s->result, s->seconds, e);
}

static void print_counters(const struct sim_result *r)
{
    for (size_t i = 0; i < r->counter_count; i++)
        printf("%s %s %" PRIu64 "\n", r->counters[i].name, r->counters[i].unit, r->counters[i].value);
}

/* Counters, or the explanation that was asked for. */
static enum exit_code print_result(const struct simulation *s, bool as_json, struct err *e)
{
    char *text;

    if (!as_json && !s->result.explanation) {
        print_counters(&s->result);
        return EXIT_OK;
    }
    text = s->result.explanation ? explanation_text(s->result.explanation, as_json, e) : simulation_json(s, e);
    if (!text) {
        print_error(e);
        return code_of_error(e);
    }
    fputs(text, stdout);
    free(text);
    return EXIT_OK;
}

static void say_projected(const struct sim_projected *p, const struct sim_result *r)
{
    if (p->why_not)
        fprintf(stderr, "vivace-sim: simulated whole: %s\n", p->why_not);
    if (p->method == PROJECT_NONE)
        return;
    fprintf(stderr,
            "vivace-sim: projected (%s): stopped at cycle %" PRIu64 " of %" PRIu64 ", %" PRIu64 " of %" PRIu64
            " CTAs had ended; instructions a cycle spread by %.2g %%",
            sim_projection_names[p->method], p->at_cycle, r->cycles, p->ctas_done, p->ctas, 100 * p->spread);
    if (p->method == PROJECT_STABLE)
        fprintf(stderr, "; between %" PRIu64 " and %" PRIu64 " cycles", p->low_cycles, p->high_cycles);
    fputc('\n', stderr);
}

static enum exit_code run_one(const char *trace, const char *gpu, const struct sim_options *o, bool as_json,
                              bool read_ahead, const char *record)
{
    struct simulation s = {.options = *o, .read_ahead = read_ahead};
    struct sim_checkpoint checkpoint;
    struct gpu_design *design = NULL;
    enum exit_code code, printed;
    struct err e;

    if (design_load(gpu, &design, &e) < 0 || !(s.simulator = simulator_new(design, &e))) {
        print_error(&e);
        design_free(design);
        return code_of_error(&e);
    }
    s.design = design;
    if (o->checkpoint) {
        checkpoint = *o->checkpoint;
        checkpoint.trace_sha256 = s.trace_sha256;
        s.options.checkpoint = &checkpoint;
    }
    code = simulation_run(&s, trace, &e);
    if (!s.result.counters) {
        print_error(&e);
    } else {
        printed = print_result(&s, as_json, &e);
        code = printed ? printed : code;
        if (record && recording_write(s.result.recording, record, &e) < 0) {
            print_error(&e);
            code = code_of_error(&e);
        }
    }
    say_projected(&s.result.projected, &s.result);
    if (s.result.counters && o->checkpoint && o->checkpoint->path && !s.result.checkpoints)
        fprintf(stderr, "vivace-sim: no checkpoint was written: the run ended before, at cycle %" PRIu64 "\n",
                s.result.cycles);
    if (s.result.report)
        fprintf(stderr, "vivace-sim: %s", s.result.report);
    if (fflush(stdout) != 0) {
        fprintf(stderr, "vivace-sim: standard output: %s\n", strerror(errno));
        code = EXIT_TRY_AGAIN;
    }
    simulation_release(&s);
    simulator_free(s.simulator);
    design_free(design);
    return code;
}

/* --- jobs for a worker --- */

struct job {
    const char *id, *trace, *design, *result;
    uint64_t limit_cycles;
};

struct job_run {
    const char *id;
    uint64_t last_us;
    /* the design of the job before, which most often is this one's too */
    char *design_path;
    struct gpu_design *design;
    struct simulator *simulator;
};

/* One line on descriptor 3. A worker that is gone ends us (SIGPIPE). */
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

/* As wire/lease.h names them. A file that is gone is none of the job's faults: it must be fetched again. */
static const char *outcome_of(enum exit_code code, const struct err *e)
{
    if (code == EXIT_BAD_INPUT && e->code == ERR_NOT_FOUND)
        return "fetch";
    switch (code) {
    case EXIT_OK: return "ok";
    case EXIT_UNSUPPORTED: return "unsupported";
    case EXIT_MISMATCH: return "mismatch";
    case EXIT_STALLED: return "deadlock";
    case EXIT_LIMIT: return "limit_cycles";
    case EXIT_MEMORY: return "memory";
    case EXIT_TRY_AGAIN: return "disk"; /* this machine could not; another can */
    default: return "bad_input";
    }
}

/* A simulator for this design; the last one is kept. */
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

static void run_job(struct job_run *run, const struct job *job)
{
    struct simulation s = {
        .options = {.limit_cycles = job->limit_cycles, .progress = job_progress, .progress_ctx = run}};
    enum exit_code code = EXIT_BAD_INPUT;
    struct err e = {0};
    char *text = NULL;

    run->id = job->id;
    run->last_us = clock_monotonic_us();
    say("start %s", job->id);
    if (use_design(run, job->design, &e) < 0) {
        say("end %s %s %s", job->id, outcome_of(code_of_error(&e), &e), e.text);
        return;
    }
    s.simulator = run->simulator;
    s.design = run->design;
    code = simulation_run(&s, job->trace, &e);
    if (s.result.counters) {
        text = simulation_json(&s, &e);
        if (!text || whole_file_write(job->result, text, strlen(text), &e) < 0)
            code = code_of_error(&e);
        else
            snprintf(e.text, sizeof e.text, "%s", s.result.report ? s.result.report : "");
    }
    say("end %s %s %s", job->id, outcome_of(code, &e), e.text);
    free(text);
    simulation_release(&s);
}

static int set_limit(int what, const char *name, const json_t *limits, struct err *e)
{
    const json_t *v = json_object_get(limits, name);
    json_int_t n = json_integer_value(v);
    struct rlimit r;

    if (!v || json_is_null(v))
        return 0;
    if (!json_is_integer(v) || n <= 0)
        return err_set(e, ERR_INVALID, "limits.%s: must be a whole number above 0", name);
    r.rlim_cur = r.rlim_max = (rlim_t)n;
    return setrlimit((__rlimit_resource_t)what, &r) < 0 ? err_set_errno(e, errno, "limits.%s", name) : 0;
}

/* What a hostile trace could do at worst is bounded by these. */
static int confine(const json_t *limits, struct err *e)
{
    const struct rlimit none = {0, 0};

    if (prctl(PR_SET_PDEATHSIG, SIGKILL) < 0 || prctl(PR_SET_NO_NEW_PRIVS, 1, 0, 0, 0) < 0 ||
        setrlimit(RLIMIT_CORE, &none) < 0)
        return err_set_errno(e, errno, "cannot confine this process");
    if (set_limit(RLIMIT_AS, "memory_bytes", limits, e) < 0)
        return -1;
    return set_limit(RLIMIT_CPU, "cpu_s", limits, e);
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
        return err_set(e, ERR_INVALID, "jobs[%zu].job: a job's id has no blanks", at);
    if (limit && !json_is_null(limit) && (!json_is_integer(limit) || json_integer_value(limit) < 0))
        return err_set(e, ERR_INVALID, "jobs[%zu].limit_cycles: must be a whole number", at);
    job->limit_cycles = (uint64_t)json_integer_value(limit);
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
        err_set(e, ERR_TOO_LARGE, "more than %d bytes of jobs", JOB_TEXT_MAX);
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

static enum exit_code run_jobs(void)
{
    struct job_run run = {0};
    struct job job;
    struct err e;
    json_t *root = read_jobs(&e), *jobs = json_object_get(root, "jobs");
    int ret = root ? 0 : -1;

    for (size_t i = 0; ret == 0 && i < json_array_size(jobs); i++)
        ret = read_job(json_array_get(jobs, i), i, &job, &e);
    if (ret == 0)
        ret = confine(json_object_get(root, "limits"), &e);
    for (size_t i = 0; ret == 0 && i < json_array_size(jobs); i++) {
        ret = read_job(json_array_get(jobs, i), i, &job, &e);
        if (ret == 0)
            run_job(&run, &job);
    }
    if (ret < 0)
        print_error(&e);
    simulator_free(run.simulator);
    design_free(run.design);
    free(run.design_path);
    json_decref(root);
    return ret < 0 ? code_of_error(&e) : EXIT_OK;
}

/* --- the command line --- */

static enum exit_code describe_counters(void)
{
    struct err e;
    size_t n;
    struct sim_counter *list = sim_counters_describe(&n, &e);

    if (!list) {
        print_error(&e);
        return EXIT_MEMORY;
    }
    for (size_t i = 0; i < n; i++)
        printf("%s [%s] %s\n", list[i].name, list[i].unit, list[i].sentence);
    free(list);
    return EXIT_OK;
}

/* Name, hash and the facts that the server keeps beside a design. A new reference. */
static json_t *design_facts(const struct gpu_design *d)
{
    json_t *names = json_array();
    const char *at = design_gpu_names(d);

    while (*at) {
        size_t n = strcspn(at, "|");

        if (n > 0)
            json_array_append_new(names, json_stringn(at, n));
        at += n + (at[n] == '|');
    }
    return json_pack("{s:s, s:s, s:f, s:I, s:o}", "name", design_name(d), "sha256", design_sha256(d), "clock_hz",
                     design_clock_hz(d), "sms", (json_int_t)d->sms, "gpu_names", names);
}

static enum exit_code print_facts(json_t *facts)
{
    char *text = json_dumps(facts, JSON_COMPACT);

    if (text)
        puts(text);
    free(text);
    json_decref(facts);
    return text ? EXIT_OK : EXIT_MEMORY;
}

static enum exit_code check_design(const char *path)
{
    struct strbuf file = STRBUF_INIT; /* "./x" is a file, "x" would be a built-in design */
    struct gpu_design *d = NULL;
    json_t *facts;
    struct err e;
    int ret = -1;

    strbuf_addf(&file, "%s%s", strchr(path, '/') ? "" : "./", path);
    if (file.failed)
        err_no_memory(&e);
    else
        ret = design_load(file.text, &d, &e);
    strbuf_release(&file);
    if (ret < 0) {
        print_error(&e);
        return code_of_error(&e);
    }
    facts = design_facts(d);
    design_free(d);
    return print_facts(facts);
}

static enum exit_code list_designs(void)
{
    json_t *list = json_array();
    struct gpu_design *d;
    struct err e;

    for (const char *const *name = design_builtin_names(); *name; name++) {
        size_t n;
        const char *text = design_builtin_json(*name, &n);
        json_t *facts;

        if (design_load(*name, &d, &e) < 0) {
            json_decref(list);
            print_error(&e);
            return code_of_error(&e);
        }
        facts = design_facts(d);
        json_object_set_new(facts, "json", json_stringn(text, n));
        json_array_append_new(list, facts);
        design_free(d);
    }
    return print_facts(list);
}

static enum exit_code usage(const char *text)
{
    fprintf(stderr, "vivace-sim: %s\n  `vivace-sim --help` shows what there is.\n", text);
    return EXIT_USAGE;
}

static int parse_projection(const char *text, enum sim_projection *out)
{
    for (int i = PROJECT_NONE; sim_projection_names[i]; i++) {
        if (strcmp(sim_projection_names[i], text) == 0) {
            *out = (enum sim_projection)i;
            return 0;
        }
    }
    return -1;
}

/* "3:0" */
static int parse_warp(const char *text, struct sim_warp *out, struct err *e)
{
    const char *colon = strchr(text, ':');
    char cta[24];
    uint64_t warp;

    if (!colon || (size_t)(colon - text) >= sizeof cta)
        return err_set(e, ERR_USAGE, "--explain: name a CTA and a warp of it, for example 0:0");
    snprintf(cta, sizeof cta, "%.*s", (int)(colon - text), text);
    if (parse_u64(cta, "--explain: the CTA", &out->cta, e) < 0 ||
        parse_u64(colon + 1, "--explain: the warp", &warp, e) < 0)
        return -1;
    if (warp > 31)
        return err_set(e, ERR_USAGE, "--explain: a CTA has at most 32 warps, numbered from 0");
    out->warp = (uint32_t)warp;
    return 0;
}

int main(int argc, char **argv)
{
    static const struct option options[] = {
        {"gpu", required_argument, NULL, 'g'},
        {"json", no_argument, NULL, 'j'},
        {"limit-cycles", required_argument, NULL, 'l'},
        {"no-read-ahead", no_argument, NULL, 'R'},
        {"record", required_argument, NULL, 'r'},
        {"record-interval", required_argument, NULL, 'i'},
        {"project", required_argument, NULL, 'p'},
        {"checkpoint", required_argument, NULL, 'c'},
        {"checkpoint-at", required_argument, NULL, 'a'},
        {"checkpoint-every", required_argument, NULL, 'e'},
        {"resume", required_argument, NULL, 's'},
        {"explain", required_argument, NULL, 'x'},
        {"describe-counters", no_argument, NULL, 'd'},
        {"list-gpus", no_argument, NULL, 'L'},
        {"list-designs", no_argument, NULL, 'D'},
        {"check-design", required_argument, NULL, 'C'},
        {"job", no_argument, NULL, 'J'},
        {"help", no_argument, NULL, 'h'},
        {"version", no_argument, NULL, 'v'},
        {NULL, 0, NULL, 0},
    };
    const char *gpu = NULL, *record = NULL;
    uint64_t interval = 500;
    struct sim_options o = {0};
    struct sim_warp warp;
    struct sim_checkpoint checkpoint = {0};
    bool as_json = false, read_ahead = true;
    struct err e;
    int c;

    while ((c = getopt_long(argc, argv, "h", options, NULL)) != -1) {
        switch (c) {
        case 'g': gpu = optarg; break;
        case 'j': as_json = true; break;
        case 'l':
            if (parse_u64(optarg, "--limit-cycles", &o.limit_cycles, &e) < 0)
                return usage(e.text);
            break;
        case 'R': read_ahead = false; break;
        case 'r': record = optarg; break;
        case 'i':
            if (parse_u64(optarg, "--record-interval", &interval, &e) < 0)
                return usage(e.text);
            if (interval < 1 || interval > 1000000000)
                return usage("--record-interval: 1 to 1000000000 cycles");
            break;
        case 'p':
            if (parse_projection(optarg, &o.projection) < 0)
                return usage("--project: pkp, pkp-code or stable");
            break;
        case 'c': checkpoint.path = optarg; break;
        case 'a':
            if (parse_u64(optarg, "--checkpoint-at", &checkpoint.at_cycle, &e) < 0)
                return usage(e.text);
            break;
        case 'e':
            if (parse_u64(optarg, "--checkpoint-every", &checkpoint.every, &e) < 0)
                return usage(e.text);
            break;
        case 's': checkpoint.resume = optarg; break;
        case 'x':
            if (parse_warp(optarg, &warp, &e) < 0)
                return usage(e.text);
            o.explain = &warp;
            break;
        case 'd': return describe_counters();
        case 'L':
            for (const char *const *name = design_builtin_names(); *name; name++)
                puts(*name);
            return EXIT_OK;
        case 'D': return list_designs();
        case 'C': return check_design(optarg);
        case 'J': return run_jobs();
        case 'h': fputs(help_text, stdout); return EXIT_OK;
        case 'v': puts("vivace-sim " SIMCORE_VERSION); return EXIT_OK;
        default: fputs("  `vivace-sim --help` shows what there is.\n", stderr); return EXIT_USAGE;
        }
    }
    if (optind + 1 != argc)
        return usage(optind == argc ? "which trace? name a kernel file" : "one trace at a time");
    if ((checkpoint.at_cycle || checkpoint.every) && !checkpoint.path)
        return usage("a checkpoint into which file? add --checkpoint FILE");
    if (checkpoint.path || checkpoint.resume)
        o.checkpoint = &checkpoint;
    o.record_interval_cycles = record ? (uint32_t)interval : 0;
    if (!gpu)
        return usage("on which GPU? add --gpu NAME, for example --gpu v100");
    return run_one(argv[optind], gpu, &o, as_json, read_ahead, record);
}
