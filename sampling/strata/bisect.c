/* Recursive bisection of groups. The stopping rule is the method's (method_allegro.c, method_root.c); the cut is
 * the exact one of two_means.h. Assumptions: those of the rule. */
#include "sampling/strata/bisect.h"

#include <math.h>
#include <stdlib.h>

#include "base/array.h"
#include "base/assert.h"

struct pile {
    struct bisect_span *items;
    size_t count, capacity;
};

static int bisect_push(struct pile *p, struct bisect_span span, struct err *e)
{
    ASSERT(span.begin < span.end);
    if (array_reserve((void **)&p->items, &p->capacity, p->count + 1, sizeof *p->items, e) < 0)
        return -1;
    p->items[p->count++] = span;
    return 0;
}

static int bisect_group(const struct profile *p, size_t group, bisect_rule rule, const struct bisect_goal *goal,
                        struct pile *pile, struct strata *out, struct err *e)
{
    const struct group *whole = &out->groups.items[group];
    size_t rank = 0;

    if (bisect_push(pile, (struct bisect_span){whole->run_begin, whole->run_end, NAN}, e) < 0)
        return -1;
    while (pile->count) {
        struct bisect_span at = pile->items[--pile->count];
        double parts[2] = {NAN, NAN};
        uint64_t samples = 1;
        size_t cut = rule(&out->groups, &at, goal, &samples, parts);

        ASSERT(samples > 0 && cut < at.end);
        if (cut > at.begin) { /* pushes the right part first, so that the left one is handled next */
            if (bisect_push(pile, (struct bisect_span){cut, at.end, parts[1]}, e) < 0 ||
                bisect_push(pile, (struct bisect_span){at.begin, cut, parts[0]}, e) < 0)
                return -1;
        } else if (strata_add(out, p, group, rank++, at.begin, at.end, samples, e) < 0) {
            return -1;
        }
    }
    return 0;
}

int bisect_groups(const struct profile *p, bisect_rule rule, const struct bisect_goal *goal, struct strata *out,
                  struct err *e)
{
    struct pile pile = {0};
    int ret = 0;

    for (size_t g = 0; g < out->groups.count && ret == 0; g++)
        ret = bisect_group(p, g, rule, goal, &pile, out, e);
    free(pile.items);
    return ret;
}
