/* Reads features files (docs/formats/features.md): columns of numbers in one JSON object. A file with instruction
 * counts is a complete profile. The file is read as a stream, so only the columns are in memory. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "ingest/features_columns.h"

struct reader {
    struct import *im;
    struct features_text text;
};

/* --- checks --- */

static double sum_of(const struct feature_numbers *c)
{
    double sum = 0;

    for (size_t i = 0; i < c->count; i++)
        sum += c->items[i];
    return sum;
}

static int wrong(const struct reader *r, const char *what, struct err *e)
{
    return err_set(e, ERR_INVALID, "%s: %s", r->im->name, what);
}

static bool all_below(const struct feature_numbers *c, double limit)
{
    for (size_t i = 0; i < c->count; i++)
        if (!(c->items[i] < limit))
            return false;
    return true;
}

static int check_launches(const struct reader *r, struct err *e)
{
    const struct feature_numbers *c = r->text.columns;
    size_t kernels = r->text.name.count, n = c[F_KERNEL].count;

    if (!r->text.format || !r->text.version)
        return wrong(r, "not a features file of version 1", e);
    if (n == 0)
        return wrong(r, "it has no launches", e);
    if (c[F_GRID].count != 3 * kernels || c[F_BLOCK].count != 3 * kernels ||
        (c[F_REGISTERS].there && c[F_REGISTERS].count != kernels) ||
        (c[F_SHARED_BYTES].there && c[F_SHARED_BYTES].count != kernels) ||
        (r->text.mangled.there && r->text.mangled.count != kernels))
        return wrong(r, "kernels: its columns have different lengths", e);
    if (!all_below(&c[F_KERNEL], (double)kernels))
        return wrong(r, "kernel: a number that no kernel has", e);
    if (!all_below(&c[F_GRID], 0x1p32) || !all_below(&c[F_BLOCK], 0x1p32) || !all_below(&c[F_REGISTERS], 0x1p32) ||
        !all_below(&c[F_SHARED_BYTES], 0x1p32) || !all_below(&c[F_DEVICE], 0x1p31))
        return wrong(r, "kernels or contexts: a number is too large", e);
    if (c[F_DEVICE].count != c[F_LAUNCHES].count || sum_of(&c[F_LAUNCHES]) != (double)n)
        return wrong(r, "contexts: their numbers of launches do not match the list of launches", e);
    for (int k = F_PROCESS; k <= F_CONTEXT; k++)
        if (c[k].there && c[k].count != c[F_LAUNCHES].count)
            return wrong(r, "contexts: its columns have different lengths", e);
    for (int k = F_INSTRUCTIONS; k <= F_BBV_OF; k++)
        if (c[k].there && c[k].count != n)
            return wrong(r, "a column is longer or shorter than the list of launches", e);
    for (int m = 0; m < FEATURE_COUNT; m++)
        if (c[F_METRICS + m].there && c[F_METRICS + m].count != n)
            return wrong(r, "metrics: a column is longer or shorter than the list of launches", e);
    return 0;
}

/* Estimated cycles need the name of the GPU and a value for every launch. */
static int check_cycles(const struct reader *r, struct err *e)
{
    bool there = r->text.columns[F_CYCLES].there;

    if (there && !r->text.cycles)
        return wrong(r, "cycles: estimated cycles are in files of the format vivace-cycles", e);
    if (r->text.cycles && (!there || !*r->text.gpu))
        return wrong(r, "a file of estimated cycles needs the members cycles, one number for each launch, and gpu",
                     e);
    return 0;
}

static int check_vectors(const struct reader *r, struct err *e)
{
    const struct feature_numbers *c = r->text.columns;

    if (c[F_TYPE_BLOCKS].count != c[F_TYPE_WARPS].count ||
        sum_of(&c[F_BBV_TYPES]) != (double)c[F_TYPE_WARPS].count ||
        sum_of(&c[F_TYPE_BLOCKS]) != (double)c[F_ENTRY_BLOCK].count ||
        c[F_ENTRY_COUNT].count != c[F_ENTRY_BLOCK].count)
        return wrong(r, "bbvs: the numbers of types, warps and blocks do not match", e);
    if (!all_below(&c[F_BBV_OF], (double)c[F_BBV_TYPES].count) || !all_below(&c[F_ENTRY_BLOCK], 0x1p32))
        return wrong(r, "bbvs: a number that no vector or block has", e);
    if (c[F_WAVES].there != c[F_WAVE_CTAS].there || (c[F_WAVES].there && c[F_WAVES].count != c[F_KERNEL].count) ||
        sum_of(&c[F_WAVES]) != (double)c[F_WAVE_CTAS].count ||
        c[F_WAVE_INSTRUCTIONS].count != c[F_WAVE_CTAS].count || c[F_WAVE_REQUESTS].count != c[F_WAVE_CTAS].count ||
        c[F_WAVE_VARIATION].count != c[F_WAVE_CTAS].count)
        return wrong(r, "waves: their numbers do not match", e);
    if (!all_below(&c[F_WAVE_CTAS], 0x1p32))
        return wrong(r, "waves: a number is too large", e);
    return 0;
}

/* --- launches and features --- */

static int take_launches(const struct reader *r, struct err *e)
{
    const struct feature_numbers *c = r->text.columns, *values = &c[r->text.cycles ? F_CYCLES : F_INSTRUCTIONS];
    size_t context = 0, left = 0;

    for (size_t i = 0; i < c[F_KERNEL].count; i++) {
        size_t k = (size_t)c[F_KERNEL].items[i];
        ASSERT_HOT(k < r->text.name.count);
        struct import_launch l = {.place = "launch",
                                  .number = i,
                                  .name = r->text.name.items[k],
                                  .mangled = r->text.mangled.there ? r->text.mangled.items[k] : NULL,
                                  .has_shape = c[F_GRID].items[3 * k] != 0,
                                  .has_correlation = true,
                                  .has_stream = true,
                                  .correlation = i};

        for (; left == 0; context++)
            left = (size_t)c[F_LAUNCHES].items[context];
        left--;
        l.context = c[F_CONTEXT].there ? (uint64_t)c[F_CONTEXT].items[context - 1] : context;
        l.process = c[F_PROCESS].there ? (uint64_t)c[F_PROCESS].items[context - 1] : 0;
        l.stream = c[F_STREAM].there ? (uint64_t)c[F_STREAM].items[i] : 0;
        l.device = (int64_t)c[F_DEVICE].items[context - 1];
        for (int d = 0; d < 3; d++) {
            l.grid[d] = (int64_t)c[F_GRID].items[3 * k + (size_t)d];
            l.block[d] = (int64_t)c[F_BLOCK].items[3 * k + (size_t)d];
        }
        l.registers = c[F_REGISTERS].there ? (int64_t)c[F_REGISTERS].items[k] : 0;
        l.shared_bytes = c[F_SHARED_BYTES].there ? (int64_t)c[F_SHARED_BYTES].items[k] : 0;
        l.value = values->there ? (int64_t)values->items[i] : 0;
        if (import_launch(r->im, &l, e) < 0)
            return -1;
    }
    if (r->im->report->dropped_count > 0) /* a dropped launch would shift all launches after it */
        return err_set(e, ERR_INVALID, "%s: %llu of its launches cannot be used; the first reason: %s", r->im->name,
                       (unsigned long long)r->im->report->dropped_count, r->im->report->dropped.items[0].sentence);
    return 0;
}

/* Passes the column's array to the caller without a copy. */
static double *hand_over(struct feature_numbers *c)
{
    double *items = c->there ? c->items : NULL;

    if (items)
        c->items = NULL;
    return items;
}

static int give_bbvs(const struct reader *r, struct features *f, struct err *e)
{
    const struct feature_numbers *c = r->text.columns;
    struct bbv_store *s = &f->bbvs;

    s->bbvs = mem_zalloc(c[F_BBV_TYPES].count + 1, sizeof *s->bbvs, e);
    s->types = s->bbvs ? mem_zalloc(c[F_TYPE_WARPS].count + 1, sizeof *s->types, e) : NULL;
    s->entries = s->types ? mem_zalloc(c[F_ENTRY_BLOCK].count + 1, sizeof *s->entries, e) : NULL;
    f->bbv_of = s->entries ? mem_zalloc(c[F_BBV_OF].count + 1, sizeof *f->bbv_of, e) : NULL;
    if (!f->bbv_of)
        return -1;
    for (size_t i = 0; i < c[F_BBV_OF].count; i++)
        f->bbv_of[i] = (uint32_t)c[F_BBV_OF].items[i];
    for (; s->bbv_count < c[F_BBV_TYPES].count; s->bbv_count++) {
        s->bbvs[s->bbv_count].begin = s->type_count;
        s->type_count += (size_t)c[F_BBV_TYPES].items[s->bbv_count];
        s->bbvs[s->bbv_count].end = s->type_count;
    }
    for (size_t t = 0; t < s->type_count; t++) {
        s->types[t] = (struct bbv_type){(uint64_t)c[F_TYPE_WARPS].items[t], s->entry_count, 0};
        s->entry_count += (size_t)c[F_TYPE_BLOCKS].items[t];
        s->types[t].end = s->entry_count;
    }
    for (size_t i = 0; i < s->entry_count; i++)
        s->entries[i] =
            (struct bbv_entry){(uint32_t)c[F_ENTRY_BLOCK].items[i], (uint64_t)c[F_ENTRY_COUNT].items[i]};
    ASSERT(s->type_count == c[F_TYPE_WARPS].count && s->entry_count == c[F_ENTRY_BLOCK].count);
    return 0;
}

static int give_waves(const struct reader *r, struct features *f, struct err *e)
{
    const struct feature_numbers *c = r->text.columns;

    f->wave_count = c[F_WAVE_CTAS].count;
    f->waves = mem_zalloc(f->wave_count + 1, sizeof *f->waves, e);
    f->wave_begin = f->waves ? mem_zalloc(c[F_WAVES].count + 1, sizeof *f->wave_begin, e) : NULL;
    if (!f->wave_begin)
        return -1;
    for (size_t i = 0; i < c[F_WAVES].count; i++)
        f->wave_begin[i + 1] = f->wave_begin[i] + (uint64_t)c[F_WAVES].items[i];
    for (size_t i = 0; i < f->wave_count; i++)
        f->waves[i] = (struct wave){(uint32_t)c[F_WAVE_CTAS].items[i], (uint64_t)c[F_WAVE_INSTRUCTIONS].items[i],
                                    (uint64_t)c[F_WAVE_REQUESTS].items[i], c[F_WAVE_VARIATION].items[i]};
    ASSERT(f->wave_begin[c[F_WAVES].count] == f->wave_count);
    return 0;
}

static int give_features(struct reader *r, struct err *e)
{
    struct features *f = r->im->features = features_new(e);
    struct feature_numbers *c = r->text.columns;

    if (!f)
        return -1;
    ASSERT(r->im->report->accepted == c[F_KERNEL].count);
    f->known = c[F_KERNEL].count;
    if (c[F_INSTRUCTIONS].there) {
        f->instructions = mem_zalloc(f->known, sizeof *f->instructions, e);
        if (!f->instructions)
            return -1;
        for (size_t i = 0; i < f->known; i++)
            f->instructions[i] = (uint64_t)c[F_INSTRUCTIONS].items[i];
    }
    if ((c[F_BBV_OF].there && give_bbvs(r, f, e) < 0) || (c[F_WAVES].there && give_waves(r, f, e) < 0))
        return -1;
    f->cta_cov = hand_over(&c[F_CTA_COV]);
    for (int m = 0; m < FEATURE_COUNT; m++)
        f->metrics[m] = hand_over(&c[F_METRICS + m]);
    return 0;
}

static int read_all(struct reader *r, struct stream *s, struct err *e)
{
    if (features_text_read(r->im, s, &r->text, e) < 0 || check_launches(r, e) < 0 || check_cycles(r, e) < 0 ||
        check_vectors(r, e) < 0)
        return -1;
    if (!r->text.cycles && !r->text.columns[F_INSTRUCTIONS].there && !r->im->options.without_values) {
        err_set(e, ERR_INVALID, "%s: without instruction counts a features file cannot be used as a profile",
                r->im->name);
        return err_hint(e, "Use it with --features, together with the profile that it belongs to.");
    }
    snprintf(r->im->report->schema, sizeof r->im->report->schema, "version 1");
    ASSERT(r->text.columns[F_DEVICE].count > 0);
    import_gpu_name(r->im, (int64_t)r->text.columns[F_DEVICE].items[0], r->text.gpu, strlen(r->text.gpu));
    return take_launches(r, e) < 0 ? -1 : give_features(r, e);
}

int features_file_import(struct import *im, struct err *e)
{
    struct reader *r = mem_zalloc(1, sizeof *r, e);
    struct stream *s;
    int ret = -1;

    if (!r)
        return -1;
    r->im = im;
    if (import_open(im, &s, e) == 0) {
        ret = read_all(r, s, e);
        stream_close(s);
    }
    features_text_release(&r->text);
    free(r);
    return ret;
}
