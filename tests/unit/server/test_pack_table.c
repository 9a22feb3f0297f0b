/* server/domain/tasks/pack_table.c: the table of a file's launches is read as written; one that another process has
 * damaged is refused, or has no place outside of itself. */
#include <unistd.h>

#include "base/whole_file.h"
#include "server/domain/tasks/pack_table.h"
#include "tests/unit/trace/made_source.h"
#include "tests/unit/trace/vtrace_file.h"

#define LAUNCHES 5

static char table[80];

static int choose_files(void **state)
{
    choose_file(state);
    snprintf(table, sizeof table, "%s-table", file);
    return 0;
}

static int remove_files(void **state)
{
    unlink(table);
    return remove_file(state);
}

static void write_launches(void)
{
    struct vtrace_writer *w;
    struct err e;

    CHECK_OK(vtrace_writer_new(file, NULL, &w, &e), &e);
    for (uint32_t i = 0; i < LAUNCHES; i++) {
        struct made_source m;

        make_source(&m, 2 + i, 3, 1, 64, fill_affine);
        m.source.info.name = (char *)(i % 2 ? "odd" : "even");
        m.source.info.id = 10 + i;
        vtrace_writer_context(w, i / 3);
        CHECK_OK(vtrace_writer_add(w, &m.source, &e), &e);
        made_release(&m.source);
    }
    CHECK_OK(vtrace_writer_finish(w, &e), &e);
    vtrace_writer_release(w);
}

/* Writes the table of a new file. Returns its bytes, which the caller frees. */
static char *make_table(size_t *n)
{
    struct vtrace *v;
    char *bytes;
    struct err e;

    write_launches();
    CHECK_OK(vtrace_open(file, &v, &e), &e);
    CHECK_OK(pack_table_write(table, v, &e), &e);
    vtrace_close(v);
    CHECK_OK(whole_file_read(table, 1 << 20, &bytes, n, &e), &e);
    return bytes;
}

static void put(const char *bytes, size_t n)
{
    struct err e;

    CHECK_OK(whole_file_write(table, bytes, n, &e), &e);
}

static void tables_are_read_as_written(void **state)
{
    struct pack_table t;
    struct err e;
    size_t n;

    (void)state;
    free(make_table(&n));
    CHECK_OK(pack_table_read(table, &t, &e), &e);
    assert_int_equal(t.count, LAUNCHES);
    for (uint32_t i = 0; i < LAUNCHES; i++) {
        assert_string_equal(pack_table_name(&t, i), i % 2 ? "odd" : "even");
        assert_int_equal(t.launches[i].id, 10 + i);
        assert_int_equal(t.launches[i].context, i / 3);
        assert_int_equal(t.launches[i].grid[0], 2 + i);
        assert_int_equal(t.launches[i].grid[1], 3);
        assert_int_equal(t.launches[i].block[0], 64);
    }
    assert_int_equal(t.launches[0].name, t.launches[4].name); /* each name once */
    pack_table_release(&t);
}

static void cut_or_longer_tables_are_refused(void **state)
{
    struct pack_table t;
    struct err e;
    size_t n;
    char *bytes = make_table(&n);

    (void)state;
    for (size_t length = 0; length < n; length++) {
        put(bytes, length);
        CHECK_FAILS(pack_table_read(table, &t, &e), &e, ERR_INVALID, "wrote no table");
        assert_null(t.bytes);
    }
    bytes = realloc(bytes, n + 1);
    assert_non_null(bytes);
    bytes[n] = '\0';
    put(bytes, n + 1);
    CHECK_FAILS(pack_table_read(table, &t, &e), &e, ERR_INVALID, "wrote no table");
    free(bytes);
}

/* Each byte in turn gets other values: the table is refused, or its names lie inside of it. */
static void damaged_tables_stay_inside(void **state)
{
    static const unsigned char values[] = {0x00, 0x01, 0x0a, 0x1b, 0x7f, 0x80, 0xff};
    size_t n, refused = 0, taken = 0;
    char *bytes = make_table(&n);

    (void)state;
    for (size_t at = 0; at < n; at++)
        for (size_t k = 0; k < sizeof values; k++) {
            char was = bytes[at];
            struct pack_table t;
            struct err e;

            bytes[at] = (char)values[k];
            put(bytes, n);
            bytes[at] = was;
            if (pack_table_read(table, &t, &e) < 0) {
                refused++;
                continue;
            }
            taken++;
            for (size_t i = 0; i < t.count; i++) {
                const char *name = pack_table_name(&t, i);

                assert_true(name > t.bytes && name + strlen(name) < t.bytes + n);
                for (; *name; name++)
                    assert_true((unsigned char)*name >= 0x20 && *name != 0x7f);
                assert_true(i == 0 || t.launches[i].context >= t.launches[i - 1].context);
            }
            pack_table_release(&t);
        }
    assert_true(refused > 100 && taken > 100);
    free(bytes);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(tables_are_read_as_written, choose_files, remove_files),
        cmocka_unit_test_setup_teardown(cut_or_longer_tables_are_refused, choose_files, remove_files),
        cmocka_unit_test_setup_teardown(damaged_tables_stay_inside, choose_files, remove_files),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
