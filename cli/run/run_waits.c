/* Reports what a run waits for that the user must supply: traces, and workers with its simulator. */
#include <string.h>

#include "cli/client/farm.h"

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
    /* All traces were sent, or are being extracted from the profile's file: the jobs will continue. */
    if (out->traces == 0)
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
    strbuf_addf(out, "`vivace push TRACES --plan %s` sends them; `vivace trace missing %s` lists them", w->plan,
                w->plan);
}

bool run_stranded_say(const json_t *run, struct strbuf *out)
{
    const json_t *s = farm_member(run, "stranded"), *simulators = farm_member(s, "simulators");
    uint64_t jobs = farm_count(s, "jobs");
    bool replay = strcmp(farm_text(run, "engine"), "replay") == 0;
    char n[CLI_NUMBER];

    if (!json_is_object(s))
        return false;
    strbuf_addf(out, "%s", cli_counted(jobs, "job waits", "jobs wait", n));
    if (replay || farm_count(s, "workers") == 0) {
        strbuf_addf(out, " and no worker %s: `vivace worker` starts one", replay ? "replays" : "is connected");
        return true;
    }
    strbuf_addf(out, " for simulator %s, which no connected worker has", farm_text(run, "simulator"));
    for (size_t i = 0; i < json_array_size(simulators); i++)
        strbuf_addf(out, "%s%s", i ? ", " : " (they have ", json_string_value(json_array_get(simulators, i)));
    strbuf_addf(
        out,
        "%s: start one that has it, or `vivace run restart %s --simulator new` simulates the whole run with "
        "the farm's",
        json_array_size(simulators) ? ")" : "", farm_text(run, "id"));
    return true;
}

int farm_print_waits(struct api *api, const json_t *run, FILE *to, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    struct run_waits w;
    int ret = farm_run_waits(api, run, &w, e);

    if (ret == 0 && run_stranded_say(run, &b) && !b.failed)
        fprintf(to, "%s\n", b.text);
    strbuf_clear(&b);
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
