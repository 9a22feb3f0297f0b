/* Features files (docs/formats/features.md): columns of numbers in one JSON object. A file with instruction counts
 * is a profile of its own. Read as a stream: memory is that of the columns. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yajl/yajl_parse.h>

#include "base/array.h"
#include "base/text.h"
#include "ingest/import.h"

#define CHUNK       (256u << 10)
#define WHOLE_MOST  9007199254740992.0 /* 2^53 */
#define NESTED_MOST 4

/* Every array of numbers: where it stands, and whether its numbers are whole. Metrics follow. */
enum column {
    GRID,
    BLOCK,
    REGISTERS,
    SHARED_BYTES,
    DEVICE,
    LAUNCHES,
    KERNEL,
    INSTRUCTIONS,
    CTA_COV,
    BBV_OF,
    BBV_TYPES,
    TYPE_WARPS,
    TYPE_BLOCKS,
    ENTRY_BLOCK,
    ENTRY_COUNT,
    WAVES,
    WAVE_CTAS,
    WAVE_INSTRUCTIONS,
    WAVE_REQUESTS,
    WAVE_VARIATION,
    METRICS,
    COLUMNS = METRICS + FEATURE_COUNT
};
static const struct place {
    const char *top, *sub;
    bool fraction;
} places[METRICS] = {
    [GRID] = {"kernels", "grid", false},
    [BLOCK] = {"kernels", "block", false},
    [REGISTERS] = {"kernels", "registers", false},
    [SHARED_BYTES] = {"kernels", "shared_bytes", false},
    [DEVICE] = {"contexts", "device", false},
    [LAUNCHES] = {"contexts", "launches", false},
    [KERNEL] = {"kernel", NULL, false},
    [INSTRUCTIONS] = {"instructions", NULL, false},
    [CTA_COV] = {"cta_cov", NULL, true},
    [BBV_OF] = {"bbv_of", NULL, false},
    [BBV_TYPES] = {"bbvs", "types", false},
    [TYPE_WARPS] = {"bbvs", "warps", false},
    [TYPE_BLOCKS] = {"bbvs", "blocks", false},
    [ENTRY_BLOCK] = {"bbvs", "block", false},
    [ENTRY_COUNT] = {"bbvs", "count", false},
    [WAVES] = {"waves", "count", false},
    [WAVE_CTAS] = {"waves", "ctas", false},
    [WAVE_INSTRUCTIONS] = {"waves", "instructions", false},
    [WAVE_REQUESTS] = {"waves", "memory_requests", false},
    [WAVE_VARIATION] = {"waves", "variation", true},
};

struct numbers {
    double *items;
    size_t count, capacity;
    bool there;
};
struct names {
    const struct import_name **items; /* NULL: null */
    size_t count, capacity;
    bool there;
};

struct reader {
    struct import *im;
    struct err *e;
    bool failed;
    struct numbers columns[COLUMNS];
    struct names name, mangled;
    uint64_t bytes;
    unsigned maps, arrays; /* how deep */
    char top[32], sub[32];
    struct numbers *into; /* the array under way */
    struct names *names_into;
    bool fraction;
    bool format, version; /* seen and right */
    char gpu[128];
};

static int fail(struct reader *r, const char *what)
{
    if (!r->failed)
        err_set(r->e, ERR_INVALID, "%s: %s%s%s: %s", r->im->name, *r->top ? r->top : "the document",
                *r->sub ? "." : "", r->sub, what);
    r->failed = true;
    return 0;
}

/* --- what yajl calls; 0 stops it, with the error filled --- */

static int on_number(void *ctx, const char *text, size_t n)
{
    struct reader *r = ctx;
    char copy[40];
    struct err why;
    double x;

    if (n >= sizeof copy)
        return fail(r, "a number with more digits than any that is written here");
    memcpy(copy, text, n);
    copy[n] = '\0';
    if (parse_double(copy, "number", &x, &why) < 0 || x < 0)
        return fail(r, "a number that is negative or not finite");
    if (!r->into) {
        r->version = strcmp(r->top, "version") == 0 && x == 1;
        return r->version ? 1 : fail(r, "a number is not what stands here, or the version is not 1");
    }
    if (!r->fraction && (x > WHOLE_MOST || x != floor(x)))
        return fail(r, "a number that is not whole, or is beyond 2^53");
    r->bytes += sizeof x;
    if (r->bytes > r->im->options.most_memory_bytes)
        return fail(r, "the file takes more memory than the limit");
    if (array_reserve((void **)&r->into->items, &r->into->capacity, r->into->count + 1, sizeof x, r->e) < 0) {
        r->failed = true;
        return 0;
    }
    r->into->items[r->into->count++] = x;
    return 1;
}

static int add_name(struct reader *r, const char *text, size_t n)
{
    struct names *into = r->names_into;
    const struct import_name *name = NULL;

    if (text && import_intern(r->im, text, n, &name, r->e) < 0) {
        r->failed = true;
        return 0;
    }
    if (text && !name)
        return fail(r, "a name that is empty or too long");
    if (array_reserve((void **)&into->items, &into->capacity, into->count + 1, sizeof(struct import_name *), r->e) <
        0) {
        r->failed = true;
        return 0;
    }
    into->items[into->count++] = name;
    return 1;
}

static int on_string(void *ctx, const unsigned char *bytes, size_t n)
{
    struct reader *r = ctx;
    char *text;
    int ret = 1;

    if (n > r->im->options.most_name_bytes)
        return fail(r, "a text longer than any name");
    text = mem_strndup((const char *)bytes, n, r->e);
    if (!text) {
        r->failed = true;
        return 0;
    }
    if (r->names_into)
        ret = add_name(r, text, strlen(text));
    else if (r->into || r->maps != 1)
        ret = fail(r, "a text where a number should stand");
    else if (strcmp(r->top, "format") == 0)
        ret = (r->format = strcmp(text, "vivace-features") == 0) ? 1 : fail(r, "not a features file");
    else if (strcmp(r->top, "gpu") == 0)
        snprintf(r->gpu, sizeof r->gpu, "%s", text);
    else if (strcmp(r->top, "source") != 0 && strcmp(r->top, "wave_design") != 0)
        ret = fail(r, "unknown member");
    free(text);
    return ret;
}

static int on_null(void *ctx)
{
    struct reader *r = ctx;

    return r->names_into ? add_name(r, NULL, 0) : fail(r, "null stands where something else should");
}

static int on_boolean(void *ctx, int value)
{
    (void)value;
    return fail(ctx, "true or false stands where something else should");
}

static int on_map_open(void *ctx)
{
    struct reader *r = ctx;
    static const char *const objects[] = {"kernels", "contexts", "metrics", "bbvs", "waves"};

    if (r->maps++ == 0)
        return 1;
    for (size_t i = 0; i < sizeof objects / sizeof *objects && r->maps == 2 && r->arrays == 0; i++)
        if (strcmp(r->top, objects[i]) == 0)
            return 1;
    return fail(r, "an object stands where something else should");
}

static int on_map_close(void *ctx)
{
    struct reader *r = ctx;

    r->maps--;
    *r->sub = '\0';
    return 1;
}

static int on_key(void *ctx, const unsigned char *bytes, size_t n)
{
    struct reader *r = ctx;
    char *into = r->maps == 1 ? r->top : r->sub;

    if (r->maps == 1)
        *r->sub = '\0';
    if (n >= sizeof r->top) {
        *into = '\0';
        return fail(r, "unknown member");
    }
    memcpy(into, bytes, n);
    into[n] = '\0';
    return 1;
}

/* The column that the current keys name; NULL: none. */
static struct numbers *column_here(struct reader *r)
{
    for (int c = 0; c < METRICS; c++) {
        if (strcmp(r->top, places[c].top) == 0 && strcmp(r->sub, places[c].sub ? places[c].sub : "") == 0) {
            r->fraction = places[c].fraction;
            return &r->columns[c];
        }
    }
    for (int m = 0; m < FEATURE_COUNT && strcmp(r->top, "metrics") == 0; m++) {
        if (strcmp(r->sub, feature_infos[m].name) == 0) {
            r->fraction = true;
            return &r->columns[METRICS + m];
        }
    }
    return NULL;
}

static int on_array_open(void *ctx)
{
    struct reader *r = ctx;
    bool *there;

    if (r->maps == 0 || r->arrays++ >= NESTED_MOST)
        return fail(r, "arrays stand too deep in each other");
    if (r->arrays > 1)
        return 1; /* [[1,2,3],[4,5,6]] is the same as [1,2,3,4,5,6] */
    if (strcmp(r->top, "kernels") == 0 && strcmp(r->sub, "name") == 0)
        r->names_into = &r->name;
    else if (strcmp(r->top, "kernels") == 0 && strcmp(r->sub, "mangled_name") == 0)
        r->names_into = &r->mangled;
    else if (!(r->into = column_here(r)))
        return fail(r, "unknown member");
    there = r->into ? &r->into->there : &r->names_into->there;
    if (*there)
        return fail(r, "stands there twice");
    *there = true;
    return 1;
}

static int on_array_close(void *ctx)
{
    struct reader *r = ctx;

    if (--r->arrays == 0) {
        r->into = NULL;
        r->names_into = NULL;
    }
    return 1;
}

static int refuse_json(struct reader *r, yajl_handle y, const unsigned char *chunk, size_t n)
{
    unsigned char *why;

    if (r->failed)
        return -1;
    why = yajl_get_error(y, 0, chunk, n);
    err_set(r->e, ERR_INVALID, "%s: %.*s", r->im->name, why ? (int)strcspn((char *)why, "\n") : 0,
            why ? (char *)why : "");
    yajl_free_error(y, why);
    return -1;
}

static int parse(struct reader *r, struct stream *s, unsigned char *chunk)
{
    static const yajl_callbacks callbacks = {.yajl_null = on_null,
                                             .yajl_boolean = on_boolean,
                                             .yajl_number = on_number,
                                             .yajl_string = on_string,
                                             .yajl_start_map = on_map_open,
                                             .yajl_map_key = on_key,
                                             .yajl_end_map = on_map_close,
                                             .yajl_start_array = on_array_open,
                                             .yajl_end_array = on_array_close};
    yajl_handle y = yajl_alloc(&callbacks, NULL, r);
    ssize_t n = 1;
    int ret = y ? 0 : err_no_memory(r->e);

    while (ret == 0 && n > 0) {
        n = stream_read(s, chunk, CHUNK, r->e);
        import_progress(r->im, stream_bytes_in(s));
        if (n < 0)
            ret = -1;
        else if ((n ? yajl_parse(y, chunk, (size_t)n) : yajl_complete_parse(y)) != yajl_status_ok)
            ret = refuse_json(r, y, chunk, (size_t)n);
    }
    if (y)
        yajl_free(y);
    return ret;
}

/* --- checks --- */

static double sum_of(const struct numbers *c)
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

static bool all_below(const struct numbers *c, double limit)
{
    for (size_t i = 0; i < c->count; i++)
        if (!(c->items[i] < limit))
            return false;
    return true;
}

static int check_launches(const struct reader *r, struct err *e)
{
    const struct numbers *c = r->columns;
    size_t kernels = r->name.count, n = c[KERNEL].count;

    if (!r->format || !r->version)
        return wrong(r, "no features file of version 1", e);
    if (n == 0)
        return wrong(r, "it has no launches", e);
    if (c[GRID].count != 3 * kernels || c[BLOCK].count != 3 * kernels ||
        (c[REGISTERS].there && c[REGISTERS].count != kernels) ||
        (c[SHARED_BYTES].there && c[SHARED_BYTES].count != kernels) ||
        (r->mangled.there && r->mangled.count != kernels))
        return wrong(r, "kernels: its columns are not equally long", e);
    if (!all_below(&c[KERNEL], (double)kernels))
        return wrong(r, "kernel: a number that no kernel has", e);
    if (!all_below(&c[GRID], 0x1p32) || !all_below(&c[BLOCK], 0x1p32) || !all_below(&c[REGISTERS], 0x1p32) ||
        !all_below(&c[SHARED_BYTES], 0x1p32) || !all_below(&c[DEVICE], 0x1p31))
        return wrong(r, "kernels or contexts: a number is too large", e);
    if (c[DEVICE].count != c[LAUNCHES].count || sum_of(&c[LAUNCHES]) != (double)n)
        return wrong(r, "contexts: their launches are not those that are there", e);
    for (int k = INSTRUCTIONS; k <= BBV_OF; k++)
        if (c[k].there && c[k].count != n)
            return wrong(r, "a column is longer or shorter than the list of launches", e);
    for (int m = 0; m < FEATURE_COUNT; m++)
        if (c[METRICS + m].there && c[METRICS + m].count != n)
            return wrong(r, "metrics: a column is longer or shorter than the list of launches", e);
    return 0;
}

static int check_vectors(const struct reader *r, struct err *e)
{
    const struct numbers *c = r->columns;

    if (c[TYPE_BLOCKS].count != c[TYPE_WARPS].count || sum_of(&c[BBV_TYPES]) != (double)c[TYPE_WARPS].count ||
        sum_of(&c[TYPE_BLOCKS]) != (double)c[ENTRY_BLOCK].count || c[ENTRY_COUNT].count != c[ENTRY_BLOCK].count)
        return wrong(r, "bbvs: types, warps and blocks do not add up", e);
    if (!all_below(&c[BBV_OF], (double)c[BBV_TYPES].count) || !all_below(&c[ENTRY_BLOCK], 0x1p32))
        return wrong(r, "bbvs: a number that no vector or block has", e);
    if (c[WAVES].there != c[WAVE_CTAS].there || (c[WAVES].there && c[WAVES].count != c[KERNEL].count) ||
        sum_of(&c[WAVES]) != (double)c[WAVE_CTAS].count || c[WAVE_INSTRUCTIONS].count != c[WAVE_CTAS].count ||
        c[WAVE_REQUESTS].count != c[WAVE_CTAS].count || c[WAVE_VARIATION].count != c[WAVE_CTAS].count)
        return wrong(r, "waves: they do not add up", e);
    if (!all_below(&c[WAVE_CTAS], 0x1p32))
        return wrong(r, "waves: a number is too large", e);
    return 0;
}

/* --- launches and features --- */

static int take_launches(const struct reader *r, struct err *e)
{
    const struct numbers *c = r->columns;
    size_t context = 0, left = 0;

    for (size_t i = 0; i < c[KERNEL].count; i++) {
        size_t k = (size_t)c[KERNEL].items[i];
        struct import_launch l = {.place = "launch",
                                  .number = i,
                                  .name = r->name.items[k],
                                  .mangled = r->mangled.there ? r->mangled.items[k] : NULL,
                                  .has_shape = c[GRID].items[3 * k] != 0,
                                  .has_correlation = true,
                                  .has_stream = true,
                                  .correlation = i};

        for (; left == 0; context++)
            left = (size_t)c[LAUNCHES].items[context];
        left--;
        l.context = context;
        l.device = (int64_t)c[DEVICE].items[context - 1];
        for (int d = 0; d < 3; d++) {
            l.grid[d] = (int64_t)c[GRID].items[3 * k + (size_t)d];
            l.block[d] = (int64_t)c[BLOCK].items[3 * k + (size_t)d];
        }
        l.registers = c[REGISTERS].there ? (int64_t)c[REGISTERS].items[k] : 0;
        l.shared_bytes = c[SHARED_BYTES].there ? (int64_t)c[SHARED_BYTES].items[k] : 0;
        l.value = c[INSTRUCTIONS].there ? (int64_t)c[INSTRUCTIONS].items[i] : 0;
        if (import_launch(r->im, &l, e) < 0)
            return -1;
    }
    if (r->im->report->dropped_count > 0) /* would shift all that follow */
        return err_set(e, ERR_INVALID, "%s: %llu of its launches cannot be used; the first reason: %s", r->im->name,
                       (unsigned long long)r->im->report->dropped_count, r->im->report->dropped.items[0].sentence);
    return 0;
}

/* The column as it is, handed over. */
static double *hand_over(struct numbers *c)
{
    double *items = c->there ? c->items : NULL;

    if (items)
        c->items = NULL;
    return items;
}

static int give_bbvs(const struct reader *r, struct features *f, struct err *e)
{
    const struct numbers *c = r->columns;
    struct bbv_store *s = &f->bbvs;

    s->bbvs = mem_zalloc(c[BBV_TYPES].count + 1, sizeof *s->bbvs, e);
    s->types = s->bbvs ? mem_zalloc(c[TYPE_WARPS].count + 1, sizeof *s->types, e) : NULL;
    s->entries = s->types ? mem_zalloc(c[ENTRY_BLOCK].count + 1, sizeof *s->entries, e) : NULL;
    f->bbv_of = s->entries ? mem_zalloc(c[BBV_OF].count + 1, sizeof *f->bbv_of, e) : NULL;
    if (!f->bbv_of)
        return -1;
    for (size_t i = 0; i < c[BBV_OF].count; i++)
        f->bbv_of[i] = (uint32_t)c[BBV_OF].items[i];
    for (; s->bbv_count < c[BBV_TYPES].count; s->bbv_count++) {
        s->bbvs[s->bbv_count].begin = s->type_count;
        s->type_count += (size_t)c[BBV_TYPES].items[s->bbv_count];
        s->bbvs[s->bbv_count].end = s->type_count;
    }
    for (size_t t = 0; t < s->type_count; t++) {
        s->types[t] = (struct bbv_type){(uint64_t)c[TYPE_WARPS].items[t], s->entry_count, 0};
        s->entry_count += (size_t)c[TYPE_BLOCKS].items[t];
        s->types[t].end = s->entry_count;
    }
    for (size_t i = 0; i < s->entry_count; i++)
        s->entries[i] = (struct bbv_entry){(uint32_t)c[ENTRY_BLOCK].items[i], (uint64_t)c[ENTRY_COUNT].items[i]};
    return 0;
}

static int give_waves(const struct reader *r, struct features *f, struct err *e)
{
    const struct numbers *c = r->columns;

    f->wave_count = c[WAVE_CTAS].count;
    f->waves = mem_zalloc(f->wave_count + 1, sizeof *f->waves, e);
    f->wave_begin = f->waves ? mem_zalloc(c[WAVES].count + 1, sizeof *f->wave_begin, e) : NULL;
    if (!f->wave_begin)
        return -1;
    for (size_t i = 0; i < c[WAVES].count; i++)
        f->wave_begin[i + 1] = f->wave_begin[i] + (uint64_t)c[WAVES].items[i];
    for (size_t i = 0; i < f->wave_count; i++)
        f->waves[i] = (struct wave){(uint32_t)c[WAVE_CTAS].items[i], (uint64_t)c[WAVE_INSTRUCTIONS].items[i],
                                    (uint64_t)c[WAVE_REQUESTS].items[i], c[WAVE_VARIATION].items[i]};
    return 0;
}

static int give_features(struct reader *r, struct err *e)
{
    struct features *f = r->im->features = features_new(e);
    struct numbers *c = r->columns;

    if (!f)
        return -1;
    f->known = c[KERNEL].count;
    if (c[INSTRUCTIONS].there) {
        f->instructions = mem_zalloc(f->known, sizeof *f->instructions, e);
        if (!f->instructions)
            return -1;
        for (size_t i = 0; i < f->known; i++)
            f->instructions[i] = (uint64_t)c[INSTRUCTIONS].items[i];
    }
    if ((c[BBV_OF].there && give_bbvs(r, f, e) < 0) || (c[WAVES].there && give_waves(r, f, e) < 0))
        return -1;
    f->cta_cov = hand_over(&c[CTA_COV]);
    for (int m = 0; m < FEATURE_COUNT; m++)
        f->metrics[m] = hand_over(&c[METRICS + m]);
    return 0;
}

static int read_all(struct reader *r, struct stream *s, struct err *e)
{
    unsigned char *chunk = mem_zalloc(CHUNK, 1, e);
    int ret = chunk ? parse(r, s, chunk) : -1;

    free(chunk);
    if (ret < 0 || check_launches(r, e) < 0 || check_vectors(r, e) < 0)
        return -1;
    if (!r->columns[INSTRUCTIONS].there && !r->im->options.without_values) {
        err_set(e, ERR_INVALID, "%s: without instruction counts a features file is no profile of its own",
                r->im->name);
        return err_hint(e, "Give it as --features of the profile it belongs to.");
    }
    snprintf(r->im->report->schema, sizeof r->im->report->schema, "version 1");
    import_gpu_name(r->im, (int64_t)r->columns[DEVICE].items[0], r->gpu, strlen(r->gpu));
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
    r->e = e;
    if (import_open(im, &s, e) == 0) {
        ret = read_all(r, s, e);
        stream_close(s);
    }
    for (int c = 0; c < COLUMNS; c++)
        free(r->columns[c].items);
    free(r->name.items);
    free(r->mangled.items);
    free(r);
    return ret;
}
