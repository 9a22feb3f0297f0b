#include "cli/output/table.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <unistd.h>

#include "base/csv_cell.h"
#include "base/array.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "cli/cli.h"

enum { GAP = 2, NARROWEST = 24, WIDE_FILE = 160 };

void table_init(struct table *t, const struct table_column *columns, size_t count)
{
    *t = (struct table){.columns = columns, .column_count = count};
}

void table_release(struct table *t)
{
    for (size_t i = 0; i < 2 * t->cell_count; i++)
        free(t->cells[i]);
    free(t->cells);
    table_init(t, t->columns, t->column_count);
}

void table_pair(struct table *t, const char *people, const char *csv)
{
    struct err ignored; /* t->failed reports it */
    void *cells = t->cells;
    char *a, *b;

    if (t->failed || array_reserve(&cells, &t->capacity, 2 * (t->cell_count + 1), sizeof *t->cells, &ignored) < 0) {
        t->failed = true;
        return;
    }
    t->cells = cells;
    a = mem_strdup(people, &ignored);
    if (a && csv) /* without `csv`, a is also the CSV's text, which is not changed */
        text_sanitize(a);
    b = csv ? mem_strdup(csv, &ignored) : NULL;
    t->failed = !a || (csv && !b);
    t->cells[2 * t->cell_count] = a;
    t->cells[2 * t->cell_count + 1] = b;
    t->cell_count++;
}

void table_text(struct table *t, const char *text)
{
    table_pair(t, text ? text : "", text);
}

void table_count(struct table *t, uint64_t n)
{
    char people[CLI_NUMBER], digits[24];

    snprintf(digits, sizeof digits, "%" PRIu64, n);
    table_pair(t, cli_whole(n, people), digits);
}

void table_number(struct table *t, double x, const char *people)
{
    char digits[NUM_TEXT];

    table_pair(t, people, isfinite(x) ? num_format(x, digits) : "");
}

/* Decodes the code point at s; *n: its length in bytes. An invalid byte counts as one column. */
static uint32_t code_point(const unsigned char *s, size_t *n)
{
    size_t more = *s >= 0xF0 ? 3 : *s >= 0xE0 ? 2 : *s >= 0xC0 ? 1 : 0;
    uint32_t c = more == 3 ? *s & 7u : more == 2 ? *s & 15u : more == 1 ? *s & 31u : *s;

    *n = 1;
    for (size_t i = 1; i <= more; i++) {
        if ((s[i] & 0xC0) != 0x80)
            return '?';
        c = c << 6 | (s[i] & 0x3Fu);
        *n = i + 1;
    }
    return c;
}

static size_t columns_of(uint32_t c)
{
    if ((c >= 0x300 && c <= 0x36F) || (c >= 0x200B && c <= 0x200F) || (c >= 0xFE00 && c <= 0xFE0F))
        return 0; /* combining marks, joiners, variation selectors */
    if ((c >= 0x1100 && c <= 0x115F) || (c >= 0x2E80 && c <= 0xA4CF) || (c >= 0xAC00 && c <= 0xD7A3) ||
        (c >= 0xF900 && c <= 0xFAFF) || (c >= 0xFE30 && c <= 0xFE6F) || (c >= 0xFF00 && c <= 0xFF60) ||
        (c >= 0x1F300 && c <= 0x1FAFF) || (c >= 0x20000 && c <= 0x3FFFD))
        return 2; /* East Asian wide forms and pictographs */
    return 1;
}

size_t table_width(const char *s)
{
    size_t width = 0, n;

    for (const unsigned char *p = (const unsigned char *)s; *p; p += n)
        width += columns_of(code_point(p, &n));
    return width;
}

/* Row 0 is the header. */
static const char *csv_text(const struct table *t, size_t row, size_t column)
{
    char **cell;

    if (row == 0)
        return t->columns[column].csv_name;
    cell = &t->cells[2 * ((row - 1) * t->column_count + column)];
    return cell[1] ? cell[1] : cell[0];
}

static int print_csv(const struct table *t, FILE *to, struct err *e)
{
    size_t rows = t->cell_count / t->column_count;
    struct strbuf line = STRBUF_INIT;
    int ret = 0;

    for (size_t r = 0; r <= rows && ret == 0; r++) {
        const char *comma = "";

        for (size_t c = 0; c < t->column_count; c++) {
            if (!t->columns[c].csv_name)
                continue;
            strbuf_adds(&line, comma);
            csv_add_cell(&line, csv_text(t, r, c));
            comma = ",";
        }
        strbuf_adds(&line, "\r\n");
        ret = line.failed ? err_no_memory(e) : 0;
        fwrite(line.text, 1, line.length, to);
        strbuf_clear(&line);
    }
    strbuf_release(&line);
    return ret;
}

static void pad(FILE *to, size_t n)
{
    while (n--)
        fputc(' ', to);
}

/* Writes s; where it is longer than `most` columns, its middle is left out. */
static size_t print_cut(FILE *to, const char *s, size_t most)
{
    size_t width = table_width(s), head, tail, n, at = 0;

    if (width <= most) {
        fputs(s, to);
        return width;
    }
    head = (most - 1) * 2 / 3;
    tail = most - 1 - head;
    for (const unsigned char *p = (const unsigned char *)s; *p; p += n) {
        size_t w = columns_of(code_point(p, &n));

        if (at < head && at + w > head)
            head = at; /* a wide character cannot be cut in half */
        if (at + w <= head || at >= width - tail)
            fwrite(p, 1, n, to);
        else if (at == head)
            fputs("\xE2\x80\xA6", to);
        at += w;
    }
    return head + 1 + tail;
}

static void print_cell(FILE *to, const char *s, size_t width, bool right, bool last)
{
    size_t have = table_width(s);

    if (right && have < width)
        pad(to, width - have);
    have = print_cut(to, s, width);
    if (!right && !last && have < width)
        pad(to, width - have);
}

static size_t screen_width(FILE *to)
{
    struct winsize size;

    if (isatty(fileno(to)) == 1 && ioctl(fileno(to), TIOCGWINSZ, &size) == 0 && size.ws_col > 40)
        return size.ws_col;
    return WIDE_FILE;
}

/* Computes the column widths. Columns that may be cut are narrowed, the widest first, until the line fits. */
static void measure(const struct table *t, size_t *widths, size_t screen)
{
    size_t sum = 0;

    for (size_t c = 0; c < t->column_count; c++) {
        widths[c] = t->columns[c].title ? table_width(t->columns[c].title) : 0;
        for (size_t i = c; t->columns[c].title && i < t->cell_count; i += t->column_count) {
            size_t w = table_width(t->cells[2 * i]);

            widths[c] = w > widths[c] ? w : widths[c];
        }
        sum += widths[c] ? widths[c] + GAP : 0;
    }
    while (sum > screen + GAP) {
        size_t widest = t->column_count;

        for (size_t c = 0; c < t->column_count; c++)
            if (t->columns[c].narrow && widths[c] > NARROWEST &&
                (widest == t->column_count || widths[c] > widths[widest]))
                widest = c;
        if (widest == t->column_count)
            return;
        widths[widest]--;
        sum--;
    }
}

static int print_people(const struct table *t, FILE *to, struct err *e)
{
    size_t rows = t->cell_count / t->column_count, last = t->column_count;
    size_t *widths = mem_zalloc(t->column_count, sizeof *widths, e);

    if (!widths)
        return -1;
    measure(t, widths, screen_width(to));
    while (last > 0 && widths[last - 1] == 0)
        last--;
    for (size_t r = 0; r <= rows; r++) {
        bool first = true;

        for (size_t c = 0; c < last; c++) {
            const struct table_column *col = &t->columns[c];

            if (widths[c] == 0)
                continue;
            pad(to, first ? 0 : GAP);
            first = false;
            print_cell(to, r == 0 ? col->title : t->cells[2 * ((r - 1) * t->column_count + c)], widths[c],
                       col->right, c + 1 == last);
        }
        fputc('\n', to);
    }
    free(widths);
    return 0;
}

int table_print(struct table *t, bool csv, FILE *to, struct err *e)
{
    if (t->failed)
        return err_no_memory(e);
    if ((csv ? print_csv(t, to, e) : print_people(t, to, e)) < 0)
        return -1;
    return ferror(to) ? err_set_errno(e, errno, "the output cannot be written") : 0;
}
