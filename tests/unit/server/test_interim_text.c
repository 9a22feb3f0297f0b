/* server/domain/project/stopping_text.c: the decision of an interim analysis as an event. */
#include <math.h>

#include "server/store/event/event.h"
#include "server/domain/project/stopping_internal.h"
#include "tests/harness/check.h"

/* Shares of a total of 1. */
static const struct {
    double half_width;
    const char *want;
} last[] = {
    {0.0314, "this was the last interim analysis: h100 is known to ± 3.14 %, and ± 2 % is wanted."},
    {0.994, "this was the last interim analysis: h100 is known to ± 99.4 %, and ± 2 % is wanted."},
    {1, "this was the last interim analysis: h100 is not known yet: its interval is wider than the total itself, "
        "and ± 2 % is "
        "wanted."},
    {16.06, "this was the last interim analysis: h100 is not known yet: its interval is wider than the total "
            "itself, and ± 2 % "
            "is wanted."},
    {NAN, "this was the last interim analysis: h100 is not known yet, and ± 2 % is wanted."},
};

static void a_doubt_wider_than_the_total_is_in_words(void **state)
{
    struct run_design_row design = {0};
    struct run_results r = {.design_count = 1, .designs = &design};

    (void)state;
    snprintf(design.name, sizeof design.name, "h100");
    for (size_t i = 0; i < sizeof last / sizeof *last; i++) {
        struct verdict v = VERDICT_INIT;
        struct interim_promise promise = {.value = 1, .half_width = last[i].half_width, .wanted = 0.02};
        struct strbuf b = STRBUF_INIT;

        v.rule.error = 0.02;
        v.analysis.decision = INTERIM_LAST;
        v.analysis.promises = &promise;
        v.analysis.promise_count = 1;
        v.reason = stopping_decision(&v, &r);
        event_text(v.reason, &b);
        assert_string_equal(b.text, last[i].want);
        strbuf_release(&b);
        json_decref(v.reason);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(a_doubt_wider_than_the_total_is_in_words)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
