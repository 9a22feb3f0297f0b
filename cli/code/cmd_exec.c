/* vivace exec: runs an unmodified CUDA program with Vivace's CUDA runtime instead of NVIDIA's. */
#include <errno.h>
#include <inttypes.h>
#include <limits.h>
#include <signal.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "cli/cli.h"
#include "cli/code/exec_library.h"
#include "ptx/checkpoint/replay.h"
#include "simcore/simcore.h"
#include "wire/plan_json.h"

static const char exec_text[] =
    "Runs a CUDA program on this machine's CPU, without a GPU and without software of NVIDIA. Its kernels run from "
    "their PTX.\n"
    "All else is done by Vivace's own CUDA runtime. The program must be linked with the shared runtime and contain "
    "PTX:\n"
    "\n"
    "  nvcc -cudart shared -arch=compute_75 -code=compute_75 -o program program.cu\n"
    "\n"
    "Without --gpu, kernels are only executed, and a warp instruction counts as a nanosecond when the program "
    "measures time.\n"
    "With --gpu, each launch is simulated on that design, with the L2 contents that the launches before it left. "
    "So times\n"
    "are shorter than those of `vivace simulate`, where L2 has only the lines that the launch itself touches. "
    "Queries about\n"
    "the device are answered from the design. The exit code is that of the program. If that is 0 but a requested "
    "file is\n"
    "missing, the exit code is 66 if a folder does not exist, 74 if the file could not be written, and 65 if it "
    "would be\n"
    "empty. It is also 65 if the program has not used this runtime. A fault of a kernel is reported on stderr with "
    "its line\n"
    "and thread, and the program gets the error that a GPU would return.\n"
    "\n"
    "From a program to a projection:\n"
    "  vivace exec --profile counts.csv ./program                    warp instructions of every launch\n"
    "  vivace plan draw counts.csv --error 5% --out plan.json\n"
    "  vivace exec --plan plan.json --trace drawn.vtrace ./program   traces of the launches that were drawn\n"
    "  vivace simulate drawn.vtrace --gpu v100,h100 --plan plan.json\n"
    "\n"
    "More examples:\n"
    "  vivace exec --gpu h100 --profile times.csv ./program          simulated times, as a profile\n"
    "  vivace exec --launch 7 --capture bug ./program                launch 7 alone, for `vivace ptx run`\n"
    "  vivace exec --check ./program                                 undefined behaviour is a fault; leaks are "
    "reported\n"
    "  vivace exec --checkpoint-at 900 --out at900 ./program         the state after 900 launches\n"
    "  vivace exec --resume at900 --trace rest.vtrace ./program      runs the program again and skips these "
    "launches\n";

struct exec {
    const char *gpu, *device, *profile, *plan, *trace, *capture, *checkpoint_at, *out, *resume;
    struct cli_list launches;
    bool check, summary;
    uint64_t memory_mib, limit;
    char folder[64];  /* a temporary folder, for files exchanged with the library */
    uint64_t planned; /* number of launches in the plan's profile */
    uint64_t checkpoint_launches, skipped_launches;
};

/* The report that the library wrote at the end of the program. */
struct report {
    bool there;
    uint64_t launches, warp_instructions, leaks, leaked_bytes;
    int output_failed; /* the enum err_code of the first file that could not be written */
    uint64_t not_run;  /* launches whose code cannot run here */
};

static const char *in_folder(const struct exec *x, const char *name, char out[96])
{
    snprintf(out, 96, "%s/%s", x->folder, name);
    return out;
}

/* --- the launches of a plan --- */

static int check_passed_over(const struct exec *x, uint64_t launch, struct err *e)
{
    return launch >= x->skipped_launches
               ? 0
               : err_set(e, ERR_INVALID,
                         "launch %" PRIu64
                         " is to be traced or captured, but %s begins behind it, with launch %" PRIu64,
                         launch, x->resume, x->skipped_launches);
}

static int add_range(const struct exec *x, const char *text, struct strbuf *b, struct err *e)
{
    char first[24];
    size_t n = strcspn(text, "-");
    uint64_t from, to;

    snprintf(first, sizeof first, "%.*s", (int)(n < sizeof first ? n : sizeof first - 1), text);
    if (parse_u64(first, "--launch", &from, e) != 0)
        return -1;
    to = from;
    if (text[n] == '-' && parse_u64(text + n + 1, "--launch", &to, e) != 0)
        return -1;
    if (to < from || to - from > 10000000)
        return err_set(e, ERR_USAGE, "--launch %s: not a range of launch numbers", text);
    if (check_passed_over(x, from, e) != 0)
        return -1;
    for (; from <= to; from++)
        strbuf_addf(b, "%" PRIu64 "\n", from);
    return 0;
}

static int by_number(const void *a, const void *b)
{
    const struct plan_sample *x = a, *y = b;

    return (x->launch > y->launch) - (x->launch < y->launch);
}

static int add_planned(struct exec *x, struct strbuf *b, struct err *e)
{
    struct plan plan;
    int ret = 0;

    if (plan_read_path(x->plan, &plan, e) != 0)
        return -1;
    x->planned = plan.launches;
    qsort(plan.samples, plan.sample_count, sizeof *plan.samples, by_number);
    if (plan.sample_count)
        ret = check_passed_over(x, plan.samples[0].launch, e);
    for (size_t i = 0; i < plan.sample_count; i++)
        strbuf_addf(b, "%" PRIu64 "\n", plan.samples[i].launch);
    plan_release(&plan);
    return ret;
}

/* 1: the list is written; 0: all launches are selected, without a list. */
static int write_list(struct exec *x, const char *path, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    int ret = 0;

    if (x->plan)
        ret = add_planned(x, &b, e);
    for (size_t i = 0; ret == 0 && i < x->launches.count; i++)
        ret = add_range(x, x->launches.items[i], &b, e);
    if (ret == 0 && (x->plan || x->launches.count))
        ret = whole_file_write(path, b.text, b.length, e) != 0 ? -1 : 1;
    strbuf_release(&b);
    return ret;
}

/* --- the program --- */

static void say(const char *name, const char *value)
{
    if (value)
        setenv(name, value, 1);
    else
        unsetenv(name);
}

static void say_number(const char *name, uint64_t value)
{
    char text[24];

    snprintf(text, sizeof text, "%" PRIu64, value);
    say(name, value ? text : NULL);
}

static int set_environment(struct exec *x, struct err *e)
{
    char library[PATH_MAX], list[96], report[96], *path = NULL;
    const char *before = getenv("LD_LIBRARY_PATH");
    int listed = write_list(x, in_folder(x, "launches", list), e);

    if (listed < 0 || exec_library_folder(library, e) != 0)
        return -1;
    if (asprintf(&path, "%s%s%s", library, before && *before ? ":" : "", before ? before : "") < 0)
        return err_no_memory(e);
    say("LD_LIBRARY_PATH", path);
    free(path);
    say("VIVACE_EXEC_GPU", x->gpu);
    say("VIVACE_EXEC_DEVICE", x->device);
    say("VIVACE_EXEC_PROFILE", x->profile);
    say("VIVACE_EXEC_ONLY", listed ? list : NULL);
    say("VIVACE_EXEC_TRACE", x->trace);
    say("VIVACE_EXEC_CAPTURE", x->capture);
    say_number("VIVACE_EXEC_CHECKPOINT_AT", x->checkpoint_launches);
    say("VIVACE_EXEC_CHECKPOINT", x->out);
    say("VIVACE_EXEC_RESUME", x->resume);
    say("VIVACE_EXEC_CHECK", x->check ? "1" : NULL);
    say("VIVACE_EXEC_REPORT", in_folder(x, "report", report));
    say_number("VIVACE_EXEC_MEMORY", x->memory_mib << 20);
    say_number("VIVACE_EXEC_LIMIT", x->limit);
    return 0;
}

/* Runs the program. *status: as from waitpid(). Ctrl-C ends only the program: vivace must still remove its files.
 */
static int run_program(char **argv, int *status, struct err *e)
{
    pid_t pid;

    fflush(NULL);
    pid = fork();
    if (pid < 0)
        return err_set_errno(e, errno, "a process for %s", argv[0]);
    if (pid == 0) {
        execvp(argv[0], argv);
        fprintf(stderr, "vivace: %s cannot be started: %s\n", argv[0], strerror(errno));
        _exit(errno == ENOENT ? 127 : 126);
    }
    signal(SIGINT, SIG_IGN);
    signal(SIGQUIT, SIG_IGN);
    while (waitpid(pid, status, 0) < 0)
        if (errno != EINTR)
            return err_set_errno(e, errno, "waiting for %s", argv[0]);
    return 0;
}

static void read_report(const struct exec *x, struct report *r)
{
    char path[96], *text = NULL;
    struct err e;
    size_t n;

    memset(r, 0, sizeof *r);
    if (whole_file_read(in_folder(x, "report", path), 4096, &text, &n, &e) != 0)
        return;
    r->there = sscanf(text,
                      "launches %" SCNu64 " warp_instructions %" SCNu64 " leaks %" SCNu64 " leaked_bytes %" SCNu64
                      " failed %d not_run %" SCNu64,
                      &r->launches, &r->warp_instructions, &r->leaks, &r->leaked_bytes, &r->output_failed,
                      &r->not_run) == 6;
    free(text);
}

/* The program did not load the library. This is an error, except where the program itself failed and no output was
 * requested. */
static int conclude_unused(const struct exec *x, const char *program, int code, struct err *e)
{
    bool asked = x->profile || x->trace || x->capture || x->out || x->resume;

    err_set(e, ERR_INVALID, "%s has not used Vivace's CUDA runtime: was it linked with `-cudart shared`?%s",
            program, asked ? " Nothing was written" : "");
    if (!asked && code)
        cli_warn("%s", e->text);
    return asked || !code ? -1 : 0;
}

/* Prints the summary and checks the requested outputs. -1: a requested output is missing or does not match. */
static int conclude(const struct exec *x, const struct report *r, const char *program, int code, struct err *e)
{
    char number[2][CLI_NUMBER];

    if (!r->there)
        return conclude_unused(x, program, code, e);
    if (x->summary)
        cli_warn("%s, %s warp instructions", cli_counted(r->launches, "launch", "launches", number[0]),
                 cli_whole(r->warp_instructions, number[1]));
    if (x->check && r->leaks)
        cli_warn("%s (%s) %s not freed", cli_counted(r->leaks, "allocation", NULL, number[0]),
                 cli_bytes((double)r->leaked_bytes, number[1]), r->leaks == 1 ? "was" : "were");
    if (r->launches < x->skipped_launches)
        return err_set(e, ERR_INVALID, "%s launched only %" PRIu64 " kernels, fewer than %s passes over", program,
                       r->launches, x->resume);
    if (r->launches < x->checkpoint_launches)
        return err_set(e, ERR_INVALID, "--checkpoint-at %s: %s launched only %" PRIu64 " kernels", x->checkpoint_at,
                       program, r->launches);
    if (x->plan && r->launches != x->planned)
        return err_set(e, ERR_INVALID,
                       "%s launched %" PRIu64 " kernels, but the plan is for a run of %" PRIu64
                       ": what was traced does not fit it",
                       program, r->launches, x->planned);
    if (r->not_run && !code)
        return err_set(e, ERR_UNSUPPORTED, "%s ended as if all had run, but %s did not: see the messages above",
                       program, cli_counted(r->not_run, "launch", "launches", number[0]));
    if (r->output_failed && !code)
        return err_set(e, (enum err_code)r->output_failed, "not all requested files could be written");
    return 0;
}

static void remove_folder(const struct exec *x)
{
    char path[96];

    unlink(in_folder(x, "launches", path));
    unlink(in_folder(x, "report", path));
    rmdir(x->folder);
}

static int check_checkpoint(struct exec *x, struct err *e)
{
    if (!x->checkpoint_at != !x->out)
        return err_set(e, ERR_USAGE, "exec: --checkpoint-at and --out must be given together");
    if (x->checkpoint_at && strchr(x->checkpoint_at, ':')) {
        err_set(e, ERR_USAGE, "exec: --checkpoint-at %s: a program can only be resumed between two launches",
                x->checkpoint_at);
        return err_hint(e, "Use --capture for the launch; `vivace ptx run LIST --checkpoint-at "
                           "1:CTA:CTAS:INSTRUCTIONS` stops inside it");
    }
    if (x->checkpoint_at && parse_u64(x->checkpoint_at, "--checkpoint-at", &x->checkpoint_launches, e) != 0)
        return -1;
    if (x->checkpoint_at && !x->checkpoint_launches)
        return err_set(e, ERR_USAGE, "exec: --checkpoint-at 0: no launch has run at that point");
    return 0;
}

static int check_resume(struct exec *x, struct err *e)
{
    struct ptx_replay *r;

    if (!x->resume)
        return 0;
    if (x->checkpoint_at || x->check)
        return err_set(e, ERR_USAGE, "exec: --resume cannot be combined with %s, which must see every launch",
                       x->check ? "--check" : "--checkpoint-at");
    if (ptx_replay_open(x->resume, &r, e) != 0)
        return -1;
    x->skipped_launches = ptx_replay_launches(r);
    ptx_replay_close(r);
    return 0;
}

static int check_options(struct exec *x, struct err *e)
{
    struct gpu_design *d;

    if (check_checkpoint(x, e) != 0 || check_resume(x, e) != 0)
        return -1;
    if (x->gpu && x->trace)
        return err_set(e, ERR_USAGE, "exec: --gpu simulates launches and --trace records them: give one of them");
    if ((x->plan || x->launches.count) && !x->trace && !x->capture)
        return err_set(e, ERR_USAGE, "exec: --plan and --launch need --trace or --capture");
    if (x->gpu || x->device) { /* a mistyped name is reported before the program starts */
        if (design_load(x->device ? x->device : x->gpu, &d, e) != 0)
            return -1;
        design_free(d);
    }
    return 0;
}

static int exec_program(struct exec *x, char **argv, int *code, struct err *e)
{
    struct report r;
    int status = 0, ret;

    ret = set_environment(x, e) == 0 ? run_program(argv, &status, e) : -1;
    if (ret != 0)
        return -1;
    read_report(x, &r);
    *code = WIFSIGNALED(status) ? 128 + WTERMSIG(status) : WEXITSTATUS(status);
    if (WIFSIGNALED(status))
        cli_warn("%s was ended by signal %d (%s)", argv[0], WTERMSIG(status), strsignal(WTERMSIG(status)));
    if (*code == 127 || *code == 126 || (!r.there && WIFSIGNALED(status)))
        return 0;
    return conclude(x, &r, argv[0], *code, e);
}

int cmd_exec(int argc, char **argv)
{
    struct exec x = {.folder = "/tmp/vivace-exec-XXXXXX"};
    const struct cli_option options[] = {
        {"gpu", 0, CLI_PATH, "DESIGN", &x.gpu, "simulate every launch on this design"},
        {"device", 0, CLI_PATH, "DESIGN", &x.device,
         "the device that the program sees; default: that of --gpu, or a100"},
        {"profile", 0, CLI_PATH, "FILE", &x.profile,
         "write a profile: warp instructions of each launch, or simulated times with --gpu"},
        {"trace", 0, CLI_PATH, "FILE", &x.trace, "write a .vtrace of the launches"},
        {"capture", 0, CLI_PATH, "DIR", &x.capture,
         "write launches as launch lists, each with all data that it reads"},
        {"plan", 0, CLI_PATH, "FILE", &x.plan, "trace or capture only the launches that this plan drew"},
        {"launch", 0, CLI_LIST, "N[-M]", &x.launches, "trace or capture only these launches, counted from 0"},
        {"checkpoint-at", 0, CLI_TEXT, "N", &x.checkpoint_at,
         "write the state after N launches to --out FILE, and continue"},
        {"out", 0, CLI_PATH, "FILE", &x.out, "the checkpoint to write"},
        {"resume", 0, CLI_PATH, "FILE", &x.resume, "skip the launches of a checkpoint"},
        {"check", 0, CLI_FLAG, NULL, &x.check,
         "undefined behaviour is a fault; memory that was not freed is reported"},
        {"summary", 0, CLI_FLAG, NULL, &x.summary, "print the number of launches on stderr at the end"},
        {"memory", 0, CLI_COUNT, "MIB", &x.memory_mib, "memory of the device; 16384"},
        {"limit", 0, CLI_COUNT, "N", &x.limit, "maximum number of warp instructions of a launch"},
        {NULL, 0, CLI_FLAG, NULL, NULL, NULL}};
    const struct cli_usage usage = {.command = "exec",
                                    .synopsis = "[--gpu DESIGN] [--profile FILE] PROGRAM [ARGS...]",
                                    .text = exec_text,
                                    .options = options,
                                    .least_args = 1,
                                    .most_args = CLI_REST};
    struct cli_args args;
    struct err e;
    int code = 0, ret = cli_parse(&usage, argc, argv, &args, &e);

    if (ret)
        return cli_parsed(ret, &e);
    if (check_options(&x, &e) != 0)
        return cli_end(-1, &e);
    if (!mkdtemp(x.folder)) {
        err_set_errno(&e, errno, "a folder in /tmp");
        return cli_end(-1, &e);
    }
    ret = exec_program(&x, args.items, &code, &e);
    remove_folder(&x);
    return code && ret == 0 ? code : cli_end(ret, &e);
}
