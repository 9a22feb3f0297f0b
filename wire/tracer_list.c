/* Writes the plan's samples as a table, for tools without a script here. */
#include "wire/tracer.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "base/text.h"

struct row {
    const struct plan_sample *sample;
    const struct profile_kernel *kernel;
    const struct profile_context *at;
    size_t context;
    uint64_t order, stream;
    bool graph;
};

typedef void (*add_row)(const struct row *r, struct strbuf *out, struct jw *w);

static void row_csv(const struct row *r, struct strbuf *out, struct jw *w)
{
    const struct profile_kernel *k = r->kernel;
    char weight[NUM_TEXT];

    ASSERT(r->sample->draws > 0);
    (void)w;
    strbuf_addf(out, "%" PRIu64 ",%u,%s,%" PRIu64 ",%zu,%d,%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%s,",
                r->sample->launch, r->sample->stratum, num_format(r->sample->weight, weight), r->order, r->context,
                r->at->device, r->at->process, r->at->context, r->stream, r->graph ? "graph" : "call");
    strbuf_add_csv(out, k->name);
    strbuf_addc(out, ',');
    strbuf_add_csv(out, k->mangled_name ? k->mangled_name : "");
    strbuf_addf(out, ",%ux%ux%u,%ux%ux%u\r\n", k->grid[0], k->grid[1], k->grid[2], k->block[0], k->block[1],
                k->block[2]);
}

static void row_text(const struct row *r, struct strbuf *out, struct jw *w)
{
    const struct profile_kernel *k = r->kernel;
    char weight[NUM_TEXT];

    (void)w;
    strbuf_addf(out, "%" PRIu64 "\t%u\t%s\t%" PRIu64 "\t%zu\t%" PRIu64 "\t%s\t%ux%ux%u\t%ux%ux%u\t%s\n",
                r->sample->launch, r->sample->stratum, num_format(r->sample->weight, weight), r->order, r->context,
                r->stream, r->graph ? "graph" : "call", k->grid[0], k->grid[1], k->grid[2], k->block[0],
                k->block[1], k->block[2], k->mangled_name ? k->mangled_name : k->name);
}

static void row_json(const struct row *r, struct strbuf *out, struct jw *w)
{
    const struct profile_kernel *k = r->kernel;

    ASSERT(w->failed || w->depth > 0);
    (void)out;
    jw_object_inline(w);
    jw_key_u64(w, "launch", r->sample->launch);
    jw_key_u64(w, "stratum", r->sample->stratum);
    jw_key_double(w, "weight", r->sample->weight);
    jw_key_u64(w, "launch_order", r->order);
    jw_key_u64(w, "context", r->context);
    jw_key_u64(w, "stream", r->stream);
    jw_key_bool(w, "graph", r->graph);
    jw_key_text(w, "kernel", k->name);
    jw_key_text(w, "mangled_name", k->mangled_name);
    jw_key_dim3(w, "grid", k->grid);
    jw_key_dim3(w, "block", k->block);
    jw_end(w, '}');
}

static void add_context(const struct tracer_job *job, add_row add, struct strbuf *out, struct jw *w)
{
    const struct profile *p = job->profile;

    ASSERT(job->context < p->context_count && job->pick_count <= job->plan->sample_count);
    for (size_t i = 0; i < job->pick_count; i++) {
        const struct plan_sample *s = &job->plan->samples[job->picks[i].sample];
        const struct profile_tie *tie = profile_tie_of(p, s->launch);
        const struct row r = {.sample = s,
                              .kernel = &p->kernels[p->kernel[s->launch]],
                              .at = &p->contexts[job->context],
                              .context = job->context,
                              .order = job->picks[i].order + job->offset,
                              .stream = p->streams[p->stream[s->launch]].stream,
                              .graph = tie && tie->graph};

        add(&r, out, w);
    }
}

static int add_rows(const struct plan *plan, const struct profile *profile, int64_t context, uint64_t offset,
                    add_row add, struct strbuf *out, struct jw *w, struct err *e)
{
    for (size_t c = 0; c < profile->context_count; c++) {
        struct tracer_job job;

        if (context >= 0 && (uint64_t)context != c)
            continue;
        if (tracer_job_init(&job, NULL, plan, profile, c, offset, e) < 0)
            return -1;
        add_context(&job, add, out, w);
        tracer_job_release(&job);
    }
    return 0;
}

void tracer_contexts_json(struct jw *w, const struct plan *plan, const struct profile *profile)
{
    jw_key(w, "contexts");
    jw_array(w);
    for (size_t c = 0; c < profile->context_count; c++) {
        const struct profile_context *at = &profile->contexts[c];
        uint64_t samples = 0;

        for (size_t i = 0; i < plan->sample_count; i++)
            samples += plan->samples[i].launch - at->first < at->count;
        jw_object_inline(w);
        jw_key_u64(w, "index", c);
        jw_key_i64(w, "device", at->device);
        jw_key_u64(w, "process", at->process);
        jw_key_u64(w, "context", at->context);
        jw_key_u64(w, "launches", at->count);
        ASSERT(profile_calls(profile, c) <= at->count && samples <= plan->sample_count);
        jw_key_u64(w, "graph_launches", at->count - profile_calls(profile, c));
        jw_key_u64(w, "samples", samples);
        jw_end(w, '}');
    }
    jw_end(w, ']');
}

static void notes_json(const struct tracer_job *job, struct jw *w)
{
    struct strbuf notes = STRBUF_INIT;
    char *rest, *line;

    tracer_notes(job, &notes);
    rest = notes.length ? notes.text : NULL;
    jw_key(w, "notes");
    jw_array(w);
    while ((line = strsep(&rest, "\n")))
        if (*line)
            jw_text(w, line);
    jw_end(w, ']');
    w->text.failed |= notes.failed;
    strbuf_release(&notes);
}

int tracer_job_json(const struct tracer_job *job, const char *script, struct strbuf *out, struct err *e)
{
    struct jw w;
    int ret;

    ASSERT(job->tool);
    jw_init(&w, NULL, NULL, e);
    jw_object(&w);
    jw_key_text(&w, "for", job->tool->name);
    jw_key_text(&w, "title", job->tool->title);
    jw_key_text(&w, "sentence", job->tool->sentence);
    jw_key_text(&w, "list", job->tool->list);
    jw_key_u64(&w, "context", job->context);
    jw_key_u64(&w, "samples", job->pick_count);
    jw_key_u64(&w, "samples_elsewhere", job->elsewhere);
    jw_key_u64(&w, "samples_replayed", job->replayed);
    jw_key_u64(&w, "samples_tied", job->tied);
    jw_key_u64(&w, "launches", job->calls);
    jw_key_u64(&w, "passes", job->passes);
    jw_key_u64(&w, "surplus", job->surplus);
    notes_json(job, &w);
    tracer_contexts_json(&w, job->plan, job->profile);
    jw_key_text(&w, "script", script);
    jw_end(&w, '}');
    ret = jw_finish(&w);
    if (ret == 0)
        strbuf_add(out, w.text.text, w.text.length);
    jw_release(&w);
    return ret == 0 && out->failed ? err_no_memory(e) : ret;
}

static int list_json(const struct plan *plan, const struct profile *profile, int64_t context, uint64_t offset,
                     struct strbuf *out, struct err *e)
{
    struct jw w;
    int ret;

    jw_init(&w, NULL, NULL, e);
    jw_object(&w);
    jw_key_text(&w, "plan_profile_sha256", plan->profile_sha256);
    tracer_contexts_json(&w, plan, profile);
    jw_key(&w, "samples");
    jw_array(&w);
    ret = add_rows(plan, profile, context, offset, row_json, out, &w, e);
    jw_end(&w, ']');
    jw_end(&w, '}');
    if (jw_finish(&w) < 0)
        ret = -1;
    if (ret == 0)
        strbuf_add(out, w.text.text, w.text.length);
    jw_release(&w);
    return ret;
}

int tracer_list(const struct plan *plan, const struct profile *profile, int64_t context, uint64_t offset,
                enum tracer_list_format format, struct strbuf *out, struct err *e)
{
    int ret;

    if (format == TRACER_LIST_JSON) {
        ret = list_json(plan, profile, context, offset, out, e);
    } else if (format == TRACER_LIST_CSV) {
        strbuf_adds(out,
                    "launch,stratum,weight,launch_order,context_index,device,process,context,stream,launched_by,"
                    "kernel,mangled_name,grid,block\r\n");
        ret = add_rows(plan, profile, context, offset, row_csv, out, NULL, e);
    } else {
        strbuf_adds(
            out, "# launch_order counts all launches of a context from 0, those of CUDA graphs too; launch counts\n"
                 "# over all contexts. Mangled names where the profile has them.\n"
                 "# launch\tstratum\tweight\tlaunch_order\tcontext\tstream\tlaunched_by\tgrid\tblock\tkernel\n");
        ret = add_rows(plan, profile, context, offset, row_text, out, NULL, e);
    }
    return ret == 0 && out->failed ? err_no_memory(e) : ret;
}
