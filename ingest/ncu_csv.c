/* `ncu --csv`: metrics of single kernel launches. Two layouts: long, a row for each metric of a launch, and the raw
 * page, a row for each launch, with metrics as columns and their units in the row below the header. Sections and
 * passes of one launch carry the same ID and are joined. A duration makes it a launch; what methods need beside it
 * becomes the profile's features. */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/text.h"
#include "ingest/csv.h"
#include "ingest/decimal.h"
#include "ingest/import.h"
#include "ingest/ncu_metrics.h"

#define ROW_BYTES_MOST (4u << 20)

/* --- what is read of a launch --- */

enum column { ID, PROCESS, NAME, CONTEXT, STREAM, BLOCK, GRID, DEVICE, METRIC, UNIT, VALUE, COLUMN_COUNT };
static const char *const column_names[COLUMN_COUNT] = {"ID",          "Process ID",  "Kernel Name", "Context",
                                                       "Stream",      "Block Size",  "Grid Size",   "Device",
                                                       "Metric Name", "Metric Unit", "Metric Value"};

struct record {
    uint64_t process, context, stream, id, line;
    const struct import_name *name;
    int64_t device, grid[3], block[3];
    bool has_shape, has_stream, bad;
    uint8_t spelling[NCU_COUNT]; /* which one its value is from, + 1; 0: no value */
    double value[NCU_COUNT];
};

struct ncu {
    struct import *im;
    struct csv csv;
    int at[COLUMN_COUNT]; /* field of each column; -1: not there */
    size_t field_count;
    bool raw;
    int metric_at[NCU_SPELLINGS]; /* raw: field of each spelling; -1 */
    char (*units)[NCU_NUMBER];    /* raw: of each spelling */
    struct record *records;
    size_t count, capacity;
    uint64_t rounded; /* values in thousands or millions of their unit */
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
            "%s: a summary of Nsight Compute: it has no single launches, so nothing can be sampled from it", where);
    return err_hint(e, "Print it without --print-summary: ncu --import report.ncu-rep --csv --page raw");
}

/* Raw page: which fields are metrics, and the row of units below. */
static int read_units(struct ncu *t, struct err *e)
{
    int more;

    for (size_t k = 0; k < NCU_SPELLINGS; k++) {
        t->metric_at[k] = -1;
        for (size_t i = 0; i < t->csv.field_count && i < CSV_MOST_FIELDS && t->metric_at[k] < 0; i++)
            if (strcmp(t->csv.fields[i].text, ncu_spellings[k].name) == 0)
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
    t->raw = table == TABLE_RAW;
    return t->raw ? read_units(t, e) : 0;
}

/* --- rows --- */

static void take_metric(struct ncu *t, struct record *r, size_t spelling, const char *text, const char *unit)
{
    const struct ncu_spelling *s = &ncu_spellings[spelling];
    bool rounded = false;
    double value;

    if (ncu_is_missing(text) || (r->spelling[s->slot] && r->spelling[s->slot] <= spelling + 1))
        return;
    if (ncu_value(s->kind, text, unit, &value, &rounded) < 0) {
        r->bad = true;
        return;
    }
    t->rounded += rounded && s->slot < FEATURE_COUNT;
    r->spelling[s->slot] = (uint8_t)(spelling + 1);
    r->value[s->slot] = value;
}

static const char *text_at(const struct ncu *t, enum column c)
{
    return t->at[c] < 0 ? "" : t->csv.fields[t->at[c]].text;
}

/* A whole number, 0 where the column is not there or empty. */
static int64_t whole_at(const struct ncu *t, enum column c, bool *bad)
{
    char plain[NCU_NUMBER];
    const char *text = text_at(t, c);
    int64_t x = 0;

    if (*text && (ncu_plain_number(text, plain) < 0 || decimal_scaled(plain, strlen(plain), 0, &x) < 0 || x < 0))
        *bad = true;
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

static int new_record(struct ncu *t, uint64_t process, uint64_t id, struct record **out, struct err *e)
{
    const struct csv_field *name = &t->csv.fields[t->at[NAME]];
    struct record *r;
    void *items = t->records;
    bool grid, block;

    if (t->count >= t->im->options.most_rows || (t->count + 1) * sizeof *r > t->im->options.most_memory_bytes)
        return err_set(e, ERR_TOO_LARGE, "%s: more than %zu kernel launches", t->im->name, t->count);
    if (array_reserve(&items, &t->capacity, t->count + 1, sizeof *r, e) < 0)
        return -1;
    t->records = items;
    r = &t->records[t->count++];
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
    *out = r;
    return import_intern(t->im, name->text, name->length, &r->name, e);
}

static int take_row(struct ncu *t, struct err *e)
{
    struct record *r = t->count ? &t->records[t->count - 1] : NULL;
    bool bad = false;
    int64_t process = whole_at(t, PROCESS, &bad), id = whole_at(t, ID, &bad);

    if (strcasecmp(text_at(t, ID), column_names[ID]) == 0)
        return 0; /* the header once more: outputs put behind one another */
    if (bad || !*text_at(t, ID)) {
        import_drop(t->im, DROP_BAD_NUMBER, "line %llu: %s", (unsigned long long)t->csv.line, text_at(t, NAME));
        return 0;
    }
    if ((!r || r->process != (uint64_t)process || r->id != (uint64_t)id) &&
        new_record(t, (uint64_t)process, (uint64_t)id, &r, e) < 0)
        return -1;
    for (size_t k = 0; k < NCU_SPELLINGS; k++) {
        if (t->raw && t->metric_at[k] >= 0)
            take_metric(t, r, k, t->csv.fields[t->metric_at[k]].text, t->units[k]);
        else if (!t->raw && strcmp(text_at(t, METRIC), ncu_spellings[k].name) == 0)
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
        } else if (c->field_count == 1) { /* notices, and what the program itself printed */
            import_ignore(t->im, IGNORE_AFTER_TABLE, c->fields[0].length > 0, "line %llu: %.100s",
                          (unsigned long long)c->line, c->fields[0].text);
        } else {
            import_drop(t->im, DROP_WRONG_COLUMNS, "line %llu: %zu columns instead of %zu",
                        (unsigned long long)c->line, c->field_count, t->field_count);
        }
    }
    return more;
}

/* --- launches --- */

static int compare(const void *a, const void *b)
{
    const struct record *x = a, *y = b;

    if (x->process != y->process)
        return x->process < y->process ? -1 : 1;
    if (x->context != y->context)
        return x->context < y->context ? -1 : 1;
    if (x->id != y->id)
        return x->id < y->id ? -1 : 1;
    return x->line < y->line ? -1 : x->line > y->line;
}

/* In launch order, the rows of one launch joined. */
static void join_records(struct ncu *t)
{
    size_t kept = 0;

    qsort(t->records, t->count, sizeof *t->records, compare);
    for (size_t i = 0; i < t->count; i++) {
        struct record *to = kept ? &t->records[kept - 1] : NULL, *from = &t->records[i];

        if (!to || to->process != from->process || to->context != from->context || to->id != from->id) {
            t->records[kept++] = *from;
            continue;
        }
        to->bad |= from->bad || to->name != from->name;
        for (int s = 0; s < NCU_COUNT; s++) {
            if (from->spelling[s] && (!to->spelling[s] || from->spelling[s] < to->spelling[s])) {
                to->spelling[s] = from->spelling[s];
                to->value[s] = from->value[s];
            }
        }
    }
    t->count = kept;
}

/* Cycles over clock where there is no duration. */
static bool set_duration(struct record *r)
{
    double ns;

    if (r->spelling[NCU_DURATION])
        return true;
    if (!r->spelling[NCU_CYCLES] || !r->spelling[NCU_CLOCK])
        return false;
    ns = r->value[NCU_CYCLES] / r->value[NCU_CLOCK];
    if (!(ns < 0x1p62))
        return false;
    r->value[NCU_DURATION] = floor(ns + 0.5);
    return true;
}

static int set_durations(struct ncu *t, struct err *e)
{
    uint64_t measured = 0, computed = 0;

    for (size_t i = 0; i < t->count; i++) {
        bool has = t->records[i].spelling[NCU_DURATION];

        measured += has;
        computed += !has && set_duration(&t->records[i]);
    }
    if (computed)
        import_warn(t->im, "computed_duration", computed,
                    "Launches without gpu__time_duration.sum; their durations are elapsed cycles over the clock, "
                    "which is rounded to a few digits.");
    if (measured + computed > 0 || t->im->options.without_values || t->count == 0)
        return 0;
    err_set(e, ERR_INVALID, "%s: no launch has a duration: the metric gpu__time_duration.sum was not collected",
            t->im->name);
    return err_hint(e, "Collect it as well: ncu --csv --page raw --metrics gpu__time_duration.sum,... Or give this "
                       "file as --features of a profile that has times.");
}

static int take_launch(struct ncu *t, const struct record *r, struct err *e)
{
    struct import_launch l = {.place = "line",
                              .number = r->line,
                              .name = r->name,
                              .has_shape = r->has_shape,
                              .has_correlation = true,
                              .has_stream = r->has_stream,
                              .registers = (int64_t)r->value[NCU_REGISTERS],
                              .shared_bytes = (int64_t)(r->value[NCU_SHARED_STATIC] + r->value[NCU_SHARED_DYNAMIC]),
                              .device = r->device,
                              .process = r->process,
                              .context = r->context,
                              .stream = r->stream,
                              .correlation = r->id,
                              .value = (int64_t)r->value[NCU_DURATION]};

    memcpy(l.grid, r->grid, sizeof l.grid);
    memcpy(l.block, r->block, sizeof l.block);
    return import_launch(t->im, &l, e);
}

/* A launch that was dropped has no features either. */
static int take_launches(struct ncu *t, struct err *e)
{
    size_t kept = 0;

    for (size_t i = 0; i < t->count; i++) {
        const struct record *r = &t->records[i];
        uint64_t accepted = t->im->report->accepted;
        bool has_duration = r->spelling[NCU_DURATION] || (r->spelling[NCU_CYCLES] && r->spelling[NCU_CLOCK]);
        const char *name = r->name ? r->name->text : "";

        if (r->bad)
            import_drop(t->im, DROP_BAD_NUMBER, "line %llu: %s", (unsigned long long)r->line, name);
        else if (!has_duration && !t->im->options.without_values)
            import_drop(t->im, DROP_NO_DURATION, "line %llu: %s", (unsigned long long)r->line, name);
        else if (take_launch(t, r, e) < 0)
            return -1;
        if (t->im->report->accepted > accepted)
            t->records[kept++] = *r;
    }
    t->count = kept;
    return 0;
}

/* --- features --- */

static bool has_feature(const struct record *r, int m)
{
    return r->spelling[m] || (m == FEATURE_CTAS && r->has_shape);
}

static double feature_of(const struct record *r, int m)
{
    if (r->spelling[m] || m != FEATURE_CTAS)
        return r->value[m];
    return (double)r->grid[0] * (double)r->grid[1] * (double)r->grid[2];
}

static bool all_have(const struct ncu *t, int m)
{
    for (size_t i = 0; i < t->count; i++)
        if (!has_feature(&t->records[i], m))
            return false;
    return t->count > 0;
}

static int give_features(struct ncu *t, struct err *e)
{
    struct features *f = features_new(e);

    t->im->features = f;
    if (!f)
        return -1;
    f->known = t->count;
    for (int m = 0; m < FEATURE_COUNT; m++) {
        if (!all_have(t, m))
            continue;
        f->metrics[m] = mem_zalloc(t->count, sizeof *f->metrics[m], e);
        if (!f->metrics[m])
            return -1;
        for (size_t i = 0; i < t->count; i++)
            f->metrics[m][i] = feature_of(&t->records[i], m);
    }
    if (!f->metrics[FEATURE_INSTRUCTIONS])
        return 0;
    f->instructions = mem_zalloc(t->count, sizeof *f->instructions, e);
    for (size_t i = 0; f->instructions && i < t->count; i++)
        f->instructions[i] = (uint64_t)f->metrics[FEATURE_INSTRUCTIONS][i];
    return f->instructions ? 0 : -1;
}

static void warn_about_features(struct ncu *t)
{
    struct strbuf missing = STRBUF_INIT;
    const struct features *f = t->im->features;

    for (int m = 0; m < FEATURE_COUNT; m++)
        if (!f->metrics[m])
            strbuf_addf(&missing, "%s%s", missing.length ? ", " : "", feature_infos[m].ncu);
    if (missing.length)
        import_warn(t->im, "no_metrics", 0,
                    "pka cannot run: it needs all of its twelve metrics for every launch, and these are not there: "
                    "%s.",
                    missing.text);
    if (!f->instructions)
        import_warn(
            t->im, "no_instructions", 0,
            "sieve, photon and tbpoint cannot run: they need instruction counts, and smsp__inst_executed.sum "
            "was not measured for every launch.");
    if (t->rounded)
        import_warn(t->im, "scaled_units", t->rounded,
                    "Metrics printed in thousands or millions; they are rounded to a few digits, so equal launches "
                    "may look different and different ones equal. Print them with --print-units base.");
    strbuf_release(&missing);
}

static int read_all(struct ncu *t, struct err *e)
{
    if (find_header(t, e) < 0)
        return -1;
    snprintf(t->im->report->schema, sizeof t->im->report->schema, "%s, %zu columns",
             t->raw ? "raw page" : "a row a metric", t->field_count);
    if (read_rows(t, e) < 0)
        return -1;
    import_progress(t->im, stream_bytes_in(t->csv.stream));
    join_records(t);
    if (set_durations(t, e) < 0 || take_launches(t, e) < 0 || give_features(t, e) < 0)
        return -1;
    warn_about_features(t);
    return 0;
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
    if (csv_init(&t->csv, s, ROW_BYTES_MOST, e) == 0)
        ret = read_all(t, e);
    csv_release(&t->csv);
    stream_close(s);
    free(t->records);
    free(t->units);
out:
    free(t);
    return ret;
}

/* --- recognition --- */

int ncu_csv_recognise(const struct import_head *head, const char **format, struct err *e)
{
    enum table table = TABLE_NONE;
    struct import_head left = *head;
    struct csv *c = mem_zalloc(1, sizeof *c, e);
    struct err ignored; /* the head may end inside a row, or be no text at all */
    struct stream *s;
    int at[COLUMN_COUNT];

    *format = NULL;
    if (!c || import_head_stream(&left, &s, e) < 0) {
        free(c);
        return -1;
    }
    if (csv_init(c, s, ROW_BYTES_MOST, e) == 0)
        while (table == TABLE_NONE && csv_next(c, &ignored) > 0)
            table = table_of(c, at);
    csv_release(c);
    stream_close(s);
    free(c);
    if (table == TABLE_NONE)
        return 0;
    *format = table == TABLE_SUMMARY ? "ncu-summary" : "ncu-csv";
    if (table == TABLE_SUMMARY)
        refuse_summary(head->name, e);
    return table != TABLE_SUMMARY;
}
