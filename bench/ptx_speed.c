/* bench/ptx_speed.c: the speed of PTX execution. Measures a tiled matrix product (`matmul` of examples/tiny-gpt)
 * against three nested loops of plain C, alone, with its trace written to a file, and with its timing simulated;
 * and integer arithmetic against memcpy, with all lanes, with one lane missing, and with one lane at a time. It
 * prints CPU times, the best of several turns, and ratios within one run, since machines differ. Running and
 * tracing alternate, since the load of the machine changes.
 *
 * `ptx_speed run` and `ptx_speed trace` do one turn only: for callgrind, which counts the host's instructions. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sysexits.h>
#include <time.h>
#include <unistd.h>

#include "base/strbuf.h"
#include "ptx/exec/exec.h"
#include "ptx/trace/source.h"
#include "simcore/simcore.h"
#include "simcore/trace/vtrace.h"

enum { N = 256, TURNS = 5, PAIRS = 40 };
enum { ALU_OPS = 64, ALU_ROUNDS = 4000, ROW_BYTES = 128, ROWS = 64 };

struct matrix {
    uint64_t at;
    int32_t row, batch;
};
struct params { /* of matmul */
    struct matrix c, a, b;
    uint64_t bias;
    int32_t m, n, k, unused;
};

struct alu_params { /* of `alu` */
    uint32_t rounds, lanes;
};

struct bench {
    struct device_memory *memory;
    struct ptx_program *program;
    struct ptx_launch launch;
    struct params params;
    struct gpu_design *design;
    struct ptx_launch alu;
    struct alu_params alu_params;
    uint64_t ops, instructions; /* executed warp instructions: of PTX; of the trace (SASS) */
    struct err e;
};

static void give_up(const struct err *e)
{
    fprintf(stderr, "ptx_speed: %s\n", e->text);
    exit(1);
}

static double cpu_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static float *values(struct bench *b, struct matrix *m, const char *label)
{
    float *x;

    if (device_alloc(b->memory, (size_t)N * N * sizeof *x, 256, label, &m->at, &b->e))
        give_up(&b->e);
    m->row = N;
    x = device_bytes(b->memory, m->at, (size_t)N * N * sizeof *x);
    for (uint32_t i = 0; i < N * N; i++)
        x[i] = (float)(i * 7 % 23) - 11;
    return x;
}

static void set_up(struct bench *b)
{
    struct ptx_module *m;
    const struct ptx_function *f;

    b->memory = device_memory_new(64 << 20, &b->e);
    b->program = b->memory ? ptx_program_new(b->memory, &b->e) : NULL;
    if (!b->program || ptx_parse_file("examples/tiny-gpt/tiny_gpt.ptx", &m, &b->e) ||
        ptx_program_load(b->program, m, &b->launch.module, &b->e) || design_load("v100", &b->design, &b->e))
        give_up(&b->e);
    b->launch.function = ptx_find_function(ptx_program_module(b->program, b->launch.module), "matmul");
    f = &ptx_program_module(b->program, b->launch.module)->functions[b->launch.function];
    values(b, &b->params.c, "c");
    values(b, &b->params.a, "a");
    values(b, &b->params.b, "b");
    b->params.m = b->params.n = b->params.k = N;
    b->launch.grid[0] = N / 64; /* a tile has 32 rows and 64 columns */
    b->launch.grid[1] = N / 32;
    b->launch.grid[2] = b->launch.block[1] = b->launch.block[2] = 1;
    b->launch.block[0] = 128;
    b->launch.params = &b->params;
    b->launch.param_bytes = f->param_bytes;
}

/* A kernel with rounds of ALU_OPS operations, each of which depends on the one before. Threads from number `lanes`
 * on exit at once. */
static void set_up_alu(struct bench *b)
{
    static const char head[] = ".version 7.0\n.target sm_70\n.address_size 64\n"
                               ".visible .entry alu(.param .u32 rounds, .param .u32 lanes)\n{\n"
                               ".reg .b32 %r<9>; .reg .pred %p<3>;\n"
                               "ld.param.u32 %r1, [rounds]; ld.param.u32 %r2, [lanes]; mov.u32 %r3, %tid.x;\n"
                               "setp.ge.u32 %p1, %r3, %r2; @%p1 exit;\nagain:\n";
    static const char four[] = "add.s32 %r4, %r5, %r3; xor.b32 %r5, %r6, %r4; sub.s32 %r6, %r7, %r5; "
                               "and.b32 %r7, %r4, %r6;\n";
    static const char tail[] = "sub.s32 %r1, %r1, 1; setp.ne.s32 %p2, %r1, 0; @%p2 bra again; ret;\n}\n";
    struct strbuf text = STRBUF_INIT;
    struct ptx_module *m;

    strbuf_adds(&text, head);
    for (int k = 0; k < ALU_OPS; k += 4)
        strbuf_adds(&text, four);
    strbuf_adds(&text, tail);
    if (ptx_parse(text.text, text.length, "alu.ptx", &m, &b->e) ||
        ptx_program_load(b->program, m, &b->alu.module, &b->e))
        give_up(&b->e);
    strbuf_release(&text);
    for (int k = 0; k < 3; k++)
        b->alu.grid[k] = b->alu.block[k] = 1;
    b->alu.params = &b->alu_params;
    b->alu.param_bytes = sizeof b->alu_params;
    b->alu_params.rounds = ALU_ROUNDS;
}

/* --- measurements --- */

static const float *floats(const struct bench *b, const struct matrix *m)
{
    return device_bytes(b->memory, m->at, (size_t)N * N * sizeof(float));
}

static void plain_c(struct bench *b)
{
    static float c[N * N];
    const float *x = floats(b, &b->params.a), *y = floats(b, &b->params.b), *made = floats(b, &b->params.c);

    memset(c, 0, sizeof c);
    for (int i = 0; i < N; i++)
        for (int k = 0; k < N; k++)
            for (int j = 0; j < N; j++)
                c[i * N + j] += x[i * N + k] * y[k * N + j];
    /* small integers: their sums are exact in any order */
    for (int i = 0; i < N * N; i++)
        if (c[i] != made[i]) {
            fprintf(stderr, "ptx_speed: the product is wrong\n");
            exit(1);
        }
}

static void run(struct bench *b)
{
    struct ptx_exec_stats stats;

    if (ptx_launch_run(b->program, &b->launch, NULL, &stats, &b->e))
        give_up(&b->e);
    b->ops = stats.warp_instructions;
}

static struct inst_source *open_source(struct bench *b)
{
    const struct ptx_source_options o = {.arch = 70};
    struct inst_source *s;

    if (ptx_source_new(b->program, &b->launch, NULL, &o, &s, &b->e))
        give_up(&b->e);
    return s;
}

static void trace(struct bench *b)
{
    char path[] = "/tmp/vivace-ptx-speed-XXXXXX";
    struct inst_source *s = open_source(b);
    int fd = mkstemp(path);

    if (fd < 0 || vtrace_write_one(path, s, &b->e) < 0)
        give_up(&b->e);
    b->instructions = ptx_source_instructions(s);
    inst_source_release(s);
    close(fd);
    unlink(path);
}

static void simulate_it(struct bench *b)
{
    const struct sim_options o = {.limit_cycles = 0};
    struct inst_source *s = open_source(b);
    struct sim_result r;

    if (simulate(b->design, s, &o, &r, &b->e))
        give_up(&b->e);
    sim_result_release(&r);
    inst_source_release(s);
}

/* Runs `blocks` blocks of `threads` threads; the threads from number `lanes` on exit at once. */
static void run_alu(struct bench *b, uint32_t blocks, uint32_t threads, uint32_t lanes)
{
    struct ptx_exec_stats stats;

    b->alu.grid[0] = blocks;
    b->alu.block[0] = threads;
    b->alu_params.lanes = lanes;
    if (ptx_launch_run(b->program, &b->alu, NULL, &stats, &b->e))
        give_up(&b->e);
    b->ops = stats.warp_instructions;
}

static void alu_full(struct bench *b)
{
    run_alu(b, 1, PTX_LANES, PTX_LANES);
}

static void alu_partial(struct bench *b)
{
    run_alu(b, 1, PTX_LANES, PTX_LANES - 1);
}

static void alu_one_lane(struct bench *b)
{
    run_alu(b, PTX_LANES, 1, 1);
}

/* Copies the rows of registers that the operations write, one row at a time. */
static void copy_rows(struct bench *b)
{
    static uint8_t rows[ROWS][ROW_BYTES];
    static void *(*volatile copy)(void *, const void *, size_t) =
        memcpy; /* volatile: one call a row, not inlined */

    (void)b;
    for (uint32_t k = 0; k < ALU_ROUNDS * ALU_OPS; k++)
        copy(rows[(k + 1) % ROWS], rows[k % ROWS], ROW_BYTES);
}

static double time_of(struct bench *b, void (*what)(struct bench *b))
{
    double begin = cpu_s();

    what(b);
    return cpu_s() - begin;
}

static double best_of(struct bench *b, void (*what)(struct bench *b))
{
    double best = time_of(b, what);

    for (int k = 1; k < TURNS; k++) {
        double s = time_of(b, what);

        best = s < best ? s : best;
    }
    return best;
}

static int ascending(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return (x > y) - (x < y);
}

/* Runs both alternately, and returns the median of each. */
static void by_turns(struct bench *b, double *functional, double *traced)
{
    double s[2][PAIRS];

    for (int k = 0; k < PAIRS; k++) {
        s[0][k] = time_of(b, run);
        s[1][k] = time_of(b, trace);
    }
    qsort(s[0], PAIRS, sizeof s[0][0], ascending);
    qsort(s[1], PAIRS, sizeof s[1][0], ascending);
    *functional = s[0][PAIRS / 2];
    *traced = s[1][PAIRS / 2];
}

static void row(const char *what, double ratio, const char *limit, double rate)
{
    printf("%-52s %8.2f  %-8s %8.1f\n", what, ratio, limit, rate);
}

static void compare(struct bench *b)
{
    double c, functional, paired, traced, timed, alu, partial, one, copied, products;

    functional = best_of(b, run);
    products = (double)b->ops;
    c = best_of(b, plain_c); /* afterwards: it compares the two products */
    by_turns(b, &paired, &traced);
    timed = best_of(b, simulate_it);
    one = best_of(b, alu_one_lane);
    partial = best_of(b, alu_partial);
    alu = best_of(b, alu_full);
    copied = best_of(b, copy_rows);
    printf("%-52s %8s  %-8s %8s\n", "tiled product, 256 x 256 x 256, f32, one thread", "ratio", "limit",
           "M warp instr./s");
    row("run : plain C at -O2", functional / c, "<= 10", products / functional * 1e-6);
    row("run and trace to a file : run", traced / paired, "<= 1.4", (double)b->instructions / traced * 1e-6);
    row("run and simulate (V100) : run", timed / functional, ">= 5", (double)b->instructions / timed * 1e-6);
    printf("\n%-52s\n", "add, xor, sub, and of 32 bits, in a row");
    row("32 lanes : memcpy of the rows written", alu / copied, "<= 3", (double)b->ops / alu * 1e-6);
    row("31 lanes : 32 lanes", partial / alu, "<= 1.5", (double)b->ops / partial * 1e-6);
    row("32 threads, a lane at a time : 32 lanes", one / alu, ">= 10", (double)b->ops * PTX_LANES / one * 1e-6);
}

int main(int argc, char **argv)
{
    struct bench b = {.ops = 0};
    int ret = 0;

    set_up(&b);
    set_up_alu(&b);
    if (argc < 2)
        compare(&b);
    else if (strcmp(argv[1], "run") == 0)
        run(&b);
    else if (strcmp(argv[1], "trace") == 0)
        trace(&b);
    else {
        fprintf(stderr, "ptx_speed: run, trace or nothing, not `%s`\n", argv[1]);
        ret = EX_USAGE;
    }
    design_free(b.design);
    ptx_program_free(b.program);
    device_memory_free(b.memory);
    return ret;
}
