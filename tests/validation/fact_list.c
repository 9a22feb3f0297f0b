#include "tests/validation/fact_list.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/text.h"
#include "tests/validation/micro.h"

enum { COLUMNS = 9, CHANGES_BYTES = 1024 };

static int read_row(char **field, struct fact *f, struct err *e)
{
    double percent;

    snprintf(f->id, sizeof f->id, "%s", field[0]);
    snprintf(f->card, sizeof f->card, "%s", field[1]);
    snprintf(f->measure, sizeof f->measure, "%s", field[3]);
    snprintf(f->source, sizeof f->source, "%s", field[8]);
    f->kind = field[7][0];
    if (parse_double(field[2], "mhz", &f->mhz, e) < 0 || parse_double(field[4], "low", &f->low, e) < 0 ||
        parse_double(field[5], "high", &f->high, e) < 0 || parse_double(field[6], "tol", &percent, e) < 0)
        return err_wrap(e, "fact %s", f->id);
    f->tolerance = percent / 100;
    return 0;
}

int facts_read(const char *path, struct fact_list *out, struct err *e)
{
    char *text, *at, *field[COLUMNS];
    size_t n;
    int ret = 0;

    memset(out, 0, sizeof *out);
    if (text_file_read(path, &text, e) < 0)
        return -1;
    at = text;
    csv_next(&at, field, COLUMNS); /* names of the columns */
    while (ret == 0 && (n = csv_next(&at, field, COLUMNS))) {
        ret = array_reserve((void **)&out->items, &out->capacity, out->count + 1, sizeof *out->items, e);
        if (ret == 0 && n < COLUMNS)
            ret = err_set(e, ERR_INVALID, "%s: the row of %s has %zu columns instead of %d", path, field[0], n,
                          COLUMNS);
        if (ret < 0)
            break;
        memset(&out->items[out->count], 0, sizeof *out->items);
        ret = read_row(field, &out->items[out->count++], e);
    }
    free(text);
    return ret;
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
    int ret;

    if (with) {
        *with = '\0';
        with += strlen(" with ");
    }
    if (strcmp(part, "-") == 0) {
        snprintf(f->why, sizeof f->why, "nothing in the simulator models it");
        return 1;
    }
    snprintf(all, sizeof all, "%s %s", changes ? changes : "", with ? with : "");
    if (board_design(b, f->mhz, all, &d, e) < 0) {
        snprintf(f->why, sizeof f->why, "%.200s", e->text);
        return 1;
    }
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
