/* Computes the expected results of tiny_gpt.cu (tokens and logits) with the same model in plain C, token by token,
 * in double. Writes tokens.u32 and logits.f32 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "examples/random.h"
#include "examples/write_file.h"
#include "examples/tiny-gpt/model.h"

struct model {
    float *w[WEIGHTS_COUNT];
    double keys[LAYERS][CONTEXT][WIDTH], values[LAYERS][CONTEXT][WIDTH];
    uint32_t tokens[REQUESTS][CONTEXT];
    float logits[REQUESTS][VOCABULARY];
    double margin; /* the smallest lead of a chosen token over the second best */
};

static int fill(struct model *m)
{
    for (int i = 0; i < WEIGHTS_COUNT; i++) {
        m->w[i] = malloc((size_t)weights[i].count * sizeof *m->w[i]);
        if (!m->w[i])
            return -1;
        for (int k = 0; k < weights[i].count; k++)
            m->w[i][k] = random_float((uint64_t)weights[i].seed, (uint64_t)k, weights[i].low, weights[i].high);
    }
    for (uint64_t k = 0; k < (uint64_t)REQUESTS * CONTEXT; k++)
        m->tokens[k / CONTEXT][k % CONTEXT] = random_below(TOKENS_SEED, k, VOCABULARY);
    m->margin = HUGE_VAL;
    return 0;
}

/* y = x w + bias */
static void linear(const struct model *m, double *y, const double *x, int w, int layer, int inputs, int outputs)
{
    const float *weight = m->w[w] + (size_t)layer * (size_t)(inputs * outputs);

    for (int o = 0; o < outputs; o++) {
        y[o] = w == W_HEAD ? 0 : (double)m->w[w + 1][layer * outputs + o];
        for (int i = 0; i < inputs; i++)
            y[o] += x[i] * (double)weight[i * outputs + o];
    }
}

static void layer_norm(const struct model *m, double *y, const double *x, int norm)
{
    double mean = 0, variance = 0;

    for (int i = 0; i < WIDTH; i++)
        mean += x[i] / WIDTH;
    for (int i = 0; i < WIDTH; i++)
        variance += (x[i] - mean) * (x[i] - mean) / WIDTH;
    for (int i = 0; i < WIDTH; i++)
        y[i] = (x[i] - mean) / sqrt(variance + 1e-5) * (double)m->w[GAIN][norm * WIDTH + i] +
               (double)m->w[SHIFT][norm * WIDTH + i];
}

static void attention(struct model *m, double *found, const double *qkv, int layer, int position)
{
    for (int i = 0; i < WIDTH; i++) {
        m->keys[layer][position][i] = qkv[WIDTH + i];
        m->values[layer][position][i] = qkv[2 * WIDTH + i];
        found[i] = 0;
    }
    for (int head = 0; head < WIDTH; head += HEAD) {
        double weight[CONTEXT], most = -HUGE_VAL, sum = 0;

        for (int t = 0; t <= position; t++) {
            weight[t] = 0;
            for (int i = head; i < head + HEAD; i++)
                weight[t] += qkv[i] * m->keys[layer][t][i] / sqrt(HEAD);
            most = fmax(most, weight[t]);
        }
        for (int t = 0; t <= position; t++)
            sum += weight[t] = exp(weight[t] - most);
        for (int t = 0; t <= position; t++)
            for (int i = head; i < head + HEAD; i++)
                found[i] += weight[t] / sum * m->values[layer][t][i];
    }
}

static double gelu(double x)
{
    return 0.5 * x * (1 + tanh(sqrt(2 / M_PI) * (x + 0.044715 * x * x * x)));
}

/* Runs all layers for the token at `position`, and appends its keys and values to the cache. */
static void forward(struct model *m, double *x, uint32_t token, int position)
{
    double normed[WIDTH], qkv[QKV], found[WIDTH], hidden[HIDDEN], change[WIDTH];

    for (int i = 0; i < WIDTH; i++)
        x[i] = (double)m->w[TOKEN_TABLE][token * WIDTH + (uint32_t)i] +
               (double)m->w[POSITION_TABLE][position * WIDTH + i];
    for (int layer = 0; layer < LAYERS; layer++) {
        layer_norm(m, normed, x, 2 * layer);
        linear(m, qkv, normed, W_QKV, layer, WIDTH, QKV);
        attention(m, found, qkv, layer, position);
        linear(m, change, found, W_PROJECT, layer, WIDTH, WIDTH);
        for (int i = 0; i < WIDTH; i++)
            x[i] += change[i];
        layer_norm(m, normed, x, 2 * layer + 1);
        linear(m, hidden, normed, W_WIDEN, layer, WIDTH, HIDDEN);
        for (int i = 0; i < HIDDEN; i++)
            hidden[i] = gelu(hidden[i]);
        linear(m, change, hidden, W_NARROW, layer, HIDDEN, WIDTH);
        for (int i = 0; i < WIDTH; i++)
            x[i] += change[i];
    }
}

static uint32_t choose(struct model *m, const double *x, float *logits)
{
    double normed[WIDTH], y[VOCABULARY], second = -HUGE_VAL;
    int best = 0;

    layer_norm(m, normed, x, 2 * LAYERS);
    linear(m, y, normed, W_HEAD, 0, WIDTH, VOCABULARY);
    for (int i = 1; i < VOCABULARY; i++)
        if (y[i] > y[best])
            best = i;
    for (int i = 0; i < VOCABULARY; i++) {
        logits[i] = (float)y[i];
        if (i != best)
            second = fmax(second, y[i]);
    }
    m->margin = fmin(m->margin, y[best] - second);
    return (uint32_t)best;
}

int main(void)
{
    static struct model m;
    double x[WIDTH];

    if (fill(&m))
        return 1;
    for (int r = 0; r < REQUESTS; r++)
        for (int p = 0; p < requests[r].prompt + requests[r].answer - 1; p++) {
            forward(&m, x, m.tokens[r][p], p);
            if (p >= requests[r].prompt - 1)
                m.tokens[r][p + 1] = choose(&m, x, m.logits[r]);
        }
    for (int i = 0; i < WEIGHTS_COUNT; i++)
        free(m.w[i]);
    fprintf(stderr, "smallest lead of a chosen token: %g\n", m.margin);
    return write_file("tokens.u32", m.tokens, sizeof m.tokens) ||
           write_file("logits.f32", m.logits, sizeof m.logits);
}
