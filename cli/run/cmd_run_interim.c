/* vivace run extend, accept, undo: extends a run, and answers an interim analysis that waits. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "cli/run/cmd_run.h"
#include "cli/client/farm.h"
#include "cli/input/rule_options.h"

/* --- vivace run extend --- */

static const char extend_help[] =
    "Adds a stopping rule to a run without one, or continues a run that its budget ended. Interim\n"
    "analyses follow. While the promise is not kept, more launches are drawn, traced and simulated.\n"
    "No simulated result is discarded. The command first prints the cost of the next analysis: jobs\n"
    "of each design, and missing traces. On a terminal it then asks before it continues. A budget is\n"
    "added to what was spent. An analysis that kept its promise has used up the confidence level. For\n"
    "a narrower interval, start another run: `vivace run create PLAN --until 1%`. It reuses all results.\n"
    "\n"
    "Examples:\n"
    "  vivace run extend 0193c2da-… --until 1%\n"
    "  vivace run extend 0193c2da-… --until 1% --budget 2h --ask\n";

struct extend_request {
    struct rule_options rule;
    bool yes;
    struct cli_output output;
};

static int post_rule(struct api *api, const char *run, const char *after, const struct rule_options *rule,
                     json_t **answer, struct err *e)
{
    struct json_obj o = json_obj_begin();
    int ret = rule_options_put(rule, &o, e);
    json_t *body = json_obj_end(&o);
    char *path = ret == 0 ? farm_path("/runs/", run, after, e) : NULL;

    if (!path) {
        json_decref(body);
        return -1;
    }
    ret = api_post(api, path, body, answer, e);
    free(path);
    return ret;
}

/* Asks for confirmation on a terminal. Without a terminal, or with --yes, it continues. */
static bool goes_on(bool yes)
{
    char line[16] = "";

    if (yes || !isatty(STDIN_FILENO) || !isatty(STDERR_FILENO))
        return true;
    fprintf(stderr, "Go on? [y/N] ");
    return fgets(line, sizeof line, stdin) && (*line == 'y' || *line == 'Y');
}

int run_extend(struct api *api, const char *run, const struct rule_options *rule, bool yes,
               const struct cli_output *output, struct err *e)
{
    json_t *cost = NULL, *answer = NULL;

    if (post_rule(api, run, "/extend/cost", rule, &cost, e) < 0)
        return -1;
    farm_print_extension(cost, stderr);
    json_decref(cost);
    if (!goes_on(yes)) {
        printf("run %s: unchanged\n", run);
        return 0;
    }
    if (post_rule(api, run, "/extend", rule, &answer, e) < 0)
        return -1;
    if (output->json)
        return cli_print_json(answer, e);
    printf("run %s: %s; `vivace run watch %s` shows its progress\n", run, farm_text(answer, "state"), run);
    json_decref(answer);
    return 0;
}

static int extend(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    const struct extend_request *r = ctx;

    if (r->rule.until == 0 && r->rule.resolve == 0)
        return err_set(e, ERR_USAGE, "run extend: --until or --resolve is missing");
    return run_extend(api, args->items[0], &r->rule, r->yes, &r->output, e);
}

int run_extend_verb(int argc, char **argv)
{
    struct extend_request r = {.output = {.json = false}};
    const struct cli_option options[] = {CLI_RULE_OPTIONS(r.rule), RUN_EXTEND_YES(r.yes), {.name = NULL}};
    const struct cli_usage usage = {
        "run extend", "RUN --until 1% [--budget 4h] [--ask] [--yes]", extend_help, options, &r.output, false, 1, 1};

    return farm_command(argc, argv, &usage, extend, &r);
}

/* --- vivace run accept, undo --- */

static const char accept_help[] =
    "Accepts the extension that the last interim analysis proposed: its launches are simulated.\n"
    "\n"
    "Example:\n"
    "  vivace run accept 0193c2da-…\n";
static const char undo_help[] =
    "Declines the extension that the last interim analysis proposed, or undoes it while it is simulated.\n"
    "The run ends with the results that it had before.\n"
    "\n"
    "Example:\n"
    "  vivace run undo 0193c2da-…\n";

struct answer_request {
    const char *verb;
    struct cli_output output;
};

/* Answers the last interim analysis: no other can be answered. */
static int send_answer(struct api *api, const char *run, const char *verb, json_t **answer, struct err *e)
{
    json_t *v = farm_get(api, "/runs/", run, "", e);
    char after[64], *path;
    int ret;

    if (!v)
        return -1;
    snprintf(after, sizeof after, "/looks/%zu/%s", json_array_size(farm_member(v, "looks")), verb);
    if (json_array_size(farm_member(v, "looks")) == 0) {
        json_decref(v);
        return err_set(e, ERR_CONFLICT, "the run has had no interim analysis yet, so there is nothing to answer");
    }
    json_decref(v);
    path = farm_path("/runs/", run, after, e);
    ret = path ? api_post(api, path, json_object(), answer, e) : -1;
    free(path);
    return ret;
}

static int answer_last(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    const struct answer_request *r = ctx;
    json_t *answer = NULL;

    if (send_answer(api, args->items[0], r->verb, &answer, e) < 0)
        return -1;
    if (r->output.json)
        return cli_print_json(answer, e);
    printf("run %s: %s\n", args->items[0], farm_text(answer, "state"));
    json_decref(answer);
    return 0;
}

int run_accept(int argc, char **argv)
{
    struct answer_request r = {.verb = "accept"};
    const struct cli_usage usage = {"run accept", "RUN", accept_help, NULL, &r.output, false, 1, 1};

    return farm_command(argc, argv, &usage, answer_last, &r);
}

int run_undo(int argc, char **argv)
{
    struct answer_request r = {.verb = "undo"};
    const struct cli_usage usage = {"run undo", "RUN", undo_help, NULL, &r.output, false, 1, 1};

    return farm_command(argc, argv, &usage, answer_last, &r);
}
