/* Warm images: a launch finds what a simulation of those before it would have left, though none of them is
 * replayed. */
#include "simcore/footprint/footprint.h"
#include "tests/unit/simcore/line_kernels.h"

typedef void (*make_fn)(struct hand *h);

/* What `second` finds after `first`: of its own lines, or (whole) of all. */
static struct warm_image *image_after(make_fn first, make_fn second, bool whole)
{
    struct footprints *f;
    struct warm_image *image = NULL;
    struct hand h;
    struct err e;

    CHECK_OK((f = footprints_new(&e)) ? 0 : -1, &e);
    if (first) {
        first(&h);
        CHECK_OK(footprints_launch(f, &h.base, NULL, &e), &e);
        inst_source_release(&h.base);
    }
    second(&h);
    if (whole)
        CHECK_OK((image = footprints_now(f, WARM_LINES_MAX, &e)) ? 0 : -1, &e);
    else
        CHECK_OK(footprints_launch(f, &h.base, &image, &e), &e);
    inst_source_release(&h.base);
    footprints_free(f);
    return image;
}

static void compare_as(struct gpu_design *d, make_fn first, make_fn second, bool whole, double tolerance,
                       const char *what)
{
    struct list kept = {.count = 0}, warm = {.count = 0};
    struct warm_image *image = image_after(first, second, whole);

    add(&kept, first);
    add(&kept, second);
    run_list(&kept, d, SIM_CACHES_KEPT, 0);
    add(&warm, second);
    warm.image[0] = image;
    run_list(&warm, d, SIM_CACHES_WARM, 0);
    assert_near(warm.hits[0], kept.hits[1], tolerance, kept.hits[1] + kept.misses[1], what);
    assert_int_equal(warm.hits[0] + warm.misses[0], kept.hits[1] + kept.misses[1]);
    /* alone it also waits for the first CTA's start on an idle GPU */
    assert_near(warm.cycles[0], kept.cycles[1], 0.03 + tolerance, kept.cycles[1], what);
    warm_image_free(image);
}

static void compare(struct gpu_design *d, make_fn first, make_fn second, double tolerance, const char *what)
{
    compare_as(d, first, second, false, tolerance, what);
    compare_as(d, first, second, true, tolerance, what);
}

static void a_launch_finds_what_a_simulated_one_left(void **state)
{
    static const char *const names[] = {"v100", "a100", "h100", "v100:detailed"};

    (void)state;
    for (size_t i = 0; i < sizeof names / sizeof *names; i++) {
        struct gpu_design *d = design(names[i]);

        /* who asked from which partition is known by CTA modulo 8 only: some hits become far ones */
        compare(d, reader, reader, i == 1 || i == 2 ? 0.05 : 0.02, "a reader after itself");
        compare(d, writer, reader, 0, "a reader after a writer");
        compare(d, reducer, reader, 0, "a reader after reductions");
        compare(d, updater, reader, 0.02, "a reader after an update in place");
        /* scattered over about as much as the L2 holds; where it has two partitions, over more */
        compare(d, gather, gather, i == 1 || i == 2 ? 0.1 : 0.02, "gather");
        design_free(d);
    }
}

static void of_more_than_l2_holds_the_newest_is_left(void **state)
{
    struct gpu_design *d = hand_design("v100", "l2.kb", 1536.0, NULL);

    (void)state;
    compare(d, large_reader, reader, 0, "a reader of what has long been evicted");
    compare(d, large_reader, reader_of_the_end, 0.05, "a reader of what came last");
    compare(d, large_reader, large_reader, 0.05, "one that pushes its own lines out");
    design_free(d);
}

static void without_an_image_caches_are_empty(void **state)
{
    struct gpu_design *d = design("v100");
    struct warm_image *first = image_after(NULL, reader, false);
    struct list l = {.count = 0};

    (void)state;
    add(&l, reader);
    run_list(&l, d, SIM_CACHES_WARM, 0);
    assert_int_equal(l.hits[0], 0);
    assert_int_equal(first->lines, 0); /* known: nothing was before it */
    assert_int_equal(first->count, 0);
    assert_int_equal(first->own, 80 * 8 * 8);
    l.image[0] = first;
    run_list(&l, d, SIM_CACHES_WARM, 0);
    assert_int_equal(l.hits[0], 0);
    warm_image_free(first);
    design_free(d);
}

static void flushed_is_empty_whatever_the_image_says(void **state)
{
    struct gpu_design *d = design("v100");
    struct warm_image *image = image_after(reader, reader, false);
    struct list l = {.image = {image}};

    (void)state;
    add(&l, reader);
    run_list(&l, d, SIM_CACHES_FLUSHED, 0);
    assert_int_equal(l.hits[0], 0);
    run_list(&l, d, SIM_CACHES_WARM, 0);
    assert_int_equal(l.misses[0], 0);
    warm_image_free(image);
    design_free(d);
}

/* --- copies, contexts, who reads --- */

static struct warm_image *image_of_reader(struct footprints *f)
{
    struct warm_image *image;
    struct hand h;
    struct err e;

    reader(&h);
    CHECK_OK(footprints_launch(f, &h.base, &image, &e), &e);
    inst_source_release(&h.base);
    return image;
}

static void copies_and_other_contexts(void **state)
{
    const struct trace_copy copy = {.kind = TRACE_COPY_TO_DEVICE, .address = 1ull << 32, .bytes = 4096 * 128};
    struct footprints *f;
    struct warm_image *image;
    struct err e;

    (void)state;
    CHECK_OK((f = footprints_new(&e)) ? 0 : -1, &e);
    CHECK_OK(footprints_copy(f, &copy, &e), &e);
    image = image_of_reader(f);
    assert_int_equal(image->lines, 4096);
    assert_int_equal(image->count, 4096 - 4096 / 9); /* each ninth line nobody reads */
    assert_int_equal(image->line[0].line, 1 << 25);
    assert_int_equal(image->line[0].depth, 4095);
    assert_int_equal(image->line[image->count - 1].depth, 0);
    assert_int_equal(image->line[7].valid, 15);
    assert_int_equal(image->line[7].dirty, 15);
    assert_int_equal(image->line[7].readers, 0);
    warm_image_free(image);
    image = image_of_reader(f);
    assert_int_equal(image->lines, 4096 + 80 * 8 * 8 - (4096 - 4096 / 9));
    assert_int_equal(image->line[64].readers, 1 << 1);
    assert_int_equal(image->line[64].cta, 1);
    warm_image_free(image);
    footprints_context(f, 1); /* another GPU */
    image = image_of_reader(f);
    assert_int_equal(image->lines, 0);
    warm_image_free(image);
    footprints_free(f);
}

static void a_followed_source_gives_what_is_inside(void **state)
{
    struct inst_source *s;
    struct footprints *f;
    struct cta_trace *cta;
    struct hand h;
    struct err e;
    uint64_t ctas = 0;

    (void)state;
    CHECK_OK((f = footprints_new(&e)) ? 0 : -1, &e);
    reader(&h);
    CHECK_OK(footprints_source(f, &h.base, &s, &e), &e);
    assert_null(s->warm);
    while (inst_source_next_cta(s, &cta, &e) > 0) {
        assert_int_equal(cta->index, ctas++);
        inst_source_release_cta(s, cta);
    }
    assert_int_equal(ctas, 80);
    assert_non_null(s->warm);
    assert_int_equal(s->warm->own, 80 * 8 * 8);
    inst_source_release(s);
    inst_source_release(&h.base);
    footprints_free(f);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_launch_finds_what_a_simulated_one_left),
        cmocka_unit_test(of_more_than_l2_holds_the_newest_is_left),
        cmocka_unit_test(without_an_image_caches_are_empty),
        cmocka_unit_test(flushed_is_empty_whatever_the_image_says),
        cmocka_unit_test(copies_and_other_contexts),
        cmocka_unit_test(a_followed_source_gives_what_is_inside),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
