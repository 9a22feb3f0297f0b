/* Reads recorded durations as a profile: one column per kernel. Columns may have different lengths. A byte-order
 * mark and CRLF are allowed. */
#ifndef VIVACE_TESTS_UNIT_SAMPLING_CASIO_H
#define VIVACE_TESTS_UNIT_SAMPLING_CASIO_H

#include "tests/harness/check.h"

#include "sampling/profile/profile.h"

static inline void durations_load(const char *relative, struct profile *out)
{
    const char *path = shared_data(relative);
    struct profile_row row = {.grid = {1, 1, 1}, .block = {128, 1, 1}};
    struct profile_builder *b;
    char line[4096], names[16][256];
    size_t columns = 0;
    FILE *f = fopen(path, "r");
    struct err e;

    assert_non_null(f);
    b = profile_builder_new(PROFILE_NS, 0, &e);
    assert_non_null(b);
    for (int number = 0; fgets(line, sizeof line, f); number++) {
        char *rest = !number && strncmp(line, "\xef\xbb\xbf", 3) == 0 ? line + 3 : line, *cell;

        rest[strcspn(rest, "\r\n")] = 0;
        for (size_t c = 0; (cell = strsep(&rest, ",")); c++) {
            if (number == 0) {
                snprintf(names[c], sizeof names[c], "%s", cell);
                columns = c + 1;
            } else if (*cell && c < columns) {
                row.name = names[c];
                row.value = strtoull(cell, NULL, 10);
                row.correlation++;
                CHECK_OK(profile_builder_add(b, &row, &e), &e);
            }
        }
    }
    fclose(f);
    CHECK_OK(profile_builder_finish(b, out, &e), &e);
    profile_builder_free(b);
}

/* Six kernels of the CASIO suite on an RTX 2080: figure 1 of STEM+ROOT. */
static inline void casio_load(struct profile *out)
{
    durations_load("durations/casio-six-kernels-rtx2080.csv", out);
    assert_int_equal(out->count, 85217);
    assert_int_equal(profile_total(out), 881442651);
}

#endif
