/* --explain: the history of one warp, instruction by instruction. */
#include "simcore/observe/explanation.h"
#include "tests/unit/simcore/hand_source.h"

static struct gpu_design *v100; /* without instruction caches, so that times can be computed by hand */

static void explain(struct hand *h, uint64_t cta, uint32_t warp, struct sim_result *r)
{
    const struct sim_warp w = {cta, warp};
    const struct sim_options o = {.explain = &w};

    hand_run(h, v100, &o, r);
    assert_non_null(r->explanation);
}

static void each_wait_has_its_reason(void **state)
{
    const struct explained_inst *i;
    struct sim_result r;
    struct hand h;

    (void)state;
    hand_init(&h, 1, 32);
    hand_add(&h, "FFMA", 4, 5, 6, -1);         /* no dependence */
    hand_add(&h, "FFMA", 7, 4, 6, -1);         /* waits for R4: latency 4 */
    hand_add_memory(&h, "LDG.E", 4, 8, 2, -1); /* no dependence */
    hand_add(&h, "FFMA", 9, 8, 8, -1);         /* waits for R8, from memory */
    hand_add(&h, "EXIT", -1, -1, -1, -1);
    explain(&h, 0, 0, &r);
    i = r.explanation->inst;
    assert_int_equal(r.explanation->count, 5);
    assert_int_equal(i[0].issued, r.explanation->began);
    assert_int_equal(i[0].operand, EXPLAINED_NOTHING);
    assert_int_equal(i[1].issued - i[0].issued, 4);
    assert_int_equal(i[1].operand, 4);
    assert_int_equal(i[1].reason, SLOT_DEPENDENCE);
    assert_int_equal(i[2].issued - i[1].issued, 1);
    assert_int_equal(i[3].operand, 8);
    assert_int_equal(i[3].reason, SLOT_MEMORY);
    assert_int_equal(i[3].issued, i[2].result); /* the next instruction waits for the load's result */
    for (size_t n = 0; n < 5; n++)
        assert_true(i[n].from <= i[n].operands && i[n].operands <= i[n].ready && i[n].ready <= i[n].issued);
    sim_result_release(&r);
}

static void a_request_is_followed_stage_by_stage(void **state)
{
    static const enum mem_stage want[] = {STAGE_REQUEST, STAGE_TAGS, STAGE_FILL, STAGE_DATA, STAGE_REPLY};
    const struct explained_request *q;
    struct sim_result r;
    struct hand h;
    uint32_t s, n = 0;
    uint64_t at;

    (void)state;
    hand_init(&h, 1, 32);
    hand_add_memory(&h, "LDG.E", 4, 8, 2, -1);
    hand_add_memory(&h, "LDG.E", 4, 9, 2, -1); /* the same line, still in flight */
    explain(&h, 0, 0, &r);
    assert_int_equal(r.explanation->request_count, 1);
    assert_int_equal(r.explanation->inst[0].requests, 1);
    assert_int_equal(r.explanation->inst[0].l1[OBSERVED_l1_load_miss_sectors], 4);
    assert_int_equal(r.explanation->inst[1].requests, 0);
    assert_int_equal(r.explanation->inst[1].l1[OBSERVED_l1_load_pending_sectors], 4);
    assert_int_equal(r.explanation->inst[0].generated, r.explanation->inst[0].issued);
    assert_int_equal(r.explanation->inst[0].unit_from, r.explanation->inst[0].issued);
    q = r.explanation->request;
    at = q->request.made;
    for (s = q->first_step; s; s = r.explanation->step[s - 1].next, n++) {
        const struct mem_step *step = &r.explanation->step[s - 1].step;

        assert_true(n < 5);
        assert_int_equal(step->stage, want[n]);
        assert_int_equal(step->from, at); /* consecutive, without a gap */
        assert_true(step->to > step->from);
        at = step->to;
    }
    assert_int_equal(n, 5);
    /* The rest is the time that the SM adds between the reply and the register: L1's latency after a miss. */
    assert_int_equal(clock_from_ps(&r.explanation->clock, at) + v100->l1_latency - v100->l1_detect,
                     r.explanation->inst[0].result);
    sim_result_release(&r);
}

static void a_warp_that_waits_for_others_says_so(void **state)
{
    uint64_t lost = 0, queue = 0, barrier = 0;
    struct sim_result r;
    struct hand h;
    uint32_t store;

    (void)state;
    hand_init(&h, 1, 1024);
    store = hand_define(&h, "STS", 4, -1, 2, 8, -1);
    for (int i = 0; i < 20; i++)
        hand_step(&h, store, FULL_MASK);
    hand_add(&h, "BAR.SYNC", -1, -1, -1, -1);
    hand_add(&h, "NOP", -1, -1, -1, -1);
    explain(&h, 0, 0, &r);
    for (size_t i = 0; i < r.explanation->count; i++) {
        lost += r.explanation->inst[i].issued - r.explanation->inst[i].ready;
        queue += r.explanation->inst[i].reason == SLOT_QUEUE;
        barrier += r.explanation->inst[i].reason == SLOT_BARRIER;
    }
    assert_true(queue > 5);
    assert_int_equal(barrier, 1);
    assert_true(lost > 0);
    sim_result_release(&r);
}

static void the_print_is_complete_and_watching_changes_nothing(void **state)
{
    struct sim_result r, plain;
    struct hand h;
    struct err e;
    json_t *root;
    char *text;

    (void)state;
    for (int watched = 0; watched < 2; watched++) {
        hand_init(&h, 3, 64);
        hand_add_memory(&h, "LDG.E", 4, 8, 2, -1);
        hand_add(&h, "FFMA", 9, 8, 8, -1);
        hand_add_memory(&h, "STG.E", 4, -1, 2, 9);
        if (watched)
            explain(&h, 2, 1, &r);
        else
            hand_run(&h, v100, NULL, &plain);
    }
    assert_int_equal(r.cycles, plain.cycles);
    text = explanation_text(r.explanation, true, &e);
    root = json_loads(text, 0, NULL);
    assert_non_null(root);
    assert_int_equal(json_integer_value(json_object_get(root, "cta")), 2);
    assert_int_equal(json_array_size(json_object_get(root, "instructions")), 3);
    json_decref(root);
    free(text);
    text = explanation_text(r.explanation, false, &e);
    assert_non_null(strstr(text, "CTA 2, warp 1, on SM 2"));
    assert_non_null(strstr(text, "for R8 from memory"));
    assert_non_null(strstr(text, "L2 tags"));
    free(text);
    sim_result_release(&r);
    sim_result_release(&plain);
}

static int load(void **state)
{
    struct err e;

    (void)state;
    return design_load("v100:fast", &v100, &e);
}

static int unload(void **state)
{
    (void)state;
    design_free(v100);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_wait_has_its_reason),
        cmocka_unit_test(a_request_is_followed_stage_by_stage),
        cmocka_unit_test(a_warp_that_waits_for_others_says_so),
        cmocka_unit_test(the_print_is_complete_and_watching_changes_nothing),
    };

    return cmocka_run_group_tests(tests, load, unload);
}
