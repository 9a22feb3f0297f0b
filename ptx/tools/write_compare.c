/* ptx/tools/write_compare.c: compares two logs of register writes. */
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/stream.h"
#include "base/text.h"
#include "ptx/list/launch_list.h"
#include "ptx/tools/write_log.h"

enum { LINE_MAX_BYTES = 1 << 20, APPROXIMATE_ULP = 4 };

struct written {
    uint32_t launch, warp, mask, op; /* op: index in the log's table */
    uint64_t cta, number;            /* number: position in the file */
    uint64_t times;                  /* how often its warp had executed the op before */
    char *values;                    /* "%r1=0,1	%r2=5" */
};
struct named_op {
    char *key, *type, *place, *text;
    uint32_t rank; /* index among the keys of both logs */
};
struct log {
    const char *path;
    struct stream *in;
    struct written *all;
    size_t count, capacity;
    struct named_op *ops;
    size_t op_count, op_capacity;
};

static int malformed(const struct log *l, struct err *e)
{
    return err_set(e, ERR_MALFORMED, "%s:%llu: not a line of a log of writes", l->path,
                   (unsigned long long)stream_line_number(l->in));
}

/* Splits a line at its tabs into n fields. The last field is the rest of the line. */
static bool cut(char *line, char **fields, int n)
{
    fields[0] = line;
    for (int i = 1; i < n; i++) {
        char *tab = strchr(fields[i - 1], '\t');

        if (!tab)
            return false;
        *tab = '\0';
        fields[i] = tab + 1;
    }
    return true;
}

static uint32_t op_of(const struct log *l, const char *key)
{
    for (size_t i = l->op_count; i-- > 0;)
        if (strcmp(l->ops[i].key, key) == 0)
            return (uint32_t)i;
    return UINT32_MAX;
}

static int take_op(struct log *l, char *line, struct err *e)
{
    struct named_op *o;
    char *f[5];

    if (!cut(line, f, 5))
        return malformed(l, e);
    if (op_of(l, f[1]) != UINT32_MAX)
        return 0;
    if (array_reserve((void **)&l->ops, &l->op_capacity, l->op_count + 1, sizeof *o, e) != 0)
        return -1;
    o = &l->ops[l->op_count++];
    *o = (struct named_op){mem_strdup(f[1], e), mem_strdup(f[2], e), mem_strdup(f[3], e), mem_strdup(f[4], e), 0};
    return o->key && o->type && o->place && o->text ? 0 : err_no_memory(e);
}

static int take_write(struct log *l, char *line, uint32_t launch, struct err *e)
{
    struct written *w;
    uint64_t warp;
    struct err why;
    char *f[6];

    if (!cut(line, f, 6))
        return malformed(l, e);
    if (array_reserve((void **)&l->all, &l->capacity, l->count + 1, sizeof *w, e) != 0)
        return -1;
    w = &l->all[l->count];
    *w = (struct written){.launch = launch, .op = op_of(l, f[3]), .number = l->count};
    if (parse_u64(f[1], "CTA", &w->cta, &why) != 0 || parse_u64(f[2], "warp", &warp, &why) != 0 ||
        w->op == UINT32_MAX || warp >= 32)
        return malformed(l, e);
    w->warp = (uint32_t)warp;
    w->mask = (uint32_t)strtoul(f[4], NULL, 16);
    w->values = mem_strdup(f[5], e);
    if (!w->values)
        return -1;
    l->count++;
    return w->mask ? 0 : malformed(l, e);
}

static int read_log(struct log *l, const char *path, struct err *e)
{
    uint32_t launch = 0;
    bool complete;
    char *line;
    size_t n;
    int more;

    *l = (struct log){.path = path};
    if (stream_open(path, &l->in, e) != 0 ||
        (more = stream_line(l->in, LINE_MAX_BYTES, &line, &n, &complete, e)) < 0)
        return -1;
    if (!more || strcmp(line, WRITE_LOG_FORMAT "\t1") != 0)
        return err_set(e, ERR_UNSUPPORTED, "%s: not a log of writes of version 1", path);
    while ((more = stream_line(l->in, LINE_MAX_BYTES, &line, &n, &complete, e)) > 0) {
        int ret = 0;

        if (strncmp(line, "launch\t", 7) == 0)
            launch = (uint32_t)strtoul(line + 7, NULL, 10);
        else if (strncmp(line, "op\t", 3) == 0)
            ret = take_op(l, line, e);
        else
            ret = strncmp(line, "w\t", 2) == 0 ? take_write(l, line, launch, e) : malformed(l, e);
        if (ret != 0)
            return -1;
    }
    return more;
}

static void release_log(struct log *l)
{
    for (size_t i = 0; i < l->count; i++)
        free(l->all[i].values);
    for (size_t i = 0; i < l->op_count; i++) {
        free(l->ops[i].key);
        free(l->ops[i].type);
        free(l->ops[i].place);
        free(l->ops[i].text);
    }
    free(l->all);
    free(l->ops);
    stream_close(l->in);
}

/* --- alignment of the two logs --- */

/* Gives ops of both logs the same numbers: the index of a key in the first log. New keys of the second log get
 * the numbers after these. */
static void rank_ops(struct log *a, struct log *b)
{
    for (size_t i = 0; i < a->op_count; i++)
        a->ops[i].rank = (uint32_t)i;
    for (size_t i = 0; i < b->op_count; i++) {
        uint32_t there = op_of(a, b->ops[i].key);

        b->ops[i].rank = there != UINT32_MAX ? there : (uint32_t)(a->op_count + i);
    }
    for (size_t i = 0; i < a->count; i++)
        a->all[i].op = a->ops[a->all[i].op].rank;
    for (size_t i = 0; i < b->count; i++)
        b->all[i].op = b->ops[b->all[i].op].rank;
}

#define ORDER(x, y) ((x) < (y) ? -1 : (x) > (y))

static int by_who(const struct written *x, const struct written *y)
{
    int c = ORDER(x->launch, y->launch);

    c = c ? c : ORDER(x->cta, y->cta);
    c = c ? c : ORDER(x->warp, y->warp);
    return c ? c : ORDER(x->op, y->op);
}

static int by_who_and_number(const void *a, const void *b)
{
    int c = by_who(a, b);

    return c ? c : ORDER(((const struct written *)a)->number, ((const struct written *)b)->number);
}

static int by_who_and_times(const void *a, const void *b)
{
    int c = by_who(a, b);

    return c ? c : ORDER(((const struct written *)a)->times, ((const struct written *)b)->times);
}

static int by_number(const void *a, const void *b)
{
    return ORDER(((const struct written *)a)->number, ((const struct written *)b)->number);
}

static void count_times(struct log *l)
{
    if (l->count)
        qsort(l->all, l->count, sizeof *l->all, by_who_and_number);
    for (size_t i = 0; i < l->count; i++)
        l->all[i].times = i && by_who(&l->all[i - 1], &l->all[i]) == 0 ? l->all[i - 1].times + 1 : 0;
}

/* --- values --- */

/* The value of a lane in "0,1,5" or "7". */
static uint64_t value_of(const char *values, uint32_t mask, uint32_t lane)
{
    if (memchr(values, ',', strcspn(values, "\t")))
        for (uint32_t below = mask & ((1u << lane) - 1); below; below &= below - 1)
            values = strchr(values, ',') + 1;
    return strtoull(values, NULL, 16);
}

static enum element_type float_type(const char *type)
{
    enum element_type t = element_of(type);

    return t != ELEMENT_TYPE_COUNT && element_is_float(t) ? t : ELEMENT_TYPE_COUNT;
}

static bool approximate(const char *text)
{
    return strstr(text, ".approx") || strstr(text, "div.full") || strncmp(text, "tanh", 4) == 0;
}

static bool near_enough(const struct named_op *o, uint64_t x, uint64_t y, uint64_t ulp)
{
    enum element_type t = float_type(o->type);

    if (x == y)
        return true;
    if (approximate(o->text) && ulp < APPROXIMATE_ULP)
        ulp = APPROXIMATE_ULP;
    return t != ELEMENT_TYPE_COUNT && ulp && element_ulps(t, &x, &y) <= ulp;
}

struct place {
    char *reg; /* in x's values; its '=' was cut */
    uint32_t lane;
    uint64_t x, y;
};

/* Finds the first lane and register in which the two differ. */
static bool differ(const struct named_op *o, const struct written *a, const struct written *b, uint64_t ulp,
                   struct place *out)
{
    const char *x = a->values, *y = b->values;

    while (x && y && *x && *y) {
        const char *vx = strchr(x, '='), *vy = strchr(y, '=');

        for (uint32_t left = vx && vy ? a->mask : 0; left; left &= left - 1) {
            uint32_t lane = (uint32_t)__builtin_ctz(left);
            uint64_t p = value_of(vx + 1, a->mask, lane), q = value_of(vy + 1, b->mask, lane);

            if (near_enough(o, p, q, ulp))
                continue;
            *out = (struct place){(char *)(uintptr_t)x, lane, p, q};
            return true;
        }
        x = strchr(x, '\t');
        y = strchr(y, '\t');
        x = x ? x + 1 : NULL;
        y = y ? y + 1 : NULL;
    }
    return false;
}

/* --- the message --- */

static void add_value(struct strbuf *s, const struct named_op *o, uint64_t x)
{
    enum element_type t = float_type(o->type);
    char text[NUM_TEXT];

    strbuf_addf(s, "0x%" PRIx64, x);
    if (t != ELEMENT_TYPE_COUNT)
        strbuf_addf(s, " (%s)", num_format(element_read(t, &x), text));
}

/* Appends an operand of a write: the last value that the log has written to this register and lane before it. */
static void add_operand(struct strbuf *s, const struct log *l, const struct written *w, uint32_t lane,
                        const char *name, size_t n)
{
    for (size_t i = w->number; i-- > 0;) {
        const struct written *x = &l->all[i];

        if (x->launch != w->launch || x->cta != w->cta || x->warp != w->warp || !(x->mask >> lane & 1))
            continue;
        for (const char *at = x->values; at; at = strchr(at, '\t') ? strchr(at, '\t') + 1 : NULL)
            if (strncmp(at, name, n) == 0 && at[n] == '=') {
                strbuf_addf(s, ", %.*s was 0x%" PRIx64, (int)n, name, value_of(at + n + 1, x->mask, lane));
                return;
            }
    }
}

static void add_operands(struct strbuf *s, const struct log *l, const struct written *w, uint32_t lane,
                         const char *text)
{
    const char *at = strchr(text, ','); /* after the result */

    while (at && (at = strchr(at, '%'))) {
        size_t n = 1 + strspn(at + 1, "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_$");

        add_operand(s, l, w, lane, at, n);
        at += n;
    }
}

/* Returns true if the op is a sum that a compiler may have fused with the preceding product. */
static bool may_be_fused(const struct named_op *o, uint64_t x, uint64_t y)
{
    enum element_type t = float_type(o->type);
    bool sum = strncmp(o->text, "add.f", 5) == 0 || strncmp(o->text, "sub.f", 5) == 0;

    return sum && t != ELEMENT_TYPE_COUNT && element_ulps(t, &x, &y) <= 2;
}

static void say(struct strbuf *s, const struct log *a, const struct log *b, const struct written *w,
                const struct place *p)
{
    const struct named_op *o = &a->ops[w->op];

    strbuf_addf(s, "launch %u, CTA %" PRIu64 ", warp %u, lane %u: %s: `%s` (time %" PRIu64 "): %.*s is ", w->launch,
                w->cta, w->warp, p->lane, o->place, o->text, w->times + 1, (int)strcspn(p->reg, "="), p->reg);
    add_value(s, o, p->x);
    strbuf_addf(s, " in %s and ", a->path);
    add_value(s, o, p->y);
    strbuf_addf(s, " in %s", b->path);
    add_operands(s, a, w, p->lane, o->text);
    if (may_be_fused(o, p->x, p->y))
        strbuf_adds(s, "; a difference this small may come from fusing a multiplication with this sum");
}

/* Finds the first difference in the order of the first log. */
static void first_difference(const struct log *a, const struct log *b, const struct written *sorted, uint64_t ulp,
                             struct strbuf *s)
{
    for (size_t i = 0; i < a->count; i++) {
        const struct written *w = &a->all[i];
        const struct written *other = b->count ? bsearch(w, sorted, b->count, sizeof *w, by_who_and_times) : NULL;
        const struct named_op *o = &a->ops[w->op];
        struct place p;

        if (!other || other->mask != w->mask) {
            strbuf_addf(s,
                        "launch %u, CTA %" PRIu64 ", warp %u: %s: `%s` (time %" PRIu64
                        ") is executed by lanes 0x%x in %s, by ",
                        w->launch, w->cta, w->warp, o->place, o->text, w->times + 1, w->mask, a->path);
            if (other)
                strbuf_addf(s, "lanes 0x%x in %s", other->mask, b->path);
            else
                strbuf_addf(s, "none in %s", b->path);
            return;
        }
        if (differ(o, w, other, ulp, &p)) {
            say(s, a, b, w, &p);
            return;
        }
    }
    if (b->count > a->count)
        strbuf_addf(s, "%s ends after %zu writes, %s has %zu more", a->path, a->count, b->path,
                    b->count - a->count);
}

int write_logs_compare(const char *a, const char *b, uint64_t ulp, char **what, struct err *e)
{
    struct strbuf s = STRBUF_INIT;
    struct log x = {0}, y = {0};
    int ret = read_log(&x, a, e) != 0 || read_log(&y, b, e) != 0 ? -1 : 0;

    *what = NULL;
    if (ret == 0) {
        rank_ops(&x, &y);
        count_times(&x);
        count_times(&y);
        if (x.count)
            qsort(x.all, x.count, sizeof *x.all, by_number);
        first_difference(&x, &y, y.all, ulp, &s);
        if (s.failed)
            ret = err_no_memory(e);
        else if (s.length)
            *what = strbuf_detach(&s);
    }
    strbuf_release(&s);
    release_log(&x);
    release_log(&y);
    return ret;
}
