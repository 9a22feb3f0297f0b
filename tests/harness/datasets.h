/* tests/harness/datasets.h: the recorded real inputs in ../shared/data, as profiles for the benches and tests of
 * sampling. Twelve files give nineteen profiles: the six kernels of CASIO together and each alone, and two traces
 * whose values are warp instructions. */
#ifndef VIVACE_TESTS_HARNESS_DATASETS_H
#define VIVACE_TESTS_HARNESS_DATASETS_H

#include <stddef.h>

#include "sampling/profile/profile.h"

struct dataset {
    const char *name; /* for tables: "h100x2" */
    const char *path; /* below ../shared/data */
    int column; /* of a CSV with one column for each kernel: from 1; 0: all columns; -1: the file is not such a CSV
                 */
};
extern const struct dataset datasets[]; /* name NULL at the end */

/* NULL: no data set has that name. */
const struct dataset *dataset_find(const char *name);
/* 1: *out is the profile. 0: the file does not exist. -1: it cannot be read. Call it in the project's root. */
int dataset_load(const struct dataset *d, struct profile *out, struct err *e);

/* main() of a bench with the command line PROGRAM [REPEATS [PROFILE|all]]. `repeats`: the default of REPEATS.
 * Returns the exit status. */
typedef int (*dataset_bench_fn)(const struct dataset *d, unsigned repeats, struct err *e);
int datasets_bench(int argc, char **argv, unsigned repeats, dataset_bench_fn run);

#endif
