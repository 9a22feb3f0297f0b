/* A launch of a program as text: it reads back equal, and invalid text is refused. */
#include "tests/harness/check.h"

#include "simcore/trace/program_launch.h"
#include "simcore/trace/trace_file.h"
#include "tests/harness/folder.h"

#define HASH "0123456789abcdef0123456789abcdef0123456789abcdef0123456789abcdef"
#define HEAD "vivace-program-launch 1\nprogram " HASH " 77\n"
#define REST "kernel _Z3fooPf\ngrid 4 2 1\nblock 128 1 1\ncounts 8 32 1000\n"

static int read_text(const char *text, struct program_launch *out, struct err *e)
{
    struct stream *s;
    int ret;

    put("launch", text);
    CHECK_OK(stream_open_as(in_folder("launch"), "it", &s, e), e);
    ret = program_launch_read(s, out, e);
    stream_close(s);
    return ret;
}

static void it_makes_the_round(void **state)
{
    struct program_launch l;
    struct strbuf b = STRBUF_INIT;
    struct err e;

    (void)state;
    CHECK_OK(read_text(HEAD "launch 17\n" REST, &l, &e), &e);
    assert_string_equal(l.program, HASH);
    assert_int_equal(l.program_bytes, 77);
    assert_int_equal(l.number, 17);
    assert_int_equal(l.info.id, 18);
    assert_string_equal(l.info.name, "_Z3fooPf");
    assert_int_equal(l.info.grid[1], 2);
    assert_int_equal(l.info.block[0], 128);
    assert_int_equal(l.counts.warp_instructions, 1000);
    CHECK_OK(program_launch_write(&l, &b, &e), &e);
    assert_string_equal(b.text, HEAD "launch 17\n" REST);
    strbuf_release(&b);
    program_launch_release(&l);
}

static void as_a_trace_file_it_tells_its_head_and_is_not_opened(void **state)
{
    struct trace_place p = {.shown = "it"};
    struct kernel_info info;
    struct trace_counts counts;
    struct inst_source *s;
    uint64_t bytes;
    struct err e;

    (void)state;
    put("launch", HEAD "launch 17\n" REST);
    p.path = in_folder("launch");
    CHECK_OK(trace_file_recognise(p.path, &p.format, &e), &e);
    assert_int_equal(p.format, TRACE_PROGRAM);
    CHECK_OK(trace_file_count(&p, &info, &counts, &bytes, &e), &e);
    assert_string_equal(info.name, "_Z3fooPf");
    assert_int_equal(counts.ctas, 8);
    kernel_info_release(&info);
    assert_int_equal(trace_file_open(&p, &s, &e), -1);
    assert_int_equal(e.code, ERR_UNSUPPORTED);
}

static void nonsense_is_refused_with_its_line(void **state)
{
    static const struct {
        const char *text, *says;
    } wrong[] = {
        {"vivace-program-launch 2\n", "version 2; this program reads version 1"},
        {"vivace-program-launch one\n", "line 1"},
        {HEAD, "ends before its line `launch`"},
        {HEAD "launch 17", "ends before its line `launch`"},
        {HEAD "launch -1\n" REST, "line 3"},
        {HEAD "launch 1 2\n" REST, "`launch` takes 1 numbers"},
        {HEAD "launch 9223372036854775808\n" REST, "below 2^63"},
        {"vivace-program-launch 1\nprogram " HASH " 0\n", "`program` takes a SHA-256"},
        {"vivace-program-launch 1\nprogram xyz 77\n", "`program` takes a SHA-256"},
        {HEAD "launch 17\nkernel k\ngrid 4 0 1\nblock 1 1 1\ncounts 1 1 1\n", "`grid` counts from 1"},
        {HEAD "launch 17\nkernel k\nblock 1 1 1\n", "line 5: `grid` is expected there"},
        {HEAD "launch 17\nkernel \xff\ngrid 1 1 1\n", "in UTF-8"},
        {HEAD "launch 17\n" REST "more\n", "unexpected data after `counts`"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++) {
        struct program_launch l;
        struct err e;

        assert_int_equal(read_text(wrong[i].text, &l, &e), -1);
        if (!strstr(e.text, wrong[i].says))
            fail_msg("case %zu: %s", i, e.text);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(it_makes_the_round),
        cmocka_unit_test(as_a_trace_file_it_tells_its_head_and_is_not_opened),
        cmocka_unit_test(nonsense_is_refused_with_its_line),
    };

    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
