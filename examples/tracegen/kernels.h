/* examples/tracegen/kernels.h: the kernels of a small transformer that decodes one token at a time, written as the
 * warp instructions that such kernels execute on an sm_80 GPU. The numbers they would compute are not computed;
 * where the path depends on data, a random draw decides. */
#ifndef VIVACE_EXAMPLES_TRACEGEN_KERNELS_H
#define VIVACE_EXAMPLES_TRACEGEN_KERNELS_H

#include "base/rng.h"
#include "examples/tracegen/emit.h"

/* The model: elements are 2 bytes (fp16) unless said. */
enum {
    MODEL_WIDTH = 256,
    HEADS = 8,
    HEAD_WIDTH = 32,
    KV_WIDTH = 64, /* two heads of keys and of values, shared by eight heads of queries */
    QKV_ROWS = MODEL_WIDTH + 2 * KV_WIDTH,
    MLP_WIDTH = 304, /* no multiple of a warp's vectors, so that there are tails */
    VOCABULARY = 400,
    POSITIONS_MAX = 4096
};

struct step {
    struct emitter *e;
    struct rng *rng;
    uint32_t layer, position; /* tokens in the cache before this one */
    uint32_t token;
    const uint32_t *history; /* of position + 1 tokens */
};

int kernel_embedding(const struct step *s, struct err *err);
int kernel_rmsnorm(const struct step *s, struct err *err);
int kernel_qkv_projection(const struct step *s, struct err *err);
int kernel_rope(const struct step *s, struct err *err);
int kernel_kv_append(const struct step *s, struct err *err);
int kernel_attention_scores(const struct step *s, struct err *err);
int kernel_softmax(const struct step *s, struct err *err);
int kernel_attention_values(const struct step *s, struct err *err);
int kernel_out_projection(const struct step *s, struct err *err);
int kernel_residual_add(const struct step *s, struct err *err);
int kernel_gate_up_projection(const struct step *s, struct err *err);
int kernel_silu_multiply(const struct step *s, struct err *err);
int kernel_down_projection(const struct step *s, struct err *err);
int kernel_logits(const struct step *s, struct err *err);
int kernel_repetition_penalty(const struct step *s, struct err *err);
int kernel_argmax(const struct step *s, struct err *err);

/* Where things lie in the device memory of the imagined GPU. */
#define DEVICE_MEMORY 0x7f2c00000000ull
enum memory_area { AREA_TOKENS, AREA_EMBEDDINGS, AREA_WEIGHTS, AREA_CACHE, AREA_ROPE_TABLE, AREA_ACTIVATIONS };
uint64_t area(enum memory_area a, uint32_t layer);

#endif
