/* Skipped launches: memory, prints, counts and allocations of kernels are the same as if the launches had run.
 * Another launch, other data and damaged files are refused with a message. */
#include "base/hash.h"
#include "ptx/memory/device_memory.h"
#include "ptx/list/launch_list.h"
#include "ptx/program/program.h"
#include "ptx/checkpoint/replay.h"
#include "base/version.h"
#include "tests/harness/check.h"
#include "tests/unit/ptx/checkpoint/checkpoint_program.h"

/* The first launch of this kernel allocates memory and stores its address. Later launches add to its content, and
 * the last one frees it. */
static const char keeper[] = PTX_HEAD
    ".extern .func (.param .b64 r) malloc (.param .b64 n);\n.extern .func free (.param .b64 p);\n"
    ".global .u64 kept;\n"
    ".visible .entry keep(.param .u64 p, .param .u32 what) {\n"
    " .reg .u64 %rd<6>; .reg .u32 %r<6>; .reg .pred %p<3>; .param .b64 n; .param .b64 a;\n"
    " ld.param.u64 %rd1, [p];\n ld.param.u32 %r1, [what];\n setp.ne.u32 %p1, %r1, 0;\n @%p1 bra add;\n"
    " mov.u64 %rd2, 5000;\n st.param.b64 [n], %rd2;\n call (a), malloc, (n);\n ld.param.b64 %rd3, [a];\n"
    " st.global.u64 [kept], %rd3;\n mov.u32 %r2, 40;\n st.global.u32 [%rd3+4096], %r2;\n ret;\n"
    "add: ld.global.u64 %rd3, [kept];\n ld.global.u32 %r3, [%rd3+4096];\n add.u32 %r3, %r3, %r1;\n"
    " st.global.u32 [%rd3+4096], %r3;\n st.global.u32 [%rd1], %r3;\n setp.ne.u32 %p2, %r1, 2;\n @%p2 ret;\n"
    " st.param.b64 [n], %rd3;\n call free, (n);\n ret;\n}\n";
static const char keeper_list[] =
    "{\"format\": \"vivace-launch-list\", \"version\": 1, \"modules\": {\"m\": \"keep.ptx\"},"
    "\"buffers\": {\"x\": {\"type\": \"u32\", \"count\": 2000}}, \"steps\": ["
    "{\"launch\": {\"kernel\": \"keep\", \"grid\": [1], \"block\": [1], \"params\": [{\"ptr\": \"x\"}, {\"u32\": "
    "0}]}},"
    "{\"launch\": {\"kernel\": \"keep\", \"grid\": [1], \"block\": [1], \"params\": [{\"ptr\": \"x\"}, {\"u32\": "
    "1}]}},"
    "{\"launch\": {\"kernel\": \"keep\", \"grid\": [1], \"block\": [1], \"params\": [{\"ptr\": \"x+4096\"}, "
    "{\"u32\": 2}]}},"
    "{\"launch\": {\"kernel\": \"keep\", \"grid\": [1], \"block\": [1], \"params\": [{\"ptr\": \"x+8\"}, {\"u32\": "
    "0}]}}]}";

struct trip {
    uint64_t saved_at;       /* after this number of launches; 0: never */
    struct ptx_replay *over; /* replay to use; NULL: every launch runs */
    struct ptx_replay_log *log;
    uint64_t ran, instructions;
    struct strbuf print, memory; /* memory: hash of each allocation at the end */
    const char *changed;         /* a buffer whose last byte is incremented before the first launch */
};

static void on_print(void *ctx, const char *text, size_t n)
{
    strbuf_add(ctx, text, n);
}

static void note_memory(struct trip *t, const struct device_memory *m)
{
    char hex[SHA256_HEX];
    struct err e;
    size_t n;
    const struct device_allocation *const *all = device_allocations(m, &n);

    strbuf_clear(&t->memory);
    for (size_t i = 0; i < n; i++) {
        CHECK_OK(sha256_bytes(device_bytes(m, all[i]->address, all[i]->bytes), all[i]->bytes, hex, &e), &e);
        strbuf_addf(&t->memory, "%llx %llu %s %s\n", (unsigned long long)all[i]->address,
                    (unsigned long long)all[i]->bytes, all[i]->label, hex);
    }
}

static int run(struct trip *t, const struct launch_list_view *v, const struct ptx_exec_options *o,
               struct ptx_exec_stats *s, struct err *e)
{
    size_t before = t->print.length;
    struct ptx_replay_step step;

    if (t->log && ptx_replay_begin(t->log, v->launch, e) != 0)
        return -1;
    if (ptx_launch_run(v->program, v->launch, o, s, e) != 0)
        return -1;
    t->ran++;
    t->instructions += s->warp_instructions;
    step = (struct ptx_replay_step){.warp_instructions = s->warp_instructions,
                                    .length_ps = 7,
                                    .registers = 24,
                                    .print = t->print.text + before,
                                    .print_bytes = t->print.length - before};
    if (!t->log)
        return 0;
    if (ptx_replay_end(t->log, &step, e) != 0)
        return -1;
    if (t->ran < t->saved_at)
        return 0;
    CHECK_OK(ptx_replay_save(t->log, file, "d", e), e);
    ptx_replay_log_free(t->log);
    t->log = NULL;
    return 0;
}

static int on_launch(void *ctx, const struct launch_list_view *v, const struct ptx_exec_options *o,
                     struct ptx_exec_stats *s, struct err *e)
{
    struct trip *t = ctx;
    struct ptx_replay_step step;
    size_t n;
    int ret;

    if (t->changed) {
        const struct device_allocation *const *all = device_allocations(v->memory, &n);

        for (size_t i = 0; i < n; i++)
            if (strcmp(all[i]->label, t->changed) == 0)
                ++*(uint8_t *)device_bytes(v->memory, all[i]->address + all[i]->bytes - 1, 1);
        t->changed = NULL;
    }
    if (t->saved_at && !t->log && !t->ran && ptx_replay_log_new(v->program, &t->log, e) != 0)
        return -1;
    if (t->over && ptx_replay_launches_left(t->over)) {
        ret = ptx_replay_next(t->over, v->program, v->launch, &step, e);
        if (ret == 0) {
            memset(s, 0, sizeof *s);
            s->warp_instructions = step.warp_instructions;
            t->instructions += step.warp_instructions;
            strbuf_add(&t->print, step.print, step.print_bytes);
            assert_int_equal(step.length_ps, 7);
            assert_int_equal(step.registers, 24);
        }
    } else {
        ret = run(t, v, o, s, e);
    }
    note_memory(t, v->memory);
    return ret != 0 ? -1 : LIST_RAN;
}

static int travel(struct trip *t, const char *path, struct err *e)
{
    struct launch_list_options o = {.launch = on_launch, .ctx = t, .no_check = true};
    struct launch_list_done done;
    struct launch_list *l;
    int ret;

    t->print = t->memory = (struct strbuf)STRBUF_INIT;
    o.exec.print = on_print;
    o.exec.print_ctx = &t->print;
    CHECK_OK(launch_list_read(path, &l, e), e);
    ret = launch_list_run(l, &o, &done, e);
    launch_list_free(l);
    return ret;
}

static void trip_release(struct trip *t)
{
    strbuf_release(&t->print);
    strbuf_release(&t->memory);
    ptx_replay_log_free(t->log);
    ptx_replay_close(t->over);
}

/* Saves after each number of launches in turn, then runs with these launches skipped. */
static void every_number(const char *path, uint64_t launches)
{
    for (uint64_t at = 1; at <= launches; at++) {
        struct trip whole = {.saved_at = at}, rest = {0};
        struct err e;

        CHECK_OK(travel(&whole, path, &e), &e);
        assert_int_equal(whole.ran, launches);
        CHECK_OK(ptx_replay_open(file, &rest.over, &e), &e);
        assert_int_equal(ptx_replay_launches(rest.over), at);
        assert_string_equal(ptx_replay_design(rest.over), "d");
        CHECK_OK(travel(&rest, path, &e), &e);
        assert_int_equal(rest.ran, launches - at);
        assert_int_equal(rest.instructions, whole.instructions);
        assert_string_equal(rest.memory.text, whole.memory.text);
        assert_string_equal(rest.print.text, whole.print.text);
        trip_release(&whole);
        trip_release(&rest);
    }
}

static void launches_are_passed_over(void **state)
{
    (void)state;
    every_number(list_path, 6);
    every_number("examples/reduction/launches.json", 3);
}

static char keep_path[100];

static void what_kernels_allocate_is_there(void **state)
{
    struct err e;
    (void)state;

    snprintf(keep_path, sizeof keep_path, "%s/keep.ptx", folder);
    CHECK_OK(whole_file_write(keep_path, keeper, strlen(keeper), &e), &e);
    snprintf(keep_path, sizeof keep_path, "%s/keep.json", folder);
    CHECK_OK(whole_file_write(keep_path, keeper_list, strlen(keeper_list), &e), &e);
    every_number(keep_path, 4);
}

/* A skipped launch that allocates restores all of memory. That includes zeros where the program has written data
 * in this run. */
static void zeros_of_a_launch_that_allocates_are_data(void **state)
{
    struct trip whole = {.saved_at = 1}, other = {.changed = "x"};
    struct err e;
    (void)state;

    CHECK_OK(travel(&whole, keep_path, &e), &e);
    CHECK_OK(ptx_replay_open(file, &other.over, &e), &e);
    CHECK_FAILS(travel(&other, keep_path, &e), &e, ERR_UNSUPPORTED,
                "the memory before this launch differs from the checkpoint");
    trip_release(&whole);
    trip_release(&other);
}

static void another_program_is_refused(void **state)
{
    struct trip whole = {.saved_at = 3}, other = {0};
    struct err e;
    (void)state;

    CHECK_OK(travel(&whole, list_path, &e), &e);
    CHECK_OK(ptx_replay_open(file, &other.over, &e), &e);
    CHECK_FAILS(travel(&other, "examples/reduction/launches.json", &e), &e, ERR_UNSUPPORTED,
                "belongs to another launch");
    trip_release(&whole);
    trip_release(&other);
}

/* The first launch overwrites all of "x", so its results would hide that its input differs. It does not access
 * "far". */
static void other_data_are_refused(void **state)
{
    static const char *const buffers[] = {"x", "far"};
    struct trip whole = {.saved_at = 3};
    struct err e;
    (void)state;

    CHECK_OK(travel(&whole, list_path, &e), &e);
    for (int i = 0; i < 2; i++) {
        struct trip other = {.changed = buffers[i]};

        CHECK_OK(ptx_replay_open(file, &other.over, &e), &e);
        CHECK_FAILS(
            travel(&other, list_path, &e), &e, ERR_UNSUPPORTED,
            "the memory before this launch differs from the checkpoint: run the program with the same input data");
        assert_int_equal(ptx_replay_launches_left(other.over), 3);
        trip_release(&other);
    }
    trip_release(&whole);
}

static void write_kernels(const char *text)
{
    char path[110];
    struct err e;

    snprintf(path, sizeof path, "%s/k.ptx", folder);
    CHECK_OK(whole_file_write(path, text, strlen(text), &e), &e);
}

/* The kernel has the same name and parameters, but another body. */
static void another_body_is_refused(void **state)
{
    struct trip whole = {.saved_at = 3}, other = {0};
    char text[sizeof kernels], *factor;
    struct err e;
    (void)state;

    CHECK_OK(travel(&whole, list_path, &e), &e);
    strcpy(text, kernels);
    factor = strstr(text, "1664525");
    assert_non_null(factor);
    memcpy(factor, "1664527", 7);
    write_kernels(text);
    CHECK_OK(ptx_replay_open(file, &other.over, &e), &e);
    CHECK_FAILS(travel(&other, list_path, &e), &e, ERR_UNSUPPORTED, "belongs to another launch");
    write_kernels(kernels);
    trip_release(&whole);
    trip_release(&other);
}

static void another_simulator_is_refused(void **state)
{
    struct trip whole = {.saved_at = 1};
    struct ptx_replay *r;
    struct err e;
    (void)state;

    CHECK_OK(travel(&whole, list_path, &e), &e);
    change_section("HEAD", "simulator " SIMCORE_VERSION "\n", "simulator 9.9.9\n");
    CHECK_FAILS(ptx_replay_open(second, &r, &e), &e, ERR_UNSUPPORTED, "simulator 9.9.9; this is");
    trip_release(&whole);
}

static void damaged_files_are_refused(void **state)
{
    struct trip whole = {.saved_at = 2};
    struct ptx_replay *r;
    char *bytes;
    struct err e;
    size_t n;
    (void)state;

    CHECK_OK(travel(&whole, list_path, &e), &e);
    CHECK_OK(whole_file_read(file, 1 << 30, &bytes, &n, &e), &e);
    for (size_t i = 0; i < 200; i++) {
        size_t at = n * i / 200;

        bytes[at] ^= 0x10;
        CHECK_OK(whole_file_write(second, bytes, n, &e), &e);
        bytes[at] ^= 0x10;
        if (ptx_replay_open(second, &r, &e) == 0)
            fail_msg("byte %zu was changed without an error", at);
        CHECK_OK(whole_file_write(second, bytes, at, &e), &e);
        if (ptx_replay_open(second, &r, &e) == 0)
            fail_msg("it is truncated at %zu without an error", at);
        assert_true(e.code == ERR_MALFORMED || e.code == ERR_UNSUPPORTED);
    }
    free(bytes);
    trip_release(&whole);
}

static int remove_all(void **state)
{
    char path[110];

    unlink(keep_path);
    snprintf(path, sizeof path, "%s/keep.ptx", folder);
    unlink(path);
    return remove_folder(state);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(launches_are_passed_over),
        cmocka_unit_test(what_kernels_allocate_is_there),
        cmocka_unit_test(zeros_of_a_launch_that_allocates_are_data),
        cmocka_unit_test(another_program_is_refused),
        cmocka_unit_test(other_data_are_refused),
        cmocka_unit_test(another_body_is_refused),
        cmocka_unit_test(another_simulator_is_refused),
        cmocka_unit_test(damaged_files_are_refused),
    };
    return cmocka_run_group_tests_name("ptx replay", tests, make_folder, remove_all);
}
