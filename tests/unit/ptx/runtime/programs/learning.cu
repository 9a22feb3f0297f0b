/* Kernels of machine learning: k-means, a layer forward and backward, softmax and layer norm with gradients,
 * attention with its gradient, cross entropy, AdamW. Results are compared with sums in double. */
#include "tests/unit/ptx/runtime/programs/check.h"

#define LOG2E 1.4426950408889634f
static inline __device__ float exp_of(float x)
{
    return EXP2(x * LOG2E);
}

/* --- k-means --- */

enum { POINTS = 500, FEATURES = 6, CENTRES = 5, ROUNDS = 4 };
__constant__ float centre[CENTRES * FEATURES];

__global__ void assign(int *member, float *sums, int *counts, const float *points, int n)
{
    __shared__ float here[CENTRES * FEATURES];
    __shared__ int members[CENTRES];
    int i = BLOCK(x) * THREADS(x) + THREAD(x), best = 0;
    float least = 1e30f;

    if (THREAD(x) < CENTRES * FEATURES)
        here[THREAD(x)] = 0;
    if (THREAD(x) < CENTRES)
        members[THREAD(x)] = 0;
    __syncthreads();
    if (i < n) {
        for (int c = 0; c < CENTRES; c++) {
            float d = 0;

            for (int f = 0; f < FEATURES; f++) {
                float gap = points[f * n + i] - centre[c * FEATURES + f];

                d += gap * gap;
            }
            if (d < least) {
                least = d;
                best = c;
            }
        }
        member[i] = best;
        atomicAdd(&members[best], 1);
        for (int f = 0; f < FEATURES; f++)
            asm volatile("{ .reg .f32 old; atom.add.f32 old, [%0], %1; }" ::"l"(&here[best * FEATURES + f]), "f"(points[f * n + i]) : "memory");
    }
    __syncthreads();
    if (THREAD(x) < CENTRES * FEATURES)
        asm volatile("red.add.f32 [%0], %1;" ::"l"(&sums[THREAD(x)]), "f"(here[THREAD(x)]) : "memory");
    if (THREAD(x) < CENTRES)
        atomicAdd(&counts[THREAD(x)], members[THREAD(x)]);
}

static void nearest(int *member, const float *points, const float *c)
{
    for (int i = 0; i < POINTS; i++) {
        double least = 1e300;

        for (int k = 0; k < CENTRES; k++) {
            double d = 0;

            for (int f = 0; f < FEATURES; f++)
                d += ((double)points[f * POINTS + i] - c[k * FEATURES + f]) * ((double)points[f * POINTS + i] - c[k * FEATURES + f]);
            if (d < least) {
                least = d;
                member[i] = k;
            }
        }
    }
}

static void clusters(void)
{
    float *points = noise_values<float>(POINTS * FEATURES, 64, 0, 1), c[CENTRES * FEATURES], *dp = on_device(points, POINTS * FEATURES);
    int *want = (int *)malloc(POINTS * sizeof *want), *member = on_device<int>(NULL, POINTS);

    for (int k = 0; k < CENTRES * FEATURES; k++)
        c[k] = points[k % FEATURES * POINTS + k / FEATURES];
    for (int r = 0; r < ROUNDS; r++) {
        float *sums = on_device<float>(NULL, CENTRES * FEATURES), *s;
        int *counts = on_device<int>(NULL, CENTRES), *n;

        CHECK(cudaMemcpyToSymbol(centre, c, sizeof c, 0, cudaMemcpyHostToDevice));
        assign<<<(POINTS + 127) / 128, 128>>>(member, sums, counts, dp, POINTS);
        nearest(want, points, c);
        s = from_device(sums, CENTRES * FEATURES);
        n = from_device(counts, CENTRES);
        for (int k = 0; k < CENTRES * FEATURES; k++)
            c[k] = n[k / FEATURES] ? s[k] / n[k / FEATURES] : c[k];
        free(s);
        free(n);
    }
    expect("k-means", member, want, POINTS, 0);
    CHECK(cudaFree(dp));
    free(points);
}

/* --- a layer: y = tanh(x w), and its gradients --- */

enum { BATCH = 24, INPUTS = 40, OUTPUTS = 12 };

__global__ void forwards(float *y, const float *x, const float *w)
{
    int row = BLOCK(x), column = THREAD(y), lane = THREAD(x);
    float sum = 0;

    for (int i = lane; i < INPUTS; i += 32)
        sum += x[row * INPUTS + i] * w[i * OUTPUTS + column];
    sum = warp_sum(sum);
    if (lane == 0) {
        float e = exp_of(-2 * sum);

        y[row * OUTPUTS + column] = (1 - e) / (1 + e);
    }
}
/* dw = x' (dy (1 - y^2)); dx = (dy (1 - y^2)) w' */
__global__ void backwards(float *dw, float *dx, const float *dy, const float *y, const float *x, const float *w)
{
    int t = BLOCK(x) * THREADS(x) + THREAD(x);

    if (t < INPUTS * OUTPUTS) {
        float sum = 0;

        for (int r = 0; r < BATCH; r++) {
            float out = y[r * OUTPUTS + t % OUTPUTS];

            sum += x[r * INPUTS + t / OUTPUTS] * dy[r * OUTPUTS + t % OUTPUTS] * (1 - out * out);
        }
        dw[t] = sum;
    }
    if (t < BATCH * INPUTS) {
        float sum = 0;

        for (int c = 0; c < OUTPUTS; c++) {
            float out = y[t / INPUTS * OUTPUTS + c];

            sum += dy[t / INPUTS * OUTPUTS + c] * (1 - out * out) * w[t % INPUTS * OUTPUTS + c];
        }
        dx[t] = sum;
    }
}

static void layer(void)
{
    float *x = noise_values<float>(BATCH * INPUTS, 200, -100, 0.01), *w = noise_values<float>(INPUTS * OUTPUTS, 200, -100, 0.002);
    float *dy = noise_values<float>(BATCH * OUTPUTS, 200, -100, 0.01), *y = on_device<float>(NULL, BATCH * OUTPUTS);
    float *px = on_device(x, BATCH * INPUTS), *pw = on_device(w, INPUTS * OUTPUTS), *pdy = on_device(dy, BATCH * OUTPUTS);
    float *dw = on_device<float>(NULL, INPUTS * OUTPUTS), *dx = on_device<float>(NULL, BATCH * INPUTS);
    float *wy = (float *)calloc(BATCH * OUTPUTS, sizeof *wy), *ww = (float *)calloc(INPUTS * OUTPUTS, sizeof *ww), *wx = (float *)calloc(BATCH * INPUTS, sizeof *wx);

    forwards<<<BATCH, dim3(32, OUTPUTS)>>>(y, px, pw);
    backwards<<<(BATCH * INPUTS + 63) / 64, 64>>>(dw, dx, pdy, y, px, pw);
    for (int r = 0; r < BATCH; r++)
        for (int c = 0; c < OUTPUTS; c++) {
            double sum = 0, out;

            for (int i = 0; i < INPUTS; i++)
                sum += (double)x[r * INPUTS + i] * w[i * OUTPUTS + c];
            wy[r * OUTPUTS + c] = (float)(out = tanh(sum));
            for (int i = 0; i < INPUTS; i++) {
                ww[i * OUTPUTS + c] += (float)(x[r * INPUTS + i] * dy[r * OUTPUTS + c] * (1 - out * out));
                wx[r * INPUTS + i] += (float)(dy[r * OUTPUTS + c] * (1 - out * out) * w[i * OUTPUTS + c]);
            }
        }
    expect("forwards", y, wy, BATCH * OUTPUTS, 1e-5);
    expect("weights", dw, ww, INPUTS * OUTPUTS, 1e-5);
    expect("inputs", dx, wx, BATCH * INPUTS, 1e-5);
    CHECK(cudaFree(px));
    CHECK(cudaFree(pw));
    CHECK(cudaFree(pdy));
    free(x);
    free(w);
    free(dy);
}

/* --- layer norm, a warp a row --- */

enum { TOKENS = 20, WIDTH = 70 };

__global__ void norm(float *out, float *mean, float *scale, const float *in, const float *gain, const float *bias)
{
    const float *row = in + BLOCK(x) * WIDTH;
    float sum = 0, squares = 0;

    for (int i = THREAD(x); i < WIDTH; i += 32)
        sum += row[i];
    float m = warp_sum(sum) / WIDTH;
    for (int i = THREAD(x); i < WIDTH; i += 32)
        squares += (row[i] - m) * (row[i] - m);
    float s = RSQRT(warp_sum(squares) / WIDTH + 1e-5f);
    for (int i = THREAD(x); i < WIDTH; i += 32)
        out[BLOCK(x) * WIDTH + i] = (row[i] - m) * s * gain[i] + bias[i];
    if (THREAD(x) == 0) {
        mean[BLOCK(x)] = m;
        scale[BLOCK(x)] = s;
    }
}
__global__ void norm_back(float *din, float *dgain, float *dbias, const float *dout, const float *in, const float *gain, const float *mean,
                          const float *scale)
{
    int row = BLOCK(x) * WIDTH;
    float m = mean[BLOCK(x)], s = scale[BLOCK(x)], a = 0, b = 0;

    for (int i = THREAD(x); i < WIDTH; i += 32) {
        float d = dout[row + i] * gain[i];

        a += d;
        b += d * (in[row + i] - m) * s;
    }
    a = warp_sum(a) / WIDTH;
    b = warp_sum(b) / WIDTH;
    for (int i = THREAD(x); i < WIDTH; i += 32) {
        float unit = (in[row + i] - m) * s;

        din[row + i] = (dout[row + i] * gain[i] - a - unit * b) * s;
        asm volatile("red.global.add.f32 [%0], %1;" ::"l"(dgain + i), "f"(dout[row + i] * unit) : "memory");
        asm volatile("red.global.add.f32 [%0], %1;" ::"l"(dbias + i), "f"(dout[row + i]) : "memory");
    }
}

static void layer_norm(void)
{
    float *in = noise_values<float>(TOKENS * WIDTH, 200, -100, 0.02), *g = noise_values<float>(WIDTH, 100, 50, 0.01), *b = noise_values<float>(WIDTH, 100, -50, 0.01);
    float *d = noise_values<float>(TOKENS * WIDTH, 200, -100, 0.01), *pin = on_device(in, TOKENS * WIDTH), *pg = on_device(g, WIDTH), *pb = on_device(b, WIDTH);
    float *pd = on_device(d, TOKENS * WIDTH), *out = on_device<float>(NULL, TOKENS * WIDTH), *mean = on_device<float>(NULL, TOKENS), *scale = on_device<float>(NULL, TOKENS);
    float *din = on_device<float>(NULL, TOKENS * WIDTH), *dg = on_device<float>(NULL, WIDTH), *db = on_device<float>(NULL, WIDTH);
    float *wout = (float *)malloc(TOKENS * WIDTH * sizeof *wout), *wdin = (float *)malloc(TOKENS * WIDTH * sizeof *wdin);
    float *wdg = (float *)calloc(WIDTH, sizeof *wdg), *wdb = (float *)calloc(WIDTH, sizeof *wdb);

    norm<<<TOKENS, 32>>>(out, mean, scale, pin, pg, pb);
    norm_back<<<TOKENS, 32>>>(din, dg, db, pd, pin, pg, mean, scale);
    for (int t = 0; t < TOKENS; t++) {
        const float *row = in + t * WIDTH, *up = d + t * WIDTH;
        double m = 0, v = 0, a = 0, c = 0;

        for (int i = 0; i < WIDTH; i++)
            m += row[i] / (double)WIDTH;
        for (int i = 0; i < WIDTH; i++)
            v += (row[i] - m) * (row[i] - m) / WIDTH;
        double s = 1 / sqrt(v + 1e-5);
        for (int i = 0; i < WIDTH; i++) {
            double unit = (row[i] - m) * s;

            wout[t * WIDTH + i] = (float)(unit * g[i] + b[i]);
            a += up[i] * g[i] / WIDTH;
            c += up[i] * g[i] * unit / WIDTH;
            wdg[i] += (float)(up[i] * unit);
            wdb[i] += up[i];
        }
        for (int i = 0; i < WIDTH; i++)
            wdin[t * WIDTH + i] = (float)((up[i] * g[i] - a - (row[i] - m) * s * c) * s);
    }
    expect("norm", out, wout, TOKENS * WIDTH, 1e-5);
    expect("norm, inputs", din, wdin, TOKENS * WIDTH, 1e-5);
    expect("norm, gain", dg, wdg, WIDTH, 1e-5);
    expect("norm, bias", db, wdb, WIDTH, 1e-5);
    CHECK(cudaFree(pin));
    CHECK(cudaFree(pg));
    CHECK(cudaFree(pb));
    CHECK(cudaFree(pd));
    CHECK(cudaFree(mean));
    CHECK(cudaFree(scale));
    free(in);
    free(g);
    free(b);
    free(d);
}

/* --- causal attention of one head, a block a row --- */

enum { LENGTH = 33, HEAD = 16 };

__global__ void attend(float *out, float *chance, const float *q, const float *k, const float *v)
{
    __shared__ float s[64];
    int row = BLOCK(x), t = THREAD(x);
    float score = -1e30f;

    if (t <= row) {
        score = 0;
        for (int i = 0; i < HEAD; i++)
            score += q[row * HEAD + i] * k[t * HEAD + i];
        score *= 0.25f;
    }
    s[t] = score;
    __syncthreads();
    float most = warp_max(s[t % 32] > s[t % 32 + 32] ? s[t % 32] : s[t % 32 + 32]);
    __syncthreads();
    s[t] = t <= row ? exp_of(score - most) : 0;
    __syncthreads();
    float sum = warp_sum(s[t % 32] + s[t % 32 + 32]);
    __syncthreads();
    s[t] /= sum;
    if (t < LENGTH)
        chance[row * LENGTH + t] = s[t];
    __syncthreads();
    if (t < HEAD) {
        float o = 0;

        for (int i = 0; i <= row; i++)
            o += s[i] * v[i * HEAD + t];
        out[row * HEAD + t] = o;
    }
}
__global__ void attend_back(float *dq, float *dk, float *dv, const float *dout, const float *chance, const float *q, const float *k, const float *v)
{
    __shared__ float ds[64];
    int row = BLOCK(x), t = THREAD(x);
    float p = t <= row ? chance[row * LENGTH + t] : 0, dp = 0;

    if (t <= row)
        for (int i = 0; i < HEAD; i++)
            dp += dout[row * HEAD + i] * v[t * HEAD + i];
    ds[t] = p * dp;
    __syncthreads();
    float sum = warp_sum(ds[t % 32] + ds[t % 32 + 32]), d = p * (dp - sum) * 0.25f;
    __syncthreads();
    ds[t] = d;
    __syncthreads();
    for (int i = 0; i < HEAD && t <= row; i++) {
        asm volatile("red.global.add.f32 [%0], %1;" ::"l"(dv + t * HEAD + i), "f"(p * dout[row * HEAD + i]) : "memory");
        asm volatile("red.global.add.f32 [%0], %1;" ::"l"(dk + t * HEAD + i), "f"(d * q[row * HEAD + i]) : "memory");
    }
    if (t < HEAD) {
        float o = 0;

        for (int i = 0; i <= row; i++)
            o += ds[i] * k[i * HEAD + t];
        dq[row * HEAD + t] = o;
    }
}

static void attention(void)
{
    enum { ALL = LENGTH * HEAD };
    float *in[4], *p[4], *out = on_device<float>(NULL, ALL), *chance = on_device<float>(NULL, LENGTH * LENGTH), *grad[3], *want[4];

    for (int i = 0; i < 4; i++) {
        in[i] = noise_values<float>(ALL, 200, -100, 0.01);
        p[i] = on_device(in[i], ALL);
        want[i] = (float *)calloc(ALL, sizeof **want);
    }
    for (int i = 0; i < 3; i++)
        grad[i] = on_device<float>(NULL, ALL);
    attend<<<LENGTH, 64>>>(out, chance, p[0], p[1], p[2]);
    attend_back<<<LENGTH, 64>>>(grad[0], grad[1], grad[2], p[3], chance, p[0], p[1], p[2]);
    for (int r = 0; r < LENGTH; r++) {
        double e[LENGTH], dp[LENGTH], sum = 0, mixed = 0;

        for (int t = 0; t <= r; t++) {
            double s = 0;

            for (int i = 0; i < HEAD; i++)
                s += (double)in[0][r * HEAD + i] * in[1][t * HEAD + i];
            sum += e[t] = exp(s * 0.25);
        }
        for (int t = 0; t <= r; t++) {
            e[t] /= sum;
            dp[t] = 0;
            for (int i = 0; i < HEAD; i++) {
                want[3][r * HEAD + i] += (float)(e[t] * in[2][t * HEAD + i]);
                dp[t] += (double)in[3][r * HEAD + i] * in[2][t * HEAD + i];
            }
            mixed += e[t] * dp[t];
        }
        for (int t = 0; t <= r; t++)
            for (int i = 0; i < HEAD; i++) {
                double d = e[t] * (dp[t] - mixed) * 0.25;

                want[0][r * HEAD + i] += (float)(d * in[1][t * HEAD + i]);
                want[1][t * HEAD + i] += (float)(d * in[0][r * HEAD + i]);
                want[2][t * HEAD + i] += (float)(e[t] * in[3][r * HEAD + i]);
            }
    }
    expect("attention", out, want[3], ALL, 1e-5);
    expect("attention, dq", grad[0], want[0], ALL, 1e-5);
    expect("attention, dk", grad[1], want[1], ALL, 1e-5);
    expect("attention, dv", grad[2], want[2], ALL, 1e-5);
    CHECK(cudaFree(chance));
    for (int i = 0; i < 4; i++) {
        CHECK(cudaFree(p[i]));
        free(in[i]);
    }
}

/* --- cross entropy and a step of AdamW --- */

enum { CLASSES = 100 };

/* Writes d = softmax - target over the logits, and the loss of each row. Block size: 128. */
__global__ void entropy(float *loss, float *logits, const int *targets)
{
    __shared__ float part[4];
    float *row = logits + BLOCK(x) * CLASSES;
    int t = THREAD(x);
    float most = warp_max(t < CLASSES ? row[t] : -1e30f), sum;

    if (t % 32 == 0)
        part[t / 32] = most;
    __syncthreads();
    most = __builtin_fmaxf(__builtin_fmaxf(part[0], part[1]), __builtin_fmaxf(part[2], part[3]));
    __syncthreads();
    float e = t < CLASSES ? exp_of(row[t] - most) : 0;
    sum = warp_sum(e);
    if (t % 32 == 0)
        part[t / 32] = sum;
    __syncthreads();
    sum = part[0] + part[1] + part[2] + part[3];
    if (t == targets[BLOCK(x)])
        asm("lg2.approx.f32 %0, %1;" : "=f"(loss[BLOCK(x)]) : "f"(e / sum));
    if (t < CLASSES)
        row[t] = e / sum - (t == targets[BLOCK(x)]);
}
__global__ void step(float *w, float *m, float *v, const float *g, int n, float rate, float decay, int t)
{
    for (int i = BLOCK(x) * THREADS(x) + THREAD(x); i < n; i += BLOCKS(x) * THREADS(x)) {
        float b1 = 1, b2 = 1;

        for (int k = 0; k < t; k++) {
            b1 *= 0.9f;
            b2 *= 0.99f;
        }
        m[i] = 0.9f * m[i] + 0.1f * g[i];
        v[i] = 0.99f * v[i] + 0.01f * g[i] * g[i];
        w[i] -= rate * (m[i] / (1 - b1) / (__builtin_sqrtf(v[i] / (1 - b2)) + 1e-8f) + decay * w[i]);
    }
}

static void training(void)
{
    enum { ALL = TOKENS * CLASSES };
    float *logits = noise_values<float>(ALL, 200, -100, 0.03), *d = on_device(logits, ALL), *loss = on_device<float>(NULL, TOKENS);
    float *wloss = (float *)malloc(TOKENS * sizeof *wloss), *wd = (float *)malloc(ALL * sizeof *wd), *ww = (float *)malloc(ALL * sizeof *ww);
    float *w = on_device(logits, ALL), *m = on_device<float>(NULL, ALL), *v = on_device<float>(NULL, ALL);
    int *targets = noise_values<int>(TOKENS, CLASSES, 0, 1), *pt = on_device(targets, TOKENS);

    entropy<<<TOKENS, 128>>>(loss, d, pt);
    for (int t = 1; t <= 3; t++)
        step<<<5, 96>>>(w, m, v, d, ALL, 0.01f, 0.1f, t);
    for (int r = 0; r < TOKENS; r++) {
        double sum = 0;

        for (int c = 0; c < CLASSES; c++)
            sum += exp(logits[r * CLASSES + c]);
        wloss[r] = (float)log2(exp(logits[r * CLASSES + targets[r]]) / sum);
        for (int c = 0; c < CLASSES; c++)
            wd[r * CLASSES + c] = (float)(exp(logits[r * CLASSES + c]) / sum - (c == targets[r]));
    }
    for (int i = 0; i < ALL; i++) {
        double a = 0, b = 0, x = logits[i], g = wd[i];

        for (int t = 1; t <= 3; t++) {
            a = 0.9 * a + 0.1 * g;
            b = 0.99 * b + 0.01 * g * g;
            x -= 0.01 * (a / (1 - pow(0.9, t)) / (sqrt(b / (1 - pow(0.99, t))) + 1e-8) + 0.1 * x);
        }
        ww[i] = (float)x;
    }
    expect("loss", loss, wloss, TOKENS, 1e-5);
    expect("AdamW", w, ww, ALL, 1e-4);
    expect("entropy", d, wd, ALL, 1e-5);
    CHECK(cudaFree(m));
    CHECK(cudaFree(v));
    CHECK(cudaFree(pt));
    free(logits);
    free(targets);
}

int main(void)
{
    clusters();
    layer();
    layer_norm();
    attention();
    training();
    return report();
}
