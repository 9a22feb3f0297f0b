/* wire/lease.h: messages read back equal, and invalid messages are refused. */
#include "base/array.h"
#include "tests/harness/check.h"
#include "wire/lease.h"

#define HEX_A "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa"
#define HEX_B "bbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbbb"

/* Converts to text and back, as on the network. */
static json_t *travel(json_t *v)
{
    struct strbuf b = STRBUF_INIT;
    struct err e;
    json_t *back;

    assert_non_null(v);
    json_write_text(v, false, &b);
    json_decref(v);
    assert_false(b.failed);
    back = json_read_text(b.text, b.length, "message", &e);
    if (!back)
        fail_msg("%s in %s", e.text, b.text);
    strbuf_release(&b);
    return back;
}

static json_t *parse(const char *text)
{
    struct err e;
    json_t *v = json_read_text(text, strlen(text), "message", &e);

    if (!v)
        fail_msg("%s", e.text);
    return v;
}

/* Compares both as text and drops both. */
static void check_same(json_t *a, json_t *b)
{
    if (!json_equal(a, b))
        fail_msg("%s is not %s", json_dumps(a, 0), json_dumps(b, 0));
    json_decref(a);
    json_decref(b);
}

static void a_session_makes_the_round(void **state)
{
    struct session_request a = {.name = "w-17",
                                .host = "node3",
                                .version = "0.1.0",
                                .simulator = "0.1.0",
                                .slots = 8,
                                .engines = {[ENGINE_CYCLE] = true},
                                .sandbox = "rlimit"},
                           b;
    struct session_answer c = {.session = "0193", .farm = "f-1", .heartbeat_s = 10, .dead_after_s = 60}, d;
    const struct session_answer ends = {
        .session = "s", .heartbeat_s = 10, .dead_after_s = 60, .token_ends = true, .token_left_s = 0};
    struct err e;
    json_t *v = travel(session_request_to_json(&a));

    (void)state;
    CHECK_OK(session_request_from_json(v, &b, &e), &e);
    assert_string_equal(b.name, "w-17");
    assert_string_equal(b.host, "node3");
    assert_string_equal(b.sandbox, "rlimit");
    assert_int_equal(b.slots, 8);
    assert_true(b.engines[ENGINE_CYCLE] && !b.engines[ENGINE_REPLAY]);
    json_decref(v);
    v = travel(session_answer_to_json(&c));
    CHECK_OK(session_answer_from_json(v, &d, &e), &e);
    assert_string_equal(d.session, "0193");
    assert_string_equal(d.farm, "f-1");
    assert_int_equal(d.heartbeat_s, 10);
    assert_int_equal(d.dead_after_s, 60);
    assert_false(d.token_ends);
    json_decref(v);
    v = travel(session_answer_to_json(&ends));
    CHECK_OK(session_answer_from_json(v, &d, &e), &e);
    assert_true(d.token_ends);
    assert_int_equal(d.token_left_s, 0);
    json_decref(v);
}

static void leases_make_the_round(void **state)
{
    struct lease items[2] = {{.job = "j1",
                              .attempt = 2,
                              .engine = ENGINE_CYCLE,
                              .launch = UINT64_MAX,
                              .trace_sha256 = HEX_A,
                              .trace_bytes = 77,
                              .program_sha256 = HEX_B,
                              .record = true,
                              .warmed = true,
                              .inside_kernels = 0.04,
                              .allow_foreign_isa = true,
                              .program_bytes = 4096,
                              .design_sha256 = HEX_B,
                              .design_name = "v100",
                              .limits = {3600, UINT64_C(2) << 30, UINT64_C(10000000000)},
                              .deadline_at = "2026-11-20T13:02:11.123456Z"},
                             {.job = "j2",
                              .attempt = 1,
                              .engine = ENGINE_REPLAY,
                              .replay_value = UINT64_C(1) << 60,
                              .replay_unit = PROFILE_WARP_INSTRUCTIONS}};
    struct lease_list list = {2, items}, back;
    struct err e;
    json_t *v = travel(lease_list_to_json(&list));

    (void)state;
    CHECK_OK(lease_list_from_json(v, &back, &e), &e);
    assert_int_equal(back.count, 2);
    check_same(lease_to_json(&back.items[0]), lease_to_json(&items[0]));
    assert_true(back.items[0].launch == UINT64_MAX);
    assert_string_equal(back.items[0].deadline_at, items[0].deadline_at);
    assert_string_equal(back.items[0].program_sha256, HEX_B);
    assert_int_equal(back.items[0].program_bytes, 4096);
    assert_true(back.items[1].replay_value == UINT64_C(1) << 60); /* above 2^53: sent as a string */
    assert_int_equal(back.items[1].replay_unit, PROFILE_WARP_INSTRUCTIONS);
    assert_string_equal(back.items[1].trace_sha256, "");
    assert_string_equal(back.items[1].program_sha256, "");
    assert_true(back.items[0].record && back.items[0].warmed);
    assert_true(back.items[0].inside_kernels > 0.0399 && back.items[0].inside_kernels < 0.0401);
    assert_true(back.items[1].inside_kernels == 0);
    assert_true(back.items[0].allow_foreign_isa && !back.items[1].allow_foreign_isa);
    assert_false(back.items[1].record || back.items[1].warmed);
    lease_list_release(&back);
    json_decref(v);
}

static void claims_and_heartbeats_make_the_round(void **state)
{
    struct claim_request c = {"s", 4, 25, 8}, c2;
    struct running_attempt running[1] = {{{"j1", 7}, 123, 456}};
    struct heartbeat_request h = {"s", 1, running, true}, h2;
    struct attempt_id gone[1] = {{"j9", 3}};
    struct heartbeat_answer a = {1, gone, 20}, a2;
    struct err e;
    json_t *v = travel(claim_request_to_json(&c));

    (void)state;
    CHECK_OK(claim_request_from_json(v, &c2, &e), &e);
    assert_string_equal(c2.session, "s");
    assert_int_equal(c2.slots, 4);
    assert_int_equal(c2.wait_s, 25);
    assert_int_equal(c2.pack, 8);
    json_decref(v);
    v = travel(heartbeat_request_to_json(&h));
    CHECK_OK(heartbeat_request_from_json(v, &h2, &e), &e);
    assert_int_equal(h2.count, 1);
    assert_true(h2.ending);
    assert_string_equal(h2.running[0].id.job, "j1");
    assert_int_equal(h2.running[0].id.attempt, 7);
    assert_int_equal(h2.running[0].cycles, 123);
    assert_int_equal(h2.running[0].warp_instructions, 456);
    heartbeat_request_release(&h2);
    json_decref(v);
    v = travel(heartbeat_answer_to_json(&a));
    CHECK_OK(heartbeat_answer_from_json(v, &a2, &e), &e);
    assert_string_equal(a2.abort[0].job, "j9");
    assert_int_equal(a2.heartbeat_s, 20);
    heartbeat_answer_release(&a2);
    json_decref(v);
}

static void completions_make_the_round(void **state)
{
    struct job_outcome outcomes[2];
    struct complete_request r = {.session = "s", .count = 2, .outcomes = outcomes}, back;
    struct complete_item items[1] = {{{"j1", 1}, false, "the lease belongs to another worker"}};
    struct complete_answer a = {1, items}, a2;
    struct err e;
    json_t *v;

    (void)state;
    job_outcome_init(&outcomes[0]);
    job_outcome_init(&outcomes[1]);
    outcomes[0].id = (struct attempt_id){"j1", 1};
    outcomes[0].has_result = true;
    outcomes[0].host_seconds = 0.25;
    CHECK_OK(result_replay(5, PROFILE_NS, &outcomes[0].result, &e), &e);
    outcomes[1].id = (struct attempt_id){"j2", 4};
    outcomes[1].outcome = OUTCOME_DEADLOCK;
    outcomes[1].message = mem_strdup("warp 3 waits <for> a barrier", &e);
    outcomes[1].last_lines = mem_strdup("line 1\nline 2 \"quoted\"\n", &e);
    outcomes[1].peak_bytes = 123456;
    v = travel(complete_request_to_json(&r));
    CHECK_OK(complete_request_from_json(v, &back, &e), &e);
    json_decref(v);
    assert_int_equal(back.count, 2);
    assert_true(back.outcomes[0].has_result && back.outcomes[0].result.replay);
    assert_int_equal(back.outcomes[0].result.value, 5);
    assert_string_equal(back.outcomes[0].result.digest, outcomes[0].result.digest);
    CHECK_NEAR(back.outcomes[0].host_seconds, 0.25, 0);
    assert_int_equal(back.outcomes[1].outcome, OUTCOME_DEADLOCK);
    assert_string_equal(back.outcomes[1].message, "warp 3 waits <for> a barrier");
    assert_string_equal(back.outcomes[1].last_lines, "line 1\nline 2 \"quoted\"\n");
    assert_int_equal(back.outcomes[1].peak_bytes, 123456);
    complete_request_release(&back);
    job_outcome_release(&outcomes[0]);
    job_outcome_release(&outcomes[1]);

    v = travel(complete_answer_to_json(&a));
    CHECK_OK(complete_answer_from_json(v, &a2, &e), &e);
    assert_false(a2.items[0].accepted);
    assert_string_equal(a2.items[0].reason, "the lease belongs to another worker");
    complete_answer_release(&a2);
    json_decref(v);
}

/* Each row: an invalid message and a part of the error. */
enum kind { SESSION, CLAIM, LEASES, BEAT, BEAT_ANSWER, COMPLETE, COMPLETE_ANSWER };
static const struct {
    enum kind kind;
    const char *text, *part;
} hostile[] = {
    {SESSION, "[]", "must be an object"},
    {SESSION,
     "{\"name\":\"n\",\"host\":\"h\",\"version\":\"v\",\"simulator\":\"s\",\"slots\":0,\"engines\":[],"
     "\"sandbox\":\"none\"}",
     "`slots` must be a whole number from 1"},
    {SESSION,
     "{\"name\":\"n\",\"host\":\"h\",\"version\":\"v\",\"simulator\":\"s\",\"slots\":2,\"engines\":[7],"
     "\"sandbox\":\"none\"}",
     "list of names"},
    {SESSION, "{\"name\":\"n\",\"secret\":1}", "unknown member `secret`"},
    {SESSION, "{\"name\":\"n\",\"host\":\"h\",\"version\":\"0123456789012345678901234567890123456789\"}",
     "`version` is longer than 39 bytes"},
    {CLAIM, "{\"session\":\"s\",\"slots\":1,\"wait_s\":26}", "`wait_s`"},
    {CLAIM, "{\"session\":\"s\",\"slots\":1.5}", "`slots`"},
    {CLAIM, "{\"session\":null,\"slots\":1}", "`session` is missing"},
    {CLAIM, "{\"session\":\"s\",\"slots\":1e300}", "`slots`"},
    {LEASES, "{\"leases\":{}}", "must be a list"},
    {LEASES, "{\"leases\":[{\"job\":\"j\",\"attempt\":0}]}", "`leases`[0]: `attempt`"},
    {LEASES, "{\"leases\":[{\"job\":\"j\",\"attempt\":1,\"engine\":\"magic\"}]}", "`engine`"},
    {LEASES, "{\"leases\":[{\"job\":\"j\",\"attempt\":1,\"engine\":\"cycle\",\"trace\":\"../../etc/passwd\"}]}",
     "`trace` must be a SHA-256"},
    {LEASES, "{\"leases\":[{\"job\":\"j\",\"attempt\":1,\"engine\":\"replay\"}]}", "`replay` is missing"},
    {LEASES,
     "{\"leases\":[{\"job\":\"j\",\"attempt\":1,\"engine\":\"replay\",\"replay\":{\"value\":-1,\"unit\":\"ns\"}}]}",
     "`value` must be a whole number"},
    {LEASES,
     "{\"leases\":[{\"job\":\"j\",\"attempt\":1,\"engine\":\"replay\",\"replay\":{\"value\":"
     "\"99999999999999999999\","
     "\"unit\":\"ns\"}}]}",
     "`value` must be a whole number"},
    {BEAT, "{\"session\":\"s\",\"running\":[{\"job\":\"j\",\"attempt\":1,\"cycles\":\"many\"}]}", "`cycles`"},
    {BEAT, "{\"session\":\"s\",\"running\":[3]}", "must be an object"},
    {BEAT_ANSWER, "{\"abort\":[],\"heartbeat_s\":0}", "`heartbeat_s`"},
    {COMPLETE, "{\"session\":\"s\",\"outcomes\":[{\"job\":\"j\",\"attempt\":1,\"outcome\":\"fine\"}]}",
     "`outcome`"},
    {COMPLETE, "{\"session\":\"s\",\"outcomes\":[{\"job\":\"j\",\"attempt\":1,\"outcome\":\"ok\"}]}",
     "`result` belongs"},
    {COMPLETE,
     "{\"session\":\"s\",\"outcomes\":[{\"job\":\"j\",\"attempt\":1,\"outcome\":\"crash\",\"result\":{}}]}",
     "`result` belongs"},
    {COMPLETE,
     "{\"session\":\"s\",\"outcomes\":[{\"job\":\"j\",\"attempt\":1,\"outcome\":\"crash\",\"host_seconds\":-1}]}",
     "cannot be negative"},
    {COMPLETE_ANSWER, "{\"items\":[{\"job\":\"j\",\"attempt\":1,\"accepted\":\"yes\"}]}", "true or false"},
};

static int read_message(enum kind kind, const json_t *v, struct err *e)
{
    union {
        struct session_request session;
        struct claim_request claim;
        struct lease_list leases;
        struct heartbeat_request beat;
        struct heartbeat_answer beat_answer;
        struct complete_request complete;
        struct complete_answer complete_answer;
    } m;

    switch (kind) {
    case SESSION: return session_request_from_json(v, &m.session, e);
    case CLAIM: return claim_request_from_json(v, &m.claim, e);
    case LEASES: return lease_list_from_json(v, &m.leases, e);
    case BEAT: return heartbeat_request_from_json(v, &m.beat, e);
    case BEAT_ANSWER: return heartbeat_answer_from_json(v, &m.beat_answer, e);
    case COMPLETE: return complete_request_from_json(v, &m.complete, e);
    case COMPLETE_ANSWER: return complete_answer_from_json(v, &m.complete_answer, e);
    }
    return 0;
}

static void hostile_messages_are_refused(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof hostile / sizeof *hostile; i++) {
        json_t *v = parse(hostile[i].text);
        struct err e;

        if (read_message(hostile[i].kind, v, &e) >= 0)
            fail_msg("accepted: %s", hostile[i].text);
        if (!strstr(e.text, hostile[i].part))
            fail_msg("%s: got \"%s\", want \"%s\"", hostile[i].text, e.text, hostile[i].part);
        json_decref(v);
    }
}

static void every_outcome_has_a_name_and_a_budget(void **state)
{
    (void)state;
    for (int i = 0; i < OUTCOME_COUNT; i++) {
        enum attempt_outcome back;

        assert_int_equal(attempt_outcome_from_name(attempt_outcome_name((enum attempt_outcome)i), &back), 0);
        assert_int_equal(back, i);
    }
    assert_int_equal(attempt_outcome_budget(OUTCOME_BAD_INPUT), BUDGET_PERMANENT);
    assert_int_equal(attempt_outcome_budget(OUTCOME_CRASH), BUDGET_FAILURES);
    assert_int_equal(attempt_outcome_budget(OUTCOME_FETCH), BUDGET_TROUBLES);
    assert_int_equal(attempt_outcome_budget(OUTCOME_RELEASED), BUDGET_NONE);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_session_makes_the_round),
        cmocka_unit_test(leases_make_the_round),
        cmocka_unit_test(claims_and_heartbeats_make_the_round),
        cmocka_unit_test(completions_make_the_round),
        cmocka_unit_test(hostile_messages_are_refused),
        cmocka_unit_test(every_outcome_has_a_name_and_a_budget),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
