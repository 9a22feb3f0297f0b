/* Reads a CSV of instruction counts (docs/formats/features.md): a header, then one row per launch in launch
 * order. Columns for kernel, grid and block are optional. With the kernel column the file is a complete profile. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/demangle.h"
#include "base/text.h"
#include "ingest/csv.h"
#include "ingest/decimal.h"
#include "ingest/import.h"
#include "sampling/profile/attach.h"

#define ROW_BYTES_MAX (4u << 20)

enum column { NAME, INSTRUCTIONS, GRID, BLOCK, GRID_X, GRID_Y, GRID_Z, BLOCK_X, BLOCK_Y, BLOCK_Z, COLUMN_COUNT };
static const struct {
    const char *name;
    enum column column;
} spellings[] = {
    {"kernel", NAME},
    {"name", NAME},
    {"kernel name", NAME},
    {"kernel mangled name", NAME},
    {"instructions", INSTRUCTIONS},
    {"warp_instructions", INSTRUCTIONS},
    {"grid", GRID},
    {"grid size", GRID},
    {"block", BLOCK},
    {"block size", BLOCK},
    {"grid_x", GRID_X},
    {"grid_y", GRID_Y},
    {"grid_z", GRID_Z},
    {"block_x", BLOCK_X},
    {"block_y", BLOCK_Y},
    {"block_z", BLOCK_Z},
};

struct counts {
    struct import *im;
    struct csv csv;
    int at[COLUMN_COUNT];
    size_t field_count;
};

static const char *trimmed(const struct csv_field *f)
{
    const char *text = str_starts(f->text, "\xef\xbb\xbf") ? f->text + 3 : f->text;

    while (*text == ' ')
        text++;
    return text;
}

/* True if the current row is the header of such a CSV. */
static bool read_header(struct counts *t)
{
    for (int k = 0; k < COLUMN_COUNT; k++)
        t->at[k] = -1;
    t->field_count = t->csv.field_count;
    for (size_t i = 0; i < t->csv.field_count && i < CSV_MOST_FIELDS; i++)
        for (size_t k = 0; k < sizeof spellings / sizeof *spellings; k++)
            if (strcasecmp(trimmed(&t->csv.fields[i]), spellings[k].name) == 0 && t->at[spellings[k].column] < 0)
                t->at[spellings[k].column] = (int)i;
    ASSERT(t->at[INSTRUCTIONS] < (int)t->field_count);
    return t->at[INSTRUCTIONS] >= 0;
}

/* Only the first bad column is reported. */
static void note_bad(enum column c, enum column *bad)
{
    ASSERT(c < COLUMN_COUNT);
    if (*bad == COLUMN_COUNT)
        *bad = c;
}

static void whole(const struct counts *t, enum column c, int64_t *out, enum column *bad)
{
    const char *text = trimmed(&t->csv.fields[t->at[c]]);
    size_t n = strlen(text);

    ASSERT_HOT(t->at[c] >= 0 && (size_t)t->at[c] < t->csv.field_count);
    while (n > 0 && text[n - 1] == ' ')
        n--;
    if (decimal_scaled(text, n, 0, out) < 0 || *out < 0)
        note_bad(c, bad);
}

/* "(4, 1, 1)", "4 1 1", "4x1x1"; "4" is (4,1,1). */
static void triple(const struct counts *t, enum column c, int64_t out[3], enum column *bad)
{
    const char *p;
    int i = 0;

    ASSERT_HOT(t->at[c] >= 0 && (size_t)t->at[c] < t->csv.field_count);
    p = t->csv.fields[t->at[c]].text;
    for (; i < 3; i++) {
        size_t n;

        p += strspn(p, " (,x[;");
        n = strspn(p, "0123456789");
        if (n == 0)
            break;
        if (decimal_scaled(p, n, 0, &out[i]) < 0)
            note_bad(c, bad);
        p += n;
    }
    if (i == 0 || i == 2)
        note_bad(c, bad);
    for (; i > 0 && i < 3; i++)
        out[i] = 1;
}

static bool read_shape(const struct counts *t, struct import_launch *l, enum column *bad)
{
    if (t->at[GRID] >= 0 && t->at[BLOCK] >= 0) {
        triple(t, GRID, l->grid, bad);
        triple(t, BLOCK, l->block, bad);
        return true;
    }
    for (int c = GRID_X; c <= BLOCK_Z; c++)
        if (t->at[c] < 0)
            return false;
    for (int d = 0; d < 3; d++) {
        whole(t, GRID_X + (enum column)d, &l->grid[d], bad);
        whole(t, BLOCK_X + (enum column)d, &l->block[d], bad);
    }
    return true;
}

static int refuse_row(const struct counts *t, enum column bad, struct err *e)
{
    size_t k = 0;

    err_set(e, ERR_INVALID,
            "%s: line %llu: the launch cannot be read: it needs a kernel, a whole number of instructions, and, if "
            "given, a grid and a block of three numbers each",
            t->im->name, (unsigned long long)t->csv.line);
    if (bad == COLUMN_COUNT)
        return -1;
    while (spellings[k].column != bad)
        k++;
    ASSERT(t->at[bad] >= 0);
    err_hint(e, "Column %zu (`%s`) has `%.60s`.", (size_t)t->at[bad] + 1, spellings[k].name,
             trimmed(&t->csv.fields[t->at[bad]]));
    text_sanitize(e->hint);
    return -1;
}

/* A rejected row would shift all rows after it, so it ends the import. */
static int take_row(struct counts *t, uint64_t number, struct err *e)
{
    struct import_launch l = {
        .place = "line", .number = t->csv.line, .has_correlation = true, .has_stream = true, .correlation = number};
    char *name = demangle(t->at[NAME] < 0 ? KERNEL_ANY : trimmed(&t->csv.fields[t->at[NAME]]), e);
    uint64_t accepted = t->im->report->accepted;
    enum column bad = COLUMN_COUNT;
    int ret;

    ASSERT_HOT(accepted == number); /* every earlier row was accepted */
    if (!name)
        return -1;
    whole(t, INSTRUCTIONS, &l.value, &bad);
    l.has_shape = read_shape(t, &l, &bad);
    ret = import_intern(t->im, name, strlen(name), &l.name, e);
    free(name);
    if (ret == 0 && bad == COLUMN_COUNT)
        ret = import_launch(t->im, &l, e);
    if (ret == 0 && t->im->report->accepted == accepted)
        return refuse_row(t, bad, e);
    return ret;
}

static int read_rows(struct counts *t, struct err *e)
{
    uint64_t rows = 0;
    int more;

    while ((more = csv_next(&t->csv, e)) > 0) {
        if (t->csv.field_count == 1 && t->csv.fields[0].length == 0)
            continue;
        if (t->csv.field_count != t->field_count || t->field_count > CSV_MOST_FIELDS)
            return err_set(e, ERR_INVALID, "%s: line %llu has %zu columns instead of %zu", t->im->name,
                           (unsigned long long)t->csv.line, t->csv.field_count, t->field_count);
        if (take_row(t, rows++, e) < 0)
            return -1;
        if (rows % 8192 == 0)
            import_progress(t->im, stream_bytes_in(t->csv.stream));
    }
    return more;
}

static int read_all(struct counts *t, struct err *e)
{
    int more = csv_next(&t->csv, e);

    if (more < 0)
        return -1;
    if (more == 0 || !read_header(t))
        return err_set(e, ERR_UNSUPPORTED, "%s: no column `instructions` in its first line", t->im->name);
    if (t->at[NAME] < 0 && !t->im->options.without_values) {
        err_set(e, ERR_INVALID, "%s: without a column `kernel` a file of counts cannot be used as a profile",
                t->im->name);
        return err_hint(e, "Use it with --features, together with the profile that it belongs to.");
    }
    snprintf(t->im->report->schema, sizeof t->im->report->schema, "%zu columns", t->field_count);
    if (read_rows(t, e) < 0)
        return -1;
    import_progress(t->im, stream_bytes_in(t->csv.stream));
    return 0;
}

int counts_csv_import(struct import *im, struct err *e)
{
    struct counts *t = mem_zalloc(1, sizeof *t, e);
    struct stream *s;
    int ret = -1;

    if (!t)
        return -1;
    t->im = im;
    if (import_open(im, &s, e) == 0) {
        if (csv_init(&t->csv, s, ROW_BYTES_MAX, e) == 0)
            ret = read_all(t, e);
        csv_release(&t->csv);
        stream_close(s);
    }
    free(t);
    return ret;
}

int counts_csv_recognise(const struct import_head *head, const char **format, struct err *e)
{
    struct counts *t = mem_zalloc(1, sizeof *t, e);
    struct err ignored; /* the first bytes may not be text at all */
    struct stream *s;
    bool known = false;

    *format = NULL;
    if (!t || stream_open_bytes(head->bytes, head->length, head->name, &s, e) < 0) {
        free(t);
        return -1;
    }
    if (csv_init(&t->csv, s, ROW_BYTES_MAX, e) == 0)
        known = csv_next(&t->csv, &ignored) > 0 && read_header(t);
    csv_release(&t->csv);
    stream_close(s);
    free(t);
    if (known)
        *format = "instructions-csv";
    return known;
}
