/* What a run waits for that only somebody can bring: traces. */
#include "cli/farm.h"

int farm_run_waits(struct api *api, const json_t *run, struct run_waits *out, struct err *e)
{
    const char *plan = farm_text(run, "plan");
    json_t *traces;

    *out = (struct run_waits){.jobs = farm_count(run, "counts.blocked"), .plan = plan};
    if (out->jobs == 0)
        return 0;
    traces = farm_get(api, "/plans/", plan, "/traces", e);
    if (!traces)
        return -1;
    out->traces = farm_count(traces, "missing_count") - farm_count(traces, "in_file");
    if (out->traces == 0) /* all were sent, or are cut out of the profile's file: the jobs go on in a moment */
        out->jobs = 0;
    json_decref(traces);
    return 0;
}

void run_waits_say(const struct run_waits *w, struct strbuf *out)
{
    char jobs[CLI_NUMBER], traces[CLI_NUMBER];

    strbuf_addf(out, "%s %s for %s %s", cli_whole(w->jobs, jobs), w->jobs == 1 ? "job waits" : "jobs wait",
                cli_whole(w->traces, traces), w->traces == 1 ? "trace" : "traces");
}

void run_waits_say_what_now(const struct run_waits *w, struct strbuf *out)
{
    strbuf_addf(out, "`vivace push TRACES --plan %s` sends them; `vivace traces %s` lists them", w->plan, w->plan);
}

int farm_print_waits(struct api *api, const json_t *run, FILE *to, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    struct run_waits w;
    int ret = farm_run_waits(api, run, &w, e);

    if (ret == 0 && w.jobs > 0) {
        run_waits_say(&w, &b);
        strbuf_adds(&b, ": ");
        run_waits_say_what_now(&w, &b);
        if (b.failed)
            ret = err_no_memory(e);
        else
            fprintf(to, "%s\n", b.text);
    }
    strbuf_release(&b);
    return ret;
}
