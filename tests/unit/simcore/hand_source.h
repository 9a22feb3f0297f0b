/* tests/unit/simcore/hand_source.h: kernels written by hand, in memory, for tests of the timing model.
 *
 *   struct hand h;
 *   hand_init(&h, 1, 32);                          one CTA of 32 threads
 *   hand_add(&h, "FFMA", 4, 4, 5, 6, -1);          R4 = f(R4, R5, R6)
 *   hand_add_memory(&h, "LDG.E", 4, 7, 2, -1);     4 bytes a lane: R7 = [R2]
 *   h.address = my_addresses;                      where memory steps go
 *   cycles = hand_cycles(&h, design);
 *
 * Every warp of every CTA runs all steps; `h.runs` can leave steps out for some warps. */
#ifndef VIVACE_TESTS_UNIT_SIMCORE_HAND_SOURCE_H
#define VIVACE_TESTS_UNIT_SIMCORE_HAND_SOURCE_H

#include <jansson.h>

#include "base/array.h"
#include "simcore/gpu.h"
#include "simcore/trace/cta_store.h"
#include "tests/harness/check.h"

#define FULL_MASK 0xffffffffu
enum { HAND_INSTS = 128 };

struct hand_step {
    uint32_t inst, mask;
};
struct hand {
    struct inst_source base; /* first: an inst_source of ours is a hand */
    struct cta_pool pool;
    struct trace_inst insts[HAND_INSTS];
    const char *opcodes[HAND_INSTS];
    struct hand_step *steps;
    size_t step_count, step_capacity;
    uint64_t ctas, next;
    uint32_t warps, open_ctas, most_open;
    void (*address)(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out);
    bool (*runs)(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step);
    const void *ctx;
    uint64_t number; /* for the test's own use */
};

static int hand_next_cta(struct inst_source *s, struct cta_trace **out, struct err *e)
{
    struct hand *h = (struct hand *)s;
    struct cta_store *c;

    if (h->next == h->ctas)
        return 0;
    c = cta_pool_take(&h->pool, h->warps, e);
    if (!c)
        return -1;
    for (uint32_t w = 0; w < h->warps; w++) {
        cta_store_begin_warp(c, w);
        for (uint32_t i = 0; i < h->step_count; i++) {
            const struct hand_step *step = &h->steps[i];
            struct address_set a = {.base = 0, .stride = 4};
            uint32_t row = NO_ADDRESS;

            if (h->runs && !h->runs(h, h->next, w, i))
                continue;
            if (h->insts[step->inst].width && step->mask) {
                if (h->address)
                    h->address(h, h->next, w, i, &a);
                if (cta_store_add_addresses(c, &a, &row, e) < 0)
                    return -1;
            }
            if (cta_store_add(c, step->inst, step->mask, row, e) < 0)
                return -1;
        }
        cta_store_end_warp(c, w);
    }
    cta_store_finish(c);
    c->trace.index = h->next;
    c->trace.id[0] = (uint32_t)h->next++;
    c->trace.id[1] = c->trace.id[2] = 0;
    if (++h->open_ctas > h->most_open)
        h->most_open = h->open_ctas;
    *out = &c->trace;
    return 1;
}

static void hand_release_cta(struct inst_source *s, struct cta_trace *cta)
{
    struct hand *h = (struct hand *)s;

    h->open_ctas--;
    cta_pool_give(&h->pool, (struct cta_store *)cta);
}

static void hand_release(struct inst_source *s)
{
    struct hand *h = (struct hand *)s;

    assert_int_equal(h->open_ctas, 0); /* every CTA came back */
    cta_pool_release(&h->pool);
    free(h->steps);
}

static inline void hand_init(struct hand *h, uint64_t ctas, uint32_t threads)
{
    static const struct inst_source_ops ops = {"hand", hand_next_cta, hand_release_cta, hand_release};

    memset(h, 0, sizeof *h);
    h->base.ops = &ops;
    h->base.info = (struct kernel_info){.name = (char *)(uintptr_t) "hand",
                                        .id = 1,
                                        .grid = {(uint32_t)ctas, 1, 1},
                                        .block = {threads, 1, 1},
                                        .registers = 32,
                                        .binary_version = 70};
    h->base.insts = h->insts;
    h->base.opcodes = h->opcodes;
    h->ctas = ctas;
    h->warps = (threads + 31) / 32;
}

/* Runs instruction `inst` once more in every warp. */
static inline void hand_step(struct hand *h, uint32_t inst, uint32_t mask)
{
    struct err e;

    assert_int_equal(array_reserve((void **)&h->steps, &h->step_capacity, h->step_count + 1, sizeof *h->steps, &e),
                     0);
    h->steps[h->step_count++] = (struct hand_step){inst, mask};
}

/* Defines an instruction without running it. */
static inline uint32_t hand_define(struct hand *h, const char *opcode, uint16_t width, int dst, int a, int b, int c)
{
    uint32_t i = (uint32_t)h->base.inst_count++;
    const int src[3] = {a, b, c};
    struct trace_inst *t = &h->insts[i];

    assert_true(i < HAND_INSTS);
    h->base.opcode_count = h->base.inst_count;
    h->opcodes[i] = opcode;
    *t = (struct trace_inst){.opcode = i, .pc = i * 16, .width = width};
    if (dst >= 0) {
        t->dst_count = 1;
        t->dst = (uint8_t)dst;
        t->dst_regs = 1;
    }
    for (int k = 0; k < 3; k++) {
        if (src[k] < 0)
            continue;
        t->src[t->src_count] = (uint8_t)src[k];
        t->src_regs[t->src_count++] = 1;
    }
    return i;
}

static inline uint32_t hand_add(struct hand *h, const char *opcode, int dst, int a, int b, int c)
{
    uint32_t i = hand_define(h, opcode, 0, dst, a, b, c);

    hand_step(h, i, FULL_MASK);
    return i;
}

static inline uint32_t hand_add_memory(struct hand *h, const char *opcode, uint16_t width, int dst, int a, int b)
{
    uint32_t i = hand_define(h, opcode, width, dst, a, b, -1);

    hand_step(h, i, FULL_MASK);
    return i;
}

/* A built-in design with some numbers changed: "clock.sm_mhz", 1380.0, ..., NULL. Instructions are at hand at once:
 * numbers to the cycle are worked by hand, without the cold caches at the start of a kernel; test_fetch.c has
 * those. */
static inline struct gpu_design *hand_design(const char *name, ...)
{
    struct gpu_design *d = NULL;
    struct err e;
    size_t n;
    const char *json = design_builtin_json(name, &n), *key;
    json_t *root;
    char *text;
    va_list ap;

    assert_non_null(json);
    root = json_loadb(json, n, 0, NULL);
    va_start(ap, name);
    while ((key = va_arg(ap, const char *))) {
        json_t *at = root;
        char part[64];

        while (strchr(key, '.')) {
            snprintf(part, sizeof part, "%.*s", (int)strcspn(key, "."), key);
            at = json_object_get(at, part);
            key = strchr(key, '.') + 1;
        }
        at = json_object_get(at, key);
        assert_non_null(at);
        json_object_set_new(at, "value", json_real(va_arg(ap, double)));
    }
    va_end(ap);
    text = json_dumps(root, 0);
    CHECK_OK(design_parse(text, strlen(text), name, &d, &e), &e);
    free(text);
    json_decref(root);
    d->model.fetch = FETCH_IDEAL;
    return d;
}

static inline uint64_t result_counter(const struct sim_result *r, const char *name)
{
    for (size_t i = 0; i < r->counter_count; i++)
        if (strcmp(r->counters[i].name, name) == 0)
            return r->counters[i].value;
    fail_msg("there is no counter %s", name);
    return 0;
}

/* What holds for every result. */
static inline void check_identities(const struct sim_result *r)
{
    uint64_t slots = result_counter(r, "slots_issued") + result_counter(r, "slots_launch"), mix = 0, lanes = 0;

    for (size_t i = 0; i < r->counter_count; i++) {
        const char *n = r->counters[i].name;

        if (strncmp(n, "slots_", 6) == 0 && strcmp(n, "slots_total") != 0 && strcmp(n, "slots_issued") != 0 &&
            strcmp(n, "slots_launch") != 0)
            slots += r->counters[i].value;
        if (strncmp(n, "warp_instructions_", 18) == 0)
            mix += r->counters[i].value;
        if (strncmp(n, "lane_instructions_", 18) == 0)
            lanes += r->counters[i].value;
    }
    assert_int_equal(slots, result_counter(r, "slots_total"));
    assert_int_equal(mix, r->warp_instructions);
    assert_int_equal(lanes, result_counter(r, "lane_instructions"));
    assert_int_equal(result_counter(r, "l1_load_sectors"), result_counter(r, "l1_load_hit_sectors") +
                                                               result_counter(r, "l1_load_pending_sectors") +
                                                               result_counter(r, "l1_load_miss_sectors"));
    assert_int_equal(result_counter(r, "l2_read_sectors"),
                     result_counter(r, "l1_load_miss_sectors") + result_counter(r, "l1_bypass_sectors"));
    assert_int_equal(result_counter(r, "l2_read_sectors"),
                     result_counter(r, "l2_read_hit_sectors") + result_counter(r, "l2_read_miss_sectors"));
    assert_int_equal(result_counter(r, "l2_write_sectors"), result_counter(r, "l1_store_sectors"));
}

/* Simulates and checks what always holds; the caller releases *r. */
static inline void hand_run(struct hand *h, const struct gpu_design *d, const struct sim_options *o,
                            struct sim_result *r)
{
    struct err e;

    CHECK_OK(simulate(d, &h->base, o, r, &e), &e);
    check_identities(r);
    inst_source_release(&h->base);
}

/* Cycles without the launch. Releases the hand. */
static inline uint64_t hand_cycles(struct hand *h, const struct gpu_design *d)
{
    struct sim_result r;
    uint64_t cycles;

    hand_run(h, d, NULL, &r);
    assert_int_equal(r.end, SIM_DONE);
    cycles = r.cycles - r.launch_cycles;
    sim_result_release(&r);
    return cycles;
}

#endif
