/* Stencils: heat on a chip (several steps per launch, with a halo), edge-preserving diffusion (a reduction
 * between steps), the cheapest path through a grid, a convolution with weights in constant memory, a 3D stencil. */
#include "tests/unit/ptx/runtime/programs/check.h"

static int clamped(int x, int n)
{
    return x < 0 ? 0 : x >= n ? n - 1 : x;
}
static inline __device__ int inside(int x, int n)
{
    return x < 0 ? 0 : x >= n ? n - 1 : x;
}

/* --- heat: a block of 16 x 16 computes two steps of its inner 12 x 12 --- */

enum { HEAT = 50, STEPS = 2, INNER = 16 - 2 * STEPS };

__global__ void heat(float *to, const float *from, const float *power, int n)
{
    __shared__ float t[2][16][16];
    int x = THREAD(x), y = THREAD(y), gx = BLOCK(x) * INNER + x - STEPS, gy = BLOCK(y) * INNER + y - STEPS;
    int cx = inside(gx, n), cy = inside(gy, n);
    bool valid = gx >= 0 && gx < n && gy >= 0 && gy < n;

    t[0][y][x] = from[cy * n + cx];
    __syncthreads();
    for (int s = 0; s < STEPS; s++) {
        float(*now)[16] = t[s % 2], (*next)[16] = t[(s + 1) % 2];

        if (x > s && x < 15 - s && y > s && y < 15 - s && valid) {
            int w = gx > 0 ? x - 1 : x, e = gx < n - 1 ? x + 1 : x, u = gy > 0 ? y - 1 : y, d = gy < n - 1 ? y + 1 : y;

            next[y][x] = now[y][x] + 0.125f * (now[y][w] + now[y][e] + now[u][x] + now[d][x] - 4 * now[y][x] +
                                               power[gy * n + gx]);
        }
        __syncthreads();
    }
    if (valid && x >= STEPS && x < 16 - STEPS && y >= STEPS && y < 16 - STEPS)
        to[gy * n + gx] = t[STEPS % 2][y][x];
}

static float *heat_plainly(const float *from, const float *power, int n, int steps)
{
    float *now = (float *)malloc(n * n * sizeof *now), *next = (float *)malloc(n * n * sizeof *next);

    memcpy(now, from, n * n * sizeof *now);
    for (int s = 0; s < steps; s++) {
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                float c = now[y * n + x];

                next[y * n + x] = c + 0.125f * (now[y * n + clamped(x - 1, n)] + now[y * n + clamped(x + 1, n)] +
                                                now[clamped(y - 1, n) * n + x] + now[clamped(y + 1, n) * n + x] - 4 * c +
                                                power[y * n + x]);
            }
        float *swap = now;
        now = next;
        next = swap;
    }
    free(next);
    return now;
}

static void heat_spreads(void)
{
    float *t = noise_values<float>(HEAT * HEAT, 400, 0, 0.25), *p = noise_values<float>(HEAT * HEAT, 9, 0, 0.5);
    float *a = on_device(t, HEAT * HEAT), *b = on_device<float>(NULL, HEAT * HEAT), *dp = on_device(p, HEAT * HEAT);
    dim3 grid((HEAT + INNER - 1) / INNER, (HEAT + INNER - 1) / INNER);

    heat<<<grid, dim3(16, 16)>>>(b, a, dp, HEAT);
    heat<<<grid, dim3(16, 16)>>>(a, b, dp, HEAT);
    expect("heat", a, heat_plainly(t, p, HEAT, 2 * STEPS), HEAT * HEAT, 1e-5);
    CHECK(cudaFree(b));
    CHECK(cudaFree(dp));
    free(t);
    free(p);
}

/* --- diffusion that keeps edges --- */

enum { IMAGE = 40 };

/* sums[0]: sum of values; sums[1]: sum of squares; block size 128 */
__global__ void moments(float *sums, const float *v, int n)
{
    __shared__ float part[2][4];
    float a = 0, b = 0;

    for (int i = BLOCK(x) * 128 + THREAD(x); i < n; i += BLOCKS(x) * 128) {
        a += v[i];
        b += v[i] * v[i];
    }
    a = warp_sum(a);
    b = warp_sum(b);
    if (THREAD(x) % 32 == 0) {
        part[0][THREAD(x) / 32] = a;
        part[1][THREAD(x) / 32] = b;
    }
    __syncthreads();
    if (THREAD(x) < 2) {
        float sum = 0;

        for (int w = 0; w < 4; w++)
            sum += part[THREAD(x)][w];
        asm volatile("red.global.add.f32 [%0], %1;" ::"l"(sums + THREAD(x)), "f"(sum) : "memory");
    }
}

__global__ void coefficients(float *c, const float *v, const float *sums, int n)
{
    int x = BLOCK(x) * THREADS(x) + THREAD(x), y = BLOCK(y) * THREADS(y) + THREAD(y);
    float count = n * n, mean = sums[0] / count, q0 = (sums[1] / count - mean * mean) / (mean * mean);

    if (x >= n || y >= n)
        return;
    float j = v[y * n + x], north = v[inside(y - 1, n) * n + x] - j, south = v[inside(y + 1, n) * n + x] - j;
    float west = v[y * n + inside(x - 1, n)] - j, east = v[y * n + inside(x + 1, n)] - j;
    float g = (north * north + south * south + west * west + east * east) / (j * j), l = (north + south + west + east) / j;
    float den = 1 + 0.25f * l, q = (0.5f * g - l * l / 16) / (den * den);
    float r = 1 / (1 + (q - q0) / (q0 * (1 + q0)));
    c[y * n + x] = r < 0 ? 0 : r > 1 ? 1 : r;
}

__global__ void diffuse(float *v, const float *old, const float *c, float lambda, int n)
{
    int x = BLOCK(x) * THREADS(x) + THREAD(x), y = BLOCK(y) * THREADS(y) + THREAD(y), down, right;

    if (x >= n || y >= n)
        return;
    down = inside(y + 1, n);
    right = inside(x + 1, n);
    float j = old[y * n + x], d = c[y * n + x] * (old[inside(y - 1, n) * n + x] - j + old[y * n + inside(x - 1, n)] - j);
    d += c[down * n + x] * (old[down * n + x] - j) + c[y * n + right] * (old[y * n + right] - j);
    v[y * n + x] = j + 0.25f * lambda * d;
}

static float *diffused(const float *from, int n, int steps, float lambda)
{
    float *v = (float *)malloc(n * n * sizeof *v), *c = (float *)malloc(n * n * sizeof *c);
    float *old = (float *)malloc(n * n * sizeof *old);

    memcpy(v, from, n * n * sizeof *v);
    for (int s = 0; s < steps; s++) {
        double sum = 0, squares = 0;

        memcpy(old, v, n * n * sizeof *v);
        for (int i = 0; i < n * n; i++) {
            sum += v[i];
            squares += (double)v[i] * v[i];
        }
        double mean = sum / (n * n), q0 = (squares / (n * n) - mean * mean) / (mean * mean);
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                double j = old[y * n + x], no = old[clamped(y - 1, n) * n + x] - j, so = old[clamped(y + 1, n) * n + x] - j;
                double we = old[y * n + clamped(x - 1, n)] - j, ea = old[y * n + clamped(x + 1, n)] - j;
                double g = (no * no + so * so + we * we + ea * ea) / (j * j), l = (no + so + we + ea) / j;
                double q = (0.5 * g - l * l / 16) / ((1 + 0.25 * l) * (1 + 0.25 * l));
                double r = 1 / (1 + (q - q0) / (q0 * (1 + q0)));

                c[y * n + x] = (float)(r < 0 ? 0 : r > 1 ? 1 : r);
            }
        for (int y = 0; y < n; y++)
            for (int x = 0; x < n; x++) {
                int down = clamped(y + 1, n), right = clamped(x + 1, n);
                double j = old[y * n + x], d = c[y * n + x] * (old[clamped(y - 1, n) * n + x] - j + old[y * n + clamped(x - 1, n)] - j);

                d += c[down * n + x] * (old[down * n + x] - j) + c[y * n + right] * (old[y * n + right] - j);
                v[y * n + x] = (float)(j + 0.25 * lambda * d);
            }
    }
    free(c);
    free(old);
    return v;
}

static void speckles_go(void)
{
    float *image = noise_values<float>(IMAGE * IMAGE, 200, 100, 0.01), *a = on_device(image, IMAGE * IMAGE);
    float *b = on_device<float>(NULL, IMAGE * IMAGE), *c = on_device<float>(NULL, IMAGE * IMAGE), *sums = on_device<float>(NULL, 2);
    dim3 grid(5, 5), block(8, 8);

    for (int s = 0; s < 4; s++) {
        float *from = s % 2 ? b : a, *to = s % 2 ? a : b;

        CHECK(cudaMemset(sums, 0, 2 * sizeof *sums));
        moments<<<3, 128>>>(sums, from, IMAGE * IMAGE);
        coefficients<<<grid, block>>>(c, from, sums, IMAGE);
        diffuse<<<grid, block>>>(to, from, c, 0.5f, IMAGE);
    }
    expect("diffusion", a, diffused(image, IMAGE, 4, 0.5f), IMAGE * IMAGE, 1e-4);
    CHECK(cudaFree(b));
    CHECK(cudaFree(c));
    CHECK(cudaFree(sums));
    free(image);
}

/* --- the cheapest way from the first row to each place of the last, several rows a launch --- */

enum { COLUMNS = 300, ROWS = 21, AT_ONCE = 5 };

__global__ void ways(int *to, const int *from, const int *cost, int columns, int rows)
{
    __shared__ int now[128], next[128];
    int t = THREAD(x), inner = 128 - 2 * AT_ONCE, column = BLOCK(x) * inner + t - AT_ONCE;
    bool valid = column >= 0 && column < columns;

    now[t] = valid ? from[column] : 0x3fffffff;
    __syncthreads();
    for (int r = 0; r < rows; r++) {
        if (t > r && t < 127 - r && valid) {
            int best = now[t];

            best = now[t - 1] < best ? now[t - 1] : best;
            best = now[t + 1] < best ? now[t + 1] : best;
            next[t] = best + cost[r * columns + column];
        } else {
            next[t] = 0x3fffffff;
        }
        __syncthreads();
        now[t] = next[t];
        __syncthreads();
    }
    if (valid && t >= AT_ONCE && t < 128 - AT_ONCE)
        to[column] = now[t];
}

static void ways_are_cheapest(void)
{
    int *cost = noise_values<int>(ROWS * COLUMNS, 10, 0, 1), *want = (int *)malloc(COLUMNS * sizeof *want);
    int *dc = on_device(cost, ROWS * COLUMNS), *a = on_device(cost, COLUMNS), *b = on_device<int>(NULL, COLUMNS);

    memcpy(want, cost, COLUMNS * sizeof *want);
    for (int r = 1; r < ROWS; r++) {
        int before[COLUMNS];

        memcpy(before, want, sizeof before);
        for (int x = 0; x < COLUMNS; x++) {
            int best = before[x];

            best = x > 0 && before[x - 1] < best ? before[x - 1] : best;
            best = x < COLUMNS - 1 && before[x + 1] < best ? before[x + 1] : best;
            want[x] = best + cost[r * COLUMNS + x];
        }
    }
    for (int r = 1; r < ROWS; r += AT_ONCE) {
        int *swap = a;

        ways<<<(COLUMNS + 127 - 2 * AT_ONCE) / (128 - 2 * AT_ONCE), 128>>>(b, a, dc + r * COLUMNS, COLUMNS, AT_ONCE);
        a = b;
        b = swap;
    }
    expect("ways", a, want, COLUMNS, 0);
    CHECK(cudaFree(b));
    CHECK(cudaFree(dc));
    free(cost);
}

/* --- convolutions --- */

__constant__ float weights[25];

__global__ void convolve(float *to, const float *from, int w, int h)
{
    extern __shared__ float tile[];
    int x = BLOCK(x) * 16 + THREAD(x), y = BLOCK(y) * 16 + THREAD(y);

    for (int i = THREAD(y) * 16 + THREAD(x); i < 20 * 20; i += 256) {
        int gx = BLOCK(x) * 16 + i % 20 - 2, gy = BLOCK(y) * 16 + i / 20 - 2;

        tile[i] = gx >= 0 && gx < w && gy >= 0 && gy < h ? from[gy * w + gx] : 0;
    }
    __syncthreads();
    if (x >= w || y >= h)
        return;
    float sum = 0;
    for (int i = 0; i < 25; i++)
        sum += weights[i] * tile[(THREAD(y) + i / 5) * 20 + THREAD(x) + i % 5];
    to[y * w + x] = sum;
}

__global__ void cube(float *to, const float *from, int n)
{
    int x = BLOCK(x) * THREADS(x) + THREAD(x), y = BLOCK(y) * THREADS(y) + THREAD(y), layer = n * n;
    float below = from[y * n + x], here = from[layer + y * n + x];

    if (x == 0 || y == 0 || x >= n - 1 || y >= n - 1)
        return;
    for (int z = 1; z < n - 1; z++) {
        const float *p = from + z * layer + y * n + x;
        float above = p[layer];

        to[z * layer + y * n + x] = 2 * here - 0.25f * (below + above + p[1] + p[-1] + p[n] + p[-n]);
        below = here;
        here = above;
    }
}

static void convolutions(void)
{
    enum { W = 45, H = 37, SIDE = 16 };
    float *image = noise_values<float>(W * H, 64, -32, 1), *w = noise_values<float>(25, 8, -4, 0.25);
    float *want = (float *)calloc(W * H, sizeof *want), *di = on_device(image, W * H), *to = on_device<float>(NULL, W * H);
    float *block = noise_values<float>(SIDE * SIDE * SIDE, 64, -32, 1), *solid = (float *)calloc(SIDE * SIDE * SIDE, sizeof *solid);

    for (int y = 0; y < H; y++)
        for (int x = 0; x < W; x++)
            for (int i = 0; i < 25; i++) {
                int gx = x + i % 5 - 2, gy = y + i / 5 - 2;

                want[y * W + x] += gx >= 0 && gx < W && gy >= 0 && gy < H ? w[i] * image[gy * W + gx] : 0;
            }
    CHECK(cudaMemcpyToSymbol(weights, w, 25 * sizeof *w, 0, cudaMemcpyHostToDevice));
    convolve<<<dim3(3, 3), dim3(16, 16), 400 * sizeof(float)>>>(to, di, W, H);
    expect("convolution", to, want, W * H, 0);
    CHECK(cudaFree(di));
    for (int z = 1; z < SIDE - 1; z++)
        for (int y = 1; y < SIDE - 1; y++)
            for (int x = 1; x < SIDE - 1; x++) {
                const float *p = block + (z * SIDE + y) * SIDE + x;
                int l = SIDE * SIDE;

                solid[(z * SIDE + y) * SIDE + x] = 2 * p[0] - 0.25f * (p[-l] + p[l] + p[1] + p[-1] + p[SIDE] + p[-SIDE]);
            }
    di = on_device(block, SIDE * SIDE * SIDE);
    to = on_device<float>(NULL, SIDE * SIDE * SIDE);
    cube<<<dim3(2, 4), dim3(8, 4)>>>(to, di, SIDE);
    expect("cube", to, solid, SIDE * SIDE * SIDE, 0);
    CHECK(cudaFree(di));
    free(image);
    free(w);
    free(block);
}

int main(void)
{
    heat_spreads();
    speckles_go();
    ways_are_cheapest();
    convolutions();
    return report();
}
