/* Fuzzes the executor: a kernel of random instruction forms, with divergent branches, and barriers at which warps
 * exchange values. The result must have the same bits for every kind of execution: on each kind of CPU, with the
 * branch target or the fall-through first, interrupted and resumed, and one lane at a time. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ptx/exec/exec.h"
#include "tests/fuzz/random_kernel.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static _Alignas(64) uint8_t input[THREADS_MAX * LANE_IN];

/* Fills the input with special values and with others. */
static void fill_input(uint32_t seed)
{
    static const uint32_t edges[] = {0,          1,          0x80000000, 0x7fffffff, 0xffffffff, 0x3f800000,
                                     0x7f800000, 0xff800000, 0x7fc00001, 0x00000001, 0x80000001, 0x3c003c00,
                                     0x7c00fc00, 0x7f7fffff, 0x00800000, 0x4b800001};
    uint64_t x = seed | 1;

    for (size_t at = 0; at + 4 <= sizeof input; at += 4) {
        uint32_t v;

        x = x * 6364136223846793005u + 1442695040888963407u;
        v = x >> 61 == 0 ? edges[x >> 40 & 15] : (uint32_t)(x >> 32);
        memcpy(input + at, &v, 4);
    }
}

struct bench {
    struct device_memory *memory;
    struct ptx_program *program;
    uint64_t in, out;
};

static void stop(const struct source *s, const char *what, const struct err *e)
{
    fprintf(stderr, "%s\n%s: %s\n", s->text.text, what, e ? e->text : "other bits");
    abort();
}

static void open_bench(const struct source *s, struct bench *b)
{
    struct ptx_module *m;
    uint32_t module;
    struct err e;

    b->memory = device_memory_new(16 << 20, &e);
    b->program = b->memory ? ptx_program_new(b->memory, &e) : NULL;
    if (!b->program || ptx_parse(s->text.text, s->text.length, "fuzz", &m, &e) != 0 ||
        ptx_program_load(b->program, m, &module, &e) != 0 ||
        device_alloc(b->memory, sizeof input, 256, "in", &b->in, &e) != 0 ||
        device_alloc(b->memory, (uint64_t)THREADS_MAX * LANE_OUT, 256, "out", &b->out, &e) != 0)
        stop(s, "begin", &e);
    memcpy(device_bytes(b->memory, b->in, sizeof input), input, sizeof input);
}

static struct ptx_launch launch_of(const struct source *s, const uint64_t params[3])
{
    return (struct ptx_launch){
        .grid = {1, 1, 1}, .block = {32 * s->warps, 1, 1}, .params = params, .param_bytes = 3 * sizeof *params};
}

static void read_out(const struct bench *b, uint8_t out[THREADS_MAX * LANE_OUT])
{
    memcpy(out, device_bytes(b->memory, b->out, THREADS_MAX * LANE_OUT), THREADS_MAX * LANE_OUT);
}

/* Returns the number of executed warp instructions. */
static uint64_t run(const struct source *s, struct bench *b, bool taken_first, bool lane_by_lane, uint8_t *out)
{
    uint64_t executed = 0;

    for (uint64_t lane = lane_by_lane ? 0 : THREADS_MAX; lane < (lane_by_lane ? 32 : THREADS_MAX + 1); lane++) {
        const uint64_t params[3] = {b->in, b->out, lane};
        const struct ptx_launch l = launch_of(s, params);
        struct ptx_exec_options o = {.taken_first = taken_first, .limit_instructions = 1 << 20};
        struct ptx_exec_stats stats = {0};
        struct err e;

        if (ptx_launch_run(b->program, &l, &o, &stats, &e) != 0)
            stop(s, "run", &e);
        executed += stats.warp_instructions;
    }
    read_out(b, out);
    return executed;
}

/* As run(), but interrupted after `at` instructions and resumed. The result must be the same. */
static uint64_t run_in_parts(const struct source *s, struct bench *b, uint64_t at, uint8_t *out)
{
    const uint64_t params[3] = {b->in, b->out, THREADS_MAX};
    const struct ptx_launch l = launch_of(s, params);
    struct ptx_exec_options o = {.limit_instructions = 1 << 20};
    struct err e;
    struct ptx_run *r = ptx_run_new(b->program, &l, &o, &e);
    uint64_t executed;
    int more = 1;

    if (!r || ptx_run_to(r, 0, 1, at, &e) != 0)
        stop(s, "begin of parts", &e);
    while (more > 0)
        more = ptx_run_next(r, &e);
    if (more < 0)
        stop(s, "parts", &e);
    executed = ptx_run_stats(r)->warp_instructions;
    ptx_run_free(r);
    read_out(b, out);
    return executed;
}

static void close_bench(struct bench *b)
{
    ptx_program_free(b->program);
    device_memory_free(b->memory);
}

static void compare(const struct source *s, const uint8_t *first, const uint8_t *other, const char *what)
{
    if (memcmp(first, other, THREADS_MAX * LANE_OUT) != 0)
        stop(s, what, NULL);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static const char *const kinds[] = {NULL, "plain", "avx2", "avx512"};
    static uint8_t first[THREADS_MAX * LANE_OUT], other[THREADS_MAX * LANE_OUT];
    struct source s = {.bytes = bytes, .n = n, .text = STRBUF_INIT};
    uint32_t at;

    fill_input(draw(&s, 65536));
    at = draw(&s, 65536);
    s.warps = draw(&s, 2) ? 1 : 1 + draw(&s, WARPS_MAX);
    s.crosses = s.warps > 1;
    make_kernel(&s);
    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        struct bench b;
        struct err e;
        uint64_t executed;

        if (ptx_forms_choose_cpu(kinds[k], &e) != 0)
            continue;
        open_bench(&s, &b);
        executed = run(&s, &b, false, false, k ? other : first);
        if (k)
            compare(&s, first, other, kinds[k]);
        if (k == 0) {
            if (run_in_parts(&s, &b, at % executed, other) != executed)
                stop(&s, "in parts: other instructions", NULL);
            compare(&s, first, other, "in parts");
        }
        run(&s, &b, true, false, other);
        compare(&s, first, other, "taken first");
        if (!s.crosses && k == 0) {
            run(&s, &b, false, true, other);
            compare(&s, first, other, "lane by lane");
        }
        close_bench(&b);
    }
    ptx_forms_choose_cpu(NULL, &(struct err){0});
    strbuf_release(&s.text);
    return 0;
}
