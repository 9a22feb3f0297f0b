/* tracegen: makes the synthetic example workload, kernel traces of a small transformer that decodes token after
 * token while its key-value cache grows. Nothing was recorded on a GPU; the kernels' names say `synthetic`. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "examples/tracegen/kernels.h"

#define PROMPT_TOKENS 32 /* in the cache before the first step */
#define LAYERS_MAX    64
#define STEPS_MAX     (POSITIONS_MAX - PROMPT_TOKENS)

struct options {
    const char *out;
    uint64_t layers, steps, every, seed;
};

typedef int (*kernel_fn)(const struct step *s, struct err *err);

static const kernel_fn before_layers[] = {kernel_embedding};
static const kernel_fn in_each_layer[] = {
    kernel_rmsnorm,          kernel_qkv_projection,     kernel_rope,
    kernel_kv_append,        kernel_attention_scores,   kernel_softmax,
    kernel_attention_values, kernel_out_projection,     kernel_residual_add,
    kernel_rmsnorm,          kernel_gate_up_projection, kernel_silu_multiply,
    kernel_down_projection,  kernel_residual_add,
};
static const kernel_fn behind_layers[] = {kernel_rmsnorm, kernel_logits, kernel_repetition_penalty, kernel_argmax};

#define COUNT(array) (sizeof(array) / sizeof *(array))

static int run(const struct step *s, const kernel_fn *kernels, size_t n, struct err *err)
{
    for (size_t i = 0; i < n; i++)
        if (kernels[i](s, err) < 0)
            return -1;
    return 0;
}

static int decode_step(struct step *s, uint64_t layers, struct err *err)
{
    s->layer = 0;
    if (run(s, before_layers, COUNT(before_layers), err) < 0)
        return -1;
    for (uint64_t layer = 0; layer < layers; layer++) {
        s->layer = (uint32_t)layer;
        if (run(s, in_each_layer, COUNT(in_each_layer), err) < 0)
            return -1;
    }
    s->layer = (uint32_t)layers; /* the last norm and the logits have weights of their own */
    return run(s, behind_layers, COUNT(behind_layers), err);
}

/* Weights and prompt come from the host. */
static void copies(struct emitter *e, uint64_t layers)
{
    for (uint32_t layer = 0; layer <= layers; layer++)
        emit_copy(e, area(AREA_WEIGHTS, layer), 6u << 20);
    emit_copy(e, area(AREA_EMBEDDINGS, 0), (uint64_t)VOCABULARY * MODEL_WIDTH * 2);
    emit_copy(e, area(AREA_TOKENS, 0), (uint64_t)PROMPT_TOKENS * 4);
}

static int generate(const struct options *o, struct emitter *e, struct err *err)
{
    static uint32_t history[POSITIONS_MAX];
    struct rng rng;
    struct step s = {.e = e, .rng = &rng, .history = history};

    rng_init(&rng, o->seed, 0, RNG_EXAMPLE);
    for (uint32_t i = 0; i < POSITIONS_MAX; i++)
        history[i] = (uint32_t)rng_below(&rng, VOCABULARY);
    copies(e, o->layers);
    for (uint64_t step = 0; step < o->steps; step++) {
        s.position = PROMPT_TOKENS + (uint32_t)(step * o->every);
        s.token = history[s.position];
        if (decode_step(&s, o->layers, err) < 0)
            return -1;
    }
    return 0;
}

static void usage(FILE *to)
{
    fputs("usage: tracegen --out FILE.tar.zst [--layers N] [--steps N] [--every N] [--seed S]\n"
          "\n"
          "Writes synthetic kernel traces (Accel-Sim version 5) of a small transformer that decodes tokens.\n"
          "Of the decoding steps every N-th is written (6), so that the attention's work grows with few launches.\n"
          "The defaults, 2 layers and 64 steps, give 2112 kernel launches. Equal options give equal traces.\n",
          to);
}

static int option_number(const char *name, const char *text, uint64_t least, uint64_t most, uint64_t *out,
                         struct err *e)
{
    if (parse_u64(text, name, out, e) < 0)
        return -1;
    if (*out < least || *out > most)
        return err_set(e, ERR_USAGE, "%s: %s is not between %llu and %llu", name, text, (unsigned long long)least,
                       (unsigned long long)most);
    return 0;
}

static int take_option(struct options *o, const char *name, const char *value, struct err *e)
{
    if (!value)
        return err_set(e, ERR_USAGE, "%s: a value is missing, or there is no such option", name);
    if (strcmp(name, "--out") == 0) {
        o->out = value;
        return 0;
    }
    if (strcmp(name, "--layers") == 0)
        return option_number(name, value, 1, LAYERS_MAX, &o->layers, e);
    if (strcmp(name, "--steps") == 0)
        return option_number(name, value, 1, STEPS_MAX, &o->steps, e);
    if (strcmp(name, "--every") == 0)
        return option_number(name, value, 1, STEPS_MAX, &o->every, e);
    if (strcmp(name, "--seed") == 0)
        return option_number(name, value, 0, UINT64_MAX, &o->seed, e);
    return err_set(e, ERR_USAGE, "%s: there is no such option", name);
}

static int parse_options(int argc, char **argv, struct options *o, struct err *e)
{
    *o = (struct options){.layers = 2, .steps = 64, .every = 6, .seed = 1};
    for (int i = 1; i < argc; i += 2)
        if (take_option(o, argv[i], i + 1 < argc ? argv[i + 1] : NULL, e) < 0)
            return -1;
    if (!o->out) {
        err_set(e, ERR_USAGE, "--out is missing");
        return -1;
    }
    if (o->steps > STEPS_MAX / o->every)
        return err_set(e, ERR_USAGE, "%llu steps, every %llu-th written, decode more than %d tokens",
                       (unsigned long long)o->steps, (unsigned long long)o->every, STEPS_MAX);
    return 0;
}

static int write_example(const struct options *o, struct emitter *e, struct err *err)
{
    struct err ignored; /* the first one counts */
    int ret = generate(o, e, err);

    if (emit_close(e, ret < 0 ? &ignored : err) < 0 || ret < 0)
        return -1;
    printf("%s: synthetic, %llu kernels, %llu warp instructions\n", o->out, (unsigned long long)e->kernels,
           (unsigned long long)e->instructions);
    return 0;
}

/* Half an example is worse than none; but what was there before us, a device say, stays. */
static void discard(const char *path)
{
    struct stat st;

    if (lstat(path, &st) == 0 && S_ISREG(st.st_mode))
        unlink(path);
}

int main(int argc, char **argv)
{
    struct options o;
    struct emitter e;
    struct err err;

    if (argc == 2 && strcmp(argv[1], "--help") == 0) {
        usage(stdout);
        return 0;
    }
    if (parse_options(argc, argv, &o, &err) < 0) {
        fprintf(stderr, "tracegen: %s\n", err.text);
        usage(stderr);
        return err_exit_code(err.code);
    }
    if (emit_open(&e, o.out, &err) == 0) {
        if (write_example(&o, &e, &err) == 0)
            return 0;
        discard(o.out);
    }
    fprintf(stderr, "tracegen: %s\n", err.text);
    return err_exit_code(err.code);
}
