/* vivace plan trace --missing: the launches of a run's plan whose traces the farm still lacks. */
#include <stdlib.h>
#include <string.h>

#include "cli/plan/cmd_plan_trace.h"
#include "cli/client/farm.h"

static char *address(const char *plan, const struct farm_trace_request *w, struct err *e)
{
    bool list = strcmp(w->tool, "list") == 0;
    struct strbuf b = STRBUF_INIT;

    if (farm_path_add(&b, "/plans/", plan, e) < 0) {
        strbuf_release(&b);
        return NULL;
    }
    strbuf_adds(&b, "/trace-commands?missing=true&for=");
    api_escape(&b, w->tool);
    strbuf_addf(&b, "&format=%s", w->output->json ? "json" : !list ? "sh" : w->output->csv ? "csv" : "text");
    if (!list)
        strbuf_addf(&b, "&passes=%llu", (unsigned long long)w->passes);
    if (w->offset)
        strbuf_addf(&b, "&offset=%llu", (unsigned long long)w->offset);
    if (w->context >= 0)
        strbuf_addf(&b, "&context=%lld", (long long)w->context);
    if (!b.failed)
        return b.text;
    strbuf_release(&b);
    err_no_memory(e);
    return NULL;
}

/* Finds the present plan of a run. The id of a plan is that plan. */
static int find_plan(struct api *api, const char *id, char plan[64], struct err *e)
{
    json_t *run = farm_get(api, "/runs/", id, "", e);

    if (!run && e->code != ERR_NOT_FOUND)
        return -1;
    snprintf(plan, 64, "%s", run ? farm_text(run, "plan") : id);
    json_decref(run);
    return 0;
}

int plan_trace_missing(const struct farm_trace_request *w, struct strbuf *out, struct err *e)
{
    char plan[64], *path = NULL, *text = NULL;
    struct api *api = NULL;
    size_t n;
    int ret = api_open(&api, e);

    if (ret == 0)
        ret = find_plan(api, w->id, plan, e);
    if (ret == 0) {
        path = address(plan, w, e);
        ret = path ? api_get_text(api, path, &text, &n, e) : -1;
    }
    if (ret == 0)
        strbuf_add(out, text, n);
    api_close(api);
    free(path);
    free(text);
    return ret;
}
