/* Sentences of the farm as a link with hidden names shows them: each kind once, names and foreign words gone. */
#include "tests/harness/check.h"

#include <string.h>

#include "server/access/share_sentence.h"

static void star(void *ctx, const char *name, size_t n, struct strbuf *out)
{
    struct strbuf *seen = ctx;

    strbuf_add(seen, name, n);
    strbuf_addc(seen, '|');
    strbuf_adds(out, "x");
}

static const struct {
    const char *sentence, *shown, *names;
} known[] = {
    {"Rita Doe started the run: 120 jobs, engine cycle.", "x started the run: 120 jobs, engine cycle.",
     "Rita Doe|"},
    {"14 of them are done already: the farm had their results.", NULL, ""},
    {"7 jobs wait for their traces.", NULL, ""},
    {"Traces of 7 jobs are being cut out of the profile's own file.", NULL, ""},
    {"The profile's own file of traces cannot serve all jobs (the profile's traces (a.vtrace): the end of the file "
     "is "
     "missing): those left wait until their traces are sent.",
     "The profile's own file of traces cannot serve all jobs (x): those left wait until their traces are sent.",
     "the profile's traces (a.vtrace): the end of the file is missing|"},
    {"Traces cannot be cut out of the profile's own file now (the team has 5 of its 900 bytes left, and this needs "
     "7): "
     "it is tried again.",
     "Traces cannot be cut out of the profile's own file now (x): it is tried again.",
     "the team has 5 of its 900 bytes left, and this needs 7|"},
    {"Traces came: 7 jobs no longer wait for them.", NULL, ""},
    {"rita asked for more: it is looked at again.", "x asked for more: it is looked at again.", "rita|"},
    {"rita accepted the extension of look 2.", "x accepted the extension of look 2.", "rita|"},
    {"rita undid the extension of look 2: the run ends with what it had.",
     "x undid the extension of look 2: the run ends with what it had.", "rita|"},
    {"rita cancelled the run.", "x cancelled the run.", "rita|"},
    {"rita restarted the run: all of it is simulated by 0.5.5. 3 results of 0.5.4 count no longer; they stay "
     "known.",
     "x restarted the run: all of it is simulated by 0.5.5. 3 results of 0.5.4 count no longer; they stay known.",
     "rita|"},
    {"3 of its results were found wrong and count no longer (bad memory of rita's): those launches are simulated "
     "again, and all that was worked out of them is worked out anew.",
     "3 of its results were found wrong and count no longer (x): those launches are simulated again, and all that "
     "was "
     "worked out of them is worked out anew.",
     "bad memory of rita's|"},
    {"2 of its jobs have no result any more: workers w1 and w2 had different results. Nobody uses either until a "
     "site "
     "admin decides (vivace results discard --quarantined).",
     "2 of its jobs have no result any more: workers x and x had different results. Nobody uses either until a "
     "site "
     "admin decides (vivace results discard --quarantined).",
     "w1|w2|"},
    {"rita asked for another try of a failed job.", "x asked for another try of a failed job.", "rita|"},
    {"rita dropped launch 12, which could not be simulated: S0 is projected from its other samples, which takes it "
     "to "
     "be like those.",
     "x dropped launch 12, which could not be simulated: S0 is projected from its other samples, which takes it to "
     "be "
     "like those.",
     "rita|"},
    {"rita replaced launch 12, which could not be simulated, by the next of S0. That takes it to be like the "
     "others of "
     "its stratum.",
     "x replaced launch 12, which could not be simulated, by the next of S0. That takes it to be like the others "
     "of its "
     "stratum.",
     "rita|"},
    {"rita asked for the cache state to be measured on 3 launches.",
     "x asked for the cache state to be measured on 3 launches.", "rita|"},
    {"Cache state is measured: v100 −2.1 %, h100 at least +54.0 % (launches that find warmed caches, against empty "
     "ones).",
     NULL, ""},
    {"Cache state is measured: v100 −2.1 %, h100 at least +54.0 % (a replay of the launches before, against the "
     "run).",
     NULL, ""},
    {"Two simulations of the same key gave different results: determinism is broken. The first result is kept, "
     "both "
     "are marked disputed.",
     NULL, ""},
    {"The run failed: none of its 9 jobs gave a result.", NULL, ""},
    {"All 9 jobs are done. v100: 9.51 ± 0.18 ms; h100: no projection.", NULL, ""},
    {"The run is done, but 2 of 9 jobs failed; the projection rests on the others. v100: 1.2 M warp instructions.",
     NULL, ""},
    {"The results could not be put together, 5 times in a row; it is tried again: plan of secret.csv: out of "
     "memory.",
     "The results could not be put together, 5 times in a row; it is tried again: x.",
     "plan of secret.csv: out of memory|"},
    {"3 of 40 strata are done.", NULL, ""},
    {"Half of the jobs are done: 60 of 120.", NULL, ""},
    {"The interval of v100 is ± 1.9 % now, inside the promise of 2.0 %; it is final when all planned samples are "
     "in.",
     NULL, ""},
    {"2 launches could not be simulated; the next of their strata stand in. That takes them to be like the others "
     "of "
     "their strata.",
     NULL, ""},
    {"2 launches could not be simulated and were dropped: their strata are projected from the others, which takes "
     "them to be like those.",
     NULL, ""},
    {"The run asks for no more samples: no room for secret.csv.", "The run asks for no more samples: x.",
     "no room for secret.csv|"},
    {"Look 1: h100 is known to ± 388 %, and ± 3 % is wanted. S5 (void gemm<(int)3>(float*)) needs more: 2 → 3; in "
     "all "
     "120 → 134 launches, + 19 min.",
     "Look 1: h100 is known to ± 388 %, and ± 3 % is wanted. S5 (x) needs more: 2 → 3; in all 120 → 134 launches, "
     "+ 19 "
     "min.",
     "void gemm<(int)3>(float*)|"},
    {"the difference of h100 to the baseline is not known yet, and ± 3 % is wanted. S0 (k) needs more: 2 → 3; in "
     "all 5 "
     "→ 6 launches, + 1 s, which is all that the budget pays.",
     "the difference of h100 to the baseline is not known yet, and ± 3 % is wanted. S0 (x) needs more: 2 → 3; in "
     "all 5 "
     "→ 6 launches, + 1 s, which is all that the budget pays.",
     "k|"},
    {"Look 1: v100 is not known yet, and ± 3 % is wanted. S0 (several kernels) needs more: 2 → 3; in all 5 → 6 "
     "launches, "
     "+ 1 s.",
     NULL, ""},
    {"v100 is known to ± 3.1 %, and ± 2 % is wanted. 5 → 6 launches, + 1 s.", NULL, ""},
    {"Look 1: v100 is not known yet: its interval is wider than the total itself, and ± 3 % is wanted. S0 (k) "
     "needs "
     "more: 2 → 3; in all 5 → 6 launches, + 1 s.",
     "Look 1: v100 is not known yet: its interval is wider than the total itself, and ± 3 % is wanted. S0 (x) "
     "needs "
     "more: 2 → 3; in all 5 → 6 launches, + 1 s.",
     "k|"},
    {"this was the last look: h100 is not known yet: its interval is wider than the total itself, and ± 2 % is "
     "wanted.",
     NULL, ""},
    {"Look 2: the promise is kept.", NULL, ""},
    {"this was the last look: h100 is known to ± 4 %, and ± 2 % is wanted.", NULL, ""},
    {"Launch 7 on v100 failed on worker node-7 (attempt 1, crash). It is tried again in 1.5 s.",
     "Launch 7 on v100 failed on worker x (attempt 1, crash). It is tried again in 1.5 s.", "node-7|"},
    {"3 jobs came back without a result (1 failed for good). The first: Launch 7 on v100 failed on worker node-7 "
     "(attempt 1, bad_input): /home/rita/a.csv (torn). It is not tried again.",
     "3 jobs came back without a result (1 failed for good). The first: Launch 7 on v100 failed on worker x "
     "(attempt 1, bad_input): x",
     "node-7|/home/rita/a.csv (torn). It is not tried again.|"},
    {"Worker node-7 vanished while it simulated launch 3 on v100. It is tried again.",
     "Worker x vanished while it simulated launch 3 on v100. It is tried again.", "node-7|"},
};

static void each_sentence_keeps_its_words_and_loses_its_names(void **state)
{
    struct err e;

    (void)state;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct strbuf out = STRBUF_INIT, names = STRBUF_INIT;

        CHECK_OK(share_sentence(known[i].sentence, star, &names, &out, &e) - 1, &e);
        assert_string_equal(out.text, known[i].shown ? known[i].shown : known[i].sentence);
        assert_string_equal(names.text, known[i].names);
        strbuf_release(&out);
        strbuf_release(&names);
    }
}

static void what_is_no_known_sentence_is_not_shown(void **state)
{
    static const char *const others[] = {
        "",
        "gemm needs more: 2 → 3",
        "All 9 jobs are done. v100: 1 ms (gemm).",
        "Look 1: h100 is known to ± 4 % (gemm).",
        "Cache state is measured: gemm (secret).",
        "Launch 7 on v100 failed on worker a b (attempt 1, crash). It is tried again.",
        "rita deleted secret.csv.",
    };
    struct strbuf out = STRBUF_INIT, names = STRBUF_INIT;
    struct err e;

    (void)state;
    for (size_t i = 0; i < sizeof others / sizeof others[0]; i++)
        assert_int_equal(share_sentence(others[i], star, &names, &out, &e), 0);
    assert_int_equal(out.length, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_sentence_keeps_its_words_and_loses_its_names),
        cmocka_unit_test(what_is_no_known_sentence_is_not_shown),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
