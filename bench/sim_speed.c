/* sim_speed [GPU [REPEATS [CLASS]]]: simulation speed for each class of kernels, on one core, with the default
 * preset.
 *
 * Kernels are written by hand (simcore/trace/hand.h). Prints for each class: the number of warp instructions; the
 * simulated cycles; the speed in millions of them per second of CPU time, for the simulation alone and with the
 * generation of the kernel, which replaces a trace reader; and the measured speed of Accel-Sim with kernels of the
 * same kind. The best of REPEATS runs counts. CLASS: only classes whose names begin with it. */
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/clock.h"
#include "simcore/design.h"
#include "simcore/mem/address_map.h"
#include "simcore/trace/hand.h"

#define ARRAY(n)   (0x7f0000000000ull + ((uint64_t)(n) << 36))
#define FAR_BYTES  (1ull << 30) /* range of scattered accesses: far larger than the L2 */
#define NEAR_BYTES (1ull << 20) /* a range that fits into the L2 */
enum { TINY_LAUNCHES = 1000 };

struct class
{
    const char *name, *rival; /* rival: speed of Accel-Sim, in thousand warp instructions per second */
    void (*write)(struct hand *h);
    uint32_t launches; /* number of launches; 0: one */
};

/* --- arithmetic --- */

static void write_arithmetic(struct hand *h)
{
    static const char *const op[] = {"FFMA", "FFMA", "IADD3", "FFMA", "IMAD", "FFMA", "LOP3.LUT", "MUFU.RCP"};

    hand_init(h, 640, 256);
    for (int i = 0; i < 400; i++)
        hand_add(h, op[i % 8], 8 + i % 16, 8 + i % 16, 4, 5);
}

static void write_tensor(struct hand *h)
{
    hand_init(h, 320, 256);
    h->base.info.registers = 128;
    for (int i = 0; i < 400; i++) {
        int acc = 32 + 8 * (i % 8);
        uint32_t at = hand_add(h, "HMMA.884.F32.F32.STEP0", acc, 8, 16, acc);

        h->insts[at].dst_regs = h->insts[at].src_regs[2] = 2;
    }
}

static void write_chain(struct hand *h)
{
    hand_init(h, 80, 32);
    for (int i = 0; i < 500; i++)
        hand_add(h, "FFMA", 8, 8, 4, 5);
    for (int k = 0; k < 40; k++)
        for (uint32_t i = 0; i < 500; i++)
            hand_step(h, i, FULL_MASK);
}

/* --- shared memory --- */

/* Steps on shared memory access lane * 4. Other steps access the thread's element of the array that `immediate`
 * selects; the element moves by one tile in each iteration. */
static void tile_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    const struct trace_inst *t = &h->insts[h->steps[step].inst];

    if (!t->immediate)
        return;
    out->base = ARRAY(t->immediate) + ((cta % 64 * 64 + step / 64) * 8 + warp) * 512;
    out->stride = t->width;
}

static void write_tiles(struct hand *h)
{
    hand_init(h, 320, 256);
    h->base.info.registers = 64;
    h->base.info.shared_bytes = 16384;
    h->address = tile_address;
    for (uint32_t a = 1; a <= 2; a++)
        h->insts[hand_add_memory(h, "LDG.E.128", 16, (int)(8 + 4 * a), 2, -1)].immediate = a;
    hand_add_memory(h, "STS.128", 16, -1, 3, 12);
    hand_add_memory(h, "STS.128", 16, -1, 3, 16);
    hand_add(h, "BAR.SYNC", -1, -1, -1, -1);
    for (int k = 0; k < 4; k++) {
        hand_add_memory(h, "LDS", 4, 20 + k, 3, -1);
        hand_add_memory(h, "LDS", 4, 24 + k, 3, -1);
        for (int i = 0; i < 16; i++)
            hand_add(h, "FFMA", 32 + i, 20 + k, 24 + k, 32 + i);
    }
    hand_add(h, "BAR.SYNC", -1, -1, -1, -1);
    for (size_t first = 0, body = h->step_count; first < 7 * body; first++)
        hand_step(h, h->steps[first].inst, FULL_MASK);
}

static void write_barriers(struct hand *h)
{
    hand_init(h, 640, 256);
    for (int i = 0; i < 400; i++) {
        if (i % 8 == 7)
            hand_add(h, "BAR.SYNC", -1, -1, -1, -1);
        else
            hand_add(h, "FFMA", 8 + i % 8, 8 + i % 8, 4, 5);
    }
}

static void conflict_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step,
                             struct address_set *out)
{
    (void)h, (void)cta, (void)warp;
    out->base = step * 4;
    out->stride = 64; /* 16 lanes access the same bank */
}

static void write_conflicts(struct hand *h)
{
    hand_init(h, 320, 256);
    h->base.info.shared_bytes = 4096;
    h->address = conflict_address;
    for (int i = 0; i < 200; i++) {
        if (i % 2)
            hand_add(h, "FFMA", 8 + i % 16, 24 + i % 8, 4, 5);
        else
            hand_add_memory(h, "LDS", 4, 24 + i % 8, 3, -1);
    }
}

/* --- memory --- */

/* Consecutive elements of `width` bytes over lanes, warps, CTAs and steps. The immediate selects the array. */
static void stream_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step,
                           struct address_set *out)
{
    const struct trace_inst *t = &h->insts[h->steps[step].inst];

    out->base = ARRAY(t->immediate) + ((cta * 8 + warp) * 64 + step / 8) * 32 * t->width;
    out->stride = t->width;
}

static void write_streams(struct hand *h)
{
    hand_init(h, 1280, 256);
    h->address = stream_address;
    for (int i = 0; i < 16; i++) {
        hand_add(h, "IADD3", 2, 3, 4, 5);
        hand_add(h, "IMAD.WIDE", 6, 2, 4, 5);
        h->insts[hand_add_memory(h, "LDG.E.128", 16, 8, 6, -1)].immediate = 1;
        hand_add(h, "FFMA", 12, 8, 4, 5);
        hand_add(h, "FFMA", 13, 9, 4, 5);
        hand_add(h, "IADD3", 14, 2, 4, 5);
        hand_add(h, "IMAD.WIDE", 16, 14, 4, 5);
        h->insts[hand_add_memory(h, "STG.E.128", 16, -1, 16, 12)].immediate = 2;
    }
}

/* Each lane accesses a pseudo-random address, in FAR_BYTES or, where the immediate is set, in NEAR_BYTES. */
static void scattered_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step,
                              struct address_set *out)
{
    const struct trace_inst *t = &h->insts[h->steps[step].inst];
    uint64_t bytes = t->immediate ? NEAR_BYTES : FAR_BYTES;

    out->is_list = true;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint64_t id = ((cta * 64 + warp) * 4096 + step) * WARP_LANES + lane;

        out->lanes[lane] = ARRAY(1) + address_mix(id) % (bytes / SECTOR_BYTES) * SECTOR_BYTES;
    }
}

/* Each access is scattered over 32 sectors, with three other instructions for each access, as in gather code. */
static void scattered(struct hand *h, const char *opcode, int dst, int64_t near)
{
    hand_init(h, 320, 256);
    h->address = scattered_address;
    for (int i = 0; i < 16; i++) {
        hand_add(h, "IADD3", 2, 3, 4, 5);
        hand_add(h, "IMAD.WIDE", 6, 2, 4, 5);
        h->insts[hand_add_memory(h, opcode, 4, dst, 6, dst < 0 ? 12 : -1)].immediate = near;
        hand_add(h, "FFMA", 12, dst < 0 ? 12 : dst, 4, 5);
    }
}

static void write_gathers(struct hand *h)
{
    scattered(h, "LDG.E", 8, 0);
}
static void write_near_gathers(struct hand *h)
{
    scattered(h, "LDG.E", 8, 1);
}
static void write_reductions(struct hand *h)
{
    scattered(h, "RED.E.ADD.STRONG.GPU", -1, 1);
}

enum { BFS_EDGES = 1, BFS_SEEN, BFS_COST, BFS_DEGREE = 16, BFS_NODES = 1 << 20 };

/* A step of a breadth-first search with one node for each lane. A node's edges are consecutive in memory; the
 * neighbour nodes are at scattered addresses. */
static void bfs_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    const struct trace_inst *t = &h->insts[h->steps[step].inst];
    uint32_t turn = step / 8;

    out->is_list = true;
    for (uint32_t lane = 0; lane < WARP_LANES; lane++) {
        uint64_t node = (cta * 8 + warp) * WARP_LANES + lane,
                 edge = address_mix(node) % BFS_NODES * BFS_DEGREE + turn;

        out->lanes[lane] =
            ARRAY(t->immediate) + (t->immediate == BFS_EDGES ? edge * 4 : address_mix(edge) % BFS_NODES * t->width);
    }
}

/* In iteration i only lanes with more than i edges are active. One in four finds a node that was not visited. */
static void write_bfs(struct hand *h)
{
    hand_init(h, 320, 256);
    h->address = bfs_address;
    for (uint32_t turn = 0; turn < BFS_DEGREE; turn++) {
        uint32_t mask = 0, more[3];

        for (uint32_t lane = 0; lane < WARP_LANES; lane++)
            mask |= (uint32_t)(lane * 7 % BFS_DEGREE >= turn) << lane;
        more[0] = hand_add_memory(h, "LDG.E", 4, 8, 2, -1);
        hand_add(h, "IMAD.WIDE", 6, 8, 4, 5);
        more[1] = hand_add_memory(h, "LDG.E.U8", 1, 9, 6, -1);
        hand_add(h, "ISETP.NE.AND", -1, 9, 4, -1);
        hand_add(h, "IMAD.WIDE", 10, 8, 4, 5);
        more[2] = hand_add_memory(h, "STG.E", 4, -1, 10, 11);
        hand_add(h, "IADD3", 2, 2, 4, 5);
        hand_add(h, "ISETP.GE.AND", -1, 2, 5, -1);
        for (uint32_t i = 0; i < 3; i++)
            h->insts[more[i]].immediate = BFS_EDGES + i;
        for (uint32_t i = 0; i < 8; i++)
            h->steps[turn * 8 + i].mask = i == 5 ? mask & 0x11111111 : mask;
    }
}

static void one_word(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    (void)h, (void)cta, (void)warp, (void)step;
    out->base = ARRAY(1);
    out->stride = 0;
}

static void write_one_word(struct hand *h)
{
    scattered(h, "ATOM.E.ADD.STRONG.GPU", 8, 1);
    h->address = one_word;
}

static void chase_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    (void)h;
    out->base = ARRAY(1) + address_mix((cta * 64 + warp) * 65536 + step) % (FAR_BYTES / 128) * 128;
    out->stride = 0;
}

static void write_chase(struct hand *h)
{
    hand_init(h, 1, 32);
    h->address = chase_address;
    hand_add_memory(h, "LDG.E.64", 8, 2, 2, -1);
    for (uint32_t i = 0; i < 50000; i++)
        hand_step(h, 0, FULL_MASK);
}

static void write_tiny(struct hand *h)
{
    hand_init(h, 1, 128);
    h->address = stream_address;
    for (int i = 0; i < 10; i++)
        hand_add(h, i % 2 ? "IADD3" : "FFMA", 8 + i, 4, 5, 6);
    h->insts[hand_add_memory(h, "LDG.E", 4, 20, 8, -1)].immediate = 1;
    h->insts[hand_add_memory(h, "STG.E", 4, -1, 8, 20)].immediate = 2;
    hand_add(h, "EXIT", -1, -1, -1, -1);
}

/* Accel-Sim dev, 2024-10, SM7_QV100, -O3, kernels of the same kind: docs/BENCHMARKS.md. */
static const struct class classes[] = {
    {"independent arithmetic", "60 .. 143", write_arithmetic, 0},
    {"tensor products", "60 .. 143", write_tensor, 0},
    {"tiles in shared memory", "17 .. 65", write_tiles, 0},
    {"barriers", "10 .. 100", write_barriers, 0},
    {"bank conflicts, 16 ways", "10 .. 100", write_conflicts, 0},
    {"dependent chain, a warp an SM", "0.1 .. 16", write_chain, 0},
    {"streams, 16 bytes a lane", "1 .. 15", write_streams, 0},
    {"gathers of 32 sectors, DRAM", "1.9 .. 5.8", write_gathers, 0},
    {"gathers of 32 sectors, L2", "1.9 .. 5.8", write_near_gathers, 0},
    {"breadth-first search", "", write_bfs, 0},
    {"scattered reductions", "0.5 .. 3.2", write_reductions, 0},
    {"atomics, one word", "0.5 .. 3.2", write_one_word, 0},
    {"pointer chase, one warp", "0.02 .. 0.2", write_chase, 0},
    {"launches of 4 warps", "", write_tiny, TINY_LAUNCHES},
};

static void give_up(const struct err *e)
{
    fprintf(stderr, "sim_speed: %s\n", e->text);
    exit(1);
}

/* CPU seconds to generate the kernel's CTAs, without simulating them. */
static double make_s(const struct class *c)
{
    double begin = clock_cpu_s();
    struct cta_trace *cta;
    struct hand h;
    struct err e;
    int got;

    c->write(&h);
    while ((got = inst_source_next_cta(&h.base, &cta, &e)) > 0)
        inst_source_release_cta(&h.base, cta);
    if (got < 0)
        give_up(&e);
    inst_source_release(&h.base);
    return clock_cpu_s() - begin;
}

static double simulate_s(const struct class *c, struct simulator *s, uint64_t *warp_instructions, uint64_t *cycles)
{
    double begin = clock_cpu_s();
    struct sim_result r;
    struct hand h;
    struct err e;

    c->write(&h);
    if (simulator_run(s, &h.base, NULL, &r, &e) < 0)
        give_up(&e);
    if (r.end != SIM_DONE) {
        fprintf(stderr, "sim_speed: %s: %s\n", c->name, r.report);
        exit(1);
    }
    inst_source_release(&h.base);
    *warp_instructions += r.warp_instructions;
    *cycles += r.cycles;
    sim_result_release(&r);
    return clock_cpu_s() - begin;
}

static void least(double *best, double s)
{
    *best = *best == 0 || s < *best ? s : *best;
}

static void measure(const struct class *c, const struct gpu_design *d, uint32_t repeats)
{
    uint32_t launches = c->launches ? c->launches : 1;
    double best = 0, make = 0;
    uint64_t n = 0, cycles = 0;
    struct err e;

    for (uint32_t k = 0; k < repeats; k++) {
        struct simulator *s = simulator_new(d, &e);
        double sum = 0, made = 0;

        if (!s)
            give_up(&e);
        n = cycles = 0;
        for (uint32_t i = 0; i < launches; i++) {
            made += make_s(c);
            sum += simulate_s(c, s, &n, &cycles);
        }
        simulator_free(s);
        least(&best, sum);
        least(&make, made);
    }
    printf("%-32s %9.3f %10" PRIu64 " %10.2f %10.2f %11.1f  %s\n", c->name, (double)n / 1e6, cycles,
           (double)n / (best - make) / 1e6, (double)n / best / 1e6, best / launches * 1e6, c->rival);
}

int main(int argc, char **argv)
{
    uint32_t repeats = argc > 2 ? (uint32_t)strtoul(argv[2], NULL, 10) : 5;
    struct err e;
    struct gpu_design *d;

    if (!repeats) {
        fprintf(stderr, "usage: sim_speed [GPU [REPEATS [CLASS]]]\n");
        return 64;
    }
    if (design_load(argc > 1 ? argv[1] : "v100", &d, &e) < 0)
        give_up(&e);
    printf("%-32s %9s %10s %10s %10s %11s  %s\n", "class, on", "M warp", "cycles", "M/s", "with its", "us a launch",
           "Accel-Sim, k/s");
    printf("%-32s %9s %10s %10s %10s\n", d->name, "instr.", "", "", "making");
    for (size_t i = 0; i < sizeof classes / sizeof classes[0]; i++)
        if (argc <= 3 || strncmp(classes[i].name, argv[3], strlen(argv[3])) == 0)
            measure(&classes[i], d, repeats);
    design_free(d);
    return 0;
}
