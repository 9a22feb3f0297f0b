/* Cache images of the launches in a bundle: only launches whose predecessors are known get one. */
#include "simcore/footprint/bundle_images.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "simcore/trace/vtrace.h"
#include "tests/unit/simcore/hand_kernels.h"

static char path[80];

static int choose_path(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "/tmp/test-bundle-images-%ld.vtrace", (long)getpid());
    return 0;
}

static int remove_path(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

/* Each CTA reads one line, starting with line `number`. */
static void address(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    (void)warp, (void)step;
    out->base = (1ull << 32) + (h->number + cta) * 128;
    out->stride = 4;
}

struct reader {
    uint64_t id, context, from; /* reads four lines, starting with `from` */
};

static void write_launches(const struct reader *launches, size_t n)
{
    struct vtrace_writer *w;
    struct err e;

    CHECK_OK(vtrace_writer_new(path, NULL, &w, &e), &e);
    for (size_t i = 0; i < n; i++) {
        struct hand h;

        hand_init(&h, 4, 32);
        h.address = address;
        h.number = launches[i].from;
        h.base.info.id = launches[i].id;
        hand_add_memory(&h, "LDG.E", 4, 8, 2, -1);
        vtrace_writer_context(w, launches[i].context);
        CHECK_OK(vtrace_writer_add(w, &h.base, &e), &e);
        inst_source_release(&h.base);
    }
    CHECK_OK(vtrace_writer_finish(w, &e), &e);
    vtrace_writer_release(w);
}

/* Checks how many of its lines each launch finds in the caches; -1: unknown. */
static void check_images(const struct reader *launches, const int *found, size_t n, size_t read)
{
    static const bool all[] = {true, true, true, true, true, true};
    struct bundle_images x;
    struct bundle b;
    struct err e;

    write_launches(launches, n);
    CHECK_OK(bundle_open(path, NULL, NULL, &b, &e), &e);
    CHECK_OK(bundle_images_make(&b, all, NULL, NULL, &x, &e), &e);
    assert_int_equal(x.count, n);
    assert_int_equal(x.read, read);
    for (size_t i = 0; i < n; i++)
        assert_int_equal(x.image[i] ? (int)x.image[i]->count : -1, found[i]);
    bundle_images_release(&x);
    bundle_close(&b);
}

static void all_launches_are_there(void **state)
{
    static const struct reader l[] = {{1, 0, 0}, {2, 0, 2}, {3, 0, 4}, {4, 0, 100}, {5, 0, 1}};
    static const int found[] = {0, 2, 2, 0, 4};

    (void)state;
    check_images(l, found, 5, 5);
}

static void behind_a_missing_launch_nothing_is_known(void **state)
{
    static const struct reader l[] = {{1, 0, 0}, {2, 0, 2}, {5, 0, 4}, {6, 0, 0}};
    static const struct reader late[] = {{3, 0, 0}, {4, 0, 0}};
    static const int found[] = {0, 2, -1, -1}, none[] = {-1, -1};

    (void)state;
    check_images(l, found, 4, 2);
    check_images(late, none, 2, 0);
}

/* With continuous launch numbers across contexts, and with numbers per context. */
static void contexts_know_nothing_of_one_another(void **state)
{
    static const struct reader on[] = {{1, 0, 0}, {2, 0, 0}, {3, 1, 0}, {4, 1, 2}};
    static const struct reader anew[] = {{1, 0, 0}, {2, 0, 0}, {1, 1, 0}, {2, 1, 2}};
    static const int found[] = {0, 4, 0, 2};

    (void)state;
    check_images(on, found, 4, 4);
    check_images(anew, found, 4, 4);
}

static void nothing_is_read_behind_the_last_wanted_one(void **state)
{
    static const struct reader l[] = {{1, 0, 0}, {2, 0, 2}, {3, 0, 4}};
    static const bool second[] = {false, true, false};
    struct bundle_images x;
    struct bundle b;
    struct err e;

    (void)state;
    write_launches(l, 3);
    CHECK_OK(bundle_open(path, NULL, NULL, &b, &e), &e);
    CHECK_OK(bundle_images_make(&b, second, NULL, NULL, &x, &e), &e);
    assert_int_equal(x.read, 2);
    assert_null(x.image[0]);
    assert_int_equal(x.image[1]->count, 2);
    assert_null(x.image[2]);
    bundle_images_release(&x);
    bundle_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(all_launches_are_there),
        cmocka_unit_test(behind_a_missing_launch_nothing_is_known),
        cmocka_unit_test(contexts_know_nothing_of_one_another),
        cmocka_unit_test(nothing_is_read_behind_the_last_wanted_one),
    };

    return cmocka_run_group_tests(tests, choose_path, remove_path);
}
