/* tests/unit/simcore/hand_kernels.h: small kernels of every kind, built by hand, the same on every host. */
#ifndef VIVACE_TESTS_UNIT_SIMCORE_HAND_KERNELS_H
#define VIVACE_TESTS_UNIT_SIMCORE_HAND_KERNELS_H

#include "tests/unit/simcore/hand_source.h"

static void stream_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step,
                           struct address_set *out)
{
    out->base = 0x7f0000000000 + ((uint64_t)step << 30) + (cta * h->warps + warp) * 128;
    out->stride = 4;
}

/* Addresses far apart for each lane, the same on every host: a multiplicative sequence. */
static void gather_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step,
                           struct address_set *out)
{
    (void)h;
    out->is_list = true;
    for (uint32_t i = 0; i < WARP_LANES; i++)
        out->lanes[i] =
            0x7f0000000000 + (cta * 7919 + warp * 104729 + step * 1299709 + i * 15485863) % (1 << 20) * 64;
}

static void tile_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    bool shared = h->insts[h->steps[step].inst].opcode > 1;

    out->base = shared ? warp * 128 % 4096 : 0x7f0000000000 + (cta % 8 * 64 + warp + step * 512) * 128;
    out->stride = shared && step % 2 ? 132 : 4;
}

static void copy(struct hand *h)
{
    hand_init(h, 4096, 256);
    h->address = stream_address;
    hand_add(h, "S2R", 2, -1, -1, -1);
    hand_add(h, "IMAD.WIDE", 2, 2, 5, -1);
    hand_add_memory(h, "LDG.E.SYS", 4, 8, 2, -1);
    hand_add_memory(h, "STG.E.SYS", 4, -1, 2, 8);
}

static void gather(struct hand *h)
{
    hand_init(h, 320, 128);
    h->address = gather_address;
    for (int i = 0; i < 8; i++) {
        hand_add_memory(h, "LDG.E", 4, 8 + i, 2, -1);
        hand_add(h, "FADD", 20, 20, 8 + i, -1);
    }
}

static void tiles(struct hand *h)
{
    uint32_t load, store, read, bar, fma;

    hand_init(h, 200, 256);
    h->base.info.shared_bytes = 16 << 10;
    h->base.info.registers = 64;
    h->address = tile_address;
    load = hand_define(h, "LDG.E.SYS", 4, 8, 2, -1, -1);
    hand_define(h, "NOP", 0, -1, -1, -1, -1);
    store = hand_define(h, "STS", 4, -1, 3, 8, -1);
    read = hand_define(h, "LDS.U", 4, 9, 3, -1, -1);
    bar = hand_define(h, "BAR.SYNC", 0, -1, -1, -1, -1);
    fma = hand_define(h, "FFMA", 0, 16, 9, 8, 16);
    for (int i = 0; i < 8; i++) {
        hand_step(h, load, FULL_MASK);
        hand_step(h, store, FULL_MASK);
        hand_step(h, bar, FULL_MASK);
        for (int k = 0; k < 8; k++) {
            hand_step(h, read, FULL_MASK);
            hand_step(h, fma, FULL_MASK);
        }
        hand_step(h, bar, FULL_MASK);
    }
}

static void arithmetic(struct hand *h)
{
    static const char *const ops[] = {"FFMA", "IMAD", "IADD3", "MUFU.EX2", "DFMA", "HFMA2", "F2I", "SHFL.BFLY"};

    hand_init(h, 500, 192);
    for (int i = 0; i < 64; i++)
        hand_step(h, i < 8 ? hand_define(h, ops[i], 0, 8 + 2 * i, 8 + 2 * i, 4, 6) : (uint32_t)i % 8, FULL_MASK);
}

static void matrix(struct hand *h)
{
    hand_init(h, 132, 256);
    for (int i = 0; i < 4; i++)
        hand_define(h, "HMMA.16816.F32", 0, 8 + 4 * i, 40, 44, 8 + 4 * i);
    for (int i = 0; i < 64; i++)
        hand_step(h, (uint32_t)i % 4, FULL_MASK);
}

static void one_word(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    (void)h, (void)cta, (void)warp, (void)step;
    out->base = 0x7f0000000000 + cta % 4 * 4;
    out->stride = 0;
}

static void histogram(struct hand *h)
{
    hand_init(h, 160, 64);
    h->address = one_word;
    for (int i = 0; i < 4; i++)
        hand_add_memory(h, i == 3 ? "ATOMG.E.ADD" : "RED.E.ADD", 4, i == 3 ? 9 : -1, 2, 5);
    hand_add(h, "IADD3", 10, 9, 9, 9);
}

static void tiny(struct hand *h)
{
    hand_init(h, 1, 32);
    hand_add(h, "MOV", 4, -1, -1, -1);
    hand_add(h, "EXIT", -1, -1, -1, -1);
}

static const struct hand_kernel {
    const char *name;
    void (*make)(struct hand *h);
} hand_kernels[] = {{"copy", copy},     {"gather", gather},       {"tiles", tiles}, {"arithmetic", arithmetic},
                    {"matrix", matrix}, {"histogram", histogram}, {"tiny", tiny}};
enum { HAND_KERNELS = sizeof hand_kernels / sizeof *hand_kernels };

#endif
