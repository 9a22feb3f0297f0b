/* A small image classifier on a batch, with batch norms that take mean and deviation from the batch, as in training.
 * Images lie [image][channel][row][column]. */
#include "../device.h"

enum { TILE = 16, EDGE = TILE + 2, AT_ONCE = 8 };

/* 3 x 3 convolution with zeros around the image. Block: TILE x TILE outputs of one image, AT_ONCE output channels;
 * grid: (tiles, output channels / AT_ONCE, images). weights: [output][input][3][3]. size: a multiple of TILE. */
extern "C" __global__ void __launch_bounds__(256)
    convolve(float *y, const float *x, const float *weights, const float *bias, int size, int inputs, int outputs)
{
    static __shared__ float patch[EDGE][EDGE];
    static __shared__ float filter[9][AT_ONCE] __attribute__((aligned(16)));
    int column = THREAD(x), row = THREAD(y), thread = row * TILE + column, across = size / TILE;
    int left = BLOCK(x) % across * TILE, top = BLOCK(x) / across * TILE, first = BLOCK(y) * AT_ONCE;
    float sum[AT_ONCE];

    for (int i = 0; i < AT_ONCE; i++)
        sum[i] = bias[first + i];
    for (int channel = 0; channel < inputs; channel++) {
        const float *from = x + (BLOCK(z) * inputs + channel) * size * size;

        for (int i = thread; i < EDGE * EDGE; i += TILE * TILE) {
            int r = top + i / EDGE - 1, c = left + i % EDGE - 1;

            patch[i / EDGE][i % EDGE] = r >= 0 && r < size && c >= 0 && c < size ? from[r * size + c] : 0;
        }
        if (thread < 9 * AT_ONCE)
            filter[thread % 9][thread / 9] = weights[((first + thread / 9) * inputs + channel) * 9 + thread % 9];
        __syncthreads();
        for (int k = 0; k < 9; k++) {
            float in = patch[row + k / 3][column + k % 3];

            for (int i = 0; i < AT_ONCE; i++)
                sum[i] += in * filter[k][i];
        }
        __syncthreads();
    }
    for (int i = 0; i < AT_ONCE; i++)
        y[((BLOCK(z) * outputs + first + i) * size + top + row) * size + left + column] = sum[i];
}

/* The block's sum of a and of b, in every thread of the first warp. Block: 256. */
static inline __device__ void block_sums(float *a, float *b)
{
    static __shared__ float part[2][8];
    int thread = THREAD(x), lane = thread % 32;

    *a = warp_sum(*a), *b = warp_sum(*b);
    if (lane == 0)
        part[0][thread / 32] = *a, part[1][thread / 32] = *b;
    __syncthreads();
    *a = warp_sum(lane < 8 ? part[0][lane] : 0), *b = warp_sum(lane < 8 ? part[1][lane] : 0);
}

/* Mean and 1 / deviation of each channel over the batch: a block a channel. moments: [channel][2]; area: of one image. */
extern "C" __global__ void __launch_bounds__(256)
    batch_moments(float *moments, const float *x, int area, int channels, int images)
{
    int channel = BLOCK(x);
    float sum = 0, squares = 0;

    for (int image = 0; image < images; image++)
        for (int i = THREAD(x); i < area; i += 256) {
            float v = x[(image * channels + channel) * area + i];

            sum += v, squares += v * v;
        }
    block_sums(&sum, &squares);
    if (THREAD(x) == 0) {
        float n = images * area, mean = sum / n;

        moments[2 * channel] = mean;
        moments[2 * channel + 1] = RSQRT(squares / n - mean * mean + 1e-5f);
    }
}

/* In place: batch norm with gain and shift of each channel, then what is negative becomes 0. n: values in all. */
extern "C" __global__ void normalise_relu(float *x, const float *moments, const float *gain, const float *shift, int area,
                                          int channels, int n)
{
    for (int i = BLOCK(x) * THREADS(x) + THREAD(x); i < n; i += BLOCKS(x) * THREADS(x)) {
        int channel = i / area % channels;
        float v = (x[i] - moments[2 * channel]) * moments[2 * channel + 1] * gain[channel] + shift[channel];

        x[i] = v > 0 ? v : 0;
    }
}

/* The largest of each 2 x 2; planes: images times channels, size: of the input. A thread an output. */
extern "C" __global__ void max_pool(float *y, const float *x, int size, int planes)
{
    int half = size / 2, i = BLOCK(x) * THREADS(x) + THREAD(x);

    if (i >= planes * half * half)
        return;
    const float *from = x + i / half / half * size * size + i / half % half * 2 * size + i % half * 2;
    y[i] = __builtin_fmaxf(__builtin_fmaxf(from[0], from[1]), __builtin_fmaxf(from[size], from[size + 1]));
}

/* Fully connected, a warp an output: y[image][o] = x[image] w[o] + bias. Grid: (outputs / 4, images), block 32 x 4;
 * inputs: a multiple of 128. */
extern "C" __global__ void fully_connected(float *y, const float *x, const float *w, const float *bias, int inputs,
                                           int outputs, int relu)
{
    int output = BLOCK(x) * THREADS(y) + THREAD(y), image = BLOCK(y);
    float sum = 0;

    if (output >= outputs)
        return;
    const float4 *in = (const float4 *)(x + image * inputs), *weight = (const float4 *)(w + output * inputs);
    for (int i = THREAD(x); i < inputs / 4; i += 32) {
        float4 a = in[i], b = weight[i];

        sum += a.x * b.x + a.y * b.y + a.z * b.z + a.w * b.w;
    }
    sum = warp_sum(sum) + bias[output];
    if (THREAD(x) == 0)
        y[image * outputs + output] = relu && sum < 0 ? 0 : sum;
}

/* Probabilities over at most 32 classes, and the likeliest: a warp an image. */
extern "C" __global__ void softmax(float *probability, unsigned *best, const float *x, int classes)
{
    int lane = THREAD(x), at = lane;
    float v = lane < classes ? x[BLOCK(x) * classes + lane] : -__builtin_huge_valf(), most = v;

    for (int lanes = 16; lanes > 0; lanes /= 2) {
        float other = SHUFFLE_XOR(most, lanes);
        int other_at = SHUFFLE_XOR(at, lanes);

        if (other > most || (other == most && other_at < at))
            most = other, at = other_at;
    }
    float weight = EXP2((v - most) * 1.44269504f), sum = warp_sum(weight);
    if (lane < classes)
        probability[BLOCK(x) * classes + lane] = weight / sum;
    if (lane == 0)
        best[BLOCK(x)] = (unsigned)at;
}
