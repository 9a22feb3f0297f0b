/* simcore/trace/vtrace_image.c: encodes and decodes warm images: one column per member, lines in ascending order.
 */
#include "simcore/trace/vtrace_tables.h"

#include "base/assert.h"

enum { MASK_BITS = 4, MASK_ALL = (1 << MASK_BITS) - 1 };
#define LINE_NUMBERS (1ull << 57) /* number of 128-byte lines in the address space */
#define HAS_RUNS     (1ull << 22) /* added to the number of lines if the image has runs */

/* --- writing --- */

static void put_lines(struct strbuf *b, const struct warm_image *image)
{
    uint64_t next = 0;

    for (size_t i = 0; i < image->count; i++) {
        ASSERT(image->line[i].line >= next);
        put_number(b, image->line[i].line - next);
        next = image->line[i].line + 1;
    }
}

static void put_depths(struct strbuf *b, const struct warm_image *image)
{
    int64_t before = 0;

    for (size_t i = 0; i < image->count; i++) {
        ASSERT(image->line[i].depth < image->lines);
        put_signed(b, image->line[i].depth - before);
        before = image->line[i].depth;
    }
}

static void put_ctas(struct strbuf *b, const struct warm_image *image)
{
    int64_t before = 0;

    for (size_t i = 0; i < image->count; i++) {
        put_signed(b, image->line[i].cta - before);
        before = image->line[i].cta;
    }
}

static void put_runs(struct strbuf *b, const struct warm_image *image)
{
    uint64_t before = 0;

    put_number(b, image->run_count - 1);
    for (size_t i = 0; i < image->run_count; i++) {
        put_signed(b, (int64_t)(image->run[i].line - before));
        before = image->run[i].line + image->run[i].count;
    }
    for (size_t i = 0; i < image->run_count; i++)
        put_number(b, image->run[i].count - 1);
}

void put_image(struct strbuf *b, const struct warm_image *image)
{
    ASSERT(image->count <= image->lines && image->count <= image->own && image->lines <= WARM_LINES_MAX &&
           image->run_count <= WARM_RUNS_MAX);
    put_number(b, image->lines + (image->run_count ? HAS_RUNS : 0));
    put_number(b, image->own);
    put_number(b, image->count);
    put_lines(b, image);
    put_depths(b, image);
    for (size_t i = 0; i < image->count; i++) {
        const struct warm_line *x = &image->line[i];

        ASSERT(x->valid && x->valid <= MASK_ALL && !((x->dirty | x->partial) & ~x->valid));
        strbuf_addc(b, (char)(x->valid | x->dirty << MASK_BITS));
    }
    for (size_t i = 0; i < image->count; i++)
        strbuf_addc(b, (char)image->line[i].partial);
    for (size_t i = 0; i < image->count; i++)
        strbuf_addc(b, (char)image->line[i].readers);
    put_ctas(b, image);
    if (image->run_count)
        put_runs(b, image);
}

/* --- reading --- */

static void get_lines(struct byte_cursor *c, struct warm_image *image)
{
    uint64_t next = 0;

    for (size_t i = 0; i < image->count; i++) {
        image->line[i].line = next + get_below(c, LINE_NUMBERS - next);
        next = image->line[i].line + 1;
    }
}

/* Reads a number relative to `*before`. The result must be from 0 to `end` - 1. */
static uint32_t get_after(struct byte_cursor *c, int64_t *before, uint64_t end)
{
    *before = (int64_t)((uint64_t)*before + (uint64_t)get_signed(c));
    if (*before < 0 || (uint64_t)*before >= end) {
        c->wrong = true;
        *before = 0;
    }
    return (uint32_t)*before;
}

static void get_masks(struct byte_cursor *c, struct warm_image *image)
{
    const uint8_t *first = get_bytes(c, image->count), *second = get_bytes(c, image->count),
                  *third = get_bytes(c, image->count);

    for (size_t i = 0; i < image->count && third; i++) {
        struct warm_line *x = &image->line[i];

        x->valid = first[i] & MASK_ALL;
        x->dirty = first[i] >> MASK_BITS;
        x->partial = second[i];
        x->readers = third[i];
        c->wrong |= !x->valid || ((x->dirty | x->partial) & ~x->valid);
    }
}

static void get_columns(struct byte_cursor *c, struct warm_image *image)
{
    int64_t before = 0;

    get_lines(c, image);
    for (size_t i = 0; i < image->count; i++)
        image->line[i].depth = get_after(c, &before, image->lines);
    get_masks(c, image);
    before = 0;
    for (size_t i = 0; i < image->count; i++)
        image->line[i].cta = get_after(c, &before, 1ull << 32);
}

static void get_run_counts(struct byte_cursor *c, struct warm_image *image)
{
    uint64_t before = 0, sum = 0;

    for (size_t i = 0; i < image->run_count; i++) {
        struct warm_run *x = &image->run[i];

        x->count = (uint32_t)get_below(c, WARM_LINES_MAX) + 1;
        x->line += before; /* the distance was read */
        before = x->line + x->count;
        sum += x->count;
        c->wrong |= x->line >= LINE_NUMBERS || sum > image->lines;
    }
}

static void get_runs(struct byte_cursor *c, struct warm_image *image)
{
    size_t count = (size_t)get_below(c, WARM_RUNS_MAX) + 1;

    for (size_t i = 0; i < count; i++)
        image->run[i].line = (uint64_t)get_signed(c);
    image->run_count = count;
    get_run_counts(c, image);
}

struct warm_image *get_image(struct byte_cursor *c, struct err *e)
{
    uint64_t lines = get_below(c, HAS_RUNS + WARM_LINES_MAX + 1ull), own = get_number(c), count = get_count(c);
    bool has_runs = lines >= HAS_RUNS;
    struct warm_image *image = warm_image_new(count, has_runs ? WARM_RUNS_MAX : 0, e);

    if (!image)
        return NULL;
    image->lines = has_runs ? lines - HAS_RUNS : lines;
    image->own = own;
    image->count = count;
    c->wrong |= count > image->lines || count > own || image->lines > WARM_LINES_MAX;
    if (!c->wrong)
        get_columns(c, image);
    if (!c->wrong && has_runs)
        get_runs(c, image);
    if (!c->wrong)
        return image;
    warm_image_free(image);
    err_set(e, ERR_INVALID, "a warm image is damaged");
    return NULL;
}
