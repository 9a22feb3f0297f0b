/* simcore/trace/cta_store.h: executed instructions and addresses of one CTA, during and after reading. All kinds of
 * source use it, so one function cta_addresses() serves all. Released stores are reused: the memory of a source
 * depends on the CTAs in use at one time, not on the length of the kernel. */
#ifndef VIVACE_SIMCORE_TRACE_CTA_STORE_H
#define VIVACE_SIMCORE_TRACE_CTA_STORE_H

#include "simcore/trace/inst_source.h"

#define NO_ADDRESS UINT32_MAX
#define NO_LIST    UINT32_MAX

/* Addresses of one executed instruction, while they are parsed. */
struct address_set {
    bool is_list;
    uint64_t base;
    int64_t stride;
    uint64_t lanes[WARP_LANES]; /* is_list: valid where the mask has a bit */
};

struct address_row {
    uint64_t base;
    int64_t stride;
    uint32_t list; /* index of 32 entries of `lanes`, or NO_LIST */
};

struct cta_store {
    struct cta_trace trace; /* first, so that a pointer to it converts to a struct cta_store pointer */
    struct warp_inst *insts;
    size_t inst_count, inst_capacity;
    struct address_row *rows;
    size_t row_count, row_capacity;
    uint64_t *lanes;
    size_t lane_count, lane_capacity;
    size_t *warp_first; /* index of each warp's first instruction in insts */
    uint32_t warp_capacity;
    struct cta_store *next_free;
};

struct cta_pool {
    struct cta_store *free;
};

/* Takes an empty store for a CTA of `warps` warps. */
struct cta_store *cta_pool_take(struct cta_pool *p, uint32_t warps, struct err *e);
void cta_pool_give(struct cta_pool *p, struct cta_store *c);
void cta_pool_release(struct cta_pool *p);
void cta_store_free(struct cta_store *c);

int cta_store_grow_insts(struct cta_store *c, struct err *e) MUST_CHECK;
/* Appends a; *row becomes the index for warp_inst.address. */
int cta_store_add_addresses(struct cta_store *c, const struct address_set *a, uint32_t *row,
                            struct err *e) MUST_CHECK;

static inline int cta_store_add(struct cta_store *c, uint32_t inst, uint32_t mask, uint32_t address, struct err *e)
{
    if (c->inst_count == c->inst_capacity && cta_store_grow_insts(c, e) < 0)
        return -1;
    c->insts[c->inst_count++] = (struct warp_inst){inst, mask, address};
    return 0;
}

/* Warps are filled one after the other, each at most once. */
void cta_store_begin_warp(struct cta_store *c, uint32_t warp);
void cta_store_end_warp(struct cta_store *c, uint32_t warp);
bool cta_store_has_warp(const struct cta_store *c, uint32_t warp);
/* Removes the instructions of the current warp from index `at` on, with their addresses. */
void cta_store_drop_from(struct cta_store *c, size_t at);
/* Call after the last warp: points each warp at its instructions. */
void cta_store_finish(struct cta_store *c);

#endif
