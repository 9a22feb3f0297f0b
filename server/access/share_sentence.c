#include "server/access/share_sentence.h"

#include <pthread.h>
#include <regex.h>

#define GROUPS  5
#define DESIGN  "[A-Za-z0-9._:-]+"
#define LOOK    "(Look [0-9]+: )?"
#define FIRST   "([0-9]+ jobs came back without a result \\([0-9]+ failed for good\\)\\. The first: )?"
#define FAILED  FIRST "Launch [0-9]+ on " DESIGN " failed on worker ([^ ]+) \\(attempt [0-9]+, [a-z_ ]+\\)"
#define UNNAMED "[^()]*" /* what a look says has a name in parentheses alone */

/* The sentences that end up in `sentence` and `reason` of what a link shows, the more special ones first. `names`:
 * bit g says that group g is a name, or somebody's words. A sentence that stands nowhere here stays hidden as a
 * whole. */
static const struct {
    const char *pattern;
    unsigned names;
} known[] = {
    {"(.+) started the run: [0-9]+ jobs, engine [a-z]+\\.", 1U << 1},
    {"[0-9]+ of them are done already: the farm had their results\\.", 0},
    {"[0-9]+ jobs wait for their traces\\.", 0},
    {"Traces of [0-9]+ jobs are being cut out of the profile's own file\\.", 0},
    {"The profile's own file of traces cannot serve all jobs \\((.+)\\): those left wait until their traces are "
     "sent\\.",
     1U << 1},
    {"Traces cannot be cut out of the profile's own file now \\((.+)\\): it is tried again\\.", 1U << 1},
    {"Traces came: [0-9]+ jobs no longer wait for them\\.", 0},
    {"(.+) asked for more: it is looked at again\\.", 1U << 1},
    {"(.+) accepted the extension of look [0-9]+\\.", 1U << 1},
    {"(.+) undid the extension of look [0-9]+: the run ends with what it had\\.", 1U << 1},
    {"(.+) (paused|resumed|cancelled) the run\\.", 1U << 1},
    {"(.+) restarted the run: all of it is simulated by [^ ]+\\. [0-9]+ results of [^ ]+ count no longer; they "
     "stay "
     "known\\.",
     1U << 1},
    {"[0-9]+ of its results were found wrong and count no longer \\((.+)\\): those launches are simulated again, "
     "and "
     "all that was worked out of them is worked out anew\\.",
     1U << 1},
    {"[0-9]+ of its jobs have no result any more: workers ([^ ]+) and ([^ ]+) had different results\\. " UNNAMED
     "\\(vivace results discard --quarantined\\)\\.",
     1U << 1 | 1U << 2},
    {"(.+) asked for another try of a failed job\\.", 1U << 1},
    {"(.+) dropped launch [0-9]+, which could not be simulated: S[0-9]+ is projected " UNNAMED, 1U << 1},
    {"(.+) replaced launch [0-9]+, which could not be simulated, by the next of S[0-9]+\\. " UNNAMED, 1U << 1},
    {"(.+) asked for the cache state to be measured on [0-9]+ launch(es)?\\.", 1U << 1},
    {"Cache state is measured: " UNNAMED "\\((launches that find warmed caches, against empty ones|a replay of the "
     "launches before, against the run)\\)\\.",
     0},
    {"Two simulations of the same key gave different results: determinism is broken\\. " UNNAMED, 0},
    {"The run failed: none of its [0-9]+ jobs gave a result\\.", 0},
    {"(The run is done, but [0-9]+ of|All) [0-9]+ jobs (are done|failed; the projection rests on the "
     "others)\\. " UNNAMED,
     0},
    {"The results could not be put together, [0-9]+ times in a row; it is tried again: (.+)\\.", 1U << 1},
    {"([0-9]+ of [0-9]+ strata are done|Half of the jobs are done: [0-9]+ of [0-9]+)\\.", 0},
    {"The interval of " DESIGN " is ± " UNNAMED, 0},
    {"[0-9]+ launches could not be simulated(;| and were dropped:) " UNNAMED, 0},
    {"The run asks for no more samples: (.+)\\.", 1U << 1},
    {LOOK UNNAMED "S[0-9]+ \\(several kernels\\) needs more: [0-9]+ → " UNNAMED, 0},
    {LOOK "(" UNNAMED "S[0-9]+ \\()(.+)\\) needs more: [0-9]+ → " UNNAMED, 1U << 3},
    {LOOK "(the promise is kept|everything is simulated that can be|the budget is spent: |this was the last look: "
          ")" UNNAMED,
     0},
    {LOOK "(the difference of )?" DESIGN " (to the baseline )?is (not known yet|known to ± )" UNNAMED, 0},
    {FAILED "\\. It is (not tried again|tried again( in [0-9.]+ [a-zµ]+)?)\\.", 1U << 2},
    {FAILED ": (.+)", 1U << 2 | 1U << 3},
    {FIRST "Worker ([^ ]+) vanished while it simulated launch [0-9]+ on " DESIGN "\\. " UNNAMED, 1U << 2},
};

/* The parts between the names as they are. */
static void replace(const char *sentence, const regmatch_t *m, unsigned names, share_name_fn label, void *ctx,
                    struct strbuf *out)
{
    regoff_t at = 0;

    for (int g = 1; g < GROUPS; g++) {
        if (!(names >> g & 1) || m[g].rm_so < 0)
            continue;
        strbuf_add(out, sentence + at, (size_t)(m[g].rm_so - at));
        label(ctx, sentence + m[g].rm_so, (size_t)(m[g].rm_eo - m[g].rm_so), out);
        at = m[g].rm_eo;
    }
    strbuf_adds(out, sentence + at);
}

/* The patterns as they are matched, each against the whole of a sentence: made once, as that takes longer than to
 * match one. */
static regex_t compiled[sizeof known / sizeof known[0]];
static size_t compiled_count;
static pthread_mutex_t compiling = PTHREAD_MUTEX_INITIALIZER;

static int compile(const char *pattern, regex_t *out)
{
    struct strbuf whole = STRBUF_INIT;
    int ret;

    strbuf_addf(&whole, "^%s$", pattern);
    ret = !whole.failed && regcomp(out, whole.text, REG_EXTENDED) == 0 ? 0 : -1;
    strbuf_release(&whole);
    return ret;
}

/* -1: memory was short, as the patterns are right: the tests use each. The next caller goes on where it was. */
static int compile_all(struct err *e)
{
    bool all;

    pthread_mutex_lock(&compiling);
    while (compiled_count < sizeof known / sizeof known[0] &&
           compile(known[compiled_count].pattern, &compiled[compiled_count]) == 0)
        compiled_count++;
    all = compiled_count == sizeof known / sizeof known[0];
    pthread_mutex_unlock(&compiling);
    return all ? 0 : err_no_memory(e);
}

int share_sentence(const char *sentence, share_name_fn label, void *ctx, struct strbuf *out, struct err *e)
{
    regmatch_t m[GROUPS];

    if (compile_all(e) < 0)
        return -1;
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        if (regexec(&compiled[i], sentence, GROUPS, m, 0) != 0)
            continue;
        replace(sentence, m, known[i].names, label, ctx, out);
        return out->failed ? err_no_memory(e) : 1;
    }
    return 0;
}
