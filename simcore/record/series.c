#include "simcore/record/series.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/assert.h"
#include "simcore/record/series_internal.h"

/* --- opening --- */

static bool is_per_line(const struct series_kind *k)
{
    return !k->prefix && strcmp(k->of, "gpu") != 0;
}

static bool add_part(struct series *s, const struct recorded_column *c)
{
    ASSERT(s->lines < SERIES_PREFIXED_MAX);
    if (s->lines == SERIES_PREFIXED_MAX - 1)
        return false;
    s->part[s->lines++] = c;
    return true;
}

/* Orders the lines from useful slots up: first full warps, then partial ones; stall reasons in the order of
 * reports; slots that no warp could use at the end. */
static bool take_parts(struct series *s)
{
    const struct recording *r = s->recording;
    const struct recorded_column *last = NULL;
    bool states = strcmp(s->kind->of, "state") == 0, lanes = strcmp(s->kind->of, "lanes") == 0, fits = true;
    size_t skip = strlen(s->kind->prefix);

    ASSERT(s->kind->prefix && s->lines == 0);
    if (states)
        fits = add_part(s, s->column[0]);
    for (size_t i = 0; i < r->column_count && fits; i++) {
        const struct recorded_column *c = &r->column[lanes ? r->column_count - 1 - i : i];

        if (strncmp(c->name, s->kind->prefix, skip) != 0)
            continue;
        if (states && strcmp(c->name + skip, "empty") == 0)
            last = c;
        else
            fits = add_part(s, c);
    }
    return fits && (!last || add_part(s, last)) && s->lines > (states ? 1 : 0);
}

/* The columns of a series with lines have the same kind of unit (SM, channel, ...) and the same count as the lines.
 * The exception is the third column of a series by bank: it counts channels, which all have the same number of
 * banks.
 */
static bool columns_fit(const struct series_kind *k, const struct recorded_column *const c[3])
{
    bool banks = strcmp(k->of, recorded_of_names[OF_BANK]) == 0;

    ASSERT(c[0]);
    for (int i = 0; i < 3 && c[i]; i++) {
        bool channels = banks && i == 2;
        const char *of = channels ? recorded_of_names[OF_CHANNEL] : k->of;

        if (strcmp(recorded_of_names[c[i]->of], of) != 0)
            return false;
        if (channels ? c[0]->count % c[i]->count != 0 : c[i]->count != c[0]->count)
            return false;
    }
    return true;
}

int series_open(const struct recording *r, size_t kind, struct series *out)
{
    const struct series_kind *k = &series_kinds[kind];

    ASSERT(kind < series_count());
    *out = (struct series){.kind = k, .recording = r};
    for (int i = 0; i < 3 && k->columns[i]; i++) {
        out->column[i] = recording_column(r, k->columns[i]);
        if (!out->column[i])
            return -1;
    }
    if (is_per_line(k) && !columns_fit(k, out->column))
        return -1;
    if (k->prefix && !take_parts(out))
        return -1;
    if (strcmp(k->of, "gpu") == 0)
        out->lines = 1;
    else if (is_per_line(k))
        out->lines = out->column[0]->count;
    ASSERT(out->lines > 0);
    return 0;
}

int series_find(const struct recording *r, const char *name, struct series *out, struct err *e)
{
    for (size_t i = 0; i < series_count(); i++)
        if (strcmp(series_kinds[i].name, name) == 0)
            return series_open(r, i, out) == 0
                       ? 0
                       : err_set(e, ERR_NOT_FOUND, "this recording does not have the columns of `%s`", name);
    err_set(e, ERR_NOT_FOUND, "there is no series `%.60s`", name);
    return err_hint(e, "Without a name, the list of all series is answered.");
}

double series_value(const struct series *s, uint32_t line, uint32_t from, uint32_t to)
{
    ASSERT(line < s->lines && from <= to && to <= s->recording->rows);
    return s->kind->value(s, line, from, to);
}

/* "energy_core_fj" -> "core"; "warp_instructions_29_32" -> "29 to 32 lanes" */
static const char *part_label(const struct series *s, uint32_t line, char out[SERIES_LABEL])
{
    const char *rest = s->part[line]->name + strlen(s->kind->prefix), *under = strchr(rest, '_');
    int n = under ? (int)(under - rest) : (int)strlen(rest);

    if (strcmp(s->kind->of, "lanes") == 0)
        snprintf(out, SERIES_LABEL, "%.*s%s%.10s lanes", n, rest, under ? " to " : "", under ? under + 1 : "");
    else
        snprintf(out, SERIES_LABEL, "%.*s", n, rest);
    return out;
}

static void bank_label(const struct series *s, uint32_t line, char out[SERIES_LABEL])
{
    uint32_t banks = s->column[0]->count / s->column[2]->count;

    ASSERT(banks > 0);
    snprintf(out, SERIES_LABEL, "channel %u bank %u", line / banks, line % banks);
}

const char *series_label(const struct series *s, uint32_t line, char out[SERIES_LABEL])
{
    ASSERT(line < s->lines);
    if (strcmp(s->kind->of, "gpu") == 0)
        snprintf(out, SERIES_LABEL, "GPU");
    else if (strcmp(s->kind->of, "state") == 0 && line == 0)
        snprintf(out, SERIES_LABEL, "issued");
    else if (s->kind->prefix)
        part_label(s, line, out);
    else if (strcmp(s->kind->of, "bank") == 0)
        bank_label(s, line, out);
    else
        snprintf(out, SERIES_LABEL, "%s %u", strcmp(s->kind->of, "sm") == 0 ? "SM" : s->kind->of, line);
    return out;
}

/* --- windows --- */

struct series_window series_window(const struct recording *r, uint64_t from, uint64_t to, uint32_t columns)
{
    struct series_window w = {.each = 1};
    uint64_t end = to && to < r->cycles ? to : r->cycles, n = r->interval_cycles;

    if (!r->rows)
        return w;
    if (from >= end)
        from = end - 1;
    w.first = (uint32_t)(from / n);
    w.rows = (uint32_t)((end + n - 1) / n) - w.first;
    if (!columns)
        columns = 1;
    w.each = (w.rows + columns - 1) / columns;
    w.columns = (w.rows + w.each - 1) / w.each;
    w.from = w.first * n;
    w.to = w.from + series_cycles(r, w.first, w.first + w.rows);
    w.cycles_a_column = w.each * n;
    ASSERT(w.columns > 0 && w.columns <= columns && w.first + w.rows <= r->rows);
    return w;
}

struct series_point series_point(const struct series *s, const struct series_window *w, uint32_t line,
                                 uint32_t column)
{
    uint32_t from = w->first + column * w->each, end = w->first + w->rows;
    uint32_t to = from + w->each < end ? from + w->each : end;
    struct series_point p = {NAN, series_value(s, line, from, to), NAN};

    ASSERT(column < w->columns && from < to);
    for (uint32_t row = from; row < to; row++) {
        double v = w->each == 1 ? p.mean : series_value(s, line, row, row + 1);

        if (isnan(v))
            continue;
        p.min = isnan(p.min) || v < p.min ? v : p.min;
        p.max = isnan(p.max) || v > p.max ? v : p.max;
    }
    return p;
}
