/* Reads the numbers of a row exactly. Rows that end like an earlier row take a fast path. */
#include "ingest/nsys_rows.h"

#include <string.h>

#include "base/assert.h"
#include "ingest/decimal.h"

#define HEAD_MAX 8 /* most fields at the start of a row that are read separately when the end is known */

/* Reads a field that has spaces around the number, or no number. A number with
 * separators ends the import, because all numbers of the file are written that way. */
static int odd_number(const struct nsys_trace *t, enum nsys_column c, int64_t *out, bool *bad, struct err *e)
{
    const struct csv_field *f = nsys_field(t, c);
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
                "which cannot be distinguished",
                stream_name(t->csv.stream), (unsigned long long)t->csv.line, (int)n, text);
        return err_hint(e, "Write the report again with LC_ALL=C in front of the command.");
    }
    return 0;
}

/* A number; 0 when the field is empty. */
static inline int number(const struct nsys_trace *t, enum nsys_column c, int64_t *out, bool *bad, struct err *e)
{
    const struct csv_field *f = nsys_field(t, c);

    ASSERT_HOT((unsigned)c < COLUMN_COUNT && t->header.at[c] < (int)t->csv.field_count);
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
static void read_device(struct nsys_trace *t, int64_t *out, bool *bad)
{
    const struct csv_field *f = nsys_field(t, COLUMN_DEVICE);
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

static int read_shape(struct nsys_trace *t, struct import_launch *l, bool *bad, struct err *e)
{
    if (t->header.table == TABLE_EXEC_TRACE) {
        triple(nsys_field(t, COLUMN_GRID), l->grid, bad);
        triple(nsys_field(t, COLUMN_BLOCK), l->block, bad);
        return 0;
    }
    for (int i = 0; i < 3; i++) {
        if (number(t, COLUMN_GRID_X + i, &l->grid[i], bad, e) < 0 ||
            number(t, COLUMN_BLOCK_X + i, &l->block[i], bad, e) < 0)
            return -1;
    }
    return 0;
}

/* The column that gives the order of launches. */
static enum nsys_column order_column(const struct nsys_trace *t)
{
    return t->header.table == TABLE_EXEC_TRACE ? COLUMN_API_START : COLUMN_CORRELATION;
}

/* Reads the ids of the report. The kernel execution trace has no correlation id. There the order of the API calls
 * is the launch order. */
static int read_ids(struct nsys_trace *t, struct import_launch *l, bool *bad, struct err *e)
{
    enum nsys_column order = order_column(t);
    int64_t correlation, context, stream, process;

    if (number(t, order, &correlation, bad, e) < 0 || number(t, COLUMN_CONTEXT, &context, bad, e) < 0 ||
        number(t, COLUMN_STREAM, &stream, bad, e) < 0 || number(t, COLUMN_PROCESS, &process, bad, e) < 0)
        return -1;
    if (correlation < 0)
        *bad = true;
    if (nsys_field(t, order)->length > 0) {
        l->correlation = (uint64_t)correlation;
        l->has_correlation = true;
    }
    l->context = (uint64_t)context;
    l->process = (uint64_t)process;
    l->stream = (uint64_t)stream;
    l->has_stream = nsys_field(t, COLUMN_STREAM)->length > 0;
    return 0;
}

static int read_launch(struct nsys_trace *t, struct import_launch *l, bool *bad, struct err *e)
{
    int64_t fixed, dynamic;

    if (number(t, COLUMN_START, &l->start_ns, bad, e) < 0 || number(t, COLUMN_DURATION, &l->value, bad, e) < 0 ||
        read_shape(t, l, bad, e) < 0 || read_ids(t, l, bad, e) < 0 ||
        number(t, COLUMN_REGISTERS, &l->registers, bad, e) < 0 ||
        number(t, COLUMN_SHARED_STATIC, &fixed, bad, e) < 0 ||
        number(t, COLUMN_SHARED_DYNAMIC, &dynamic, bad, e) < 0)
        return -1;
    if (__builtin_add_overflow(fixed, dynamic, &l->shared_bytes))
        *bad = true;
    read_device(t, &l->device, bad);
    return 0;
}

int nsys_take_row(struct nsys_trace *t, struct row_memo_slot *slot, struct err *e)
{
    struct import_launch l = {.place = "line", .number = t->csv.line, .has_shape = true};
    struct csv_field *name = &t->csv.fields[t->header.at[COLUMN_NAME]];
    unsigned long long line = t->csv.line;
    bool bad = false;

    ASSERT_HOT(t->csv.field_count == t->header.field_count);
    if (t->header.table != TABLE_EXEC_TRACE && nsys_field(t, COLUMN_GRID_X)->length == 0) {
        /* Copies and memsets have no grid. */
        import_ignore(t->im, IGNORE_MEMORY_OPERATION, 1, "line %llu: %s", line, name->text);
        return 0;
    }
    if (t->header.table == TABLE_NVPROF)
        cut_correlation(name, &l);
    if (name->length > t->im->options.most_name_bytes) {
        import_drop(t->im, DROP_NAME_TOO_LONG, "line %llu: %.60s...", line, name->text);
        return 0;
    }
    if (nsys_field(t, COLUMN_START)->length == 0) {
        import_drop(t->im, DROP_NO_START_TIME, "line %llu: %s", line, name->text);
        return 0;
    }
    if (nsys_field(t, COLUMN_DURATION)->length == 0) {
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

size_t nsys_head_fields(const struct nsys_trace *t)
{
    const enum nsys_column head[] = {COLUMN_START, COLUMN_DURATION, order_column(t)};
    const struct nsys_header *h = &t->header;
    size_t n = 0, next = h->field_count;

    for (size_t i = 0; i < 3; i++)
        n = h->at[head[i]] >= (int)n ? (size_t)h->at[head[i]] + 1 : n;
    for (enum nsys_column c = 0; c < COLUMN_COUNT; c++)
        if (c != head[0] && c != head[1] && c != head[2] && h->at[c] >= 0 && (size_t)h->at[c] < next)
            next = (size_t)h->at[c];
    ASSERT(next <= h->field_count);
    return n <= next && next <= HEAD_MAX && h->table != TABLE_NVPROF ? next : 0;
}

/* Splits the first fields. Returns where the rest of the line begins; NULL when they have quotes or are too few. */
static const char *split_head(const struct nsys_trace *t, const char *line, size_t n,
                              struct csv_field head[HEAD_MAX])
{
    const char *at = line, *end = line + n;

    ASSERT_HOT(t->head_fields <= HEAD_MAX);
    for (size_t i = 0; i < t->head_fields; i++) {
        const char *comma = at < end && *at != '"' ? memchr(at, ',', (size_t)(end - at)) : NULL;

        if (!comma)
            return NULL;
        head[i] = (struct csv_field){(char *)at, (size_t)(comma - at)};
        at = comma + 1;
    }
    return at;
}

/* False: a number is missing or not a plain number. */
static bool read_head_number(const struct nsys_trace *t, const struct csv_field *head, enum nsys_column c,
                             int64_t *out)
{
    const struct csv_field *f = &head[t->header.at[c]];

    ASSERT_HOT(t->header.at[c] >= 0 && (size_t)t->header.at[c] < t->head_fields);
    return decimal_scaled(f->text, f->length, t->header.shift[c], out) == 0;
}

static bool read_head_fields(const struct nsys_trace *t, const struct csv_field *head, struct import_launch *l)
{
    enum nsys_column order = order_column(t);
    int64_t id;

    if (!read_head_number(t, head, COLUMN_START, &l->start_ns) ||
        !read_head_number(t, head, COLUMN_DURATION, &l->value))
        return false;
    if (t->header.at[order] < 0)
        return true;
    if (!read_head_number(t, head, order, &id) || id < 0)
        return false;
    l->correlation = (uint64_t)id;
    l->has_correlation = true;
    return true;
}

int nsys_take_known_row(struct nsys_trace *t, struct row_memo_slot **slot, struct err *e)
{
    struct csv_field head[HEAD_MAX];
    const char *line, *rest;
    struct import_launch *l;
    size_t n;

    *slot = NULL;
    if (!t->head_fields || !csv_peek(&t->csv, &line, &n))
        return 0;
    rest = split_head(t, line, n, head);
    if (!rest)
        return 0;
    ASSERT_HOT(line < rest && rest <= line + n);
    *slot = row_memo_get(&t->memo, rest, n - (size_t)(rest - line));
    if (!*slot || !(*slot)->known)
        return 0;
    l = &(*slot)->launch; /* read_head_fields() sets the values of the first fields again for each row */
    if (!read_head_fields(t, head, l))
        return 0;
    csv_skip(&t->csv, n);
    l->number = t->csv.line;
    t->rows_taken++;
    return import_launch(t->im, l, e) < 0 ? -1 : 1;
}
