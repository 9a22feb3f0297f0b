/* tests/unit/simcore/line_kernels.h: kernels that read or write each line once, and lists of such kernels. */
#ifndef VIVACE_TESTS_UNIT_SIMCORE_LINE_KERNELS_H
#define VIVACE_TESTS_UNIT_SIMCORE_LINE_KERNELS_H

#include "simcore/trace/warm_image.h"
#include "tests/unit/simcore/hand_kernels.h"

enum { MOST = 8 };

/* --- a list of kernels that can be opened repeatedly --- */

struct list {
    void (*make[MOST])(struct hand *h);
    struct sim_work work[MOST];
    const struct warm_image *image[MOST];
    size_t count, opened;
    uint64_t cycles[MOST], hits[MOST], misses[MOST], replayed[MOST];
};

static struct hand hands[MOST]; /* large; each is open at most once at a time */

static int open_hand(void *ctx, size_t index, struct inst_source **out, struct err *e)
{
    struct list *l = ctx;

    (void)e;
    l->opened++;
    l->make[index](&hands[index]);
    hands[index].base.warm = l->image[index];
    *out = &hands[index].base;
    return 0;
}

static int keep(void *ctx, const struct sim_span *span, struct err *e)
{
    struct list *l = ctx;

    (void)e;
    if (!span->result)
        return 0;
    assert_int_equal(span->result->end, SIM_DONE);
    check_identities(span->result);
    l->cycles[span->index] = span->result->cycles;
    l->hits[span->index] = result_counter(span->result, "l2_read_hit_sectors");
    l->misses[span->index] = result_counter(span->result, "l2_read_miss_sectors");
    l->replayed[span->index] = span->result->replayed;
    return 0;
}

static void add(struct list *l, void (*make)(struct hand *h))
{
    l->make[l->count] = make;
    l->work[l->count++] = (struct sim_work){.kind = SIM_KERNEL};
}

static void run_list(struct list *l, struct gpu_design *d, enum sim_caches caches, uint64_t launches)
{
    const struct sim_stream_options o = {.base = {.caches = caches, .replay_launches = launches},
                                         .serial = true,
                                         .graph = true,
                                         .open = open_hand,
                                         .done = keep,
                                         .ctx = l};
    struct sim_timeline t;
    struct simulator *s;
    struct err e;

    CHECK_OK((s = simulator_new(d, &e)) ? 0 : -1, &e);
    CHECK_OK(simulator_run_streams(s, l->work, l->count, &o, &t, &e), &e);
    assert_int_equal(t.end, SIM_DONE);
    sim_timeline_release(&t);
    simulator_free(s);
}

/* --- kernels --- */

static void line_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    out->base = (1ull << 32) + (((cta + h->number) * h->warps + warp) * h->step_count + step) * 128;
    out->stride = 4;
}

/* Steps after the ninth access the lines of the first eight. */
static void update_address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step,
                           struct address_set *out)
{
    out->base = (1ull << 32) + ((cta * h->warps + warp) * 9 + (step > 8 ? step - 9 : step)) * 128;
    out->stride = 4;
}

static void walk(struct hand *h, const char *opcode, uint64_t ctas)
{
    hand_init(h, ctas, 256);
    h->address = line_address;
    for (int i = 0; i < 8; i++)
        hand_add_memory(h, opcode, 4, opcode[0] == 'S' || opcode[0] == 'R' ? -1 : 8 + i, 2, -1);
    hand_add(h, "IADD3", 20, 15, 15, 15);
}

static void reader(struct hand *h)
{
    walk(h, "LDG.E", 80);
}

static void writer(struct hand *h)
{
    walk(h, "STG.E", 80);
}

/* Reads whole lines, then writes the first sector of each. */
static void updater(struct hand *h)
{
    walk(h, "LDG.E", 80);
    for (int i = 0; i < 8; i++) {
        uint32_t store = hand_define(h, "STG.E", 4, -1, 2, 8, -1);

        hand_step(h, store, 0xff);
    }
    h->address = update_address;
}

static void reducer(struct hand *h)
{
    walk(h, "RED.E.ADD", 80);
}

/* 3 MB. */
static void large_reader(struct hand *h)
{
    walk(h, "LDG.E", 384);
}

/* Reads the last 640 kB of the data of large_reader. */
static void reader_of_the_end(struct hand *h)
{
    walk(h, "LDG.E", 80);
    h->number = 384 - 80;
}

/* --- figures --- */

static void assert_near(uint64_t got, uint64_t want, double tolerance, uint64_t of, const char *what)
{
    double off = (double)got - (double)want;

    if (off > tolerance * (double)of || off < -tolerance * (double)of)
        fail_msg("%s: %llu where a kept cache gives %llu", what, (unsigned long long)got, (unsigned long long)want);
}

static struct gpu_design *design(const char *name)
{
    struct gpu_design *d = NULL;
    struct err e;

    CHECK_OK(design_load(name, &d, &e), &e);
    return d;
}

#endif
