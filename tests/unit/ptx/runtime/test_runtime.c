/* The CUDA runtime API as programs call it, with registration as nvcc emits it. Expected values come from the
 * API's reference. */
#include "ptx/runtime/api.h"
#include "tests/harness/check.h"
#include "tests/unit/ptx/runtime/fatbin.h"

#define OK(call)                                                                                                   \
    do {                                                                                                           \
        cudaError_t r_ = (call);                                                                                   \
        if (r_ != cudaSuccess)                                                                                     \
            fail_msg("%s: %s", #call, cudaGetErrorString(r_));                                                     \
    } while (0)
#define FAILS(call, want)                                                                                          \
    do {                                                                                                           \
        assert_int_equal(call, want);                                                                              \
        assert_int_equal(cudaGetLastError(), want);                                                                \
        assert_int_equal(cudaGetLastError(), cudaSuccess);                                                         \
    } while (0)

static const char ptx[] =
    ".version 7.0\n.target sm_75\n.address_size 64\n"
    ".const .align 4 .b8 scale[16];\n"
    ".global .align 4 .u32 counter = 5;\n"
    ".global .align 8 .u64 shared_with_host;\n"
    /* y[i] = x[i] * scale[i % 4] for i < n; `counter` counts the threads */
    ".visible .entry multiply(.param .u64 py, .param .u64 px, .param .u32 pn)\n{\n"
    " .reg .pred %p<2>; .reg .b32 %r<12>; .reg .b64 %d<12>;\n"
    " ld.param.u64 %d1, [py]; ld.param.u64 %d2, [px]; ld.param.u32 %r1, [pn];\n"
    " mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.u32 %r5, %r2, %r3, %r4;\n"
    " setp.ge.u32 %p1, %r5, %r1; @%p1 ret;\n"
    " mul.wide.u32 %d3, %r5, 4; add.u64 %d4, %d2, %d3; ld.global.u32 %r6, [%d4];\n"
    " and.b32 %r7, %r5, 3; mul.wide.u32 %d5, %r7, 4; mov.u64 %d6, scale; add.u64 %d6, %d6, %d5;\n"
    " ld.const.u32 %r8, [%d6]; mul.lo.u32 %r9, %r6, %r8; add.u64 %d7, %d1, %d3; st.global.u32 [%d7], %r9;\n"
    " mov.u64 %d8, counter; atom.global.add.u32 %r10, [%d8], 1;\n ret;\n}\n"
    /* stores at the given address, valid or not */
    ".visible .entry store(.param .u64 p)\n{\n .reg .b64 %d<2>; .reg .b32 %r<2>;\n"
    " ld.param.u64 %d1, [p]; mov.u32 %r1, 1; st.global.u32 [%d1], %r1; ret;\n}\n"
    /* dynamic shared memory: writes and reads the last word */
    ".extern .shared .align 4 .b8 dynamic[];\n"
    ".visible .entry use_shared(.param .u64 p)\n{\n .reg .b64 %d<2>; .reg .b32 %r<5>;\n"
    " ld.param.u64 %d1, [p]; mov.u32 %r1, %dynamic_smem_size; mov.u32 %r2, dynamic; add.u32 %r2, %r2, %r1;\n"
    " st.shared.u32 [%r2+-4], %r1; ld.shared.u32 %r3, [%r2+-4]; st.global.u32 [%d1], %r3; ret;\n}\n"
    /* texel 2 of a texture of floats */
    ".visible .entry fetch(.param .u64 p, .param .u64 t)\n{\n .reg .b64 %d<3>; .reg .b32 %r<2>; .reg .f32 %f<5>;\n"
    " ld.param.u64 %d1, [p]; ld.param.u64 %d2, [t]; mov.u32 %r1, 2;\n"
    " tex.1d.v4.f32.s32 {%f1, %f2, %f3, %f4}, [%d2, {%r1}]; st.global.f32 [%d1], %f1; ret;\n}\n"
    /* the workspace of the grid barrier of a cooperative kernel */
    ".visible .entry workspace(.param .u64 p)\n{\n .reg .b64 %d<3>; .reg .b32 %r<4>;\n"
    " ld.param.u64 %d1, [p]; mov.u32 %r1, %envreg2; mov.u32 %r2, %envreg1; mov.b64 %d2, {%r1, %r2};\n"
    " ld.global.u32 %r3, [%d2]; st.global.u32 [%d1], %r3; ret;\n}\n"
    ".visible .entry stop()\n{\n trap; ret;\n}\n";

/* The host addresses with which a program identifies its kernels and variables. */
static char multiply, store, use_shared, fetch, workspace, stop, scale, counter, unknown;
static void *shared_with_host;
static struct strbuf container = STRBUF_INIT;
static struct fatbin_wrapper wrapper = {CONTAINER_WRAPPER_MAGIC, 1, NULL, NULL};

static int register_all(void **state)
{
    const struct fatbin_entry x = {FATBIN_PTX, 75, ptx, sizeof ptx, 0, 0};
    void **handle;

    (void)state;
    fatbin_build(&container, &x, 1);
    wrapper.container = container.text;
    handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, &multiply, &multiply, "multiply", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(handle, &store, &store, "store", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(handle, &use_shared, &use_shared, "use_shared", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(handle, &fetch, &fetch, "fetch", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(handle, &workspace, &workspace, "workspace", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFunction(handle, &stop, &stop, "stop", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterVar(handle, &scale, "scale", "scale", 0, 16, 1, 0);
    __cudaRegisterVar(handle, &counter, "counter", "counter", 0, 4, 0, 0);
    __cudaRegisterManagedVar(handle, &shared_with_host, "shared_with_host", "shared_with_host", 0, 8, 0, 0);
    __cudaRegisterFatBinaryEnd(handle);
    return __cudaInitModule(handle) ? 0 : -1;
}

static int release_all(void **state)
{
    (void)state;
    strbuf_release(&container);
    return 0;
}

static cudaError_t run(const void *kernel, uint32_t grid, uint32_t block, void **args, size_t shared,
                       cudaStream_t s)
{
    dim3 g = {grid, 1, 1}, b = {block, 1, 1}, got_grid, got_block;
    cudaStream_t got_stream;
    cudaKernel_t k;
    size_t got_shared;
    cudaError_t r;

    /* the code that a compiler emits for kernel<<<grid, block, shared, s>>>(...) */
    assert_int_equal(__cudaPushCallConfiguration(g, b, shared, s), 0);
    r = __cudaGetKernel(&k, kernel);
    assert_int_equal(__cudaPopCallConfiguration(&got_grid, &got_block, &got_shared, &got_stream), cudaSuccess);
    assert_int_equal(got_grid.x, grid);
    assert_ptr_equal(got_stream, s);
    return r != cudaSuccess ? r : __cudaLaunchKernel(k, got_grid, got_block, args, got_shared, got_stream);
}

/* --- memory and copies --- */

static void memory_is_counted_and_checked(void **state)
{
    size_t before, total, after;
    void *p, *q, *host;
    struct cudaPointerAttributes a;

    (void)state;
    OK(cudaMemGetInfo(&before, &total));
    OK(cudaMalloc(&p, 1000));
    OK(cudaMemGetInfo(&after, &total));
    assert_int_equal(before - after, 1000);
    OK(cudaPointerGetAttributes(&a, (char *)p + 999));
    assert_int_equal(a.type, cudaMemoryTypeDevice);
    OK(cudaPointerGetAttributes(&a, &before));
    assert_int_equal(a.type, cudaMemoryTypeUnregistered);
    OK(cudaHostAlloc(&host, 64, cudaHostAllocMapped));
    OK(cudaHostGetDevicePointer(&q, host, 0));
    assert_ptr_equal(q, host);
    FAILS(cudaFree(host), cudaErrorInvalidValue);
    OK(cudaFreeHost(host));
    FAILS(cudaMalloc(&q, total + 1), cudaErrorMemoryAllocation);
    FAILS(cudaFree((char *)p + 4), cudaErrorInvalidValue);
    OK(cudaFree(p));
    FAILS(cudaFree(p), cudaErrorInvalidValue);
    OK(cudaFree(NULL));
    OK(cudaMemGetInfo(&after, &total));
    assert_int_equal(before, after);
}

static void copies_know_their_direction(void **state)
{
    char host[64] = "from the host", back[64] = "";
    void *p;

    (void)state;
    OK(cudaMalloc(&p, 64));
    OK(cudaMemcpy(p, host, 64, cudaMemcpyHostToDevice));
    OK(cudaMemcpy(back, p, 64, cudaMemcpyDefault));
    assert_string_equal(back, host);
    FAILS(cudaMemcpy(p, host, 65, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    FAILS(cudaMemcpy(p, host, 64, cudaMemcpyDeviceToHost), cudaErrorInvalidValue);
    FAILS(cudaMemcpy(back, p, 64, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    FAILS(cudaMemcpy(p, host, 64, (enum cudaMemcpyKind)9), cudaErrorInvalidMemcpyDirection);
    OK(cudaMemset((char *)p + 2, 'x', 3));
    OK(cudaMemcpy(back, p, 64, cudaMemcpyDeviceToHost));
    assert_memory_equal(back, "frxxxthe host", 13);
    OK(cudaFree(p));
}

static void rows_and_slices(void **state)
{
    uint8_t from[3 * 5], to[3 * 5] = {0};
    struct cudaPitchedPtr box;
    struct cudaMemcpy3DParms c = {0};
    size_t pitch;
    void *p;

    (void)state;
    for (size_t i = 0; i < sizeof from; i++)
        from[i] = (uint8_t)i;
    OK(cudaMallocPitch(&p, &pitch, 5, 3));
    assert_int_equal(pitch, 512);
    OK(cudaMemcpy2D(p, pitch, from, 5, 5, 3, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2D(to + 1, 5, (char *)p + pitch, pitch, 2, 2, cudaMemcpyDeviceToHost));
    assert_memory_equal(to, ((uint8_t[]){0, 5, 6, 0, 0, 0, 10, 11}), 8); /* the first two bytes of rows 1 and 2 */
    FAILS(cudaMemcpy2D(p, 4, from, 5, 5, 3, cudaMemcpyHostToDevice), cudaErrorInvalidPitchValue);
    FAILS(cudaMemcpy2D(p, pitch, from, 5, 5, 4, cudaMemcpyHostToDevice),
          cudaErrorInvalidValue); /* one row too many */
    OK(cudaFree(p));
    OK(cudaMalloc3D(&box, (struct cudaExtent){5, 3, 2}));
    OK(cudaMemset3D(box, 7, (struct cudaExtent){5, 3, 2}));
    c.srcPtr = box;
    c.srcPos = (struct cudaPos){4, 2, 1}; /* the last byte of the array */
    c.dstPtr = (struct cudaPitchedPtr){to, 5, 5, 3};
    c.extent = (struct cudaExtent){1, 1, 1};
    c.kind = cudaMemcpyDeviceToHost;
    OK(cudaMemcpy3D(&c));
    assert_int_equal(to[0], 7);
    OK(cudaFree(box.ptr));
}

static void arrays_hold_elements(void **state)
{
    struct cudaChannelFormatDesc d = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat), got;
    float from[2][3] = {{1, 2, 3}, {4, 5, 6}}, to[2] = {0};
    struct cudaExtent extent;
    cudaArray_t a;

    (void)state;
    OK(cudaMallocArray(&a, &d, 3, 2, 0));
    OK(cudaArrayGetInfo(&got, &extent, NULL, a));
    assert_int_equal(extent.width, 3);
    assert_int_equal(got.x, 32);
    OK(cudaMemcpy2DToArray(a, 0, 0, from, 12, 12, 2, cudaMemcpyHostToDevice));
    OK(cudaMemcpy2DFromArray(to, 8, a, 4, 1, 8, 1, cudaMemcpyDeviceToHost));
    assert_memory_equal(to, ((float[]){5, 6}), 8);
    FAILS(cudaMemcpy2DToArray(a, 4, 0, from, 12, 12, 1, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    OK(cudaFreeArray(a));
}

/* --- kernels --- */

static void a_kernel_runs(void **state)
{
    uint32_t x[100], y[100], factors[4] = {1, 10, 100, 1000}, n = 100, count;
    void *dx, *dy, *args[] = {&dy, &dx, &n}, *address;
    size_t bytes;

    (void)state;
    for (uint32_t i = 0; i < n; i++)
        x[i] = i;
    OK(cudaMalloc(&dx, sizeof x));
    OK(cudaMalloc(&dy, sizeof y));
    OK(cudaMemcpy(dx, x, sizeof x, cudaMemcpyHostToDevice));
    OK(cudaMemcpyToSymbol(&scale, factors, 16, 0, cudaMemcpyHostToDevice));
    OK(cudaMemcpyFromSymbol(&count, &counter, 4, 0, cudaMemcpyDeviceToHost));
    assert_int_equal(count, 5); /* its initial value in the module */
    OK(run(&multiply, 2, 64, args, 0, NULL));
    OK(cudaDeviceSynchronize());
    OK(cudaMemcpy(y, dy, sizeof y, cudaMemcpyDeviceToHost));
    for (uint32_t i = 0; i < n; i++)
        assert_int_equal(y[i], i * factors[i % 4]);
    OK(cudaMemcpyFromSymbol(&count, &counter, 4, 0, cudaMemcpyDeviceToHost));
    assert_int_equal(count, 105);
    OK(cudaGetSymbolAddress(&address, &counter));
    OK(cudaGetSymbolSize(&bytes, &counter));
    assert_int_equal(bytes, 4);
    assert_int_equal(*(uint32_t *)address, 105); /* device memory is host memory here */
    FAILS(cudaMemcpyToSymbol(&scale, factors, 16, 4, cudaMemcpyHostToDevice), cudaErrorInvalidValue);
    FAILS(cudaGetSymbolSize(&bytes, &unknown), cudaErrorInvalidSymbol);
    OK(cudaFree(dx));
    OK(cudaFree(dy));
}

static void managed_variables_have_an_address(void **state)
{
    void *args[] = {&shared_with_host};

    (void)state;
    assert_non_null(shared_with_host);
    OK(run(&store, 1, 1, args, 0, NULL));
    assert_int_equal(*(uint32_t *)shared_with_host, 1);
}

static void launches_are_checked(void **state)
{
    uint32_t *p;
    void *args[] = {&p};
    struct cudaFuncAttributes a;
    int blocks;

    (void)state;
    OK(cudaMallocManaged((void **)&p, 4, 1));
    FAILS(run(&store, 1, 1025, args, 0, NULL), cudaErrorInvalidConfiguration);
    FAILS(run(&store, 0, 32, args, 0, NULL), cudaErrorInvalidConfiguration);
    FAILS(run(&unknown, 1, 32, args, 0, NULL), cudaErrorInvalidDeviceFunction);
    OK(run(&use_shared, 1, 1, args, 48 << 10, NULL));
    assert_int_equal(*p, 48 << 10);
    FAILS(run(&use_shared, 1, 1, args, 64 << 10, NULL), cudaErrorInvalidValue);
    OK(cudaFuncSetAttribute(&use_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 64 << 10));
    OK(run(&use_shared, 1, 1, args, 64 << 10, NULL));
    assert_int_equal(*p, 64 << 10);
    OK(cudaFuncGetAttributes(&a, &use_shared));
    assert_int_equal(a.maxDynamicSharedSizeBytes, 64 << 10);
    assert_in_range(a.numRegs, 1, 32);
    assert_int_equal(a.ptxVersion, 75);
    FAILS(cudaFuncSetAttribute(&use_shared, cudaFuncAttributeMaxDynamicSharedMemorySize, 1 << 20),
          cudaErrorInvalidValue);
    /* a100, the default design: 2048 threads per SM, and 164 KiB of shared memory, of which each CTA uses 1 KiB
     * more */
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &store, 1024, 0));
    assert_int_equal(blocks, 2);
    OK(cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, &use_shared, 32, 40 << 10));
    assert_int_equal(blocks, 4);
    assert_int_equal(
        cudaLaunchCooperativeKernel(&store, (dim3){2 * 108 + 1, 1, 1}, (dim3){1024, 1, 1}, args, 0, NULL),
        cudaErrorCooperativeLaunchTooLarge);
    OK(cudaLaunchCooperativeKernel(&store, (dim3){2 * 108, 1, 1}, (dim3){1024, 1, 1}, args, 0, NULL));
    (void)cudaGetLastError();
    OK(cudaFree(p));
}

static void textures_read_memory(void **state)
{
    struct cudaResourceDesc r = {.resType = cudaResourceTypeLinear};
    struct cudaTextureDesc d = {0};
    cudaTextureObject_t t;
    float *p;
    void *args[] = {&p, &t};

    (void)state;
    OK(cudaMallocManaged((void **)&p, 16, 1));
    memcpy(p, (float[]){1, 2, 3, 4}, 16);
    r.res.linear.devPtr = p;
    r.res.linear.sizeInBytes = 16;
    r.res.linear.desc = cudaCreateChannelDesc(32, 0, 0, 0, cudaChannelFormatKindFloat);
    OK(cudaCreateTextureObject(&t, &r, &d, NULL));
    OK(run(&fetch, 1, 1, args, 0, NULL));
    assert_true(p[0] == 3);
    OK(cudaDestroyTextureObject(t));
    r.resType = cudaResourceTypeMipmappedArray;
    FAILS(cudaCreateTextureObject(&t, &r, &d, NULL), cudaErrorNotSupported);
    OK(cudaFree(p));
}

static void cooperative_kernels_have_a_grid_barrier(void **state)
{
    const dim3 one = {1, 1, 1};
    uint32_t *p;
    void *args[] = {&p};

    (void)state;
    OK(cudaMallocManaged((void **)&p, 4, 1));
    OK(cudaLaunchCooperativeKernel(&workspace, one, one, args, 0, NULL));
    assert_int_equal(*p, 8); /* the size in bytes, which comes first */
    OK(cudaFree(p));
}

/* An error stays until the device is reset. */
static void faults_are_sticky(void **state)
{
    uint64_t bad = 0, odd;
    void *p, *bad_args[] = {&bad}, *odd_args[] = {&odd};

    (void)state;
    OK(run(&store, 1, 32, bad_args, 0, NULL));
    assert_int_equal(cudaDeviceSynchronize(), cudaErrorIllegalAddress);
    assert_int_equal(cudaMalloc(&p, 4), cudaErrorIllegalAddress);
    assert_int_equal(cudaGetLastError(), cudaErrorIllegalAddress);
    assert_int_equal(cudaGetLastError(), cudaErrorIllegalAddress);
    OK(cudaDeviceReset());
    (void)cudaGetLastError();
    assert_int_equal(cudaGetLastError(), cudaSuccess);
    OK(cudaMalloc(&p, 8));
    odd = (uintptr_t)p + 1;
    OK(run(&store, 1, 32, odd_args, 0, NULL));
    assert_int_equal(cudaDeviceSynchronize(), cudaErrorMisalignedAddress);
    OK(cudaDeviceReset());
    OK(run(&stop, 1, 32, NULL, 0, NULL));
    assert_int_equal(cudaDeviceSynchronize(), cudaErrorLaunchFailure);
    OK(cudaDeviceReset());
    (void)cudaGetLastError();
}

/* --- streams, events, graphs --- */

static void time_passes_by_the_clock(void **state)
{
    cudaEvent_t begin, middle, end, silent;
    cudaStream_t s;
    float first, both;
    void *p;

    (void)state;
    OK(cudaMalloc(&p, 1 << 20));
    OK(cudaStreamCreate(&s));
    OK(cudaEventCreate(&begin));
    OK(cudaEventCreate(&middle));
    OK(cudaEventCreate(&end));
    OK(cudaEventCreateWithFlags(&silent, cudaEventDisableTiming));
    FAILS(cudaEventElapsedTime(&first, begin, end), cudaErrorInvalidResourceHandle); /* not recorded */
    OK(cudaEventRecord(begin, s));
    OK(cudaMemsetAsync(p, 0, 1 << 20, s));
    OK(cudaEventRecord(middle, s));
    OK(cudaMemsetAsync(p, 0, 1 << 20, s));
    OK(cudaEventRecord(end, s));
    OK(cudaEventSynchronize(end));
    OK(cudaEventElapsedTime(&first, begin, middle));
    OK(cudaEventElapsedTime(&both, begin, end));
    assert_true(first > 0);
    CHECK_NEAR(both, 2 * first, 1e-5);
    OK(cudaEventRecord(silent, s));
    FAILS(cudaEventElapsedTime(&first, begin, silent), cudaErrorInvalidResourceHandle);
    OK(cudaStreamDestroy(s));
    FAILS(cudaStreamSynchronize(s), cudaErrorInvalidResourceHandle);
    OK(cudaEventDestroy(begin));
    FAILS(cudaEventDestroy(begin), cudaErrorInvalidResourceHandle);
    OK(cudaEventDestroy(middle));
    OK(cudaEventDestroy(end));
    OK(cudaEventDestroy(silent));
    OK(cudaFree(p));
}

/* Copies of two streams overlap with kernels of the other stream, but not with each other. */
static void engines_work_side_by_side(void **state)
{
    cudaEvent_t begin, a_end, b_end;
    cudaStream_t a, b;
    char host[1 << 16] = {0};
    float ta, tb;
    void *p;

    (void)state;
    OK(cudaMalloc(&p, sizeof host));
    OK(cudaStreamCreateWithFlags(&a, cudaStreamNonBlocking));
    OK(cudaStreamCreateWithFlags(&b, cudaStreamNonBlocking));
    OK(cudaEventCreate(&begin));
    OK(cudaEventCreate(&a_end));
    OK(cudaEventCreate(&b_end));
    OK(cudaDeviceSynchronize());
    OK(cudaEventRecord(begin, a));
    OK(cudaMemcpyAsync(p, host, sizeof host, cudaMemcpyHostToDevice, a));
    OK(cudaMemcpyAsync(host, p, sizeof host, cudaMemcpyDeviceToHost, b));
    OK(cudaEventRecord(a_end, a));
    OK(cudaEventRecord(b_end, b));
    OK(cudaEventElapsedTime(&ta, begin, a_end));
    OK(cudaEventElapsedTime(&tb, begin, b_end));
    CHECK_NEAR(ta, tb, 1e-5);
    OK(cudaMemcpyAsync(p, host, sizeof host, cudaMemcpyHostToDevice, b)); /* after its own stream's work */
    OK(cudaEventRecord(b_end, b));
    OK(cudaEventElapsedTime(&tb, begin, b_end));
    CHECK_NEAR(tb, 2 * ta, 1e-5);
    OK(cudaStreamDestroy(a));
    OK(cudaStreamDestroy(b));
    OK(cudaEventDestroy(begin));
    OK(cudaEventDestroy(a_end));
    OK(cudaEventDestroy(b_end));
    OK(cudaFree(p));
}

static void add_one(void *data)
{
    int *n = data;
    int device;

    OK(cudaGetDevice(&device)); /* the library is not locked during the callback */
    (*n)++;
}

static void nodes_get_other_parameters(void **state)
{
    uint32_t *p, *q;
    void *to_p[] = {&p}, *to_q[] = {&q};
    struct cudaKernelNodeParams k = {.func = &store, .gridDim = {1, 1, 1}, .blockDim = {1, 1, 1}};
    struct cudaGraphNodeParams any = {.type = cudaGraphNodeTypeMemset};
    cudaGraphNode_t kernel, fill, found;
    cudaGraph_t g, clone;
    cudaGraphExec_t x;
    size_t n;
    int type;

    (void)state;
    OK(cudaMallocManaged((void **)&p, 4, 1));
    OK(cudaMallocManaged((void **)&q, 4, 1));
    OK(cudaGraphCreate(&g, 0));
    k.kernelParams = to_p;
    OK(cudaGraphAddKernelNode(&kernel, g, NULL, 0, &k));
    any.of.fill = (struct cudaMemsetParams){q, 0, 7, 4, 1, 1};
    OK(cudaGraphAddNode(&fill, g, &kernel, NULL, 1, &any));
    OK(cudaGraphNodeGetType(fill, &type));
    assert_int_equal(type, cudaGraphNodeTypeMemset);
    OK(cudaGraphClone(&clone, g));
    OK(cudaGraphNodeFindInClone(&found, kernel, clone));
    FAILS(cudaGraphNodeFindInClone(&found, found, clone), cudaErrorInvalidValue);
    OK(cudaGraphInstantiate(&x, clone, 0));
    OK(cudaGraphLaunch(x, NULL));
    assert_int_equal(*p, 1);
    assert_int_equal(*q, 7);
    *p = 0;
    k.kernelParams = to_q; /* the store is before the fill */
    OK(cudaGraphNodeFindInClone(&found, kernel, clone));
    OK(cudaGraphExecKernelNodeSetParams(x, found, &k));
    OK(cudaGraphNodeFindInClone(&found, fill, clone));
    FAILS(cudaGraphExecKernelNodeSetParams(x, found, &k), cudaErrorInvalidValue); /* a fill */
    OK(cudaGraphExecMemsetNodeSetParams(x, found, &(struct cudaMemsetParams){p, 0, 9, 4, 1, 1}));
    OK(cudaGraphLaunch(x, NULL));
    assert_int_equal(*q, 1);
    assert_int_equal(*p, 9);
    FAILS(cudaGraphExecKernelNodeSetParams(x, kernel, &k), cudaErrorInvalidValue); /* of the other graph */
    OK(cudaGraphAddChildGraphNode(&found, clone, NULL, 0, g));
    OK(cudaGraphGetNodes(clone, NULL, &n));
    assert_int_equal(n, 5);
    any = (struct cudaGraphNodeParams){.type = 12};
    FAILS(cudaGraphAddNode(&found, g, NULL, NULL, 0, &any), cudaErrorNotSupported);
    OK(cudaGraphExecDestroy(x));
    OK(cudaGraphDestroy(g));
    OK(cudaGraphDestroy(clone));
    OK(cudaFree(p));
    OK(cudaFree(q));
}

static void a_kernel_node_keeps_its_cluster(void **state)
{
    struct cudaKernelNodeParams k = {.func = &store, .gridDim = {3, 1, 1}, .blockDim = {1, 1, 1}};
    cudaLaunchAttribute cluster = {.id = ATTRIBUTE_CLUSTER, .val.cluster = {2, 1, 1}};
    cudaLaunchConfig_t c = {.gridDim = {4, 1, 1}, .blockDim = {1, 1, 1}, .attrs = &cluster, .numAttrs = 1};
    cudaGraphNode_t node;
    cudaGraph_t g;
    uint32_t *p;
    void *args[] = {&p};
    size_t n = 1;

    (void)state;
    OK(cudaMalloc((void **)&p, 4));
    OK(cudaStreamCreate(&c.stream));
    OK(cudaStreamBeginCapture(c.stream, 0));
    OK(cudaLaunchKernelExC(&c, &store, args));
    OK(cudaStreamEndCapture(c.stream, &g));
    OK(cudaGraphGetNodes(g, &node, &n));
    assert_int_equal(n, 1);
    k.kernelParams = args;
    FAILS(cudaGraphKernelNodeSetParams(node, &k), cudaErrorInvalidClusterSize); /* 3 CTAs in clusters of 2 */
    k.gridDim.x = 6;
    OK(cudaGraphKernelNodeSetParams(node, &k));
    OK(cudaGraphDestroy(g));
    OK(cudaStreamDestroy(c.stream));
    OK(cudaFree(p));
}

static void memory_of_a_graph_lasts_as_long_as_the_graph(void **state)
{
    struct cudaMemAllocNodeParams a = {.bytesize = 64};
    size_t before, between, after, total;
    uint32_t *p, *out;
    void *args[] = {&p};
    cudaGraphNode_t node;
    cudaGraphExec_t x;
    cudaStream_t s;
    cudaGraph_t g;

    (void)state;
    OK(cudaMallocManaged((void **)&out, 4, 1));
    OK(cudaMemGetInfo(&before, &total));
    OK(cudaStreamCreate(&s));
    OK(cudaStreamBeginCapture(s, 0));
    OK(cudaMallocAsync((void **)&p, 4, s));
    OK(run(&store, 1, 1, args, 0, s));
    OK(cudaMemcpyAsync(out, p, 4, cudaMemcpyDefault, s));
    OK(cudaFreeAsync(p, s));
    OK(cudaStreamEndCapture(s, &g));
    OK(cudaGraphAddMemAllocNode(&node, g, NULL, 0, &a));
    OK(cudaGraphAddMemsetNode(&node, g, NULL, 0, &(struct cudaMemsetParams){a.dptr, 0, 1, 4, 1, 1}));
    OK(cudaGraphAddMemFreeNode(&node, g, NULL, 0, a.dptr));
    FAILS(cudaGraphAddMemFreeNode(&node, g, NULL, 0, &before), cudaErrorInvalidValue);
    OK(cudaGraphInstantiate(&x, g, 0));
    OK(cudaGraphDestroy(g));
    for (int k = 0; k < 2; k++) {
        *out = 0;
        OK(cudaGraphLaunch(x, s));
        assert_int_equal(*out, 1);
    }
    OK(cudaMemGetInfo(&between, &total));
    assert_int_equal(before - between, 4 + 64);
    OK(cudaGraphExecDestroy(x));
    OK(cudaMemGetInfo(&after, &total));
    assert_int_equal(before, after);
    OK(cudaStreamDestroy(s));
    OK(cudaFree(out));
}

static void a_captured_graph_runs_when_it_is_launched(void **state)
{
    uint32_t *p, called = 0;
    void *args[] = {&p};
    cudaGraphNode_t node;
    cudaGraphExec_t x;
    cudaGraph_t g;
    cudaStream_t s;
    size_t nodes;

    (void)state;
    OK(cudaMallocManaged((void **)&p, 4, 1));
    OK(cudaStreamCreate(&s));
    OK(cudaStreamBeginCapture(s, 0));
    OK(cudaMemsetAsync(p, 3, 4, s));
    OK(run(&store, 1, 1, args, 0, s));
    OK(cudaLaunchHostFunc(s, add_one, &called));
    FAILS(cudaStreamSynchronize(s), cudaErrorStreamCaptureUnsupported);
    OK(cudaStreamEndCapture(s, &g));
    assert_int_equal(*p, 0); /* nothing has run yet */
    OK(cudaGraphGetNodes(g, NULL, &nodes));
    assert_int_equal(nodes, 3);
    OK(cudaGraphAddMemsetNode(&node, g, NULL, 0, &(struct cudaMemsetParams){p, 0, 0x01020304, 4, 1, 1}));
    OK(cudaGraphInstantiate(&x, g, 0));
    OK(cudaGraphDestroy(g));
    OK(cudaGraphLaunch(x, s));
    OK(cudaGraphLaunch(x, s));
    assert_int_equal(*p, 0x01020304); /* the effect of the last node */
    assert_int_equal(called, 2);
    OK(cudaGraphExecDestroy(x));
    OK(cudaStreamDestroy(s));
    OK(cudaFree(p));
}

/* --- the device, errors --- */

cudaError_t cudaImportExternalMemory(void);

static void the_device_is_the_design(void **state)
{
    struct cudaDeviceProp p;
    int n, value;

    (void)state;
    OK(cudaGetDeviceCount(&n));
    assert_int_equal(n, 1);
    OK(cudaGetDeviceProperties(&p, 0));
    assert_non_null(strstr(p.name, "A100"));
    assert_int_equal(p.major * 10 + p.minor, 80);
    assert_int_equal(p.multiProcessorCount, 108);
    assert_int_equal(p.sharedMemPerBlockOptin, 163 << 10);
    OK(cudaDeviceGetAttribute(&value, 16, 0));
    assert_int_equal(value, 108);
    FAILS(cudaGetDeviceProperties(&p, 1), cudaErrorInvalidDevice);
    FAILS(cudaSetDevice(1), cudaErrorInvalidDevice);
    FAILS(cudaDeviceGetAttribute(&value, 9999, 0), cudaErrorInvalidValue);
    FAILS(cudaImportExternalMemory(), cudaErrorNotSupported);
    assert_string_equal(cudaGetErrorName(cudaErrorIllegalAddress), "cudaErrorIllegalAddress");
    assert_string_equal(cudaGetErrorString(cudaSuccess), "no error");
    assert_string_equal(cudaGetErrorString((cudaError_t)12345), "unrecognized error code");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(memory_is_counted_and_checked),
        cmocka_unit_test(copies_know_their_direction),
        cmocka_unit_test(rows_and_slices),
        cmocka_unit_test(arrays_hold_elements),
        cmocka_unit_test(a_kernel_runs),
        cmocka_unit_test(managed_variables_have_an_address),
        cmocka_unit_test(launches_are_checked),
        cmocka_unit_test(textures_read_memory),
        cmocka_unit_test(cooperative_kernels_have_a_grid_barrier),
        cmocka_unit_test(faults_are_sticky),
        cmocka_unit_test(time_passes_by_the_clock),
        cmocka_unit_test(engines_work_side_by_side),
        cmocka_unit_test(a_captured_graph_runs_when_it_is_launched),
        cmocka_unit_test(nodes_get_other_parameters),
        cmocka_unit_test(a_kernel_node_keeps_its_cluster),
        cmocka_unit_test(memory_of_a_graph_lasts_as_long_as_the_graph),
        cmocka_unit_test(the_device_is_the_design),
    };

    return cmocka_run_group_tests_name("runtime", tests, register_all, release_all);
}
