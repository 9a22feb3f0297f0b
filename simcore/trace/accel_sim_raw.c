/* A raw trace interleaves the instructions of all warps, each with its CTA and warp in front. The file is read
 * whole, 28 bytes per instruction, sorted by CTA and warp, and returned like a grouped file. */
#include "simcore/trace/accel_sim_internal.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/hash.h"
#include "base/text.h"

#define RAW_INSTS_MAX (1u << 27) /* 3.8 GiB; a user groups larger traces with the tracer's own tool first */
#define FIRST_SLOTS   1024
#define NO_INST       UINT32_MAX

/* One warp with at least one instruction. */
struct raw_warp {
    uint64_t key; /* linear CTA number (x fastest) times warps per CTA, plus the warp */
    uint32_t count, first;
    uint32_t pending; /* an LDGSTS that can be the first line of a pair, or NO_INST */
    uint32_t cluster[3], rank;
    bool region; /* a polling region is open */
};

struct raw_inst {
    struct warp_inst inst;
    uint32_t warp; /* index into warps */
};

struct raw_kernel {
    struct raw_inst *insts;
    size_t count, capacity;
    struct warp_inst *sorted; /* instructions grouped by warp, in the order of warps */
    struct raw_warp *warps;
    size_t warp_count, warp_capacity;
    uint32_t *slots; /* hash table: key -> index + 1 */
    size_t slot_count;
    struct cta_store *addresses; /* of all instructions: only its address rows are used */
    size_t next_warp;            /* the first warp not yet returned */
};

void raw_kernel_free(struct raw_kernel *k)
{
    if (!k)
        return;
    free(k->insts);
    free(k->sorted);
    free(k->warps);
    free(k->slots);
    cta_store_free(k->addresses);
    free(k);
}

/* --- finding a warp by its number --- */

static size_t slot_of(const struct raw_kernel *k, const uint32_t *slots, size_t count, uint64_t key)
{
    size_t at = hash_fnv1a(&key, sizeof key) & (count - 1);

    while (slots[at] && k->warps[slots[at] - 1].key != key)
        at = (at + 1) & (count - 1);
    return at;
}

static int more_slots(struct raw_kernel *k, struct err *e)
{
    size_t count = k->slot_count ? k->slot_count * 2 : FIRST_SLOTS;
    uint32_t *slots = mem_zalloc(count, sizeof *slots, e);

    if (!slots)
        return -1;
    for (size_t i = 0; i < k->warp_count; i++)
        slots[slot_of(k, slots, count, k->warps[i].key)] = (uint32_t)i + 1;
    free(k->slots);
    k->slots = slots;
    k->slot_count = count;
    return 0;
}

static int find_warp(struct raw_kernel *k, uint64_t key, uint32_t *out, struct err *e)
{
    void *p = k->warps;
    size_t at;

    if ((k->warp_count + 1) * 2 > k->slot_count && more_slots(k, e) < 0)
        return -1;
    at = slot_of(k, k->slots, k->slot_count, key);
    if (!k->slots[at]) {
        if (array_reserve(&p, &k->warp_capacity, k->warp_count + 1, sizeof *k->warps, e) < 0)
            return -1;
        k->warps = p;
        k->warps[k->warp_count] = (struct raw_warp){.key = key, .pending = NO_INST};
        k->slots[at] = (uint32_t)++k->warp_count;
    }
    *out = k->slots[at] - 1;
    return 0;
}

/* --- reading --- */

static int find_warp_of(struct accel_sim *r, const struct inst_line *line, uint32_t *out, struct err *e)
{
    const uint32_t *g = r->source.info.grid, *c = line->cta;
    uint64_t cta = ((uint64_t)c[2] * g[1] + c[1]) * g[0] + c[0];

    if (find_warp(r->raw, cta * kernel_warp_count(&r->source.info) + line->warp, out, e) < 0)
        return -1;
    memcpy(r->raw->warps[*out].cluster, line->cluster, sizeof line->cluster);
    r->raw->warps[*out].rank = line->rank;
    return 0;
}

static int add(struct accel_sim *r, const struct inst_line *line, uint32_t mask,
               const struct address_set *addresses, struct err *e)
{
    struct raw_kernel *k = r->raw;
    const char *opcode = r->table.opcodes[r->table.insts[line->inst].opcode];
    struct raw_inst made = {{line->inst, mask, NO_ADDRESS}, 0};
    void *p = k->insts;

    if (k->count >= RAW_INSTS_MAX) {
        err_set(e, ERR_TOO_LARGE, "a raw trace of more than %u warp instructions", RAW_INSTS_MAX);
        return err_hint(e, "Group it with the tracer's post-processing first; .traceg files may have any length.");
    }
    if (find_warp_of(r, line, &made.warp, e) < 0)
        return -1;
    if (k->warps[made.warp].region)
        accel_sim_note_poll(r, line->inst);
    if (addresses && cta_store_add_addresses(k->addresses, addresses, &made.inst.address, e) < 0)
        return -1;
    /* An asynchronous copy has two lines, for its shared and its global address. The second one counts. */
    if (str_starts(opcode, "LDGSTS")) {
        struct raw_warp *w = &k->warps[made.warp];

        if (w->pending != NO_INST && (r->format.second || r->table.insts[k->insts[w->pending].inst.inst].pc ==
                                                              r->table.insts[line->inst].pc)) {
            k->insts[w->pending].inst = made.inst;
            w->pending = NO_INST;
            return 0;
        }
        w->pending = (uint32_t)k->count;
    }
    if (array_reserve(&p, &k->capacity, k->count + 1, sizeof *k->insts, e) < 0)
        return -1;
    k->insts = p;
    k->insts[k->count++] = made;
    k->warps[made.warp].count++;
    return 0;
}

static int add_marker(struct accel_sim *r, const struct inst_line *line, struct err *e)
{
    uint32_t warp;

    if (find_warp_of(r, line, &warp, e) < 0)
        return -1;
    r->raw->warps[warp].region = line->region;
    return 0;
}

/* Adds one line, which can represent several executions (struct line_records). */
static int add_line(struct accel_sim *r, const struct inst_line *line, struct err *e)
{
    struct address_set addresses;

    if (line->marker)
        return add_marker(r, line, e);
    for (uint32_t i = 0; i < r->records.count; i++) {
        uint32_t mask = line_records_at(&r->records, i, &addresses);

        if (add(r, line, mask, &addresses, e) < 0)
            return -1;
    }
    return r->records.count ? 0 : add(r, line, line->mask, line->has_addresses ? &line->addresses : NULL, e);
}

static int read_lines(struct accel_sim *r, struct err *e)
{
    struct line_format format = r->format;
    struct inst_line line;
    size_t n;
    bool complete;
    int got;

    format.prefix = format.second ? PREFIX_NUMBERS_2 : PREFIX_NUMBERS_1;
    while ((got = trace_text_peek(&r->text, &n, &complete, e)) > 0) {
        if (!complete)
            return err_set(e, ERR_INVALID, "%s ends in the middle of line %llu", stream_name(r->s),
                           (unsigned long long)r->text.line);
        if (r->text.at[0] != '#' && !line_is_blank(r->text.at, n) &&
            (inst_line_parse(r->text.at, n, &format, &r->table, &r->records, &line, e) < 0 ||
             accel_sim_check_place(&r->source.info, line.cta, line.warp, e) < 0 || add_line(r, &line, e) < 0))
            return accel_sim_at_line(r, e);
        trace_text_skip(&r->text, n, complete);
    }
    return got;
}

static int by_key(const void *a, const void *b)
{
    const struct raw_warp *x = a, *y = b;

    return x->key < y->key ? -1 : x->key > y->key;
}

/* Groups the instructions by warp, in their order, and sorts the warps by CTA. */
static int sort_by_warp(struct raw_kernel *k, struct err *e)
{
    uint32_t *next = mem_zalloc(k->warp_count, sizeof *next, e);
    uint32_t first = 0;

    k->sorted = mem_zalloc(k->count, sizeof *k->sorted, e);
    if (!next || !k->sorted) {
        free(next);
        return -1;
    }
    for (size_t w = 0; w < k->warp_count; w++) {
        k->warps[w].first = next[w] = first;
        first += k->warps[w].count;
    }
    for (size_t i = 0; i < k->count; i++)
        k->sorted[next[k->insts[i].warp]++] = k->insts[i].inst;
    free(next);
    free(k->insts);
    k->insts = NULL;
    if (k->warp_count)
        qsort(k->warps, k->warp_count, sizeof *k->warps, by_key);
    return 0;
}

int raw_kernel_read(struct accel_sim *r, struct err *e)
{
    r->raw = mem_zalloc(1, sizeof *r->raw, e);
    if (!r->raw)
        return -1;
    r->raw->addresses = cta_pool_take(&r->pool, 1, e);
    if (!r->raw->addresses || read_lines(r, e) < 0)
        return -1;
    return sort_by_warp(r->raw, e);
}

/* --- returning CTAs --- */

static int copy_inst(struct accel_sim *r, struct cta_store *to, struct warp_inst i, struct err *e)
{
    const struct cta_store *from = r->raw->addresses;
    const struct address_row *known;
    struct address_set a;

    if (i.address == NO_ADDRESS)
        return accel_sim_put(r, to, i.inst, i.mask, NULL, e);
    known = &from->rows[i.address];
    a.is_list = known->list != NO_LIST;
    a.base = known->base;
    a.stride = known->stride;
    if (a.is_list)
        memcpy(a.lanes, from->lanes + (size_t)known->list * WARP_LANES, sizeof a.lanes);
    return accel_sim_put(r, to, i.inst, i.mask, &a, e);
}

static int copy_warp(struct accel_sim *r, struct cta_store *to, const struct raw_warp *w, uint32_t number,
                     struct err *e)
{
    accel_sim_begin_warp(r, to, number);
    for (uint32_t i = 0; i < w->count; i++)
        if (copy_inst(r, to, r->raw->sorted[w->first + i], e) < 0)
            return -1;
    cta_store_end_warp(to, number);
    return 0;
}

int raw_kernel_next(struct accel_sim *r, struct cta_trace **out, struct err *e)
{
    struct raw_kernel *k = r->raw;
    const uint32_t *g = r->source.info.grid;
    uint32_t warps = kernel_warp_count(&r->source.info);
    struct cta_store *c;
    uint64_t cta;

    if (k->next_warp == k->warp_count) {
        r->source.repairs.empty_ctas = kernel_cta_count(&r->source.info) - r->ctas;
        return 0;
    }
    c = cta_pool_take(&r->pool, warps, e);
    if (!c)
        return -1;
    cta = k->warps[k->next_warp].key / warps;
    memcpy(r->cluster, k->warps[k->next_warp].cluster, sizeof r->cluster);
    r->rank = k->warps[k->next_warp].rank;
    c->trace.id[0] = (uint32_t)(cta % g[0]);
    c->trace.id[1] = (uint32_t)(cta / g[0] % g[1]);
    c->trace.id[2] = (uint32_t)(cta / g[0] / g[1]);
    for (; k->next_warp < k->warp_count && k->warps[k->next_warp].key / warps == cta; k->next_warp++)
        if (copy_warp(r, c, &k->warps[k->next_warp], (uint32_t)(k->warps[k->next_warp].key % warps), e) < 0) {
            cta_pool_give(&r->pool, c);
            return -1;
        }
    cta_store_finish(c);
    c->trace.index = r->ctas++;
    *out = &c->trace;
    return 1;
}
