/* A .vtrace file for a test program, and kernels to write to it. */
#ifndef VIVACE_TESTS_UNIT_TRACE_VTRACE_FILE_H
#define VIVACE_TESTS_UNIT_TRACE_VTRACE_FILE_H

#include "base/rng.h"
#include "simcore/trace/vtrace.h"
#include "tests/unit/trace/made_source.h"

static char file[64]; /* path of this program's file */

static inline int choose_file(void **state)
{
    (void)state;
    snprintf(file, sizeof file, "/tmp/test-vtrace-%ld", (long)getpid());
    return 0;
}

static inline int remove_file(void **state)
{
    (void)state;
    unlink(file);
    return 0;
}

static inline void write_source(struct inst_source *s, const struct vtrace_options *o)
{
    struct vtrace_writer *w;
    struct err e;

    CHECK_OK(vtrace_writer_new(file, o, &w, &e), &e);
    CHECK_OK(vtrace_writer_add(w, s, &e), &e);
    CHECK_OK(vtrace_writer_finish(w, &e), &e);
    vtrace_writer_release(w);
}

/* Affine addresses in CTA x, y, z, warp, and two nested loops. */
static inline void fill_affine(struct cta_store *c, uint64_t index)
{
    const uint32_t *id = c->trace.id;

    (void)index;
    for (uint32_t w = 0; w < c->trace.warp_count; w++) {
        uint64_t base = UINT64_C(0x7f0000000000) + id[0] * 512u + id[1] * 65536u + id[2] * 4194304u + w * 128u;

        cta_store_begin_warp(c, w);
        add_plain(c, 4, UINT32_MAX);
        for (unsigned i = 0; i < 3; i++)
            for (unsigned k = 0; k < 4; k++) {
                add_run(c, 1, UINT32_MAX, base + i * 100000 + k * 4096, 4);
                add_run(c, 3, UINT32_MAX, w * 128 + k * 32, 4);
                add_plain(c, 0, k == 3 ? 0 : UINT32_MAX);
            }
        add_run(c, 2, 0xffff, base * 2, -16);
        cta_store_end_warp(c, w);
    }
}

/* Random content: paths, masks with holes, lists, runs, missing addresses, bases that wrap around. */
static inline void fill_by_chance(struct cta_store *c, uint64_t index)
{
    struct rng r;

    rng_init(&r, 5, index, RNG_TEST);
    for (uint32_t w = 0; w < c->trace.warp_count; w++) {
        if (rng_below(&r, 4) == 0)
            continue; /* the trace does not list this warp */
        cta_store_begin_warp(c, w);
        for (uint64_t n = rng_below(&r, 60); n > 0; n--) {
            uint32_t inst = (uint32_t)rng_below(&r, 5), mask = (uint32_t)rng_u64(&r) | 1u << rng_below(&r, 32);
            uint64_t lanes[WARP_LANES], base = rng_u64(&r);

            for (int i = 0; i < WARP_LANES; i++)
                lanes[i] = base + (rng_below(&r, 2) ? rng_u64(&r) : 64 * rng_below(&r, 1000));
            if (rng_below(&r, 8) == 0)
                add_plain(c, inst, 0);
            else if (inst == 0 || inst == 4 || rng_below(&r, 8) == 0)
                add_plain(c, inst, mask);
            else if (rng_below(&r, 2))
                add_list(c, inst, mask, lanes);
            else
                add_run(c, inst, mask, base, (int64_t)rng_u64(&r));
        }
        cta_store_end_warp(c, w);
    }
}

#endif
