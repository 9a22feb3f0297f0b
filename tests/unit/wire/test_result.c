/* wire/result.h: the document of a finished simulation. */
#include "tests/harness/check.h"
#include "wire/result.h"

#define HEX_A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define CYCLE_HEAD                                                                                                 \
    "{\"format\":\"vivace-result\",\"version\":1,\"simulator\":\"0.1.0\",\"trace_sha256\":\"" HEX_A                \
    "\",\"design\":\"v100\",\"design_sha256\":\"" HEX_A                                                            \
    "\",\"kernel\":{\"name\":\"_Z1k\",\"grid\":[1,2,3],\"block\":[32,1,1],\"id\":5},\"digest\":\"" HEX_A "\","
#define CYCLE_TAIL                                                                                                 \
    "\"counters\":[{\"name\":\"l2_hits\",\"unit\":\"count\",\"value\":\"9007199254740993\"},"                      \
    "{\"name\":\"repair_empty_ctas\",\"unit\":\"count\",\"value\":2}]}"

static void a_simulated_kernel_is_read_whole(void **state)
{
    static const char text[] = CYCLE_HEAD
        "\"end\":\"done\",\"cycles\":3000,\"launch_cycles\":700,\"warp_instructions\":26601,\"clock_"
        "hz\":1500000000,"
        "\"foreign_isa\":\"code for "
        "sm_90\",\"cycles_warm_bound\":2500,\"projected\":{\"method\":\"stable\",\"standard_error_cycles\":12.5}"
        ",\"host_seconds\":0.02,\"later\":\"a member of a newer simulator\"," CYCLE_TAIL;
    struct result r, again;
    char partial[RESULT_PARTIAL_TEXT];
    struct err e;
    json_t *v;

    (void)state;
    CHECK_OK(result_from_text(text, sizeof text - 1, &r, &e), &e);
    assert_false(r.replay);
    assert_string_equal(r.kernel_name, "_Z1k");
    assert_int_equal(r.grid[2], 3);
    assert_int_equal(r.cycles, 3000);
    assert_int_equal(r.launch_cycles, 700);
    assert_int_equal(r.warp_instructions, 26601);
    assert_int_equal(r.cycles_warm_bound, 2500);
    assert_true(r.projected && r.projected_error == 12.5);
    assert_string_equal(r.foreign_isa, "code for sm_90");
    assert_true(result_partial(&r, partial));
    assert_string_equal(partial, "4 of 6");
    r.counters[1].value = 7; /* more than the grid has: not believed */
    assert_false(result_partial(&r, partial));
    assert_int_equal(r.counter_count, 2);
    assert_true(r.counters[0].value == UINT64_C(9007199254740993)); /* 2^53 + 1 */
    CHECK_NEAR(result_seconds(&r), 2e-6, 1e-15);
    v = result_to_json(&r);
    assert_string_equal(json_string_value(json_object_get(v, "later")), "a member of a newer simulator");
    CHECK_OK(result_from_json(v, &again, &e), &e);
    json_decref(v);
    result_release(&again);
    result_release(&r);
}

static void a_replayed_value_is_its_own_result(void **state)
{
    struct result a, b, c, back;
    struct err e;
    json_t *v;

    (void)state;
    CHECK_OK(result_replay(UINT64_MAX, PROFILE_NS, &a, &e), &e);
    CHECK_OK(result_replay(UINT64_MAX, PROFILE_NS, &b, &e), &e);
    CHECK_OK(result_replay(UINT64_MAX, PROFILE_WARP_INSTRUCTIONS, &c, &e), &e);
    assert_string_equal(a.digest, b.digest);
    assert_string_not_equal(a.digest, c.digest);
    v = result_to_json(&a);
    CHECK_OK(result_from_json(v, &back, &e), &e);
    json_decref(v);
    assert_true(back.replay && back.value == UINT64_MAX && back.unit == PROFILE_NS);
    CHECK_NEAR(result_seconds(&back), 18446744073.709551, 1e-15);
    assert_true(isnan(result_seconds(&c)));
    result_release(&back);
    result_release(&a);
    result_release(&b);
    result_release(&c);
}

static const struct {
    const char *text, *part;
} wrong[] = {
    {"", "not valid JSON"},
    {"[]", "must be an object"},
    {"{\"format\":\"vivace-plan\",\"version\":1}", "`format` must be"},
    {"{\"format\":\"vivace-result\",\"version\":2}", "version 2 is not known"},
    {"{\"format\":\"vivace-result\",\"version\":1,\"simulator\":\"replay\",\"digest\":\"x\"}", "`digest` must be"},
    {"{\"format\":\"vivace-result\",\"version\":1,\"simulator\":\"replay\",\"digest\":\"" HEX_A
     "\",\"value\":1,\"unit\":\"s\"}",
     "`unit` must be"},
    {CYCLE_HEAD "\"end\":\"stalled\"," CYCLE_TAIL, "did not finish"},
    {CYCLE_HEAD
     "\"end\":\"done\",\"cycles\":3,\"launch_cycles\":4,\"warp_instructions\":1,\"clock_hz\":1," CYCLE_TAIL,
     "cannot be above"},
    {CYCLE_HEAD "\"end\":\"done\",\"cycles\":3,\"launch_cycles\":1,\"warp_instructions\":1,\"clock_hz\":1,"
                "\"cycles_warm_bound\":-2," CYCLE_TAIL,
     "`cycles_warm_bound`"},
    {CYCLE_HEAD "\"end\":\"done\",\"cycles\":3,\"launch_cycles\":1,\"warp_instructions\":1,\"clock_hz\":1,"
                "\"projected\":{\"standard_error_cycles\":-1}," CYCLE_TAIL,
     "is below zero"},
    {CYCLE_HEAD
     "\"end\":\"done\",\"cycles\":3,\"launch_cycles\":1,\"warp_instructions\":1,\"clock_hz\":0," CYCLE_TAIL,
     "`clock_hz` must be above zero"},
    {CYCLE_HEAD "\"end\":\"done\",\"cycles\":3,\"launch_cycles\":1,\"warp_instructions\":1,\"clock_hz\":1,"
                "\"counters\":[{\"name\":\"a\",\"unit\":\"b\"}]}",
     "counter 0: `value` is missing"},
};

static void what_is_no_result_is_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct result r;
        struct err e;

        if (result_from_text(wrong[i].text, strlen(wrong[i].text), &r, &e) >= 0)
            fail_msg("accepted: %s", wrong[i].text);
        if (!strstr(e.text, wrong[i].part))
            fail_msg("%s: got \"%s\", want \"%s\"", wrong[i].text, e.text, wrong[i].part);
    }
}

/* 10^6 brackets give an error, not a crash. */
static void deep_nesting_is_an_error(void **state)
{
    size_t n = 1000000;
    char *text = malloc(n);
    struct result r;
    struct err e;

    (void)state;
    memset(text, '[', n);
    CHECK_FAILS(result_from_text(text, n, &r, &e), &e, ERR_MALFORMED, "not valid JSON");
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_simulated_kernel_is_read_whole),
        cmocka_unit_test(a_replayed_value_is_its_own_result),
        cmocka_unit_test(what_is_no_result_is_refused),
        cmocka_unit_test(deep_nesting_is_an_error),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
