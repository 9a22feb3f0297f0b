/* Kernels of the usual kinds, for the comparison of ptx/lower with ptxas. kernels.ptx: nvcc -ptx -arch=compute_75.
 */
#include <cuda_fp16.h>
#define KERNEL(name) extern "C" __global__ void name
__constant__ float filter[81];
KERNEL(saxpy)(int n, float a, const float *x, float *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = a * x[i] + y[i];
}
KERNEL(grid_stride)(int n, float a, const float *__restrict__ x, float *__restrict__ y)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        y[i] = a * x[i] + y[i];
}
KERNEL(transpose)(float *o, const float *in, int w, int h)
{
    __shared__ float t[32][33];
    int x = blockIdx.x * 32 + threadIdx.x, y = blockIdx.y * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < w && y + j < h)
            t[threadIdx.y + j][threadIdx.x] = in[(y + j) * w + x];
    __syncthreads();
    x = blockIdx.y * 32 + threadIdx.x;
    y = blockIdx.x * 32 + threadIdx.y;
    for (int j = 0; j < 32; j += 8)
        if (x < h && y + j < w)
            o[(y + j) * h + x] = t[threadIdx.x][threadIdx.y + j];
}
KERNEL(tile_gemm)(const float *a, const float *b, float *c, int n)
{
    __shared__ float s[16][16], t[16][16];
    int x = threadIdx.x, y = threadIdx.y, row = blockIdx.y * 16 + y, col = blockIdx.x * 16 + x;
    float sum = 0;
    for (int k = 0; k < n; k += 16) {
        s[y][x] = a[row * n + k + x];
        t[y][x] = b[(k + y) * n + col];
        __syncthreads();
        for (int i = 0; i < 16; i++)
            sum += s[y][i] * t[i][x];
        __syncthreads();
    }
    c[row * n + col] = sum;
}
KERNEL(reg_gemm)(const float *a, const float *b, float *c, int n)
{
    __shared__ float s[8][64], t[8][64];
    float acc[4][4] = {};
    int x = threadIdx.x % 16, y = threadIdx.x / 16;
    for (int k = 0; k < n; k += 8) {
        for (int i = threadIdx.x; i < 512; i += 256) {
            s[i / 64][i % 64] = a[(blockIdx.y * 64 + i % 64) * n + k + i / 64];
            t[i / 64][i % 64] = b[(k + i / 64) * n + blockIdx.x * 64 + i % 64];
        }
        __syncthreads();
        for (int i = 0; i < 8; i++)
            for (int p = 0; p < 4; p++)
                for (int q = 0; q < 4; q++)
                    acc[p][q] += s[i][y * 4 + p] * t[i][x * 4 + q];
        __syncthreads();
    }
    for (int p = 0; p < 4; p++)
        for (int q = 0; q < 4; q++)
            c[(blockIdx.y * 64 + y * 4 + p) * n + blockIdx.x * 64 + x * 4 + q] = acc[p][q];
}
KERNEL(conv_const)(const float *in, float *o, int w, int h, int r)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    float s = 0;
    for (int i = -r; i <= r; i++)
        for (int j = -r; j <= r; j++) {
            int u = x + j, v = y + i;
            if (u >= 0 && u < w && v >= 0 && v < h)
                s += in[v * w + u] * filter[(i + r) * (2 * r + 1) + j + r];
        }
    o[y * w + x] = s;
}
KERNEL(conv_int)(const int *in, const int *f, int *o, int n, int r)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    int s = 0;
    for (int i = 0; i < 2 * r + 1; i++)
        for (int j = 0; j < 2 * r + 1; j++) {
            int u = x - r + j, v = y - r + i;
            if (u >= 0 && u < n && v >= 0 && v < n)
                s += in[v * n + u] * f[i * (2 * r + 1) + j];
        }
    o[y * n + x] = s;
}
KERNEL(conv9)(const float *in, float *o, int w)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x + 1, y = blockIdx.y * blockDim.y + threadIdx.y + 1;
    float s = 0;
    for (int i = -1; i <= 1; i++)
        for (int j = -1; j <= 1; j++)
            s += in[(y + i) * w + x + j] * filter[(i + 1) * 3 + j + 1];
    o[y * w + x] = s;
}
KERNEL(gray)(const unsigned char *in, unsigned char *o, int w, int h)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x < w && y < h) {
        int i = y * w + x;
        unsigned char r = in[3 * i], g = in[3 * i + 1], b = in[3 * i + 2];
        o[i] = .21f * r + .71f * g + .07f * b;
    }
}
KERNEL(hist_global)(const int *in, int *bins, int n, int nb)
{
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&bins[in[i] % nb], 1);
}
KERNEL(hist_shared)(const unsigned *in, unsigned *bins, int n)
{
    __shared__ unsigned s[256];
    s[threadIdx.x] = 0;
    __syncthreads();
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&s[in[i] & 255], 1);
    __syncthreads();
    atomicAdd(&bins[threadIdx.x], s[threadIdx.x]);
}
KERNEL(matvec)(const float *m, const float *v, float *o, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < n) {
        float s = 0;
        for (int k = 0; k < n; k++)
            s += m[r * n + k] * v[k];
        o[r] = s;
    }
}
KERNEL(matvec_int)(const int *m, const int *v, int *o, int n)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < n) {
        int s = 0;
        for (int k = 0; k < n; k++)
            s += m[r * n + k] * v[k];
        o[r] = s;
    }
}
KERNEL(naive_mm)(const int *a, const int *b, int *c, int n)
{
    int r = blockIdx.y * blockDim.y + threadIdx.y, q = blockIdx.x * blockDim.x + threadIdx.x;
    c[r * n + q] = 0;
    for (int k = 0; k < n; k++)
        c[r * n + q] += a[r * n + k] * b[k * n + q];
}
KERNEL(reduce_shared)(const float *in, float *o, int n)
{
    __shared__ float s[256];
    int t = threadIdx.x, i = blockIdx.x * 512 + t;
    float v = i < n ? in[i] : 0;
    if (i + 256 < n)
        v += in[i + 256];
    s[t] = v;
    __syncthreads();
    for (int k = 128; k > 0; k >>= 1) {
        if (t < k)
            s[t] += s[t + k];
        __syncthreads();
    }
    if (t == 0)
        o[blockIdx.x] = s[0];
}
KERNEL(reduce_shfl)(const float *in, float *o, int n)
{
    float v = 0;
    for (int i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += gridDim.x * blockDim.x)
        v += in[i];
    for (int k = 16; k > 0; k >>= 1)
        v += __shfl_down_sync(~0u, v, k);
    if ((threadIdx.x & 31) == 0)
        atomicAdd(o, v);
}
KERNEL(scan_block)(int *a, int n)
{
    __shared__ int s[512];
    int t = threadIdx.x, i = blockIdx.x * 512 + t;
    s[t] = i < n ? a[i] : 0;
    for (int d = 1; d < 512; d *= 2) {
        __syncthreads();
        int v = t >= d ? s[t - d] : 0;
        __syncthreads();
        s[t] += v;
    }
    if (i < n)
        a[i] = s[t];
}
KERNEL(spmv_csr)(int n, const int *row, const int *col, const float *v, const float *x, float *y)
{
    int r = blockIdx.x * blockDim.x + threadIdx.x;
    if (r < n) {
        float s = 0;
        for (int k = row[r]; k < row[r + 1]; k++)
            s += v[k] * x[col[k]];
        y[r] = s;
    }
}
KERNEL(stencil7)(const float *__restrict__ in, float *o, int nx, int ny, int nz, float c0, float c1)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, j = blockIdx.y * blockDim.y + threadIdx.y;
    if (i > 0 && j > 0 && i < nx - 1 && j < ny - 1)
        for (int k = 1; k < nz - 1; k++) {
            int p = (k * ny + j) * nx + i;
            o[p] = c1 * (in[p + nx * ny] + in[p - nx * ny] + in[p + nx] + in[p - nx] + in[p + 1] + in[p - 1]) -
                   c0 * in[p];
        }
}
KERNEL(nbody)(const float4 *p, float4 *a, int n, float eps)
{
    __shared__ float4 s[256];
    int i = blockIdx.x * 256 + threadIdx.x;
    float4 me = p[i];
    float x = 0, y = 0, z = 0;
    for (int b = 0; b < n; b += 256) {
        s[threadIdx.x] = p[b + threadIdx.x];
        __syncthreads();
        for (int j = 0; j < 256; j++) {
            float dx = s[j].x - me.x, dy = s[j].y - me.y, dz = s[j].z - me.z, d = dx * dx + dy * dy + dz * dz + eps,
                  r = rsqrtf(d), q = s[j].w * r * r * r;
            x += dx * q;
            y += dy * q;
            z += dz * q;
        }
        __syncthreads();
    }
    a[i] = make_float4(x, y, z, 0);
}
KERNEL(mandel)(unsigned *o, int w, int h, int most)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    float cx = x * 3.f / w - 2, cy = y * 2.f / h - 1, a = 0, b = 0;
    int k = 0;
    while (k < most && a * a + b * b < 4) {
        float t = a * a - b * b + cx;
        b = 2 * a * b + cy;
        a = t;
        k++;
    }
    o[y * w + x] = k;
}
KERNEL(black_scholes)(const float *s, const float *x, const float *t, float *c, float *p, float r, float v, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    float q = sqrtf(t[i]), d1 = (__logf(s[i] / x[i]) + (r + .5f * v * v) * t[i]) / (v * q), d2 = d1 - v * q;
    float k1 = 1 / (1 + .2316419f * fabsf(d1)), k2 = 1 / (1 + .2316419f * fabsf(d2));
    float n1 = .39894228f * __expf(-.5f * d1 * d1) * k1 *
               (.31938153f + k1 * (-.356563782f + k1 * (1.781477937f + k1 * (-1.821255978f + k1 * 1.330274429f)))),
          n2 = .39894228f * __expf(-.5f * d2 * d2) * k2 *
               (.31938153f + k2 * (-.356563782f + k2 * (1.781477937f + k2 * (-1.821255978f + k2 * 1.330274429f))));
    if (d1 > 0)
        n1 = 1 - n1;
    if (d2 > 0)
        n2 = 1 - n2;
    float e = __expf(-r * t[i]);
    c[i] = s[i] * n1 - x[i] * e * n2;
    p[i] = x[i] * e * (1 - n2) - s[i] * (1 - n1);
}
KERNEL(softmax_row)(const float *in, float *o, int n)
{
    __shared__ float s[32];
    float m = -1e30f, t = 0;
    const float *r = in + blockIdx.x * n;
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        m = fmaxf(m, r[i]);
    for (int k = 16; k; k >>= 1)
        m = fmaxf(m, __shfl_xor_sync(~0u, m, k));
    if ((threadIdx.x & 31) == 0)
        s[threadIdx.x / 32] = m;
    __syncthreads();
    m = s[threadIdx.x & 31];
    for (int k = 16; k; k >>= 1)
        m = fmaxf(m, __shfl_xor_sync(~0u, m, k));
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        t += expf(r[i] - m);
    for (int k = 16; k; k >>= 1)
        t += __shfl_xor_sync(~0u, t, k);
    for (int i = threadIdx.x; i < n; i += blockDim.x)
        o[blockIdx.x * n + i] = expf(r[i] - m) / t;
}
KERNEL(half_axpy)(int n, __half2 a, const __half2 *x, __half2 *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = __hfma2(a, x[i], y[i]);
}
KERNEL(copy4)(const float4 *a, float4 *b, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        b[i] = a[i];
}
KERNEL(gather)(const float *a, const int *i, float *o, int n)
{
    int k = blockIdx.x * blockDim.x + threadIdx.x;
    if (k < n)
        o[k] = a[i[k]];
}
KERNEL(chase)(const int *a, int *o, int n)
{
    int k = 0;
    for (int i = 0; i < n; i++)
        k = a[k];
    *o = k;
}
KERNEL(bitonic)(int *a, int j, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x, p = i ^ j;
    if (p > i) {
        int x = a[i], y = a[p];
        if (((i & k) == 0) == (x > y)) {
            a[i] = y;
            a[p] = x;
        }
    }
}
KERNEL(daxpy_div)(int n, const double *x, double *y)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        y[i] = y[i] / x[i] + sqrt(x[i]);
}
KERNEL(layer_forward)(float *in, float *w, float *hid, float *part, int hn)
{
    __shared__ float node[16], m[16][16];
    int by = blockIdx.y, tx = threadIdx.x, ty = threadIdx.y,
        idx = (hn + 1) * 16 * by + (hn + 1) * ty + tx + 1 + (hn + 1), ii = 16 * by + ty + 1;
    if (tx == 0)
        node[ty] = in[ii];
    __syncthreads();
    m[ty][tx] = w[idx];
    __syncthreads();
    m[ty][tx] *= node[ty];
    __syncthreads();
    for (int i = 1; i <= 4; i++) {
        int p = 1 << i;
        if (ty % p == 0)
            m[ty][tx] += m[ty + p / 2][tx];
        __syncthreads();
    }
    w[idx] = m[ty][tx];
    __syncthreads();
    if (tx == 0)
        part[by * hn + ty] = m[tx][ty];
}
KERNEL(quasi)(float *o, const unsigned *t, unsigned seed, unsigned n)
{
    unsigned p = blockIdx.x * blockDim.x + threadIdx.x;
    for (; p < n; p += blockDim.x * gridDim.x) {
        unsigned r = 0, d = seed + p;
        for (int b = 0; b < 31; b++, d >>= 1)
            if (d & 1)
                r ^= t[blockIdx.y * 31 + b];
        o[blockIdx.y * n + p] = (r + 1) * 4.656612e-10f;
    }
}
KERNEL(mma_loop)(const unsigned *a, const unsigned *b, float *c, int n)
{
    float d[8] = {};
    const unsigned *pa = a + threadIdx.x * 4, *pb = b + threadIdx.x * 2;
    for (int k = 0; k < n; k++) {
        unsigned x = pa[0], y = pa[1], z = pa[2], w = pa[3], u = pb[0], v = pb[1];
        for (int j = 0; j < 8; j += 4)
            asm("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3}, {%4,%5}, {%6}, {%0,%1,%2,%3};"
                : "+f"(d[j]), "+f"(d[j + 1]), "+f"(d[j + 2]), "+f"(d[j + 3])
                : "r"(j ? z : x), "r"(j ? w : y), "r"(j ? u : v));
        pa += 128;
        pb += 64;
    }
    for (int j = 0; j < 8; j++)
        c[threadIdx.x * 8 + j] = d[j];
}
KERNEL(lud_diag)(float *m, int n, int off)
{
    __shared__ float s[16][16];
    int x = threadIdx.x;
    for (int i = 0; i < 16; i++)
        s[i][x] = m[(off + i) * n + off + x];
    __syncthreads();
    for (int i = 0; i < 15; i++) {
        if (x > i) {
            for (int j = 0; j < i; j++)
                s[x][i] -= s[x][j] * s[j][i];
            s[x][i] /= s[i][i];
        }
        __syncthreads();
        if (x > i)
            for (int j = 0; j < i + 1; j++)
                s[i + 1][x] -= s[i + 1][j] * s[j][x];
        __syncthreads();
    }
    for (int i = 1; i < 16; i++)
        m[(off + i) * n + off + x] = s[i][x];
}
KERNEL(hotspot_step)(const float *p, const float *t, float *o, int w, int h, float rx, float ry, float rz, float st)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;
    if (x >= w || y >= h)
        return;
    int i = y * w + x, N = y ? i - w : i, S = y < h - 1 ? i + w : i, W = x ? i - 1 : i, E = x < w - 1 ? i + 1 : i;
    o[i] = t[i] + st * (p[i] + (t[S] + t[N] - 2 * t[i]) * ry + (t[E] + t[W] - 2 * t[i]) * rx + (80.f - t[i]) * rz);
}
KERNEL(kmeans_assign)(const float *f, const float *c, int *m, int n, int d, int k)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    int best = 0;
    float bd = 1e30f;
    for (int j = 0; j < k; j++) {
        float s = 0;
        for (int q = 0; q < d; q++) {
            float v = f[q * n + i] - c[j * d + q];
            s += v * v;
        }
        if (s < bd) {
            bd = s;
            best = j;
        }
    }
    m[i] = best;
}
KERNEL(path_step)(const int *wall, const int *src, int *dst, int cols, int rows)
{
    __shared__ int prev[256], res[256];
    int t = threadIdx.x, x = blockIdx.x * 256 + t;
    if (x < cols)
        prev[t] = src[x];
    __syncthreads();
    for (int i = 0; i < rows; i++) {
        if (t > 0 && t < 255 && x < cols) {
            int m = min(min(prev[t - 1], prev[t]), prev[t + 1]);
            res[t] = m + wall[cols * i + x];
        }
        __syncthreads();
        prev[t] = res[t];
        __syncthreads();
    }
    dst[x] = prev[t];
}
KERNEL(fft_radix2)(float2 *d, int n, int s)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n / 2) {
        int k = i & (s - 1), j = ((i - k) << 1) + k;
        float a = -3.14159265f * k / s, c = __cosf(a), z = __sinf(a);
        float2 u = d[j], v = d[j + s];
        float x = v.x * c - v.y * z, y = v.x * z + v.y * c;
        d[j] = make_float2(u.x + x, u.y + y);
        d[j + s] = make_float2(u.x - x, u.y - y);
    }
}
KERNEL(relu_bias)(float *x, const float *b, int n, int c, int hw)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i < n)
        x[i] = fmaxf(x[i] + b[(i / hw) % c], 0.f);
}
KERNEL(crc)(const unsigned *in, unsigned *o, int n)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;
    if (i >= n)
        return;
    unsigned c = ~0u ^ in[i];
    for (int k = 0; k < 32; k++)
        c = (c >> 1) ^ (0xedb88320u & -(c & 1));
    o[i] = ~c;
}
KERNEL(cp_async_tile)(const float4 *a, float4 *o, int n)
{
    __shared__ float4 s[2][128];
    float4 t = {0, 0, 0, 0};
    s[0][threadIdx.x] = a[threadIdx.x];
    for (int k = 0; k < n; k++) {
        __syncthreads();
        if (k + 1 < n)
            s[(k + 1) & 1][threadIdx.x] = a[(k + 1) * 128 + threadIdx.x];
        float4 v = s[k & 1][(threadIdx.x + 1) & 127];
        t.x += v.x;
        t.y += v.y;
        t.z += v.z;
        t.w += v.w;
    }
    o[blockIdx.x * 128 + threadIdx.x] = t;
}
