/* `ncu --csv`: metrics of single kernel launches. Two layouts: long, with one row per metric of a launch; and the
 * raw page, with one row per launch, one column per metric and the units in the row below the header. Sections
 * and passes of one launch have the same ID and are joined. The duration becomes the launch's value. The other
 * metrics become features of the profile. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/text.h"
#include "ingest/csv.h"
#include "ingest/decimal.h"
#include "ingest/import.h"
#include "ingest/ncu_launches.h"

#define ROW_BYTES_MAX (4u << 20)

/* --- columns of a launch --- */

enum column { ID, PROCESS, NAME, CONTEXT, STREAM, BLOCK, GRID, DEVICE, METRIC, UNIT, VALUE, COLUMN_COUNT };
static const char *const column_names[COLUMN_COUNT] = {"ID",          "Process ID",  "Kernel Name", "Context",
                                                       "Stream",      "Block Size",  "Grid Size",   "Device",
                                                       "Metric Name", "Metric Unit", "Metric Value"};

struct ncu {
    struct import *im;
    struct csv csv;
    int at[COLUMN_COUNT]; /* field index of each column; -1: absent */
    size_t field_count;
    bool raw;
    int metric_at[NCU_SPELLINGS]; /* raw page: field index of each spelling; -1: absent */
    char (*units)[NCU_NUMBER];    /* raw page: unit of each spelling */
    struct ncu_records found;
};

/* --- the header --- */

static void map_columns(const struct csv *c, int at[COLUMN_COUNT])
{
    for (int k = 0; k < COLUMN_COUNT; k++)
        at[k] = -1;
    for (size_t i = 0; i < c->field_count && i < CSV_MOST_FIELDS; i++) {
        const char *text = c->fields[i].text;

        if (str_starts(text, "\xef\xbb\xbf"))
            text += 3;
        for (int k = 0; k < COLUMN_COUNT; k++)
            if (at[k] < 0 && strcasecmp(text, column_names[k]) == 0)
                at[k] = (int)i;
    }
}

enum table { TABLE_NONE, TABLE_LONG, TABLE_RAW, TABLE_SUMMARY };

static bool has_field(const struct csv *c, const char *name)
{
    for (size_t i = 0; i < c->field_count && i < CSV_MOST_FIELDS; i++)
        if (strcasecmp(c->fields[i].text, name) == 0)
            return true;
    return false;
}

static enum table table_of(const struct csv *c, int at[COLUMN_COUNT])
{
    map_columns(c, at);
    if (at[NAME] < 0)
        return TABLE_NONE;
    if (has_field(c, "Invocations") && at[METRIC] >= 0)
        return TABLE_SUMMARY;
    if (at[ID] < 0)
        return TABLE_NONE;
    if (at[METRIC] >= 0 && at[VALUE] >= 0)
        return TABLE_LONG;
    return at[PROCESS] >= 0 ? TABLE_RAW : TABLE_NONE;
}

static int refuse_summary(const char *where, struct err *e)
{
    err_set(e, ERR_UNSUPPORTED,
            "%s: a summary of Nsight Compute: it has no single launches, so no launch can be sampled from it",
            where);
    return err_hint(e, "Print it without --print-summary: ncu --import report.ncu-rep --csv --page raw");
}

static bool wanted(const struct ncu *t, size_t spelling)
{
    return ncu_spellings[spelling].slot < NCU_COUNTERS || t->im->options.counters;
}

/* Raw page: finds the fields that are metrics, and reads the row of units below the header. */
static int read_units(struct ncu *t, struct err *e)
{
    int more;

    ASSERT(t->field_count <= CSV_MOST_FIELDS && t->at[ID] >= 0);
    for (size_t k = 0; k < NCU_SPELLINGS; k++) {
        t->metric_at[k] = -1;
        for (size_t i = 0; wanted(t, k) && i < t->csv.field_count && i < CSV_MOST_FIELDS && t->metric_at[k] < 0;
             i++)
            if (ncu_is_spelling(t->csv.fields[i].text, &ncu_spellings[k]))
                t->metric_at[k] = (int)i;
    }
    t->units = mem_zalloc(NCU_SPELLINGS, sizeof *t->units, e);
    if (!t->units || (more = csv_next(&t->csv, e)) < 0)
        return -1;
    if (more == 0 || t->csv.field_count != t->field_count || t->csv.fields[t->at[ID]].length > 0)
        return err_set(e, ERR_INVALID, "%s: line %llu: the row of units is missing below the header",
                       stream_name(t->csv.stream), (unsigned long long)t->csv.line);
    for (size_t k = 0; k < NCU_SPELLINGS; k++)
        if (t->metric_at[k] >= 0 && t->csv.fields[t->metric_at[k]].length < NCU_NUMBER)
            strcpy(t->units[k], t->csv.fields[t->metric_at[k]].text);
    return 0;
}

static int find_header(struct ncu *t, struct err *e)
{
    enum table table = TABLE_NONE;
    int more;

    while (table == TABLE_NONE && (more = csv_next(&t->csv, e)) != 0) {
        if (more < 0)
            return -1;
        table = table_of(&t->csv, t->at);
    }
    if (table == TABLE_SUMMARY)
        return refuse_summary(stream_name(t->csv.stream), e);
    if (table == TABLE_NONE)
        return err_set(e, ERR_UNSUPPORTED, "%s: no header of an Nsight Compute table in it",
                       stream_name(t->csv.stream));
    t->field_count = t->csv.field_count;
    if (t->field_count > CSV_MOST_FIELDS)
        return err_set(e, ERR_TOO_LARGE, "%s: the table has more than %d columns", stream_name(t->csv.stream),
                       CSV_MOST_FIELDS);
    ASSERT(t->at[ID] >= 0 && t->at[NAME] >= 0);
    t->raw = table == TABLE_RAW;
    return t->raw ? read_units(t, e) : 0;
}

/* --- rows --- */

static void take_metric(struct ncu *t, struct ncu_record *r, size_t spelling, const char *text, const char *unit)
{
    const struct ncu_spelling *s = &ncu_spellings[spelling];
    bool rounded = false;
    double value;

    ASSERT_HOT(spelling < NCU_SPELLINGS && s->slot < NCU_COUNT);
    if (ncu_is_missing(text) || (r->spelling[s->slot] && r->spelling[s->slot] <= spelling + 1))
        return;
    if (ncu_value(s->kind, text, unit, &value, &rounded) < 0) {
        r->bad = true;
        return;
    }
    t->found.rounded += rounded && s->slot < FEATURE_COUNT;
    r->spelling[s->slot] = (uint8_t)(spelling + 1);
    r->value[s->slot] = value;
}

static const char *text_at(const struct ncu *t, enum column c)
{
    ASSERT_HOT(t->at[c] < (int)t->field_count);
    return t->at[c] < 0 ? "" : t->csv.fields[t->at[c]].text;
}

/* An integer; 0 when the column is absent or empty. */
static int64_t whole_at(const struct ncu *t, enum column c, bool *bad)
{
    char plain[NCU_NUMBER];
    const char *text = text_at(t, c);
    int64_t x = 0;

    if (*text && (ncu_plain_number(text, plain) < 0 || decimal_scaled(plain, strlen(plain), 0, &x) < 0 || x < 0))
        *bad = true;
    ASSERT_HOT(*bad || x >= 0);
    return x;
}

/* "(256, 1, 1)" */
static bool triple_at(const struct ncu *t, enum column c, int64_t out[3], bool *bad)
{
    const char *p = text_at(t, c);

    if (!*p)
        return false;
    for (int i = 0; i < 3; i++) {
        size_t n;

        p += strspn(p, " (,");
        n = strspn(p, "0123456789");
        if (n == 0 || decimal_scaled(p, n, 0, &out[i]) < 0)
            *bad = true;
        p += n;
    }
    return true;
}

static struct ncu_record *new_record(struct ncu *t, uint64_t process, uint64_t id, struct err *e)
{
    const struct csv_field *name = &t->csv.fields[t->at[NAME]];
    struct ncu_record *r;
    bool grid, block;

    if (t->found.count >= t->im->options.most_rows ||
        (t->found.count + 1) * sizeof *r > t->im->options.most_memory_bytes) {
        err_set(e, ERR_TOO_LARGE, "%s: more than %zu kernel launches", t->im->name, t->found.count);
        return NULL;
    }
    if (array_reserve((void **)&t->found.items, &t->found.capacity, t->found.count + 1, sizeof *r, e) < 0)
        return NULL;
    ASSERT(t->found.count < t->found.capacity);
    r = &t->found.items[t->found.count++];
    memset(r, 0, sizeof *r);
    r->process = process;
    r->id = id;
    r->line = t->csv.line;
    r->context = (uint64_t)whole_at(t, CONTEXT, &r->bad);
    r->has_stream = *text_at(t, STREAM) != '\0';
    r->stream = (uint64_t)whole_at(t, STREAM, &r->bad);
    r->device = whole_at(t, DEVICE, &r->bad);
    grid = triple_at(t, GRID, r->grid, &r->bad);
    block = triple_at(t, BLOCK, r->block, &r->bad);
    r->has_shape = grid && block;
    return import_intern(t->im, name->text, name->length, &r->name, e) < 0 ? NULL : r;
}

static int take_row(struct ncu *t, struct err *e)
{
    struct ncu_record *r = t->found.count ? &t->found.items[t->found.count - 1] : NULL;
    bool bad = false;
    int64_t process = whole_at(t, PROCESS, &bad), id = whole_at(t, ID, &bad);

    if (strcasecmp(text_at(t, ID), column_names[ID]) == 0)
        return 0; /* the header again: several outputs in one file */
    if (bad || !*text_at(t, ID)) {
        import_drop(t->im, DROP_BAD_NUMBER, "line %llu: %s", (unsigned long long)t->csv.line, text_at(t, NAME));
        return 0;
    }
    if (!r || r->process != (uint64_t)process || r->id != (uint64_t)id)
        r = new_record(t, (uint64_t)process, (uint64_t)id, e);
    if (!r)
        return -1;
    ASSERT_HOT(r->process == (uint64_t)process && r->id == (uint64_t)id);
    for (size_t k = 0; k < NCU_SPELLINGS; k++) {
        if (t->raw && t->metric_at[k] >= 0)
            take_metric(t, r, k, t->csv.fields[t->metric_at[k]].text, t->units[k]);
        else if (!t->raw && wanted(t, k) && ncu_is_spelling(text_at(t, METRIC), &ncu_spellings[k]))
            take_metric(t, r, k, text_at(t, VALUE), text_at(t, UNIT));
    }
    return 0;
}

static int read_rows(struct ncu *t, struct err *e)
{
    uint64_t rows = 0;
    int more;

    while ((more = csv_next(&t->csv, e)) > 0) {
        const struct csv *c = &t->csv;

        if (++rows % 8192 == 0)
            import_progress(t->im, stream_bytes_in(c->stream));
        if (c->field_count == t->field_count) {
            if (take_row(t, e) < 0)
                return -1;
        } else if (c->field_count == 1) { /* ncu's messages, or output of the program itself */
            import_ignore(t->im, IGNORE_AFTER_TABLE, c->fields[0].length > 0, "line %llu: %.100s",
                          (unsigned long long)c->line, c->fields[0].text);
        } else {
            import_drop(t->im, DROP_WRONG_COLUMNS, "line %llu: %zu columns instead of %zu",
                        (unsigned long long)c->line, c->field_count, t->field_count);
        }
    }
    return more;
}

/* --- the file --- */

static int read_all(struct ncu *t, struct err *e)
{
    if (find_header(t, e) < 0)
        return -1;
    snprintf(t->im->report->schema, sizeof t->im->report->schema, "%s, %zu columns",
             t->raw ? "raw page" : "a row a metric", t->field_count);
    ASSERT(t->field_count > 0 && !t->units == !t->raw);
    if (read_rows(t, e) < 0)
        return -1;
    import_progress(t->im, stream_bytes_in(t->csv.stream));
    return ncu_launches_take(t->im, &t->found, e);
}

int ncu_csv_import(struct import *im, struct err *e)
{
    struct ncu *t = mem_zalloc(1, sizeof *t, e);
    struct stream *s;
    int ret = -1;

    if (!t)
        return -1;
    if (import_open(im, &s, e) < 0)
        goto out;
    t->im = im;
    if (csv_init(&t->csv, s, ROW_BYTES_MAX, e) == 0)
        ret = read_all(t, e);
    csv_release(&t->csv);
    stream_close(s);
    free(t->found.items);
    free(t->units);
out:
    free(t);
    return ret;
}

/* --- recognition --- */

int ncu_csv_recognise(const struct import_head *head, const char **format, struct err *e)
{
    enum table table = TABLE_NONE;
    struct csv *c = mem_zalloc(1, sizeof *c, e);
    struct err ignored; /* the first bytes may end inside a row, or may not be text at all */
    struct stream *s;
    int at[COLUMN_COUNT];

    *format = NULL;
    if (!c || stream_open_bytes(head->bytes, head->length, head->name, &s, e) < 0) {
        free(c);
        return -1;
    }
    if (csv_init(c, s, ROW_BYTES_MAX, e) == 0)
        while (table == TABLE_NONE && csv_next(c, &ignored) > 0)
            table = table_of(c, at);
    csv_release(c);
    stream_close(s);
    free(c);
    if (table == TABLE_NONE)
        return 0;
    ASSERT(at[NAME] >= 0);
    *format = table == TABLE_SUMMARY ? "ncu-summary" : "ncu-csv";
    if (table == TABLE_SUMMARY)
        refuse_summary(head->name, e);
    return table != TABLE_SUMMARY;
}
