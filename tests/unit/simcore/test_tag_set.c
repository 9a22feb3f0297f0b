/* Sets of a cache compared with a list that is reordered by simple code. */
#include "simcore/mem/replacement/replacement.h"

#include <stdlib.h>

#include "base/rng.h"
#include "tests/harness/check.h"

struct line {
    uint64_t number;
    uint32_t other;
};

enum { MOST = 300, LOOKUPS = 20000 };

/* The ways of one set, most recently used first. */
struct list {
    uint64_t line[MOST];
    uint32_t count;
};

/* Moves the line to the front. False: it was absent, and *gone is the evicted line (0: none). */
static bool list_use(struct list *l, uint32_t ways, uint64_t line, uint64_t *gone)
{
    uint32_t i = 0;
    bool hit;

    *gone = 0;
    while (i < l->count && l->line[i] != line)
        i++;
    hit = i < l->count;
    if (!hit && l->count < ways)
        l->count++;
    else if (!hit)
        *gone = l->line[--i];
    memmove(l->line + 1, l->line, i * sizeof *l->line);
    l->line[0] = line;
    return hit;
}

static void make_sets(struct tag_sets *t, uint32_t sets, uint32_t ways)
{
    size_t bytes = tag_sets_bytes(sets, ways);
    void *memory = aligned_alloc(64, bytes);

    assert_non_null(memory);
    memset(memory, 0, bytes);
    tag_sets_init(t, sets, ways, REPLACE_LRU, memory);
}

static void check_against_list(uint32_t ways, uint64_t lines)
{
    static struct line held[MOST];
    struct list list = {.count = 0};
    struct tag_sets t;
    struct rng rng;

    rng_init(&rng, ways, lines, RNG_TEST);
    make_sets(&t, 2, ways);
    for (uint32_t i = 0; i < LOOKUPS; i++) {
        uint64_t line = rng_below(&rng, lines) * 4099 + 1, gone;
        struct tag_set *s = tag_set_at(&t, 1);
        bool full = false;
        uint32_t w;

        if (i == LOOKUPS / 2) { /* another kernel: all lines are dropped */
            t.epoch++;
            list.count = 0;
        }
        tag_begin(&t, s);
        assert_true(tag_guess(&t, s, tag_mark(line)) < ways);
        w = tag_find(&t, s, held, sizeof *held, line, tag_mark(line));
        assert_int_equal(w < ways, list_use(&list, ways, line, &gone));
        if (w < ways) {
            tag_use(&t, s, w);
        } else {
            w = replacement_take(&t, s, tag_mark(line), &full);
            assert_int_equal(full, gone != 0);
            if (full)
                assert_int_equal(held[w].number, gone);
            held[w].number = line;
        }
    }
    free(t.set);
}

static void the_line_not_used_for_longest_goes(void **state)
{
    (void)state;
    check_against_list(1, 3);
    check_against_list(2, 5);
    check_against_list(15, 20);
    check_against_list(16, 100);
    check_against_list(23, 40);
    check_against_list(32, 50);
    check_against_list(33, 50);
    check_against_list(64, 100);
    check_against_list(255, 300);
    check_against_list(256, 300);
    check_against_list(MOST, 400);
}

/* The code compiled for the usual shape is used only for sets with that shape. */
static void the_usual_shape_is_that_of_its_sets(void **state)
{
    (void)state;
    for (uint32_t ways = 1; ways <= MOST; ways++) {
        struct tag_sets t, copy;

        tag_sets_init(&t, 1, ways, REPLACE_LRU, NULL);
        copy = t;
        tag_take_usual(&copy);
        assert_int_equal(tag_is_usual(&t), ways <= TAG_USUAL);
        assert_int_equal(copy.marks == t.marks && copy.set_bytes == t.set_bytes && copy.wide == t.wide,
                         ways <= TAG_USUAL);
    }
}

/* A set is saved and loaded with one changed byte: an error, or a valid order of all ways. */
static void damaged_sets_are_refused(void **state)
{
    struct strbuf bytes = STRBUF_INIT;
    struct state_io out = {.out = &bytes};
    uint32_t refused = 0;
    struct tag_sets t;
    bool full;

    (void)state;
    make_sets(&t, 1, 9);
    tag_begin(&t, tag_set_at(&t, 0));
    for (uint64_t line = 0; line < 12; line++)
        replacement_take(&t, tag_set_at(&t, 0), tag_mark(line), &full);
    tag_use(&t, tag_set_at(&t, 0), 6);
    assert_int_equal(tag_set_state(&t, 0, &out), 9);
    for (size_t i = 0; i <= bytes.length; i++) {
        struct state_io in = {.at = (unsigned char *)bytes.text, .end = (unsigned char *)bytes.text + bytes.length};
        uint32_t filled;

        if (i < bytes.length)
            bytes.text[i] ^= 5;
        filled = tag_set_state(&t, 0, &in);
        assert_true(i < bytes.length || (!in.failed && filled == 9));
        refused += in.failed;
        tag_begin(&t, tag_set_at(&t, 0));
        for (uint32_t k = 0; k < 3 * filled; k++)
            assert_true(replacement_take(&t, tag_set_at(&t, 0), tag_mark(100 + k), &full) < 9);
        if (i < bytes.length)
            bytes.text[i] ^= 5;
        t.epoch++;
    }
    assert_true(refused > 10); /* flag, filled, 9 of the order; the marks may have any value */
    strbuf_release(&bytes);
    free(t.set);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_line_not_used_for_longest_goes),
        cmocka_unit_test(the_usual_shape_is_that_of_its_sets),
        cmocka_unit_test(damaged_sets_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
