#include "ingest/launch_list.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "ingest/csv.h"

#define KERNEL_NAMES "Kernel0 name: " /* the first bytes of MacSim's list */

struct list {
    struct csv csv;
    const char *group;
    launch_visit_fn visit;
    void *ctx;
    struct strbuf name, text; /* of the current launch */
    bool began, ordered;      /* tables: began is set after the first launch; ordered: that launch has an order */
};

static int list_error(const struct list *l, struct err *e, const char *what)
{
    return err_set(e, ERR_INVALID, "%s: line %llu: %s", stream_name(l->csv.stream), (unsigned long long)l->csv.line,
                   what);
}

static int give(struct list *l, struct listed_launch *v, struct err *e)
{
    ASSERT(l->csv.line > 0 && l->csv.line <= l->csv.lines_after + 1);
    if (l->name.failed || l->text.failed)
        return err_no_memory(e);
    v->place = "line";
    v->number = l->csv.line;
    v->name = l->name.text;
    text_sanitize(l->name.text);
    return l->visit(l->ctx, v, e);
}

static const char *trimmed(struct csv_field *f)
{
    char *s = f->text, *end = s + f->length;

    ASSERT_HOT(f->text[f->length] == '\0');
    while (s < end && (*s == ' ' || *s == '\t'))
        s++;
    while (end > s && (end[-1] == ' ' || end[-1] == '\t'))
        *--end = '\0';
    return s;
}

static bool whole(const char *s, uint64_t most, uint64_t *out)
{
    uint64_t x = 0;

    if (!*s)
        return false;
    for (; *s; s++) {
        if (*s < '0' || *s > '9' || x > (UINT64_MAX - 9) / 10)
            return false;
        x = x * 10 + (uint64_t)(*s - '0');
    }
    *out = x;
    return x <= most;
}

/* "(16, 1, 10)", "16x1x10", "16,1,10", "16 1 10" */
static bool shape(const char *s, uint32_t out[3])
{
    for (int i = 0; i < 3; i++) {
        char digits[12];
        size_t n;
        uint64_t x;

        s += strspn(s, i ? " ,x" : " (");
        n = strspn(s, "0123456789");
        if (n == 0 || n >= sizeof digits)
            return false;
        memcpy(digits, s, n);
        digits[n] = '\0';
        if (!whole(digits, UINT32_MAX, &x))
            return false;
        out[i] = (uint32_t)x;
        s += n;
    }
    s += strspn(s, " )");
    return *s == '\0';
}

/* --- Accel-Sim: file, name, grid x y z, blocks, block x y z, threads, counts. The name may contain commas.
 * `blocks` and `threads` are products of their three numbers, which shows where the numbers begin. --- */

static bool stats_numbers(struct csv *c, size_t at, struct listed_launch *v)
{
    uint64_t n[8];

    ASSERT(at >= 2);
    if (at + 8 > c->field_count)
        return false;
    for (size_t i = 0; i < 8; i++)
        if (!whole(trimmed(&c->fields[at + i]), UINT32_MAX, &n[i]))
            return false;
    for (int i = 0; i < 3; i++) {
        v->grid[i] = (uint32_t)n[i];
        v->block[i] = (uint32_t)n[4 + i];
    }
    /* the tracer uses 32-bit numbers */
    return (uint32_t)(v->grid[0] * v->grid[1] * v->grid[2]) == n[3] &&
           (uint32_t)(v->block[0] * v->block[1] * v->block[2]) == n[7];
}

static int stats_row(struct list *l, struct err *e)
{
    struct listed_launch v = {.group = l->group, .has_shape = true};
    struct csv *c = &l->csv;
    size_t at = 2;

    if (c->field_count > CSV_MOST_FIELDS)
        return list_error(l, e, "it has more columns than a launch");
    while (at < c->field_count && !stats_numbers(c, at, &v))
        at++;
    if (at >= c->field_count)
        return list_error(l, e,
                          "it is not \"file, name, grid, blocks, block, threads\", as Accel-Sim's tracer writes");
    ASSERT(at + 8 <= c->field_count);
    strbuf_clear(&l->name);
    for (size_t i = 1; i < at; i++)
        strbuf_addf(&l->name, "%s%s", i > 1 ? ", " : "", trimmed(&c->fields[i]));
    return give(l, &v, e);
}

static int walk_stats(struct list *l, bool header, struct err *e)
{
    int got = header ? csv_next(&l->csv, e) : 1;

    for (; got > 0; got = csv_next(&l->csv, e))
        if ((l->csv.field_count > 1 || l->csv.fields[0].length > 0) && stats_row(l, e) < 0)
            return -1;
    return got;
}

/* --- tables with a header --- */

enum column { ID, PROCESS, CONTEXT, NAME, MANGLED, GRID, BLOCK, ORDER, CONTEXT_INDEX, COLUMNS };
static const struct {
    const char *title;
    enum column column;
} titles[] = {
    {"ID", ID},
    {"Process ID", PROCESS},
    {"Context", CONTEXT},
    {"Kernel Name", NAME},
    {"Grid Size", GRID},
    {"Block Size", BLOCK},
    {"kernel", NAME},
    {"name", NAME},
    {"mangled_name", MANGLED},
    {"grid", GRID},
    {"block", BLOCK},
    {"launch_order", ORDER},
    {"context_index", CONTEXT_INDEX},
};

static void read_header(struct csv *c, int at[COLUMNS])
{
    for (int i = 0; i < COLUMNS; i++)
        at[i] = -1;
    for (size_t f = 0; f < c->field_count && f < CSV_MOST_FIELDS; f++)
        for (size_t t = 0; t < sizeof titles / sizeof *titles; t++)
            if (at[titles[t].column] < 0 && strcmp(trimmed(&c->fields[f]), titles[t].title) == 0)
                at[titles[t].column] = (int)f;
}

static const char *cell(struct csv *c, const int at[COLUMNS], enum column column)
{
    ASSERT_HOT(column < COLUMNS);
    return at[column] >= 0 && (size_t)at[column] < c->field_count ? trimmed(&c->fields[at[column]]) : "";
}

static int read_shape(struct list *l, const int at[COLUMNS], struct listed_launch *v, struct err *e)
{
    const char *grid = cell(&l->csv, at, GRID), *block = cell(&l->csv, at, BLOCK);

    if (!*grid && !*block)
        return 0;
    if (!shape(grid, v->grid) || !shape(block, v->block))
        return list_error(l, e, "grid and block are not three numbers each");
    v->has_shape = true;
    return 0;
}

/* --- Nsight Compute: a launch has one row per metric --- */

static int ncu_row(struct list *l, const int at[COLUMNS], struct strbuf *last, struct err *e)
{
    const char *id = cell(&l->csv, at, ID);
    struct listed_launch v = {.group = l->group};
    struct strbuf key = STRBUF_INIT;
    int ret = 0;

    ASSERT_HOT(at[ID] >= 0 && at[NAME] >= 0 && at[PROCESS] >= 0);
    if (!*id) /* the row of units, or a blank line */
        return 0;
    strbuf_addf(&key, "%s/%s", cell(&l->csv, at, PROCESS), id);
    if (key.failed)
        return err_no_memory(e);
    if (strcmp(key.text, last->text) != 0) {
        strbuf_clear(last);
        strbuf_adds(last, key.text);
        strbuf_clear(&l->name);
        strbuf_adds(&l->name, cell(&l->csv, at, NAME));
        strbuf_clear(&l->text);
        strbuf_addf(&l->text, "process %.20s, context %.20s", cell(&l->csv, at, PROCESS),
                    cell(&l->csv, at, CONTEXT));
        v.group = l->text.text;
        text_sanitize(l->text.text);
        ret = read_shape(l, at, &v, e) < 0 ? -1 : give(l, &v, e);
    }
    strbuf_release(&key);
    return last->failed ? err_no_memory(e) : ret;
}

static int walk_ncu(struct list *l, const int at[COLUMNS], struct err *e)
{
    struct strbuf last = STRBUF_INIT;
    int got, ret = 0;

    while (ret == 0 && (got = csv_next(&l->csv, e)) != 0)
        ret = got < 0 ? -1 : ncu_row(l, at, &last, e);
    strbuf_release(&last);
    return ret;
}

/* --- any other table --- */

static int csv_row(struct list *l, const int at[COLUMNS], struct err *e)
{
    struct listed_launch v = {.group = l->group};
    const char *name = cell(&l->csv, at, MANGLED), *order = cell(&l->csv, at, ORDER),
               *context = cell(&l->csv, at, CONTEXT_INDEX);

    ASSERT_HOT(at[NAME] >= 0 || at[MANGLED] >= 0);
    if (l->csv.field_count == 1 && l->csv.fields[0].length == 0)
        return 0;
    if (!*name)
        name = cell(&l->csv, at, NAME);
    if (!*name)
        return list_error(l, e, "the kernel's name is missing");
    v.has_order = *order != '\0';
    v.has_context = *context != '\0';
    if ((v.has_order && !whole(order, UINT64_MAX, &v.order)) ||
        (v.has_context && !whole(context, UINT64_MAX, &v.context)))
        return list_error(l, e, "`launch_order` and `context_index` must be whole numbers from 0");
    if (l->began && v.has_order != l->ordered)
        return list_error(l, e, "`launch_order` is in some rows only: give it in all or in none");
    l->began = true;
    l->ordered = v.has_order;
    strbuf_clear(&l->name);
    strbuf_adds(&l->name, name);
    return read_shape(l, at, &v, e) < 0 ? -1 : give(l, &v, e);
}

static int walk_csv(struct list *l, const int at[COLUMNS], struct err *e)
{
    int got;

    while ((got = csv_next(&l->csv, e)) > 0)
        if (csv_row(l, at, e) < 0)
            return -1;
    return got;
}

/* --- MacSim: "Kernel12 name: f(int)", then "  Grid size: (1, 1, 1), Block size: (128, 1, 1), ..." --- */

/* Joins the fields of a row again. MacSim's lines have commas but no quotes. */
static void join_row(const struct csv *c, struct strbuf *out)
{
    strbuf_clear(out);
    for (size_t i = 0; i < c->field_count && i < CSV_MOST_FIELDS; i++)
        strbuf_addf(out, "%s%s", i ? "," : "", c->fields[i].text);
}

static bool macsim_shape(char *line, struct listed_launch *v)
{
    char *grid = strstr(line, "Grid size: "), *block = strstr(line, "Block size: "), *end;

    if (!grid || !block || !(end = strchr(grid, ')')))
        return false;
    end[1] = '\0';
    end = strchr(block, ')');
    if (!end || block < grid)
        return false;
    end[1] = '\0';
    return shape(grid + strlen("Grid size: "), v->grid) && shape(block + strlen("Block size: "), v->block);
}

static int macsim_launch(struct list *l, uint64_t expected, struct err *e)
{
    struct listed_launch v = {.group = l->group, .has_shape = true};
    uint64_t line = l->csv.line, number;
    char *name, *digits;
    int got;

    ASSERT(l->csv.field_count > 0);
    join_row(&l->csv, &l->text);
    name = strstr(l->text.text, " name: ");
    if (!str_starts(l->text.text, "Kernel") || !name)
        return list_error(l, e, "it is not \"Kernel<number> name: <name>\", as MacSim's tracer writes");
    *name = '\0';
    digits = l->text.text + strlen("Kernel");
    if (!whole(digits, UINT64_MAX, &number) || number != expected)
        return list_error(l, e, "the kernels are not numbered 0, 1, 2, ...");
    strbuf_clear(&l->name);
    strbuf_adds(&l->name, name + strlen(" name: "));
    got = csv_next(&l->csv, e);
    if (got < 0)
        return -1;
    join_row(&l->csv, &l->text);
    if (got == 0 || !macsim_shape(l->text.text, &v))
        return list_error(l, e, "the kernel's grid and block are missing");
    l->csv.line = line;
    return give(l, &v, e);
}

static int walk_macsim(struct list *l, struct err *e)
{
    uint64_t n = 0;
    int got = 1;

    for (; got > 0; got = csv_next(&l->csv, e))
        if ((l->csv.field_count > 1 || l->csv.fields[0].length > 0) && macsim_launch(l, n++, e) < 0)
            return -1;
    return got;
}

/* --- recognition of the format --- */

static int walk_known(struct list *l, const char **format, struct err *e)
{
    int at[COLUMNS];
    const char *first = trimmed(&l->csv.fields[0]);

    if (strcmp(first, "kernel id") == 0 || (str_starts(first, "kernel-") && strstr(first, ".trace"))) {
        *format = "accel-sim";
        return walk_stats(l, strcmp(first, "kernel id") == 0, e);
    }
    if (str_starts(first, KERNEL_NAMES)) {
        *format = "macsim";
        return walk_macsim(l, e);
    }
    read_header(&l->csv, at);
    if (at[ID] >= 0 && at[NAME] >= 0 && at[PROCESS] >= 0) {
        *format = "ncu";
        return walk_ncu(l, at, e);
    }
    if ((at[NAME] >= 0 || at[MANGLED] >= 0) && at[GRID] >= 0 && at[BLOCK] >= 0) {
        *format = "csv";
        return walk_csv(l, at, e);
    }
    return 1;
}

int launch_list_walk_stream(struct stream *s, const char *group, launch_visit_fn visit, void *ctx,
                            const char **format, struct err *e)
{
    struct list l = {.group = group, .visit = visit, .ctx = ctx, .name = STRBUF_INIT, .text = STRBUF_INIT};
    int got, ret = 1;

    *format = "unknown";
    if (csv_init(&l.csv, s, LAUNCH_ROW_MAX, e) < 0)
        return -1;
    /* Output of the program may come before the table. */
    while (ret > 0 && l.csv.lines_after < 10000 && (got = csv_next(&l.csv, e)) != 0)
        ret = got < 0 ? -1 : walk_known(&l, format, e);
    ASSERT(ret != 0 || strcmp(*format, "unknown") != 0);
    csv_release(&l.csv);
    strbuf_release(&l.name);
    strbuf_release(&l.text);
    if (ret <= 0)
        return ret;
    err_set(e, ERR_UNSUPPORTED, "%s: this is not a known list of kernel launches", stream_name(s));
    return err_hint(e, "Use stats.csv of Accel-Sim's tracer, kernel_names.txt of MacSim's, `ncu --csv`, or a CSV "
                       "with kernel, grid and block.");
}
