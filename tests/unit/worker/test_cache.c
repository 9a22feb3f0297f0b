/* worker/cache.h: which entries are kept, which are removed, and which are never trusted. */
#include <dirent.h>
#include <fcntl.h>
#include <limits.h>
#include <sys/stat.h>

#include "tests/harness/check.h"
#include "worker/cache.h"

static char folder[] = "/tmp/vivace-test-cache-XXXXXX";

static int set_up(void **state)
{
    (void)state;
    memcpy(folder + strlen(folder) - 6, "XXXXXX", 6);
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    char command[200];

    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

/* Stores `n` bytes of one letter under their hash. The entry is not pinned. */
static void put(struct cache *c, char letter, size_t n, char hex[SHA256_HEX])
{
    char *bytes = malloc(n);
    struct cache_writer *w;
    struct cache_entry *x;
    struct err e;

    memset(bytes, letter, n);
    CHECK_OK(sha256_bytes(bytes, n, hex, &e), &e);
    w = cache_write_begin(c, hex, n, &e);
    assert_non_null(w);
    CHECK_OK(cache_write(w, bytes, n, &e), &e);
    x = cache_write_finish(w, &e);
    if (!x)
        fail_msg("%s", e.text);
    cache_unpin(c, x);
    free(bytes);
}

static bool on_disk(const struct cache *c, const char *hex)
{
    char path[PATH_MAX];

    cache_path(c, hex, path, sizeof path);
    return access(path, F_OK) == 0;
}

static bool has(struct cache *c, const char *hex)
{
    struct cache_entry *x = cache_pin(c, hex);

    if (x)
        cache_unpin(c, x);
    return x != NULL;
}

static void the_least_recently_used_goes_first(void **state)
{
    char a[SHA256_HEX], b[SHA256_HEX], d[SHA256_HEX], f[SHA256_HEX];
    struct cache *c;
    struct err e;

    (void)state;
    CHECK_OK(cache_open(folder, "", true, 300, &c, &e), &e);
    put(c, 'a', 100, a);
    put(c, 'b', 100, b);
    put(c, 'd', 100, d);
    assert_true(has(c, a)); /* used again: b is now the oldest */
    put(c, 'f', 100, f);
    assert_true(on_disk(c, a) && !on_disk(c, b) && on_disk(c, d) && on_disk(c, f));
    assert_null(cache_pin(c, b));
    assert_int_equal(cache_bytes(c), 300);
    cache_close(c);
}

static void what_is_in_use_stays(void **state)
{
    char a[SHA256_HEX], b[SHA256_HEX];
    struct cache_entry *pinned;
    struct cache *c;
    struct err e;

    (void)state;
    CHECK_OK(cache_open(folder, "", true, 150, &c, &e), &e);
    put(c, 'a', 100, a);
    pinned = cache_pin(c, a);
    put(c, 'b', 100, b); /* over the limit, and the older entry is pinned: the newer one is removed */
    assert_true(on_disk(c, a));
    cache_unpin(c, pinned);
    cache_evict(c, 0);
    assert_false(on_disk(c, a));
    assert_int_equal(cache_count(c), 0);
    cache_close(c);
}

static void bytes_of_another_hash_are_refused(void **state)
{
    char hex[SHA256_HEX];
    struct cache_writer *w;
    struct cache *c;
    struct err e;

    (void)state;
    CHECK_OK(cache_open(folder, "", true, 1000, &c, &e), &e);
    CHECK_OK(sha256_bytes("right", 5, hex, &e), &e);
    w = cache_write_begin(c, hex, 5, &e);
    CHECK_OK(cache_write(w, "wrong", 5, &e), &e);
    assert_null(cache_write_finish(w, &e));
    assert_int_equal(e.code, ERR_INVALID);
    assert_false(on_disk(c, hex));
    assert_int_equal(cache_count(c), 0);
    /* Starts again from the beginning with the same writer. */
    w = cache_write_begin(c, hex, 5, &e);
    CHECK_OK(cache_write(w, "wrong", 5, &e), &e);
    CHECK_OK(cache_write_restart(w, &e), &e);
    CHECK_OK(cache_write(w, "right", 5, &e), &e);
    assert_int_equal(cache_written(w), 5);
    assert_non_null(cache_write_finish(w, &e));
    cache_close(c);
}

static void a_later_process_takes_up_what_is_there(void **state)
{
    char a[SHA256_HEX], b[SHA256_HEX], path[PATH_MAX], part[PATH_MAX + 8];
    struct timespec long_ago[2] = {{1000, 0}, {1000, 0}};
    struct cache_entry *x;
    struct cache *c;
    struct err e;
    int fd;

    (void)state;
    CHECK_OK(cache_open(folder, "", true, 1000, &c, &e), &e);
    put(c, 'a', 100, a);
    put(c, 'b', 100, b);
    cache_path(c, b, path, sizeof path);
    utimensat(AT_FDCWD, path, long_ago, 0); /* b was last used long before a */
    snprintf(part, sizeof part, "%s.part", path);
    fd = open(part, O_CREAT | O_WRONLY, 0600);
    close(fd);
    cache_close(c);

    CHECK_OK(cache_open(folder, "", true, 150, &c, &e), &e);
    assert_int_equal(access(part, F_OK), -1);
    assert_true(on_disk(c, a) && !on_disk(c, b)); /* down to the limit: the least recently used entry is gone */
    x = cache_pin(c, a);
    assert_false(x->trusted); /* another process wrote the file */
    assert_int_equal(cache_check(c, x, &e), 1);
    cache_path(c, a, path, sizeof path);
    fd = open(path, O_WRONLY);
    assert_int_equal(write(fd, "damage", 6), 6);
    close(fd);
    assert_int_equal(cache_check(c, x, &e), 0);
    cache_drop(c, x);
    assert_false(on_disk(c, a));
    cache_close(c);
}

static void a_file_that_vanished_is_not_there(void **state)
{
    char a[SHA256_HEX], path[PATH_MAX];
    struct cache *c;
    struct err e;

    (void)state;
    CHECK_OK(cache_open(folder, ".json", false, 1000, &c, &e), &e);
    put(c, 'a', 10, a);
    cache_path(c, a, path, sizeof path);
    assert_non_null(strstr(path, ".json"));
    unlink(path);
    assert_null(cache_pin(c, a));
    assert_int_equal(cache_bytes(c), 0);
    cache_close(c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(the_least_recently_used_goes_first, set_up, tear_down),
        cmocka_unit_test_setup_teardown(what_is_in_use_stays, set_up, tear_down),
        cmocka_unit_test_setup_teardown(bytes_of_another_hash_are_refused, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_later_process_takes_up_what_is_there, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_file_that_vanished_is_not_there, set_up, tear_down),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
