/* .vtrace files that are damaged, of another kind, or incomplete. */
#include <fcntl.h>

#include "tests/unit/trace/vtrace_file.h"

static size_t slurp(uint8_t *bytes, size_t most)
{
    int fd = open(file, O_RDONLY);
    ssize_t n = read(fd, bytes, most);

    close(fd);
    assert_true(n > 0 && (size_t)n < most);
    return (size_t)n;
}

static void spill(const uint8_t *bytes, size_t n)
{
    int fd = open(file, O_WRONLY | O_CREAT | O_TRUNC, 0600);

    assert_int_equal(write(fd, bytes, n), n);
    close(fd);
}

static int read_all(struct err *e)
{
    struct vtrace *v;
    int ret;

    if (vtrace_open(file, &v, e) < 0)
        return -1;
    ret = vtrace_verify(v, NULL, NULL, e);
    vtrace_close(v);
    return ret;
}

static void every_changed_byte_is_noticed(void **state)
{
    uint8_t bytes[16384];
    struct made_source m;
    struct err e;
    size_t n;

    (void)state;
    make_source(&m, 2, 2, 1, 64, fill_by_chance);
    m.ctas = 2;
    write_source(&m.source, NULL);
    inst_source_release(&m.source);
    n = slurp(bytes, sizeof bytes);
    CHECK_OK(read_all(&e), &e);
    for (size_t i = 0; i < n; i++) {
        bytes[i] ^= (uint8_t)(1u << i % 8);
        spill(bytes, n);
        if (read_all(&e) == 0)
            fail_msg("byte %zu changed without an error", i);
        assert_true(e.code == ERR_INVALID);
        bytes[i] ^= (uint8_t)(1u << i % 8);
    }
    for (size_t i = 0; i < n; i++) {
        spill(bytes, i);
        CHECK_FAILS(read_all(&e), &e, ERR_INVALID, "");
    }
    spill(bytes, n);
    CHECK_OK(read_all(&e), &e);
}

static void other_files_are_refused(void **state)
{
    /* version 2, with a checksum made by sha256sum */
    static const uint8_t later[80] = {'S', 'C', 'T',  'R',  2,    0,    0,    0,    0,    0,
                                      0,   0,   0x8c, 0x7c, 0x46, 0x97, 0x80, 0x1b, 0x01, 0x8d};
    struct vtrace *v;
    struct err e;

    (void)state;
    spill(later, sizeof later);
    CHECK_FAILS(vtrace_open(file, &v, &e), &e, ERR_UNSUPPORTED, "version 2");
    spill(
        (const uint8_t *)"-kernel name = this is a trace, but of another kind altogether, and long enough for one",
        86);
    CHECK_FAILS(vtrace_open(file, &v, &e), &e, ERR_INVALID, "not a .vtrace file");
    unlink(file);
    CHECK_FAILS(vtrace_open(file, &v, &e), &e, ERR_NOT_FOUND, file);
    CHECK_FAILS(vtrace_open("/tmp", &v, &e), &e, ERR_INVALID, "is not a file");
}

static void nothing_is_left_of_a_file_that_is_not_finished(void **state)
{
    struct vtrace_writer *w;
    struct made_source m;
    char part[128];
    struct err e;

    (void)state;
    CHECK_OK(vtrace_writer_new(file, NULL, &w, &e), &e);
    snprintf(part, sizeof part, "%s.part-%ld", file, (long)getpid());
    assert_int_equal(access(part, F_OK), 0);
    CHECK_FAILS(vtrace_writer_finish(w, &e), &e, ERR_INVALID, "contain no launch");
    make_source(&m, 2, 1, 1, 64, fill_affine);
    m.source.info.block[0] = 2048;
    CHECK_FAILS(vtrace_writer_add(w, &m.source, &e), &e, ERR_INVALID, "no GPU has a block");
    vtrace_writer_release(w);
    assert_int_not_equal(access(part, F_OK), 0);
    assert_int_not_equal(access(file, F_OK), 0);
    CHECK_FAILS(vtrace_writer_new("/nowhere/x.vtrace", NULL, &w, &e), &e, ERR_NOT_FOUND, "/nowhere/x.vtrace");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_changed_byte_is_noticed),
        cmocka_unit_test(other_files_are_refused),
        cmocka_unit_test(nothing_is_left_of_a_file_that_is_not_finished),
    };

    return cmocka_run_group_tests(tests, choose_file, remove_file);
}
