/* bench/ptx_speed.c: how fast PTX runs: a tiled product of matrices (`matmul` of examples/tiny-gpt) against three
 * loops of plain C, with its trace written to a file, and with its timing simulated. CPU time, the best of some
 * turns; ratios of one run, since machines differ. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "simcore/ptx/exec.h"
#include "simcore/ptx/source.h"
#include "simcore/simcore.h"
#include "simcore/trace/vtrace.h"

enum { N = 256, TURNS = 5 };

struct matrix {
    uint64_t at;
    int32_t row, batch;
};
struct params { /* of matmul */
    struct matrix c, a, b;
    uint64_t bias;
    int32_t m, n, k, unused;
};

struct bench {
    struct device_memory *memory;
    struct ptx_program *program;
    struct ptx_launch launch;
    struct params params;
    struct gpu_design *design;
    uint64_t ops, instructions; /* of PTX, of the machine */
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
    b->launch.grid[0] = N / 64; /* its tiles: 32 rows, 64 columns */
    b->launch.grid[1] = N / 32;
    b->launch.grid[2] = b->launch.block[1] = b->launch.block[2] = 1;
    b->launch.block[0] = 128;
    b->launch.params = &b->params;
    b->launch.param_bytes = f->param_bytes;
}

/* --- what is measured --- */

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
    /* small whole numbers: exact in any order */
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
    struct vtrace_writer *w;
    int fd = mkstemp(path);

    if (fd < 0 || vtrace_writer_new(path, NULL, &w, &b->e) || vtrace_writer_add(w, s, &b->e) ||
        vtrace_writer_finish(w, &b->e))
        give_up(&b->e);
    b->instructions = ptx_source_instructions(s);
    vtrace_writer_release(w);
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

static double best_of(struct bench *b, void (*what)(struct bench *b))
{
    double best = 0;

    for (int k = 0; k < TURNS; k++) {
        double begin = cpu_s(), s;

        what(b);
        s = cpu_s() - begin;
        best = k == 0 || s < best ? s : best;
    }
    return best;
}

static void row(const char *what, double ratio, const char *limit, double rate)
{
    printf("%-52s %8.2f  %-8s %8.1f\n", what, ratio, limit, rate);
}

int main(void)
{
    struct bench b = {.ops = 0};
    double c, functional, traced, timed;

    set_up(&b);
    functional = best_of(&b, run);
    c = best_of(&b, plain_c); /* after it: compares the products */
    traced = best_of(&b, trace);
    timed = best_of(&b, simulate_it);
    printf("%-52s %8s  %-8s %8s\n", "tiled product, 256 x 256 x 256, f32, one thread", "ratio", "limit",
           "M warp instr./s");
    row("run : plain C at -O2", functional / c, "<= 10", (double)b.ops / functional * 1e-6);
    row("run and trace to a file : run", traced / functional, "<= 1.4", (double)b.instructions / traced * 1e-6);
    row("run and simulate (V100) : run", timed / functional, ">= 5", (double)b.instructions / timed * 1e-6);
    design_free(b.design);
    ptx_program_free(b.program);
    device_memory_free(b.memory);
    return 0;
}
