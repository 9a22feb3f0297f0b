/* The commands of a noun and a verb, in the order in which --help lists the verbs. */
#include "cli/nouns.h"

#define END                                                                                                        \
    {                                                                                                              \
        NULL, NULL, NULL, NULL                                                                                     \
    }

/* Verbs of earlier versions are at the end of a table, without a summary. */
static const struct cli_subcommand plan_verbs[] = {
    {"draw", plan_draw, "draw the launches of a profile to simulate, here; writes a plan file", NULL},
    {"trace", plan_trace, "make the script or list with which a tracer records the drawn launches", NULL},
    {"check", plan_check_list, "compare what a tracer counted with the profile of the plan", NULL},
    {"create", plan_farm, "make a plan of a pushed profile on the farm", NULL},
    {"list", plan_farm, "list the plans of the farm, the newest first", NULL},
    {"show", plan_farm, "show a plan's strata and its promised interval", NULL},
    {"fetch", plan_farm, "write the plan file, as `vivace simulate --plan` takes it", NULL},
    {"samples", plan_farm, "list the launches to trace", NULL},
    {"cost", plan_costs, "estimate what simulating a plan takes on the farm, in seconds and money", NULL},
    {"cycles", plan_farm, "write a profile of counts with cycles estimated from the farm's results", NULL},
    {"pilot", plan_farm, "show the progress of the pilot of a plan", NULL},
    {"pilots", plan_farm, "list the pilots of a profile", NULL},
    {"cancel", plan_farm, "end a pilot with its run", NULL},
    {"retry", plan_farm, "continue a pilot that failed or was cancelled", NULL},
    {"rename", plan_label, "give a plan a name", NULL},
    {"tag", plan_label, "set the tags of a plan", NULL},
    {"note", plan_label, "give a plan a note", NULL},
    {"archive", plan_label, "archive a plan: lists hide it, and its runs stay", NULL},
    {"restore", plan_label, "return a plan from the archive to the lists", NULL},
    {"delete", plan_label, "delete a plan with its runs", NULL},
    END};
const struct cli_noun noun_plan = {
    "plan",
    "Plans: which kernel launches to simulate, and how many launches each of them represents. `draw`, `trace` and\n"
    "`check` need no server; the others work on a farm.\n"
    "\n"
    "  vivace plan draw report.sqlite --error 5% --out plan.json\n"
    "  vivace plan create PROFILE --error 5%\n",
    plan_verbs, plan_draw, false};

static const struct cli_subcommand trace_verbs[] = {
    {"info", trace_info, "print one row for each kernel: shape, CTAs, warps, instructions, size; then the mix",
     NULL},
    {"dump", trace_dump, "print the instructions of a kernel as text, in whole or of one CTA or warp", NULL},
    {"verify", trace_verify, "read everything; report what is damaged, repaired or unknown", NULL},
    {"diff", trace_diff, "find where two sets of traces first differ, kernel by kernel", NULL},
    {"convert", trace_convert, "write traces as one small file that is read faster", NULL},
    {"features", trace_features, "count what sampling methods need: instructions, metrics, basic blocks", NULL},
    {"missing", trace_missing, "list the traces of a plan that the farm does not have yet", NULL},
    END};
const struct cli_noun noun_trace = {
    "trace",
    "Kernel traces: an Accel-Sim trace folder, a tar of one, or a single kernel file; plain, .gz, .xz or .zst.\n"
    "\n"
    "  vivace trace info traces/\n",
    trace_verbs, NULL, false};

static const struct cli_subcommand ptx_verbs[] = {
    {"list", ptx_cmd_list, "list the kernels of a module: parameters, registers, and what cannot be run", NULL},
    {"run", ptx_cmd_run, "run the launches of a list and check their results", NULL},
    {"diff", ptx_cmd_diff, "find the launch, and the instruction, from which the logs of two runs differ", NULL},
    {"print", ptx_cmd_print, "print the module as PTX text, as Vivace parsed it", NULL},
    END};
const struct cli_noun noun_ptx = {
    "ptx",
    "CUDA kernels run on this machine's CPU, without a GPU: from PTX, the text that `nvcc -ptx` and clang make.\n"
    "What a launch list is: docs/formats/launch-list.md.\n"
    "\n"
    "  vivace ptx run launches.json --check\n",
    ptx_verbs, NULL, false};

static const struct cli_subcommand sass_verbs[] = {
    {"list", sass_list, "list the kernels: registers, shared memory, parameters, barriers, constant banks", NULL},
    {"dump", sass_dump, "print the instructions with their control fields; name what is not decoded", NULL},
    {"run", sass_run, "run a launch list from machine code", NULL},
    {"compare", sass_compare, "run a launch list from PTX and from machine code, and compare all buffers", NULL},
    END};
const struct cli_noun noun_sass = {"sass",
                                   "Machine code of GPUs (SASS), sm_70 to sm_90: the kernels of a file and their "
                                   "instructions. No part of CUDA is needed.\n"
                                   "FILE is a cubin, a fat binary, a program or object file, or a static library.\n"
                                   "\n"
                                   "  vivace sass list ./program\n"
                                   "  vivace sass dump k.cubin --kernel name\n"
                                   "  vivace sass run k.cubin launches.json\n",
                                   sass_verbs, NULL, false};

static const struct cli_subcommand record_verbs[] = {
    {"show", record_show, "print minimum, mean and maximum of each rate, and the sum of each column", NULL},
    {"export", record_export, "write it interval by interval: as JSON, for Perfetto or for AerialVision", NULL},
    END};
const struct cli_noun noun_record = {
    "record",
    "Recordings of simulations: what happened in each interval of a launch. `vivace "
    "simulate --record DIR` writes them.\n"
    "\n"
    "  vivace record show recordings/0-v100.vrec\n",
    record_verbs, NULL, false};

static const struct cli_subcommand design_verbs[] = {
    {"list", design_list, "list the built-in designs, or with --farm those of the farm", NULL},
    {"show", design_show, "show every parameter: value, unit, source, meaning", NULL},
    {"diff", design_diff, "show only what differs between two designs", NULL},
    {"collective", design_collective, "of a system: what a collective operation takes, and by which algorithm",
     NULL},
    {"check", design_check, "report every fault of a design file", NULL},
    {"scale", design_scale, "derive another design, with some parameters set: --set gpu.sms=160", NULL},
    {"add", design_add, "add a design to the farm; prints its id", NULL},
    END};
const struct cli_noun noun_design = {
    "design",
    "GPU designs: the parameters of a GPU for the simulator. Many are built in. Name a file of your own by a path\n"
    "with a '/' or the ending .json. A farm can have further designs. A system is a design of several GPUs and "
    "what\n"
    "connects them (docs/systems.md); `list --systems` lists them.\n"
    "\n"
    "  vivace design show v100\n",
    design_verbs, NULL, false};

static const struct cli_subcommand farm_verbs[] = {
    {"show", farm_show, "show the farm at a glance: workers, queue, simulator", NULL},
    {"doctor", farm_doctor, "report what is wrong with the farm, a line each, and what to do", NULL},
    END};
const struct cli_noun noun_farm = {
    "farm",
    "The farm that `vivace login` remembered. What a server needs before it can start:\n"
    "`vivace admin check`, on its machine.\n"
    "\n"
    "  vivace farm show\n",
    farm_verbs, farm_show, true};

static const struct cli_subcommand workload_verbs[] = {
    {"list", workload_any, "list what was uploaded, with its newest plan and run", NULL},
    {"show", workload_any, "show a workload with all profiles, plans and runs (JSON)", NULL},
    {"rename", workload_any, "give a workload another name", NULL},
    {"archive", workload_any, "archive a workload: lists hide it, and all its data stays", NULL},
    {"restore", workload_any, "return a workload from the archive to the lists", NULL},
    {"delete", workload_any, "delete a workload with its profiles, plans, runs and results", NULL},
    END};
const struct cli_noun noun_workload = {"workload",
                                       "Workloads: what was uploaded, and all that was made of it.\n"
                                       "\n"
                                       "  vivace workload list\n",
                                       workload_verbs, NULL, false};

static const struct cli_subcommand run_verbs[] = {
    {"create", run_create, "simulate a plan on one or several GPU designs", NULL},
    {"list", run_list, "list runs, the newest first", NULL},
    {"watch", run_watch, "follow a run until it ends", NULL},
    {"projection", run_projection, "show the whole workload's time with its interval", NULL},
    {"compare", run_compare, "show the differences between the designs of a run", NULL},
    {"show", run_show, "show all that is known of a run, with what every estimator says", NULL},
    {"strata", run_strata, "list its strata: the time of each, and its share of the variance", NULL},
    {"convergence", run_convergence, "show how the interval became narrower", NULL},
    {"events", run_events, "list the events of a run", NULL},
    {"not-simulated", run_not_simulated, "list launches that could not be simulated, and their weight", NULL},
    {"extend", run_extend_verb, "simulate more of a run", NULL},
    {"accept", run_accept, "with --ask: accept the extension that the last interim analysis proposes", NULL},
    {"undo", run_undo, "end a run with the results that it had before it was extended", NULL},
    {"cache-check", run_cache_check, "measure the error of the assumed cache contents", NULL},
    {"cancel", run_change, "end a run; its results stay", NULL},
    {"pause", run_change, "start no more jobs of a run", NULL},
    {"resume", run_change, "continue a paused run", NULL},
    {"restart", run_change, "simulate all of a run again with the present simulator", NULL},
    {"rename", run_label, "give a run a name", NULL},
    {"tag", run_label, "set the tags of a run", NULL},
    {"note", run_label, "give a run a note", NULL},
    {"archive", run_label, "archive a run: lists hide it, and its jobs and results stay", NULL},
    {"restore", run_label, "return a run from the archive to the lists", NULL},
    {"delete", run_label, "delete a run that has ended; its results stay", NULL},
    END};
const struct cli_noun noun_run = {"run",
                                  "Runs: a plan simulated on one or several GPU designs by the workers of a farm.\n"
                                  "\n"
                                  "  vivace run create PLAN --gpu v100,h100 --wait\n",
                                  run_verbs, run_create, false};

static const struct cli_subcommand job_verbs[] = {
    {"list", job_list, "list the jobs of a run, with the reason of those that failed", NULL},
    {"show", job_any, "show a job with all its attempts and the end of their output", NULL},
    {"retry", job_any, "give a failed job fresh attempts", NULL},
    {"redraw", job_any, "replace the launch of a failed job by another of its stratum", NULL},
    {"drop", job_any, "continue the run without the launch of a failed job", NULL},
    END};
const struct cli_noun noun_job = {"job",
                                  "Jobs: one for each drawn launch and GPU design of a run.\n"
                                  "\n"
                                  "  vivace job list RUN --state failed\n",
                                  job_verbs, NULL, false};

static const struct cli_subcommand result_verbs[] = {
    {"show", result_show, "show rates and counters of a result, each with its unit and meaning", NULL},
    {"series", result_series, "show the series of a result: their names, one of them, or all for Perfetto", NULL},
    {"discard", result_discard, "discard results that were found wrong", NULL},
    {"discarded", result_discarded, "list what was discarded, when, by whom and why", NULL},
    END};
const struct cli_noun noun_result = {
    "result",
    "Results of the simulations of single launches. `vivace job list RUN --state done` lists those of a run.\n"
    "\n"
    "  vivace result show RESULT\n",
    result_verbs, NULL, false};

static const struct cli_subcommand token_verbs[] = {
    {"list", token_any, "list access tokens, never their secrets", NULL},
    {"create", token_any, "make a token; its secret is shown once", NULL},
    {"revoke", token_any, "revoke a token", NULL},
    END};
const struct cli_noun noun_token = {"token",
                                    "Access tokens of programs and workers.\n"
                                    "\n"
                                    "  vivace token create nightly --scopes read,write\n",
                                    token_verbs, NULL, false};

static const struct cli_subcommand user_verbs[] = {
    {"list", user_any, "list accounts (site admins)", NULL},
    {"create", user_any, "make an account; asks for its first password", NULL},
    {"password", user_any, "set a password; all sessions of the account end", NULL},
    {"disable", user_any, "end the sessions of an account and stop its tokens", NULL},
    {"enable", user_any, "enable an account again", NULL},
    {"add", user_any, NULL, "create"},
    END};
const struct cli_noun noun_user = {"user",
                                   "Accounts of people. Who belongs to which team: `vivace team`.\n"
                                   "\n"
                                   "  vivace user create ann\n",
                                   user_verbs, NULL, false};

static const struct cli_subcommand team_verbs[] = {
    {"list", team_any, "list your teams; a site admin sees all teams", NULL},
    {"create", team_any, "make a team (site admins)", NULL},
    {"members", team_any, "list who is in a team, with which role (owners)", NULL},
    {"add", team_any, "add an account to a team, or change its role", NULL},
    {"remove", team_any, "remove an account from a team", NULL},
    {"share", team_any, "set a team's share of the workers (site admins)", NULL},
    {"invite", team_any, "print a secret that lets one person join, once, within seven days", NULL},
    {"make", team_any, NULL, "create"},
    END};
const struct cli_noun noun_team = {
    "team",
    "Teams, and who is in them. Roles: viewer reads; member uploads, plans and runs too; "
    "owner manages\n"
    "members, tokens, links and the audit log.\n"
    "\n"
    "  vivace team add chips ann --role member\n",
    team_verbs, NULL, false};

static const struct cli_subcommand share_verbs[] = {
    {"list", share_any, "list the team's share links, never their secrets", NULL},
    {"create", share_any, "make a link to a run, a plan, a profile or a comparison; prints its address, once",
     NULL},
    {"revoke", share_any, "revoke a link", NULL},
    {"make", share_any, NULL, "create"},
    END};
const struct cli_noun noun_share = {
    "share",
    "Share links: an address that shows one thing in the dashboard, without an account, "
    "and nothing else of\n"
    "the team.\n"
    "\n"
    "  vivace share create run RUN --hide-names\n"
    "  vivace share create compare RUN:v100 RUN:h100 --frozen\n",
    share_verbs, NULL, false};
