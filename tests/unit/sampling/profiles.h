/* Small profiles for tests of methods. */
#ifndef VIVACE_TESTS_UNIT_SAMPLING_PROFILES_H
#define VIVACE_TESTS_UNIT_SAMPLING_PROFILES_H

#include "tests/harness/check.h"

#include "base/rng.h"
#include "sampling/profile/profile.h"

/* One kernel, launched n times. */
static inline void profile_of(const uint64_t *values, size_t n, struct profile *out)
{
    struct profile_row row = {.name = "kernel", .grid = {1, 1, 1}, .block = {32, 1, 1}};
    struct profile_builder *b;
    struct err e;

    b = profile_builder_new(PROFILE_NS, 0, &e);
    for (size_t i = 0; i < n; i++) {
        row.value = values[i];
        row.correlation = i;
        CHECK_OK(profile_builder_add(b, &row, &e), &e);
    }
    CHECK_OK(profile_builder_finish(b, out, &e), &e);
    profile_builder_free(b);
}

#endif
