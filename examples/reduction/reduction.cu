/* The sum of an array, two ways: a tree in shared memory and shuffles of the last warp, then one atomic a block; and
 * a grid-wide count of what is above a limit. */
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define INDEX(a) __nvvm_read_ptx_sreg_##a##_x()

extern "C" __global__ void sum(unsigned long long *total, const unsigned *x, int n)
{
    static __shared__ unsigned part[256];
    int thread = INDEX(tid), stride = INDEX(ntid) * INDEX(nctaid);
    unsigned own = 0;

    for (int i = INDEX(ctaid) * INDEX(ntid) + thread; i < n; i += stride)
        own += x[i];
    part[thread] = own;
    __syncthreads();
    for (int half = INDEX(ntid) / 2; half >= 32; half /= 2) {
        if (thread < half)
            part[thread] += part[thread + half];
        __syncthreads();
    }
    if (thread >= 32)
        return;
    own = part[thread];
    for (int distance = 16; distance > 0; distance /= 2)
        own += __nvvm_shfl_sync_down_i32(0xffffffff, own, distance, 31);
    if (thread == 0)
        __nvvm_atom_add_gen_ll((long long *)total, own);
}

extern "C" __global__ void count_above(unsigned *count, const unsigned *x, unsigned limit, int n)
{
    int i = INDEX(ctaid) * INDEX(ntid) + INDEX(tid);

    if (i < n && x[i] > limit)
        __nvvm_atom_add_gen_i((int *)count, 1);
}
