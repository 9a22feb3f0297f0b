/* vivace run|plan rename, tag, note, archive, restore, delete: what users give to runs and plans of the farm. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "cli/client/farm.h"
#include "cli/nouns.h"

static const struct cli_verb run_verbs[] = {
    {"rename", "RUN NAME", NULL, 2, 2, "Gives a run a name. An empty NAME removes the name.\n"},
    {"tag", "RUN [TAG ...]", NULL, 1, 17, "Sets the tags of a run. Without a TAG, all its tags are removed.\n"},
    {"note", "RUN TEXT", NULL, 2, 2, "Gives a run a note. An empty TEXT removes the note.\n"},
    {"archive", "RUN", NULL, 1, 1,
     "Archives a run: lists show it only with --archived. Its jobs and results stay.\n"},
    {"restore", "RUN", NULL, 1, 1, "Returns a run from the archive to the lists.\n"},
    {"delete", "RUN [--all]", " all ", 1, 1,
     "Deletes a run that has ended. Its results stay, and other runs can use them.\n"
     "\nIf other objects depend on the run, the command lists them, and deletes only with --all.\n"},
    {NULL, NULL, NULL, 0, 0, NULL}};

static const struct cli_verb plan_verbs[] = {
    {"rename", "PLAN NAME", NULL, 2, 2, "Gives a plan a name. An empty NAME removes the name.\n"},
    {"tag", "PLAN [TAG ...]", NULL, 1, 17, "Sets the tags of a plan. Without a TAG, all its tags are removed.\n"},
    {"note", "PLAN TEXT", NULL, 2, 2, "Gives a plan a note. An empty TEXT removes the note.\n"},
    {"archive", "PLAN", NULL, 1, 1, "Archives a plan: lists show it only with --archived. Its runs stay.\n"},
    {"restore", "PLAN", NULL, 1, 1, "Returns a plan from the archive to the lists.\n"},
    {"delete", "PLAN [--all]", " all ", 1, 1,
     "Deletes a plan, with its runs if none of them is open.\n"
     "\nIf other objects depend on the plan, the command lists them, and deletes only with --all.\n"},
    {NULL, NULL, NULL, 0, 0, NULL}};

struct request {
    const char *noun, *before; /* "run", "/runs/" */
    bool all;
    struct cli_output output;
};

static int set_text(struct api *api, const struct request *r, const struct cli_args *args, const char *member,
                    const char *said, struct err *e)
{
    if (cli_need_utf8(args->items[1], member, e) < 0)
        return -1;
    return farm_change(api, r->noun, r->before, args->items[0], json_pack("{s:s}", member, args->items[1]), said,
                       e);
}

static int set_tags(struct api *api, const struct request *r, const struct cli_args *args, struct err *e)
{
    json_t *tags = json_array();

    for (size_t i = 1; i < (size_t)args->count; i++) {
        if (cli_need_utf8(args->items[i], "tag", e) < 0) {
            json_decref(tags);
            return -1;
        }
        json_array_append_new(tags, json_string(args->items[i]));
    }
    return farm_change(api, r->noun, r->before, args->items[0], json_pack("{s:o}", "tags", tags),
                       "now has these tags", e);
}

/* Prints what depends on it. Returns how many, -1 on failure. */
static int list_dependents(struct api *api, const struct request *r, const char *id, struct err *e)
{
    json_t *answer = farm_get(api, r->before, id, "/dependents", e), *items = json_object_get(answer, "items");
    int count = answer ? (int)json_array_size(items) : -1;

    for (size_t i = 0; i < json_array_size(items); i++) {
        const json_t *item = json_array_get(items, i);

        printf("%s %s: %s, %s\n", farm_text(item, "kind"), farm_text(item, "id"), farm_text(item, "name"),
               farm_text(item, "state"));
    }
    json_decref(answer);
    return count;
}

static int delete_one(struct api *api, const struct request *r, const char *id, struct err *e)
{
    int count = list_dependents(api, r, id, e);

    if (count < 0)
        return -1;
    if (count > 0 && !r->all) {
        err_set(e, ERR_CONFLICT, "%s delete: the list above depends on %s %s", r->noun, r->noun, id);
        return err_hint(e, "--all deletes it nevertheless: its runs are deleted, links show nothing, pilots stay.");
    }
    return farm_delete(api, r->noun, r->before, id, e);
}

static int label(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    const struct request *r = ctx;
    const char *verb = args->verb, *id = args->items[0];

    if (strcmp(verb, "rename") == 0)
        return set_text(api, r, args, "name", "now has that name", e);
    if (strcmp(verb, "note") == 0)
        return set_text(api, r, args, "note", "now has that note", e);
    if (strcmp(verb, "tag") == 0)
        return set_tags(api, r, args, e);
    if (strcmp(verb, "archive") == 0)
        return farm_change(api, r->noun, r->before, id, json_pack("{s:b}", "archived", 1), "is archived", e);
    if (strcmp(verb, "restore") == 0)
        return farm_change(api, r->noun, r->before, id, json_pack("{s:b}", "archived", 0), "is back in the list",
                           e);
    return delete_one(api, r, id, e);
}

static int command(int argc, char **argv, const char *noun, const char *before, const struct cli_verb *verbs)
{
    struct request r = {.noun = noun, .before = before};
    const struct cli_option options[] = {{"all", 0, CLI_FLAG, NULL, &r.all, "delete it with what depends on it"},
                                         {.name = NULL}};
    const struct cli_usage usage = {.command = noun, .options = options, .output = &r.output};

    return farm_verb_command(argc, argv, &usage, verbs, label, &r);
}

int run_label(int argc, char **argv)
{
    return command(argc, argv, "run", "/runs/", run_verbs);
}

int plan_label(int argc, char **argv)
{
    return command(argc, argv, "plan", "/plans/", plan_verbs);
}
