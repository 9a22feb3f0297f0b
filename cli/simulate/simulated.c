#include "cli/simulate/simulated.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "wire/json.h"

#define FILE_BYTES_MAX (1u << 30)

/* A launch of the file, before they are sorted. */
struct row {
    uint64_t launch, cycles;
    const json_t *at;
    double counters[METRIC_COUNTERS];
};

void simulated_release(struct simulated *s)
{
    profile_release(&s->profile);
    free(s->number);
    free(s->counters);
    s->number = NULL;
    s->counters = NULL;
}

/* --- the design --- */

static int list_designs(const json_t *totals, struct strbuf *out, struct err *e)
{
    const json_t *total;
    const char *name;
    size_t i;

    json_array_foreach(totals, i, total)
    {
        if (json_need_str(total, "design", &name, e) < 0)
            return -1;
        strbuf_addf(out, "%s%s", i ? ", " : "", name);
    }
    return 0;
}

static int choose_design(const json_t *totals, const char *design, struct simulated *out, struct err *e)
{
    struct strbuf names = STRBUF_INIT;
    const json_t *total;
    int ret = 0;
    size_t i;

    json_array_foreach(totals, i, total)
    {
        const char *name;

        if (json_need_str(total, "design", &name, e) < 0)
            return -1;
        if (design ? strcmp(name, design) != 0 : json_array_size(totals) > 1)
            continue;
        if (json_need_copy(total, "design", out->design, sizeof out->design, e) < 0 ||
            json_need_double(total, "clock_hz", &out->clock_hz, e) < 0)
            return -1;
        return out->clock_hz > 0 ? 0 : err_set(e, ERR_INVALID, "`clock_hz` of %s must be above 0", name);
    }
    if (list_designs(totals, &names, e) < 0)
        ret = -1;
    else if (design)
        ret = err_set(e, ERR_USAGE, "--gpu: the file has no results of `%s`; it has %s", design, names.text);
    else
        ret = err_set(e, ERR_USAGE, "the file has results of %s: name one with --gpu",
                      names.length ? names.text : "no design");
    strbuf_release(&names);
    return ret;
}

/* --- launches --- */

static int read_counters(const json_t *kernel, struct row *row, bool *any, struct err *e)
{
    const json_t *counters = NULL;

    for (int c = 0; c < METRIC_COUNTERS; c++)
        row->counters[c] = NAN;
    if (json_opt_member(kernel, "counters", &counters, e) < 0)
        return -1;
    if (!counters || !json_is_object(counters))
        return 0;
    *any = true;
    for (int c = 0; c < METRIC_COUNTERS; c++)
        if (json_opt_double(counters, metric_counters[c], &row->counters[c], e) < 0)
            return -1;
    return 0;
}

static int row_compare(const void *a, const void *b)
{
    const struct row *x = a, *y = b;

    return x->launch < y->launch ? -1 : x->launch > y->launch;
}

static int read_rows(const json_t *kernels, struct simulated *out, struct row *rows, size_t *used, struct err *e)
{
    const json_t *kernel;
    size_t i;

    json_array_foreach(kernels, i, kernel)
    {
        struct row *row = &rows[*used];
        const char *design;
        uint64_t cycles = 0;

        *row = (struct row){.at = kernel};
        if (json_need_str(kernel, "design", &design, e) < 0)
            return err_wrap(e, "kernels[%zu]", i);
        if (strcmp(design, out->design) != 0)
            continue;
        if (json_need_u64(kernel, "launch", &row->launch, e) < 0 ||
            json_opt_u64(kernel, "cycles", &cycles, e) < 0 || read_counters(kernel, row, &out->has_counters, e) < 0)
            return err_wrap(e, "kernels[%zu]", i);
        row->cycles = cycles;
        *used += cycles > 0;
        out->failed += cycles == 0;
    }
    return 0;
}

static int build_profile(const struct row *rows, size_t count, struct simulated *out, struct err *e)
{
    struct profile_builder *b = profile_builder_new(PROFILE_CYCLES, 0, e);
    int ret = b ? 0 : -1;

    for (size_t i = 0; ret == 0 && i < count; i++) {
        struct profile_row row = {.correlation = i + 1, .value = rows[i].cycles};
        const char *name = NULL;

        ret = json_opt_str(rows[i].at, "demangled", &name, e) < 0 ||
                      (!name && json_need_str(rows[i].at, "name", &name, e) < 0) ||
                      json_read_dim3(rows[i].at, "grid", row.grid, e) < 0 ||
                      json_read_dim3(rows[i].at, "block", row.block, e) < 0
                  ? -1
                  : 0;
        row.name = name;
        if (ret == 0)
            ret = profile_builder_add(b, &row, e);
    }
    if (ret == 0)
        ret = profile_builder_finish(b, &out->profile, e);
    profile_builder_free(b);
    return ret;
}

static int take_rows(struct row *rows, size_t count, struct simulated *out, struct err *e)
{
    if (count == 0)
        return err_set(e, ERR_INVALID, "no launch has a result on %s", out->design);
    array_sort(rows, count, sizeof *rows, row_compare);
    out->number = mem_zalloc(count, sizeof *out->number, e);
    out->counters = mem_zalloc(count, sizeof *out->counters, e);
    if (!out->number || !out->counters)
        return -1;
    out->whole = !out->failed;
    for (size_t i = 0; i < count; i++) {
        if (i && rows[i].launch == rows[i - 1].launch)
            return err_set(e, ERR_INVALID, "launch %llu is there twice", (unsigned long long)rows[i].launch);
        out->number[i] = rows[i].launch;
        out->whole &= rows[i].launch == i;
        memcpy(out->counters[i], rows[i].counters, sizeof rows[i].counters);
    }
    return build_profile(rows, count, out, e);
}

static int read_document(const json_t *doc, const char *design, struct simulated *out, struct err *e)
{
    const json_t *totals, *kernels;
    struct row *rows;
    size_t used = 0;
    int ret;

    if (json_need_copy(doc, "simulator", out->simulator, sizeof out->simulator, e) < 0 ||
        json_need_array(doc, "totals", &totals, e) < 0 || json_need_array(doc, "kernels", &kernels, e) < 0) {
        err_wrap(e, "not an output of `vivace simulate --json`");
        return -1;
    }
    if (choose_design(totals, design, out, e) < 0)
        return -1;
    rows = mem_zalloc(json_array_size(kernels) + 1, sizeof *rows, e);
    if (!rows)
        return -1;
    ret = read_rows(kernels, out, rows, &used, e);
    if (ret == 0)
        ret = take_rows(rows, used, out, e);
    free(rows);
    return ret;
}

int simulated_read(const char *path, const char *design, struct simulated *out, struct err *e)
{
    json_t *doc;
    int ret;

    memset(out, 0, sizeof *out);
    profile_init(&out->profile);
    doc = json_read_path(path, FILE_BYTES_MAX, e);
    if (!doc)
        return -1;
    ret = read_document(doc, design, out, e);
    if (ret < 0 && e->code != ERR_USAGE)
        err_wrap(e, "%s", path);
    json_decref(doc);
    return ret;
}
