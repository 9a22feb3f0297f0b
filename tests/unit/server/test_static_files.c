/* server/platform/net/static_files.c: the dashboard's files, compressed or not. */
#include "tests/harness/check.h"

#include <sys/stat.h>
#include <unistd.h>

#include "server/platform/net/static_files.h"

static void who_takes_gzip(void **state)
{
    static const struct {
        const char *accepts;
        bool want;
    } cases[] = {
        {NULL, false},
        {"", false},
        {"gzip", true},
        {"GZIP", true},
        {"gzip, deflate, br, zstd", true},
        {"br,gzip", true},
        {"deflate, br", false},
        {"gzip;q=0", false},
        {"gzip; q=0.000", false},
        {"gzip;q=0.001", true},
        {"*", true},
        {"*;q=0", false},
        {"gzip;q=0, *", false}, /* a named coding has precedence over * */
        {"*, gzip;q=0", false},
        {"*;q=0, gzip", true},
        {"identity", false},
        {"x-gzip", false},
        {"gzipped", false},
        {", ,gzip ,", true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        if (static_files_gzip(cases[i].accepts) != cases[i].want)
            fail_msg("Accept-Encoding: %s", cases[i].accepts ? cases[i].accepts : "(none)");
}

static void put(const char *folder, const char *name, const char *text)
{
    char path[512];
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    f = fopen(path, "we");
    assert_non_null(f);
    assert_int_equal(fputs(text, f) >= 0, 1);
    assert_int_equal(fclose(f), 0);
}

static void expect(const struct static_files *f, const char *path, bool gzip, const char *want, bool packed)
{
    struct static_file out;
    char text[64] = "";

    assert_int_equal(static_files_get(f, path, gzip, &out), 1);
    assert_int_equal(read(out.fd, text, sizeof text - 1), out.bytes);
    close(out.fd);
    assert_string_equal(text, want);
    assert_int_equal(out.gzip, packed);
    assert_string_equal(out.type, "text/javascript; charset=utf-8");
}

static void packed_where_it_is_there(void **state)
{
    char folder[] = "/tmp/vivace-static-XXXXXX", path[512];
    struct static_files *f = NULL;
    struct static_file out;
    struct err e = {.code = ERR_NONE};

    (void)state;
    assert_non_null(mkdtemp(folder));
    put(folder, "both.js", "as it is");
    put(folder, "both.js.gz", "packed");
    put(folder, "plain.js", "alone");
    snprintf(path, sizeof path, "%s/folder.js.gz", folder);
    assert_int_equal(mkdir(path, 0700), 0);
    put(folder, "folder.js", "beside a folder");
    CHECK_OK(static_files_open(folder, &f, &e), &e);
    expect(f, "both.js", true, "packed", true);
    expect(f, "both.js", false, "as it is", false);
    expect(f, "plain.js", true, "alone", false);
    expect(f, "folder.js", true, "beside a folder", false);
    assert_int_equal(static_files_get(f, "none.js", true, &out), 0);
    static_files_close(f);
    assert_int_equal(rmdir(path), 0);
    for (size_t i = 0; i < 4; i++) {
        static const char *const names[] = {"both.js", "both.js.gz", "plain.js", "folder.js"};

        snprintf(path, sizeof path, "%s/%s", folder, names[i]);
        assert_int_equal(unlink(path), 0);
    }
    assert_int_equal(rmdir(folder), 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(who_takes_gzip),
        cmocka_unit_test(packed_where_it_is_there),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
