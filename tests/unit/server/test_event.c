/* Kinds of events: each kind can be rendered, each parameter in a text exists, and links with hidden names show
 * no names. */
#include "tests/harness/check.h"

#include <math.h>
#include <string.h>

#include "server/store/event/event_internal.h"

/* All WORD parameters, which links with hidden names show unchanged. A new parameter is added here only if its
 * values are public: states, engines, GPU designs, versions. Text that a user chose is a NAME. */
static const char *const public_words[] = {
    "run.started engine",    "run.moved move",      "run.restarted simulator",   "run.restarted before",
    "job.failed design",     "job.failed outcome",  "worker.vanished design",    "run.promise_kept design",
    "answer.missing design", "answer.work design",  "answer.no_interval design", "answer.too_wide design",
    "answer.total design",   "caches.error design", "look.promise design",
};

static json_t *value_of(const struct event_parameter *p)
{
    switch (p->type) {
    case EVENT_NAME: return json_string("Rita's gemm<int> (a b)");
    case EVENT_WORD: return json_string("v100");
    case EVENT_COUNT: return json_integer(7);
    case EVENT_FLAG: return json_true();
    case EVENT_ESTIMATE: return json_pack("{s:f, s:f}", "value", 9.5, "half_width", 0.2);
    case EVENT_PARTS:
        return json_pack("[{s:s, s:{s:s}}]", "kind", "run.text", "params", "text", "Rita's gemm<int>");
    default: return json_real(0.25);
    }
}

static json_t *event_with(const struct event_definition *d, bool all)
{
    json_t *params = json_object();

    for (const struct event_parameter *p = d->parameters(); all && p->name; p++)
        json_object_set_new(params, p->name, value_of(p));
    return json_pack("{s:s, s:o}", "kind", d->kind, "params", params);
}

static void star(void *ctx, const char *name, size_t n, struct strbuf *out)
{
    struct strbuf *seen = ctx;

    if (seen) {
        strbuf_add(seen, name, n);
        strbuf_addc(seen, '|');
    }
    strbuf_adds(out, "x");
}

static void is_text(const json_t *event, const char *want)
{
    struct strbuf b = STRBUF_INIT;

    event_text(event, &b);
    assert_string_equal(b.text, want);
    strbuf_release(&b);
}

static void emits(struct event ev, const char *want)
{
    json_t *part = event_part(ev);

    assert_non_null(part);
    is_text(part, want);
    json_decref(part);
}

/* --- The table --- */

static void a_kind_is_its_id_with_a_dot(void **state)
{
    (void)state;
    for (size_t i = 0; i < EVENT_KIND_COUNT; i++) {
        const struct event_definition *d = &event_definitions[i];
        size_t dot = strcspn(d->kind, ".");

        assert_int_equal(strlen(d->kind), strlen(d->id));
        assert_memory_equal(d->kind, d->id, dot);
        assert_true(d->kind[dot] == '.' && d->id[dot] == '_');
        assert_string_equal(d->kind + dot + 1, d->id + dot + 1);
        assert_ptr_equal(event_find(d->kind), d); /* each kind occurs once */
    }
    assert_null(event_find("run.unknown"));
}

static void each_parameter_of_a_text_exists_and_is_used(void **state)
{
    (void)state;
    for (size_t i = 0; i < EVENT_KIND_COUNT; i++) {
        const struct event_definition *d = &event_definitions[i];
        bool inside = false;

        for (const char *at = d->text + strcspn(d->text, "{}[]"); *at; at += 1 + strcspn(at + 1, "{}[]")) {
            size_t n = strcspn(at + 1, "{}[]");

            if (*at == '{' && (at[1 + n] != '}' || !event_parameter_find(d, at + 1, n)))
                fail_msg("%s: the text has {%.*s}, which is no parameter", d->kind, (int)n, at + 1);
            if ((*at == '[' && inside) || (*at == ']' && !inside))
                fail_msg("%s: brackets do not match, or nest", d->kind);
            inside = *at == '[' ? true : *at == ']' ? false : inside;
        }
        assert_false(inside);
        for (const struct event_parameter *p = d->parameters(); p->name; p++) {
            char braced[80];

            snprintf(braced, sizeof braced, "{%s}", p->name);
            if (!strstr(d->text, braced))
                fail_msg("%s: the text does not use %s", d->kind, p->name);
        }
    }
}

static void each_kind_renders(void **state)
{
    (void)state;
    for (size_t i = 0; i < EVENT_KIND_COUNT; i++) {
        json_t *event = event_with(&event_definitions[i], true);
        struct strbuf b = STRBUF_INIT;

        event_text(event, &b);
        assert_true(b.length > 0);
        if (strpbrk(b.text, "{}[]"))
            fail_msg("%s renders as %s", event_definitions[i].kind, b.text);
        strbuf_release(&b);
        json_decref(event);
        event = event_with(&event_definitions[i], false); /* without parameters: no crash and no braces */
        event_text(event, &b);
        assert_null(strpbrk(b.text, "{}[]"));
        strbuf_release(&b);
        json_decref(event);
    }
}

/* --- Links that hide names --- */

static bool is_public_word(const char *kind, const char *name)
{
    char both[120];

    snprintf(both, sizeof both, "%s %s", kind, name);
    for (size_t i = 0; i < sizeof public_words / sizeof *public_words; i++)
        if (strcmp(public_words[i], both) == 0)
            return true;
    return false;
}

static void each_word_that_links_show_is_known_to_be_public(void **state)
{
    size_t words = 0;

    (void)state;
    for (size_t i = 0; i < EVENT_KIND_COUNT; i++) {
        const struct event_definition *d = &event_definitions[i];

        for (const struct event_parameter *p = d->parameters(); p->name; p++) {
            if (p->type != EVENT_WORD)
                continue;
            words++;
            if (!is_public_word(d->kind, p->name))
                fail_msg("%s: a shared link would show %s; is it a public word?", d->kind, p->name);
        }
    }
    assert_int_equal(words, sizeof public_words / sizeof *public_words);
}

static void hidden_names_are_in_no_parameter_and_no_text(void **state)
{
    struct err e;

    (void)state;
    for (size_t i = 0; i < EVENT_KIND_COUNT; i++) {
        const struct event_definition *d = &event_definitions[i];
        json_t *event = event_with(d, true), *own = event_with(d, true);
        char *shown;

        json_object_set_new(json_object_get(event, "params"), "not_in_the_table", json_string("Rita"));
        json_object_set_new(event, "text", json_string("Rita"));
        assert_true(event_is(event));
        CHECK_OK(event_hide(event, star, NULL, &e), &e);
        shown = json_dumps(event, 0);
        if (strstr(shown, "Rita") || strstr(shown, "gemm"))
            fail_msg("%s shows %s", d->kind, shown);
        for (const struct event_parameter *p = d->parameters(); p->name; p++) {
            const json_t *was = json_object_get(json_object_get(own, "params"), p->name);
            const json_t *is = json_object_get(json_object_get(event, "params"), p->name);

            if (p->type == EVENT_NAME)
                assert_string_equal(json_string_value(is), "x");
            else if (p->type != EVENT_PARTS)
                assert_true(json_equal(was, is));
        }
        is_text(event, json_string_value(json_object_get(event, "text")));
        free(shown);
        json_decref(event);
        json_decref(own);
    }
}

static void a_word_that_is_none_and_a_part_that_is_none_are_hidden(void **state)
{
    json_t *event = json_pack("{s:s, s:{s:s, s:s, s:s}}", "kind", "run.started", "params", "by", "rita", "jobs",
                              "rita", "engine", "rita's engine");
    struct strbuf names = STRBUF_INIT;
    struct err e;

    (void)state;
    CHECK_OK(event_hide(event, star, &names, &e), &e);
    is_text(event, "x started the run: 0 jobs, engine x.");
    assert_string_equal(names.text, "rita|rita's engine|");
    assert_null(json_object_get(event, "text")); /* the stored event had no text */
    json_decref(event);
    strbuf_release(&names);
    event = json_pack("{s:s, s:{s:i, s:i, s:{s:s, s:{s:s}}}, s:s}", "kind", "jobs.without_result", "params", "jobs",
                      3, "failed", 1, "first", "kind", "of.rita", "params", "by", "rita", "reason", "rita");
    CHECK_OK(event_hide(event, star, NULL, &e), &e);
    is_text(event, "3 jobs ended without a result (1 failed permanently). The first: ");
    assert_string_equal(json_string_value(json_object_get(event, "reason")),
                        "3 jobs ended without a result (1 failed permanently). The first: ");
    json_decref(event);
}

static void what_is_no_event_is_not_taken_for_one(void **state)
{
    json_t *others = json_pack("[{s:s}, {s:s, s:{}}, {s:{}}, {s:s, s:s}, n]", "kind", "run.started", "kind", "run",
                               "params", "params", "kind", "run.started", "params", "by");

    (void)state;
    for (size_t i = 0; i < json_array_size(others); i++)
        assert_false(event_is(json_array_get(others, i)));
    json_decref(others);
}

/* --- Texts --- */

static void texts_read_as_they_should(void **state)
{
    (void)state;
    emits(EVENT(run_started, .by = "Rita Doe", .jobs = 120, .engine = "cycle"),
          "Rita Doe started the run: 120 jobs, engine cycle.");
    emits(EVENT(run_jobs_created), "All jobs of the run are created.");
    emits(EVENT(traces_no_room, .why = "no room", .hint = "Delete some."),
          "Traces cannot be cut out of the profile's own file now (no room): it is tried again. Delete some.");
    emits(EVENT(traces_no_room, .why = "no room"),
          "Traces cannot be cut out of the profile's own file now (no room): it is tried again.");
    emits(EVENT(job_failed, .launch = 7, .design = "v100", .worker = "node-7", .attempt = 1, .outcome = "bad_input",
                .message = "a.csv (torn)", .final = true, .wait = NAN),
          "Launch 7 on v100 failed on worker node-7 (attempt 1, bad_input): a.csv (torn). It is not tried again.");
    emits(EVENT(job_failed, .launch = 7, .design = "v100", .worker = "node-7", .attempt = 2, .outcome = "crash",
                .wait = 1.5),
          "Launch 7 on v100 failed on worker node-7 (attempt 2, crash). It is tried again in 1.5 s.");
    emits(EVENT(worker_vanished, .worker = "node-7", .launch = 3, .design = "v100", .again = true, .wait = NAN),
          "Worker node-7 vanished while it simulated launch 3 on v100. It is tried again.");
    emits(EVENT(run_promise_kept, .design = "v100", .half_width = 0.0193, .promise = 0.02),
          "The interval of v100 is ± 1.93 % now, inside the promise of 2 %; it is final when all planned samples "
          "are in.");
}

static void lists_and_events_inside_events_read_as_one_text(void **state)
{
    json_t *answers = json_array(), *errors = json_array();

    (void)state;
    json_array_append_new(answers, event_part(EVENT(answer_total, .design = "v100", .total = {9.51e-3, 0.18e-3})));
    json_array_append_new(answers, event_part(EVENT(answer_work, .design = "h100", .instructions = 1.2e6)));
    json_array_append_new(answers, event_part(EVENT(answer_missing, .design = "a100")));
    emits(EVENT(run_done_partly, .failed = 2, .jobs = 9, .answers = answers),
          "The run is done, but 2 of 9 jobs failed; the projection uses only the others. v100: 9.51 ± 0.18 ms; "
          "h100: 1.2 M "
          "warp instructions; a100: no projection.");
    json_array_append_new(errors, event_part(EVENT(caches_error, .design = "v100", .error = -0.021)));
    json_array_append_new(errors, event_part(EVENT(caches_error, .design = "h100", .bound = true, .error = 0.54)));
    emits(EVENT(caches_measured, .errors = errors), "Cache state is measured: v100 −2.1 %; h100 at least +54.0 % "
                                                    "(a replay of the launches before, against the run).");
    emits(EVENT(run_look, .look = 1, .ask = true,
                .decision = event_part(EVENT(
                    look_more, .from = 120, .to = 134, .time = 1140, .limited = true,
                    .promise = event_part(
                        EVENT(look_promise, .difference = true, .design = "h100", .known = 3.88, .wanted = 0.03)),
                    .growth = event_part(EVENT(look_growth, .stratum = 5, .kernel = "gemm", .from = 2, .to = 3))))),
          "Interim analysis 1: the difference of h100 to the baseline is known to ± 388 %, and ± 3 % is wanted. S5 "
          "(gemm) "
          "needs more: "
          "2 → 3; in all 120 → 134 launches, + 19 min 00 s, which is the maximum of the budget. Accept it, or undo "
          "it and "
          "the run ends as it is.");
    emits(EVENT(look_more, .from = 5, .to = 6, .time = NAN,
                .growth = event_part(EVENT(look_growth, .stratum = 0, .mixed = true, .from = 2, .to = 3))),
          "S0 (several kernels) needs more: 2 → 3; in all 5 → 6 launches.");
    emits(EVENT(look_budget), "the budget is spent.");
}

static void words_that_are_cut_or_no_text_are_mended(void **state)
{
    json_t *part = event_part(EVENT(run_stuck, .times = 5, .why = "gr\xc3"));

    (void)state;
    assert_non_null(part);
    is_text(part, "The results could not be combined, 5 times in a row; the server tries again: gr.");
    json_decref(part);
}

static void a_row_shows_its_text(void **state)
{
    static const struct {
        const char *row, *want;
    } rows[] = {
        {"{\"id\": \"1\", \"kind\": \"run.text\", \"params\": {\"text\": \"a\\nb\"}}",
         "{\"id\":\"1\",\"kind\":\"run.text\",\"params\":{\"text\":\"a\\nb\"},\"text\":\"a\\nb\"}"},
        {"{\"kind\": \"of.the.future\", \"params\": {}}",
         "{\"kind\":\"of.the.future\",\"params\":{},\"text\":\"of.the.future\"}"},
        {"[1]", "[1]"},
        {"{", "{"},
    };
    struct err e;

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct strbuf b = STRBUF_INIT;

        CHECK_OK(event_show_text(rows[i].row, &b, &e), &e);
        assert_string_equal(b.text, rows[i].want);
        strbuf_release(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kind_is_its_id_with_a_dot),
        cmocka_unit_test(each_parameter_of_a_text_exists_and_is_used),
        cmocka_unit_test(each_kind_renders),
        cmocka_unit_test(each_word_that_links_show_is_known_to_be_public),
        cmocka_unit_test(hidden_names_are_in_no_parameter_and_no_text),
        cmocka_unit_test(a_word_that_is_none_and_a_part_that_is_none_are_hidden),
        cmocka_unit_test(what_is_no_event_is_not_taken_for_one),
        cmocka_unit_test(texts_read_as_they_should),
        cmocka_unit_test(lists_and_events_inside_events_read_as_one_text),
        cmocka_unit_test(words_that_are_cut_or_no_text_are_mended),
        cmocka_unit_test(a_row_shows_its_text),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
