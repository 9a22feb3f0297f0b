/* server/domain/import/profile_file_load.c: a complete scratch file. Its writer may be hostile. */
#include "tests/harness/check.h"

#include <fcntl.h>
#include <unistd.h>

#include "server/domain/import/profile_file.h"

enum { LAUNCHES = 40 };

static void make(struct profile *p)
{
    struct profile_builder *b;
    struct err e;

    b = profile_builder_new(PROFILE_NS, 1, &e);
    assert_non_null(b);
    for (size_t i = 0; i < LAUNCHES; i++) {
        struct profile_row row = {.name = i % 3 ? "gemm<float>" : "copy",
                                  .mangled_name = i % 3 ? "_Z4gemmIfE" : NULL,
                                  .grid = {1 + (uint32_t)(i % 2), 1, 1},
                                  .block = {128, 1, 1},
                                  .registers = 32,
                                  .process = 1,
                                  .stream = 7 + i % 2,
                                  .correlation = i,
                                  .start_ns = (int64_t)i * 1000,
                                  .value = 100 + i % 7};

        CHECK_OK(profile_builder_add(b, &row, &e), &e);
    }
    profile_init(p);
    CHECK_OK(profile_builder_finish(b, p, &e), &e);
    profile_builder_free(b);
    p->features = features_new(&e);
    assert_non_null(p->features);
    p->features->known = LAUNCHES - 1;
    p->features->instructions = calloc(LAUNCHES, sizeof *p->features->instructions);
    p->features->metrics[2] = calloc(LAUNCHES, sizeof *p->features->metrics[2]);
    for (size_t i = 0; i < LAUNCHES - 1; i++) {
        p->features->instructions[i] = 1000 + i % 5;
        p->features->metrics[2][i] = 0.5 * (double)i;
    }
}

static void hash_of(const struct profile *p, char hex[SHA256_HEX])
{
    struct err e;

    CHECK_OK(profile_hash(p, hex, &e), &e);
}

static size_t write_file(char path[], const struct profile *p, char *bytes, size_t most)
{
    struct err e;
    int fd = mkstemp(path);
    ssize_t n;

    assert_true(fd >= 0);
    CHECK_OK(profile_file_write(path, p, "{}", &e), &e);
    close(fd);
    fd = open(path, O_RDONLY);
    n = read(fd, bytes, most);
    close(fd);
    assert_true(n > 0 && (size_t)n < most);
    return (size_t)n;
}

static void a_file_is_the_profile_again(void **state)
{
    char path[] = "/tmp/vivace-test-XXXXXX", bytes[1 << 16], a[SHA256_HEX], b[SHA256_HEX];
    struct profile p, q;
    struct err e;

    (void)state;
    make(&p);
    profile_init(&q);
    write_file(path, &p, bytes, sizeof bytes);
    CHECK_OK(profile_file_load(path, LAUNCHES, &q, &e), &e);
    hash_of(&p, a);
    hash_of(&q, b);
    assert_string_equal(a, b); /* the hash covers names, shapes, contexts, columns and features */
    assert_string_equal(q.format, p.format);
    assert_int_equal(q.name_count, p.name_count);
    for (size_t k = 0; k < p.kernel_count; k++)
        assert_int_equal(q.kernels[k].name_id, p.kernels[k].name_id);
    CHECK_FAILS(profile_file_load(path, LAUNCHES - 1, &q, &e), &e, ERR_TOO_LARGE, "it has 40 launches");
    assert_int_equal(q.count, LAUNCHES); /* unchanged */
    profile_release(&p);
    profile_release(&q);
    unlink(path);
}

static void put(const char *path, const char *bytes, size_t n)
{
    int fd = open(path, O_WRONLY | O_TRUNC);

    assert_true(fd >= 0 && write(fd, bytes, n) == (ssize_t)n);
    close(fd);
}

/* Truncated or changed files are refused or give a valid profile. */
static void damage_does_no_harm(void **state)
{
    char path[] = "/tmp/vivace-test-XXXXXX", bytes[1 << 16], hex[SHA256_HEX];
    struct profile p, q;
    unsigned refused = 0;
    struct err e;
    size_t n;

    (void)state;
    make(&p);
    profile_init(&q);
    n = write_file(path, &p, bytes, sizeof bytes);
    for (size_t cut = 0; cut < n; cut++) {
        put(path, bytes, cut);
        assert_true(profile_file_load(path, LAUNCHES, &q, &e) < 0);
    }
    for (size_t i = 0; i < n; i++) {
        bytes[i] ^= 0x55;
        put(path, bytes, n);
        if (profile_file_load(path, LAUNCHES, &q, &e) < 0)
            refused++;
        else
            hash_of(&q, hex);
        bytes[i] ^= 0x55;
    }
    assert_true(refused > n / 10);
    profile_release(&p);
    profile_release(&q);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_file_is_the_profile_again),
        cmocka_unit_test(damage_does_no_harm),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
