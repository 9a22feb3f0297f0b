#include "simcore/validation/system_facts.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "simcore/system/collective.h"
#include "simcore/validation/board.h"

enum { COLUMNS = 8 };

/* "4", "160M", "4G": bytes, in powers of 1024. */
static int parse_bytes(const char *text, uint64_t *out, struct err *e)
{
    size_t n = strlen(text);
    unsigned shift = str_ends(text, "G") ? 30 : str_ends(text, "M") ? 20 : str_ends(text, "K") ? 10 : 0;
    char digits[24];

    snprintf(digits, sizeof digits, "%.*s", (int)(shift ? n - 1 : n), text);
    if (parse_u64(digits, "bytes", out, e) < 0)
        return -1;
    if (!*out || *out > SYSTEM_COPY_MAX >> shift)
        return err_set(e, ERR_INVALID, "%s bytes cannot be copied", text);
    *out <<= shift;
    return 0;
}

static int copy_us(const struct system_design *s, char word[4][24], double *us, uint64_t *bytes, struct err *e)
{
    uint32_t from = system_node_find(s, word[1]), to = system_node_find(s, word[2]);
    struct system_route r;

    if (from == UINT32_MAX || to == UINT32_MAX)
        return err_set(e, ERR_INVALID, "%s has no node `%s`", s->name, word[from == UINT32_MAX ? 1 : 2]);
    if (parse_bytes(word[3], bytes, e) < 0 || system_route(s, from, to, &r, e) < 0)
        return -1;
    if (!r.hops)
        return err_set(e, ERR_INVALID, "%s has no route from %s to %s", s->name, word[1], word[2]);
    *us = (double)system_copy_ps(s, &r, *bytes) / 1e6;
    return 0;
}

/* A collective: "allreduce 8 16M", or with an algorithm "allreduce:ring 8 16M". Returns 1 where the first word is
 * none. */
static int measure_collective(const struct system_design *s, char word[4][24], struct system_fact *f, struct err *e)
{
    char *colon = strchr(word[0], ':');
    struct collective_limits limits = {-1, -1, 0};
    struct collective_way ways[COLLECTIVE_WAYS_MAX];
    struct collective_fabric fabric;
    uint64_t bytes, ranks;
    int op;

    if (colon)
        *colon = '\0';
    op = collective_find(collective_op_names, word[0]);
    if (op < 0)
        return 1;
    if (colon && (limits.algorithm = collective_find(collective_algorithm_names, colon + 1)) < 0)
        return err_set(e, ERR_INVALID, "there is no algorithm `%s`", colon + 1);
    if (parse_u64(word[1], "ranks", &ranks, e) < 0 || parse_bytes(word[2], &bytes, e) < 0 ||
        collective_fabric_make(s, ranks < SYSTEM_NODES_MAX ? (uint32_t)ranks : SYSTEM_NODES_MAX, &fabric, e) < 0)
        return -1;
    if (collective_ways(&fabric, (enum collective_op)op, limits, bytes, ways) == 0)
        return err_set(e, ERR_INVALID, "%s cannot do %s with `%s`", s->name, word[0], colon + 1);
    f->got = ways[0].bus_gbs;
    return 0;
}

/* Channels are full duplex: both directions at once take as long as one. */
static int measure_copy(const struct system_design *s, char word[4][24], struct system_fact *f, struct err *e)
{
    bool rate = strcmp(word[0], "peer") == 0 || strcmp(word[0], "host") == 0, both = strcmp(word[0], "both") == 0;
    uint64_t bytes;
    double us = 0;

    if (!rate && !both && strcmp(word[0], "time") != 0)
        return err_set(e, ERR_INVALID, "there is no measurement `%s`", word[0]);
    if (copy_us(s, word, &us, &bytes, e) < 0)
        return -1;
    f->got = rate || both ? (both ? 2 : 1) * (double)bytes / us / 1000 : us;
    return 0;
}

static int measure(struct system_fact *f, struct err *e)
{
    struct system_design *s = NULL;
    char word[4][24];
    int ret = 1, n = sscanf(f->measure, "%23s %23s %23s %23s", word[0], word[1], word[2], word[3]);

    if (n < 3)
        return err_set(e, ERR_INVALID, "`%s` must be a measurement, two nodes or ranks, and bytes", f->measure);
    if (system_load(f->system, &s, e) < 0)
        return -1;
    if (n == 3)
        ret = measure_collective(s, word, f, e);
    if (ret == 1)
        ret =
            n == 4 ? measure_copy(s, word, f, e) : err_set(e, ERR_INVALID, "there is no collective `%s`", word[0]);
    f->error = f->got > f->high ? f->got / f->high - 1 : f->got < f->low ? f->got / f->low - 1 : 0;
    system_free(s);
    return ret;
}

static int read_row(char **field, struct system_fact *f, struct err *e)
{
    double percent;

    memset(f, 0, sizeof *f);
    if (strlen(field[0]) >= sizeof f->id || strlen(field[1]) >= sizeof f->system ||
        strlen(field[2]) >= sizeof f->measure || strlen(field[7]) >= sizeof f->source)
        return err_set(e, ERR_INVALID, "a cell is too long");
    snprintf(f->id, sizeof f->id, "%s", field[0]);
    snprintf(f->system, sizeof f->system, "%s", field[1]);
    snprintf(f->measure, sizeof f->measure, "%s", field[2]);
    snprintf(f->source, sizeof f->source, "%s", field[7]);
    f->test = strcmp(field[6], "test") == 0;
    if (parse_double(field[3], "low", &f->low, e) < 0 || parse_double(field[4], "high", &f->high, e) < 0 ||
        parse_double(field[5], "tol", &percent, e) < 0)
        return -1;
    f->tolerance = percent / 100;
    if (!(f->low > 0 && f->low <= f->high && f->tolerance >= 0))
        return err_set(e, ERR_INVALID, "low must be above 0 and not above high, and tol not below 0");
    if (!f->test && strcmp(field[6], "build") != 0)
        return err_set(e, ERR_INVALID, "set must be build or test");
    return measure(f, e);
}

int system_facts_parse(char *text, struct system_facts *out, struct err *e)
{
    char *at = text, *field[COLUMNS + 1];
    size_t n = rows_next(&at, field, COLUMNS + 1);

    memset(out, 0, sizeof *out);
    if (n != COLUMNS || strcmp(field[2], "measure") != 0)
        return err_set(e, ERR_INVALID, "the first row must be id,system,measure,low,high,tol,set,source");
    while ((n = rows_next(&at, field, COLUMNS + 1))) {
        if (array_reserve((void **)&out->items, &out->capacity, out->count + 1, sizeof *out->items, e) < 0)
            return -1;
        if (n != COLUMNS)
            return err_set(e, ERR_INVALID, "the row of `%.40s` must have %d columns", field[0], COLUMNS);
        if (read_row(field, &out->items[out->count], e) < 0)
            return err_wrap(e, "the row of `%.40s`", field[0]);
        out->count++;
    }
    return 0;
}

int system_facts_builtin(struct system_facts *out, struct err *e)
{
    char *text = NULL;
    int ret;

    memset(out, 0, sizeof *out);
    ret = rows_builtin("systems.csv", &text, e) < 0 ? -1 : system_facts_parse(text, out, e);
    free(text);
    return ret;
}

void system_facts_release(struct system_facts *l)
{
    free(l->items);
    memset(l, 0, sizeof *l);
}
