#include "ingest/ncu_launches.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

static int compare(const void *a, const void *b)
{
    const struct ncu_record *x = a, *y = b;

    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    if (x->context != y->context)
        return x->context < y->context ? -1 : 1;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

/* Sorts the records by launch order and joins the rows of each launch. */
static void join_records(struct ncu_records *t)
{
    size_t kept = 0;

    if (t->count > 0)
        qsort(t->items, t->count, sizeof *t->items, compare);
    for (size_t i = 0; i < t->count; i++) {
        struct ncu_record *to = kept ? &t->items[kept - 1] : NULL, *from = &t->items[i];

        if (!to || to->process != from->process || to->context != from->context || to->id != from->id) {
            t->items[kept++] = *from;
            continue;
        }
        to->bad |= from->bad || to->name != from->name;
        for (int s = 0; s < NCU_COUNT; s++) {
            if (from->spelling[s] && (!to->spelling[s] || from->spelling[s] < to->spelling[s])) {
                to->spelling[s] = from->spelling[s];
                to->value[s] = from->value[s];
            }
        }
    }
    ASSERT(kept <= t->count);
    t->count = kept;
}

/* Sets the duration. If it is missing, the duration is cycles / clock. */
static bool set_duration(struct ncu_record *r)
{
    double ns;

    if (r->spelling[NCU_DURATION])
        return true;
    if (!r->spelling[NCU_CYCLES] || !r->spelling[NCU_CLOCK])
        return false;
    ASSERT(r->value[NCU_CLOCK] > 0 && r->value[NCU_CYCLES] >= 0);
    ns = r->value[NCU_CYCLES] / r->value[NCU_CLOCK];
    if (!(ns < 0x1p62))
        return false;
    r->value[NCU_DURATION] = floor(ns + 0.5);
    return true;
}

static int set_durations(struct import *im, struct ncu_records *t, struct err *e)
{
    uint64_t measured = 0, computed = 0;

    for (size_t i = 0; i < t->count; i++) {
        bool has = t->items[i].spelling[NCU_DURATION];

        measured += has;
        computed += !has && set_duration(&t->items[i]);
    }
    ASSERT(measured + computed <= t->count);
    if (computed)
        import_warn(im, "computed_duration", computed,
                    "Launches without gpu__time_duration.sum; their durations are elapsed cycles over the clock, "
                    "which is rounded to a few digits.");
    if (measured + computed > 0 || im->options.without_values || t->count == 0)
        return 0;
    err_set(e, ERR_INVALID, "%s: no launch has a duration: the metric gpu__time_duration.sum was not collected",
            im->name);
    return err_hint(e, "Collect it as well: ncu --csv --page raw --metrics gpu__time_duration.sum,... Or give this "
                       "file as --features of a profile that has times.");
}

static int take_launch(struct import *im, const struct ncu_record *r, struct err *e)
{
    struct import_launch l = {.place = "line",
                              .number = r->line,
                              .name = r->name,
                              .has_shape = r->has_shape,
                              .has_correlation = true,
                              .has_stream = r->has_stream,
                              .registers = (int64_t)r->value[NCU_REGISTERS],
                              .shared_bytes = (int64_t)(r->value[NCU_SHARED_STATIC] + r->value[NCU_SHARED_DYNAMIC]),
                              .device = r->device,
                              .process = r->process,
                              .context = r->context,
                              .stream = r->stream,
                              .correlation = r->id,
                              .value = (int64_t)r->value[NCU_DURATION]};

    ASSERT(!r->bad && r->value[NCU_DURATION] >= 0);
    memcpy(l.grid, r->grid, sizeof l.grid);
    memcpy(l.block, r->block, sizeof l.block);
    return import_launch(im, &l, e);
}

/* A dropped launch has no features either. */
static int take_launches(struct import *im, struct ncu_records *t, struct err *e)
{
    size_t kept = 0;

    for (size_t i = 0; i < t->count; i++) {
        const struct ncu_record *r = &t->items[i];
        uint64_t accepted = im->report->accepted;
        bool has_duration = r->spelling[NCU_DURATION] || (r->spelling[NCU_CYCLES] && r->spelling[NCU_CLOCK]);
        const char *name = r->name ? r->name->text : "";

        if (r->bad)
            import_drop(im, DROP_BAD_NUMBER, "line %llu: %s", (unsigned long long)r->line, name);
        else if (!has_duration && !im->options.without_values)
            import_drop(im, DROP_NO_DURATION, "line %llu: %s", (unsigned long long)r->line, name);
        else if (take_launch(im, r, e) < 0)
            return -1;
        if (im->report->accepted == accepted)
            continue;
        if (r->spelling[NCU_CLOCK])
            import_clock(im, floor(r->value[NCU_CLOCK] * 1e9 + 0.5), true);
        t->items[kept++] = *r;
    }
    ASSERT(kept == im->report->accepted);
    t->count = kept;
    return 0;
}

/* --- features --- */

static bool has_feature(const struct ncu_record *r, int m)
{
    return r->spelling[m] || (m == FEATURE_CTAS && r->has_shape);
}

static double feature_of(const struct ncu_record *r, int m)
{
    ASSERT_HOT(has_feature(r, m));
    if (r->spelling[m] || m != FEATURE_CTAS)
        return r->value[m];
    return (double)r->grid[0] * (double)r->grid[1] * (double)r->grid[2];
}

static bool all_have(const struct ncu_records *t, int m)
{
    for (size_t i = 0; i < t->count; i++)
        if (!has_feature(&t->items[i], m))
            return false;
    return t->count > 0;
}

static int give_features(struct import *im, struct ncu_records *t, struct err *e)
{
    struct features *f = features_new(e);

    ASSERT(!im->features);
    im->features = f;
    if (!f)
        return -1;
    f->known = t->count;
    for (int m = 0; m < FEATURE_COUNT; m++) {
        if (!all_have(t, m))
            continue;
        f->metrics[m] = mem_zalloc(t->count, sizeof *f->metrics[m], e);
        if (!f->metrics[m])
            return -1;
        for (size_t i = 0; i < t->count; i++)
            f->metrics[m][i] = feature_of(&t->items[i], m);
    }
    if (!f->metrics[FEATURE_INSTRUCTIONS])
        return 0;
    f->instructions = mem_zalloc(t->count, sizeof *f->instructions, e);
    for (size_t i = 0; f->instructions && i < t->count; i++)
        f->instructions[i] = (uint64_t)f->metrics[FEATURE_INSTRUCTIONS][i];
    return f->instructions ? 0 : -1;
}

/* Adds the counters that at least one launch has, as responses. */
static int give_counters(struct import *im, const struct ncu_records *t, struct err *e)
{
    struct features *f = im->features;

    f->responses = mem_zalloc(NCU_COUNT - NCU_COUNTERS, sizeof *f->responses, e);
    if (!f->responses)
        return -1;
    for (int s = NCU_COUNTERS; s < NCU_COUNT; s++) {
        struct response *r = &f->responses[f->response_count];
        bool any = false;

        r->values = mem_zalloc(t->count, sizeof *r->values, e);
        if (!r->values)
            return -1;
        for (size_t i = 0; i < t->count; i++) {
            r->values[i] = t->items[i].spelling[s] ? t->items[i].value[s] : NAN;
            any |= t->items[i].spelling[s] != 0;
        }
        snprintf(r->name, sizeof r->name, "%s", ncu_counter_names[s - NCU_COUNTERS]);
        if (any)
            f->response_count++;
        else {
            free(r->values);
            r->values = NULL;
        }
    }
    return 0;
}

static void warn_about_features(struct import *im, struct ncu_records *t)
{
    struct strbuf missing = STRBUF_INIT;
    const struct features *f = im->features;

    ASSERT(f->known == t->count);
    for (int m = 0; m < FEATURE_COUNT; m++)
        if (!f->metrics[m])
            strbuf_addf(&missing, "%s%s", missing.length ? ", " : "", feature_infos[m].ncu);
    if (missing.length)
        import_warn(
            im, "no_metrics", 0,
            "pka cannot run: it needs all of its twelve metrics for every launch, and these are missing: %s.",
            missing.text);
    if (!f->instructions)
        import_warn(
            im, "no_instructions", 0,
            "sieve, photon and tbpoint cannot run: they need instruction counts, and smsp__inst_executed.sum "
            "was not measured for every launch.");
    if (t->rounded)
        import_warn(im, "scaled_units", t->rounded,
                    "Metrics printed in thousands or millions; they are rounded to a few digits, so equal launches "
                    "may look different and different ones equal. Print them with --print-units base.");
    strbuf_release(&missing);
}

int ncu_launches_take(struct import *im, struct ncu_records *t, struct err *e)
{
    join_records(t);
    if (set_durations(im, t, e) < 0 || take_launches(im, t, e) < 0 || give_features(im, t, e) < 0)
        return -1;
    if (im->options.counters && give_counters(im, t, e) < 0)
        return -1;
    warn_about_features(im, t);
    return 0;
}
