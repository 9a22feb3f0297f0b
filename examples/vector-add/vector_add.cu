/* y = a x + y, one thread per element: the smallest kernel that is one. */
#define __global__ __attribute__((global))
#define INDEX(a) __nvvm_read_ptx_sreg_##a##_x()

extern "C" __global__ void vector_add(float *y, const float *x, float a, int n)
{
    int i = INDEX(ctaid) * INDEX(ntid) + INDEX(tid);

    if (i < n)
        y[i] += a * x[i];
}
