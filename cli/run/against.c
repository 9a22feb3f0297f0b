#include "cli/run/against.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define FULL_MAX_BYTES (1024u << 20) /* the file has a row for each launch: about 300 MB for a million launches */

static const struct farm_column columns[] = {
    {{"design", "design", false, false}, "design", FARM_TEXT},
    {{"full simulation", "full_s", true, false}, "full_s", FARM_SECONDS},
    {{"projection", "value_s", true, false}, "value_s", FARM_SECONDS},
    {{"±", "half_width_s", true, false}, "half_width_s", FARM_SECONDS},
    {{"off by", "off", true, false}, "off", FARM_PERCENT},
    {{"inside the interval", "inside", false, false}, "inside", FARM_TEXT},
};

static const json_t *of_design(const json_t *list, const char *sha256)
{
    for (size_t i = 0; i < json_array_size(list); i++)
        if (strcmp(farm_text(json_array_get(list, i), "design_sha256"), sha256) == 0)
            return json_array_get(list, i);
    return NULL;
}

/* The total of one design in the simulation of all launches. */
struct full {
    double seconds; /* NaN: no total */
    uint64_t kernels, failed;
};

/* Reads the total: of all launches in series in one simulation, or the sum of separate simulations. */
static struct full full_of(const json_t *full, const char *sha256)
{
    const json_t *total = of_design(farm_member(full, "totals"), sha256);
    const json_t *timeline = of_design(farm_member(full, "timelines"), sha256);
    const json_t *launches = farm_member(timeline, "launches");
    struct full out = {.seconds = NAN};

    if (timeline && strcmp(farm_text(full, "streams"), "serial") == 0) {
        out.seconds = farm_number(timeline, "sum_s");
        out.kernels = json_array_size(launches);
        for (size_t i = 0; i < out.kernels; i++)
            out.failed += !json_is_true(json_object_get(json_array_get(launches, i), "done"));
    } else if (total) {
        out = (struct full){farm_number(total, "gpu_seconds"), farm_count(total, "kernels"),
                            farm_count(total, "failed")};
    }
    return out;
}

/* Makes one row. NULL with *e when the full simulation cannot be the truth for this design. */
static json_t *row(const json_t *design, const json_t *full, uint64_t launches, struct err *e)
{
    const char *name = farm_text(design, "design");
    const struct full all = full_of(full, farm_text(design, "design_sha256"));
    double value = farm_number(design, "projection.value_s"), half = farm_number(design, "projection.half_width_s");
    double truth = all.seconds;
    json_t *v;

    if (isnan(truth)) {
        err_set(e, ERR_INVALID, "the full simulation has no total for design %s, as the run used it", name);
        err_hint(
            e,
            "Run `vivace simulate TRACES --gpu %s --streams serial --json` with the farm's version of the design.",
            name);
        return NULL;
    }
    if (all.failed > 0 || all.kernels != launches) {
        err_set(e, ERR_INVALID,
                "the full simulation of %s has %llu launches, %llu of them failed; the profile has %llu", name,
                (unsigned long long)all.kernels, (unsigned long long)all.failed, (unsigned long long)launches);
        return NULL;
    }
    if (isnan(value) || isnan(half)) {
        err_set(e, ERR_CONFLICT, "the run has no interval for %s yet", name);
        return NULL;
    }
    v = json_pack("{s:s,s:f,s:f,s:f,s:f,s:b}", "design", name, "full_s", truth, "value_s", value, "half_width_s",
                  half, "off", fabs(value - truth) / truth, "inside", fabs(value - truth) <= half);
    if (!v)
        err_no_memory(e);
    return v;
}

static int compare(const json_t *run, const json_t *full, uint64_t launches, const struct cli_output *o,
                   struct err *e)
{
    const json_t *designs = farm_member(run, "designs");
    json_t *rows = json_array();
    const char *outside = NULL;

    for (size_t i = 0; rows && i < json_array_size(designs); i++) {
        json_t *v = row(json_array_get(designs, i), full, launches, e);

        if (!v || json_array_append_new(rows, v) < 0) {
            json_decref(rows);
            return v ? err_no_memory(e) : -1;
        }
        if (!json_is_true(json_object_get(v, "inside")))
            outside = farm_text(json_array_get(designs, i), "design");
    }
    if (!rows)
        return err_no_memory(e);
    if (farm_print_list(rows, columns, sizeof columns / sizeof *columns, o, "the run has no designs", e) < 0)
        return -1;
    return outside ? err_set(e, ERR_INVALID, "the interval of %s does not cover the full simulation", outside) : 0;
}

int against_full(struct api *api, const char *run, const char *path, const struct cli_output *o, struct err *e)
{
    json_t *v = farm_get(api, "/runs/", run, "", e), *plan = NULL, *full = NULL;
    int ret = -1;

    if (v)
        plan = farm_get(api, "/plans/", farm_text(v, "plan"), "", e);
    if (plan)
        full = json_read_path(path, FULL_MAX_BYTES, e);
    if (full)
        ret = compare(v, full, farm_count(plan, "launches"), o, e);
    json_decref(full);
    json_decref(plan);
    json_decref(v);
    return ret;
}
