/* Cache images of launches, written to a .vtrace file and read back. */
#include <string.h>

#include "simcore/trace/vtrace_tables.h"
#include "tests/unit/trace/vtrace_file.h"

enum { LINES = 3000, RUNS = 200 };

/* Random runs; odd seeds: none. */
static void chance_runs(struct warm_image *x, struct rng *r, uint64_t seed)
{
    x->run_count = seed % 2 ? 0 : RUNS;
    for (size_t i = 0; i < x->run_count; i++) {
        x->run[i].line = rng_below(r, 1ull << (1 + rng_below(r, 56)));
        x->run[i].count = 1 + (uint32_t)rng_below(r, WARM_LINES_MAX / RUNS);
    }
}

/* A random image that satisfies the invariants. */
static struct warm_image *chance_image(uint64_t seed)
{
    struct warm_image *x;
    struct rng r;
    struct err e;

    rng_init(&r, 7, seed, RNG_TEST);
    CHECK_OK((x = warm_image_new(LINES, RUNS, &e)) ? 0 : -1, &e);
    x->lines = WARM_LINES_MAX;
    x->own = LINES + rng_below(&r, 1000);
    x->count = LINES;
    for (uint64_t i = 0, line = 0; i < LINES; i++) {
        struct warm_line *l = &x->line[i];

        line += 1 + (rng_below(&r, 3) ? 0 : rng_below(&r, 1ull << 40));
        l->line = line;
        l->depth = (uint32_t)rng_below(&r, WARM_LINES_MAX);
        l->cta = rng_below(&r, 2) ? (uint32_t)rng_u64(&r) : (uint32_t)i;
        l->valid = (uint8_t)(1 + rng_below(&r, 15));
        l->dirty = (uint8_t)rng_below(&r, 16) & l->valid;
        l->partial = (uint8_t)rng_below(&r, 16) & l->valid;
        l->readers = (uint8_t)rng_below(&r, 256);
    }
    chance_runs(x, &r, seed);
    return x;
}

static void assert_same(const struct warm_image *a, const struct warm_image *b)
{
    assert_int_equal(a->lines, b->lines);
    assert_int_equal(a->own, b->own);
    assert_int_equal(a->count, b->count);
    for (size_t i = 0; i < a->count; i++) {
        const struct warm_line *x = &a->line[i], *y = &b->line[i];

        assert_int_equal(x->line, y->line);
        assert_int_equal(x->depth, y->depth);
        assert_int_equal(x->cta, y->cta);
        assert_int_equal(x->valid, y->valid);
        assert_int_equal(x->dirty, y->dirty);
        assert_int_equal(x->partial, y->partial);
        assert_int_equal(x->readers, y->readers);
    }
    assert_int_equal(a->run_count, b->run_count);
    for (size_t i = 0; i < a->run_count; i++) {
        assert_int_equal(a->run[i].line, b->run[i].line);
        assert_int_equal(a->run[i].count, b->run[i].count);
    }
}

/* Writes three launches: 0 and 2 have images, 1 has none. */
static void write_three(struct warm_image *const images[3])
{
    struct vtrace_writer *w;
    struct err e;

    CHECK_OK(vtrace_writer_new(file, NULL, &w, &e), &e);
    for (int i = 0; i < 3; i++) {
        struct made_source m;

        make_source(&m, 4, 1, 1, 64, fill_affine);
        m.source.warm = images[i];
        CHECK_OK(vtrace_writer_add(w, &m.source, &e), &e);
        inst_source_release(&m.source);
    }
    CHECK_OK(vtrace_writer_finish(w, &e), &e);
    vtrace_writer_release(w);
}

static void images_come_back(void **state)
{
    struct warm_image *images[3] = {chance_image(1), NULL, chance_image(2)};
    struct vtrace_stats stats;
    struct vtrace *v;
    struct err e;

    (void)state;
    write_three(images);
    CHECK_OK(vtrace_open(file, &v, &e), &e);
    CHECK_OK(vtrace_verify(v, NULL, NULL, &e), &e);
    CHECK_OK(vtrace_stats(v, &stats, &e), &e);
    assert_true(stats.image_bytes > 0);
    for (size_t i = 3; i-- > 0;) {
        struct inst_source *s;

        assert_int_equal(vtrace_launch_at(v, i)->has_image, images[i] != NULL);
        CHECK_OK(vtrace_source(v, i, &s, &e), &e);
        assert_int_equal(s->warm != NULL, images[i] != NULL);
        if (s->warm)
            assert_same(s->warm, images[i]);
        inst_source_release(s);
    }
    vtrace_close(v);
    for (int i = 0; i < 3; i++)
        warm_image_free(images[i]);
}

/* A launch that is copied from a file keeps its image. */
static void a_copy_of_a_launch_has_its_image(void **state)
{
    struct warm_image *images[3] = {NULL, NULL, chance_image(3)};
    struct inst_source *s;
    struct vtrace *v;
    char cut[80];
    struct err e;

    (void)state;
    write_three(images);
    snprintf(cut, sizeof cut, "%s-cut", file);
    CHECK_OK(vtrace_open(file, &v, &e), &e);
    CHECK_OK(vtrace_source(v, 2, &s, &e), &e);
    CHECK_OK(vtrace_write_one(cut, s, &e), &e);
    inst_source_release(s);
    vtrace_close(v);
    CHECK_OK(vtrace_source_path(cut, 0, &s, &e), &e);
    assert_same(s->warm, images[2]);
    inst_source_release(s);
    unlink(cut);
    warm_image_free(images[2]);
}

/* Consecutive lines, each accessed right after the previous one: a few bytes for all of them. */
static void regular_images_are_small(void **state)
{
    struct warm_image *images[3] = {NULL, chance_image(4), NULL};
    struct vtrace_stats stats;
    struct vtrace *v;
    struct err e;

    (void)state;
    for (uint32_t i = 0; i < LINES; i++)
        images[1]->line[i] =
            (struct warm_line){.line = 1000 + i, .depth = 2 * LINES - i, .cta = i / 8, .valid = 15, .readers = 1};
    images[1]->run_count = 1;
    images[1]->run[0] = (struct warm_run){1000, LINES};
    write_three(images);
    CHECK_OK(vtrace_open(file, &v, &e), &e);
    CHECK_OK(vtrace_stats(v, &stats, &e), &e);
    assert_true(stats.image_bytes < 200);
    vtrace_close(v);
    warm_image_free(images[1]);
}

static void without_images_nothing_changes(void **state)
{
    struct warm_image *none[3] = {NULL, NULL, NULL};
    struct vtrace_stats stats;
    struct vtrace *v;
    FILE *f;
    struct err e;

    (void)state;
    write_three(none);
    CHECK_OK(vtrace_open(file, &v, &e), &e);
    CHECK_OK(vtrace_stats(v, &stats, &e), &e);
    assert_int_equal(stats.image_bytes, 0);
    vtrace_close(v);
    f = fopen(file, "rb");
    fseek(f, 8, SEEK_SET);
    assert_int_equal(fgetc(f), 0); /* the flag is not set */
    fclose(f);
}

/* --- damage --- */

/* Changes byte `at` of an encoded image by `by` and reads it. */
static void check_damage(const struct strbuf *b, size_t at, uint8_t by)
{
    struct strbuf damaged = STRBUF_INIT;
    struct byte_cursor c;
    struct warm_image *x;
    struct err e;

    strbuf_add(&damaged, b->text, b->length);
    damaged.text[at] = (char)(damaged.text[at] ^ by);
    c = (struct byte_cursor){(uint8_t *)damaged.text, (uint8_t *)damaged.text + damaged.length, false};
    x = get_image(&c, &e);
    for (size_t i = 0; x && i < x->count; i++) { /* the image differs, but it is valid */
        assert_true(x->line[i].depth < x->lines);
        assert_true(x->line[i].valid && x->line[i].valid < 16);
        assert_int_equal((x->line[i].dirty | x->line[i].partial) & ~x->line[i].valid, 0);
        assert_true(i == 0 || x->line[i].line > x->line[i - 1].line);
    }
    for (size_t i = 0; x && i < x->run_count; i++)
        assert_true(x->run[i].count > 0 && x->run[i].count <= WARM_LINES_MAX && x->run[i].line < 1ull << 57);
    if (!x)
        assert_string_equal(e.text, "a warm image is damaged");
    warm_image_free(x);
    strbuf_release(&damaged);
}

static void damage_is_found_or_harmless(void **state)
{
    struct warm_image *image = chance_image(6);
    struct strbuf b = STRBUF_INIT;
    struct byte_cursor c;
    struct err e;

    (void)state;
    put_image(&b, image);
    for (size_t at = 0; at < b.length; at += 1 + at / 50)
        for (int bit = 0; bit < 8; bit++)
            check_damage(&b, at, (uint8_t)(1 << bit));
    for (size_t n = 0; n < b.length; n += 1 + n / 20) { /* truncated */
        c = (struct byte_cursor){(uint8_t *)b.text, (uint8_t *)b.text + n, false};
        assert_null(get_image(&c, &e));
    }
    strbuf_release(&b);
    warm_image_free(image);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(images_come_back),
        cmocka_unit_test(a_copy_of_a_launch_has_its_image),
        cmocka_unit_test(regular_images_are_small),
        cmocka_unit_test(without_images_nothing_changes),
        cmocka_unit_test(damage_is_found_or_harmless),
    };

    return cmocka_run_group_tests(tests, choose_file, remove_file);
}
