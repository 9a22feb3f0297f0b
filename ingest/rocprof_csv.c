/* Kernel traces of AMD's profilers as CSV.
 *
 * rocprofv3 --kernel-trace --output-format csv (NAME_kernel_trace.csv): one row per dispatch; times in ns; sizes of
 * the grid in work-items. rocprof --timestamp on (results.csv of versions 1 and 2): `grd` and `wgr` are products
 * over three dimensions. Columns: AMD, "ROCprofiler-SDK: using rocprofv3" (kernel trace) and "rocprof command
 * reference". Columns are found by name and other columns are ignored. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/text.h"
#include "ingest/csv.h"
#include "ingest/decimal.h"
#include "ingest/rocprof.h"

#define ROW_BYTES_MAX (4u << 20)

enum column {
    KIND,
    AGENT,
    QUEUE,
    STREAM,
    PROCESS,
    ORDER, /* the dispatch, in launch order within a process */
    CALL,  /* the API call; used where the table has no dispatch */
    NAME,
    START,
    END,
    LDS,
    REGISTERS,
    GROUP_X,
    GROUP_Y,
    GROUP_Z,
    GRID_X,
    GRID_Y,
    GRID_Z,
    COLUMN_COUNT
};

static const struct {
    const char *name;
    enum column column;
} spellings[] = {
    {"Kind", KIND},
    {"Agent_Id", AGENT},
    {"gpu-id", AGENT},
    {"GPU_ID", AGENT},
    {"Queue_Id", QUEUE},
    {"Queue_ID", QUEUE},
    {"queue-id", QUEUE},
    {"Stream_Id", STREAM},
    {"Process_Id", PROCESS},
    {"pid", PROCESS},
    {"PID", PROCESS},
    {"Dispatch_Id", ORDER},
    {"Dispatch_ID", ORDER},
    {"Index", ORDER},
    {"Correlation_Id", CALL},
    {"Correlation_ID", CALL},
    {"Kernel_Name", NAME},
    {"KernelName", NAME},
    {"Start_Timestamp", START},
    {"BeginNs", START},
    {"End_Timestamp", END},
    {"EndNs", END},
    {"LDS_Block_Size", LDS},
    {"Group_Segment_Size", LDS},
    {"LDS_Per_Workgroup", LDS},
    {"lds", LDS},
    {"VGPR_Count", REGISTERS},
    {"Arch_VGPR", REGISTERS},
    {"arch_vgpr", REGISTERS},
    {"vgpr", REGISTERS},
    {"Workgroup_Size_X", GROUP_X},
    {"Workgroup_Size_Y", GROUP_Y},
    {"Workgroup_Size_Z", GROUP_Z},
    {"Workgroup_Size", GROUP_X},
    {"wgr", GROUP_X},
    {"Grid_Size_X", GRID_X},
    {"Grid_Size_Y", GRID_Y},
    {"Grid_Size_Z", GRID_Z},
    {"Grid_Size", GRID_X},
    {"grd", GRID_X},
};

struct rocprof {
    struct import *im;
    struct csv csv;
    int at[COLUMN_COUNT]; /* field index of each column; -1: absent */
    size_t field_count;
};

/* --- the header --- */

enum table { NO_TABLE, KERNEL_TRACE, STATISTICS, COUNTERS, OTHER_TRACE };

static const char *field_text(const struct csv_field *f)
{
    return str_starts(f->text, "\xef\xbb\xbf") ? f->text + 3 : f->text;
}

static bool has_field(const struct csv *c, const char *name)
{
    for (size_t i = 0; i < c->field_count && i < CSV_MOST_FIELDS; i++)
        if (strcmp(field_text(&c->fields[i]), name) == 0)
            return true;
    return false;
}

static enum table read_header(const struct csv *c, int at[COLUMN_COUNT])
{
    for (int k = 0; k < COLUMN_COUNT; k++)
        at[k] = -1;
    for (size_t i = 0; i < c->field_count && i < CSV_MOST_FIELDS; i++)
        for (size_t k = 0; k < sizeof spellings / sizeof *spellings; k++)
            if (strcmp(field_text(&c->fields[i]), spellings[k].name) == 0 && at[spellings[k].column] < 0)
                at[spellings[k].column] = (int)i;
    ASSERT(at[NAME] < (int)c->field_count);
    if (has_field(c, "Counter_Name") && has_field(c, "Counter_Value"))
        return COUNTERS;
    if (at[NAME] >= 0 && at[START] >= 0 && at[END] >= 0)
        return KERNEL_TRACE;
    if (has_field(c, "TotalDurationNs"))
        return STATISTICS;
    return at[START] >= 0 && at[END] >= 0 && (at[KIND] >= 0 || has_field(c, "Domain")) ? OTHER_TRACE : NO_TABLE;
}

static int refuse(enum table table, const char *name, struct err *e)
{
    static const char *const what[] = {
        [STATISTICS] = "a summary of rocprof: it has one row per kernel and no single launches",
        [COUNTERS] = "a table of counters of rocprofv3: it has no single launch with its time",
        [OTHER_TRACE] = "a trace of rocprofv3 without kernels: API calls, markers or copies"};

    ASSERT(what[table]);
    err_set(e, ERR_UNSUPPORTED, "%s: %s", name, what[table]);
    return err_hint(e, "Give the file whose name ends in _kernel_trace.csv, from rocprofv3 --kernel-trace "
                       "--output-format csv -- ./program.");
}

/* --- rows --- */

static const struct csv_field *field(const struct rocprof *r, enum column c)
{
    static const struct csv_field none = {.text = strbuf_empty};

    return r->at[c] < 0 ? &none : &r->csv.fields[r->at[c]];
}

/* A whole number that is not negative; 0 where the field is empty. */
static int64_t whole(const struct rocprof *r, enum column c, bool *bad)
{
    const struct csv_field *f = field(r, c);
    int64_t value = 0;

    if (f->length > 0 && (decimal_scaled(f->text, f->length, 0, &value) < 0 || value < 0))
        *bad = true;
    return *bad ? 0 : value;
}

/* "4", "Agent 4", "GPU 3": the number at the end. */
static int64_t read_agent(const struct rocprof *r, bool *bad)
{
    const struct csv_field *f = field(r, AGENT);
    size_t from = f->length;
    int64_t value = 0;

    while (from > 0 && f->text[from - 1] >= '0' && f->text[from - 1] <= '9')
        from--;
    if (f->length > 0 && decimal_scaled(f->text + from, f->length - from, 0, &value) < 0)
        *bad = true;
    return value;
}

static void read_shape(const struct rocprof *r, struct import_launch *l, bool *bad)
{
    l->has_shape = r->at[GROUP_X] >= 0 && r->at[GRID_X] >= 0;
    for (int d = 0; l->has_shape && d < 3; d++) {
        bool given = r->at[GROUP_X + d] >= 0 && r->at[GRID_X + d] >= 0;
        int64_t items = given ? whole(r, GRID_X + d, bad) : 1;

        l->block[d] = given ? whole(r, GROUP_X + d, bad) : 1;
        l->grid[d] = rocprof_workgroups(items, l->block[d]);
    }
}

static void read_ids(const struct rocprof *r, struct import_launch *l, bool *bad)
{
    enum column order = r->at[ORDER] >= 0 ? ORDER : CALL, stream = r->at[STREAM] >= 0 ? STREAM : QUEUE;

    l->device = read_agent(r, bad);
    l->process = (uint64_t)whole(r, PROCESS, bad);
    l->correlation = (uint64_t)whole(r, order, bad);
    l->has_correlation = field(r, order)->length > 0;
    l->stream = (uint64_t)whole(r, stream, bad);
    l->has_stream = field(r, stream)->length > 0;
}

static int take_row(struct rocprof *r, struct err *e)
{
    const struct csv_field *name = field(r, NAME), *kind = field(r, KIND);
    struct import_launch l = {.place = "line", .number = r->csv.line};
    unsigned long long line = r->csv.line;
    bool bad = false;

    ASSERT_HOT(r->csv.field_count == r->field_count);
    if (kind->length > 0 && strcmp(kind->text, "KERNEL_DISPATCH") != 0) {
        import_ignore(r->im, IGNORE_MEMORY_OPERATION, 1, "line %llu: %.60s", line, kind->text);
        return 0;
    }
    if (field(r, START)->length == 0 || field(r, END)->length == 0) {
        import_drop(r->im, field(r, START)->length == 0 ? DROP_NO_START_TIME : DROP_NO_END_TIME, "line %llu: %.60s",
                    line, name->text);
        return 0;
    }
    l.start_ns = whole(r, START, &bad);
    l.value = whole(r, END, &bad) - l.start_ns;
    l.registers = whole(r, REGISTERS, &bad);
    l.shared_bytes = whole(r, LDS, &bad);
    read_shape(r, &l, &bad);
    read_ids(r, &l, &bad);
    if (bad) {
        import_drop(r->im, DROP_BAD_NUMBER, "line %llu: %.60s", line, name->text);
        return 0;
    }
    if (rocprof_name_length(name->text, name->length) > r->im->options.most_name_bytes) {
        import_drop(r->im, DROP_NAME_TOO_LONG, "line %llu: %.60s...", line, name->text);
        return 0;
    }
    if (import_intern(r->im, name->text, rocprof_name_length(name->text, name->length), &l.name, e) < 0)
        return -1;
    return import_launch(r->im, &l, e);
}

static int read_rows(struct rocprof *r, struct err *e)
{
    uint64_t rows = 0;
    int more;

    while ((more = csv_next(&r->csv, e)) > 0) {
        const struct csv *c = &r->csv;

        if (++rows % 8192 == 0)
            import_progress(r->im, stream_bytes_in(c->stream));
        if (c->field_count == 1 && c->fields[0].length == 0)
            continue;
        if (c->field_count != r->field_count)
            import_drop(r->im, DROP_WRONG_COLUMNS, "line %llu: %zu columns instead of %zu",
                        (unsigned long long)c->line, c->field_count, r->field_count);
        else if (take_row(r, e) < 0)
            return -1;
    }
    return more;
}

static int read_trace(struct rocprof *r, struct err *e)
{
    int more;

    while ((more = csv_next(&r->csv, e)) > 0 && read_header(&r->csv, r->at) != KERNEL_TRACE)
        continue;
    if (more < 0)
        return -1;
    if (more == 0)
        return err_set(e, ERR_UNSUPPORTED, "%s: it has no header of a kernel trace", stream_name(r->csv.stream));
    r->field_count = r->csv.field_count;
    snprintf(r->im->report->schema, sizeof r->im->report->schema, "kernel_trace, %zu columns", r->field_count);
    if (read_rows(r, e) < 0)
        return -1;
    import_progress(r->im, stream_bytes_in(r->csv.stream));
    rocprof_warn(r->im);
    return 0;
}

int rocprof_csv_import(struct import *im, struct err *e)
{
    struct stream *s;
    struct rocprof *r = mem_zalloc(1, sizeof *r, e);
    int ret = -1;

    if (!r)
        return -1;
    r->im = im;
    if (import_open(im, &s, e) == 0) {
        if (csv_init(&r->csv, s, ROW_BYTES_MAX, e) == 0)
            ret = read_trace(r, e);
        csv_release(&r->csv);
        stream_close(s);
    }
    free(r);
    return ret;
}

/* --- recognition --- */

int rocprof_csv_recognise(const struct import_head *head, const char **format, struct err *e)
{
    static const char *const formats[] = {[NO_TABLE] = NULL,
                                          [KERNEL_TRACE] = "rocprof-csv",
                                          [STATISTICS] = "rocprof-summary",
                                          [COUNTERS] = "rocprof-counters",
                                          [OTHER_TRACE] = "rocprof-other-csv"};
    struct csv *c = mem_zalloc(1, sizeof *c, e);
    enum table table = NO_TABLE;
    int at[COLUMN_COUNT];
    struct err ignored; /* the first bytes may end inside a row, or may not be text at all */
    struct stream *s;

    *format = NULL;
    if (!c)
        return -1;
    if (stream_open_bytes(head->bytes, head->length, head->name, &s, e) < 0) {
        free(c);
        return -1;
    }
    if (csv_init(c, s, ROW_BYTES_MAX, e) == 0)
        for (int row = 0; row < 16 && table == NO_TABLE && csv_next(c, &ignored) > 0; row++)
            table = read_header(c, at);
    csv_release(c);
    stream_close(s);
    free(c);
    *format = formats[table];
    if (table == KERNEL_TRACE)
        return 1;
    if (table != NO_TABLE)
        refuse(table, head->name, e);
    return 0;
}
