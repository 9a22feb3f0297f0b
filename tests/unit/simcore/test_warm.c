/* Cache images: a launch finds the content that a simulation of the earlier launches would leave, without a
 * replay. */
#include "simcore/footprint/footprint.h"
#include "tests/unit/simcore/line_kernels.h"

typedef void (*make_fn)(struct hand *h);

/* The image that `second` gets after `first`: of its own lines, or (whole) of all lines. */
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
    /* a launch alone also waits for the first CTA to start on an idle GPU */
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
    for (size_t i = INSTRUMENTED; i < sizeof names / sizeof *names; i += 1 + INSTRUMENTED) {
        struct gpu_design *d = design(names[i]);

        /* the reading partition is only known from the CTA number modulo 8: some near hits become far ones */
        compare(d, reader, reader, i == 1 || i == 2 ? 0.05 : 0.02, "a reader after itself");
        compare(d, writer, reader, 0, "a reader after a writer");
        compare(d, reducer, reader, 0, "a reader after reductions");
        compare(d, updater, reader, 0.02, "a reader after an update in place");
        /* scattered over about the size of L2; with two partitions over more */
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
    compare(d, large_reader, large_reader, 0.05, "a kernel that evicts its own lines");
    design_free(d);
}

static void first_part(struct hand *h)
{
    walk(h, "LDG.E", 20);
}

static void second_part(struct hand *h)
{
    walk(h, "LDG.E", 80);
    h->number = 1003;
}

static void third_part(struct hand *h)
{
    walk(h, "LDG.E", 87);
    h->number = 2011;
}

/* Three buffers of 11 968 lines together, in turns, in an L2 of 12 288: some sets have more lines than ways.
 * The tolerance is for the order of touches inside the launch, which images only estimate. */
static void where_reused_lines_nearly_fill_l2_some_sets_are_full(void **state)
{
    static const make_fn parts[] = {first_part, second_part, third_part, first_part};
    struct gpu_design *d = hand_design("v100", "l2.kb", 1536.0, NULL);
    struct warm_image *image = NULL;
    struct list kept = {.count = 0}, alone = {.count = 0};
    struct footprints *f;
    struct err e;

    (void)state;
    CHECK_OK((f = footprints_new(&e)) ? 0 : -1, &e);
    for (size_t i = 0; i < sizeof parts / sizeof *parts; i++) {
        struct hand h;

        warm_image_free(image);
        parts[i](&h);
        CHECK_OK(footprints_launch(f, &h.base, &image, &e), &e);
        inst_source_release(&h.base);
        add(&kept, parts[i]);
    }
    footprints_free(f);
    run_list(&kept, d, SIM_CACHES_KEPT, 0);
    assert_true(kept.misses[3] > kept.hits[3] / 2);
    add(&alone, first_part);
    alone.image[0] = image;
    run_list(&alone, d, SIM_CACHES_WARM, 0);
    assert_near(alone.misses[0], kept.misses[3], 0.1, kept.hits[3] + kept.misses[3], "sectors that miss");
    assert_near(alone.cycles[0], kept.cycles[3], 0.05, kept.cycles[3], "cycles");
    warm_image_free(image);
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
    assert_int_equal(first->lines, 0); /* known: there was no earlier launch */
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

/* --- copies, contexts, readers --- */

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
    assert_int_equal(image->count, 4096 - 4096 / 9); /* no CTA reads each ninth line */
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

/* --- the bound for a launch without an image --- */

struct reopened {
    make_fn make;
    int count;
};

static int reopen(void *ctx, struct inst_source **out, struct err *e)
{
    struct reopened *r = ctx;

    (void)e;
    r->count++;
    r->make(&hands[1]);
    *out = &hands[1].base;
    return 0;
}

/* Returns how often the launch was opened again. The caller releases the result. */
static int run_bounded(struct gpu_design *d, make_fn make, struct sim_options o, const struct warm_image *image,
                       struct sim_result *out)
{
    struct reopened r = {make, 0};
    struct err e;

    o.reopen = reopen;
    o.reopen_ctx = &r;
    make(&hands[0]);
    hands[0].base.warm = image;
    CHECK_OK(simulate(d, &hands[0].base, &o, out, &e), &e);
    inst_source_release(&hands[0].base);
    return r.count;
}

static void sums(struct hand *h)
{
    hand_init(h, 80, 256);
    for (int i = 0; i < 8; i++)
        hand_add(h, "IADD3", 20, 15, 15, 15);
}

static void without_an_image_there_is_a_bound(void **state)
{
    static const struct {
        const char *design;
        make_fn make;
        bool memory;
    } cases[] = {{"v100", reader, true},  {"v100", gather, true}, {"h100", reader, true},
                 {"v100", updater, true}, {"v100", sums, false},  {"h100:detailed", sums, false}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gpu_design *d = design(cases[i].design);
        struct sim_result r, again;

        assert_int_equal(run_bounded(d, cases[i].make, (struct sim_options){.record_interval_cycles = 0}, NULL, &r),
                         1);
        run_bounded(d, cases[i].make, (struct sim_options){.record_interval_cycles = 0}, NULL, &again);
        if (cases[i].memory)
            assert_true(0 < r.cycles_warm_bound && r.cycles_warm_bound < r.cycles);
        else
            assert_int_equal(r.cycles_warm_bound, r.cycles); /* it has no reads */
        assert_int_equal(again.cycles, r.cycles);
        assert_int_equal(again.cycles_warm_bound, r.cycles_warm_bound);
        sim_result_release(&r);
        sim_result_release(&again);
        design_free(d);
    }
}

/* The bound's image is the content that the launch itself leaves, reduced to its own lines. */
static void the_bound_is_the_launch_right_behind_itself(void **state)
{
    struct gpu_design *d = design("v100");
    struct list l = {.count = 0};
    struct sim_result r;

    (void)state;
    add(&l, reader);
    add(&l, reader);
    run_list(&l, d, SIM_CACHES_KEPT, 0);
    run_bounded(d, reader, (struct sim_options){.record_interval_cycles = 0}, NULL, &r);
    assert_near(r.cycles_warm_bound, l.cycles[1], 0.03, l.cycles[1], "a reader after itself");
    sim_result_release(&r);
    design_free(d);
}

static void no_bound_where_the_caches_are_known_or_were_asked_for(void **state)
{
    struct gpu_design *d = design("v100");
    struct warm_image *image = image_after(reader, reader, false);
    const struct sim_warp warp = {0, 0};
    const struct sim_options flushed = {.caches = SIM_CACHES_FLUSHED}, explained = {.explain = &warp},
                             limited = {.limit_cycles = 900}, plain = {.limit_cycles = 0};
    struct sim_result r;

    (void)state;
    assert_int_equal(run_bounded(d, reader, plain, image, &r), 0);
    assert_int_equal(r.cycles_warm_bound, 0);
    sim_result_release(&r);
    assert_int_equal(run_bounded(d, reader, flushed, NULL, &r), 0);
    sim_result_release(&r);
    assert_int_equal(run_bounded(d, reader, explained, NULL, &r), 0);
    sim_result_release(&r);
    assert_int_equal(run_bounded(d, reader, limited, NULL, &r), 0); /* without a result there is no bound */
    assert_int_equal(r.end, SIM_CYCLE_LIMIT);
    sim_result_release(&r);
    warm_image_free(image);
    design_free(d);
}

static void the_document_has_the_bound(void **state)
{
    struct gpu_design *d = design("v100");
    struct kernel_info info = {.name = (char *)"reader", .grid = {80, 1, 1}, .block = {256, 1, 1}};
    struct sim_result r;
    struct err e;
    char *with, *without, expected[80];

    (void)state;
    run_bounded(d, reader, (struct sim_options){.record_interval_cycles = 0}, NULL, &r);
    snprintf(expected, sizeof expected, "\"cycles_warm_bound\":%llu", (unsigned long long)r.cycles_warm_bound);
    CHECK_OK((with = sim_result_json(d, &info, "", &r, 0, &e)) ? 0 : -1, &e);
    r.cycles_warm_bound = 0;
    CHECK_OK((without = sim_result_json(d, &info, "", &r, 0, &e)) ? 0 : -1, &e);
    assert_non_null(strstr(with, expected));
    assert_null(strstr(without, "cycles_warm_bound"));
    /* the digest covers the bound, so machines must agree on it */
    assert_memory_not_equal(strstr(with, "digest"), strstr(without, "digest"), 64);
    free(with);
    free(without);
    sim_result_release(&r);
    design_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_launch_finds_what_a_simulated_one_left),
        cmocka_unit_test(of_more_than_l2_holds_the_newest_is_left),
        cmocka_unit_test(where_reused_lines_nearly_fill_l2_some_sets_are_full),
        cmocka_unit_test(without_an_image_caches_are_empty),
        cmocka_unit_test(flushed_is_empty_whatever_the_image_says),
        cmocka_unit_test(copies_and_other_contexts),
        cmocka_unit_test(without_an_image_there_is_a_bound),
        cmocka_unit_test(the_bound_is_the_launch_right_behind_itself),
        cmocka_unit_test(no_bound_where_the_caches_are_known_or_were_asked_for),
        cmocka_unit_test(the_document_has_the_bound),
        cmocka_unit_test(a_followed_source_gives_what_is_inside),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
