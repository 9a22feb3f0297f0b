#include "wire/methods_json.h"

static void write_score(struct jw *w, const struct evaluation *v)
{
    jw_key_u64(w, "strata", v->strata);
    jw_key_u64(w, "samples", v->samples);
    jw_key_double(w, "speedup", v->speedup);
    jw_key_double(w, "promised_error", v->promised_error);
    jw_key_bool(w, "promise_valid", v->promise_valid);
    jw_key_double(w, "actual_error", v->actual_error);
    jw_key_double(w, "actual_error_max", v->actual_error_max);
    jw_key_u64(w, "inside", v->inside);
    jw_key_u64(w, "intervals", v->intervals);
    jw_key_u64(w, "covered", v->covered);
    jw_key_u64(w, "repeats", v->repeats);
    jw_key_null(w, "why_not");
}

static void write_refusal(struct jw *w, const struct evaluation *v)
{
    static const char *const members[] = {"strata",        "samples",      "speedup",          "promised_error",
                                          "promise_valid", "actual_error", "actual_error_max", "inside",
                                          "intervals",     "covered"};

    for (size_t i = 0; i < sizeof members / sizeof *members; i++)
        jw_key_null(w, members[i]);
    jw_key_u64(w, "repeats", 0);
    jw_key_text(w, "why_not", v->why_not);
}

void evaluation_to_json(struct jw *w, const struct evaluation *v, bool cloud)
{
    jw_object(w);
    jw_key_text(w, "method", v->method->name);
    jw_key_text(w, "title", v->method->title);
    jw_key_double(w, "error", v->params.error);
    if (v->why_not)
        write_refusal(w, v);
    else
        write_score(w, v);
    if (cloud) {
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
    jw_end(w, '}');
}
