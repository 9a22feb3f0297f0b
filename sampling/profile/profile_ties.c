/* Ties: launches that share a call, and the number of a call within its context. */
#include <inttypes.h>

#include "base/assert.h"
#include "sampling/profile/profile.h"

/* The number of ties that begin before `end`. */
static size_t ties_before(const struct profile *p, uint64_t end)
{
    size_t low = 0, high = p->tie_count;

    while (low < high) {
        size_t middle = low + (high - low) / 2;

        if (p->ties[middle].first < end)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

const struct profile_tie *profile_tie_of(const struct profile *p, uint64_t launch)
{
    size_t n = ties_before(p, launch + 1);

    return n > 0 && launch - p->ties[n - 1].first < p->ties[n - 1].count ? &p->ties[n - 1] : NULL;
}

static uint64_t graphs_through(const struct profile_tie *t)
{
    return t->graphs_before + (t->graph ? t->count : 0);
}

/* The number of calls of the context before a tie. */
static uint64_t calls_before(const struct profile_context *c, const struct profile_tie *t)
{
    ASSERT_HOT(t->first >= c->first + t->graphs_before);
    return t->first - c->first - t->graphs_before;
}

uint64_t profile_call_order(const struct profile *p, uint64_t launch)
{
    const struct profile_context *c = &p->contexts[profile_context_of(p, launch)];
    size_t n = ties_before(p, launch + 1);
    const struct profile_tie *t = n ? &p->ties[n - 1] : NULL;

    if (!t || t->first < c->first)
        return launch - c->first;
    if (t->graph && launch - t->first < t->count)
        return calls_before(c, t);
    return launch - c->first - graphs_through(t);
}

uint64_t profile_at_call_order(const struct profile *p, size_t context, uint64_t order)
{
    const struct profile_context *c = &p->contexts[context];
    size_t begin = ties_before(p, c->first), low = begin, high = ties_before(p, c->first + c->count);
    uint64_t skipped;

    ASSERT(context < p->context_count);
    if (order >= c->count)
        return UINT64_MAX;
    while (low < high) { /* finds the number of ties of the context with at most `order` calls before them */
        size_t middle = low + (high - low) / 2;

        if (calls_before(c, &p->ties[middle]) <= order)
            low = middle + 1;
        else
            high = middle;
    }
    skipped = low > begin ? graphs_through(&p->ties[low - 1]) : 0;
    return skipped < c->count - order ? c->first + order + skipped : UINT64_MAX;
}

uint64_t profile_calls(const struct profile *p, size_t context)
{
    const struct profile_context *c = &p->contexts[context];
    size_t n = ties_before(p, c->first + c->count);

    return c->count - (n > 0 && p->ties[n - 1].first >= c->first ? graphs_through(&p->ties[n - 1]) : 0);
}

void profile_number_ties(struct profile *p)
{
    uint64_t graphs = 0;
    size_t context = 0;

    for (size_t i = 0; i < p->tie_count; i++) {
        struct profile_tie *t = &p->ties[i];

        while (t->first >= p->contexts[context].first + p->contexts[context].count) {
            context++;
            graphs = 0;
        }
        t->graphs_before = graphs;
        graphs += t->graph ? t->count : 0;
    }
}

int profile_choose_context(const struct profile *p, int64_t number, size_t *out, struct err *e)
{
    const struct profile_context *c = p->contexts;

    if (number < 0 ? p->context_count == 1 : (uint64_t)number < p->context_count) {
        *out = number < 0 ? 0 : (size_t)number;
        return 0;
    }
    if (number >= 0)
        return err_set(e, ERR_INVALID, "the profile has no context %" PRId64 ": it has %zu, counted from 0", number,
                       p->context_count);
    err_set(e, ERR_INVALID, "the profile has %zu contexts, and tracers count in each of them separately: name one",
            p->context_count);
    return err_hint(e, "context 0 is on device %d with %" PRIu64 " launches, context 1 on device %d with %" PRIu64,
                    c[0].device, c[0].count, c[1].device, c[1].count);
}
