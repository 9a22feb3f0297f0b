/* Kernels whose times on RTX 2060 and RTX 3080 are published (../kernels_ptx.csv), written from what the measured
 * programs do: their types, layouts, checks and order of loops, which decide the times. One thread makes one
 * output. `make validation-ptx` makes kernels.ptx. */

__constant__ float constant_mask[11 * 11];

static __device__ bool inside(int y, int x, int height, int width)
{
    return y >= 0 && y < height && x >= 0 && x < width;
}

/* The measured programs compare with constants of double precision, so a float is converted there and back. */
static __device__ float to_unit_range(float value)
{
    return (float)fmin(fmax((double)value, 0.0), 1.0);
}

/* The channels of a pixel are neighbours; what is outside of the image counts as 0. */
template <typename Mask>
static __device__ void convolve(float *out, const float *in, Mask mask, int mask_height, int mask_width, int height,
                                int width, int channels)
{
    int y = blockIdx.y * blockDim.y + threadIdx.y, x = blockIdx.x * blockDim.x + threadIdx.x;

    if (y >= height || x >= width)
        return;
    int top = y - mask_height / 2, left = x - mask_width / 2;
    for (int c = 0; c < channels; c++) {
        float sum = 0;

        for (int dy = 0; dy < mask_height; dy++)
            for (int dx = 0; dx < mask_width; dx++)
                if (inside(top + dy, left + dx, height, width))
                    sum += in[((top + dy) * width + left + dx) * channels + c] * mask[dy * mask_width + dx];
        out[(y * width + x) * channels + c] = to_unit_range(sum);
    }
}

extern "C" __global__ void conv2d_basic(float *in, float *mask, float *out, int mask_height, int mask_width,
                                        int height, int width, int channels)
{
    convolve(out, in, mask, mask_height, mask_width, height, width, channels);
}

extern "C" __global__ void conv2d_constmask(float *in, float *out, int mask_height, int mask_width, int height,
                                            int width, int channels)
{
    convolve(out, in, constant_mask, mask_height, mask_width, height, width, channels);
}

/* A CTA brings a tile of its own size, and its first threads along each axis have an output each. */
extern "C" __global__ void conv2d_tiled(float *in, float *out, int mask_height, int mask_width, int height,
                                        int width, int channels)
{
    extern __shared__ float tile[];
    int rows = blockDim.y - mask_height + 1, columns = blockDim.x - mask_width + 1;
    int ty = threadIdx.y, tx = threadIdx.x, y = blockIdx.y * rows + ty, x = blockIdx.x * columns + tx;
    int top = y - mask_height / 2, left = x - mask_width / 2;

    for (int c = 0; c < channels; c++) {
        float sum = 0;

        if (inside(top, left, height, width))
            tile[ty * blockDim.x + tx] = in[(top * width + left) * channels + c];
        else
            tile[ty * blockDim.x + tx] = 0;
        __syncthreads();
        if (ty < rows && tx < columns && y < height && x < width) {
            for (int dy = 0; dy < mask_height; dy++)
                for (int dx = 0; dx < mask_width; dx++)
                    sum += tile[(ty + dy) * blockDim.x + tx + dx] * constant_mask[dy * mask_width + dx];
            out[(y * width + x) * channels + c] = to_unit_range(sum);
        }
        __syncthreads();
    }
}

extern "C" __global__ void rgb8_to_gray8(unsigned char *out, unsigned char *in, int n)
{
    int y = blockIdx.y * blockDim.y + threadIdx.y, x = blockIdx.x * blockDim.x + threadIdx.x;

    if (y < 0 || y >= n || x < 0 || x >= n)
        return;
    int at = y * n + x;
    out[at] = (unsigned char)(0.21f * in[3 * at] + 0.71f * in[3 * at + 1] + 0.07f * in[3 * at + 2]);
}

/* The grid has a thread for each key, so the second loop is run once. */
extern "C" __global__ void histogram_global(unsigned *bins, unsigned *keys, unsigned n, unsigned count)
{
    unsigned first = blockIdx.x * blockDim.x + threadIdx.x;

    for (unsigned b = first; b < count; b += blockDim.x * gridDim.x)
        bins[b] = 0;
    __syncthreads();
    for (unsigned i = first; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&bins[keys[i]], 1);
}

extern "C" __global__ void histogram_shared(unsigned *bins, unsigned *keys, unsigned n, unsigned count)
{
    extern __shared__ unsigned own[];

    for (unsigned b = threadIdx.x; b < count; b += blockDim.x)
        own[b] = 0;
    __syncthreads();
    for (unsigned i = blockIdx.x * blockDim.x + threadIdx.x; i < n; i += blockDim.x * gridDim.x)
        atomicAdd(&own[keys[i]], 1);
    __syncthreads();
    for (unsigned b = threadIdx.x; b < count; b += blockDim.x)
        atomicAdd(&bins[b], own[b]);
}

extern "C" __global__ void matvec_u32_naive(unsigned *out, unsigned *matrix, unsigned *vector, int rows,
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

extern "C" __global__ void matvec_u32_shared(unsigned *out, unsigned *matrix, unsigned *vector, int rows,
                                             int columns)
{
    extern __shared__ unsigned part[];
    int row = blockIdx.x * blockDim.x + threadIdx.x;
    int phases = (columns + blockDim.x - 1) / blockDim.x;
    unsigned sum = 0;

    for (int phase = 0; phase < phases; phase++) {
        int own = phase * blockDim.x + threadIdx.x;

        part[threadIdx.x] = own < columns ? vector[own] : 0;
        __syncthreads();
        if (row < rows)
            for (int i = 0; i < blockDim.x && phase * blockDim.x + i < columns; i++)
                sum += matrix[row * columns + phase * blockDim.x + i] * part[i];
        __syncthreads();
    }
    out[row] = sum;
}
