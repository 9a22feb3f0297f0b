#include "simcore/trace/accel_sim_internal.h"

#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/text.h"

#define MARKER_BYTES_MAX 200 /* the longest REPLAY_START or REPLAY_END line */

struct counting {
    struct trace_text text;
    struct trace_counts *out;
    uint64_t lines, said; /* instruction lines of this warp: counted, and as stated by its `insts` */
    bool in_cta, in_warp;
    bool second; /* the file may be of Accel-Sim 2.0: some instruction lines are markers of polling regions */
};

static bool is_marker(const struct counting *c, const char *line, size_t n)
{
    return c->second && n < MARKER_BYTES_MAX && memmem(line, n, " REPLAY_", 8);
}

static int at_line(struct counting *c, struct err *e)
{
    return err_wrap(e, "%s: line %" PRIu64, stream_name(c->text.s), c->text.line);
}

/* --- grouped --- */

static int end_warp(struct counting *c, struct err *e)
{
    if (c->in_warp && c->lines != c->said) {
        err_set(e, ERR_INVALID, "a warp has %" PRIu64 " instructions where `insts` says %" PRIu64, c->lines,
                c->said);
        return at_line(c, e);
    }
    c->in_warp = false;
    c->lines = c->said = 0;
    return 0;
}

static int count_line(struct counting *c, const char *line, size_t n, struct err *e)
{
    const char *value;

    switch (line[0]) {
    case 'i':
        value = scan_field(line, "insts");
        if (!value || !scan_decimal(value, &c->said)) {
            err_set(e, ERR_INVALID, "`insts` is not followed by a number");
            return at_line(c, e);
        }
        if (c->said > UINT64_MAX - c->out->warp_instructions) {
            err_set(e, ERR_INVALID, "`insts` is larger than any trace can be");
            return at_line(c, e);
        }
        c->out->warp_instructions += c->said;
        return 0;
    case 'w':
        if (end_warp(c, e) < 0)
            return -1;
        c->in_warp = true;
        c->out->warps++;
        return 0;
    case 't':
        c->in_cta = true;
        c->out->ctas++;
        return 0;
    case '#':
        if (str_starts(line, "#BEGIN_TB"))
            c->in_cta = true;
        if (str_starts(line, "#END_TB"))
            c->in_cta = false;
        return end_warp(c, e);
    default:
        c->lines += !line_is_blank(line, n);
        c->out->warp_instructions -= is_marker(c, line, n); /* `insts` counts the marker, too */
        return 0;
    }
}

static int count_grouped(struct counting *c, struct err *e)
{
    size_t n;
    bool complete = true;
    int got;

    while ((got = trace_text_peek(&c->text, &n, &complete, e)) > 0) {
        if (!complete && strncmp(c->text.at, "#END_TB", 7) != 0)
            break;
        if (count_line(c, c->text.at, n, e) < 0)
            return -1;
        trace_text_skip(&c->text, n, complete);
    }
    if (got < 0)
        return -1;
    if (got > 0 || c->in_cta)
        return err_set(e, ERR_INVALID, "%s ends inside a CTA, at line %" PRIu64, stream_name(c->text.s),
                       c->text.line);
    return 0;
}

/* --- raw: distinct CTAs and warps among the prefixes --- */

struct seen {
    uint64_t *keys; /* key + 1; 0: free */
    size_t count, slots;
};

static bool seen_put(struct seen *s, uint64_t key)
{
    size_t at = hash_fnv1a(&key, sizeof key) & (s->slots - 1);

    for (; s->keys[at]; at = (at + 1) & (s->slots - 1))
        if (s->keys[at] == key + 1)
            return false;
    s->keys[at] = key + 1;
    s->count++;
    return true;
}

/* Adds a key. 1: the key is new; 0: it was there; -1: no memory. */
static int seen_add(struct seen *s, uint64_t key, struct err *e)
{
    if ((s->count + 1) * 2 > s->slots) {
        struct seen more = {.slots = s->slots ? s->slots * 2 : 1024};

        more.keys = mem_zalloc(more.slots, sizeof *more.keys, e);
        if (!more.keys)
            return -1;
        for (size_t i = 0; i < s->slots; i++)
            if (s->keys[i])
                seen_put(&more, s->keys[i] - 1);
        free(s->keys);
        *s = more;
    }
    return seen_put(s, key);
}

static int count_raw_line(struct counting *c, const struct kernel_info *k, struct seen *ctas, struct seen *warps,
                          struct err *e)
{
    uint64_t place[4], cta;
    const char *p = c->text.at;
    int new_cta, new_warp;

    for (int i = 0; i < 4; i++) {
        p = scan_decimal(scan_blanks(p), &place[i]);
        if (!p || place[i] >= (i < 3 ? k->grid[i] : kernel_warp_count(k))) {
            err_set(e, ERR_INVALID, "the line does not begin with a CTA of the grid and a warp of it");
            return at_line(c, e);
        }
    }
    cta = (place[2] * k->grid[1] + place[1]) * k->grid[0] + place[0];
    new_cta = seen_add(ctas, cta, e);
    new_warp = new_cta < 0 ? -1 : seen_add(warps, cta * kernel_warp_count(k) + place[3], e);
    if (new_warp < 0)
        return -1;
    c->out->ctas += (uint64_t)new_cta;
    c->out->warps += (uint64_t)new_warp;
    c->out->warp_instructions++;
    return 0;
}

static int count_raw_lines(struct counting *c, const struct kernel_info *k, struct seen *ctas, struct seen *warps,
                           struct err *e)
{
    uint64_t copies = 0;
    size_t n;
    bool complete;
    int got;

    while ((got = trace_text_peek(&c->text, &n, &complete, e)) > 0) {
        if (!complete)
            return err_set(e, ERR_INVALID, "%s ends in the middle of line %" PRIu64, stream_name(c->text.s),
                           c->text.line);
        if (c->text.at[0] != '#' && !line_is_blank(c->text.at, n)) {
            if (count_raw_line(c, k, ctas, warps, e) < 0)
                return -1;
            copies += memmem(c->text.at, n, " LDGSTS", 7) != NULL;
            c->out->warp_instructions -= is_marker(c, c->text.at, n);
        }
        trace_text_skip(&c->text, n, complete);
    }
    c->out->warp_instructions -= copies / 2; /* an asynchronous copy is written as two lines */
    return got;
}

static int count_raw(struct counting *c, const struct kernel_info *k, struct err *e)
{
    struct seen ctas = {0}, warps = {0};
    int ret = count_raw_lines(c, k, &ctas, &warps, e);

    free(ctas.keys);
    free(warps.keys);
    return ret;
}

int accel_sim_count(struct stream *s, struct kernel_info *info, struct trace_counts *out, struct err *e)
{
    struct counting c = {.out = out, .second = info->tracer_version >= TRACEZ_VERSION_MIN};
    struct tracez *packed = NULL;
    int ret = trace_text_init(&c.text, s, e);

    *out = (struct trace_counts){0};
    if (ret == 0 && c.second)
        ret = accel_sim_unpack(&c.text, &packed, e);
    if (ret == 0)
        ret = accel_sim_is_raw(&c.text, e);
    if (ret >= 0)
        ret = ret ? count_raw(&c, info, e) : count_grouped(&c, e);
    trace_text_release(&c.text);
    tracez_close(packed);
    if (ret >= 0 && out->ctas == 0)
        return accel_sim_no_cta(s, e);
    return ret;
}
