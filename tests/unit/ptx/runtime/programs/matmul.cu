/* Matrix products in ten variants: plain, tiled, register-blocked, vector loads, split along k, cp.async
 * prefetch, wmma, mma with ldmatrix, dp4a, f64 tensor cores. Values are small integers, so all results are exact.
 */
#include "tests/unit/ptx/runtime/programs/check.h"

typedef unsigned short half;
enum { M = 64, N = 96, K = 80 };

__global__ void plain(float *c, const float *a, const float *b, int m, int n, int k)
{
    int row = BLOCK(y) * THREADS(y) + THREAD(y), column = BLOCK(x) * THREADS(x) + THREAD(x);
    float sum = 0;

    if (row >= m || column >= n)
        return;
    for (int i = 0; i < k; i++)
        sum += a[row * k + i] * b[i * n + column];
    c[row * n + column] = sum;
}

/* Tiles of 16 x 16, padded with zeros at the edges. */
__global__ void tiled(float *c, const float *a, const float *b, int m, int n, int k)
{
    __shared__ float at[16][16], bt[16][17];
    int x = THREAD(x), y = THREAD(y), row = BLOCK(y) * 16 + y, column = BLOCK(x) * 16 + x;
    float sum = 0;

    for (int from = 0; from < k; from += 16) {
        at[y][x] = row < m && from + x < k ? a[row * k + from + x] : 0;
        bt[y][x] = column < n && from + y < k ? b[(from + y) * n + column] : 0;
        __syncthreads();
#pragma unroll
        for (int i = 0; i < 16; i++)
            sum += at[y][i] * bt[i][x];
        __syncthreads();
    }
    if (row < m && column < n)
        c[row * n + column] = sum;
}

/* 32 x 32 of C by 64 threads, 4 x 4 each, in registers. */
__global__ void __launch_bounds__(64) blocked(float *c, const float *a, const float *b, int n, int k)
{
    __shared__ float at[8][32], bt[8][32];
    int t = THREAD(x), x = t % 8 * 4, y = t / 8 * 4, row = BLOCK(y) * 32, column = BLOCK(x) * 32;
    float sum[4][4] = {};

    for (int from = 0; from < k; from += 8) {
        for (int i = t; i < 256; i += 64) {
            at[i % 8][i / 8] = a[(row + i / 8) * k + from + i % 8];
            bt[i / 32][i % 32] = b[(from + i / 32) * n + column + i % 32];
        }
        __syncthreads();
        for (int i = 0; i < 8; i++) {
            float u[4], v[4];

            for (int j = 0; j < 4; j++) {
                u[j] = at[i][y + j];
                v[j] = bt[i][x + j];
            }
            for (int p = 0; p < 4; p++)
                for (int q = 0; q < 4; q++)
                    sum[p][q] += u[p] * v[q];
        }
        __syncthreads();
    }
    for (int p = 0; p < 4; p++)
        for (int q = 0; q < 4; q++)
            c[(row + y + p) * n + column + x + q] = sum[p][q];
}

static inline __device__ void add_row(float4 *sum, float a, const float *b)
{
    float4 v = *(const float4 *)b;

    sum->x += a * v.x;
    sum->y += a * v.y;
    sum->z += a * v.z;
    sum->w += a * v.w;
}

/* Four columns per thread, with 16-byte vectors. */
__global__ void vectors(float *c, const float *a, const float *b, int n, int k)
{
    int row = BLOCK(y) * THREADS(y) + THREAD(y), column = (BLOCK(x) * THREADS(x) + THREAD(x)) * 4;
    float4 sum = {0, 0, 0, 0};

    for (int i = 0; i < k; i += 4) {
        float4 u = *(const float4 *)(a + row * k + i);

        add_row(&sum, u.x, b + i * n + column);
        add_row(&sum, u.y, b + (i + 1) * n + column);
        add_row(&sum, u.z, b + (i + 2) * n + column);
        add_row(&sum, u.w, b + (i + 3) * n + column);
    }
    *(float4 *)(c + row * n + column) = sum;
}

static inline __device__ void add_float(float *at, float by)
{
    asm volatile("red.global.add.f32 [%0], %1;" ::"l"(at), "f"(by) : "memory");
}

/* Blocks along z each handle a part of k and add their sums. */
__global__ void split(float *c, const float *a, const float *b, int n, int k)
{
    int row = BLOCK(y) * THREADS(y) + THREAD(y), column = BLOCK(x) * THREADS(x) + THREAD(x);
    int part = k / BLOCKS(z), from = BLOCK(z) * part;
    float sum = 0;

    for (int i = from; i < from + part; i++)
        sum += a[row * k + i] * b[i * n + column];
    add_float(&c[row * n + column], sum);
}

static inline __device__ unsigned shared_address(const void *p)
{
    unsigned out;

    asm("{ .reg .u64 x; cvta.to.shared.u64 x, %1; cvt.u32.u64 %0, x; }" : "=r"(out) : "l"(p));
    return out;
}
static inline __device__ void copy_16(void *to, const void *from)
{
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared_address(to)), "l"(from) : "memory");
}

/* 16 x 16 of C; the next tile is loaded while the current one is used. */
__global__ void __launch_bounds__(256) ahead(float *c, const float *a, const float *b, int n, int k)
{
    __shared__ __attribute__((aligned(16))) float at[2][16][16], bt[2][16][16];
    int t = THREAD(x), x = t % 16, y = t / 16, row = BLOCK(y) * 16, column = BLOCK(x) * 16, steps = k / 16;
    float sum = 0;

    for (int s = 0; s <= steps; s++) {
        if (s < steps && t < 64) {
            copy_16(&at[s % 2][t / 4][t % 4 * 4], a + (row + t / 4) * k + s * 16 + t % 4 * 4);
            copy_16(&bt[s % 2][t / 4][t % 4 * 4], b + (s * 16 + t / 4) * n + column + t % 4 * 4);
        }
        asm volatile("cp.async.commit_group;" ::: "memory");
        asm volatile("cp.async.wait_group 1;" ::: "memory");
        __syncthreads();
        for (int i = 0; i < 16 && s; i++)
            sum += at[(s - 1) % 2][y][i] * bt[(s - 1) % 2][i][x];
        __syncthreads();
    }
    c[(row + y) * n + column + x] = sum;
}

/* One warp per 16 x 16 of C. */
__global__ void by_wmma(float *c, const half *a, const half *b, int n, int k)
{
    const half *ap = a + BLOCK(y) * 16 * k, *bp = b + BLOCK(x) * 16;
    float *cp = c + BLOCK(y) * 16 * n + BLOCK(x) * 16, d[8] = {};
    unsigned u[8], v[8];

    for (int i = 0; i < k; i += 16) {
        asm volatile("wmma.load.a.sync.aligned.row.m16n16k16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
                     : "=r"(u[0]), "=r"(u[1]), "=r"(u[2]), "=r"(u[3]), "=r"(u[4]), "=r"(u[5]), "=r"(u[6]), "=r"(u[7])
                     : "l"(ap + i), "r"(k));
        asm volatile("wmma.load.b.sync.aligned.row.m16n16k16.f16 {%0, %1, %2, %3, %4, %5, %6, %7}, [%8], %9;"
                     : "=r"(v[0]), "=r"(v[1]), "=r"(v[2]), "=r"(v[3]), "=r"(v[4]), "=r"(v[5]), "=r"(v[6]), "=r"(v[7])
                     : "l"(bp + i * n), "r"(n));
        asm volatile("wmma.mma.sync.aligned.row.row.m16n16k16.f32.f32 {%0, %1, %2, %3, %4, %5, %6, %7},"
                     "{%8, %9, %10, %11, %12, %13, %14, %15}, {%16, %17, %18, %19, %20, %21, %22, %23},"
                     "{%0, %1, %2, %3, %4, %5, %6, %7};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3]), "+f"(d[4]), "+f"(d[5]), "+f"(d[6]), "+f"(d[7])
                     : "r"(u[0]), "r"(u[1]), "r"(u[2]), "r"(u[3]), "r"(u[4]), "r"(u[5]), "r"(u[6]), "r"(u[7]),
                       "r"(v[0]), "r"(v[1]), "r"(v[2]), "r"(v[3]), "r"(v[4]), "r"(v[5]), "r"(v[6]), "r"(v[7]));
    }
    asm volatile("wmma.store.d.sync.aligned.row.m16n16k16.f32 [%8], {%0, %1, %2, %3, %4, %5, %6, %7}, %9;" ::"f"(d[0]),
                 "f"(d[1]), "f"(d[2]), "f"(d[3]), "f"(d[4]), "f"(d[5]), "f"(d[6]), "f"(d[7]), "l"(cp), "r"(n)
                 : "memory");
}

/* One warp per 16 x 8 of C: fragments by ldmatrix, with B transposed on load. */
__global__ void by_mma(float *c, const half *a, const half *b, int n, int k)
{
    __shared__ __attribute__((aligned(16))) half at[16][16], bt[16][8];
    int lane = THREAD(x), row = BLOCK(y) * 16, column = BLOCK(x) * 8;
    unsigned u[4], v[2];
    float d[4] = {};

    for (int from = 0; from < k; from += 16) {
        for (int i = lane; i < 256; i += 32)
            at[i / 16][i % 16] = a[(row + i / 16) * k + from + i % 16];
        for (int i = lane; i < 128; i += 32)
            bt[i / 8][i % 8] = b[(from + i / 8) * n + column + i % 8];
        __syncthreads();
        asm volatile("ldmatrix.sync.aligned.m8n8.x4.shared.b16 {%0, %1, %2, %3}, [%4];"
                     : "=r"(u[0]), "=r"(u[1]), "=r"(u[2]), "=r"(u[3])
                     : "r"(shared_address(&at[lane % 16][lane / 16 * 8]))
                     : "memory");
        asm volatile("ldmatrix.sync.aligned.m8n8.x2.trans.shared.b16 {%0, %1}, [%2];"
                     : "=r"(v[0]), "=r"(v[1])
                     : "r"(shared_address(&bt[lane % 16][0]))
                     : "memory");
        asm volatile("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0, %1, %2, %3}, {%4, %5, %6, %7}, {%8, %9},"
                     "{%0, %1, %2, %3};"
                     : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
                     : "r"(u[0]), "r"(u[1]), "r"(u[2]), "r"(u[3]), "r"(v[0]), "r"(v[1]));
        __syncthreads();
    }
    for (int i = 0; i < 4; i++)
        c[(row + lane / 4 + i / 2 * 8) * n + column + lane % 4 * 2 + i % 2] = d[i];
}

/* Bytes, four along k per word; b is in column order. */
__global__ void by_dp4a(int *c, const int *a, const int *b, int n, int words)
{
    int row = BLOCK(y) * THREADS(y) + THREAD(y), column = BLOCK(x) * THREADS(x) + THREAD(x), sum = 0;

    for (int i = 0; i < words; i++)
        asm("dp4a.s32.s32 %0, %1, %2, %0;" : "+r"(sum) : "r"(a[row * words + i]), "r"(b[column * words + i]));
    c[row * n + column] = sum;
}

/* One warp per 8 x 8 of C. */
__global__ void by_f64(double *c, const double *a, const double *b, int n, int k)
{
    int lane = THREAD(x), row = BLOCK(y) * 8 + lane / 4, column = BLOCK(x) * 8;
    double d0 = 0, d1 = 0;

    for (int i = 0; i < k; i += 4)
        asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0, %1}, {%2}, {%3}, {%0, %1};"
                     : "+d"(d0), "+d"(d1)
                     : "d"(a[row * k + i + lane % 4]), "d"(b[(i + lane % 4) * n + column + lane / 4]));
    c[row * n + column + lane % 4 * 2] = d0;
    c[row * n + column + lane % 4 * 2 + 1] = d1;
}

/* --- the host --- */

template <typename C, typename A> static C *product(const A *a, const A *b, int m, int n, int k)
{
    C *c = (C *)calloc((size_t)m * n, sizeof(C));

    for (int i = 0; i < m; i++)
        for (int p = 0; p < k; p++)
            for (int j = 0; j < n; j++)
                c[i * n + j] += (C)a[i * k + p] * (C)b[p * n + j];
    return c;
}

/* f16 of an integer from -64 to 64 */
static half half_of(float x)
{
    int e = 0;
    float m = fabsf(x);

    if (x == 0)
        return 0;
    for (; m >= 2; m /= 2)
        e++;
    return (half)((x < 0) << 15 | (15 + e) << 10 | (int)((m - 1) * 1024));
}

static half *halves(const float *x, int n)
{
    half *h = (half *)malloc(n * sizeof *h);

    for (int i = 0; i < n; i++)
        h[i] = half_of(x[i]);
    return h;
}

static void of_floats(void)
{
    float *a = noise_values<float>(M * K, 17, -8, 1), *b = noise_values<float>(K * N, 17, -8, 1);
    float *da = on_device(a, M * K), *db = on_device(b, K * N), *c;
    half *ha = halves(a, M * K), *hb = halves(b, K * N), *dha = on_device(ha, M * K), *dhb = on_device(hb, K * N);

#define RUN(kernel, grid, block, ...)                                                                              \
    c = on_device<float>(NULL, M * N);                                                                             \
    kernel<<<grid, block>>>(c, __VA_ARGS__);                                                                       \
    expect(#kernel, c, product<float>(a, b, M, N, K), M * N, 0)
    RUN(plain, dim3(N / 16, M / 8), dim3(16, 8), da, db, M, N, K);
    RUN(tiled, dim3(N / 16, M / 16), dim3(16, 16), da, db, M, N, K);
    RUN(blocked, dim3(N / 32, M / 32), 64, da, db, N, K);
    RUN(vectors, dim3(N / 32, M / 8), dim3(8, 8), da, db, N, K);
    RUN(split, dim3(N / 16, M / 16, 5), dim3(16, 16), da, db, N, K);
    RUN(ahead, dim3(N / 16, M / 16), 256, da, db, N, K);
    RUN(by_wmma, dim3(N / 16, M / 16), 32, dha, dhb, N, K);
    RUN(by_mma, dim3(N / 8, M / 16), 32, dha, dhb, N, K);
    /* edges: a smaller product inside the same arrays */
    c = on_device<float>(NULL, 50 * 70);
    tiled<<<dim3(5, 4), dim3(16, 16)>>>(c, da, db, 50, 70, 45);
    expect("tiled, with edges", c, product<float>(a, b, 50, 70, 45), 50 * 70, 0);
    CHECK(cudaFree(da));
    CHECK(cudaFree(db));
    CHECK(cudaFree(dha));
    CHECK(cudaFree(dhb));
    free(a);
    free(b);
    free(ha);
    free(hb);
}

static void of_others(void)
{
    signed char *a = noise_values<signed char>(M * K, 256, -128, 1), *b = noise_values<signed char>(K * N, 256, -128, 1);
    signed char *turned = (signed char *)malloc(K * N);
    double *x = noise_values<double>(M * K, 1000, -500, 1), *y = noise_values<double>(K * N, 1000, -500, 1);
    double *dx = on_device(x, M * K), *dy = on_device(y, K * N), *e = on_device<double>(NULL, M * N);
    signed char *da = on_device(a, M * K), *db;
    int *c = on_device<int>(NULL, M * N);

    for (int i = 0; i < K * N; i++)
        turned[i % N * K + i / N] = b[i];
    db = on_device(turned, K * N);
    by_dp4a<<<dim3(N / 16, M / 8), dim3(16, 8)>>>(c, (int *)da, (int *)db, N, K / 4);
    expect("by_dp4a", c, product<int>(a, b, M, N, K), M * N, 0);
    by_f64<<<dim3(N / 8, M / 8), 32>>>(e, dx, dy, N, K);
    expect("by_f64", e, product<double>(x, y, M, N, K), M * N, 0);
    CHECK(cudaFree(dx));
    CHECK(cudaFree(dy));
    CHECK(cudaFree(da));
    CHECK(cudaFree(db));
    free(a);
    free(b);
    free(turned);
    free(x);
    free(y);
}

int main(void)
{
    of_floats();
    of_others();
    return report();
}
