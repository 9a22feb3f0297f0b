#include "examples/tracegen/kernels.h"

#define WARPS(threads)     (((threads) + 31) / 32)
#define CTAS(threads, per) (((threads) + (per)-1) / (per))
#define HALF               2 /* bytes of an fp16 */

uint64_t area(enum memory_area a, uint32_t layer)
{
    return DEVICE_MEMORY + ((uint64_t)a << 32) + ((uint64_t)layer << 24);
}

/* Where each kernel of a layer keeps its result. */
enum activation {
    ACT_RESIDUAL = 0,
    ACT_NORM = 1,
    ACT_QKV = 2,
    ACT_SCORES = 4,
    ACT_HEADS = 300,
    ACT_GATE_UP = 301,
    ACT_MLP = 304,
    ACT_LOGITS = 306,
    ACT_BEST = 308
};

static uint64_t activation(enum activation a)
{
    return area(AREA_ACTIVATIONS, 0) + (uint64_t)a * 1024;
}

/* Weights of a layer: which matrix, 1 MiB each. */
enum weights { W_NORM, W_QKV, W_OUT, W_GATE_UP, W_DOWN, W_LOGITS };

static uint64_t weights(uint32_t layer, enum weights w)
{
    return area(AREA_WEIGHTS, layer) + ((uint64_t)w << 20);
}

static uint64_t cached_key(const struct step *s, uint32_t kv_head, uint32_t position)
{
    return area(AREA_CACHE, s->layer) + ((uint64_t)kv_head * POSITIONS_MAX + position) * HEAD_WIDTH * HALF;
}

static uint64_t cached_value(const struct step *s, uint32_t kv_head, uint32_t position)
{
    return cached_key(s, kv_head + 8, position);
}

static uint32_t lanes_below(uint32_t n)
{
    return n >= 32 ? UINT32_MAX : (1u << n) - 1;
}

/* --- pieces that many kernels share --- */

/* Stack pointer, block and thread numbers: R6 = ctaid * ntid + tid. */
static void prologue(struct warp *w)
{
    op(w, "1 R1 IMAD.MOV.U32 2 R255 R255 0");
    op(w, "1 R0 S2R 0 0");
    op(w, "1 R3 S2R 0 0");
    op(w, "1 R6 IMAD 2 R0 R3 0");
    op(w, "0 ULDC.64 0 0");
}

/* "if (i >= n) return": `live` lanes stay. False: none does. */
static bool bounds_check(struct warp *w, uint32_t live)
{
    uint32_t all = w->mask;

    op(w, "0 ISETP.GE.AND 1 R6 0");
    w->mask = all & ~live;
    op(w, "0 EXIT 0 0");
    w->mask = all & live;
    return w->mask != 0;
}

static void exit_warp(struct warp *w)
{
    op(w, "0 EXIT 0 0");
}

/* A sum or maximum over the warp, by butterflies; the value is R8. */
static void warp_reduce(struct warp *w, const char *combine)
{
    for (int i = 0; i < 5; i++) {
        op(w, "0 SHFL.BFLY 2 R9 R8 0"); /* writes R9: recorded as the first source, as tracers do */
        op(w, combine);
    }
}

/* The same over a CTA of `warps` warps: through shared memory and back. */
static void cta_reduce(struct warp *w, uint32_t warps, const char *combine)
{
    warp_reduce(w, combine);
    w->mask = 1;
    mem(w, "0 STS 2 R10 R8 4", (uint64_t)w->number * 4, 0);
    w->mask = UINT32_MAX;
    op(w, "0 NOP 0 0");
    op(w, "0 BAR.SYNC.DEFER_BLOCKING 0 0");
    for (uint32_t i = 0; i < warps; i++) {
        mem(w, "1 R11 LDS 1 R255 4", (uint64_t)i * 4, 0);
        op(w, "1 R8 FADD 2 R8 R11 0");
    }
}

/* --- matrix times vector: a row a warp, eight warps a CTA, the vector in shared memory --- */

struct gemv {
    const char *name;
    uint32_t rows, width;
    uint64_t matrix, vector, out;
};

static void gemv_stage_vector(struct warp *w, const struct gemv *g)
{
    uint32_t first = w->number * 64; /* two elements a lane */
    uint32_t left = g->width > first ? (g->width - first) / 2 : 0;

    op(w, "0 ISETP.GE.AND 1 R3 0");
    w->mask = lanes_below(left);
    mem(w, "1 R4 LDG.E.CONSTANT 1 R12 4", g->vector + (uint64_t)first * HALF, 4);
    mem(w, "0 STS 2 R13 R4 4", (uint64_t)first * HALF, 4);
    w->mask = UINT32_MAX;
    op(w, "0 NOP 0 0");
    op(w, "0 BAR.SYNC.DEFER_BLOCKING 0 0");
}

static void gemv_row(struct warp *w, const struct gemv *g, uint32_t row)
{
    uint32_t head;

    op(w, "1 R2 IMAD.WIDE 3 R6 R14 R16 0");
    op(w, "1 R8 IMAD.MOV.U32 2 R255 R255 0");
    head = w->pc;
    for (uint32_t at = 0; at < g->width; at += 256) { /* eight elements a lane */
        w->pc = head;
        w->mask = lanes_below((g->width - at) / 8);
        mem(w, "1 R20 LDG.E.128.CONSTANT 1 R2 16", g->matrix + ((uint64_t)row * g->width + at) * HALF, 16);
        mem(w, "1 R24 LDS.128 1 R13 16", (uint64_t)at * HALF, 16);
        op(w, "1 R28 HFMA2.MMA 3 R20 R24 R255 0");
        op(w, "1 R28 HFMA2 3 R21 R25 R28 0");
        op(w, "1 R28 HFMA2.MMA 3 R22 R26 R28 0");
        op(w, "1 R28 HFMA2 3 R23 R27 R28 0");
        op(w, "1 R29 HADD2.F32 2 R255 R28 0");
        op(w, "1 R8 FADD 2 R8 R29 0");
        op(w, "1 R2 IADD3 2 R2 R255 0");
        w->mask = UINT32_MAX;
        op(w, "0 ISETP.NE.AND 1 R2 0");
        op(w, "0 BRA 0 0");
    }
    warp_reduce(w, "1 R8 FADD 2 R8 R9 0");
    op(w, "0 ISETP.NE.AND 1 R3 0");
    w->mask = 1;
    op(w, "1 R30 F2F.F16.F32 1 R8 0");
    mem(w, "0 STG.E.U16 2 R18 R30 2", g->out + (uint64_t)row * HALF, 0);
    w->mask = UINT32_MAX;
}

static int gemv(const struct step *s, const struct gemv *g, struct err *err)
{
    struct kernel_shape k = {g->name, {CTAS(g->rows, 8), 1, 1}, {256, 1, 1}, g->width * HALF, 40};

    emit_kernel(s->e, &k);
    for (uint32_t cta = 0; cta < k.grid[0]; cta++) {
        emit_cta(s->e, cta, 0);
        for (uint32_t n = 0; n < 8; n++) {
            struct warp w = warp_begin(s->e, n);

            prologue(&w);
            gemv_stage_vector(&w, g);
            if (bounds_check(&w, cta * 8 + n < g->rows ? UINT32_MAX : 0)) {
                gemv_row(&w, g, cta * 8 + n);
                exit_warp(&w);
            }
            warp_end(&w);
        }
        emit_cta_end(s->e);
    }
    return emit_kernel_end(s->e, err);
}

int kernel_qkv_projection(const struct step *s, struct err *err)
{
    struct gemv g = {"_ZN9synthetic14qkv_projectionEPK6__halfS2_PS0_ii",
                     QKV_ROWS,
                     MODEL_WIDTH,
                     weights(s->layer, W_QKV),
                     activation(ACT_NORM),
                     activation(ACT_QKV)};

    return gemv(s, &g, err);
}

int kernel_out_projection(const struct step *s, struct err *err)
{
    struct gemv g = {"_ZN9synthetic14out_projectionEPK6__halfS2_PS0_ii",
                     MODEL_WIDTH,
                     MODEL_WIDTH,
                     weights(s->layer, W_OUT),
                     activation(ACT_HEADS),
                     activation(ACT_NORM)};

    return gemv(s, &g, err);
}

int kernel_gate_up_projection(const struct step *s, struct err *err)
{
    struct gemv g = {"_ZN9synthetic18gate_up_projectionEPK6__halfS2_PS0_ii",
                     2 * MLP_WIDTH,
                     MODEL_WIDTH,
                     weights(s->layer, W_GATE_UP),
                     activation(ACT_NORM),
                     activation(ACT_GATE_UP)};

    return gemv(s, &g, err);
}

int kernel_down_projection(const struct step *s, struct err *err)
{
    struct gemv g = {"_ZN9synthetic15down_projectionEPK6__halfS2_PS0_ii",
                     MODEL_WIDTH,
                     MLP_WIDTH,
                     weights(s->layer, W_DOWN),
                     activation(ACT_MLP),
                     activation(ACT_NORM)};

    return gemv(s, &g, err);
}

int kernel_logits(const struct step *s, struct err *err)
{
    struct gemv g = {"_ZN9synthetic6logitsEPK6__halfS2_PS0_ii",
                     VOCABULARY,
                     MODEL_WIDTH,
                     weights(s->layer, W_LOGITS),
                     activation(ACT_NORM),
                     activation(ACT_LOGITS)};

    return gemv(s, &g, err);
}

/* --- one element a lane --- */

typedef void (*elementwise_fn)(struct warp *w, const struct step *s, uint32_t first);

static int elementwise(const struct step *s, const char *name, uint32_t elements, uint32_t block,
                       elementwise_fn body, struct err *err)
{
    struct kernel_shape k = {name, {CTAS(elements, block), 1, 1}, {block, 1, 1}, 0, 24};

    emit_kernel(s->e, &k);
    for (uint32_t cta = 0; cta < k.grid[0]; cta++) {
        emit_cta(s->e, cta, 0);
        for (uint32_t n = 0; n < WARPS(block); n++) {
            struct warp w = warp_begin(s->e, n);
            uint32_t first = cta * block + n * 32;

            prologue(&w);
            if (bounds_check(&w, elements > first ? lanes_below(elements - first) : 0)) {
                body(&w, s, first);
                exit_warp(&w);
            }
            warp_end(&w);
        }
        emit_cta_end(s->e);
    }
    return emit_kernel_end(s->e, err);
}

static void embedding_body(struct warp *w, const struct step *s, uint32_t first)
{
    uint64_t row = area(AREA_EMBEDDINGS, 0) + (uint64_t)s->token * MODEL_WIDTH * HALF;

    mem(w, "1 R4 LDG.E.CONSTANT 1 R2 4", area(AREA_TOKENS, 0) + (uint64_t)s->position * 4, 0);
    op(w, "1 R8 IMAD.WIDE 3 R4 R5 R10 0");
    mem(w, "1 R12 LDG.E.CONSTANT 1 R8 4", row + (uint64_t)first * 4, 4);
    op(w, "1 R14 IMAD.WIDE 2 R6 R7 0");
    mem(w, "0 STG.E 2 R14 R12 4", activation(ACT_RESIDUAL) + (uint64_t)first * 4, 4);
}

int kernel_embedding(const struct step *s, struct err *err)
{
    return elementwise(s, "_ZN9synthetic9embeddingEPK6__halfPKiPS0_i", MODEL_WIDTH / 2, 64, embedding_body, err);
}

static void residual_body(struct warp *w, const struct step *s, uint32_t first)
{
    (void)s;
    op(w, "1 R2 IMAD.WIDE 2 R6 R7 0");
    op(w, "1 R4 IMAD.WIDE 2 R6 R7 0");
    mem(w, "1 R8 LDG.E 1 R2 4", activation(ACT_RESIDUAL) + (uint64_t)first * 4, 4);
    mem(w, "1 R9 LDG.E.CONSTANT 1 R4 4", activation(ACT_NORM) + (uint64_t)first * 4, 4);
    op(w, "1 R10 HADD2 2 R8 R9 0");
    mem(w, "0 STG.E 2 R2 R10 4", activation(ACT_RESIDUAL) + (uint64_t)first * 4, 4);
}

int kernel_residual_add(const struct step *s, struct err *err)
{
    return elementwise(s, "_ZN9synthetic12residual_addEP6__halfPKS0_i", MODEL_WIDTH / 2, 64, residual_body, err);
}

static void silu_body(struct warp *w, const struct step *s, uint32_t first)
{
    (void)s;
    op(w, "1 R2 IMAD.WIDE 2 R6 R7 0");
    mem(w, "1 R8 LDG.E.U16.CONSTANT 1 R2 2", activation(ACT_GATE_UP) + (uint64_t)first * HALF, HALF);
    mem(w, "1 R9 LDG.E.U16.CONSTANT 1 R2 2", activation(ACT_GATE_UP) + (uint64_t)(MLP_WIDTH + first) * HALF, HALF);
    op(w, "1 R10 HADD2.F32 2 R255 R8 0");
    op(w, "1 R11 FMUL 1 R10 0");
    op(w, "1 R11 MUFU.EX2 1 R11 0");
    op(w, "1 R11 FADD 1 R11 0");
    op(w, "1 R11 MUFU.RCP 1 R11 0");
    op(w, "1 R12 HADD2.F32 2 R255 R9 0");
    op(w, "1 R10 FMUL 2 R10 R11 0");
    op(w, "1 R10 FMUL 2 R10 R12 0");
    op(w, "1 R13 F2F.F16.F32 1 R10 0");
    mem(w, "0 STG.E.U16 2 R4 R13 2", activation(ACT_MLP) + (uint64_t)first * HALF, HALF);
}

int kernel_silu_multiply(const struct step *s, struct err *err)
{
    return elementwise(s, "_ZN9synthetic13silu_multiplyEPK6__halfPS0_i", MLP_WIDTH, 128, silu_body, err);
}

/* A pair of elements is turned by an angle that depends on the position. */
static void rope_body(struct warp *w, const struct step *s, uint32_t first)
{
    uint64_t pairs = activation(ACT_QKV) + (uint64_t)first * 2 * HALF;

    op(w, "1 R2 IMAD.WIDE 2 R6 R7 0");
    mem(w, "1 R8 LDG.E 1 R2 4", pairs, 4);
    mem(w, "1 R10 LDG.E.64.CONSTANT 1 R4 8",
        area(AREA_ROPE_TABLE, 0) + (uint64_t)s->position * 128 + (uint64_t)(first % 16) * 8, 8);
    op(w, "1 R12 HADD2.F32 2 R255 R8 0");
    op(w, "1 R13 HADD2.F32 2 R255 R8 0");
    op(w, "1 R14 FMUL 2 R13 R11 0");
    op(w, "1 R15 FMUL 2 R13 R10 0");
    op(w, "1 R14 FFMA 3 R12 R10 R14 0");
    op(w, "1 R15 FFMA 3 R12 R11 R15 0");
    op(w, "1 R8 F2FP.PACK_AB 2 R15 R14 0");
    mem(w, "0 STG.E 2 R2 R8 4", pairs, 4);
}

int kernel_rope(const struct step *s, struct err *err)
{
    return elementwise(s, "_ZN9synthetic4ropeEP6__halfPK6float2ii", (MODEL_WIDTH + KV_WIDTH) / 2, 64, rope_body,
                       err);
}

/* The new key (first half of the elements) and value go to their place in the cache, head by head. */
static void kv_append_body(struct warp *w, const struct step *s, uint32_t first)
{
    uint64_t lanes[32];

    op(w, "1 R2 IMAD.WIDE 2 R6 R7 0");
    op(w, "1 R9 SHF.R.S32.HI 2 R255 R6 0");
    op(w, "1 R10 LOP3.LUT 2 R6 R255 0");
    op(w, "1 R4 IMAD.WIDE 3 R9 R7 R10 0");
    mem(w, "1 R8 LDG.E.U16 1 R2 2", activation(ACT_QKV) + (uint64_t)(MODEL_WIDTH + first) * HALF, HALF);
    for (uint32_t i = 0; i < 32; i++) {
        uint32_t element = (first + i) % KV_WIDTH, head = element / HEAD_WIDTH;
        uint64_t row = first + i < KV_WIDTH ? cached_key(s, head, s->position) : cached_value(s, head, s->position);

        lanes[i] = row + (uint64_t)(element % HEAD_WIDTH) * HALF;
    }
    gather(w, "0 STG.E.U16 2 R4 R8 2", lanes);
}

int kernel_kv_append(const struct step *s, struct err *err)
{
    return elementwise(s, "_ZN9synthetic9kv_appendEPK6__halfPS0_ii", 2 * KV_WIDTH, 64, kv_append_body, err);
}

/* Each token said before makes its logit smaller: a gather and a scatter by token number. */
static void penalty_body(struct warp *w, const struct step *s, uint32_t first)
{
    uint64_t lanes[32] = {0};
    uint32_t live = w->mask, positive;

    for (uint32_t i = 0; i < 32; i++)
        if (live >> i & 1)
            lanes[i] = activation(ACT_LOGITS) + (uint64_t)s->history[first + i] * HALF;
    op(w, "1 R2 IMAD.WIDE 2 R6 R7 0");
    mem(w, "1 R8 LDG.E.CONSTANT 1 R2 4", area(AREA_TOKENS, 0) + (uint64_t)first * 4, 4);
    op(w, "1 R4 IMAD.WIDE 3 R8 R7 R10 0");
    gather(w, "1 R9 LDG.E.U16 1 R4 2", lanes);
    op(w, "1 R9 HADD2.F32 2 R255 R9 0");
    op(w, "0 FSETP.GT.AND 2 R9 R255 0");
    positive = live & rng_u32(s->rng);
    op(w, "0 BSSY 0 0");
    w->mask = live & ~positive;
    op(w, "0 BRA 0 0");
    w->mask = positive;
    if (positive) {
        op(w, "1 R9 FMUL 1 R9 0");
        op(w, "0 BRA 0 0");
    } else {
        w->pc += 32;
    }
    w->mask = live & ~positive;
    if (w->mask)
        op(w, "1 R9 FFMA 2 R9 R9 0");
    else
        w->pc += 16;
    w->mask = live;
    op(w, "0 BSYNC 0 0");
    op(w, "1 R9 F2F.F16.F32 1 R9 0");
    gather(w, "0 STG.E.U16 2 R4 R9 2", lanes);
}

int kernel_repetition_penalty(const struct step *s, struct err *err)
{
    return elementwise(s, "_ZN9synthetic18repetition_penaltyEPKiP6__halfi", s->position + 1, 64, penalty_body, err);
}

/* --- kernels with a reduction --- */

static void rmsnorm_warp(struct warp *w)
{
    uint64_t at = (uint64_t)w->number * 64;

    prologue(w);
    op(w, "1 R2 IMAD.WIDE 2 R6 R7 0");
    mem(w, "1 R4 LDG.E 1 R2 4", activation(ACT_RESIDUAL) + at * HALF, 4);
    op(w, "1 R12 HADD2.F32 2 R255 R4 0");
    op(w, "1 R13 HADD2.F32 2 R255 R4 0");
    op(w, "1 R8 FMUL 2 R12 R12 0");
    op(w, "1 R8 FFMA 3 R13 R13 R8 0");
    cta_reduce(w, MODEL_WIDTH / 64, "1 R8 FADD 2 R8 R9 0");
    op(w, "1 R8 FFMA 1 R8 0");
    op(w, "1 R8 MUFU.RSQ 1 R8 0");
}

int kernel_rmsnorm(const struct step *s, struct err *err)
{
    struct kernel_shape k = {
        "_ZN9synthetic7rmsnormEPK6__halfS2_PS0_if", {1, 1, 1}, {MODEL_WIDTH / 2, 1, 1}, 32, 24};

    emit_kernel(s->e, &k);
    emit_cta(s->e, 0, 0);
    for (uint32_t n = 0; n < MODEL_WIDTH / 64; n++) {
        struct warp w = warp_begin(s->e, n);
        uint64_t at = (uint64_t)n * 64 * HALF;

        rmsnorm_warp(&w);
        mem(&w, "1 R14 LDG.E.CONSTANT 1 R16 4", weights(s->layer, W_NORM) + at, 4);
        op(&w, "1 R12 FMUL 2 R12 R8 0");
        op(&w, "1 R13 FMUL 2 R13 R8 0");
        op(&w, "1 R12 F2FP.PACK_AB 2 R13 R12 0");
        op(&w, "1 R12 HMUL2 2 R12 R14 0");
        mem(&w, "0 STG.E 2 R18 R12 4", activation(ACT_NORM) + at, 4);
        exit_warp(&w);
        warp_end(&w);
    }
    emit_cta_end(s->e);
    return emit_kernel_end(s->e, err);
}

/* --- attention over the keys and values so far --- */

#define KEYS_PER_CTA 128

static uint64_t scores(uint32_t head)
{
    return activation(ACT_SCORES) + (uint64_t)head * POSITIONS_MAX * 4;
}

/* A key a lane: the query, in shared memory, times the key's 32 elements, 16 bytes at a time. */
static void scores_warp(struct warp *w, const struct step *s, uint32_t head, uint32_t first)
{
    uint32_t keys = s->position + 1;

    prologue(w);
    op(w, "0 ISETP.GE.AND 1 R3 0");
    w->mask = w->number == 0 ? lanes_below(HEAD_WIDTH / 2) : 0;
    mem(w, "1 R4 LDG.E.CONSTANT 1 R12 4", activation(ACT_QKV) + (uint64_t)head * HEAD_WIDTH * HALF, 4);
    mem(w, "0 STS 2 R13 R4 4", 0, 4);
    w->mask = UINT32_MAX;
    op(w, "0 NOP 0 0");
    op(w, "0 BAR.SYNC.DEFER_BLOCKING 0 0");
    if (!bounds_check(w, keys > first ? lanes_below(keys - first) : 0))
        return;
    op(w, "1 R2 IMAD.WIDE 3 R6 R14 R16 0");
    op(w, "1 R28 IMAD.MOV.U32 2 R255 R255 0");
    for (uint32_t part = 0; part < HEAD_WIDTH * HALF / 16; part++) {
        mem(w, "1 R20 LDG.E.128 1 R2 16", cached_key(s, head / 4, first) + (uint64_t)part * 16,
            (int64_t)HEAD_WIDTH * HALF);
        mem(w, "1 R24 LDS.128 1 R255 16", (uint64_t)part * 16, 0);
        op(w, "1 R28 HFMA2.MMA 3 R20 R24 R28 0");
        op(w, "1 R28 HFMA2 3 R21 R25 R28 0");
        op(w, "1 R28 HFMA2.MMA 3 R22 R26 R28 0");
        op(w, "1 R28 HFMA2 3 R23 R27 R28 0");
    }
    op(w, "1 R29 HADD2.F32 2 R255 R28 0");
    op(w, "1 R29 FMUL 1 R29 0");
    op(w, "1 R4 IMAD.WIDE 3 R6 R7 R10 0");
    mem(w, "0 STG.E 2 R4 R29 4", scores(head) + (uint64_t)first * 4, 4);
    exit_warp(w);
}

int kernel_attention_scores(const struct step *s, struct err *err)
{
    struct kernel_shape k = {"_ZN9synthetic16attention_scoresEPK6__halfS2_Pfii",
                             {CTAS(s->position + 1, KEYS_PER_CTA), HEADS, 1},
                             {KEYS_PER_CTA, 1, 1},
                             HEAD_WIDTH * HALF,
                             36};

    emit_kernel(s->e, &k);
    for (uint32_t head = 0; head < HEADS; head++)
        for (uint32_t cta = 0; cta < k.grid[0]; cta++) {
            emit_cta(s->e, cta, head);
            for (uint32_t n = 0; n < WARPS(KEYS_PER_CTA); n++) {
                struct warp w = warp_begin(s->e, n);

                scores_warp(&w, s, head, cta * KEYS_PER_CTA + n * 32);
                warp_end(&w);
            }
            emit_cta_end(s->e);
        }
    return emit_kernel_end(s->e, err);
}

/* One pass of a CTA over the scores of a head; R8 gathers what the pass is for. */
static void softmax_pass(struct warp *w, uint32_t head, uint32_t keys, const char *gather_op, bool writes)
{
    uint32_t top = w->pc;

    for (uint32_t first = w->number * 32; first < keys || first == w->number * 32; first += KEYS_PER_CTA) {
        w->pc = top;
        w->mask = keys > first ? lanes_below(keys - first) : 0;
        mem(w, "1 R4 LDG.E 1 R2 4", scores(head) + (uint64_t)first * 4, 4);
        if (writes) {
            op(w, "1 R5 FADD 2 R4 R12 0");
            op(w, "1 R4 MUFU.EX2 1 R5 0");
            mem(w, "0 STG.E 2 R2 R4 4", scores(head) + (uint64_t)first * 4, 4);
        }
        op(w, gather_op);
        w->mask = UINT32_MAX;
        op(w, "1 R6 IADD3 2 R6 R255 0");
        op(w, "0 ISETP.GE.AND 1 R6 0");
        op(w, "0 BRA 0 0");
    }
}

int kernel_softmax(const struct step *s, struct err *err)
{
    struct kernel_shape k = {"_ZN9synthetic7softmaxEPfi", {HEADS, 1, 1}, {KEYS_PER_CTA, 1, 1}, 32, 20};
    uint32_t warps = WARPS(KEYS_PER_CTA), keys = s->position + 1;

    emit_kernel(s->e, &k);
    for (uint32_t head = 0; head < HEADS; head++) {
        emit_cta(s->e, head, 0);
        for (uint32_t n = 0; n < warps; n++) {
            struct warp w = warp_begin(s->e, n);

            prologue(&w);
            softmax_pass(&w, head, keys, "1 R8 FMNMX 2 R8 R4 0", false);
            cta_reduce(&w, warps, "1 R8 FMNMX 2 R8 R9 0");
            op(&w, "1 R12 FADD 2 R255 R8 0");
            softmax_pass(&w, head, keys, "1 R8 FADD 2 R8 R4 0", true);
            cta_reduce(&w, warps, "1 R8 FADD 2 R8 R9 0");
            op(&w, "1 R12 MUFU.RCP 1 R8 0");
            softmax_pass(&w, head, keys, "1 R8 FMUL 2 R4 R12 0", true);
            exit_warp(&w);
            warp_end(&w);
        }
        emit_cta_end(s->e);
    }
    return emit_kernel_end(s->e, err);
}

/* An element of the head a lane; the four warps share out the keys. A key whose weight is nearly zero is passed
 * over: how many are is what differs most from launch to launch. */
static void values_warp(struct warp *w, const struct step *s, uint32_t head, double share_kept)
{
    uint32_t top;

    prologue(w);
    op(w, "1 R8 IMAD.MOV.U32 2 R255 R255 0");
    top = w->pc;
    for (uint32_t key = w->number; key <= s->position; key += 4) {
        w->pc = top;
        mem(w, "1 R4 LDG.E.CONSTANT 1 R2 4", scores(head) + (uint64_t)key * 4, 0);
        op(w, "0 FSETP.GEU.AND 1 R4 0");
        op(w, "0 BRA 0 0");
        if (rng_unit(s->rng) < share_kept) {
            op(w, "1 R10 IMAD.WIDE 3 R6 R7 R14 0");
            mem(w, "1 R5 LDG.E.U16 1 R10 2", cached_value(s, head / 4, key), HALF);
            op(w, "1 R9 HADD2.F32 2 R255 R5 0");
            op(w, "1 R8 FFMA 3 R4 R9 R8 0");
        }
        w->pc = top + 7 * 16;
        op(w, "1 R6 IADD3 2 R6 R255 0");
        op(w, "0 ISETP.GE.AND 1 R6 0");
        op(w, "0 BRA 0 0");
    }
    w->pc = top + 10 * 16;
    mem(w, "0 STS 2 R13 R8 4", (uint64_t)w->number * 128, 4);
    op(w, "0 NOP 0 0");
    op(w, "0 BAR.SYNC.DEFER_BLOCKING 0 0");
    if (!bounds_check(w, w->number == 0 ? UINT32_MAX : 0))
        return;
    for (uint32_t part = 1; part < 4; part++) {
        mem(w, "1 R9 LDS 1 R13 4", (uint64_t)part * 128, 4);
        op(w, "1 R8 FADD 2 R8 R9 0");
    }
    op(w, "1 R8 F2F.F16.F32 1 R8 0");
    mem(w, "0 STG.E.U16 2 R16 R8 2", activation(ACT_HEADS) + (uint64_t)head * HEAD_WIDTH * HALF, HALF);
    exit_warp(w);
}

int kernel_attention_values(const struct step *s, struct err *err)
{
    struct kernel_shape k = {
        "_ZN9synthetic16attention_valuesEPKfPK6__halfPS2_ii", {HEADS, 1, 1}, {128, 1, 1}, 512, 24};
    double share_kept = 0.3 + 0.6 * rng_unit(s->rng);

    emit_kernel(s->e, &k);
    for (uint32_t head = 0; head < HEADS; head++) {
        emit_cta(s->e, head, 0);
        for (uint32_t n = 0; n < 4; n++) {
            struct warp w = warp_begin(s->e, n);

            values_warp(&w, s, head, share_kept);
            warp_end(&w);
        }
        emit_cta_end(s->e);
    }
    return emit_kernel_end(s->e, err);
}

/* --- the next token --- */

/* Each thread looks at every 128th logit and keeps the better one: lanes that do are few, and any. */
static void argmax_warp(struct warp *w, const struct step *s)
{
    uint32_t top;

    prologue(w);
    op(w, "1 R8 MOV 0 0");
    top = w->pc;
    for (uint32_t first = w->number * 32; first < VOCABULARY; first += 128) {
        uint32_t live = lanes_below(VOCABULARY - first);

        w->pc = top;
        w->mask = live;
        mem(w, "1 R4 LDG.E.U16 1 R2 2", activation(ACT_LOGITS) + (uint64_t)first * HALF, HALF);
        op(w, "1 R4 HADD2.F32 2 R255 R4 0");
        op(w, "0 FSETP.GT.AND 2 R4 R8 0");
        w->mask = live & rng_u32(s->rng) & rng_u32(s->rng);
        op(w, "1 R8 FSEL 2 R4 R8 0");
        op(w, "1 R7 SEL 2 R6 R7 0");
        w->mask = UINT32_MAX;
        op(w, "1 R6 IADD3 2 R6 R255 0");
        op(w, "0 ISETP.GE.AND 1 R6 0");
        op(w, "0 BRA 0 0");
    }
    cta_reduce(w, 4, "1 R8 FMNMX 2 R8 R9 0");
    w->mask = w->number == 0 ? 1 : 0;
    mem(w, "0 STG.E 2 R10 R7 4", activation(ACT_BEST), 0);
    w->mask = UINT32_MAX;
    exit_warp(w);
}

int kernel_argmax(const struct step *s, struct err *err)
{
    struct kernel_shape k = {"_ZN9synthetic6argmaxEPK6__halfPii", {1, 1, 1}, {128, 1, 1}, 32, 20};

    emit_kernel(s->e, &k);
    emit_cta(s->e, 0, 0);
    for (uint32_t n = 0; n < 4; n++) {
        struct warp w = warp_begin(s->e, n);

        argmax_warp(&w, s);
        warp_end(&w);
    }
    emit_cta_end(s->e);
    return emit_kernel_end(s->e, err);
}
