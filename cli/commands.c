/* The table of commands, and the help that teaches the way through them. */
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/cli.h"

#define GROUP_LOCAL "Without a server"
#define GROUP_START "Start a farm"
#define GROUP_FARM  "On a farm"

const struct command commands[] = {
    {"inspect", GROUP_LOCAL, "say what is in a profile or a set of traces, and what was dropped", cmd_inspect},
    {"methods", GROUP_LOCAL, "compare every sampling method on a profile", cmd_methods},
    {"plan", GROUP_LOCAL, "draw the launches to simulate; trace, check: hand them to a tracer", cmd_plan_any},
    {"trace", GROUP_LOCAL, "look into kernel traces, compare and convert them", cmd_trace},
    {"ptx", GROUP_LOCAL, "run CUDA kernels on the CPU from PTX, and check their results", cmd_ptx},
    {"exec", GROUP_LOCAL, "run a CUDA program without a GPU; profile, trace, simulate what it launches", cmd_exec},
    {"simulate", GROUP_LOCAL, "simulate traces on GPU designs; with a plan, project the whole", cmd_simulate},
    {"record", GROUP_LOCAL, "look into what a simulation recorded over time", cmd_record},
    {"design", GROUP_LOCAL, "list, show, compare, check and derive GPU designs", cmd_design},
    {"server", GROUP_START, "start vivace-server: API, dashboard, queue, its own PostgreSQL", cmd_server},
    {"worker", GROUP_START, "start vivace-worker: takes jobs and simulates", cmd_worker},
    {"admin", GROUP_START, "back up, restore, check and tidy this machine's farm", cmd_admin},
    {"login", GROUP_FARM, "remember a server and its token", cmd_login},
    {"farm", GROUP_FARM, "the farm at a glance; doctor: what is wrong with it, and what to do", cmd_farm},
    {"push", GROUP_FARM, "upload a profile, or the traces that a plan needs", cmd_push},
    {"workloads", GROUP_FARM, "list what was uploaded, with its newest plan and run", cmd_workloads},
    {"search", GROUP_FARM, "find workloads, kernels, plans and runs by some letters of their names", cmd_search},
    {"plans", GROUP_FARM, "make, list, show and fetch plans", cmd_plans},
    {"costs", GROUP_FARM, "what simulating a plan takes on this farm, in seconds and money", cmd_costs},
    {"traces", GROUP_FARM, "say which traces of a plan are still missing", cmd_traces},
    {"designs", GROUP_FARM, "list and add GPU designs", cmd_designs},
    {"run", GROUP_FARM, "simulate a plan on one or several GPU designs", cmd_run},
    {"runs", GROUP_FARM, "list runs; cancel, pause, resume, restart one", cmd_runs},
    {"watch", GROUP_FARM, "follow a run until it ends", cmd_watch},
    {"projection", GROUP_FARM, "show the whole workload's time with its interval", cmd_projection},
    {"compare", GROUP_FARM, "show the differences between the designs of a run", cmd_compare},
    {"jobs", GROUP_FARM, "list the jobs of a run; retry, replace or drop failed ones", cmd_jobs},
    {"result", GROUP_FARM, "one simulated sample: counters, and what happened when", cmd_result},
    {"results", GROUP_FARM, "take back results that were found wrong", cmd_results},
    {"tokens", GROUP_FARM, "list, make and revoke access tokens", cmd_tokens},
    {"users", GROUP_FARM, "list accounts; make, disable one, set a password", cmd_users},
    {"teams", GROUP_FARM, "list teams and members; add, invite, remove", cmd_teams},
    {"shares", GROUP_FARM, "make, list and revoke links that show one thing", cmd_shares},
    {"audit", GROUP_FARM, "who changed who may do what, and who logged in", cmd_audit},
    {NULL, NULL, NULL, NULL},
};

static const char introduction[] =
    "Vivace projects how long a GPU workload takes on GPUs that you do not have: it simulates a small, planned "
    "share\n"
    "of the kernel launches and says how sure the answer is.\n"
    "\n"
    "The way through, on one machine:\n"
    "\n"
    "  vivace inspect report.sqlite                                  what was profiled\n"
    "  vivace methods report.sqlite --error 5%                       what each sampling method would cost\n"
    "  vivace plan report.sqlite --error 5% --out plan.json          which launches to simulate\n"
    "  vivace simulate traces/ --gpu v100,h100 --plan plan.json      simulate them, project the whole\n"
    "\n"
    "The same on a farm, where the jobs spread over many workers and the dashboard shows them:\n"
    "\n"
    "  vivace server                                                 prints an owner token once\n"
    "  vivace worker --server URL --token-file FILE                  as many as you have machines\n"
    "  vivace login URL --token-file FILE\n"
    "  vivace push report.sqlite                                     prints the profile's id\n"
    "  vivace plans create PROFILE --error 5%                        prints the plan's id\n"
    "  vivace push traces/ --plan PLAN                               only what the plan drew is sent\n"
    "  vivace run PLAN --gpu v100,h100 --wait                        prints the projection\n";

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
        "\nEach command has --help, most have --json and --csv. Exit code 0 means success, and nothing else does.\n"
        "64 the line is not understood, 65 the input is wrong, 66 not found, 69 the server cannot be reached,\n"
        "70 a defect or a failed simulation, 71 out of memory, 74 reading or writing failed, 75 try again later,\n"
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

static int help(int argc, char **argv, struct err *e)
{
    char option[] = "--help", *line[] = {NULL, option, NULL};
    const struct command *c;

    if (argc < 3) {
        print_help();
        return cli_end(0, e);
    }
    c = find(argv[2], e);
    if (!c)
        return cli_end(-1, e);
    line[0] = argv[2];
    return c->run(2, line);
}

int cli_main(int argc, char **argv)
{
    const struct command *c;
    struct err e = {.code = ERR_NONE};

    if (argc < 2) {
        err_set(&e, ERR_USAGE, "a command is missing");
        err_hint(&e, "`vivace --help` shows the way from a profile to a projection");
        return cli_end(-1, &e);
    }
    if (strcmp(argv[1], "help") == 0 || strcmp(argv[1], "--help") == 0 || strcmp(argv[1], "-h") == 0)
        return help(argc, argv, &e);
    if (strcmp(argv[1], "--version") == 0 || strcmp(argv[1], "version") == 0) {
        printf("vivace %s\n", VIVACE_VERSION);
        return cli_end(0, &e);
    }
    c = find(argv[1], &e);
    return c ? c->run(argc - 1, argv + 1) : cli_end(-1, &e);
}
