/* ptx/decode/decode_warp.c: instructions across lanes: shuffles, votes, barriers. */
#include <string.h>

#include "ptx/decode/decode_internal.h"

#define WHICH(d, words) decode_which(d, words, sizeof(words) / sizeof *(words))

static int begin_warp(struct decoder *d, int what, enum ptx_type type)
{
    struct ptx_access *a;

    if (what < 0)
        return decode_unsupported(d);
    a = decode_new_access(d);
    if (!a)
        return -1;
    d->op->action = PTX_DO_WARP;
    a->what = (uint8_t)what;
    a->type = (uint8_t)type;
    return 0;
}

static enum ptx_type type_of(const struct decoder *d)
{
    return d->i->type_count ? d->i->types[0] : PTX_NO_TYPE;
}

/* d|p at operand 0 */
static int results(struct decoder *d, uint32_t bits)
{
    if (decode_result(d, decode_operand(d, 0), bits, &d->op->args.dst) < 0)
        return -1;
    return decode_pair(d, 0, 1, &d->op->args.dst2);
}

/* With `.sync`, the member mask is an additional operand after n others. */
static int count_with_mask(struct decoder *d, uint32_t n)
{
    uint32_t all = n + ptx_has(d->i, ".sync");

    return decode_count(d, all, all);
}

static int mask(struct decoder *d, uint32_t k)
{
    return ptx_has(d->i, ".sync") ? decode_to_src(d, k, 32, 3) : 0;
}

int decode_shfl(struct decoder *d)
{
    static const struct decode_word kinds[] = {
        {".up", PTX_SHFL_UP}, {".down", PTX_SHFL_DOWN}, {".bfly", PTX_SHFL_BFLY}, {".idx", PTX_SHFL_IDX}};

    if (ptx_type_bits(type_of(d)) != 32)
        return decode_unsupported(d);
    if (count_with_mask(d, 4) < 0 || begin_warp(d, WHICH(d, kinds), PTX_B32) < 0 || results(d, 32) < 0)
        return -1;
    for (uint32_t k = 0; k < 3; k++)
        if (decode_to_src(d, k + 1, 32, k) < 0)
            return -1;
    return mask(d, 4);
}

int decode_vote(struct decoder *d)
{
    static const struct decode_word kinds[] = {
        {".all", PTX_VOTE_ALL}, {".any", PTX_VOTE_ANY}, {".uni", PTX_VOTE_UNI}, {".ballot", PTX_VOTE_BALLOT}};
    int what = WHICH(d, kinds);

    if (count_with_mask(d, 2) < 0 || begin_warp(d, what, PTX_B32) < 0)
        return -1;
    if (decode_result(d, decode_operand(d, 0), what == PTX_VOTE_BALLOT ? 32 : 1, &d->op->args.dst) < 0)
        return -1;
    return decode_to_src(d, 1, 1, 0) < 0 ? -1 : mask(d, 2);
}

int decode_match(struct decoder *d)
{
    static const struct decode_word kinds[] = {{".any", PTX_MATCH_ANY}, {".all", PTX_MATCH_ALL}};
    enum ptx_type type = type_of(d);

    if (type != PTX_B32 && type != PTX_B64)
        return decode_unsupported(d);
    if (count_with_mask(d, 2) < 0 || begin_warp(d, WHICH(d, kinds), type) < 0 || results(d, 32) < 0)
        return -1;
    return decode_to_src(d, 1, ptx_type_bits(type), 0) < 0 ? -1 : mask(d, 2);
}

int decode_redux(struct decoder *d)
{
    static const struct decode_word kinds[] = {{".add", PTX_REDUX_ADD}, {".min", PTX_REDUX_MIN},
                                               {".max", PTX_REDUX_MAX}, {".and", PTX_REDUX_AND},
                                               {".or", PTX_REDUX_OR},   {".xor", PTX_REDUX_XOR}};
    enum ptx_type type = type_of(d);
    int what = WHICH(d, kinds);
    bool least = what == PTX_REDUX_MIN || what == PTX_REDUX_MAX;

    if (type != PTX_U32 && type != PTX_S32 && type != PTX_B32 && (type != PTX_F32 || !least))
        return decode_unsupported(d);
    if (count_with_mask(d, 2) < 0 || begin_warp(d, what, type) < 0 || results(d, 32) < 0)
        return -1;
    if (type == PTX_F32)
        d->c->accesses[d->op->access].offset =
            (ptx_has(d->i, ".abs") ? PTX_REDUX_ABS : 0) | (ptx_has(d->i, ".NaN") ? PTX_REDUX_NAN : 0);
    return decode_to_src(d, 1, 32, 0) < 0 ? -1 : mask(d, 2);
}

int decode_elect(struct decoder *d)
{
    if (count_with_mask(d, 1) < 0 || begin_warp(d, PTX_ELECT, PTX_B32) < 0 || results(d, 32) < 0)
        return -1;
    return mask(d, 1);
}

int decode_activemask(struct decoder *d)
{
    if (decode_count(d, 1, 1) < 0 || begin_warp(d, PTX_ACTIVEMASK, PTX_B32) < 0)
        return -1;
    return results(d, 32);
}

/* --- barriers of a CTA --- */

static int warp_barrier(struct decoder *d)
{
    if (count_with_mask(d, 0) < 0 || begin_warp(d, PTX_BAR_WARP, PTX_B32) < 0)
        return -1;
    return mask(d, 0);
}

/* d, a {, b}, c */
static int reduction(struct decoder *d, struct ptx_access *a)
{
    static const struct decode_word kinds[] = {
        {".popc", PTX_BARRIER_POPC}, {".and", PTX_BARRIER_AND}, {".or", PTX_BARRIER_OR}};
    int what = WHICH(d, kinds);
    uint32_t n = d->i->operand_count;

    if (what < 0)
        return decode_unsupported(d);
    a->what = (uint8_t)what;
    if (decode_count(d, 3, 4) < 0 ||
        decode_result(d, decode_operand(d, 0), what == PTX_BARRIER_POPC ? 32 : 1, &d->op->args.dst) < 0 ||
        decode_to_src(d, 1, 32, 0) < 0 || (n == 4 && decode_to_src(d, 2, 32, 1) < 0))
        return -1;
    return decode_to_src(d, n - 1, 1, 2);
}

int decode_barrier(struct decoder *d)
{
    bool arrive = ptx_has(d->i, ".arrive");
    struct ptx_access *a;

    if (ptx_has(d->i, ".warp"))
        return warp_barrier(d);
    if (ptx_has(d->i, ".cluster"))
        return decode_cluster_barrier(d);
    a = decode_new_access(d);
    if (!a)
        return -1;
    d->op->action = PTX_DO_BARRIER;
    d->op->uniform |= strcmp(d->i->opcode, "bar") == 0; /* bar is the same as barrier.aligned */
    if (ptx_has(d->i, ".red"))
        return reduction(d, a);
    if (!arrive && !ptx_has(d->i, ".sync"))
        return decode_unsupported(d);
    a->what = arrive ? PTX_BARRIER_ARRIVE : PTX_BARRIER_SYNC;
    if (decode_count(d, arrive ? 2 : 1, 2) < 0 || decode_to_src(d, 0, 32, 0) < 0)
        return -1;
    return d->i->operand_count == 2 ? decode_to_src(d, 1, 32, 1) : 0;
}
