/* The model's sizes and its requests, for the writer of the launch list and for the reference. */
#ifndef VIVACE_EXAMPLES_TINY_GPT_MODEL_H
#define VIVACE_EXAMPLES_TINY_GPT_MODEL_H

enum {
    WIDTH = 128, /* of a token's vector */
    HEADS = 4,
    HEAD = WIDTH / HEADS,
    QKV = 3 * WIDTH, /* queries, keys and values of a token, side by side */
    HIDDEN = 4 * WIDTH,
    LAYERS = 4,
    VOCABULARY = 1024,
    CONTEXT = 128, /* most tokens of a request */
    CHUNK = 32,    /* keys that one block of attention_partial looks at */
    REQUESTS = 3,
};

/* Requests are answered one after the other: the prompt at once, then token by token. */
static const struct request {
    int prompt, answer; /* tokens */
} requests[REQUESTS] = {{30, 17}, {90, 14}, {23, 19}};

/* Weights are uniform in [-reach, reach) around a middle; seeds are of SplitMix64 (docs/formats/launch-list.md).
 * The reach of a matrix is about sqrt(3 / inputs), which keeps what flows through the layers near 1. */
struct weights {
    const char *name;
    int count, seed;
    double low, high;
};
enum weights_name { /* a matrix's bias follows it */
                    TOKEN_TABLE,
                    POSITION_TABLE,
                    GAIN, /* of layer norms: two a layer, and the last */
                    SHIFT,
                    W_QKV, /* matrices lie [layer][input][output] */
                    B_QKV,
                    W_PROJECT,
                    B_PROJECT,
                    W_WIDEN,
                    B_WIDEN,
                    W_NARROW,
                    B_NARROW,
                    W_HEAD,
                    WEIGHTS_COUNT
};
static const struct weights weights[WEIGHTS_COUNT] = {
    {"token_table", VOCABULARY *WIDTH, 1, -1, 1},
    {"position_table", CONTEXT *WIDTH, 2, -0.5, 0.5},
    {"gain", (2 * LAYERS + 1) * WIDTH, 3, 0.75, 1.25},
    {"shift", (2 * LAYERS + 1) * WIDTH, 4, -0.125, 0.125},
    {"w_qkv", LAYERS *WIDTH *QKV, 5, -0.1875, 0.1875},
    {"b_qkv", LAYERS *QKV, 6, -0.125, 0.125},
    {"w_project", LAYERS *WIDTH *WIDTH, 7, -0.15625, 0.15625},
    {"b_project", LAYERS *WIDTH, 8, -0.125, 0.125},
    {"w_widen", LAYERS *WIDTH *HIDDEN, 9, -0.15625, 0.15625},
    {"b_widen", LAYERS *HIDDEN, 10, -0.125, 0.125},
    {"w_narrow", LAYERS *HIDDEN *WIDTH, 11, -0.09375, 0.09375},
    {"b_narrow", LAYERS *WIDTH, 12, -0.125, 0.125},
    {"w_head", WIDTH *VOCABULARY, 13, -0.15625, 0.15625},
};
enum { TOKENS_SEED = 14 }; /* prompts: any tokens */

#endif
