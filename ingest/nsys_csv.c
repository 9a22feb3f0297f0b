/* Traces of kernel launches as CSV: the reports of `nsys stats` and the GPU trace of nvprof. Columns are found by
 * their names, units are read from the header (nsys) or from the row below it (nvprof). */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/text.h"
#include "ingest/csv.h"
#include "ingest/decimal.h"
#include "ingest/import.h"
#include "ingest/row_memo.h"

#define ROW_BYTES_MOST  (4u << 20) /* a name has at most 64 KiB; a row this long is no row of these reports */
#define BYTE_ORDER_MARK "\xef\xbb\xbf"
#define UNIT_BYTES      16
#define HEAD_MOST       8 /* fields in front that are read of a row whose end is known */

enum column {
    START,
    DURATION,
    API_START,
    CORRELATION,
    GRID_X,
    GRID_Y,
    GRID_Z,
    BLOCK_X,
    BLOCK_Y,
    BLOCK_Z,
    GRID,
    BLOCK,
    REGISTERS,
    SHARED_STATIC,
    SHARED_DYNAMIC,
    DEVICE,
    CONTEXT,
    STREAM,
    PROCESS,
    NAME,
    COLUMN_COUNT
};

/* Every spelling in which a column occurs; units in parentheses are cut off before the comparison. */
static const struct {
    const char *name;
    enum column column;
} spellings[] = {
    {"Start", START},
    {"Kernel Start", START},
    {"Duration", DURATION},
    {"Kernel Dur", DURATION},
    {"API Start", API_START},
    {"CorrId", CORRELATION},
    {"Correlation_ID", CORRELATION},
    {"GrdX", GRID_X},
    {"GrdY", GRID_Y},
    {"GrdZ", GRID_Z},
    {"Grid X", GRID_X},
    {"Grid Y", GRID_Y},
    {"Grid Z", GRID_Z},
    {"BlkX", BLOCK_X},
    {"BlkY", BLOCK_Y},
    {"BlkZ", BLOCK_Z},
    {"Block X", BLOCK_X},
    {"Block Y", BLOCK_Y},
    {"Block Z", BLOCK_Z},
    {"GridXYZ", GRID},
    {"BlockXYZ", BLOCK},
    {"Reg/Trd", REGISTERS},
    {"Registers Per Thread", REGISTERS},
    {"StcSMem", SHARED_STATIC},
    {"Static SMem", SHARED_STATIC},
    {"DymSMem", SHARED_DYNAMIC},
    {"Dynamic SMem", SHARED_DYNAMIC},
    {"Device", DEVICE},
    {"DevId", DEVICE},
    {"Ctx", CONTEXT},
    {"Context", CONTEXT},
    {"Strm", STREAM},
    {"Stream", STREAM},
    {"PID", PROCESS},
    {"Name", NAME},
    {"Kernel Name", NAME},
};

/* Units and the power of ten that leads to ns, or to bytes. */
static const struct {
    const char *name;
    int shift;
} time_units[] = {{"ns", 0}, {"nsec", 0}, {"us", 3}, {"usec", 3}, {"ms", 6}, {"msec", 6}, {"s", 9}, {"sec", 9}},
  byte_units[] = {{"B", 0}, {"byte", 0}, {"bytes", 0}, {"KB", 3}, {"MB", 6}, {"GB", 9}};

enum table {
    TABLE_NONE,
    TABLE_GPU_TRACE,
    TABLE_EXEC_TRACE,
    TABLE_NVPROF,
    TABLE_SUMMARY,
    TABLE_OTHER_NSYS,
    TABLE_SEMICOLONS
};

struct header {
    enum table table;
    size_t field_count;
    int at[COLUMN_COUNT]; /* field of each column; -1: not there */
    int shift[COLUMN_COUNT];
    bool unit_known[COLUMN_COUNT];
};

/* --- the header --- */

/* "StcSMem (MB)" -> "StcSMem", "MB". A byte-order mark in front of the first column is no part of its name. */
static void split_unit(const struct csv_field *f, char *name, size_t name_size, char unit[UNIT_BYTES])
{
    const char *text = str_starts(f->text, BYTE_ORDER_MARK) ? f->text + strlen(BYTE_ORDER_MARK) : f->text;
    const char *open = strrchr(text, '(');
    size_t n = strlen(text), u;

    unit[0] = '\0';
    if (open && text[n - 1] == ')') {
        u = strlen(open + 1) - 1;
        if (u < UNIT_BYTES) {
            memcpy(unit, open + 1, u);
            unit[u] = '\0';
        }
        n = (size_t)(open - text);
    }
    while (n > 0 && text[n - 1] == ' ')
        n--;
    if (n >= name_size)
        n = name_size - 1;
    memcpy(name, text, n);
    name[n] = '\0';
}

static void set_unit(struct header *h, enum column c, const char *unit)
{
    if (c == START || c == DURATION || c == API_START) {
        for (size_t i = 0; i < sizeof time_units / sizeof *time_units; i++) {
            if (strcasecmp(unit, time_units[i].name) == 0) {
                h->shift[c] = time_units[i].shift;
                h->unit_known[c] = true;
            }
        }
    } else if (c == SHARED_STATIC || c == SHARED_DYNAMIC) {
        for (size_t i = 0; i < sizeof byte_units / sizeof *byte_units; i++) {
            if (strcasecmp(unit, byte_units[i].name) == 0) {
                h->shift[c] = byte_units[i].shift;
                h->unit_known[c] = true;
            }
        }
    }
}

static bool has_field(const struct csv *c, const char *name)
{
    char have[64], unit[UNIT_BYTES];

    for (size_t i = 0; i < c->field_count && i < CSV_MOST_FIELDS; i++) {
        split_unit(&c->fields[i], have, sizeof have, unit);
        if (strcasecmp(have, name) == 0)
            return true;
    }
    return false;
}

static void map_columns(const struct csv *c, struct header *h)
{
    char name[64], unit[UNIT_BYTES];

    for (int k = 0; k < COLUMN_COUNT; k++)
        h->at[k] = -1;
    h->field_count = c->field_count;
    for (size_t i = 0; i < c->field_count && i < CSV_MOST_FIELDS; i++) {
        split_unit(&c->fields[i], name, sizeof name, unit);
        for (size_t k = 0; k < sizeof spellings / sizeof *spellings; k++) {
            if (strcasecmp(name, spellings[k].name) != 0 || h->at[spellings[k].column] >= 0)
                continue;
            h->at[spellings[k].column] = (int)i;
            set_unit(h, spellings[k].column, unit);
        }
    }
}

static bool has_all(const struct header *h, const enum column *wanted, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        if (h->at[wanted[i]] < 0)
            return false;
    }
    return true;
}

/* What table begins with the current row, if any. */
static enum table read_header(const struct csv *c, struct header *h)
{
    static const enum column gpu[] = {START, DURATION, GRID_X, GRID_Y, GRID_Z, BLOCK_X, BLOCK_Y, BLOCK_Z, NAME};
    static const enum column exec[] = {API_START, START, DURATION, GRID, BLOCK, NAME};

    map_columns(c, h);
    if (has_all(h, gpu, sizeof gpu / sizeof *gpu))
        h->table = has_field(c, "Grid X") ? TABLE_NVPROF : TABLE_GPU_TRACE;
    else if (has_all(h, exec, sizeof exec / sizeof *exec))
        h->table = TABLE_EXEC_TRACE;
    else if (has_field(c, "Total Time") || (has_field(c, "Time") && has_field(c, "Calls")))
        h->table = TABLE_SUMMARY;
    else if (h->at[START] >= 0 && h->at[DURATION] >= 0)
        h->table = TABLE_OTHER_NSYS;
    else if (c->field_count == 1 && strstr(c->fields[0].text, "Start") && strstr(c->fields[0].text, "Duration") &&
             (strchr(c->fields[0].text, ';') || strchr(c->fields[0].text, '\t')))
        h->table = TABLE_SEMICOLONS;
    else
        h->table = TABLE_NONE;
    return h->table;
}

static int refuse(enum table table, const char *where, struct err *e)
{
    switch (table) {
    case TABLE_SUMMARY:
        err_set(e, ERR_UNSUPPORTED,
                "%s: a summary report: it has one row a kernel and no single launches, so nothing "
                "can be sampled from it",
                where);
        return err_hint(e, "Ask for the trace: nsys stats --report cuda_gpu_trace --format csv --output report "
                           "report.nsys-rep");
    case TABLE_SEMICOLONS:
        err_set(e, ERR_UNSUPPORTED,
                "%s: the columns are not separated by commas, so another program has rewritten "
                "this report",
                where);
        return err_hint(e, "Give the file as nsys stats wrote it.");
    default:
        err_set(e, ERR_UNSUPPORTED, "%s: a trace report without grids and blocks: it does not list kernel launches",
                where);
        return err_hint(e, "Ask for this report: nsys stats --report cuda_gpu_trace --format csv --output report "
                           "report.nsys-rep");
    }
}

static bool importable(enum table t)
{
    return t == TABLE_GPU_TRACE || t == TABLE_EXEC_TRACE || t == TABLE_NVPROF;
}

/* --- numbers of a row --- */

struct trace {
    struct import *im;
    struct csv csv;
    struct header header;
    uint64_t rows_taken;
    size_t head_fields; /* see head_fields() */
    struct row_memo memo;
};

static const struct csv_field *field(const struct trace *t, enum column c)
{
    static const struct csv_field none = {.text = strbuf_empty};

    return t->header.at[c] < 0 ? &none : &t->csv.fields[t->header.at[c]];
}

/* A field with spaces around the number, or with no number. A separator inside a number is no matter of one row:
 * the whole file is written so. */
static int odd_number(const struct trace *t, enum column c, int64_t *out, bool *bad, struct err *e)
{
    const struct csv_field *f = field(t, c);
    const char *text = f->text;
    size_t n = f->length;

    while (n > 0 && *text == ' ') {
        text++;
        n--;
    }
    while (n > 0 && text[n - 1] == ' ')
        n--;
    *out = 0;
    if (n == 0 || decimal_scaled(text, n, t->header.shift[c], out) == 0)
        return 0;
    *bad = true;
    if (n < 40 && strspn(text, "0123456789.,'") >= n && strpbrk(text, ",'")) {
        err_set(e, ERR_INVALID,
                "%s: line %llu: \"%.*s\" is written with a decimal comma or thousands separators, "
                "which cannot be told apart",
                stream_name(t->csv.stream), (unsigned long long)t->csv.line, (int)n, text);
        return err_hint(e, "Write the report again with LC_ALL=C in front of the command.");
    }
    return 0;
}

/* An empty field reads as 0. */
static inline int number(const struct trace *t, enum column c, int64_t *out, bool *bad, struct err *e)
{
    const struct csv_field *f = field(t, c);

    if (f->length > 0 && decimal_scaled(f->text, f->length, t->header.shift[c], out) == 0)
        return 0;
    return odd_number(t, c, out, bad, e);
}

/* "  128    1    1" */
static void triple(const struct csv_field *f, int64_t out[3], bool *bad)
{
    const char *p = f->text, *end = f->text + f->length;

    for (int i = 0; i < 3; i++) {
        const char *from;

        while (p < end && (*p == ' ' || *p == ',' || *p == '('))
            p++;
        for (from = p; p < end && *p >= '0' && *p <= '9';)
            p++;
        out[i] = 0;
        if (decimal_scaled(from, (size_t)(p - from), 0, &out[i]) < 0)
            *bad = true;
    }
}

/* "NVIDIA H100 80GB HBM3 (0)", or the number alone. */
static void read_device(struct trace *t, int64_t *out, bool *bad)
{
    const struct csv_field *f = field(t, DEVICE);
    const char *open = strrchr(f->text, '(');
    size_t n = f->length;

    *out = 0;
    if (n == 0)
        return;
    if (open && f->text[n - 1] == ')') {
        if (decimal_scaled(open + 1, strlen(open + 1) - 1, 0, out) < 0)
            *bad = true;
        n = (size_t)(open - f->text);
        while (n > 0 && f->text[n - 1] == ' ')
            n--;
        import_gpu_name(t->im, *out, f->text, n);
    } else if (decimal_scaled(f->text, n, 0, out) < 0) {
        *bad = true;
    }
}

/* nvprof ends a kernel's name with its correlation id: "saxpy(int, float*) [118]". */
static void cut_correlation(struct csv_field *name, struct import_launch *l)
{
    char *open = strrchr(name->text, '[');
    int64_t id;

    if (!open || open == name->text || name->text[name->length - 1] != ']' || open[-1] != ' ' ||
        decimal_scaled(open + 1, strlen(open + 1) - 1, 0, &id) < 0 || id < 0)
        return;
    name->length = (size_t)(open - 1 - name->text);
    name->text[name->length] = '\0';
    l->correlation = (uint64_t)id;
    l->has_correlation = true;
}

static int read_shape(struct trace *t, struct import_launch *l, bool *bad, struct err *e)
{
    if (t->header.table == TABLE_EXEC_TRACE) {
        triple(field(t, GRID), l->grid, bad);
        triple(field(t, BLOCK), l->block, bad);
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        if (number(t, GRID_X + i, &l->grid[i], bad, e) < 0 || number(t, BLOCK_X + i, &l->block[i], bad, e) < 0)
            return -1;
    }
    return 0;
}

/* Which column tells the order of launches. */
static enum column order_column(const struct trace *t)
{
    return t->header.table == TABLE_EXEC_TRACE ? API_START : CORRELATION;
}

/* Ids as the report has them. The execution trace has none of a launch: there its order is that of the API calls.
 */
static int read_ids(struct trace *t, struct import_launch *l, bool *bad, struct err *e)
{
    enum column order = order_column(t);
    int64_t correlation, context, stream, process;

    if (number(t, order, &correlation, bad, e) < 0 || number(t, CONTEXT, &context, bad, e) < 0 ||
        number(t, STREAM, &stream, bad, e) < 0 || number(t, PROCESS, &process, bad, e) < 0)
        return -1;
    if (correlation < 0)
        *bad = true;
    if (field(t, order)->length > 0) {
        l->correlation = (uint64_t)correlation;
        l->has_correlation = true;
    }
    l->context = (uint64_t)context;
    l->process = (uint64_t)process;
    l->stream = (uint64_t)stream;
    l->has_stream = field(t, STREAM)->length > 0;
    return 0;
}

static int read_launch(struct trace *t, struct import_launch *l, bool *bad, struct err *e)
{
    int64_t fixed, dynamic;

    if (number(t, START, &l->start_ns, bad, e) < 0 || number(t, DURATION, &l->value, bad, e) < 0 ||
        read_shape(t, l, bad, e) < 0 || read_ids(t, l, bad, e) < 0 ||
        number(t, REGISTERS, &l->registers, bad, e) < 0 || number(t, SHARED_STATIC, &fixed, bad, e) < 0 ||
        number(t, SHARED_DYNAMIC, &dynamic, bad, e) < 0)
        return -1;
    if (__builtin_add_overflow(fixed, dynamic, &l->shared_bytes))
        *bad = true;
    read_device(t, &l->device, bad);
    return 0;
}

/* Takes a row in full, and tells `slot` what it means. */
static int take_row(struct trace *t, struct row_memo_slot *slot, struct err *e)
{
    struct import_launch l = {.place = "line", .number = t->csv.line, .has_shape = true};
    struct csv_field *name = &t->csv.fields[t->header.at[NAME]];
    unsigned long long line = t->csv.line;
    bool bad = false;

    if (t->header.table != TABLE_EXEC_TRACE && field(t, GRID_X)->length == 0) {
        /* Copies and sets have no grid. */
        import_ignore(t->im, IGNORE_MEMORY_OPERATION, 1, "line %llu: %s", line, name->text);
        return 0;
    }
    if (t->header.table == TABLE_NVPROF)
        cut_correlation(name, &l);
    if (name->length > t->im->options.most_name_bytes) {
        import_drop(t->im, DROP_NAME_TOO_LONG, "line %llu: %.60s...", line, name->text);
        return 0;
    }
    if (field(t, START)->length == 0) {
        import_drop(t->im, DROP_NO_START_TIME, "line %llu: %s", line, name->text);
        return 0;
    }
    if (field(t, DURATION)->length == 0) {
        import_drop(t->im, DROP_NO_END_TIME, "line %llu: %s", line, name->text);
        return 0;
    }
    if (read_launch(t, &l, &bad, e) < 0)
        return -1;
    if (bad) {
        import_drop(t->im, DROP_BAD_NUMBER, "line %llu: %s", line, name->text);
        return 0;
    }
    if (import_intern(t->im, name->text, name->length, &l.name, e) < 0)
        return -1;
    if (slot) {
        slot->launch = l;
        slot->known = true;
    }
    return import_launch(t->im, &l, e);
}

/* --- rows that end like an earlier one --- */

/* How many fields begin a row that tell one launch of a kernel from the next: times, the id that tells the order,
 * and columns that nobody reads. 0: other columns stand among them (nvprof has the id in the name). */
static size_t head_fields(const struct trace *t)
{
    const enum column head[] = {START, DURATION, order_column(t)};
    const struct header *h = &t->header;
    size_t n = 0, next = h->field_count;

    for (size_t i = 0; i < 3; i++)
        n = h->at[head[i]] >= (int)n ? (size_t)h->at[head[i]] + 1 : n;
    for (enum column c = 0; c < COLUMN_COUNT; c++)
        if (c != head[0] && c != head[1] && c != head[2] && h->at[c] >= 0 && (size_t)h->at[c] < next)
            next = (size_t)h->at[c];
    return n <= next && next <= HEAD_MOST && h->table != TABLE_NVPROF ? next : 0;
}

/* The head's fields, and where the rest begins; NULL where the line has quotes or too few fields there. */
static const char *split_head(const struct trace *t, const char *line, size_t n, struct csv_field head[HEAD_MOST])
{
    const char *at = line, *end = line + n;

    for (size_t i = 0; i < t->head_fields; i++) {
        const char *comma = at < end && *at != '"' ? memchr(at, ',', (size_t)(end - at)) : NULL;

        if (!comma)
            return NULL;
        head[i] = (struct csv_field){(char *)at, (size_t)(comma - at)};
        at = comma + 1;
    }
    return at;
}

/* False: a number is missing or odd. */
static bool read_head_number(const struct trace *t, const struct csv_field *head, enum column c, int64_t *out)
{
    const struct csv_field *f = &head[t->header.at[c]];

    return decimal_scaled(f->text, f->length, t->header.shift[c], out) == 0;
}

static bool read_head_fields(const struct trace *t, const struct csv_field *head, struct import_launch *l)
{
    enum column order = order_column(t);
    int64_t id;

    if (!read_head_number(t, head, START, &l->start_ns) || !read_head_number(t, head, DURATION, &l->value))
        return false;
    if (t->header.at[order] < 0)
        return true;
    if (!read_head_number(t, head, order, &id) || id < 0)
        return false;
    l->correlation = (uint64_t)id;
    l->has_correlation = true;
    return true;
}

/* Takes the row if it has plain numbers in front and ends like an earlier row. 1: taken; 0: it has to be read in
 * full, and *slot (may be NULL) wants to know what it meant. */
static int take_known_row(struct trace *t, struct row_memo_slot **slot, struct err *e)
{
    struct csv_field head[HEAD_MOST];
    const char *line, *rest;
    struct import_launch *l;
    size_t n;

    *slot = NULL;
    if (!t->head_fields || !csv_peek(&t->csv, &line, &n))
        return 0;
    rest = split_head(t, line, n, head);
    if (!rest)
        return 0;
    *slot = row_memo_get(&t->memo, rest, n - (size_t)(rest - line));
    if (!*slot || !(*slot)->known)
        return 0;
    l = &(*slot)->launch; /* what the head tells is told anew for each row */
    if (!read_head_fields(t, head, l))
        return 0;
    csv_skip(&t->csv, n);
    l->number = t->csv.line;
    t->rows_taken++;
    return import_launch(t->im, l, e) < 0 ? -1 : 1;
}

/* --- the table --- */

/* nvprof: the row below the header names the unit of each column. */
static int read_unit_row(struct trace *t, struct err *e)
{
    static const enum column with_units[] = {START, DURATION, SHARED_STATIC, SHARED_DYNAMIC};
    int more = csv_next(&t->csv, e);

    if (more <= 0)
        return more;
    for (size_t i = 0; i < sizeof with_units / sizeof *with_units && t->csv.field_count == t->header.field_count;
         i++)
        set_unit(&t->header, with_units[i], field(t, with_units[i])->text);
    return 1;
}

static int check_units(const struct trace *t, struct err *e)
{
    static const enum column times[] = {START, DURATION, API_START}, bytes[] = {SHARED_STATIC, SHARED_DYNAMIC};
    const struct header *h = &t->header;

    for (size_t i = 0; i < 3; i++) {
        if (h->at[times[i]] >= 0 && !h->unit_known[times[i]])
            return err_set(e, ERR_UNSUPPORTED,
                           "%s: the header does not say the unit of its times in a way that is "
                           "known (ns, us, ms, s)",
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

/* Skips what nsys and nvprof print before the table. */
static int find_header(struct trace *t, struct err *e)
{
    enum table refused = TABLE_NONE;
    int more;

    while ((more = csv_next(&t->csv, e)) > 0) {
        enum table table = read_header(&t->csv, &t->header);

        if (importable(table))
            break;
        if (refused == TABLE_NONE)
            refused = table;
    }
    if (more < 0)
        return -1;
    if (more == 0 && refused != TABLE_NONE)
        return refuse(refused, stream_name(t->csv.stream), e);
    if (more == 0)
        return err_set(e, ERR_UNSUPPORTED, "%s: no header of a kernel trace in it", stream_name(t->csv.stream));
    if (t->header.table == TABLE_NVPROF && read_unit_row(t, e) < 0)
        return -1;
    return check_units(t, e);
}

/* A row that csv_next() brought. */
static int take_any_row(struct trace *t, bool *in_table, struct row_memo_slot *slot, struct err *e)
{
    const struct csv *c = &t->csv;

    if (c->field_count == t->header.field_count && *in_table) {
        t->rows_taken++;
        return take_row(t, slot, e);
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

static int read_rows(struct trace *t, struct err *e)
{
    struct row_memo_slot *slot = NULL;
    bool in_table = true;
    uint64_t rows = 0;

    for (;;) {
        int taken = in_table ? take_known_row(t, &slot, e) : 0;

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

/* Every row has other columns than the header: most often commas inside numbers that nobody quoted. */
static int refuse_rows(const struct trace *t, struct err *e)
{
    err_set(e, ERR_INVALID,
            "%s: none of its %llu rows has the %zu columns of the header; numbers with a decimal comma "
            "or thousands separators do that",
            stream_name(t->csv.stream), (unsigned long long)t->im->report->dropped_count, t->header.field_count);
    return err_hint(e, "Write the report again with LC_ALL=C in front of the command.");
}

static int read_trace(struct trace *t, struct err *e)
{
    static const char *const names[] = {[TABLE_GPU_TRACE] = "cuda_gpu_trace",
                                        [TABLE_EXEC_TRACE] = "cuda_kern_exec_trace",
                                        [TABLE_NVPROF] = "print-gpu-trace"};

    if (find_header(t, e) < 0)
        return -1;
    snprintf(t->im->report->schema, sizeof t->im->report->schema, "%s, %zu columns", names[t->header.table],
             t->header.field_count);
    t->head_fields = head_fields(t);
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
    struct trace *t = mem_zalloc(1, sizeof *t, e);
    int ret = -1;

    if (!t)
        return -1;
    if (import_open(im, &s, e) < 0)
        goto out;
    t->im = im;
    if (csv_init(&t->csv, s, ROW_BYTES_MOST, e) == 0)
        ret = read_trace(t, e);
    row_memo_release(&t->memo);
    csv_release(&t->csv);
    stream_close(s);
out:
    free(t);
    return ret;
}

/* --- recognition --- */

static enum table find_table(struct csv *c, struct header *h)
{
    enum table found = TABLE_NONE;
    struct err ignored; /* the head may end inside a row, or be no text at all */

    while (!importable(found) && csv_next(c, &ignored) > 0) {
        enum table t = read_header(c, h);

        if (found == TABLE_NONE || importable(t))
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
    struct import_head left = *head;
    struct header h;
    struct stream *s;
    struct csv *c = mem_zalloc(1, sizeof *c, e);
    enum table table = TABLE_NONE;

    *format = NULL;
    if (!c)
        return -1;
    if (import_head_stream(&left, &s, e) < 0) {
        free(c);
        return -1;
    }
    if (csv_init(c, s, ROW_BYTES_MOST, e) == 0)
        table = find_table(c, &h);
    csv_release(c);
    stream_close(s);
    free(c);
    *format = formats[table];
    if (importable(table))
        return 1;
    if (table != TABLE_NONE)
        refuse(table, head->name, e);
    return 0;
}
