#include "simcore/trace/cta_store.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

#define CTA_INSTS_MAX (1u << 27) /* 1.5 GiB; far more than recorded CTAs have */
#define WARP_ABSENT   SIZE_MAX

enum { ROWS_AHEAD = 3 };

static struct cta_store *store_new(uint32_t warps, struct err *e)
{
    struct cta_store *c = mem_zalloc(1, sizeof *c, e);

    if (!c)
        return NULL;
    c->warp_capacity = warps;
    c->trace.warps = mem_zalloc(warps, sizeof *c->trace.warps, e);
    c->warp_first = mem_zalloc(warps, sizeof *c->warp_first, e);
    if (!c->trace.warps || !c->warp_first) {
        cta_store_free(c);
        return NULL;
    }
    return c;
}

struct cta_store *cta_pool_take(struct cta_pool *p, uint32_t warps, struct err *e)
{
    struct cta_store *c = p->free;

    ASSERT(warps > 0);
    if (c && c->warp_capacity >= warps)
        p->free = c->next_free;
    else if (!(c = store_new(warps, e)))
        return NULL;
    c->inst_count = c->row_count = c->lane_count = 0;
    c->trace.warp_count = warps;
    c->trace.opaque = c;
    for (uint32_t w = 0; w < warps; w++) {
        c->trace.warps[w] = (struct cta_warp){0};
        c->warp_first[w] = WARP_ABSENT;
    }
    return c;
}

void cta_pool_give(struct cta_pool *p, struct cta_store *c)
{
    ASSERT(c->trace.opaque == c && p->free != c);
    c->next_free = p->free;
    p->free = c;
}

void cta_pool_release(struct cta_pool *p)
{
    while (p->free) {
        struct cta_store *c = p->free;

        p->free = c->next_free;
        cta_store_free(c);
    }
}

void cta_store_free(struct cta_store *c)
{
    if (!c)
        return;
    free(c->trace.warps);
    free(c->warp_first);
    free(c->insts);
    free(c->rows);
    free(c->lanes);
    free(c);
}

int cta_store_grow_insts(struct cta_store *c, struct err *e)
{
    void *p = c->insts;

    ASSERT(c->inst_count <= c->inst_capacity);
    if (c->inst_count >= CTA_INSTS_MAX)
        return err_set(e, ERR_TOO_LARGE, "CTA %u,%u,%u has more than %u warp instructions", c->trace.id[0],
                       c->trace.id[1], c->trace.id[2], CTA_INSTS_MAX);
    if (array_reserve(&p, &c->inst_capacity, c->inst_count + 1, sizeof *c->insts, e) < 0)
        return -1;
    c->insts = p;
    return 0;
}

int cta_store_add_addresses(struct cta_store *c, const struct address_set *a, uint32_t *row, struct err *e)
{
    void *rows = c->rows, *lanes = c->lanes;

    /* There are at most as many rows and lists as instructions, so CTA_INSTS_MAX keeps them within 32 bits. */
    if (array_reserve(&rows, &c->row_capacity, c->row_count + 1, sizeof *c->rows, e) < 0)
        return -1;
    c->rows = rows;
    c->rows[c->row_count] = (struct address_row){a->base, a->stride, NO_LIST};
    if (a->is_list) {
        if (array_reserve(&lanes, &c->lane_capacity, c->lane_count + WARP_LANES, sizeof *c->lanes, e) < 0)
            return -1;
        c->lanes = lanes;
        memcpy(c->lanes + c->lane_count, a->lanes, sizeof a->lanes);
        c->rows[c->row_count].list = (uint32_t)(c->lane_count / WARP_LANES);
        c->lane_count += WARP_LANES;
    }
    ASSERT_HOT(c->row_count < NO_ADDRESS && c->lane_count % WARP_LANES == 0);
    *row = (uint32_t)c->row_count++;
    return 0;
}

void cta_store_begin_warp(struct cta_store *c, uint32_t warp)
{
    ASSERT(warp < c->trace.warp_count && c->warp_first[warp] == WARP_ABSENT);
    c->warp_first[warp] = c->inst_count;
}

void cta_store_drop_from(struct cta_store *c, size_t at)
{
    ASSERT(at <= c->inst_count);
    for (size_t i = c->inst_count; i-- > at;) {
        uint32_t row = c->insts[i].address;

        if (row == NO_ADDRESS)
            continue;
        if (c->rows[row].list != NO_LIST)
            c->lane_count = (size_t)c->rows[row].list * WARP_LANES;
        c->row_count = row;
    }
    c->inst_count = at;
}

void cta_store_end_warp(struct cta_store *c, uint32_t warp)
{
    struct cta_warp *w = &c->trace.warps[warp];

    ASSERT(c->warp_first[warp] <= c->inst_count);
    w->count = w->ready = (uint32_t)(c->inst_count - c->warp_first[warp]);
}

bool cta_store_has_warp(const struct cta_store *c, uint32_t warp)
{
    ASSERT_HOT(warp < c->warp_capacity);
    return c->warp_first[warp] != WARP_ABSENT;
}

void cta_store_finish(struct cta_store *c)
{
    for (uint32_t w = 0; w < c->trace.warp_count; w++)
        if (c->trace.warps[w].count > 0)
            c->trace.warps[w].insts = c->insts + c->warp_first[w];
}

const void *cta_address_place(const struct cta_trace *cta, uint32_t address)
{
    const struct cta_store *c = cta->opaque;

    return address == NO_ADDRESS ? NULL : &c->rows[address];
}

const void *cta_address_list(const struct cta_trace *cta, uint32_t address)
{
    const struct cta_store *c = cta->opaque;

    if (address == NO_ADDRESS || c->rows[address].list == NO_LIST)
        return NULL;
    return c->lanes + (size_t)c->rows[address].list * WARP_LANES;
}

void cta_addresses(const struct cta_trace *cta, uint32_t address, struct lane_addresses *out)
{
    const struct cta_store *c = cta->opaque;
    const struct address_row *row = &c->rows[address];

    ASSERT_HOT(address != NO_ADDRESS);
    __builtin_prefetch(row + ROWS_AHEAD); /* most warps use this row next */
    out->kind = row->list == NO_LIST ? ADDRESS_STRIDE : ADDRESS_LIST;
    out->base = row->base;
    out->stride = row->stride;
    out->list = row->list == NO_LIST ? NULL : c->lanes + (size_t)row->list * WARP_LANES;
}
