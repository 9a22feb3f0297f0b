#include "ptx/ops/exec_crowd.h"

static void shuffle(struct crowd *x, uint8_t what)
{
    for (uint32_t rest = x->lanes; rest; rest &= rest - 1) {
        int32_t lane = __builtin_ctz(rest), from;
        int32_t segment = (int32_t)(x->c[lane] >> 8 & 31), clamp = (int32_t)(x->c[lane] & 31);
        int32_t b = (int32_t)(x->b[lane] & 31), most = (lane & segment) | (clamp & ~segment);
        bool in;

        switch (what) {
        case PTX_SHFL_UP: from = lane - b, in = from >= most; break;
        case PTX_SHFL_DOWN: from = lane + b, in = from <= most; break;
        case PTX_SHFL_BFLY: from = lane ^ b, in = from <= most; break;
        default: from = (lane & segment) | (b & ~segment), in = from <= most; break;
        }
        if (!in)
            from = lane;
        if (!(x->lanes >> from & 1)) {
            x->missing |= 1u << lane;
            from = lane;
        }
        x->out[lane] = (uint32_t)x->a[from];
        x->out_preds |= (uint32_t)in << lane;
    }
}

static void vote(struct crowd *x, uint8_t what)
{
    bool all = (x->preds & x->lanes) == x->lanes, any = x->preds & x->lanes;
    bool result = what == PTX_VOTE_ALL ? all : what == PTX_VOTE_ANY ? any : all || !any;

    x->out_preds = result ? x->lanes : 0;
    for (uint32_t lane = 0; lane < PTX_LANES; lane++)
        x->out[lane] = x->preds & x->lanes;
}

static void match(struct crowd *x, uint8_t what)
{
    bool all = true;

    for (uint32_t rest = x->lanes; rest; rest &= rest - 1) {
        uint32_t lane = (uint32_t)__builtin_ctz(rest);

        x->out[lane] = 0;
        for (uint32_t others = x->lanes; others; others &= others - 1) {
            uint32_t other = (uint32_t)__builtin_ctz(others);

            x->out[lane] |= (uint32_t)(x->a[other] == x->a[lane]) << other;
        }
        all = all && x->out[lane] == x->lanes;
    }
    if (what == PTX_MATCH_ANY)
        return;
    x->out_preds = all ? x->lanes : 0;
    for (uint32_t lane = 0; lane < PTX_LANES; lane++)
        x->out[lane] = all ? x->lanes : 0;
}

static uint32_t combine(uint8_t what, bool is_signed, uint32_t a, uint32_t b)
{
    bool less = is_signed ? (int32_t)a < (int32_t)b : a < b;

    switch (what) {
    case PTX_REDUX_ADD: return a + b;
    case PTX_REDUX_MIN: return less ? a : b;
    case PTX_REDUX_MAX: return less ? b : a;
    case PTX_REDUX_AND: return a & b;
    case PTX_REDUX_OR: return a | b;
    default: return a ^ b;
    }
}

/* Floats: -0 is below +0. Two NaNs give the canonical NaN. One NaN gives the number, or with .NaN the canonical
 * NaN. */
static uint32_t combine_floats(const struct ptx_access *access, uint32_t a, uint32_t b)
{
    bool nan_a = (a & INT32_MAX) > 0x7f800000, nan_b = (b & INT32_MAX) > 0x7f800000, less;

    if (nan_a || nan_b)
        return (nan_a && nan_b) || access->offset & PTX_REDUX_NAN ? INT32_MAX : nan_a ? b : a;
    less = a >> 31 != b >> 31 ? a >> 31 : a >> 31 ? a > b : a < b;
    return less == (access->what == PTX_REDUX_MIN) ? a : b;
}

static void reduce(struct crowd *x, const struct ptx_access *access)
{
    uint32_t rest = x->lanes,
             keep = access->type == PTX_F32 && access->offset & PTX_REDUX_ABS ? INT32_MAX : UINT32_MAX;
    uint32_t value = (uint32_t)x->a[__builtin_ctz(rest)] & keep;

    for (; rest; rest &= rest - 1) {
        uint32_t other = (uint32_t)x->a[__builtin_ctz(rest)] & keep;

        if (access->type == PTX_F32)
            value = combine_floats(access, value, other);
        else if (rest != x->lanes) /* `value` already includes the first lane */
            value = combine(access->what, access->type == PTX_S32, value, other);
    }
    for (uint32_t lane = 0; lane < PTX_LANES; lane++)
        x->out[lane] = value;
}

static void elect(struct crowd *x)
{
    x->out_preds = x->lanes & (0u - x->lanes);
    for (uint32_t lane = 0; lane < PTX_LANES; lane++)
        x->out[lane] = (uint32_t)__builtin_ctz(x->lanes);
}

void crowd_act(struct crowd *x, const struct ptx_access *access)
{
    switch (access->what) {
    case PTX_SHFL_UP:
    case PTX_SHFL_DOWN:
    case PTX_SHFL_BFLY:
    case PTX_SHFL_IDX: shuffle(x, access->what); break;
    case PTX_VOTE_ALL:
    case PTX_VOTE_ANY:
    case PTX_VOTE_UNI:
    case PTX_VOTE_BALLOT: vote(x, access->what); break;
    case PTX_MATCH_ANY:
    case PTX_MATCH_ALL: match(x, access->what); break;
    case PTX_ELECT: elect(x); break;
    case PTX_BAR_WARP: break;
    default: reduce(x, access); break;
    }
}
