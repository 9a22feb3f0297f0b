/* sass/exec/crowd.c: lanes that exchange values: shuffles, votes, matches, reductions, uniform registers; special
 * registers. */
#include "sass/exec/machine.h"

enum { SHFL_IDX, SHFL_UP, SHFL_DOWN, SHFL_BFLY };

/* Source: NVIDIA, PTX ISA 9.0, section 9.7.9.6 (shfl.sync). A lane that does not execute gives what is in its
 * register. */
int do_shfl(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    const uint32_t *a = read_plain(w, &op->src[0], 0), *b = read_plain(w, &op->src[1], 1);
    const uint32_t *c = read_plain(w, &op->src[2], 2);
    uint32_t out[LANES], is = 0;

    for (int l = 0; l < LANES; l++) {
        int segment = (int)(c[l] >> 8 & 31), clamp = (int)(c[l] & 31), by = (int)(b[l] & 31);
        int most = (l & segment) | (clamp & ~segment), from;
        bool in;

        switch (op->what) {
        case SHFL_UP: from = l - by, in = from >= most; break;
        case SHFL_DOWN: from = l + by, in = from <= most; break;
        case SHFL_BFLY: from = l ^ by, in = from <= most; break;
        default: from = (l & segment) | (by & ~segment), in = from <= most; break;
        }
        out[l] = a[in ? from : l];
        is |= (uint32_t)in << l;
    }
    write_u32(w, op, out, mask);
    write_predicate(w, op, 0, is, mask);
    return 0;
}

enum { VOTE_ALL, VOTE_ANY, VOTE_EQ };

/* VOTE, and VOTEU, whose results are uniform. */
int do_vote(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    uint32_t lanes = op->once ? w->active : mask, p = read_predicate(w, &op->preds[0]) & lanes, out[LANES];
    bool all = p == lanes, is = op->what == VOTE_ALL ? all : op->what == VOTE_ANY ? p != 0 : all || p == 0;

    for (int l = 0; l < LANES; l++)
        out[l] = p;
    write_u32(w, op, out, mask);
    write_predicate(w, op, 0, is ? ALL_LANES : 0, mask);
    return 0;
}

/* what: 0 all, 1 any; type: 64 bits */
int do_match(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    const uint64_t *a = read_u64(w, &op->src[0], 0);
    uint32_t out[LANES] = {0};
    bool all = true;

    for (int l = 0; l < LANES; l++)
        for (int k = 0; k < LANES && mask >> l & 1; k++)
            if (mask >> k & 1 && (op->type ? a[l] == a[k] : (uint32_t)a[l] == (uint32_t)a[k]))
                out[l] |= 1u << k;
    for (int l = 0; l < LANES; l++)
        all &= !(mask >> l & 1) || out[l] == mask;
    for (int l = 0; l < LANES && op->what == 0; l++)
        out[l] = all ? mask : 0;
    write_u32(w, op, out, mask);
    write_predicate(w, op, 0, all ? ALL_LANES : 0, mask);
    return 0;
}

enum { REDUX_AND, REDUX_OR, REDUX_XOR, REDUX_SUM, REDUX_MIN, REDUX_MAX };

static uint32_t reduced(const struct sass_op *op, uint32_t a, uint32_t b)
{
    bool less = op->is_signed ? (int32_t)a < (int32_t)b : a < b;

    switch (op->what) {
    case REDUX_AND: return a & b;
    case REDUX_OR: return a | b;
    case REDUX_XOR: return a ^ b;
    case REDUX_SUM: return a + b;
    case REDUX_MIN: return less ? a : b;
    default: return less ? b : a;
    }
}

int do_redux(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    const uint32_t *a = read_plain(w, &op->src[0], 0);
    uint32_t out[LANES] = {0};
    bool first = true;

    if (mask == 0)
        return 0;
    for (int l = 0; l < LANES; l++) {
        if (!(mask >> l & 1))
            continue;
        out[0] = first ? a[l] : reduced(op, out[0], a[l]);
        first = false;
    }
    write_u32(w, op, out, 1);
    return 0;
}

/* The value of the lowest lane. The predicate: all lanes have the same value. */
int do_r2ur(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    const uint32_t *a = read_plain(w, &op->src[0], 0);
    uint32_t out[LANES], lowest;
    bool same = true;

    if (mask == 0)
        return 0;
    lowest = a[__builtin_ctz(mask)];
    for (int l = 0; l < LANES; l++) {
        same &= !(mask >> l & 1) || a[l] == lowest;
        out[l] = lowest;
    }
    write_u32(w, op, out, mask);
    if (op->results[0] != NO_PREDICATE)
        w->predicates[op->results[0]] = (w->predicates[op->results[0]] & ~mask) | (same ? mask : 0);
    return 0;
}

/* One of the lanes is elected: the lowest. */
int do_elect(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    uint32_t out[LANES], lanes = mask & read_predicate(w, &op->preds[0]);
    uint32_t lowest = lanes ? (uint32_t)__builtin_ctz(lanes) : 0;

    for (int l = 0; l < LANES; l++)
        out[l] = lowest;
    write_u32(w, op, out, mask);
    if (op->results[0] != NO_PREDICATE)
        w->predicates[op->results[0]] =
            (w->predicates[op->results[0]] & ~mask) | (lanes ? mask & (1u << lowest) : 0);
    return 0;
}

/* --- special registers (numbers: sass/print.c) --- */

enum {
    SR_LANEID = 0x00,
    SR_TID = 0x20,
    SR_TID_X = 0x21,
    SR_CTAID_X = 0x25,
    SR_SWINHI = 0x2f,
    SR_SMEMSZ = 0x32,
    SR_LMEMHIOFF = 0x37,
    SR_EQMASK = 0x38,
    SR_CLOCKLO = 0x50,
    SR_CLOCKHI = 0x51,
    SR_GLOBALTIMERLO = 0x52,
    SR_VIRTUALSMID = 0x43,
    SR_CGACTAID = 0x88,
    SR_ZERO = 0xff
};

static uint32_t thread_id(const struct sass_warp *w, uint32_t lane, int k)
{
    const uint32_t *block = w->cta->run->launch->block;
    uint32_t t = w->index * LANES + lane;

    return k == 0 ? t % block[0] : k == 1 ? t / block[0] % block[1] : t / block[0] / block[1];
}

/* From sm_90 on, static shared memory has 1024 bytes for the system (sass/cubin.h). */
static uint32_t reserved_shared(const struct sass_warp *w)
{
    return w->cta->run->code->arch >= 90 ? 1024 : 0;
}

static uint32_t special(const struct sass_warp *w, uint32_t which, uint32_t lane)
{
    uint32_t bit = 1u << lane;
    uint64_t clock = w->cta->run->clock;

    switch (which) {
    case SR_LANEID: return lane;
    case SR_TID: return thread_id(w, lane, 0) | thread_id(w, lane, 1) << 16 | thread_id(w, lane, 2) << 26;
    case SR_TID_X:
    case SR_TID_X + 1:
    case SR_TID_X + 2: return thread_id(w, lane, (int)which - SR_TID_X);
    case SR_CTAID_X:
    case SR_CTAID_X + 1:
    case SR_CTAID_X + 2: return w->cta->id[which - SR_CTAID_X];
    case SR_SWINHI: return (uint32_t)(PTX_SHARED_BASE >> 32);
    case SR_SMEMSZ: return (uint32_t)w->cta->shared_bytes - reserved_shared(w);
    case SR_EQMASK: return bit;
    case SR_EQMASK + 1: return bit - 1;
    case SR_EQMASK + 2: return bit | (bit - 1);
    case SR_EQMASK + 3: return ~(bit | (bit - 1));
    case SR_EQMASK + 4: return ~(bit - 1);
    case SR_CLOCKLO:
    case SR_GLOBALTIMERLO: return (uint32_t)clock;
    case SR_CLOCKHI:
    case SR_GLOBALTIMERLO + 1: return (uint32_t)(clock >> 32);
    default: return 0; /* the stack's lowest address, the SM, the CTA of a cluster of one, zero */
    }
}

bool special_is_known(uint32_t which)
{
    switch (which) {
    case SR_LANEID:
    case SR_TID:
    case SR_SWINHI:
    case SR_SMEMSZ:
    case SR_LMEMHIOFF:
    case SR_CLOCKLO:
    case SR_CLOCKHI:
    case SR_GLOBALTIMERLO:
    case SR_GLOBALTIMERLO + 1:
    case SR_VIRTUALSMID:
    case SR_CGACTAID:
    case SR_ZERO: return true;
    default:
        return (which >= SR_TID_X && which < SR_TID_X + 3) || (which >= SR_CTAID_X && which < SR_CTAID_X + 3) ||
               (which >= SR_EQMASK && which < SR_EQMASK + 5);
    }
}

/* number: the register; type: 64 bits, the next register has the high half */
int do_special(struct sass_warp *w, const struct sass_op *op, uint32_t mask)
{
    uint32_t out[LANES];

    for (uint32_t k = 0; k <= op->type; k++) {
        for (uint32_t l = 0; l < LANES; l++)
            out[l] = special(w, op->number == SR_ZERO ? SR_ZERO : op->number + k, l);
        write_register(w, op, k, out, mask);
    }
    return 0;
}
