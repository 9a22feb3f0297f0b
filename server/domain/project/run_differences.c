#include "server/domain/project/run_differences.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/text.h"

/* --- Levels --- */

struct level_shared run_total_level(const struct run_levels *l, size_t design)
{
    return (struct level_shared){
        .level = l->total[design], .confidence = l->confidence, .intervals = 1, .analyses = l->total_analyses};
}

void level_note(const struct level_shared *s, struct strbuf *out)
{
    char confidence[NUM_TEXT];

    format_level(s->confidence, confidence);
    if (s->analyses > 1) {
        strbuf_addf(out, "at most %d interim analyses ", s->analyses);
        if (s->intervals > 1)
            strbuf_addf(out, "and %zu differences ", s->intervals);
        strbuf_addf(out, "share %s, so this interval is wider", confidence);
    } else if (s->intervals > 1)
        strbuf_addf(out, "%zu differences share %s", s->intervals, confidence);
}

void level_put(const struct level_shared *s, struct json_obj *o)
{
    struct strbuf note = STRBUF_INIT;

    level_note(s, &note);
    json_put_double(o, "level", s->level);
    json_put_double(o, "confidence", s->confidence);
    json_put_u64(o, "intervals", s->intervals);
    json_put(o, "looks", s->analyses > 0 ? json_integer(s->analyses) : json_null());
    json_put_str(o, "level_note", note.length ? note.text : NULL);
    strbuf_release(&note);
}

/* --- Differences --- */

static void fill_levels(struct run_differences *d, const struct run_levels *l, size_t designs)
{
    for (size_t i = 0; i < designs; i++)
        d->levels[i] = (struct level_shared){
            .level = d->c.totals[i].level,
            .confidence = l->confidence,
            .intervals = designs - 1,
            .analyses = isnan(run_levels_between(l, d->c.baseline, i)) ? 0 : l->difference_analyses};
}

/* Differences that interim analyses use have the level of the interim analysis. */
static int at_analyses(struct run_differences *d, const struct run_results *r, const struct run_levels *l,
                       const double *const *y, struct err *e)
{
    size_t base = d->c.baseline;

    for (size_t i = 0; i < r->design_count; i++) {
        double level = i == base ? NAN : run_levels_between(l, base, i);

        if (!isnan(level) && comparison_make(&r->plan, y[base], y[i], level, &d->c.totals[i], e) < 0)
            return -1;
    }
    return 0;
}

int run_differences_make(struct run_differences *out, const struct run_results *r, const struct run_levels *l,
                         size_t baseline, struct err *e)
{
    const double **y;
    double *values;
    int ret = -1;

    *out = (struct run_differences){.levels = mem_zalloc(r->design_count + 1, sizeof *out->levels, e)};
    if (!out->levels || r->design_count < 2)
        return out->levels ? 0 : -1;
    y = mem_zalloc(r->design_count, sizeof *y, e);
    values = y ? run_results_seconds(r, y, e) : NULL;
    if (values && comparisons_make(&r->plan, y, r->design_count, baseline, l->confidence, &out->c, e) == 0)
        ret = at_analyses(out, r, l, y, e);
    if (ret == 0)
        ret = run_results_widen(r, &out->c, e);
    if (ret == 0)
        ret = run_results_mark_indistinguishable(r, &out->c, e);
    if (ret == 0)
        fill_levels(out, l, r->design_count);
    free(y);
    free(values);
    return ret;
}

void run_differences_release(struct run_differences *d)
{
    comparisons_release(&d->c);
    free(d->levels);
    d->levels = NULL;
}

/* --- Totals --- */

int run_total_make(const struct run_results *r, const struct run_levels *l, size_t design, struct projection *out,
                   struct err *e)
{
    const struct projection_options o = {
        .level = l->total[design], .kappa = run_results_kappa(r, design, 0), .error = run_results_error(r, design)};

    return projection_make_with(&r->plan, run_results_of(r, design), &o, out, e);
}
