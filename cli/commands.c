/* The table of commands, and the help that shows their typical order. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/array.h"
#include "cli/nouns.h"

#define GROUP_LOCAL "Without a server"
#define GROUP_START "Start a farm"
#define GROUP_FARM  "On a farm"

const struct command commands[] = {
    {"inspect", GROUP_LOCAL, "show the contents of a profile or a set of traces, and what was dropped", cmd_inspect,
     NULL},
    {"methods", GROUP_LOCAL, "compare every sampling method on a profile", cmd_methods, NULL},
    {"plan", GROUP_LOCAL, "draw the launches to simulate, trace them; plans of the farm", NULL, &noun_plan},
    {"trace", GROUP_LOCAL, "show kernel traces, compare and convert them", NULL, &noun_trace},
    {"ptx", GROUP_LOCAL, "run CUDA kernels on the CPU from PTX, and check their results", NULL, &noun_ptx},
    {"sass", GROUP_LOCAL, "show and run the machine code in cubins, fat binaries and programs", NULL, &noun_sass},
    {"exec", GROUP_LOCAL, "run a CUDA program without a GPU; profile, trace, simulate what it launches", cmd_exec,
     NULL},
    {"simulate", GROUP_LOCAL, "simulate traces on GPU designs; with a plan, project the whole", cmd_simulate, NULL},
    {"correlate", GROUP_LOCAL, "compare simulated launches with measured ones: times and counters", cmd_correlate,
     NULL},
    {"validate", GROUP_LOCAL, "compare the simulator with values measured on real GPUs", cmd_validate, NULL},
    {"record", GROUP_LOCAL, "show what a simulation recorded over time", NULL, &noun_record},
    {"design", GROUP_LOCAL, "list, show, compare, check and derive GPU designs", NULL, &noun_design},
    {"server", GROUP_START, "start vivace-server: API, dashboard, queue, its own PostgreSQL", cmd_server, NULL},
    {"worker", GROUP_START, "start vivace-worker: takes jobs and simulates", cmd_worker, NULL},
    {"admin", GROUP_START, "back up, restore, check and clean up this machine's farm", cmd_admin, NULL},
    {"login", GROUP_FARM, "store the address of a server and a token", cmd_login, NULL},
    {"farm", GROUP_FARM, "show the farm at a glance; report what is wrong with it, and what to do", NULL,
     &noun_farm},
    {"push", GROUP_FARM, "upload a profile, or the traces that a plan needs", cmd_push, NULL},
    {"workload", GROUP_FARM, "list what was uploaded; show, rename, archive, delete it", NULL, &noun_workload},
    {"search", GROUP_FARM, "find workloads, kernels, plans and runs by a part of their names", cmd_search, NULL},
    {"run", GROUP_FARM, "simulate a plan on GPU designs; follow, project, compare, extend runs", NULL, &noun_run},
    {"job", GROUP_FARM, "list the jobs of a run; retry, replace or drop failed ones", NULL, &noun_job},
    {"result", GROUP_FARM, "show one simulated sample; discard wrong results", NULL, &noun_result},
    {"token", GROUP_FARM, "list, make and revoke access tokens", NULL, &noun_token},
    {"user", GROUP_FARM, "list accounts; make, disable one, set a password", NULL, &noun_user},
    {"team", GROUP_FARM, "list teams and members; add, invite, remove", NULL, &noun_team},
    {"share", GROUP_FARM, "make, list and revoke links that show one object", NULL, &noun_share},
    {"audit", GROUP_FARM, "list log-ins and changes of accounts, roles, tokens and links", cmd_audit, NULL},
    {NULL, NULL, NULL, NULL, NULL},
};

/* Commands of earlier versions: they still work, but --help does not list them. */
static const struct old_command {
    const char *name;
    const struct cli_noun *noun;
    const char *verb;   /* the verb where the line has none; NULL: that is an error */
    const char *option; /* added to `list` and `show`; NULL: none */
} old_commands[] = {
    {"plans", &noun_plan, "list", NULL},
    {"costs", &noun_plan, "cost", NULL},
    {"traces", &noun_trace, "missing", NULL},
    {"designs", &noun_design, "list", "--farm"},
    {"runs", &noun_run, "list", NULL},
    {"watch", &noun_run, "watch", NULL},
    {"projection", &noun_run, "projection", NULL},
    {"compare", &noun_run, "compare", NULL},
    {"jobs", &noun_job, "list", NULL},
    {"results", &noun_result, NULL, NULL},
    {"workloads", &noun_workload, "list", NULL},
    {"tokens", &noun_token, "list", NULL},
    {"users", &noun_user, "list", NULL},
    {"teams", &noun_team, "list", NULL},
    {"shares", &noun_share, "list", NULL},
    {NULL, NULL, NULL, NULL},
};

static const char introduction[] =
    "Vivace projects how long a GPU workload takes on GPUs that you do not have: it simulates a small, planned "
    "share\n"
    "of the kernel launches, and computes a confidence interval.\n"
    "\n"
    "The steps, on one machine:\n"
    "\n"
    "  vivace inspect report.sqlite                                  what was profiled\n"
    "  vivace methods report.sqlite --error 5%                       what each sampling method would cost\n"
    "  vivace plan draw report.sqlite --error 5% --out plan.json     which launches to simulate\n"
    "  vivace simulate traces/ --gpu v100,h100 --plan plan.json      simulate them, project the whole\n"
    "\n"
    "The same on a farm, where the jobs spread over many workers and the dashboard shows them:\n"
    "\n"
    "  vivace server                                                 prints an owner token once\n"
    "  vivace worker --server URL --token-file FILE                  one on each machine\n"
    "  vivace login URL --token-file FILE\n"
    "  vivace push report.sqlite                                     prints the profile's id\n"
    "  vivace plan create PROFILE --error 5%                         prints the plan's id\n"
    "  vivace push traces/ --plan PLAN                               only what the plan drew is sent\n"
    "  vivace run create PLAN --gpu v100,h100 --wait                 prints the projection\n";

static void print_help(void)
{
    const char *group = "";

    fputs(introduction, stdout);
    for (const struct command *c = commands; c->name; c++) {
        if (strcmp(group, c->group) != 0)
            printf("\n%s:\n", c->group);
        group = c->group;
        printf("  %-12s %s\n", c->name, c->summary);
    }
    fputs(
        "\n"
        "Each command has --help, most have --json and --csv. Exit code 0 means success, and no other code does.\n"
        "64 usage error, 65 the input is wrong, 66 not found, 69 the server cannot be reached,\n"
        "70 internal error or failed simulation, 71 out of memory, 74 reading or writing failed, 75 try again "
        "later,\n"
        "77 not allowed.\n",
        stdout);
}

static const struct command *find(const char *name, struct err *e)
{
    const char *names[64], *near;
    size_t n = 0;

    for (const struct command *c = commands; c->name; c++) {
        if (strcmp(c->name, name) == 0)
            return c;
        names[n++] = c->name;
    }
    err_set(e, ERR_USAGE, "there is no command `%s`", name);
    near = text_nearest(name, names, n);
    if (near)
        err_hint(e, "did you mean `vivace %s`? `vivace --help` lists all", near);
    else
        err_hint(e, "`vivace --help` lists all commands");
    return NULL;
}

static int run_command(const struct command *c, int argc, char **argv)
{
    return c->noun ? cli_choose(c->noun, argc, argv) : c->run(argc, argv);
}

/* True for an option whose value is the next word: all options except the flags of old commands. */
static bool has_value(const char *word)
{
    static const char *const flags[] = {"--json",        "--csv",        "--progress",  "--quiet",    "-q",
                                        "--help",        "-h",           "--wait",      "--new",      "--frozen",
                                        "--archived",    "--dry-run",    "--yes",       "-y",         "--ask",
                                        "--drop",        "--metrics",    "--bootstrap", "--opinions", "--collapse",
                                        "--quarantined", "--hide-names", "--site-admin"};

    if (word[0] != '-' || strchr(word, '='))
        return false;
    for (size_t i = 0; i < sizeof flags / sizeof *flags; i++)
        if (strcmp(word, flags[i]) == 0)
            return false;
    return true;
}

/* Index in argv of a verb of the noun; 0: none. In earlier versions options could be before the verb. */
static int verb_at(const struct cli_noun *noun, int argc, char **argv)
{
    for (int i = 1; i < argc; i++)
        if (cli_subcommand(noun->verbs, argv[i]))
            return i;
        else if (has_value(argv[i]))
            i++;
        else if (argv[i][0] != '-')
            return 0; /* not a verb: only the first word that is not an option can be one */
    return 0;
}

/* Runs an old command line as noun, verb and the other words. */
static int run_old(const struct old_command *old, int argc, char **argv)
{
    int at = verb_at(old->noun, argc, argv), n = 0, code;
    struct err e;
    char **line = mem_zalloc((size_t)argc + 3, sizeof *line, &e);

    if (!line)
        return cli_end(-1, &e);
    line[n++] = (char *)old->noun->name;
    if (at)
        line[n++] = argv[at];
    else if (old->verb && !(strcmp(old->verb, "list") == 0 && argc > 1 && strcmp(argv[1], "--help") == 0))
        line[n++] = (char *)old->verb;
    for (int i = 1; i < argc; i++)
        if (i != at)
            line[n++] = argv[i];
    if (old->option && n > 1 && (strcmp(line[1], "list") == 0 || strcmp(line[1], "show") == 0))
        line[n++] = (char *)old->option;
    code = cli_choose(old->noun, n, line);
    free(line);
    return code;
}

static const struct old_command *find_old(const char *name)
{
    for (const struct old_command *old = old_commands; old->name; old++)
        if (strcmp(name, old->name) == 0)
            return old;
    return NULL;
}

static int help(int argc, char **argv, struct err *e)
{
    char option[] = "--help", *line[] = {NULL, NULL, option, NULL};
    const struct command *c;

    if (argc < 3) {
        print_help();
        return cli_end(0, e);
    }
    c = find(argv[2], e);
    if (!c)
        return cli_end(-1, e);
    line[0] = argv[2];
    line[1] = argc > 3 ? argv[3] : option;
    return run_command(c, argc > 3 ? 3 : 2, line);
}

int cli_command(int argc, char **argv)
{
    const struct old_command *old = find_old(argv[0]);
    const struct command *c;
    struct err e;

    if (old)
        return run_old(old, argc, argv);
    c = find(argv[0], &e);
    return c ? run_command(c, argc, argv) : cli_end(-1, &e);
}

int cli_main(int argc, char **argv)
{
    struct err e = {.code = ERR_NONE};

    if (argc < 2) {
        err_set(&e, ERR_USAGE, "a command is missing");
        err_hint(&e, "`vivace --help` shows the steps from a profile to a projection");
        return cli_end(-1, &e);
    }
    if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return help(argc, argv, &e);
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "version") == 0) {
        printf("vivace %s\n", VIVACE_VERSION);
        return cli_end(0, &e);
    }
    return cli_command(argc - 1, argv + 1);
}
