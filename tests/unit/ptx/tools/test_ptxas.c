/* Reads register counts from the output of compilers. */
#include "ptx/tools/ptxas.h"

#include <stdio.h>
#include <unistd.h>

#include "tests/harness/check.h"

static int read_text(const char *text, struct ptxas_report *r, struct err *e)
{
    char path[] = "/tmp/vivace-ptxas-XXXXXX";
    int fd = mkstemp(path), ret;

    assert_true(fd >= 0);
    assert_int_equal(write(fd, text, strlen(text)), (ssize_t)strlen(text));
    close(fd);
    ret = ptxas_report_read(path, r, e);
    unlink(path);
    return ret;
}

static void kernels_have_their_numbers(void **state)
{
    struct ptxas_report r;
    struct err e;

    (void)state;
    /* output of ptxas 11 and 13 */
    CHECK_OK(read_text("ptxas info    : 0 bytes gmem\n"
                       "ptxas info    : Compiling entry function '_Z3sumPKfPfi' for 'sm_75'\n"
                       "ptxas info    : Function properties for _Z3sumPKfPfi\n"
                       "    0 bytes stack frame, 0 bytes spill stores, 0 bytes spill loads\n"
                       "ptxas info    : Used 14 registers, 1024 bytes smem, 372 bytes cmem[0]\n"
                       "ptxas info    : Function properties for helper\n"
                       "ptxas info    : Compiling entry function 'k' for 'sm_80'\n"
                       "ptxas info    : Used 255 registers, used 1 barriers\n"
                       "ptxas info    : Compile time = 3.1 ms\n",
                       &r, &e),
             &e);
    assert_int_equal(r.count, 2);
    assert_int_equal(ptxas_registers(&r, "_Z3sumPKfPfi"), 14);
    assert_int_equal(ptxas_registers(&r, "k"), 255);
    assert_int_equal(ptxas_registers(&r, "other"), 0);
    ptxas_report_release(&r);
}

static void the_last_report_of_a_kernel_counts(void **state)
{
    struct ptxas_report r;
    struct err e;

    (void)state;
    CHECK_OK(read_text("Compiling entry function 'k' for 'sm_80'\nUsed 40 registers\n"
                       "Compiling entry function 'k' for 'sm_80'\nUsed 32 registers\n",
                       &r, &e),
             &e);
    assert_int_equal(ptxas_registers(&r, "k"), 32);
    ptxas_report_release(&r);
}

static void other_files_are_refused(void **state)
{
    static const char *const texts[] = {"", "Used 40 registers\n", "Compiling entry function 'k' for 'sm_80'\n",
                                        "Compiling entry function 'k\nUsed 0 registers, Used 12 registers\n"};
    struct ptxas_report r;
    struct err e;

    (void)state;
    for (size_t k = 0; k < sizeof texts / sizeof *texts; k++) {
        assert_int_equal(read_text(texts[k], &r, &e), -1);
        assert_int_equal(e.code, ERR_INVALID);
    }
    assert_int_equal(ptxas_report_read("/none", &r, &e), -1);
    assert_int_equal(e.code, ERR_NOT_FOUND);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(kernels_have_their_numbers),
        cmocka_unit_test(the_last_report_of_a_kernel_counts),
        cmocka_unit_test(other_files_are_refused),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
