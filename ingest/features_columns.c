#include "ingest/features_columns.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <yajl/yajl_parse.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/text.h"

#define CHUNK      (256u << 10)
#define WHOLE_MAX  9007199254740992.0 /* 2^53 */
#define NESTED_MAX 4

/* The index of each column, and whether its numbers may have fractions. */
static const struct place {
    const char *top, *sub;
    bool fraction;
} places[F_METRICS] = {
    [F_GRID] = {"kernels", "grid", false},
    [F_BLOCK] = {"kernels", "block", false},
    [F_REGISTERS] = {"kernels", "registers", false},
    [F_SHARED_BYTES] = {"kernels", "shared_bytes", false},
    [F_DEVICE] = {"contexts", "device", false},
    [F_LAUNCHES] = {"contexts", "launches", false},
    [F_PROCESS] = {"contexts", "process", false},
    [F_CONTEXT] = {"contexts", "context", false},
    [F_KERNEL] = {"kernel", NULL, false},
    [F_INSTRUCTIONS] = {"instructions", NULL, false},
    [F_CYCLES] = {"cycles", NULL, false},
    [F_STREAM] = {"stream", NULL, false},
    [F_CTA_COV] = {"cta_cov", NULL, true},
    [F_BBV_OF] = {"bbv_of", NULL, false},
    [F_BBV_TYPES] = {"bbvs", "types", false},
    [F_TYPE_WARPS] = {"bbvs", "warps", false},
    [F_TYPE_BLOCKS] = {"bbvs", "blocks", false},
    [F_ENTRY_BLOCK] = {"bbvs", "block", false},
    [F_ENTRY_COUNT] = {"bbvs", "count", false},
    [F_WAVES] = {"waves", "count", false},
    [F_WAVE_CTAS] = {"waves", "ctas", false},
    [F_WAVE_INSTRUCTIONS] = {"waves", "instructions", false},
    [F_WAVE_REQUESTS] = {"waves", "memory_requests", false},
    [F_WAVE_VARIATION] = {"waves", "variation", true},
};

struct reader {
    struct import *im;
    struct err *e;
    bool failed;
    struct features_text *out;
    uint64_t bytes;
    unsigned maps, arrays; /* current nesting depth */
    char top[32], sub[32];
    struct feature_numbers *into; /* the array that is being read */
    struct feature_names *names_into;
    bool fraction;
};

static int fail(struct reader *r, const char *what)
{
    if (!r->failed)
        err_set(r->e, ERR_INVALID, "%s: %s%s%s: %s", r->im->name, *r->top ? r->top : "the document",
                *r->sub ? "." : "", r->sub, what);
    r->failed = true;
    return 0;
}

/* --- callbacks of yajl; returning 0 stops the parser, with *e filled --- */

static int on_number(void *ctx, const char *text, size_t n)
{
    struct reader *r = ctx;
    char copy[40];
    struct err why;
    double x;

    if (n >= sizeof copy)
        return fail(r, "a number with too many digits");
    memcpy(copy, text, n);
    copy[n] = '\0';
    if (parse_double(copy, "number", &x, &why) < 0 || x < 0)
        return fail(r, "a number that is negative or not finite");
    if (!r->into) {
        r->out->version = strcmp(r->top, "version") == 0 && x == 1;
        return r->out->version ? 1 : fail(r, "the version is missing or is not 1");
    }
    ASSERT_HOT(r->arrays > 0 && !r->failed);
    if (!r->fraction && (x > WHOLE_MAX || x != floor(x)))
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
    struct feature_names *into = r->names_into;
    const struct import_name *name = NULL;

    ASSERT(r->arrays > 0 && into->there);
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

    ASSERT(!r->failed);
    if (n > r->im->options.most_name_bytes)
        return fail(r, "a text that is too long");
    text = mem_strndup((const char *)bytes, n, r->e);
    if (!text) {
        r->failed = true;
        return 0;
    }
    if (r->names_into)
        ret = add_name(r, text, strlen(text));
    else if (r->into || r->maps != 1)
        ret = fail(r, "a text instead of a number");
    else if (strcmp(r->top, "format") == 0) {
        r->out->cycles = strcmp(text, "vivace-cycles") == 0;
        r->out->format = r->out->cycles || strcmp(text, "vivace-features") == 0;
        ret = r->out->format ? 1 : fail(r, "not a features file");
    } else if (strcmp(r->top, "gpu") == 0)
        snprintf(r->out->gpu, sizeof r->out->gpu, "%s", text);
    else if (strcmp(r->top, "source") != 0 && strcmp(r->top, "wave_design") != 0 && strcmp(r->top, "note") != 0)
        ret = fail(r, "unknown member");
    free(text);
    return ret;
}

static int on_null(void *ctx)
{
    struct reader *r = ctx;

    return r->names_into ? add_name(r, NULL, 0) : fail(r, "unexpected null");
}

static int on_boolean(void *ctx, int value)
{
    (void)value;
    return fail(ctx, "unexpected true or false");
}

static int on_map_open(void *ctx)
{
    struct reader *r = ctx;
    static const char *const objects[] = {"kernels", "contexts", "metrics", "bbvs", "waves"};

    ASSERT(!r->failed);
    if (r->maps++ == 0)
        return 1;
    for (size_t i = 0; i < sizeof objects / sizeof *objects && r->maps == 2 && r->arrays == 0; i++)
        if (strcmp(r->top, objects[i]) == 0)
            return 1;
    return fail(r, "unexpected object");
}

static int on_map_close(void *ctx)
{
    struct reader *r = ctx;

    ASSERT(r->maps > 0 && !r->failed);
    r->maps--;
    *r->sub = '\0';
    return 1;
}

static int on_key(void *ctx, const unsigned char *bytes, size_t n)
{
    struct reader *r = ctx;
    char *into = r->maps == 1 ? r->top : r->sub;

    ASSERT(r->maps > 0 && !r->failed);
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

/* The column that the current keys name. NULL: no column has that name. */
static struct feature_numbers *column_here(struct reader *r)
{
    ASSERT(r->arrays == 1);
    for (int c = 0; c < F_METRICS; c++) {
        if (strcmp(r->top, places[c].top) == 0 && strcmp(r->sub, places[c].sub ? places[c].sub : "") == 0) {
            r->fraction = places[c].fraction;
            return &r->out->columns[c];
        }
    }
    for (int m = 0; m < FEATURE_COUNT && strcmp(r->top, "metrics") == 0; m++) {
        if (strcmp(r->sub, feature_infos[m].name) == 0) {
            r->fraction = true;
            return &r->out->columns[F_METRICS + m];
        }
    }
    return NULL;
}

static int on_array_open(void *ctx)
{
    struct reader *r = ctx;
    bool *there;

    if (r->maps == 0 || r->arrays++ >= NESTED_MAX)
        return fail(r, "arrays are nested too deeply");
    if (r->arrays > 1)
        return 1; /* [[1,2,3],[4,5,6]] is the same as [1,2,3,4,5,6] */
    ASSERT(!r->into && !r->names_into);
    if (strcmp(r->top, "kernels") == 0 && strcmp(r->sub, "name") == 0)
        r->names_into = &r->out->name;
    else if (strcmp(r->top, "kernels") == 0 && strcmp(r->sub, "mangled_name") == 0)
        r->names_into = &r->out->mangled;
    else if (!(r->into = column_here(r)))
        return fail(r, "unknown member");
    there = r->into ? &r->into->there : &r->names_into->there;
    if (*there)
        return fail(r, "is there twice");
    *there = true;
    return 1;
}

static int on_array_close(void *ctx)
{
    struct reader *r = ctx;

    ASSERT(r->arrays > 0 && !r->into != !r->names_into);
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
    ASSERT(ret < 0 || (r->maps == 0 && r->arrays == 0 && !r->failed));
    if (y)
        yajl_free(y);
    return ret;
}

int features_text_read(struct import *im, struct stream *s, struct features_text *out, struct err *e)
{
    struct reader r = {.im = im, .e = e, .out = out};
    unsigned char *chunk = mem_zalloc(CHUNK, 1, e);
    int ret = chunk ? parse(&r, s, chunk) : -1;

    free(chunk);
    return ret;
}

void features_text_release(struct features_text *t)
{
    for (int c = 0; c < F_COLUMNS; c++)
        free(t->columns[c].items);
    free(t->name.items);
    free(t->mangled.items);
}
