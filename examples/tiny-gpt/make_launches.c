/* Writes to stdout the launch list of the model: the launches of a program that answers the requests. `make
 * examples-results` stores it in its file. */
#include <stdio.h>

#include "examples/tiny-gpt/model.h"

static const char *separator = "";

static void begin(const char *kernel)
{
    printf("%s\n{\"launch\":{\"kernel\":\"%s\",\"grid\":", separator, kernel);
    separator = ",";
}
static void shape(int gx, int gy, int gz, int bx, int by)
{
    printf("[%d,%d,%d],\"block\":[%d,%d],\"params\":[", gx, gy, gz, bx, by);
}
/* Parameters; the last one is a number. */
static void values(const char *buffer, int first)
{
    printf("{\"ptr\":\"%s+%d\"},", buffer, 4 * first);
}
static void integer(int value)
{
    printf("{\"s32\":%d},", value);
}
static void last(int value)
{
    printf("{\"s32\":%d}]}}", value);
}
static void matrix(const char *buffer, int first, int row, int batch)
{
    printf("{\"struct\":[{\"ptr\":\"%s+%d\"},{\"s32\":%d},{\"s32\":%d}]},", buffer, 4 * first, row, batch);
}
static void no_bias(void)
{
    printf("{\"u64\":0},");
}
static void scale(void) /* log2(e) / sqrt(HEAD) */
{
    printf("{\"f32\":0.25503486},");
}
static int over(int n, int each)
{
    return (n + each - 1) / each;
}

/* position, rows and request select the tokens: those of a prompt or a single one. */
static void embed(int request, int position, int rows, int warps)
{
    begin("embed");
    shape(over(rows, warps), 1, 1, 32, warps);
    values("x", 0), values("tokens", request * CONTEXT), values("token_table", 0), values("position_table", 0);
    integer(position), integer(rows), last(WIDTH);
}
/* norm: index of one of the model's 2 * LAYERS + 1 norms. */
static void layer_norm(int norm, int from_row, int rows, int warps)
{
    begin("layer_norm");
    shape(over(rows, warps), 1, 1, 32, warps);
    values("normed", 0), values("x", from_row * WIDTH), values("gain", norm * WIDTH), values("shift", norm * WIDTH);
    integer(rows), last(WIDTH);
}
static void append_cache(int layer, int position, int rows)
{
    begin("append_cache");
    shape(rows, 1, 1, WIDTH, 1);
    values("keys", layer * WIDTH * CONTEXT), values("values", layer * WIDTH * CONTEXT), values("qkv", 0);
    integer(position), last(CONTEXT);
}
static void head(int request, int position)
{
    begin("gemv");
    shape(VOCABULARY / 32, 1, 1, 32, 8);
    values("logits", request * VOCABULARY), values("normed", 0), values("w_head", 0), no_bias();
    integer(WIDTH), last(VOCABULARY);
    begin("argmax");
    shape(1, 1, 1, 256, 1);
    values("tokens", request * CONTEXT + position + 1), values("logits", request * VOCABULARY), last(VOCABULARY);
}

static void linear(const char *y, const char *x, enum weights_name w, int layer, int rows, int inputs, int outputs)
{
    begin("matmul");
    shape(over(outputs, 64), over(rows, 32), 1, 128, 1);
    matrix(y, 0, outputs, 0), matrix(x, 0, inputs, 0);
    matrix(weights[w].name, layer * inputs * outputs, outputs, 0), values(weights[w + 1].name, layer * outputs);
    integer(rows), integer(outputs), last(inputs);
}
static void elementwise(const char *kernel, const char *x, const char *y, int n)
{
    begin(kernel);
    shape(over(n, 512), 1, 1, 128, 1);
    values(x, 0);
    if (y)
        values(y, 0);
    last(n);
}
static void prompt_attention(int layer, int rows)
{
    int padded = over(rows, 16) * 16, cache = layer * WIDTH * CONTEXT;

    begin("matmul"); /* scores = queries keys, for each head */
    shape(over(rows, 64), over(rows, 32), HEADS, 128, 1);
    matrix("scores", 0, CONTEXT, CONTEXT * CONTEXT), matrix("qkv", 0, QKV, HEAD);
    matrix("keys", cache, CONTEXT, HEAD * CONTEXT), no_bias();
    integer(rows), integer(over(rows, 4) * 4), last(HEAD);
    begin("softmax_causal");
    shape(over(rows, 4), HEADS, 1, 32, 4);
    values("scores", 0), scale(), integer(rows), integer(padded), last(CONTEXT);
    begin("matmul"); /* found = scores values; scores hold the attention weights */
    shape(1, over(rows, 32), HEADS, 128, 1);
    matrix("found", 0, WIDTH, HEAD), matrix("scores", 0, CONTEXT, CONTEXT * CONTEXT);
    matrix("values", cache, HEAD, HEAD * CONTEXT), no_bias();
    integer(rows), integer(HEAD), last(padded);
}
static void prompt(int request)
{
    int rows = requests[request].prompt;

    embed(request, 0, rows, 4);
    for (int layer = 0; layer < LAYERS; layer++) {
        layer_norm(2 * layer, 0, rows, 4);
        linear("qkv", "normed", W_QKV, layer, rows, WIDTH, QKV);
        append_cache(layer, 0, rows);
        prompt_attention(layer, rows);
        linear("change", "found", W_PROJECT, layer, rows, WIDTH, WIDTH);
        elementwise("add", "x", "change", rows * WIDTH);
        layer_norm(2 * layer + 1, 0, rows, 4);
        linear("hidden", "normed", W_WIDEN, layer, rows, WIDTH, HIDDEN);
        elementwise("gelu", "hidden", NULL, rows * HIDDEN);
        linear("change", "hidden", W_NARROW, layer, rows, HIDDEN, WIDTH);
        elementwise("add", "x", "change", rows * WIDTH);
    }
    layer_norm(2 * LAYERS, rows - 1, 1, 1);
    head(request, rows - 1);
}

static void gemv(const char *kernel, const char *y, const char *x, enum weights_name w, int layer, int inputs,
                 int outputs)
{
    begin(kernel);
    shape(outputs / 32, 1, 1, 32, 8);
    values(y, 0), values(x, 0), values(weights[w].name, layer * inputs * outputs);
    values(weights[w + 1].name, layer * outputs), integer(inputs), last(outputs);
}
static void token(int request, int position)
{
    int chunks = over(position + 1, CHUNK);

    embed(request, position, 1, 1);
    for (int layer = 0; layer < LAYERS; layer++) {
        layer_norm(2 * layer, 0, 1, 1);
        gemv("gemv", "qkv", "normed", W_QKV, layer, WIDTH, QKV);
        append_cache(layer, position, 1);
        begin("attention_partial");
        shape(chunks, HEADS, 1, 32, 4);
        values("part", 0), values("stats", 0), values("qkv", 0);
        values("keys", layer * WIDTH * CONTEXT), values("values", layer * WIDTH * CONTEXT), scale();
        integer(position + 1), last(CONTEXT);
        begin("attention_combine");
        shape(HEADS, 1, 1, HEAD, 1);
        values("found", 0), values("part", 0), values("stats", 0), last(chunks);
        gemv("gemv_add", "x", "found", W_PROJECT, layer, WIDTH, WIDTH);
        layer_norm(2 * layer + 1, 0, 1, 1);
        gemv("gemv_gelu", "hidden", "normed", W_WIDEN, layer, WIDTH, HIDDEN);
        gemv("gemv_add", "x", "hidden", W_NARROW, layer, HIDDEN, WIDTH);
    }
    layer_norm(2 * LAYERS, 0, 1, 1);
    head(request, position);
}

static void buffer(const char *name, int count)
{
    printf(",\n\"%s\":{\"type\":\"f32\",\"count\":%d}", name, count);
}
static void buffers(void)
{
    printf("\"tokens\":{\"type\":\"u32\",\"count\":%d,\"init\":{\"random\":\"uniform\",\"seed\":%d,\"lo\":0,\"hi\":"
           "%d}}",
           REQUESTS * CONTEXT, TOKENS_SEED, VOCABULARY);
    for (int i = 0; i < WEIGHTS_COUNT; i++)
        printf(",\n\"%s\":{\"type\":\"f32\",\"count\":%d,\"init\":{\"random\":\"uniform\",\"seed\":%d,\"lo\":%g,"
               "\"hi\":%g}}",
               weights[i].name, weights[i].count, weights[i].seed, weights[i].low, weights[i].high);
    buffer("x", CONTEXT * WIDTH);
    buffer("normed", CONTEXT * WIDTH);
    buffer("qkv", CONTEXT * QKV);
    buffer("keys", LAYERS * WIDTH * CONTEXT);
    buffer("values", LAYERS * WIDTH * CONTEXT);
    buffer("scores", HEADS * CONTEXT * CONTEXT);
    buffer("part", HEADS * (CONTEXT / CHUNK) * HEAD);
    buffer("stats", HEADS * (CONTEXT / CHUNK) * 2);
    buffer("found", CONTEXT * WIDTH);
    buffer("change", CONTEXT * WIDTH);
    buffer("hidden", CONTEXT * HIDDEN);
    buffer("logits", REQUESTS * VOCABULARY);
}

int main(void)
{
    printf("{\"format\":\"vivace-launch-list\",\"version\":1,\n\"modules\":{\"m\":\"tiny_gpt.ptx\"},\n\"buffers\":{"
           "\n");
    buffers();
    printf("},\n\"steps\":[");
    for (int request = 0; request < REQUESTS; request++) {
        int first = requests[request].prompt;

        prompt(request);
        for (int i = 0; i < requests[request].answer - 1; i++)
            token(request, first + i);
    }
    printf("],\n\"expect\":[\n{\"buffer\":\"tokens\",\"file\":\"tokens.u32\"},\n"
           "{\"buffer\":\"logits\",\"file\":\"logits.f32\",\"rtol\":1e-4,\"atol\":1e-4}]}\n");
    return 0;
}
