/* vivace result discard, discarded: withdraws wrong results, for all runs that use them. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/client/farm.h"
#include "cli/nouns.h"

static const char help_text[] =
    "Discards results that were found wrong, for all runs that used them.\n"
    "\n"
    "It chooses the results that match all of --worker, --from and --to (when they were stored), --simulator, "
    "--result\n"
    "and --quarantined. It first shows the effect, and asks. --dry-run shows only the effect; --yes does not ask.\n"
    "\n"
    "Discarded results are kept, marked, and not used any more. The launches of all runs that used them are "
    "simulated\n"
    "again (a run that had ended continues), and totals, differences and cache states are computed again. Runs "
    "whose\n"
    "jobs were deleted (--keep-jobs of the server) keep their figures. Only a site admin may discard results; the "
    "audit\n"
    "log records it. --quarantined: results that differ between two workers (--recheck of the server); their jobs "
    "have\n"
    "failed until then. First revoke the token of a worker that is not reliable (`vivace token`).\n"
    "\n"
    "Examples:\n"
    "  vivace result discard --worker node7 --from 2026-11-20 --dry-run\n"
    "  vivace result discard --worker node7 --from 2026-11-20 --why \"bad memory\"\n";

static const struct farm_column discard_columns[] = {
    {{"when", "at", false, false}, "at", FARM_TEXT},
    {{"who", "by", false, false}, "by", FARM_TEXT},
    {{"results", "results", true, false}, "results", FARM_COUNT},
    {{"jobs", "jobs", true, false}, "jobs", FARM_COUNT},
    {{"runs", "runs", true, false}, "runs", FARM_COUNT},
    {{"why", "why", false, true}, "why", FARM_TEXT},
};

struct discard_request {
    const char *worker, *from, *to, *simulator, *result, *why;
    bool quarantined, dry_run, yes;
    struct cli_output output;
};

static json_t *body_of(const struct discard_request *r, bool dry_run)
{
    const char *const pairs[][2] = {{"worker", r->worker},       {"from", r->from},     {"to", r->to},
                                    {"simulator", r->simulator}, {"result", r->result}, {"why", r->why}};
    struct json_obj o = json_obj_begin();

    for (size_t i = 0; i < sizeof pairs / sizeof pairs[0]; i++)
        if (pairs[i][1])
            json_put_str(&o, pairs[i][0], pairs[i][1]);
    if (r->quarantined)
        json_put_bool(&o, "quarantined", true);
    if (dry_run)
        json_put_bool(&o, "dry_run", true);
    return json_obj_end(&o);
}

static void print_cost(const json_t *cost, FILE *to)
{
    const json_t *workers = farm_member(cost, "workers");
    uint64_t over = farm_count(cost, "runs_over"), links = farm_count(cost, "frozen_links");
    char a[CLI_NUMBER], b[CLI_NUMBER], c[CLI_NUMBER];

    fprintf(to, "%s, stored from %s to %s\n", cli_counted(farm_count(cost, "results"), "result", NULL, a),
            farm_text(cost, "first_at"), farm_text(cost, "last_at"));
    for (size_t i = 0; i < json_array_size(workers); i++) {
        const json_t *w = json_array_get(workers, i);

        fprintf(to, "  %s of %s, simulator %s\n", cli_whole(farm_count(w, "results"), a),
                *farm_text(w, "worker") ? farm_text(w, "worker") : "a worker that is no longer known",
                farm_text(w, "simulator"));
    }
    fprintf(to, "%s in %s of %s to be simulated again", cli_counted(farm_count(cost, "jobs"), "job", NULL, a),
            cli_counted(farm_count(cost, "runs"), "run", NULL, b),
            cli_counted(farm_count(cost, "teams"), "team", NULL, c));
    if (over)
        fprintf(to, "; %s had ended, and %s on", cli_whole(over, a), over == 1 ? "goes" : "go");
    fprintf(to, "\n");
    if (links)
        fprintf(to, "%s of these runs will state that their figures depend on them\n",
                cli_counted(links, "frozen link", NULL, a));
}

/* Asks for confirmation on a terminal. A script must give --yes: without it and without a terminal nothing is
 * withdrawn. */
static int ask(bool yes, struct err *e)
{
    char line[16] = "";

    if (yes)
        return 0;
    if (!isatty(STDIN_FILENO) || !isatty(STDERR_FILENO)) {
        err_set(e, ERR_USAGE, "result discard: standard input is not a terminal, so the question cannot be asked");
        return err_hint(e, "--yes discards without a question; --dry-run shows the effect");
    }
    fprintf(stderr, "Discard them? [y/N] ");
    if (fgets(line, sizeof line, stdin) && (*line == 'y' || *line == 'Y'))
        return 0;
    return err_set(e, ERR_USAGE, "nothing was discarded");
}

static int post(struct api *api, const struct discard_request *r, bool dry_run, json_t **out, struct err *e)
{
    return api_post(api, "/discards", body_of(r, dry_run), out, e);
}

static int discard(struct api *api, const struct discard_request *r, struct err *e)
{
    json_t *cost = NULL, *done = NULL;
    int ret;

    if (!r->dry_run && !r->why)
        return err_set(e, ERR_USAGE, "result discard: --why is missing: the runs that used the results show it");
    ret = post(api, r, true, &cost, e);
    if (ret < 0)
        return -1;
    if (r->dry_run && r->output.json)
        return cli_print_json(cost, e);
    print_cost(cost, r->dry_run ? stdout : stderr);
    json_decref(cost);
    if (r->dry_run)
        return 0;
    if (ask(r->yes, e) < 0 || post(api, r, false, &done, e) < 0)
        return -1;
    if (r->output.json)
        return cli_print_json(done, e);
    printf("discarded: %s\n", farm_text(done, "id"));
    json_decref(done);
    return 0;
}

static int discard_verb(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    (void)args;
    return discard(api, ctx, e);
}

int result_discard(int argc, char **argv)
{
    struct discard_request r = {.worker = NULL};
    const struct cli_option options[] = {
        {"worker", 0, CLI_TEXT, "NAME", &r.worker, "simulated by this worker"},
        {"from", 0, CLI_TEXT, "TIME", &r.from,
         "stored since this day or time, as 2026-11-01 or 2026-11-01T12:00:00Z"},
        {"to", 0, CLI_TEXT, "TIME", &r.to, "stored before it"},
        {"simulator", 0, CLI_TEXT, "VERSION", &r.simulator, "of this version"},
        {"result", 0, CLI_TEXT, "ID", &r.result, "one result, by its id or its key"},
        {"quarantined", 0, CLI_FLAG, NULL, &r.quarantined, "results that differ between two workers"},
        {"why", 0, CLI_TEXT, "TEXT", &r.why, "why they are wrong; all runs that used them show this"},
        {"dry-run", 0, CLI_FLAG, NULL, &r.dry_run, "shows the effect, and changes nothing"},
        {"yes", 0, CLI_FLAG, NULL, &r.yes, "does not ask"},
        {.name = NULL}};
    const struct cli_usage usage = {
        "result discard",
        "--worker NAME|--from TIME|--to TIME|--simulator VERSION|--result ID|--quarantined --why TEXT [--dry-run] "
        "[--yes]",
        help_text,
        options,
        &r.output,
        false,
        0,
        0};

    return farm_command(argc, argv, &usage, discard_verb, &r);
}

static int discarded(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    (void)args;
    return farm_print_list(api_list_all(api, "/discards?limit=1000", e), discard_columns,
                           sizeof discard_columns / sizeof *discard_columns, ctx, "nothing was discarded", e);
}

int result_discarded(int argc, char **argv)
{
    struct cli_output o = {.json = false};
    const struct cli_usage usage = {
        "result discarded", "", "Lists what was discarded, when, by whom and why.\n", NULL, &o, true, 0, 0};

    return farm_command(argc, argv, &usage, discarded, &o);
}
