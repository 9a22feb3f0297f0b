/* tests/unit/simcore/hand_source.h: simulates kernels that a test builds by hand (simcore/trace/hand.h).
 *
 *   cycles = hand_cycles(&h, design);              simulates, checks the invariants, releases */
#ifndef VIVACE_TESTS_UNIT_SIMCORE_HAND_SOURCE_H
#define VIVACE_TESTS_UNIT_SIMCORE_HAND_SOURCE_H

#include <jansson.h>

#include "simcore/gpu.h"
#include "tests/harness/check.h"
#include "simcore/trace/hand.h"

/* The text of a built-in design with all parameters. The caller frees it. */
static inline char *hand_design_text(const char *name)
{
    struct gpu_design *d = NULL;
    struct err e;
    char *text;

    CHECK_OK(design_load(name, &d, &e), &e);
    text = design_file_text(d, &e);
    assert_non_null(text);
    design_free(d);
    return text;
}

/* A built-in design with some parameters changed: "clock.sm_mhz", 1380.0, ..., NULL. It has no instruction
 * caches, so that expected cycles can be computed by hand without the cold caches at the start of a kernel.
 * test_fetch.c tests those. */
static inline struct gpu_design *hand_design(const char *name, ...)
{
    struct gpu_design *d = NULL;
    struct err e;
    const char *key;
    char *text = hand_design_text(name);
    json_t *root = json_loads(text, 0, NULL);
    va_list ap;

    free(text);
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

/* Checks the invariants of every result. */
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

/* Simulates and checks the invariants. The caller releases *r. */
static inline void hand_run(struct hand *h, const struct gpu_design *d, const struct sim_options *o,
                            struct sim_result *r)
{
    struct err e;

    CHECK_OK(simulate(d, &h->base, o, r, &e), &e);
    check_identities(r);
    inst_source_release(&h->base);
}

/* Cycles without the launch overhead. Releases *h. */
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
