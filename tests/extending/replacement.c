/* Tests the policy that docs/extending.md adds. A set of L1 and of L2 is filled, its oldest line is accessed again,
 * and one more line is added. Expected by hand: lru evicts the second line, fifo the first. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simcore/mem/l2.h"
#include "simcore/sm/l1.h"

static void fail(const char *what)
{
    fprintf(stderr, "replacement: %s\n", what);
    exit(1);
}

static struct gpu_design *design_with(const char *policy)
{
    const struct design_change changes[] = {{"l1.replacement", policy}, {"l2.replacement", policy}};
    struct gpu_design *base, *d;
    struct err e;
    char *text;

    if (design_load("v100", &base, &e) < 0 || design_derive(base, "mine", changes, 2, &text, &e) < 0 ||
        design_parse(text, strlen(text), "mine", &d, &e) < 0)
        fail(e.text);
    free(text);
    design_free(base);
    return d;
}

/* Line numbers are 1 to `ways`, all in set 0 of slice 0; then 1 again; then one more. */
static void check_l2(const struct gpu_design *d, uint64_t goes)
{
    struct l2_lookup found;
    struct l2 l2;
    struct err e;

    if (l2_init(&l2, d, &e) < 0)
        fail(e.text);
    l2_begin(&l2, 1);
    for (uint64_t line = 1; line <= l2.ways; line++)
        l2_find(&l2, 0, 0, line, tag_mark(line), &found);
    l2_find(&l2, 0, 0, 1, tag_mark(1), &found);
    if (!found.present)
        fail("line 1 is not there");
    l2_find(&l2, 0, 0, l2.ways + 1, tag_mark(l2.ways + 1), &found);
    for (uint64_t line = 1; line <= l2.ways + 1; line++)
        if ((l2_peek(&l2, 0, 0, line) == L2_ABSENT) != (line == goes))
            fail("another line of L2 went");
    l2_release(&l2);
}

static void check_l1(const struct gpu_design *d, uint64_t goes)
{
    void *memory = wide_zalloc(1, l1_bytes(d), NULL);
    struct l1 l1;

    if (!memory)
        exit(1);
    l1_init(&l1, d, memory);
    l1_begin(&l1, d, 0);
    for (uint64_t line = 1; line <= l1.ways; line++)
        l1_find(&l1, 0, line, tag_mark(line), true);
    l1_find(&l1, 0, 1, tag_mark(1), true);
    l1_find(&l1, 0, l1.ways + 1, tag_mark(l1.ways + 1), true);
    if (l1_find(&l1, 0, goes, tag_mark(goes), false))
        fail("the line of L1 is still there");
    if (!l1_find(&l1, 0, 3 - goes, tag_mark(3 - goes), false))
        fail("the wrong line of L1 was evicted");
    wide_free(memory, 1, l1_bytes(d));
}

int main(void)
{
    static const struct {
        const char *policy;
        uint64_t goes;
    } cases[] = {{"lru", 2}, {"fifo", 1}};

    for (size_t i = 0; i < 2; i++) {
        struct gpu_design *d = design_with(cases[i].policy);

        check_l2(d, cases[i].goes);
        check_l1(d, cases[i].goes);
        design_free(d);
    }
    return 0;
}
