/* simcore/record/recording_file.c: a recording as a file: a text header, then one zstd frame per column
 * (docs/formats/recording.md). */
#include <endian.h>
#include <errno.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <zstd.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "simcore/record/recording.h"

enum { CELLS_MAX = 1 << 24, HEADER_MAX = 1 << 20, LEVEL = 3, FIELDS = 7 };
/* The clock range of the simulator: 1 MHz to 10 GHz. */
enum { KHZ_MIN = 1000, KHZ_MAX = 10000000 };
#define CYCLES_MAX (1ull << 38)

/* --- writing --- */

static void put_u64(unsigned char *to, uint64_t v)
{
    v = htole64(v);
    memcpy(to, &v, sizeof v);
}

/* Compresses a column: index by index, row by row, 8 bytes each. Returns *n bytes, malloc'ed. All columns share one
 * context, because its initialization costs more than the compression of most columns. */
static void *pack(ZSTD_CCtx *zstd, const struct recording *r, const struct recorded_column *c, size_t *n,
                  struct err *e)
{
    size_t raw_bytes = (size_t)r->rows * c->count * 8, bound = ZSTD_compressBound(raw_bytes);
    unsigned char *raw = mem_zalloc(raw_bytes + 1, 1, e), *out = raw ? mem_zalloc(bound, 1, e) : NULL;

    ASSERT((uint64_t)c->first + c->count <= r->width);
    for (uint32_t i = 0; out && i < c->count; i++) {
        const uint64_t *cell = r->cell + c->first + i;
        unsigned char *to = raw + (size_t)i * r->rows * 8;

        for (uint32_t row = 0; row < r->rows; row++)
            put_u64(to + (size_t)row * 8, cell[(size_t)row * r->width]);
    }
    if (out) {
        *n = ZSTD_compressCCtx(zstd, out, bound, raw, raw_bytes, LEVEL);
        if (ZSTD_isError(*n)) {
            err_set(e, ERR_IO, "%s: %s", c->name, ZSTD_getErrorName(*n));
            free(out);
            out = NULL;
        }
    }
    free(raw);
    return out;
}

static void add_about(struct strbuf *b, const struct recording *r)
{
    const struct recording_about *a = &r->about;

    ASSERT(r->rows <= RECORDING_ROWS_MAX && r->interval_cycles > 0);
    strbuf_addf(b, "vivace-recording\t1\nsimulator\t%s\ndesign\t%s\ndesign_sha256\t%s\nkernel\t%s\n", a->simulator,
                a->design, a->design_sha256, a->kernel);
    strbuf_addf(b, "kernel_id\t%" PRIu64 "\nsm_khz\t%u\ndram_mbs\t%" PRIu64 "\nnoc_request_mbs\t%" PRIu64 "\n",
                a->kernel_id, a->sm_khz, a->dram_mbs, a->noc_request_mbs);
    strbuf_addf(b, "noc_reply_mbs\t%" PRIu64 "\ninterval_cycles\t%u\ncycles\t%" PRIu64 "\nrows\t%u\n",
                a->noc_reply_mbs, r->interval_cycles, r->cycles, r->rows);
}

static int write_file(const char *path, const struct strbuf *b, struct err *e)
{
    FILE *f = fopen(path, "wb");
    size_t wrote;

    if (!f)
        return err_set_errno(e, errno, "%s", path);
    wrote = fwrite(b->text, 1, b->length, f);
    if (fclose(f) != 0 || wrote != b->length)
        return err_set_errno(e, errno, "%s", path);
    return 0;
}

int recording_write(const struct recording *r, const char *path, struct err *e)
{
    struct strbuf head = STRBUF_INIT, body = STRBUF_INIT;
    ZSTD_CCtx *zstd = ZSTD_createCCtx();
    int ret = -1;

    if (!zstd)
        return err_no_memory(e);
    add_about(&head, r);
    for (size_t i = 0; i < r->column_count; i++) {
        const struct recorded_column *c = &r->column[i];
        size_t n;
        void *packed = pack(zstd, r, c, &n, e);

        if (!packed)
            goto out;
        strbuf_addf(&head, "column\t%s\t%s\t%s\t%u\t%zu\t%s\n", c->name, c->unit, recorded_of_names[c->of],
                    c->count, n, c->sentence);
        strbuf_add(&body, packed, n);
        free(packed);
    }
    strbuf_adds(&head, "end\n");
    strbuf_add(&head, body.text, body.length);
    ret = head.failed || body.failed ? err_no_memory(e) : write_file(path, &head, e);
out:
    ZSTD_freeCCtx(zstd);
    strbuf_release(&head);
    strbuf_release(&body);
    return ret;
}

/* --- reading --- */

struct input {
    const char *path;
    char *text; /* the whole file; the parser splits its header into fields in place */
    size_t bytes, at;
    size_t packed[RECORDING_COLUMNS_MAX]; /* bytes of each column */
};

static int malformed(const struct input *in, const char *what, struct err *e)
{
    return err_set(e, ERR_MALFORMED, "%s: %s", in->path, what);
}

static int slurp(struct input *in, struct err *e)
{
    size_t capacity = 0, got;
    FILE *f = fopen(in->path, "rb");
    int ret = -1;

    if (!f)
        return err_set_errno(e, errno, "%s", in->path);
    do {
        if (array_reserve((void **)&in->text, &capacity, in->bytes + 65536, 1, e) < 0)
            goto out;
        got = fread(in->text + in->bytes, 1, 65535, f);
        in->bytes += got;
    } while (got);
    ret = ferror(f) ? err_set_errno(e, errno, "%s", in->path) : 0;
    in->text[in->bytes] = '\0';
out:
    fclose(f);
    return ret;
}

/* Splits the next line of the header at its tabs. Returns the number of fields; 0: no more lines. */
static int next_line(struct input *in, char *field[FIELDS])
{
    char *line = in->text + in->at, *end = memchr(line, '\n', in->bytes - in->at);
    int n = 0;

    ASSERT(in->at <= in->bytes);
    if (!end || in->at > HEADER_MAX || memchr(line, '\0', (size_t)(end - line)))
        return 0;
    in->at += (size_t)(end - line) + 1;
    *end = '\0';
    for (; line && n < FIELDS; n++) {
        field[n] = line;
        line = n + 1 < FIELDS ? strchr(line, '\t') : NULL;
        if (line)
            *line++ = '\0';
    }
    return n;
}

static int read_number(const struct input *in, const char *text, uint64_t most, uint64_t *out, struct err *e)
{
    struct err ignored;

    if (parse_u64(text, "number", out, &ignored) < 0 || *out > most)
        return malformed(in, "a number of its header is out of range", e);
    return 0;
}

static int read_column(struct input *in, struct recording *r, char *const field[FIELDS], struct err *e)
{
    uint64_t count, bytes;
    int of = 0;

    if (r->column_count == RECORDING_COLUMNS_MAX)
        return malformed(in, "it has too many columns", e);
    while (of < RECORDED_OF_COUNT && strcmp(field[3], recorded_of_names[of]) != 0)
        of++;
    if (of == RECORDED_OF_COUNT)
        return malformed(in, "a column is of nothing that is known here", e);
    if (read_number(in, field[4], RECORDING_COUNT_MAX, &count, e) < 0 ||
        read_number(in, field[5], in->bytes, &bytes, e) < 0)
        return -1;
    if (!count)
        return malformed(in, "a column is empty", e);
    in->packed[r->column_count] = (size_t)bytes;
    recording_add_column(r, field[1], field[2], field[6], (enum recorded_of)of, (uint32_t)count);
    return 0;
}

static int read_fact(const struct input *in, struct recording *r, const char *name, const char *value,
                     struct err *e)
{
    struct recording_about *a = &r->about;
    uint64_t khz = a->sm_khz, interval = r->interval_cycles, rows = r->rows;
    const struct {
        const char *name;
        uint64_t *to, most;
    } numbers[] = {{"kernel_id", &a->kernel_id, UINT64_MAX},
                   {"sm_khz", &khz, KHZ_MAX},
                   {"dram_mbs", &a->dram_mbs, UINT32_MAX},
                   {"noc_request_mbs", &a->noc_request_mbs, 1ull << 50},
                   {"noc_reply_mbs", &a->noc_reply_mbs, 1ull << 50},
                   {"interval_cycles", &interval, UINT32_MAX},
                   {"cycles", &r->cycles, CYCLES_MAX},
                   {"rows", &rows, RECORDING_ROWS_MAX}};

    if (strcmp(name, "simulator") == 0)
        snprintf(a->simulator, sizeof a->simulator, "%s", value);
    else if (strcmp(name, "design") == 0)
        snprintf(a->design, sizeof a->design, "%s", value);
    else if (strcmp(name, "design_sha256") == 0)
        snprintf(a->design_sha256, sizeof a->design_sha256, "%s", value);
    else if (strcmp(name, "kernel") == 0)
        snprintf(a->kernel, sizeof a->kernel, "%s", value);
    for (size_t i = 0; i < sizeof numbers / sizeof *numbers; i++)
        if (strcmp(name, numbers[i].name) == 0 && read_number(in, value, numbers[i].most, numbers[i].to, e) < 0)
            return -1;
    a->sm_khz = (uint32_t)khz;
    r->interval_cycles = (uint32_t)interval;
    r->rows = (uint32_t)rows;
    return 0;
}

static int read_header(struct input *in, struct recording *r, struct err *e)
{
    char *field[FIELDS];
    int n = next_line(in, field);

    if (n != 2 || strcmp(field[0], "vivace-recording") != 0)
        return err_set(e, ERR_UNSUPPORTED, "%s: this is not a recording", in->path);
    if (strcmp(field[1], "1") != 0)
        return err_set(e, ERR_UNSUPPORTED, "%s: version %.20s of the format is not known here", in->path, field[1]);
    while ((n = next_line(in, field)) > 0) {
        if (n == 1 && strcmp(field[0], "end") == 0)
            break;
        if (n == FIELDS && strcmp(field[0], "column") == 0) {
            if (read_column(in, r, field, e) < 0)
                return -1;
        } else if (n != 2) {
            return malformed(in, "a line of its header has the wrong number of fields", e);
        } else if (read_fact(in, r, field[0], field[1], e) < 0) {
            return -1;
        }
    }
    if (n == 0)
        return malformed(in, "its header does not end", e);
    if (r->about.sm_khz < KHZ_MIN || !r->interval_cycles || (uint64_t)r->rows * r->interval_cycles < r->cycles ||
        (r->rows && (uint64_t)(r->rows - 1) * r->interval_cycles >= r->cycles))
        return malformed(in, "its clock, interval and rows do not fit together", e);
    if ((uint64_t)r->rows * r->width > CELLS_MAX)
        return malformed(in, "it would be larger than any recording", e);
    return 0;
}

static int unpack(struct input *in, struct recording *r, size_t column, struct err *e)
{
    const struct recorded_column *c = &r->column[column];
    size_t raw_bytes = (size_t)r->rows * c->count * 8, packed = in->packed[column], got;
    unsigned char *raw;

    ASSERT((uint64_t)c->first + c->count <= r->width && in->at <= in->bytes);
    if (packed > in->bytes - in->at)
        return malformed(in, "it ends in the middle of a column", e);
    raw = mem_zalloc(raw_bytes + 1, 1, e);
    if (!raw)
        return -1;
    got = ZSTD_decompress(raw, raw_bytes, in->text + in->at, packed);
    in->at += packed;
    for (uint32_t i = 0; got == raw_bytes && i < c->count; i++) {
        for (uint32_t row = 0; row < r->rows; row++) {
            const unsigned char *from = raw + ((size_t)i * r->rows + row) * 8;
            uint64_t v = 0;

            for (int k = 7; k >= 0; k--)
                v = v << 8 | from[k];
            r->cell[(size_t)row * r->width + c->first + i] = v;
        }
    }
    free(raw);
    return got == raw_bytes ? 0 : malformed(in, "a column is damaged", e);
}

static struct recording *parse(struct input *in, struct err *e)
{
    struct recording *r = mem_zalloc(1, sizeof *r, e);

    if (!r) {
        free(in->text);
        return NULL;
    }
    r->texts = in->text;
    if (read_header(in, r, e) < 0)
        goto fail;
    r->cell = mem_zalloc((size_t)r->rows * r->width + 1, sizeof *r->cell, e);
    if (!r->cell)
        goto fail;
    for (size_t i = 0; i < r->column_count; i++)
        if (unpack(in, r, i, e) < 0)
            goto fail;
    return r;
fail:
    recording_free(r);
    return NULL;
}

int recording_read(const char *path, struct recording **out, struct err *e)
{
    struct input in = {.path = path};

    if (slurp(&in, e) < 0) {
        free(in.text);
        return -1;
    }
    *out = parse(&in, e);
    return *out ? 0 : -1;
}

int recording_parse(const char *bytes, size_t n, const char *name, struct recording **out, struct err *e)
{
    struct input in = {.path = name, .bytes = n, .text = mem_zalloc(n + 1, 1, e)};

    if (!in.text)
        return -1;
    if (n)
        memcpy(in.text, bytes, n);
    *out = parse(&in, e);
    return *out ? 0 : -1;
}
