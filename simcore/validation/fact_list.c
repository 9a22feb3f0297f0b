#include "simcore/validation/fact_list.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/text.h"
#include "simcore/validation/micro.h"

enum { COLUMNS = 9, CHANGES_BYTES = 1024 };
static const char columns[] = "id,card,mhz,measure,low,high,tol,kind,source";

static int too_long(const char *what, const char *text, struct err *e)
{
    return err_set(e, ERR_INVALID, "the %s `%.40s…` is too long", what, text);
}

static int read_row(char **field, struct fact *f, struct err *e)
{
    double percent;

    memset(f, 0, sizeof *f);
    if (strlen(field[0]) >= sizeof f->id)
        return too_long("id", field[0], e);
    if (strlen(field[1]) >= sizeof f->card)
        return too_long("card", field[1], e);
    if (strlen(field[3]) >= sizeof f->measure)
        return too_long("measurement", field[3], e);
    if (strlen(field[8]) >= sizeof f->source)
        return too_long("source", field[8], e);
    strcpy(f->id, field[0]);
    strcpy(f->card, field[1]);
    strcpy(f->measure, field[3]);
    strcpy(f->source, field[8]);
    f->kind = field[7][0];
    if (parse_double(field[2], "mhz", &f->mhz, e) < 0 || parse_double(field[4], "low", &f->low, e) < 0 ||
        parse_double(field[5], "high", &f->high, e) < 0 || parse_double(field[6], "tol", &percent, e) < 0) {
        e->code = ERR_INVALID;
        return -1;
    }
    f->tolerance = percent / 100;
    return 0;
}

/* Each part of "A with x=1 / B": "-" is a measurement that the simulator does not model. */
static int check_measure(const struct fact *f, struct err *e)
{
    char text[sizeof f->measure], *second, *with;

    memcpy(text, f->measure, sizeof text);
    second = strstr(text, " / ") ? strstr(text, " / ") : strstr(text, " - ");
    if (second)
        *second = '\0';
    for (char *part = text; part; part = part == text && second ? second + 3 : NULL) {
        with = strstr(part, " with ");
        if (with)
            *with = '\0';
        if (strcmp(part, "-") != 0 && micro_check(part, e) < 0)
            return -1;
    }
    return 0;
}

static int check_row(const struct fact *f, const struct board_list *boards, struct err *e)
{
    if (!f->id[0])
        return err_set(e, ERR_INVALID, "it has no id");
    if (!board_find(boards, f->card)) {
        err_set(e, ERR_INVALID, "there is no card `%s`", f->card);
        return err_hint(e, "`vivace validate --list` shows the cards and the measurements.");
    }
    if (!strchr("PMD", f->kind) || !f->kind)
        return err_set(e, ERR_INVALID, "its kind must be P, M or D");
    if (f->mhz < 0 || f->mhz > 10000)
        return err_set(e, ERR_INVALID, "mhz must be 0 (the clock of the design) to 10000");
    if (f->low > f->high || f->tolerance < 0)
        return err_set(e, ERR_INVALID, "low must not be above high, nor tol below 0");
    if (!f->source[0])
        return err_set(e, ERR_INVALID, "it has no source");
    return check_measure(f, e);
}

/* Lines "# tuned: ..." of the comment, joined. */
static void read_tuned(const char *text, char *out, size_t n)
{
    static const char mark[] = "# tuned: ";
    size_t at = 0;

    for (const char *line = text; line && *line; line = strchr(line, '\n') ? strchr(line, '\n') + 1 : NULL)
        if (str_starts(line, mark) && at < n)
            at += (size_t)snprintf(out + at, n - at, "%s%.*s", at ? "; " : "",
                                   (int)strcspn(line + strlen(mark), "\r\n"), line + strlen(mark));
}

static int read_rows(char *text, const char *name, const struct board_list *boards, struct fact_list *out,
                     struct err *e)
{
    char *at = text, *field[COLUMNS + 1];
    size_t n = rows_next(&at, field, COLUMNS + 1);

    if (n != COLUMNS || strcmp(field[0], "id") != 0 || strcmp(field[3], "measure") != 0)
        return err_set(e, ERR_INVALID, "%s: the first row must be %s", name, columns);
    while ((n = rows_next(&at, field, COLUMNS + 1))) {
        struct fact *f;

        if (array_reserve((void **)&out->items, &out->capacity, out->count + 1, sizeof *out->items, e) < 0)
            return -1;
        if (n < COLUMNS)
            return err_set(e, ERR_INVALID, "%s: the row of `%.40s` has %zu columns, not %d", name, field[0], n,
                           COLUMNS);
        if (n > COLUMNS)
            return err_set(e, ERR_INVALID, "%s: the row of `%.40s` has more than %d columns", name, field[0],
                           COLUMNS);
        f = &out->items[out->count++];
        if (read_row(field, f, e) < 0 || check_row(f, boards, e) < 0)
            return err_wrap(e, "%s: the row of `%.40s`", name, field[0]);
    }
    return out->count ? 0 : err_set(e, ERR_INVALID, "%s has no rows", name);
}

int facts_parse(char *text, const char *name, const struct board_list *boards, struct fact_list *out, struct err *e)
{
    memset(out, 0, sizeof *out);
    read_tuned(text, out->tuned, sizeof out->tuned);
    return read_rows(text, name, boards, out, e);
}

int facts_builtin(const char *set, struct fact_list *out, struct err *e)
{
    struct board_list boards = {0};
    char name[32], *text = NULL;
    int ret;

    memset(out, 0, sizeof *out);
    snprintf(name, sizeof name, "%s.csv", set);
    ret = boards_builtin(&boards, e) < 0 || rows_builtin(name, &text, e) < 0
              ? -1
              : facts_parse(text, name, &boards, out, e);
    free(text);
    boards_release(&boards);
    return ret;
}

const char *fact_kernel(const struct fact *f, char out[32])
{
    snprintf(out, 32, "%.*s", (int)strcspn(f->measure, " "), f->measure);
    return out;
}

void facts_release(struct fact_list *l)
{
    free(l->items);
    memset(l, 0, sizeof *l);
}

/* One measurement with its changes: "stream scale 1024 with gpu.sms=40". 1: it is not modelled, f->why says why. */
static int measure_part(struct fact *f, const struct board *b, const char *changes, char *part, double *out,
                        struct err *e)
{
    char *with = strstr(part, " with "), all[CHANGES_BYTES];
    struct gpu_design *d;
    int ret, n;

    if (with) {
        *with = '\0';
        with += strlen(" with ");
    }
    if (strcmp(part, "-") == 0) {
        snprintf(f->why, sizeof f->why, "nothing in the simulator models it");
        return 1;
    }
    n = snprintf(all, sizeof all, "%s %s", changes ? changes : "", with ? with : "");
    if (n < 0 || (size_t)n >= sizeof all)
        return err_set(e, ERR_USAGE, "fact %s: its changes are longer than %d bytes", f->id, CHANGES_BYTES - 2);
    if (board_design(b, f->mhz, all, &d, e) < 0)
        return err_wrap(e, "fact %s", f->id);
    ret = micro_measure(part, d, out, e);
    design_free(d);
    return ret < 0 ? err_wrap(e, "fact %s", f->id) : 0;
}

static double outside(double got, double low, double high)
{
    double bound = got < low ? low : high;

    if (got >= low && got <= high)
        return 0;
    return bound != 0 ? (got - bound) / fabs(bound) : got - bound;
}

int fact_measure(struct fact *f, const struct board_list *boards, const char *changes, struct err *e)
{
    double begin = clock_cpu_s();
    const struct board *b = board_find(boards, f->card);
    char text[sizeof f->measure], *over, *minus, *second;
    double value[2] = {0, 0};
    int ret;

    if (!b)
        return err_set(e, ERR_INVALID, "fact %s: there is no card `%s` in boards.csv", f->id, f->card);
    memcpy(text, f->measure, sizeof text);
    over = strstr(text, " / ");
    minus = over ? NULL : strstr(text, " - ");
    second = over ? over : minus;
    if (second)
        *second = '\0';
    ret = measure_part(f, b, changes, text, &value[0], e);
    if (ret == 0 && second)
        ret = measure_part(f, b, changes, second + 3, &value[1], e);
    if (ret < 0)
        return -1;
    f->cpu_s = clock_cpu_s() - begin;
    f->state = FACT_NOT_MODELLED;
    if (ret)
        return 0;
    f->got = over ? value[0] / value[1] : value[0] - value[1];
    f->error = outside(f->got, f->low, f->high);
    f->state = fabs(f->error) <= f->tolerance + 1e-9 ? FACT_PASS : FACT_FAIL;
    return 0;
}
