/* Short kernels that run in both orders of divergent branches. Every thread's result is checked. */
#ifndef VIVACE_TESTS_UNIT_PTX_ENGINE_KERNELS_H
#define VIVACE_TESTS_UNIT_PTX_ENGINE_KERNELS_H

#include "tests/unit/ptx/engine.h"

#define REGS                                                                                                       \
    ".reg .pred %p<9>; .reg .b32 %r<40>; .reg .b64 %rd<20>; .reg .b16 %h<5>; .reg .f32 %f<9>;\n"                   \
    "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\n"             \
    "mad.lo.s32 %r4, %r2, %r3, %r1;\nmul.wide.u32 %rd2, %r4, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
/* A kernel that stores %r9 of each thread in out[thread]. */
#define KERNEL(body_)                                                                                              \
    ".visible .entry k(.param .u64 out)\n{\n" REGS body_ "\nDONE: st.global.u32 [%rd3], %r9;\nret;\n}\n"

static const bool orders[] = {false, true};

/* Runs k on grid x block in both orders of divergent branches, and checks every thread's word. */
static inline void expect(const char *text, uint32_t grid, uint32_t block, uint32_t (*want)(uint32_t thread))
{
    for (size_t o = 0; o < 2; o++) {
        struct bench *b = bench_open(text);
        uint64_t out = bench_alloc(b, (uint64_t)grid * block * 4);
        struct err e;

        b->options.taken_first = orders[o];
        b->options.strict = true;
        b->options.limit_instructions = 200000000;
        CHECK_OK(bench_run(b, "k", grid, block, &out, 1, &e), &e);
        for (uint32_t k = 0; k < grid * block; k++)
            if (bench_words(b, out)[k] != want(k))
                fail_msg("thread %u, order %zu: got 0x%x, want 0x%x", k, o, bench_words(b, out)[k], want(k));
        bench_close(b);
    }
}

#endif
