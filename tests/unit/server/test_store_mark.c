/* tests/unit/server/test_store_mark.c: a folder of stored files belongs to one machine unless it is marked as
 * shared. */
#include <stdlib.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "server/store/blob/store_mark.h"
#include "tests/harness/check.h"

static char folder[] = "/tmp/vivace-mark-XXXXXX", path[64];

static void test_mark(void **state)
{
    static const char other[] = "0123456789abcdef0123456789abcdef bravo\n";
    struct err e;

    (void)state;
    CHECK_OK(store_mark(folder, false, &e), &e);
    assert_int_equal(access(path, R_OK), 0);
    CHECK_OK(store_mark(folder, false, &e), &e);
    CHECK_OK(store_mark(folder, true, &e), &e);

    CHECK_OK(whole_file_write(path, other, sizeof other - 1, &e), &e);
    assert_int_equal(store_mark(folder, false, &e), -1);
    assert_int_equal(e.code, ERR_CONFLICT);
    assert_non_null(strstr(e.text, "another machine, bravo"));
    assert_non_null(strstr(e.hint, "--blob-store-shared"));
    CHECK_OK(store_mark(folder, true, &e), &e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(test_mark)};
    int failed;

    if (!mkdtemp(folder))
        return 1;
    snprintf(path, sizeof path, "%s/host", folder);
    failed = cmocka_run_group_tests(tests, NULL, NULL);
    unlink(path);
    rmdir(folder);
    return failed;
}
