/* Traces of kernel launches as CSV: reports of `nsys stats` and the GPU trace of nvprof. This file recognizes the
 * table and reads its rows in order. nsys_columns.c reads the header, nsys_rows.c reads one row. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "ingest/csv.h"
#include "ingest/import.h"
#include "ingest/nsys_rows.h"

#define ROW_BYTES_MAX (4u << 20) /* a name has at most 64 KiB; these reports have no longer rows */

/* --- the table --- */

/* nvprof: the row below the header names the unit of each column. */
static int read_unit_row(struct nsys_trace *t, struct err *e)
{
    static const enum nsys_column with_units[] = {COLUMN_START, COLUMN_DURATION, COLUMN_SHARED_STATIC,
                                                  COLUMN_SHARED_DYNAMIC};
    int more = csv_next(&t->csv, e);

    ASSERT(t->header.table == TABLE_NVPROF);
    if (more <= 0)
        return more;
    for (size_t i = 0; i < sizeof with_units / sizeof *with_units && t->csv.field_count == t->header.field_count;
         i++)
        nsys_set_unit(&t->header, with_units[i], nsys_field(t, with_units[i])->text);
    return 1;
}

static int check_units(const struct nsys_trace *t, struct err *e)
{
    static const enum nsys_column times[] = {COLUMN_START, COLUMN_DURATION, COLUMN_API_START},
                                  bytes[] = {COLUMN_SHARED_STATIC, COLUMN_SHARED_DYNAMIC};
    const struct nsys_header *h = &t->header;

    ASSERT(nsys_importable(h->table));
    for (size_t i = 0; i < 3; i++) {
        if (h->at[times[i]] >= 0 && !h->unit_known[times[i]])
            return err_set(e, ERR_UNSUPPORTED, "%s: the header has no known unit of times (ns, us, ms, s)",
                           stream_name(t->csv.stream));
    }
    for (size_t i = 0; i < 2; i++) {
        if (h->at[bytes[i]] >= 0 && !h->unit_known[bytes[i]])
            import_warn(t->im, "no_shared_unit", 0,
                        "The unit of shared memory is not known (B, KB, MB); it is read "
                        "as bytes.");
    }
    return 0;
}

/* Skips the output of nsys and nvprof before the table. */
static int find_header(struct nsys_trace *t, struct err *e)
{
    enum nsys_table refused = TABLE_NONE;
    int more;

    while ((more = csv_next(&t->csv, e)) > 0) {
        enum nsys_table table = nsys_read_header(&t->csv, &t->header);

        if (nsys_importable(table))
            break;
        if (refused == TABLE_NONE)
            refused = table;
    }
    if (more < 0)
        return -1;
    if (more == 0 && refused != TABLE_NONE)
        return nsys_refuse(refused, stream_name(t->csv.stream), e);
    if (more == 0)
        return err_set(e, ERR_UNSUPPORTED, "%s: it has no header of a kernel trace", stream_name(t->csv.stream));
    if (t->header.table == TABLE_NVPROF && read_unit_row(t, e) < 0)
        return -1;
    return check_units(t, e);
}

/* Handles a row that csv_next() has read. */
static int take_any_row(struct nsys_trace *t, bool *in_table, struct row_memo_slot *slot, struct err *e)
{
    const struct csv *c = &t->csv;

    ASSERT_HOT(c->field_count > 0);
    if (c->field_count == t->header.field_count && *in_table) {
        t->rows_taken++;
        return nsys_take_row(t, slot, e);
    }
    if (c->field_count == 1 && c->fields[0].length == 0) {
        *in_table = false; /* a blank line ends the table; another report may follow */
    } else if (c->field_count == 1 || !*in_table) {
        *in_table = false;
        import_ignore(t->im, IGNORE_AFTER_TABLE, 1, "line %llu: %.100s", (unsigned long long)c->line,
                      c->fields[0].text);
    } else {
        import_drop(t->im, DROP_WRONG_COLUMNS, "line %llu: %zu columns instead of %zu", (unsigned long long)c->line,
                    c->field_count, t->header.field_count);
    }
    return 0;
}

static int read_rows(struct nsys_trace *t, struct err *e)
{
    struct row_memo_slot *slot = NULL;
    bool in_table = true;
    uint64_t rows = 0;

    for (;;) {
        int taken = in_table ? nsys_take_known_row(t, &slot, e) : 0;

        if (taken == 0) {
            int more = csv_next(&t->csv, e);

            if (more <= 0)
                return more;
            taken = take_any_row(t, &in_table, slot, e);
        }
        if (taken < 0)
            return -1;
        if (++rows % 8192 == 0)
            import_progress(t->im, stream_bytes_in(t->csv.stream));
    }
}

/* No row has the header's number of columns. The usual cause is commas inside numbers without quotes. */
static int refuse_rows(const struct nsys_trace *t, struct err *e)
{
    ASSERT(t->rows_taken == 0 && t->im->report->accepted == 0);
    err_set(e, ERR_INVALID,
            "%s: none of its %llu rows has the %zu columns of the header. Numbers with a decimal comma or "
            "thousands separators cause this",
            stream_name(t->csv.stream), (unsigned long long)t->im->report->dropped_count, t->header.field_count);
    return err_hint(e, "Write the report again with LC_ALL=C in front of the command.");
}

static int read_trace(struct nsys_trace *t, struct err *e)
{
    static const char *const names[] = {[TABLE_GPU_TRACE] = "cuda_gpu_trace",
                                        [TABLE_EXEC_TRACE] = "cuda_kern_exec_trace",
                                        [TABLE_NVPROF] = "print-gpu-trace"};

    if (find_header(t, e) < 0)
        return -1;
    ASSERT(nsys_importable(t->header.table));
    snprintf(t->im->report->schema, sizeof t->im->report->schema, "%s, %zu columns", names[t->header.table],
             t->header.field_count);
    t->head_fields = nsys_head_fields(t);
    ASSERT(t->head_fields <= t->header.field_count);
    if (read_rows(t, e) < 0)
        return -1;
    if (t->rows_taken == 0 && t->im->report->dropped_count > 0)
        return refuse_rows(t, e);
    import_progress(t->im, stream_bytes_in(t->csv.stream));
    if (t->header.table == TABLE_EXEC_TRACE)
        import_warn(t->im, "api_order", t->im->report->accepted,
                    "This report has neither contexts nor correlation ids: launch order is that of the API calls, "
                    "all contexts of a process together.");
    return 0;
}

int nsys_csv_import(struct import *im, struct err *e)
{
    struct stream *s;
    struct nsys_trace *t = mem_zalloc(1, sizeof *t, e);
    int ret = -1;

    if (!t)
        return -1;
    if (import_open(im, &s, e) < 0)
        goto out;
    t->im = im;
    if (csv_init(&t->csv, s, ROW_BYTES_MAX, e) == 0)
        ret = read_trace(t, e);
    row_memo_release(&t->memo);
    csv_release(&t->csv);
    stream_close(s);
out:
    free(t);
    return ret;
}

/* --- recognition --- */

static enum nsys_table find_table(struct csv *c, struct nsys_header *h)
{
    enum nsys_table found = TABLE_NONE;
    struct err ignored; /* the first bytes may end inside a row, or may not be text at all */

    while (!nsys_importable(found) && csv_next(c, &ignored) > 0) {
        enum nsys_table t = nsys_read_header(c, h);

        if (found == TABLE_NONE || nsys_importable(t))
            found = t;
    }
    return found;
}

int nsys_csv_recognise(const struct import_head *head, const char **format, struct err *e)
{
    static const char *const formats[] = {[TABLE_GPU_TRACE] = "nsys-csv",
                                          [TABLE_EXEC_TRACE] = "nsys-csv",
                                          [TABLE_NVPROF] = "nvprof-csv",
                                          [TABLE_SUMMARY] = "nsys-summary",
                                          [TABLE_OTHER_NSYS] = "nsys-other-csv",
                                          [TABLE_SEMICOLONS] = "nsys-csv-rewritten",
                                          [TABLE_NONE] = NULL};
    struct nsys_header h;
    struct stream *s;
    struct csv *c = mem_zalloc(1, sizeof *c, e);
    enum nsys_table table = TABLE_NONE;

    *format = NULL;
    if (!c)
        return -1;
    if (stream_open_bytes(head->bytes, head->length, head->name, &s, e) < 0) {
        free(c);
        return -1;
    }
    if (csv_init(c, s, ROW_BYTES_MAX, e) == 0)
        table = find_table(c, &h);
    csv_release(c);
    stream_close(s);
    free(c);
    *format = formats[table];
    if (nsys_importable(table))
        return 1;
    if (table != TABLE_NONE)
        nsys_refuse(table, head->name, e);
    return 0;
}
