#include "tests/harness/varied.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { TURNS_MAX = 64, USUAL = 8 };
#define TABLE 0x7e0000000000ull
#define FIRST 0x7f0000000000ull

/* A hash of the CTA's number, as pseudo-random number; the same on every host. */
static uint64_t mixed(uint64_t x)
{
    x = (x + 1) * 0x9e3779b97f4a7c15ull;
    x = (x ^ x >> 30) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ x >> 27) * 0x94d049bb133111ebull;
    return x ^ x >> 31;
}

/* Half of all CTAs get the first number of turns, a quarter the second, and so on: a power law, u^(-1/1.5). */
static uint32_t power_law(uint64_t cta)
{
    static const uint32_t turns[] = {3, 5, 8, 12, 19, 30, 48, TURNS_MAX};

    return turns[__builtin_ctzll(mixed(cta) | 1 << 7)];
}

/* Number of loop iterations of a CTA. */
static uint32_t turns_of(const struct hand *h, uint64_t cta)
{
    const struct varied *v = h->ctx;
    uint64_t n = h->ctas;

    switch (v->law) {
    case VARIED_NOISE: return USUAL - 2 + (uint32_t)(mixed(cta) % 5);
    case VARIED_RISING: return 1 + (uint32_t)(2 * USUAL * cta / n);
    case VARIED_FALLING: return 1 + (uint32_t)(2 * USUAL * (n - 1 - cta) / n);
    case VARIED_PERIODIC: return 1 + (uint32_t)(cta % 32) / 2;
    case VARIED_TWO_KINDS: return mixed(cta) % 4 ? USUAL / 2 : 2 * USUAL;
    case VARIED_POWER_LAW: return power_law(cta);
    case VARIED_LARGE_LAST: return cta >= n - n / 10 ? 6 * USUAL : USUAL;
    case VARIED_GIANT: return cta == n - 2 ? TURNS_MAX : 2;
    case VARIED_ALIKE:
    case VARIED_OTHER_HALF:
    case VARIED_OTHER_PLACES: break;
    }
    return USUAL;
}

/* Each iteration contains both bodies; a CTA executes one of them. */
static bool runs(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step)
{
    const struct varied *v = h->ctx;
    uint32_t a_turn = (uint32_t)h->number, half = a_turn / 2, turn = step / a_turn;
    bool other = v->law == VARIED_OTHER_HALF && cta >= h->ctas / 2;

    (void)warp;
    return turn < turns_of(h, cta) && (step % a_turn >= half) == other;
}

static void gather(uint64_t place, uint64_t bytes, struct address_set *out)
{
    out->is_list = true;
    for (uint32_t i = 0; i < WARP_LANES; i++)
        out->lanes[i] = TABLE + mixed(place * WARP_LANES + i) % (bytes / 4) * 4;
}

static void address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    const struct varied *v = h->ctx;
    uint64_t place = (cta * h->warps + warp) * h->step_count + step;
    bool late = v->law == VARIED_OTHER_PLACES && cta >= h->ctas / 2;

    out->stride = 4;
    if (h->opcodes[h->steps[step].inst][2] == 'S') /* LDS, STS */
        out->base = warp * 128;
    else if (v->law == VARIED_OTHER_PLACES && !late)
        out->base = TABLE + place % 4096 * 128; /* the same 512 KiB repeatedly */
    else if (v->body == VARIED_GATHER)
        gather(place, 64ull << 20, out);
    else
        out->base = FIRST + place * 128;
}

static void add_body(struct hand *h, uint32_t fma, uint32_t load, uint32_t add, enum varied_body body)
{
    switch (body) {
    case VARIED_COMPUTE:
        for (int i = 0; i < 8; i++)
            hand_step(h, i % 4 == 3 ? add : fma, FULL_MASK);
        break;
    case VARIED_STREAM:
    case VARIED_GATHER:
        hand_step(h, load, FULL_MASK);
        for (int i = 0; i < 7; i++)
            hand_step(h, i % 4 == 3 ? add : fma, FULL_MASK);
        break;
    case VARIED_SHARED: break;
    }
}

/* A tile is loaded from device memory to shared memory and multiplied, between barriers. */
static void add_shared(struct hand *h, uint32_t fma, uint32_t load)
{
    uint32_t store = hand_define(h, "STS", 4, -1, 3, 8, -1), bar = hand_define(h, "BAR.SYNC", 0, -1, -1, -1, -1);
    uint32_t read = hand_define(h, "LDS", 4, 9, 3, -1, -1);
    const uint32_t turn[] = {load, store, bar, read, fma, fma, fma, bar};

    for (int k = 0; k < 2; k++) /* this kind has no second body */
        for (int i = 0; i < 8; i++)
            hand_step(h, turn[i], FULL_MASK);
}

void varied_make(struct hand *h, const struct varied *v, uint64_t ctas)
{
    uint32_t fma, add, load;

    hand_init(h, ctas, 128);
    h->ctx = v;
    h->runs = runs;
    h->address = address;
    h->base.info.registers = 32;
    h->base.info.shared_bytes = v->body == VARIED_SHARED ? 4096 : 0;
    fma = hand_define(h, "FFMA", 0, 4, 4, 8, 6);
    add = hand_define(h, "IADD3", 0, 5, 5, 5, 5);
    load = hand_define(h, "LDG.E", 4, 8, 2, -1, -1);
    for (int turn = 0; turn < TURNS_MAX; turn++) {
        size_t first = h->step_count;

        if (v->body == VARIED_SHARED) {
            if (turn)
                for (size_t i = 0; i < h->number; i++)
                    hand_step(h, h->steps[i].inst, FULL_MASK);
            else
                add_shared(h, fma, load);
        } else {
            add_body(h, fma, load, add, v->body);
            add_body(h, fma, load, add, v->body == VARIED_COMPUTE ? VARIED_STREAM : VARIED_COMPUTE);
        }
        h->number = h->step_count - first;
    }
}

void varied_make_again(struct hand *h, const struct varied *v, uint64_t ctas)
{
    inst_source_release(&h->base);
    varied_make(h, v, ctas);
}

#define ALL_BODIES(name, law, alike)                                                                               \
    {name ", compute", law, VARIED_COMPUTE, alike}, {name ", stream", law, VARIED_STREAM, alike},                  \
        {name ", gather", law, VARIED_GATHER, alike},                                                              \
    {                                                                                                              \
        name ", shared", law, VARIED_SHARED, alike                                                                 \
    }
const struct varied varied_kernels[] = {
    ALL_BODIES("alike", VARIED_ALIKE, true),
    ALL_BODIES("noise", VARIED_NOISE, false),
    ALL_BODIES("rising", VARIED_RISING, false),
    ALL_BODIES("falling", VARIED_FALLING, false),
    ALL_BODIES("periodic", VARIED_PERIODIC, false),
    ALL_BODIES("two kinds", VARIED_TWO_KINDS, false),
    ALL_BODIES("power law", VARIED_POWER_LAW, false),
    ALL_BODIES("large last", VARIED_LARGE_LAST, false),
    ALL_BODIES("giant", VARIED_GIANT, false),
    {"other half, compute", VARIED_OTHER_HALF, VARIED_COMPUTE, false},
    {"other half, stream", VARIED_OTHER_HALF, VARIED_STREAM, false},
    {"other half, gather", VARIED_OTHER_HALF, VARIED_GATHER, false},
    {"other places, stream", VARIED_OTHER_PLACES, VARIED_STREAM, false},
    {"other places, gather", VARIED_OTHER_PLACES, VARIED_GATHER, false},
};
const size_t varied_count = sizeof varied_kernels / sizeof *varied_kernels;

const struct varied *varied_find(const char *name)
{
    for (size_t i = 0; i < varied_count; i++)
        if (strcmp(varied_kernels[i].name, name) == 0)
            return &varied_kernels[i];
    fprintf(stderr, "there is no kernel %s\n", name);
    abort();
}
