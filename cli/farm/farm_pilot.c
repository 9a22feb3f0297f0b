#include "cli/farm/farm_pilot.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const struct farm_column columns[] = {
    {{"pilot", "id", false, false}, "id", FARM_TEXT},
    {{"gpu", "design", false, false}, "design", FARM_TEXT},
    {{"state", "state", false, false}, "state", FARM_TEXT},
    {{"launches", "launches", true, false}, "launches", FARM_COUNT},
    {{"simulated", "simulated", true, false}, "simulated", FARM_COUNT},
    {{"plan", "plan", false, false}, "plan", FARM_TEXT},
    {{"cycles", "cycles", false, false}, "cycles", FARM_TEXT},
    {{"begun", "created_at", false, false}, "created_at", FARM_TEXT},
    {{"problem", "problem", false, true}, "problem", FARM_TEXT},
};

int farm_pilot_begin(struct api *api, const char *profile, const char *gpu, json_t *plan, json_t **out,
                     struct err *e)
{
    char *path = farm_path("/profiles/", profile, "/pilots", e);
    struct json_obj o = json_obj_begin();
    int ret = -1;

    json_put_str(&o, "design", gpu);
    json_put(&o, "plan", plan);
    if (path)
        ret = api_post(api, path, json_obj_end(&o), out, e);
    else
        json_decref(json_obj_end(&o));
    free(path);
    return ret;
}

int farm_pilot_act(struct api *api, const char *pilot, const char *act, json_t **out, struct err *e)
{
    struct strbuf path = STRBUF_INIT;
    int ret = farm_path_add(&path, "/pilots/", pilot, e);

    strbuf_addf(&path, "/%s", act);
    if (ret == 0)
        ret = path.failed ? err_no_memory(e) : api_post(api, path.text, json_object(), out, e);
    strbuf_release(&path);
    return ret;
}

/* Describes the pilot's present activity. */
static void doing(const json_t *p, char *out, size_t size)
{
    const char *state = farm_text(p, "state"), *run = farm_text(p, "run_state");
    char a[CLI_NUMBER], b[CLI_NUMBER];

    if (strcmp(state, "starting") == 0)
        snprintf(out, size, "its run is being made");
    else if (strcmp(state, "simulating") == 0)
        snprintf(out, size, "%s of %s simulated%s", cli_whole(farm_count(p, "simulated"), a),
                 cli_counted(farm_count(p, "launches"), "launch", "launches", b),
                 strcmp(run, "paused") == 0 ? "; its run is paused" : "");
    else if (strcmp(state, "planning") == 0)
        snprintf(out, size, "planning on the cycles");
    else
        snprintf(out, size, "%s", state);
}

int farm_pilot_follow(struct api *api, const char *pilot, json_t **out, struct err *e)
{
    const struct timespec pause = {.tv_sec = 1};
    const char *state, *why;
    char text[160];

    for (;;) {
        *out = farm_get(api, "/pilots/", pilot, "", e);
        if (!*out || *farm_text(*out, "finished_at"))
            break;
        doing(*out, text, sizeof text);
        why = farm_text(*out, "problem");
        cli_progress("pilot: %s%s%s", text, *why ? "; it is tried again: " : "", why);
        json_decref(*out);
        nanosleep(&pause, NULL);
    }
    cli_progress_end();
    if (!*out)
        return -1;
    state = farm_text(*out, "state");
    if (strcmp(state, "done") == 0)
        return 0;
    err_set(e, ERR_SIMULATION, "the pilot %s: %s", strcmp(state, "failed") == 0 ? "failed" : "was cancelled",
            farm_text(*out, "problem"));
    return err_hint(e, "`vivace plan retry %s` continues with the present results.", pilot);
}

int farm_pilot_print(const json_t *p, const struct cli_output *o, struct err *e)
{
    const char *id = farm_text(p, "id"), *state = farm_text(p, "state");
    char text[160];

    if (o->json)
        return cli_print_json(json_incref((json_t *)p), e);
    doing(p, text, sizeof text);
    printf("pilot     %s of %s, on %s\n", id, farm_text(p, "workload_name"), farm_text(p, "design"));
    printf("state     %s\n", text);
    if (*farm_text(p, "problem"))
        cli_print_wrapped("problem", farm_text(p, "problem"), 10);
    if (*farm_text(p, "run"))
        printf("run       %s\n", farm_text(p, "run"));
    if (*farm_text(p, "cycles"))
        printf("cycles    profile %s\n", farm_text(p, "cycles"));
    if (*farm_text(p, "note"))
        cli_print_wrapped("note", farm_text(p, "note"), 10);
    if (*farm_text(p, "plan"))
        printf("plan      %s\n", farm_text(p, "plan"));
    if (strcmp(state, "done") == 0)
        printf("next      vivace plan show %s\n", farm_text(p, "plan"));
    else
        printf("next      vivace plan %s %s%s\n", *farm_text(p, "finished_at") ? "retry" : "pilot", id,
               *farm_text(p, "finished_at") ? "" : " --wait");
    return 0;
}

int farm_pilot_list(struct api *api, const char *profile, const struct cli_output *o, struct err *e)
{
    const struct farm_query query[] = {{NULL, NULL}};
    char *path = farm_path("/profiles/", profile, "/pilots", e);
    json_t *items = path ? farm_list_all(api, path, query, e) : NULL;

    free(path);
    return farm_print_list(items, columns, sizeof columns / sizeof *columns, o,
                           "no pilots; `vivace plan create PROFILE --pilot GPU` makes one", e);
}
