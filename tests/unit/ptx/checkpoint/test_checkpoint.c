/* Checkpoints at random points of several programs: a resumed run ends in the same state as an uninterrupted one.
 * Damaged checkpoints, and those of other programs, are refused with a message. */
#include <sys/stat.h>

#include "base/hash.h"
#include "base/rng.h"
#include "base/whole_file.h"
#include "ptx/list/list_checkpoint.h"
#include "base/version.h"
#include "tests/unit/ptx/checkpoint/checkpoint_program.h"

/* --- runs --- */

struct journey {
    struct ptx_point stop;
    bool stops;
    const char *parent;
    struct ptx_checkpoint *from;
    char memory[SHA256_HEX]; /* after the last launch */
    struct launch_list_done done;
    struct strbuf print;
    uint64_t seen; /* hash of the instructions that the observer received after the point */
    bool listens;
};

static void on_print(void *ctx, const char *text, size_t n)
{
    strbuf_add(ctx, text, n);
}

static void hash_memory(struct journey *j, const struct device_memory *m)
{
    struct err e;
    struct sha256 *h = sha256_new(&e);
    uint8_t out[SHA256_BYTES];
    size_t n;
    const struct device_allocation *const *all = device_allocations(m, &n);

    for (size_t i = 0; i < n; i++) {
        sha256_update(h, &all[i]->address, 8);
        sha256_update(h, device_bytes(m, all[i]->address, all[i]->bytes), all[i]->bytes);
    }
    sha256_final(h, out);
    sha256_free(h);
    hex_encode(out, sizeof out, j->memory);
}

/* A sum over the warps, so that the order of their reports does not matter. */
static void executed(void *ctx, uint32_t warp, const struct ptx_code *code, uint32_t op, uint32_t mask)
{
    struct journey *j = ctx;
    const uint64_t all[] = {warp, op, mask};
    (void)code;

    if (j->listens)
        j->seen += hash_fnv1a(all, sizeof all);
}

static int on_launch(void *ctx, const struct launch_list_view *v, const struct ptx_exec_options *o,
                     struct ptx_exec_stats *s, struct err *e)
{
    struct journey *j = ctx;
    const struct ptx_observer watch = {.ctx = j, .executed = executed};
    struct ptx_exec_options own = *o;
    int ret;

    own.observer = &watch;
    if (j->from && v->number < ptx_checkpoint_point(j->from)->launch)
        return LIST_LEFT_OUT;
    if (j->stops && v->number == j->stop.launch)
        return list_checkpoint_save(file, j->parent, &j->stop, v, &own, e) != 0 ? -1 : LIST_STOP;
    j->listens = true;
    if (j->from && v->number == ptx_checkpoint_point(j->from)->launch)
        ret = list_checkpoint_finish(j->from, v, &own, s, e);
    else
        ret = ptx_launch_run(v->program, v->launch, &own, s, e);
    hash_memory(j, v->memory);
    return ret != 0 ? -1 : LIST_RAN;
}

static int travel(struct journey *j, const char *path, struct err *e)
{
    struct launch_list_options o = {.launch = on_launch, .ctx = j, .no_check = true};
    struct launch_list *l;
    int ret;

    j->print = (struct strbuf)STRBUF_INIT;
    o.exec.print = on_print;
    o.exec.print_ctx = &j->print;
    CHECK_OK(launch_list_read(path, &l, e), e);
    ret = launch_list_run(l, &o, &j->done, e);
    launch_list_free(l);
    return ret;
}

static void check_same(struct journey *a, struct journey *b)
{
    assert_string_equal(a->memory, b->memory);
    assert_int_equal(a->done.warp_instructions, b->done.warp_instructions);
    assert_int_equal(a->done.lane_instructions, b->done.lane_instructions);
    assert_int_equal(a->done.launches, b->done.launches);
    assert_string_equal(a->print.text, b->print.text);
}

/* Saves at the point and resumes from it. */
static void there_and_back(const char *path, const struct ptx_point *at, struct journey *whole)
{
    struct journey to = {.stop = *at, .stops = true}, from = {0};
    struct err e;

    CHECK_OK(travel(&to, path, &e), &e);
    assert_true(to.done.stopped);
    CHECK_OK(ptx_checkpoint_open(file, &from.from, &e), &e);
    assert_int_equal(ptx_checkpoint_point(from.from)->instructions, at->instructions);
    CHECK_OK(travel(&from, path, &e), &e);
    check_same(whole, &from);
    ptx_checkpoint_close(from.from);
    strbuf_release(&to.print);
    strbuf_release(&from.print);
}

static void random_points(const char *path, uint64_t launches, uint64_t ctas, uint64_t most, int points)
{
    struct journey whole = {0};
    struct rng rng;
    struct err e;

    rng_init(&rng, 5, most, RNG_TEST);
    CHECK_OK(travel(&whole, path, &e), &e);
    for (int i = 0; i < points; i++) {
        struct ptx_point at = {.launch = rng_below(&rng, launches), .cta = rng_below(&rng, ctas + 1)};

        at.ctas = rng_below(&rng, ctas - at.cta + 1);
        at.instructions = rng_below(&rng, most);
        there_and_back(path, &at, &whole);
    }
    strbuf_release(&whole.print);
}

static void a_resumed_run_ends_as_one_that_was_not_interrupted(void **state)
{
    (void)state;
    random_points(list_path, 6, 3, 2500, 40);
    random_points("examples/reduction/launches.json", 3, 7, 3000, 20);
    random_points("examples/bfs/launches.json", 22, 1, 3000, 15);
    random_points("examples/vector-add/launches.json", 1, 3, 100, 15);
}

/* The instructions before and after the point together are those of a run without a checkpoint. */
static void nothing_is_executed_twice(void **state)
{
    struct journey whole = {.listens = true}, to = {.stops = true, .listens = true}, from = {.listens = true};
    struct err e;
    (void)state;

    to.stop = (struct ptx_point){3, 1, 2, 777};
    CHECK_OK(travel(&whole, list_path, &e), &e);
    CHECK_OK(travel(&to, list_path, &e), &e);
    CHECK_OK(ptx_checkpoint_open(file, &from.from, &e), &e);
    CHECK_OK(travel(&from, list_path, &e), &e);
    assert_true(to.seen != 0 && from.seen != 0);
    assert_int_equal(to.seen + from.seen, whole.seen);
    ptx_checkpoint_close(from.from);
    strbuf_release(&whole.print);
    strbuf_release(&to.print);
    strbuf_release(&from.print);
}

/* --- files --- */

static void save_one(void)
{
    struct journey to = {.stop = {1, 1, 1, 500}, .stops = true};
    struct err e;

    CHECK_OK(travel(&to, list_path, &e), &e);
    strbuf_release(&to.print);
}

static void check_refused(const char *bytes, size_t n)
{
    struct ptx_checkpoint *c = NULL;
    struct err e;

    CHECK_OK(whole_file_write(second, bytes, n, &e), &e);
    if (ptx_checkpoint_open(second, &c, &e) == 0)
        fail_msg("a damaged checkpoint of %zu bytes was taken", n);
    assert_true(e.code == ERR_MALFORMED || e.code == ERR_UNSUPPORTED);
}

static void damaged_files_are_refused(void **state)
{
    char *bytes;
    struct err e;
    size_t n;
    (void)state;

    save_one();
    CHECK_OK(whole_file_read(file, 1 << 30, &bytes, &n, &e), &e);
    for (size_t i = 0; i < 60; i++)
        check_refused(bytes, n * i / 60);
    check_refused(bytes, n - 1);
    for (size_t i = 0; i < 200; i++) {
        size_t at = i < 100 ? i : n * (i - 100) / 100;

        bytes[at] ^= 0x20;
        check_refused(bytes, n);
        bytes[at] ^= 0x20;
    }
    free(bytes);
}

static void another_program_is_refused(void **state)
{
    struct journey from = {0};
    struct err e;
    (void)state;

    save_one();
    CHECK_OK(ptx_checkpoint_open(file, &from.from, &e), &e);
    CHECK_FAILS(travel(&from, "examples/reduction/launches.json", &e), &e, ERR_UNSUPPORTED,
                "another set of modules");
    ptx_checkpoint_close(from.from);
    strbuf_release(&from.print);
}

static void a_point_that_is_not_there_is_refused(void **state)
{
    struct journey to = {.stop = {1, 2, 2, 5}, .stops = true};
    struct ptx_point p;
    struct err e;
    (void)state;

    CHECK_FAILS(travel(&to, list_path, &e), &e, ERR_INVALID, "has 3 CTAs");
    strbuf_release(&to.print);
    CHECK_OK(ptx_point_parse("3:16:2:500", &p, &e), &e);
    assert_int_equal(p.instructions, 500);
    CHECK_OK(ptx_point_parse("3", &p, &e), &e);
    assert_int_equal(p.launch, 3);
    CHECK_FAILS(ptx_point_parse("3:x", &p, &e), &e, ERR_USAGE, "is not a checkpoint position");
    CHECK_FAILS(ptx_point_parse("1:2:3:4:5", &p, &e), &e, ERR_USAGE, "is not a checkpoint position");
}

/* With another warp order the run would continue from a state that this order never reaches. */
static void another_simulator_is_refused(void **state)
{
    struct journey from = {0};
    struct err e;
    (void)state;

    save_one();
    change_section("WHOM", "\n" SIMCORE_VERSION "\n", "\n9.9.9\n");
    CHECK_OK(ptx_checkpoint_open(second, &from.from, &e), &e);
    CHECK_FAILS(travel(&from, list_path, &e), &e, ERR_UNSUPPORTED,
                "another version of the simulator (its header names 9.9.9");
    ptx_checkpoint_close(from.from);
    strbuf_release(&from.print);
}

static void a_checkpoint_on_top_of_another_is_small(void **state)
{
    struct journey to = {.stop = {2, 0, 0, 0}, .stops = true}, whole = {0}, from = {0};
    struct stat first, later;
    struct err e;
    (void)state;

    CHECK_OK(travel(&whole, list_path, &e), &e);
    CHECK_OK(travel(&to, list_path, &e), &e);
    assert_int_equal(rename(file, second), 0);
    strbuf_release(&to.print);
    to.parent = second;
    CHECK_OK(travel(&to, list_path, &e), &e);
    assert_int_equal(stat(second, &first), 0);
    assert_int_equal(stat(file, &later), 0);
    assert_true(later.st_size * 5 < first.st_size);
    CHECK_OK(ptx_checkpoint_open(file, &from.from, &e), &e);
    CHECK_OK(travel(&from, list_path, &e), &e);
    check_same(&whole, &from);
    ptx_checkpoint_close(from.from);
    assert_int_equal(unlink(second), 0);
    CHECK_FAILS(ptx_checkpoint_open(file, &from.from, &e), &e, ERR_NOT_FOUND, "b.ckpt");
    strbuf_release(&to.print);
    strbuf_release(&from.print);
    strbuf_release(&whole.print);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_resumed_run_ends_as_one_that_was_not_interrupted),
        cmocka_unit_test(nothing_is_executed_twice),
        cmocka_unit_test(damaged_files_are_refused),
        cmocka_unit_test(another_program_is_refused),
        cmocka_unit_test(another_simulator_is_refused),
        cmocka_unit_test(a_point_that_is_not_there_is_refused),
        cmocka_unit_test(a_checkpoint_on_top_of_another_is_small),
    };
    return cmocka_run_group_tests_name("ptx checkpoints", tests, make_folder, remove_folder);
}
