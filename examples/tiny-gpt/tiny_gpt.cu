/* A small transformer, one kernel a step of it. Matrices lie row by row; a weight matrix has a row for each input.
 * Prompts go through `matmul`, many tokens at once; answers token by token through `gemv`. The cache has keys as
 * [head][dimension][token] and values as [head][token][dimension], so that neighbouring lanes read neighbouring words
 * of both. Softmax counts in powers of two: log2(e) is in the scale. */
#include "../device.h"

#define HEAD 32 /* dimensions of a head: a warp's lanes */
#define CHUNK 32

/* x[row] = the token's vector plus the position's. Block: 32 x rows; width: a multiple of 128. */
extern "C" __global__ void embed(float *x, const unsigned *tokens, const float *token_table,
                                 const float *position_table, int position, int rows, int width)
{
    int row = BLOCK(x) * THREADS(y) + THREAD(y);

    if (row >= rows)
        return;
    const float4 *token = (const float4 *)(token_table + tokens[position + row] * width);
    const float4 *place = (const float4 *)(position_table + (position + row) * width);
    for (int i = THREAD(x); i < width / 4; i += 32) {
        float4 a = token[i], b = place[i];

        a.x += b.x, a.y += b.y, a.z += b.z, a.w += b.w;
        ((float4 *)(x + row * width))[i] = a;
    }
}

/* A warp a row: y = (x - mean) / deviation * gain + shift. Block: 32 x rows; width: a multiple of 128. */
extern "C" __global__ void layer_norm(float *y, const float *x, const float *gain, const float *shift, int rows, int width)
{
    int row = BLOCK(x) * THREADS(y) + THREAD(y);

    if (row >= rows)
        return;
    const float4 *in = (const float4 *)(x + row * width), *scale = (const float4 *)gain, *offset = (const float4 *)shift;
    float sum = 0, squares = 0;
    for (int i = THREAD(x); i < width / 4; i += 32) {
        float4 v = in[i];

        sum += v.x + v.y + v.z + v.w;
        squares += v.x * v.x + v.y * v.y + v.z * v.z + v.w * v.w;
    }
    float mean = warp_sum(sum) / width;
    float inverse = RSQRT(warp_sum(squares) / width - mean * mean + 1e-5f);
    for (int i = THREAD(x); i < width / 4; i += 32) {
        float4 v = in[i], g = scale[i], s = offset[i];

        v.x = (v.x - mean) * inverse * g.x + s.x, v.y = (v.y - mean) * inverse * g.y + s.y;
        v.z = (v.z - mean) * inverse * g.z + s.z, v.w = (v.w - mean) * inverse * g.w + s.w;
        ((float4 *)(y + row * width))[i] = v;
    }
}

static inline __device__ void multiply_add(float4 *sum, float a, float4 b)
{
    sum->x += a * b.x, sum->y += a * b.y, sum->z += a * b.z, sum->w += a * b.w;
}

/* c = a b + bias, in tiles of 32 x 64, for each z of the grid at its strides. 128 threads, each of which has 4 x 4 values.
 * k: a multiple of 16; n and the leading dimensions: of 4; bias may be null. */
struct matrix {
    float *at;
    int row, batch; /* values from row to row, and from one z to the next */
};
extern "C" __global__ void __launch_bounds__(128)
    matmul(struct matrix c, struct matrix a, struct matrix b, const float *bias, int m, int n, int k)
{
    enum { ROWS = 32, COLUMNS = 64, DEPTH = 16, PADDED = ROWS + 4 };
    static __shared__ float a_tile[DEPTH * PADDED] __attribute__((aligned(16)));
    static __shared__ float b_tile[DEPTH * COLUMNS] __attribute__((aligned(16)));
    int thread = THREAD(x), row = BLOCK(y) * ROWS, column = BLOCK(x) * COLUMNS;
    int own_row = thread / 16 * 4, own_column = thread % 16 * 4;
    int a_row = thread / 4, a_depth = thread % 4 * 4;
    const float *from_a = a.at + BLOCK(z) * a.batch, *from_b = b.at + BLOCK(z) * b.batch;
    float4 zero = {0, 0, 0, 0}, sum[4] = {zero, zero, zero, zero};

    for (int depth = 0; depth < k; depth += DEPTH) {
        float4 v = row + a_row < m ? *(const float4 *)(from_a + (row + a_row) * a.row + depth + a_depth) : zero;

        a_tile[a_depth * PADDED + a_row] = v.x, a_tile[(a_depth + 1) * PADDED + a_row] = v.y;
        a_tile[(a_depth + 2) * PADDED + a_row] = v.z, a_tile[(a_depth + 3) * PADDED + a_row] = v.w;
        for (int i = thread / 16; i < DEPTH; i += 8)
            *(float4 *)(b_tile + i * COLUMNS + own_column) =
                column + own_column < n ? *(const float4 *)(from_b + (depth + i) * b.row + column + own_column) : zero;
        __syncthreads();
        for (int i = 0; i < DEPTH; i++) {
            float4 left = *(const float4 *)(a_tile + i * PADDED + own_row);
            float4 right = *(const float4 *)(b_tile + i * COLUMNS + own_column);

            multiply_add(&sum[0], left.x, right), multiply_add(&sum[1], left.y, right);
            multiply_add(&sum[2], left.z, right), multiply_add(&sum[3], left.w, right);
        }
        __syncthreads();
    }
    if (column + own_column >= n)
        return;
    float4 add = bias ? *(const float4 *)(bias + column + own_column) : zero;
    for (int i = 0; i < 4; i++)
        if (row + own_row + i < m) {
            sum[i].x += add.x, sum[i].y += add.y, sum[i].z += add.z, sum[i].w += add.w;
            *(float4 *)(c.at + BLOCK(z) * c.batch + (row + own_row + i) * c.row + column + own_column) = sum[i];
        }
}

/* The smooth step of GPT-2: x / (1 + 2^(-2 log2(e) sqrt(2 / pi) (x + 0.044715 x^3))). */
static inline __device__ float gelu_of(float x)
{
    return x / (1 + EXP2(-2.3022082f * (x + 0.044715f * x * x * x)));
}

/* One vector times a matrix: 32 outputs a block, whose 8 warps share the inputs. inputs: a multiple of 32, at most 512;
 * outputs: of 32. The sum of one output is in the first warp. */
static inline __device__ float dot(const float *x, const float *w, int inputs, int outputs)
{
    static __shared__ float in[512] __attribute__((aligned(16)));
    static __shared__ float part[8][32];
    int lane = THREAD(x), warp = THREAD(y), output = BLOCK(x) * 32 + lane, share = inputs / 8;
    float sum = 0;

    for (int i = warp * 32 + lane; i < inputs; i += 256)
        in[i] = x[i];
    __syncthreads();
    for (int i = warp * share; i < (warp + 1) * share; i += 4) {
        float4 v = *(const float4 *)(in + i);
        const float *weight = w + i * outputs + output;

        sum += v.x * weight[0];
        sum += v.y * weight[outputs];
        sum += v.z * weight[2 * outputs];
        sum += v.w * weight[3 * outputs];
    }
    part[warp][lane] = sum;
    __syncthreads();
    if (warp == 0)
        for (int i = 1; i < 8; i++)
            sum += part[i][lane];
    return sum;
}
extern "C" __global__ void __launch_bounds__(256)
    gemv(float *y, const float *x, const float *w, const float *bias, int inputs, int outputs)
{
    int output = BLOCK(x) * 32 + THREAD(x);
    float sum = dot(x, w, inputs, outputs);

    if (THREAD(y) == 0)
        y[output] = bias ? sum + bias[output] : sum;
}
extern "C" __global__ void __launch_bounds__(256)
    gemv_gelu(float *y, const float *x, const float *w, const float *bias, int inputs, int outputs)
{
    int output = BLOCK(x) * 32 + THREAD(x);
    float sum = dot(x, w, inputs, outputs);

    if (THREAD(y) == 0)
        y[output] = gelu_of(sum + bias[output]);
}
/* Adds to what is in y: the residual. */
extern "C" __global__ void __launch_bounds__(256)
    gemv_add(float *y, const float *x, const float *w, const float *bias, int inputs, int outputs)
{
    int output = BLOCK(x) * 32 + THREAD(x);
    float sum = dot(x, w, inputs, outputs);

    if (THREAD(y) == 0)
        y[output] += sum + bias[output];
}

/* Elementwise, four values a thread; n: a multiple of 4. */
extern "C" __global__ void gelu(float *x, int n)
{
    int i = (BLOCK(x) * THREADS(x) + THREAD(x)) * 4;

    if (i >= n)
        return;
    float4 v = *(float4 *)(x + i);
    v.x = gelu_of(v.x), v.y = gelu_of(v.y), v.z = gelu_of(v.z), v.w = gelu_of(v.w);
    *(float4 *)(x + i) = v;
}
extern "C" __global__ void add(float *x, const float *y, int n)
{
    int i = (BLOCK(x) * THREADS(x) + THREAD(x)) * 4;

    if (i >= n)
        return;
    float4 v = *(float4 *)(x + i), w = *(const float4 *)(y + i);
    v.x += w.x, v.y += w.y, v.z += w.z, v.w += w.w;
    *(float4 *)(x + i) = v;
}

/* Keys and values of new tokens go into the cache: a block per token, a thread per dimension (width of them). */
extern "C" __global__ void append_cache(float *keys, float *values, const float *qkv, int position, int context)
{
    int width = THREADS(x), i = THREAD(x), token = BLOCK(x), head = i / HEAD, dimension = i % HEAD;
    const float *from = qkv + token * 3 * width + i;

    keys[(head * HEAD + dimension) * context + position + token] = from[width];
    values[(head * context + position + token) * HEAD + dimension] = from[2 * width];
}

/* Row t of a head's scores becomes weights over the tokens up to t; zeros follow, up to `padded`. A warp a row. */
extern "C" __global__ void softmax_causal(float *scores, float scale, int rows, int padded, int context)
{
    int row = BLOCK(x) * THREADS(y) + THREAD(y), lane = THREAD(x);

    if (row >= rows)
        return;
    float *s = scores + (BLOCK(y) * context + row) * context;
    float most = -__builtin_huge_valf(), sum = 0;
    for (int i = lane; i <= row; i += 32)
        most = __builtin_fmaxf(most, s[i]);
    most = warp_max(most) * scale;
    for (int i = lane; i <= row; i += 32)
        sum += EXP2(s[i] * scale - most);
    sum = 1 / warp_sum(sum);
    for (int i = lane; i < padded; i += 32)
        s[i] = i <= row ? EXP2(s[i] * scale - most) * sum : 0;
}

/* One token's attention over CHUNK tokens of the cache, for one head: block (chunk, head) of 32 x 4 threads. First a lane is
 * a token, and warps share the dimensions; then a lane is a dimension, and warps share the tokens. Leaves the weighted
 * sum of the values, the largest score and the sum of the weights. */
extern "C" __global__ void __launch_bounds__(128)
    attention_partial(float *part, float *stats, const float *query, const float *keys, const float *values, float scale,
                      int length, int context)
{
    static __shared__ float shared[4][32];
    static __shared__ float weights[CHUNK];
    int lane = THREAD(x), warp = THREAD(y), chunk = BLOCK(x), head = BLOCK(y), token = chunk * CHUNK + lane;
    int slot = head * BLOCKS(x) + chunk;
    const float *q = query + head * HEAD, *k = keys + head * HEAD * context + token;
    float sum = 0;

    if (token < length)
        for (int i = warp * 8; i < warp * 8 + 8; i++)
            sum += q[i] * k[i * context];
    shared[warp][lane] = sum;
    __syncthreads();
    if (warp == 0) {
        float score = shared[0][lane] + shared[1][lane] + shared[2][lane] + shared[3][lane];

        score = token < length ? score * scale : -__builtin_huge_valf();
        float most = warp_max(score), weight = EXP2(score - most), total = warp_sum(weight);
        weights[lane] = weight;
        if (lane == 0)
            stats[2 * slot] = most, stats[2 * slot + 1] = total;
    }
    __syncthreads();
    sum = 0;
    for (int i = warp * 8; i < warp * 8 + 8 && chunk * CHUNK + i < length; i++)
        sum += weights[i] * values[(head * context + chunk * CHUNK + i) * HEAD + lane];
    shared[warp][lane] = sum;
    __syncthreads();
    if (warp == 0)
        part[slot * HEAD + lane] = shared[0][lane] + shared[1][lane] + shared[2][lane] + shared[3][lane];
}

/* The chunks of a head put together: a block of 32 a head, a lane a dimension. */
extern "C" __global__ void attention_combine(float *y, const float *part, const float *stats, int chunks)
{
    int lane = THREAD(x), first = BLOCK(x) * chunks;
    float most = -__builtin_huge_valf(), sum = 0, total = 0;

    for (int i = first; i < first + chunks; i++)
        most = __builtin_fmaxf(most, stats[2 * i]);
    for (int i = first; i < first + chunks; i++) {
        float factor = EXP2(stats[2 * i] - most);

        sum += factor * part[i * HEAD + lane];
        total += factor * stats[2 * i + 1];
    }
    y[BLOCK(x) * HEAD + lane] = sum / total;
}

/* The number of the largest value, of equal ones the first. One block of 256. */
extern "C" __global__ void __launch_bounds__(256) argmax(unsigned *token, const float *logits, int n)
{
    static __shared__ float most[8];
    static __shared__ int where[8];
    int thread = THREAD(x), at = thread;
    float best = logits[thread];

    for (int i = thread + 256; i < n; i += 256)
        if (logits[i] > best)
            best = logits[i], at = i;
    for (int lanes = 16; lanes > 0; lanes /= 2) {
        float other = SHUFFLE_XOR(best, lanes);
        int other_at = SHUFFLE_XOR(at, lanes);

        if (other > best || (other == best && other_at < at))
            best = other, at = other_at;
    }
    if (thread % 32 == 0)
        most[thread / 32] = best, where[thread / 32] = at;
    __syncthreads();
    if (thread > 0)
        return;
    for (int i = 1; i < 8; i++)
        if (most[i] > best || (most[i] == best && where[i] < at))
            best = most[i], at = where[i];
    *token = (unsigned)at;
}
