#include "wire/methods_json.h"

#include "base/assert.h"
#include "base/strbuf.h"

static void write_needs(struct jw *w, const struct method *m)
{
    static const struct {
        unsigned bit;
        const char *name;
    } needs[] = {
        {NEEDS_INSTRUCTIONS, "instructions"},
        {NEEDS_METRICS, "metrics"},
        {NEEDS_BBVS, "bbvs"},
        {NEEDS_CTA_COV, "cta_cov"},
    };

    jw_key(w, "needs");
    jw_array_inline(w);
    for (size_t i = 0; i < sizeof needs / sizeof *needs; i++)
        if (m->needs & needs[i].bit)
            jw_text(w, needs[i].name);
    jw_end(w, ']');
    jw_key_bool(w, "prefix_is_enough", m->needs & NEEDS_PREFIX);
}

void method_to_json(struct jw *w, const struct method *m)
{
    struct strbuf text = STRBUF_INIT;

    method_needs_text(m, &text);
    jw_object(w);
    jw_key_text(w, "name", m->name);
    jw_key_text(w, "title", m->title);
    jw_key_text(w, "sentence", m->sentence);
    write_needs(w, m);
    jw_key_text(w, "needs_sentence", text.text);
    jw_end(w, '}');
    w->failed |= text.failed;
    strbuf_release(&text);
}

static void write_head(struct jw *w, const struct evaluation *v)
{
    jw_key_text(w, "method", v->method->name);
    jw_key_text(w, "title", v->method->title);
    jw_key_double(w, "error", v->params.error);
    jw_key_double(w, "confidence", v->params.confidence);
    jw_key_text(w, "why_not", v->why_not);
    jw_key_bool(w, "lacks_features", v->lacks_features);
}

static void write_score(struct jw *w, const struct evaluation *v)
{
    ASSERT(!v->why_not);
    jw_key_double(w, "strata", v->strata);
    jw_key_double(w, "samples", v->samples);
    jw_key_double(w, "distinct", v->distinct);
    jw_key_double(w, "speedup", v->speedup);
    jw_key_double(w, "speedup_instructions", v->speedup_instructions);
    jw_key_double(w, "speedup_seconds", v->speedup_seconds);
    jw_key_double(w, "promised_error", v->promised_error);
    jw_key_bool(w, "promise_valid", v->promise_valid);
    jw_key_bool(w, "representative", v->representative);
    jw_key_text(w, "estimator", plan_estimator_name(v->estimator));
    jw_key_text(w, "variance", plan_variance_name(v->variance));
    jw_key_text(w, "caution", v->caution);
    jw_key_text(w, "note", v->note);
    jw_key_double(w, "actual_error", v->actual_error);
    jw_key_double(w, "actual_error_max", v->actual_error_max);
    jw_key_u64(w, "inside", v->inside);
    jw_key_u64(w, "intervals", v->intervals);
    jw_key_u64(w, "covered", v->covered);
    jw_key_u64(w, "repeats", v->repeats);
}

static void write_refusal(struct jw *w)
{
    static const char *const members[] = {
        "strata",          "samples",        "distinct",      "speedup",        "speedup_instructions",
        "speedup_seconds", "promised_error", "promise_valid", "representative", "estimator",
        "variance",        "caution",        "note",          "actual_error",   "actual_error_max",
        "inside",          "intervals",      "covered"};

    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        jw_key_null(w, members[i]);
    jw_key_u64(w, "repeats", 0);
}

static void write_cloud(struct jw *w, const struct evaluation *v)
{
    ASSERT(!v->cloud || v->repeats > 0);
    jw_key(w, "cloud");
    jw_array_inline(w);
    for (unsigned r = 0; v->cloud && r < v->repeats; r++) {
        jw_array_inline(w);
        jw_double(w, v->cloud[r][0]);
        jw_double(w, v->cloud[r][1]);
        jw_end(w, ']');
    }
    jw_end(w, ']');
}

void evaluation_to_json(struct jw *w, const struct evaluation *v, const char *file, bool cloud)
{
    jw_object(w);
    if (file)
        jw_key_text(w, "file", file);
    write_head(w, v);
    if (v->why_not)
        write_refusal(w);
    else
        write_score(w, v);
    if (cloud)
        write_cloud(w, v);
    jw_end(w, '}');
}
