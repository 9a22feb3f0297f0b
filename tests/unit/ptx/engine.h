/* A program from one PTX text, with device memory, for tests that run kernels. */
#ifndef VIVACE_TESTS_UNIT_PTX_ENGINE_H
#define VIVACE_TESTS_UNIT_PTX_ENGINE_H

#include "base/strbuf.h"
#include "ptx/exec/exec.h"
#include "tests/harness/check.h"

#define PTX_HEAD ".version 7.0\n.target sm_80\n.address_size 64\n"

struct bench {
    struct device_memory *memory;
    struct ptx_program *program;
    uint32_t module;
    struct ptx_exec_options options;
    struct ptx_exec_stats stats;
    struct strbuf printed;
};

static void bench_print(void *ctx, const char *text, size_t n)
{
    strbuf_add(ctx, text, n);
}

static inline void bench_load(struct bench *b, const char *text)
{
    struct ptx_module *m;
    struct err e;

    CHECK_OK(ptx_parse(text, strlen(text), "t.ptx", &m, &e), &e);
    for (uint32_t k = 0; k < m->function_count; k++)
        if (m->functions[k].broken)
            fail_msg("%s", m->functions[k].fault.text);
    CHECK_OK(ptx_program_load(b->program, m, &b->module, &e), &e);
}

/* `text` is appended to PTX_HEAD. */
static inline struct bench *bench_open(const char *text)
{
    struct bench *b = calloc(1, sizeof *b);
    struct strbuf all = STRBUF_INIT;
    struct err e;

    b->printed = (struct strbuf)STRBUF_INIT;
    b->options.print = bench_print;
    b->options.print_ctx = &b->printed;
    b->memory = device_memory_new(64 << 20, &e);
    b->program = b->memory ? ptx_program_new(b->memory, &e) : NULL;
    if (!b->program)
        fail_msg("%s", e.text);
    strbuf_addf(&all, PTX_HEAD "%s", text);
    bench_load(b, all.text);
    strbuf_release(&all);
    return b;
}

static inline void bench_close(struct bench *b)
{
    ptx_program_free(b->program);
    device_memory_free(b->memory);
    strbuf_release(&b->printed);
    free(b);
}

static inline uint64_t bench_alloc(struct bench *b, uint64_t bytes)
{
    uint64_t address;
    struct err e;

    CHECK_OK(device_alloc(b->memory, bytes, 256, "buffer", &address, &e), &e);
    return address;
}

static inline uint32_t *bench_words(const struct bench *b, uint64_t address)
{
    uint32_t *words = device_bytes(b->memory, address, 4);

    assert_non_null(words);
    return words;
}

/* Runs a kernel whose parameters are 64-bit values. */
static inline int bench_run(struct bench *b, const char *kernel, uint32_t grid, uint32_t block,
                            const uint64_t *params, uint32_t n, struct err *e)
{
    struct ptx_launch l = {.module = b->module,
                           .function = ptx_find_function(ptx_program_module(b->program, b->module), kernel),
                           .grid = {grid, 1, 1},
                           .block = {block, 1, 1},
                           .params = params,
                           .param_bytes = n * 8};

    assert_int_not_equal(l.function, PTX_NONE);
    return ptx_launch_run(b->program, &l, &b->options, &b->stats, e);
}

#endif
