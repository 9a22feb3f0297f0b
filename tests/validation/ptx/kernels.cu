/* Kernels whose times on RTX 2060 and RTX 3080 are published (../kernels_ptx.csv), written from their description:
 * integers, square planes and matrices of n x n, one thread one output. `make validation-ptx` makes kernels.ptx. */

__constant__ unsigned constant_mask[11 * 11];

static __device__ bool inside(int at, int n)
{
    return at >= 0 && at < n;
}

/* Planes of the image behind each other; what is outside counts as 0. */
template <typename Mask>
static __device__ void convolve(unsigned *out, const unsigned *in, Mask mask, int n, int width, int channels)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y, radius = width / 2;

    if (x >= n || y >= n)
        return;
    for (int c = 0; c < channels; c++) {
        unsigned sum = 0;

        for (int dy = 0; dy < width; dy++)
            for (int dx = 0; dx < width; dx++) {
                int ix = x + dx - radius, iy = y + dy - radius;

                if (inside(ix, n) && inside(iy, n))
                    sum += in[(c * n + iy) * n + ix] * mask[dy * width + dx];
            }
        out[(c * n + y) * n + x] = sum;
    }
}

extern "C" __global__ void conv2d_basic(unsigned *out, const unsigned *in, const unsigned *mask, int n, int width,
                                        int channels)
{
    convolve(out, in, mask, n, width, channels);
}

extern "C" __global__ void conv2d_constmask(unsigned *out, const unsigned *in, int n, int width, int channels)
{
    convolve(out, in, constant_mask, n, width, channels);
}

/* A CTA brings a tile of its own size, and its inner threads have an output each. */
extern "C" __global__ void conv2d_tiled(unsigned *out, const unsigned *in, int n, int width, int channels)
{
    extern __shared__ unsigned tile[];
    int edge = blockDim.x - (width - 1), radius = width / 2;
    int x = blockIdx.x * edge + threadIdx.x - radius, y = blockIdx.y * edge + threadIdx.y - radius;
    int tx = threadIdx.x - radius, ty = threadIdx.y - radius;

    for (int c = 0; c < channels; c++) {
        unsigned sum = 0;

        tile[threadIdx.y * blockDim.x + threadIdx.x] = inside(x, n) && inside(y, n) ? in[(c * n + y) * n + x] : 0;
        __syncthreads();
        if (inside(tx, edge) && inside(ty, edge) && x < n && y < n) {
            for (int dy = 0; dy < width; dy++)
                for (int dx = 0; dx < width; dx++)
                    sum += tile[(ty + dy) * blockDim.x + tx + dx] * constant_mask[dy * width + dx];
            out[(c * n + y) * n + x] = sum;
        }
        __syncthreads();
    }
}

extern "C" __global__ void rgb8_to_gray8(unsigned char *out, const unsigned char *in, int n)
{
    int x = blockIdx.x * blockDim.x + threadIdx.x, y = blockIdx.y * blockDim.y + threadIdx.y;

    if (x >= n || y >= n)
        return;
    const unsigned char *pixel = in + 3 * (y * n + x);
    out[y * n + x] = (unsigned char)(0.21f * pixel[0] + 0.72f * pixel[1] + 0.07f * pixel[2]);
}

extern "C" __global__ void histogram_global(unsigned *bins, const unsigned *keys, int n, int count)
{
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    if (i < n && keys[i] < count)
        atomicAdd(&bins[keys[i]], 1);
}

extern "C" __global__ void histogram_shared(unsigned *bins, const unsigned *keys, int n, int count)
{
    extern __shared__ unsigned own[];
    int i = blockIdx.x * blockDim.x + threadIdx.x;

    for (int b = threadIdx.x; b < count; b += blockDim.x)
        own[b] = 0;
    __syncthreads();
    if (i < n && keys[i] < count)
        atomicAdd(&own[keys[i]], 1);
    __syncthreads();
    for (int b = threadIdx.x; b < count; b += blockDim.x)
        atomicAdd(&bins[b], own[b]);
}

extern "C" __global__ void matvec_u32_naive(unsigned *out, const unsigned *matrix, const unsigned *vector, int rows,
                                            int columns)
{
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;

    if (row >= rows)
        return;
    for (int i = 0; i < columns; i++)
        sum += matrix[row * columns + i] * vector[i];
    out[row] = sum;
}

extern "C" __global__ void matvec_u32_shared(unsigned *out, const unsigned *matrix, const unsigned *vector, int rows,
                                             int columns)
{
    extern __shared__ unsigned part[];
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    unsigned sum = 0;

    for (int first = 0; first < columns; first += blockDim.x) {
        if (first + threadIdx.x < columns)
            part[threadIdx.x] = vector[first + threadIdx.x];
        __syncthreads();
        if (row < rows)
            for (int i = 0; i < blockDim.x && first + i < columns; i++)
                sum += matrix[row * columns + first + i] * part[i];
        __syncthreads();
    }
    if (row < rows)
        out[row] = sum;
}
