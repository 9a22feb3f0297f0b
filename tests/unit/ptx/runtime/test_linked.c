/* Modules that are compiled separately (nvcc -rdc=true) and linked here, and kernels that launch kernels. */
#include "ptx/runtime/api.h"
#include "tests/harness/check.h"
#include "tests/unit/ptx/runtime/fatbin.h"

#define OK(call)                                                                                                   \
    do {                                                                                                           \
        cudaError_t r_ = (call);                                                                                   \
        if (r_ != cudaSuccess)                                                                                     \
            fail_msg("%s: %s", #call, cudaGetErrorString(r_));                                                     \
    } while (0)

#define HEAD ".version 7.0\n.target sm_70\n.address_size 64\n"

/* Both modules have a variable `mine` and a weak function `same`; each defines what the other only declares. */
static const char first[] =
    HEAD ".extern .func (.param .b32 r) twice(.param .b32 x);\n.extern .global .align 4 .u32 table[2];\n"
         ".extern .func (.param .b64 r) cudaGetParameterBufferV2(.param .b64 f, .param .align 4 .b8 g[12],\n"
         " .param .align 4 .b8 b[12], .param .b32 s);\n"
         ".extern .func (.param .b32 r) cudaLaunchDeviceV2(.param .b64 p, .param .b64 s);\n"
         ".global .align 4 .u32 mine = 5;\n"
         ".weak .func (.param .b32 r) same()\n{\n st.param.b32 [r], 1000; ret;\n}\n"
         ".visible .entry linked(.param .u64 out)\n{\n .reg .b64 %d<3>; .reg .b32 %r<6>;\n"
         " { .param .b32 x; .param .b32 r; st.param.b32 [x], 10; call (r), twice, (x); ld.param.b32 %r1, [r]; }\n"
         " { .param .b32 r; call (r), same; ld.param.b32 %r2, [r]; }\n"
         " ld.global.u32 %r3, [mine]; ld.global.u32 %r4, [table+4];\n"
         " add.u32 %r1, %r1, %r2; add.u32 %r1, %r1, %r3; add.u32 %r1, %r1, %r4;\n"
         " ld.param.u64 %d1, [out]; st.global.u32 [%d1], %r1; ret;\n}\n"
         /* count(out, depth) adds 1 and launches itself twice with depth - 1 */
         ".visible .entry count(.param .u64 out, .param .u32 depth)\n{\n .reg .b64 %d<5>; .reg .b32 %r<6>; .reg "
         ".pred %p;\n"
         " ld.param.u64 %d1, [out]; ld.param.u32 %r1, [depth]; red.global.add.u32 [%d1], 1;\n"
         " setp.eq.u32 %p, %r1, 0; @%p ret;\n sub.u32 %r1, %r1, 1; mov.u32 %r2, 0; mov.u64 %d2, count;\n"
         "AGAIN:\n { .param .b64 f; .param .align 4 .b8 g[12]; .param .align 4 .b8 b[12]; .param .b32 s; .param "
         ".b64 r;\n"
         " st.param.b64 [f], %d2; st.param.b32 [g], 1; st.param.b32 [g+4], 1; st.param.b32 [g+8], 1;\n"
         " st.param.b32 [b], 1; st.param.b32 [b+4], 1; st.param.b32 [b+8], 1; st.param.b32 [s], 0;\n"
         " call (r), cudaGetParameterBufferV2, (f, g, b, s); ld.param.b64 %d3, [r]; }\n"
         " st.u64 [%d3], %d1; st.u32 [%d3+8], %r1;\n"
         " { .param .b64 p; .param .b64 s; .param .b32 r; st.param.b64 [p], %d3; st.param.b64 [s], 0;\n"
         " call (r), cudaLaunchDeviceV2, (p, s); ld.param.b32 %r3, [r]; }\n"
         " setp.ne.u32 %p, %r3, 0; @%p st.global.u32 [%d1+4], %r3;\n"
         " add.u32 %r2, %r2, 1; setp.lt.u32 %p, %r2, 2; @%p bra AGAIN;\n ret;\n}\n";
static const char second[] =
    HEAD ".global .align 4 .u32 mine = 7;\n.visible .global .align 4 .u32 table[2] = {1, 200};\n"
         ".weak .func (.param .b32 r) same()\n{\n st.param.b32 [r], 2000; ret;\n}\n"
         ".visible .func (.param .b32 r) twice(.param .b32 x)\n{\n .reg .b32 %r<3>; ld.param.b32 %r1, [x];\n"
         " ld.global.u32 %r2, [mine]; mad.lo.u32 %r1, %r1, 2, %r2; st.param.b32 [r], %r1; ret;\n}\n";

static int linked, count; /* their addresses identify the kernels */

static int register_both(void **state)
{
    static struct strbuf containers[3] = {STRBUF_INIT, STRBUF_INIT, STRBUF_INIT};
    static const void *list[3];
    static struct fatbin_wrapper wrapper = {CONTAINER_WRAPPER_MAGIC, CONTAINER_LINKED, NULL, list};
    const struct fatbin_entry a = {FATBIN_PTX, 75, first, sizeof first, 0, 0};
    const struct fatbin_entry b = {FATBIN_PTX, 75, second, sizeof second, 0, 0};
    void **handle;

    (void)state;
    fatbin_build(&containers[0], &a, 1);
    fatbin_build(&containers[1], &b, 1);
    fatbin_build(&containers[2], NULL, 0);
    list[0] = containers[0].text;
    list[1] = containers[1].text;
    wrapper.container = containers[2].text;
    handle = __cudaRegisterFatBinary(&wrapper);
    __cudaRegisterFunction(handle, (const char *)&linked, (char *)&linked, "linked", -1, NULL, NULL, NULL, NULL,
                           NULL);
    __cudaRegisterFunction(handle, (const char *)&count, (char *)&count, "count", -1, NULL, NULL, NULL, NULL, NULL);
    __cudaRegisterFatBinaryEnd(handle);
    return 0;
}

static void what_another_module_defines_is_found(void **state)
{
    uint32_t *out, got = 0;

    (void)state;
    OK(cudaMalloc((void **)&out, sizeof *out));
    OK(cudaLaunchKernel(&linked, (dim3){1, 1, 1}, (dim3){1, 1, 1}, (void *[]){&out}, 0, NULL));
    OK(cudaMemcpy(&got, out, sizeof got, cudaMemcpyDeviceToHost));
    assert_int_equal(got, 2 * 10 + 7 + 1000 + 5 + 200);
    OK(cudaFree(out));
}

static void launches_from_kernels_run(void **state)
{
    uint32_t *out, got[2] = {0}, depth = 5;

    (void)state;
    OK(cudaMalloc((void **)&out, sizeof got));
    OK(cudaMemset(out, 0, sizeof got));
    OK(cudaLaunchKernel(&count, (dim3){1, 1, 1}, (dim3){1, 1, 1}, (void *[]){&out, &depth}, 0, NULL));
    OK(cudaMemcpy(got, out, sizeof got, cudaMemcpyDeviceToHost));
    assert_int_equal(got[0], 63);
    assert_int_equal(got[1], 0);
    OK(cudaFree(out));
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(what_another_module_defines_is_found),
                                       cmocka_unit_test(launches_from_kernels_run)};

    return cmocka_run_group_tests_name("linked", tests, register_both, NULL);
}
