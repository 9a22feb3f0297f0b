/* The LRU stack of all lines, compared with a simple list. */
#include "simcore/footprint/lru_stack.h"

#include <string.h>

#include "tests/unit/simcore/hand_source.h"

enum { LINES = 200, STEPS = 300, TOUCHES = 40 };

/* Most recently used first. */
struct plain {
    uint64_t line[LINES];
    size_t count;
};

static void plain_touch(struct plain *p, uint64_t line)
{
    size_t i = 0;

    while (i < p->count && p->line[i] != line)
        i++;
    p->count += i == p->count;
    memmove(p->line + 1, p->line, i * sizeof *p->line);
    p->line[0] = line;
}

static size_t plain_depth(const struct plain *p, uint64_t line)
{
    size_t i = 0;

    while (i < p->count && p->line[i] != line)
        i++;
    return i;
}

static uint32_t next(uint64_t *state)
{
    *state = *state * 6364136223846793005ull + 1442695040888963407ull;
    return (uint32_t)(*state >> 33);
}

static struct lru_stack *stack_new(void)
{
    struct lru_stack *s;
    struct err e;

    CHECK_OK((s = lru_stack_new(&e)) ? 0 : -1, &e);
    return s;
}

static void touch(struct lru_stack *s, uint64_t line, enum line_access access, uint8_t sectors, uint8_t full,
                  uint32_t cta)
{
    const struct line_touch t = {line, access, sectors, full, cta};
    struct err e;

    CHECK_OK(lru_stack_touch(s, &t, &e), &e);
}

static struct warm_image *end_step(struct lru_stack *s)
{
    struct warm_image *image;
    struct err e;

    CHECK_OK(lru_stack_end_step(s, &image, &e), &e);
    return image;
}

/* --- depths --- */

static void depths_are_those_before_the_step(void **state)
{
    struct plain before = {.count = 0}, now;
    struct lru_stack *s = stack_new();
    uint64_t seed = 7;

    (void)state;
    for (int step = 0; step < STEPS; step++) {
        struct warm_image *image;
        size_t fresh = 0;

        now = before;
        for (int i = 0; i < TOUCHES; i++) {
            uint64_t line = next(&seed) % (step % 7 ? 20 : LINES);

            touch(s, line, LINE_READ, 1, 0, 0);
            plain_touch(&now, line);
        }
        image = end_step(s);
        assert_int_equal(image->lines, before.count);
        for (size_t i = 0; i < image->count; i++) {
            assert_true(i == 0 || image->line[i].line > image->line[i - 1].line);
            assert_int_equal(image->line[i].depth, plain_depth(&before, image->line[i].line));
        }
        for (size_t i = 0; i < now.count; i++)
            fresh += plain_depth(&before, now.line[i]) == before.count;
        assert_int_equal(now.count - before.count, fresh);
        assert_int_equal(image->own, image->count + fresh);
        before = now;
        warm_image_free(image);
    }
    lru_stack_free(s);
}

static void the_top_is_in_the_order_of_use(void **state)
{
    struct lru_stack *s = stack_new();
    struct warm_image *image;
    struct err e;

    (void)state;
    for (uint64_t line = 0; line < 10; line++)
        touch(s, line, LINE_READ, 1, 0, 0);
    touch(s, 3, LINE_READ, 1, 0, 0);
    warm_image_free(end_step(s));
    CHECK_OK((image = lru_stack_top(s, 4, &e)) ? 0 : -1, &e);
    assert_int_equal(image->lines, 10);
    assert_int_equal(image->count, 4);
    assert_int_equal(image->line[0].line, 3);
    assert_int_equal(image->line[0].depth, 0);
    assert_int_equal(image->line[1].line, 7);
    assert_int_equal(image->line[1].depth, 3);
    assert_int_equal(image->line[3].depth, 1);
    warm_image_free(image);
    lru_stack_free(s);
}

static void touch_range(struct lru_stack *s, uint64_t line, uint64_t end)
{
    for (; line < end; line++)
        touch(s, line, LINE_READ, 1, 0, 0);
}

/* Runs are those down to the deepest line that the step finds. */
static void runs_are_what_was_touched_since(void **state)
{
    static const struct warm_run want[] = {{1000, 500}, {10000, 3000}, {0, 1000}, {1500, 1500}};
    struct lru_stack *s = stack_new();
    struct warm_image *image;

    (void)state;
    touch_range(s, 20000, 21000);
    warm_image_free(end_step(s));
    touch_range(s, 0, 3000);
    warm_image_free(end_step(s));
    touch_range(s, 10000, 13000);
    warm_image_free(end_step(s));
    touch_range(s, 1000, 1500);
    image = end_step(s);
    assert_int_equal(image->run_count, 2); /* line 1000 is at depth 4999: in the run of 3000 lines */
    warm_image_free(image);
    touch(s, 10000, LINE_READ, 1, 0, 0);
    touch(s, 0, LINE_READ, 1, 0, 0);
    image = end_step(s);
    assert_int_equal(image->run_count, sizeof want / sizeof *want);
    for (size_t i = 0; i < image->run_count; i++) {
        assert_int_equal(image->run[i].line, want[i].line);
        assert_int_equal(image->run[i].count, want[i].count);
    }
    warm_image_free(image);
    touch(s, 10000, LINE_READ, 1, 0, 0); /* was touched just before */
    image = end_step(s);
    assert_int_equal(image->run_count, 0);
    warm_image_free(image);
    lru_stack_free(s);
}

/* --- state of a line --- */

static const struct warm_line *only(const struct warm_image *image)
{
    assert_int_equal(image->count, 1);
    return &image->line[0];
}

static struct warm_image *after_one_more_read(struct lru_stack *s)
{
    touch(s, 5, LINE_READ, 15, 0, 9);
    return end_step(s);
}

static void lines_remember_sectors_and_readers(void **state)
{
    struct lru_stack *s = stack_new();
    struct warm_image *image;

    (void)state;
    touch(s, 5, LINE_WRITE, 3, 1, 4); /* part of sector 1 */
    warm_image_free(end_step(s));
    image = after_one_more_read(s);
    assert_int_equal(only(image)->valid, 3);
    assert_int_equal(only(image)->dirty, 3);
    assert_int_equal(only(image)->partial, 2);
    assert_int_equal(only(image)->readers, 0);
    assert_int_equal(only(image)->cta, 4);
    warm_image_free(image);
    image = after_one_more_read(s); /* the first read completed the sector */
    assert_int_equal(only(image)->valid, 15);
    assert_int_equal(only(image)->partial, 0);
    assert_int_equal(only(image)->readers, 1 << 9 % 8);
    warm_image_free(image);
    touch(s, 5, LINE_READ, 1, 0, 2);
    warm_image_free(end_step(s));
    image = after_one_more_read(s);
    assert_int_equal(only(image)->readers, 1 << 9 % 8 | 1 << 2);
    warm_image_free(image);
    touch(s, 5, LINE_ATOMIC, 1, 0, 2);
    warm_image_free(end_step(s));
    image = after_one_more_read(s);
    assert_int_equal(only(image)->readers, 0);
    assert_int_equal(only(image)->dirty, 3);
    warm_image_free(image);
    lru_stack_free(s);
}

/* --- limits --- */

static void more_lines_than_any_l2_holds_are_forgotten(void **state)
{
    struct lru_stack *s = stack_new();
    struct warm_image *image;

    (void)state;
    for (uint64_t line = 0; line < 2 * WARM_LINES_MAX + 1000; line++) /* in one step */
        touch(s, line, LINE_READ, 1, 0, 0);
    image = end_step(s);
    assert_int_equal(image->own, 2 * WARM_LINES_MAX + 1000);
    assert_int_equal(image->count, 0);
    warm_image_free(image);
    touch(s, 0, LINE_READ, 1, 0, 0);
    touch(s, 2 * WARM_LINES_MAX, LINE_READ, 1, 0, 0);
    image = end_step(s);
    assert_int_equal(image->lines, WARM_LINES_MAX);
    assert_int_equal(only(image)->line, 2 * WARM_LINES_MAX);
    assert_int_equal(only(image)->depth, 999);
    warm_image_free(image);
    lru_stack_clear(s);
    touch(s, 1, LINE_READ, 1, 0, 0);
    image = end_step(s);
    assert_int_equal(image->lines, 0);
    warm_image_free(image);
    lru_stack_free(s);
}

/* All positions are used up, so all lines get new ones. */
static void many_steps_keep_the_order(void **state)
{
    struct lru_stack *s = stack_new();
    struct warm_image *image;
    const uint64_t lines = WARM_LINES_MAX / 2;

    (void)state;
    for (int round = 0; round < 10; round++) {
        for (uint64_t line = 0; line < lines; line++)
            touch(s, line, LINE_READ, 1, 0, 0);
        image = end_step(s);
        assert_int_equal(image->count, round ? lines : 0);
        if (round)
            assert_int_equal(image->line[17].depth, lines - 1 - 17);
        warm_image_free(image);
    }
    lru_stack_free(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(depths_are_those_before_the_step),
        cmocka_unit_test(the_top_is_in_the_order_of_use),
        cmocka_unit_test(runs_are_what_was_touched_since),
        cmocka_unit_test(lines_remember_sectors_and_readers),
        cmocka_unit_test(more_lines_than_any_l2_holds_are_forgotten),
        cmocka_unit_test(many_steps_keep_the_order),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
