/* The CUDA driver API as a program without the runtime uses it. Expected values come from the API's reference. */
#include "ptx/driver/driver.h"
#include "tests/harness/check.h"

#define OK(call)                                                                                                   \
    do {                                                                                                           \
        const char *text_;                                                                                         \
        CUresult r_ = (call);                                                                                      \
        if (r_ != CUDA_SUCCESS && cuGetErrorString(r_, &text_) == CUDA_SUCCESS)                                    \
            fail_msg("%s: %s", #call, text_);                                                                      \
    } while (0)

enum { COUNT = 1000 };

/* y = a * x + y; `total` counts the threads */
static const char ptx[] =
    ".version 7.0\n.target sm_70\n.address_size 64\n.visible .global .align 4 .u32 total;\n"
    ".visible .entry saxpy(.param .u32 n, .param .f32 a, .param .u64 x, .param .u64 y)\n{\n"
    " .reg .b32 %r<8>; .reg .b64 %d<8>; .reg .f32 %f<5>; .reg .pred %p;\n"
    " ld.param.u32 %r1, [n]; ld.param.f32 %f1, [a]; ld.param.u64 %d1, [x]; ld.param.u64 %d2, [y];\n"
    " mov.u32 %r2, %ctaid.x; mov.u32 %r3, %ntid.x; mov.u32 %r4, %tid.x; mad.lo.s32 %r5, %r2, %r3, %r4;\n"
    " setp.ge.u32 %p, %r5, %r1; @%p ret;\n"
    " mul.wide.u32 %d3, %r5, 4; add.u64 %d1, %d1, %d3; add.u64 %d2, %d2, %d3;\n"
    " ld.global.f32 %f2, [%d1]; ld.global.f32 %f3, [%d2]; fma.rn.f32 %f4, %f1, %f2, %f3; st.global.f32 [%d2], "
    "%f4;\n"
    " mov.u64 %d4, total; red.global.add.u32 [%d4], 1;\n ret;\n}\n"
    ".visible .entry other()\n{\n ret;\n}\n.visible .func helper()\n{\n ret;\n}\n";

static CUmodule module;
static CUfunction saxpy;

static int load(void **state)
{
    CUcontext c;

    (void)state;
    OK(cuInit(0));
    OK(cuCtxCreate_v2(&c, 0, 0));
    OK(cuModuleLoadData(&module, ptx));
    OK(cuModuleGetFunction(&saxpy, module, "saxpy"));
    return 0;
}

static void the_device_and_its_context_are_there(void **state)
{
    struct driver_context *c, *again;
    int value, device, count;
    char name[64];
    size_t bytes;

    (void)state;
    OK(cuDeviceGetCount(&count));
    assert_int_equal(count, 1);
    OK(cuDeviceGet(&device, 0));
    assert_int_equal(cuDeviceGet(&device, 1), CUDA_ERROR_INVALID_DEVICE);
    OK(cuDeviceGetName(name, sizeof name, 0));
    assert_non_null(strstr(name, "A100"));
    OK(cuDeviceGetAttribute(&value, 16, 0)); /* multiprocessors */
    assert_int_equal(value, 108);
    OK(cuDeviceTotalMem_v2(&bytes, 0));
    assert_true(bytes > 1 << 30);
    OK(cuCtxGetCurrent(&c));
    OK(cuDevicePrimaryCtxRetain(&again, 0));
    assert_ptr_equal(c, again);
    OK(cuCtxPushCurrent_v2(c));
    OK(cuCtxPopCurrent_v2(&again));
    OK(cuCtxSetCurrent(NULL));
    OK(cuCtxGetCurrent(&again));
    assert_null(again);
    assert_int_equal(cuCtxPopCurrent_v2(&again), CUDA_ERROR_INVALID_CONTEXT);
    OK(cuCtxSetCurrent(c));
}

static void contexts_take_the_parameters_of_cuda_13(void **state)
{
    struct driver_context_params none = {NULL, 0, NULL}, share = {&none, 1, NULL}, graphics = {NULL, 0, &none};
    CUcontext c, before;

    (void)state;
    OK(cuCtxGetCurrent(&before));
    OK(cuCtxCreate_v4(&c, &none, 0, 0));
    OK(cuCtxDestroy_v2(c));
    OK(cuCtxCreate_v3(&c, NULL, 0, 0, 0));
    OK(cuCtxDestroy_v2(c));
    assert_int_equal(cuCtxCreate_v4(&c, &share, 0, 0), CUDA_ERROR_NOT_SUPPORTED);
    assert_int_equal(cuCtxCreate_v4(&c, &graphics, 0, 0), CUDA_ERROR_NOT_SUPPORTED);
    OK(cuCtxSetCurrent(before));
}

static void modules_are_linked(void **state)
{
#define PART ".version 7.0\n.target sm_70\n.address_size 64\n"
    static char a[] = PART ".extern .func (.param .b32 r) seven();\n"
                           ".visible .entry k(.param .u64 out)\n{\n .reg .b64 %d<2>; .reg .b32 %r<2>;\n"
                           " { .param .b32 r; call (r), seven; ld.param.b32 %r1, [r]; }\n"
                           " ld.param.u64 %d1, [out]; st.global.u32 [%d1], %r1; ret;\n}\n";
    static char b[] = PART ".visible .func (.param .b32 r) seven()\n{\n st.param.b32 [r], 7; ret;\n}\n";
    struct driver_link *l;
    CUdeviceptr out;
    void *args[] = {&out}, *image;
    uint32_t got = 0;
    CUfunction f;
    CUmodule m;
    size_t n;

    (void)state;
    OK(cuLinkCreate_v2(0, NULL, NULL, &l));
    assert_int_equal(cuLinkComplete(l, &image, &n), CUDA_ERROR_INVALID_VALUE);
    OK(cuLinkAddData_v2(l, 1, a, sizeof a, "a", 0, NULL, NULL));
    OK(cuLinkAddData_v2(l, 1, b, sizeof b, "b", 0, NULL, NULL));
    assert_int_equal(cuLinkAddData_v2(l, 0, a, sizeof a, "cubin", 0, NULL, NULL), CUDA_ERROR_NOT_SUPPORTED);
    assert_int_equal(cuLinkAddFile_v2(l, 1, "/no/such/file", 0, NULL, NULL), CUDA_ERROR_FILE_NOT_FOUND);
    OK(cuLinkComplete(l, &image, &n));
    OK(cuModuleLoadData(&m, image));
    OK(cuLinkDestroy(l));
    OK(cuModuleGetFunction(&f, m, "k"));
    OK(cuMemAlloc_v2(&out, 4));
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, args, NULL));
    OK(cuMemcpyDtoH_v2(&got, out, 4));
    assert_int_equal(got, 7);
    OK(cuMemFree_v2(out));
}

/* The tests run on an A100, which has no clusters. */
static void clusters_are_counted_where_there_are_any(void **state)
{
    struct driver_launch l = {.grid = {8, 1, 1}, .block = {128, 1, 1}};
    int n = 0;

    (void)state;
    assert_int_equal(cuOccupancyMaxActiveClusters(&n, saxpy, &l), CUDA_ERROR_NOT_SUPPORTED);
    assert_int_equal(cuOccupancyMaxPotentialClusterSize(&n, saxpy, &l), CUDA_ERROR_NOT_SUPPORTED);
    assert_int_equal(cuOccupancyMaxActiveClusters(&n, saxpy, NULL), CUDA_ERROR_INVALID_VALUE);
}

static void what_a_module_holds_is_found_by_name(void **state)
{
    CUdeviceptr at;
    CUfunction again, f;
    unsigned count;
    CUmodule bad;
    size_t bytes;
    int value;

    (void)state;
    OK(cuModuleGetFunction(&again, module, "saxpy"));
    assert_ptr_equal(again, saxpy);
    assert_int_equal(cuModuleGetFunction(&f, module, "nobody"), CUDA_ERROR_NOT_FOUND);
    assert_int_equal(cuModuleGetFunction(&f, module, "helper"), CUDA_ERROR_NOT_FOUND); /* helper is not a kernel */
    OK(cuModuleGetFunctionCount(&count, module));
    assert_int_equal(count, 2);
    OK(cuModuleGetGlobal_v2(&at, &bytes, module, "total"));
    assert_int_equal(bytes, 4);
    assert_int_equal(cuModuleGetGlobal_v2(&at, &bytes, module, "nothing"), CUDA_ERROR_NOT_FOUND);
    assert_int_equal(cuModuleLoadData(&bad, ".version 7.0\nnonsense"), 218);
    assert_int_equal(cuModuleLoadData(&bad, "x"), 218);
    assert_int_equal(cuModuleLoadData(&bad, "\177ELF\2\1\1"), 209);
    assert_int_equal(cuModuleLoad(&bad, "/nowhere/module.ptx"), 301);
    OK(cuFuncGetAttribute(&value, 0, saxpy));
    assert_in_range(value, 128, 1024);
    OK(cuFuncSetAttribute(saxpy, 8, 65536));
    OK(cuFuncGetAttribute(&value, 8, saxpy));
    assert_int_equal(value, 65536);
    assert_int_equal(cuFuncGetAttribute(&value, 99, saxpy), CUDA_ERROR_INVALID_VALUE);
}

/* Each launch adds 2 i to y[i], with its arguments passed in another form. */
static void launches_take_arguments_in_each_form(void **state)
{
    struct {
        uint32_t n;
        float a;
        CUdeviceptr x, y;
    } block = {COUNT, 2, 0, 0};
    size_t bytes = sizeof block, less = 12;
    void *args[] = {&block.n, &block.a, &block.x, &block.y};
    void *extra[] = {(void *)1, &block, (void *)2, &bytes, NULL},
         *short_one[] = {(void *)1, &block, (void *)2, &less, NULL};
    struct driver_launch l = {.grid = {8, 1, 1}, .block = {128, 1, 1}};
    uint32_t total;
    CUdeviceptr at;
    float h[COUNT];
    size_t size;

    (void)state;
    for (int i = 0; i < COUNT; i++)
        h[i] = (float)i;
    OK(cuMemAlloc_v2(&block.x, sizeof h));
    OK(cuMemAlloc_v2(&block.y, sizeof h));
    OK(cuMemcpyHtoD_v2(block.x, h, sizeof h));
    OK(cuMemsetD32_v2(block.y, 0x3f800000, COUNT));
    OK(cuLaunchKernel(saxpy, 8, 1, 1, 128, 1, 1, 0, NULL, args, NULL));
    OK(cuLaunchKernel(saxpy, 8, 1, 1, 128, 1, 1, 0, NULL, NULL, extra));
    OK(cuLaunchKernelEx(&l, saxpy, args, NULL));
    assert_int_equal(cuLaunchKernelEx(&l, saxpy, NULL, short_one), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuLaunchKernelEx(&l, saxpy, args, extra), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuLaunchKernel(saxpy, 8, 1, 1, 2048, 1, 1, 0, NULL, args, NULL), CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuLaunchKernel(NULL, 8, 1, 1, 1, 1, 1, 0, NULL, args, NULL), CUDA_ERROR_INVALID_HANDLE);
    OK(cuCtxSynchronize());
    OK(cuMemcpyDtoH_v2(h, block.y, sizeof h));
    for (int i = 0; i < COUNT; i++)
        assert_true(h[i] == 1 + 6 * (float)i);
    OK(cuModuleGetGlobal_v2(&at, &size, module, "total"));
    OK(cuMemcpyDtoH_v2(&total, at, sizeof total));
    assert_int_equal(total, 3 * COUNT);
    OK(cuMemFree_v2(block.x));
    OK(cuMemFree_v2(block.y));
}

static void memory_is_filled_copied_and_known(void **state)
{
    uint16_t back[64];
    uint32_t type;
    CUdeviceptr p, q, same;
    struct driver_copy_2d c = {.from = {.type = 2, .pitch = 16},
                               .to = {.type = 1, .host = back, .pitch = 8},
                               .width_bytes = 8,
                               .height = 4};

    (void)state;
    OK(cuMemAlloc_v2(&p, 128));
    OK(cuMemAlloc_v2(&q, 128));
    OK(cuMemsetD8_v2(p, 0x11, 128));
    OK(cuMemsetD16_v2(p + 16, 0xabcd, 8));
    OK(cuMemcpyDtoD_v2(q, p, 128));
    OK(cuMemcpyDtoH_v2(back, q, 128));
    assert_int_equal(back[7], 0x1111);
    assert_int_equal(back[8], 0xabcd);
    assert_int_equal(back[15], 0xabcd);
    assert_int_equal(back[16], 0x1111);
    c.from.device = p;
    OK(cuMemcpy2D_v2(&c));
    assert_int_equal(back[3], 0x1111);
    assert_int_equal(back[4], 0xabcd);
    assert_int_equal(back[7], 0xabcd);
    assert_int_equal(back[8], 0x1111);
    OK(cuPointerGetAttribute(&same, 3, p));
    assert_true(same == p);
    OK(cuPointerGetAttribute(&type, 2, p));
    assert_int_equal(type, 2);
    assert_int_equal(cuPointerGetAttribute(&type, 2, (CUdeviceptr)(uintptr_t)&type), CUDA_ERROR_INVALID_VALUE);
    OK(cuMemFree_v2(p));
    OK(cuMemFree_v2(q));
    assert_int_equal(cuMemFree_v2(q), CUDA_ERROR_INVALID_VALUE);
}

static void streams_and_events_keep_time(void **state)
{
    CUevent begin, end;
    CUstream s;
    float ms;

    (void)state;
    OK(cuStreamCreate(&s, 1));
    OK(cuEventCreate(&begin, 0));
    OK(cuEventCreate(&end, 0));
    OK(cuEventRecord(begin, s));
    OK(cuLaunchKernel(saxpy, 1, 1, 1, 32, 1, 1, 0, s,
                      (void *[]){&(uint32_t){0}, &(float){0}, &(CUdeviceptr){0}, &(CUdeviceptr){0}}, NULL));
    OK(cuEventRecord(end, s));
    OK(cuStreamSynchronize(s));
    OK(cuEventQuery(end));
    OK(cuEventElapsedTime(&ms, begin, end));
    assert_true(ms > 0);
    OK(cuEventDestroy_v2(begin));
    OK(cuEventDestroy_v2(end));
    OK(cuStreamDestroy_v2(s));
}

/* A box of 4 x 8 words with its upper left corner at (6, -1). The tensor map is a kernel argument. */
static void a_tensor_map_is_an_argument(void **state)
{
    static const char text[] =
        ".version 8.0\n.target sm_90\n.address_size 64\n"
        ".visible .entry box(.param .align 64 .b8 map[128], .param .u64 out)\n{\n"
        " .shared .align 128 .b8 s[128]; .shared .align 8 .b64 bar; .reg .b32 %r<8>; .reg .b64 %d<4>; .reg .pred "
        "%p;\n"
        " mov.b64 %d1, map; cvta.param.u64 %d1, %d1; ld.param.u64 %d2, [out]; mov.u32 %r1, s; mov.u32 %r2, bar;\n"
        " mov.u32 %r3, -1; mov.u32 %r4, 6; mbarrier.init.shared.b64 [%r2], 1;\n"
        " mbarrier.arrive.expect_tx.shared.b64 _, [%r2], 128;\n"
        " cp.async.bulk.tensor.2d.shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r1], [%d1, {%r4, "
        "%r3}], "
        "[%r2];\nW: mbarrier.try_wait.parity.shared.b64 %p, [%r2], 0; @!%p bra W;\n"
        " cp.async.bulk.global.shared::cta.bulk_group [%d2], [%r1], 128; cp.async.bulk.commit_group;\n ret;\n}\n";
    const uint64_t dims[2] = {8, 10}, strides[1] = {32};
    const uint32_t size[2] = {4, 8}, steps[2] = {1, 1};
    _Alignas(64) uint8_t map[128];
    uint32_t words[80], back[32];
    CUdeviceptr in, out;
    CUmodule m;
    CUfunction f;

    (void)state;
    for (uint32_t k = 0; k < 80; k++)
        words[k] = 100 + k;
    OK(cuModuleLoadData(&m, text));
    OK(cuModuleGetFunction(&f, m, "box"));
    OK(cuMemAlloc_v2(&in, sizeof words));
    OK(cuMemAlloc_v2(&out, sizeof back));
    OK(cuMemcpyHtoD_v2(in, words, sizeof words));
    OK(cuTensorMapEncodeTiled(map, 2, 2, NULL, dims, strides, size, steps, 0, 0, 0, 0));
    OK(cuTensorMapReplaceAddress(map, (void *)(uintptr_t)in));
    assert_int_equal(cuTensorMapEncodeTiled(map + 1, 2, 2, NULL, dims, strides, size, steps, 0, 0, 0, 0),
                     CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuTensorMapEncodeTiled(map, 2, 6, NULL, dims, strides, size, steps, 0, 0, 0, 0),
                     CUDA_ERROR_INVALID_VALUE);
    assert_int_equal(cuTensorMapEncodeTiled(map, 2, 2, NULL, dims, strides, size, steps, 1, 0, 0, 0),
                     CUDA_ERROR_NOT_SUPPORTED);
    OK(cuLaunchKernel(f, 1, 1, 1, 1, 1, 1, 0, NULL, (void *[]){map, &out}, NULL));
    OK(cuMemcpyDtoH_v2(back, out, sizeof back));
    for (uint32_t y = 0; y < 8; y++)
        for (uint32_t x = 0; x < 4; x++)
            assert_int_equal(back[y * 4 + x], y >= 1 && x < 2 ? 100 + (y - 1) * 8 + 6 + x : 0);
    OK(cuMemFree_v2(in));
    OK(cuMemFree_v2(out));
}

static void errors_have_names(void **state)
{
    const char *text;

    (void)state;
    OK(cuGetErrorName(CUDA_ERROR_INVALID_VALUE, &text));
    assert_string_equal(text, "CUDA_ERROR_INVALID_VALUE");
    OK(cuGetErrorName(CUDA_ERROR_OUT_OF_MEMORY, &text));
    assert_string_equal(text, "CUDA_ERROR_OUT_OF_MEMORY");
    OK(cuGetErrorName(CUDA_SUCCESS, &text));
    assert_string_equal(text, "CUDA_SUCCESS");
    OK(cuGetErrorName((CUresult)700, &text));
    assert_string_equal(text, "CUDA_ERROR_ILLEGAL_ADDRESS");
    OK(cuGetErrorString((CUresult)700, &text));
    assert_string_equal(text, "an illegal memory access was encountered");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(contexts_take_the_parameters_of_cuda_13),
                                       cmocka_unit_test(modules_are_linked),
                                       cmocka_unit_test(clusters_are_counted_where_there_are_any),
                                       cmocka_unit_test(the_device_and_its_context_are_there),
                                       cmocka_unit_test(what_a_module_holds_is_found_by_name),
                                       cmocka_unit_test(launches_take_arguments_in_each_form),
                                       cmocka_unit_test(memory_is_filled_copied_and_known),
                                       cmocka_unit_test(streams_and_events_keep_time),
                                       cmocka_unit_test(a_tensor_map_is_an_argument),
                                       cmocka_unit_test(errors_have_names)};

    return cmocka_run_group_tests_name("driver", tests, load, NULL);
}
