#include "wire/metrics.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "sampling/estimate/effective.h"
#include "sampling/estimate/projection.h"
#include "sampling/estimate/time_quantile.h"

/* Names as in `vivace-sim --describe-counters`. */
const char *const metric_counters[METRIC_COUNTERS] = {"cycles",
                                                      "warp_instructions",
                                                      "lane_instructions",
                                                      "sm_active_cycles",
                                                      "warp_cycles",
                                                      "slots_total",
                                                      "slots_issued",
                                                      "l1_load_sectors",
                                                      "l1_load_hit_sectors",
                                                      "l2_read_sectors",
                                                      "l2_read_hit_sectors",
                                                      "dram_read_sectors",
                                                      "dram_write_sectors",
                                                      "dram_row_hits",
                                                      "dram_row_misses",
                                                      "shared_passes",
                                                      "shared_conflicts",
                                                      "launch_cycles",
                                                      "energy_core",
                                                      "energy_l1",
                                                      "energy_l2",
                                                      "energy_noc",
                                                      "energy_dram",
                                                      "energy_static",
                                                      "energy_idle"};

#define SECTOR_BYTES 32
#define NJ_TO_J      1e-9
/* All parts of the energy in simcore/observe/power.h. */
#define ENERGY                                                                                                     \
    {                                                                                                              \
        {"energy_core", "energy_l1", "energy_l2", "energy_noc", "energy_dram", "energy_static", "energy_idle"},    \
            NJ_TO_J                                                                                                \
    }
#define NOT_CACHED                                                                                                 \
    {                                                                                                              \
        {{NULL}, 0}, {{NULL}, 0}, false                                                                            \
    }
/* Each sector that is read from L2 may have to come from DRAM. */
#define MISSES                                                                                                     \
    {                                                                                                              \
        {{"dram_read_sectors", "dram_write_sectors"}, 1}, {{"l2_read_sectors"}, 1}, false                          \
    }
const struct metric metrics[] = {
    {"warp_instructions",
     "instructions",
     "warp instructions issued",
     {{"warp_instructions"}, 1},
     {{NULL}, 1},
     false,
     NOT_CACHED},
    {"dram_bytes",
     "bytes",
     "bytes read from and written to DRAM",
     {{"dram_read_sectors", "dram_write_sectors"}, SECTOR_BYTES},
     {{NULL}, 1},
     false,
     MISSES},
    {"energy", "J", "energy of the whole GPU and its memory", ENERGY, {{NULL}, 1}, false, NOT_CACHED},
    {"power", "W", "energy over the time of the launches", ENERGY, {{"cycles"}, 1}, true, NOT_CACHED},
    {"ipc",
     "instructions a cycle",
     "warp instructions a cycle of the whole GPU, launch costs included",
     {{"warp_instructions"}, 1},
     {{"cycles"}, 1},
     false,
     NOT_CACHED},
    {"dram_bandwidth",
     "bytes a second",
     "bytes read from and written to DRAM in a second",
     {{"dram_read_sectors", "dram_write_sectors"}, SECTOR_BYTES},
     {{"cycles"}, 1},
     true,
     MISSES},
    {"l1_hit_rate",
     "share",
     "L1 hits of loads, as a share of the sectors looked up",
     {{"l1_load_hit_sectors"}, 1},
     {{"l1_load_sectors"}, 1},
     false,
     {{{"l1_load_hit_sectors"}, 1}, {{"l1_load_sectors"}, 1}, true}},
    {"l2_hit_rate",
     "share",
     "L2 hits of reads, as a share of the sectors requested",
     {{"l2_read_hit_sectors"}, 1},
     {{"l2_read_sectors"}, 1},
     false,
     {{{"l2_read_hit_sectors"}, 1}, {{"l2_read_sectors"}, 1}, true}},
    {"dram_row_hit_rate",
     "share",
     "DRAM accesses that found their row open",
     {{"dram_row_hits"}, 1},
     {{"dram_row_hits", "dram_row_misses"}, 1},
     false,
     MISSES},
    {"issue_utilisation",
     "share",
     "issue slots in which a warp instruction issued",
     {{"slots_issued"}, 1},
     {{"slots_total"}, 1},
     false,
     NOT_CACHED},
    {"lanes_per_instruction",
     "lanes",
     "active lanes of a warp instruction",
     {{"lane_instructions"}, 1},
     {{"warp_instructions"}, 1},
     false,
     NOT_CACHED},
    {"resident_warps",
     "warps",
     "warps resident on an SM that has any",
     {{"warp_cycles"}, 1},
     {{"sm_active_cycles"}, 1},
     false,
     NOT_CACHED},
    {"bank_conflicts",
     "share",
     "passes through shared memory that conflicts cost",
     {{"shared_conflicts"}, 1},
     {{"shared_passes"}, 1},
     false,
     NOT_CACHED},
    {"launch_share",
     "share",
     "cycles before the first CTA could start",
     {{"launch_cycles"}, 1},
     {{"cycles"}, 1},
     false,
     NOT_CACHED},
    {NULL, NULL, NULL, {{NULL}, 0}, {{NULL}, 0}, false, NOT_CACHED},
};

int metric_counter(const char *name)
{
    for (int i = 0; i < METRIC_COUNTERS; i++)
        if (strcmp(metric_counters[i], name) == 0)
            return i;
    return -1;
}

int metric_values_init(struct metric_values *v, size_t samples, struct err *e)
{
    *v = (struct metric_values){.samples = samples};
    for (int i = 0; i < METRIC_COUNTERS; i++) {
        v->of[i] = mem_zalloc(samples, sizeof *v->of[i], e);
        if (!v->of[i]) {
            metric_values_release(v);
            return -1;
        }
        for (size_t k = 0; k < samples; k++)
            v->of[i][k] = NAN;
    }
    return 0;
}

void metric_values_release(struct metric_values *v)
{
    for (int i = 0; i < METRIC_COUNTERS; i++) {
        free(v->of[i]);
        v->of[i] = NULL;
    }
}

static int counter_of(const char *name)
{
    int i = metric_counter(name);

    ASSERT(i >= 0); /* the table above has no other names */
    return i;
}

/* NaN if one of its counters is missing. */
static void add_side(const struct metric_values *v, const struct metric_side *side, double *out)
{
    ASSERT(side->add[0]);
    for (size_t k = 0; k < v->samples; k++) {
        out[k] = 0;
        for (int i = 0; side->add[i]; i++)
            out[k] += side->scale * v->of[counter_of(side->add[i])][k];
    }
}

/* The whole and the part of a metric that caches decide. The whole is at least the part. */
static int estimate_cached(const struct plan *plan, const struct metric_values *v, const struct metric *m,
                           double level, double *scratch, bool *known, struct err *e)
{
    double *part = scratch, *whole = scratch + v->samples;
    struct projected p, w;

    add_side(v, &m->cached.part, part);
    add_side(v, &m->cached.whole, whole);
    for (size_t k = 0; k < v->samples; k++)
        if (whole[k] < part[k])
            whole[k] = part[k];
    if (projected_counter(plan, part, level, &p, e) < 0 || projected_counter(plan, whole, level, &w, e) < 0)
        return -1;
    *known = w.effective > 0 && part_known(p.value, w.value, w.effective, w.hidden, level) &&
             (!m->cached.rest || part_known(w.value - p.value, w.value, w.effective, w.hidden, level));
    return 0;
}

static int estimate_one(const struct plan *plan, const struct metric_values *v, const struct metric *m,
                        double clock_hz, double level, double *scratch, struct metric_estimate *out, struct err *e)
{
    double *top = scratch, *bottom = scratch + v->samples, scale = m->per_second ? clock_hz : 1;
    bool known = true;
    struct projected x;
    int ret = m->cached.part.add[0] ? estimate_cached(plan, v, m, level, scratch, &known, e) : 0;

    if (ret < 0)
        return -1;
    add_side(v, &m->top, top);
    if (m->bottom.add[0]) {
        add_side(v, &m->bottom, bottom);
        ret = projected_rate(plan, top, bottom, level, &x, e);
    } else {
        ret = projected_counter(plan, top, level, &x, e);
    }
    ASSERT(ret < 0 || x.results <= v->samples);
    if (ret == 0)
        *out = (struct metric_estimate){.metric = m,
                                        .value = x.value * scale,
                                        .half_width = x.half_width * scale,
                                        .df = x.df,
                                        .results = x.results,
                                        .effective = x.effective,
                                        .hidden = x.hidden,
                                        .noise_known = effective_enough(x.noise_df, level),
                                        .by_caches = x.promised && !known,
                                        .promised = x.promised && known};
    return ret;
}

const char *metric_not_promised(const struct metric_estimate *m)
{
    if (m->promised || isnan(m->half_width))
        return NULL;
    ASSERT(!(m->effective < 0));
    if (!(m->effective > 0))
        return "no result has any: a behaviour of few launches may be missing from all results";
    if (m->by_caches)
        return "it depends on the cache contents at the start of launches: a few launches without a result may "
               "change it by a "
               "fifth";
    if (!m->noise_known)
        return "there are too few results to know how much launches differ: continue the run, or plan more "
               "samples";
    return m->hidden > UNSEEN_MAX
               ? "few results represent launches of several shapes: a fifth of its count may be in other "
                 "shapes"
               : "few of the results determine it: a fifth of its count may be in launches without a result";
}

int metrics_estimate(const struct plan *plan, const struct metric_values *v, double clock_hz, double level,
                     struct metric_estimate **out, size_t *count, struct err *e)
{
    size_t n = sizeof metrics / sizeof *metrics - 1;
    double *scratch = mem_zalloc(2 * v->samples, sizeof *scratch, e);
    int ret = 0;

    ASSERT(level > 0 && level < 1);
    *count = n;
    *out = scratch ? mem_zalloc(n, sizeof **out, e) : NULL;
    for (size_t i = 0; *out && ret == 0 && i < n; i++)
        ret = estimate_one(plan, v, &metrics[i], clock_hz, level, scratch, &(*out)[i], e);
    free(scratch);
    if (*out && ret == 0)
        return 0;
    free(*out);
    *out = NULL;
    return -1;
}

static double side_of_one(const struct metric_side *side, const double counters[METRIC_COUNTERS])
{
    double sum = 0;

    ASSERT(side->add[0]);
    for (int i = 0; side->add[i]; i++)
        sum += side->scale * counters[counter_of(side->add[i])];
    return sum;
}

double metric_value(const struct metric *m, const double counters[METRIC_COUNTERS], double clock_hz)
{
    double bottom = m->bottom.add[0] ? side_of_one(&m->bottom, counters) : 1;

    return bottom != 0 ? side_of_one(&m->top, counters) / bottom * (m->per_second ? clock_hz : 1) : NAN;
}

json_t *metrics_of_one(const double counters[METRIC_COUNTERS], double clock_hz)
{
    json_t *list = json_array();

    for (const struct metric *m = metrics; list && m->name; m++) {
        struct json_obj o = json_obj_begin();

        json_put_str(&o, "name", m->name);
        json_put_str(&o, "unit", m->unit);
        json_put(&o, "value", json_double(metric_value(m, counters, clock_hz)));
        json_put_str(&o, "sentence", m->sentence);
        if (json_push(list, json_obj_end(&o)) < 0) {
            json_decref(list);
            list = NULL;
        }
    }
    return list;
}

static json_t *metric_to_json(const struct metric_estimate *m)
{
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "name", m->metric->name);
    json_put_str(&o, "unit", m->metric->unit);
    json_put_str(&o, "sentence", m->metric->sentence);
    json_put_bool(&o, "rate", m->metric->bottom.add[0] != NULL);
    json_put_double(&o, "value", m->value);
    json_put_double(&o, "half_width", m->half_width);
    json_put_double(&o, "df", m->df);
    json_put_u64(&o, "results", m->results);
    json_put_double(&o, "effective", m->effective);
    json_put(&o, "not_promised", json_str_or_null(metric_not_promised(m)));
    return json_obj_end(&o);
}

json_t *metrics_to_json(const struct metric_estimate *m, size_t count)
{
    json_t *list = json_array();

    for (size_t i = 0; list && i < count; i++)
        if (json_push(list, metric_to_json(&m[i])) < 0) {
            json_decref(list);
            list = NULL;
        }
    return list;
}

static json_t *quantile_to_json(const struct time_quantile *q, double seconds_per_unit)
{
    struct json_obj o = json_obj_begin();

    ASSERT(!(q->low > q->high));
    json_put_double(&o, "p", q->p);
    json_put_double(&o, "value", q->value);
    json_put_double(&o, "low", q->low);
    json_put_double(&o, "high", q->high);
    json_put_double(&o, "value_s", q->value * seconds_per_unit);
    json_put_double(&o, "low_s", q->low * seconds_per_unit);
    json_put_double(&o, "high_s", q->high * seconds_per_unit);
    return json_obj_end(&o);
}

int quantiles_put(struct json_obj *o, const struct plan *plan, const double *y, double level,
                  double seconds_per_unit, struct err *e)
{
    struct time_quantile q[] = {{.p = 0.1}, {.p = 0.5}, {.p = 0.9}, {.p = 0.99}};
    size_t count = sizeof q / sizeof *q;
    bool none = time_quantiles(plan, y, level, q, count, e) < 0;
    json_t *list = json_array();

    ASSERT(level > 0 && level < 1);
    for (size_t i = 0; !none && i < count; i++)
        if (json_push(list, quantile_to_json(&q[i], seconds_per_unit)) < 0) {
            json_decref(list);
            return err_no_memory(e);
        }
    json_put(o, "quantiles", list);
    json_put(o, "quantiles_why_not", json_str_or_null(none ? e->text : NULL));
    return none && e->code != ERR_INVALID ? -1 : 0;
}
