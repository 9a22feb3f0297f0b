/* vivace job: lists the jobs of a run; retries a failed job, or replaces or drops its launch. */
#include <stdlib.h>
#include <string.h>

#include "cli/client/farm.h"
#include "cli/nouns.h"

static const char list_help[] = "Lists the jobs of a run, with the reason of those that failed.\n"
                                "\n"
                                "States: blocked (its trace is missing), ready, leased, done, failed, cancelled.\n"
                                "\n"
                                "Example:\n"
                                "  vivace job list 0193c2da-… --state failed\n";

#define SAME_STRATUM                                                                                               \
    "The projection assumes that the launch is similar to the others of its stratum. No interval covers an error " \
    "of this\nassumption, and the run reports it. `vivace run not-simulated RUN` lists such launches and their "   \
    "weight.\n"

static const struct cli_verb verbs[] = {
    {"show", "JOB", NULL, 1, 1, "Shows a job with all its attempts and the end of their output.\n"},
    {"retry", "JOB", NULL, 1, 1, "Gives a failed job fresh attempts.\n"},
    {"redraw", "JOB", NULL, 1, 1,
     "Replaces the launch of a failed job by another launch of its stratum.\n"
     "\n" SAME_STRATUM},
    {"drop", "JOB", NULL, 1, 1,
     "Continues the run without the launch of a failed job.\n"
     "\n" SAME_STRATUM},
    {NULL, NULL, NULL, 0, 0, NULL}};

static const struct farm_column job_columns[] = {
    {{"job", "id", false, false}, "id", FARM_TEXT},
    {{"launch", "launch", true, false}, "launch", FARM_COUNT},
    {{"stratum", "stratum", true, false}, "stratum", FARM_COUNT},
    {{"design", "design", false, false}, "design", FARM_TEXT},
    {{"state", "state", false, false}, "state", FARM_TEXT},
    {{"attempt", "attempt", true, false}, "attempt", FARM_COUNT},
    {{"worker", "worker", false, false}, "worker", FARM_TEXT},
    {{"result", "result", false, false}, "result", FARM_TEXT},
    {{"failure", "failure", false, false}, "failure.class", FARM_TEXT},
    {{"", "detail", false, true}, "failure.detail", FARM_TEXT},
};

struct jobs_request {
    const char *state, *design, *worker;
    uint64_t stratum; /* UINT64_MAX: all */
    struct cli_output output;
};

static void narrow(struct strbuf *path, const char *name, const char *value)
{
    if (!value)
        return;
    strbuf_addf(path, "&%s=", name);
    api_escape(path, value);
}

static int list_jobs(struct api *api, const char *run, const struct jobs_request *r, struct err *e)
{
    struct strbuf path = STRBUF_INIT;
    json_t *items;

    if (farm_path_add(&path, "/runs/", run, e) < 0) {
        strbuf_release(&path);
        return -1;
    }
    strbuf_adds(&path, "/jobs?limit=1000");
    narrow(&path, "state", r->state);
    narrow(&path, "design", r->design);
    narrow(&path, "worker", r->worker);
    if (r->stratum != UINT64_MAX)
        strbuf_addf(&path, "&stratum=%llu", (unsigned long long)r->stratum);
    items = path.failed ? NULL : api_list_all(api, path.text, e);
    if (path.failed)
        err_no_memory(e);
    strbuf_release(&path);
    return farm_print_list(items, job_columns, sizeof job_columns / sizeof *job_columns, &r->output, "no such jobs",
                           e);
}

static void print_attempts(const json_t *job)
{
    const json_t *list = farm_member(job, "attempts");

    printf("job %s: launch %llu on %s, %s\n", farm_text(job, "id"), (unsigned long long)farm_count(job, "launch"),
           farm_text(job, "design"), farm_text(job, "state"));
    for (size_t i = 0; i < json_array_size(list); i++) {
        const json_t *a = json_array_get(list, i);

        printf("\nattempt %llu on %s, %s to %s: %s\n", (unsigned long long)farm_count(a, "number"),
               farm_text(a, "worker"), farm_text(a, "started_at"), farm_text(a, "ended_at"),
               farm_text(a, "outcome"));
        if (*farm_text(a, "message"))
            printf("%s\n", farm_text(a, "message"));
        if (*farm_text(a, "last_lines"))
            printf("%s\n", farm_text(a, "last_lines"));
    }
}

/* POST /jobs/{job}/{verb}. *out: the job, or the run that continues without it. */
static int change_job(struct api *api, const char *verb, const char *id, json_t **out, struct err *e)
{
    char tail[16], *path;
    int ret = -1;

    snprintf(tail, sizeof tail, "/%s", verb);
    path = farm_path("/jobs/", id, tail, e);
    if (path)
        ret = api_post(api, path, json_object(), out, e);
    free(path);
    return ret;
}

static void print_change(const char *verb, const char *id, const json_t *v)
{
    if (strcmp(verb, "retry") == 0)
        printf("job %s: %s\n", id, farm_text(v, "state"));
    else
        printf("run %s: %s; launches replaced %llu, dropped %llu\n", farm_text(v, "id"), farm_text(v, "state"),
               (unsigned long long)farm_count(v, "not_simulated.replaced"),
               (unsigned long long)farm_count(v, "not_simulated.dropped"));
}

static int one_job(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    const struct cli_output *o = ctx;
    const char *verb = args->verb, *id = args->items[0];
    bool show = strcmp(verb, "show") == 0;
    json_t *v = NULL;

    if (show)
        v = farm_get(api, "/jobs/", id, "", e);
    else if (change_job(api, verb, id, &v, e) < 0)
        return -1;
    if (!v)
        return -1;
    if (o->json)
        return cli_print_json(v, e);
    if (show)
        print_attempts(v);
    else
        print_change(verb, id, v);
    json_decref(v);
    return 0;
}

int job_any(int argc, char **argv)
{
    struct cli_output o = {.json = false};
    const struct cli_usage usage = {.command = "job", .output = &o};

    return farm_verb_command(argc, argv, &usage, verbs, one_job, &o);
}

static int jobs(struct api *api, const struct cli_args *args, void *ctx, struct err *e)
{
    return list_jobs(api, args->items[0], ctx, e);
}

int job_list(int argc, char **argv)
{
    struct jobs_request r = {.stratum = UINT64_MAX};
    const struct cli_option options[] = {
        {"state", 's', CLI_TEXT, "STATE", &r.state, "only jobs in this state"},
        {"design", 'd', CLI_TEXT, "NAME", &r.design, "only jobs on this design"},
        {"stratum", 0, CLI_U64, "N", &r.stratum, "only jobs of this stratum, from 0"},
        {"worker", 'w', CLI_TEXT, "NAME", &r.worker, "only jobs that this worker has or had last"},
        {.name = NULL}};
    const struct cli_usage usage = {"job list", "RUN [--state S] [--design D] [--stratum N] [--worker W]",
                                    list_help,  options,
                                    &r.output,  true,
                                    1,          1};

    return farm_command(argc, argv, &usage, jobs, &r);
}
