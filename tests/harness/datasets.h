/* tests/harness/datasets.h: the recorded real inputs beside the project, as profiles: what benches and tests of
 * sampling run on. Twelve files give nineteen profiles: the six kernels of CASIO together and each alone, two
 * traces by warp instructions. */
#ifndef VIVACE_TESTS_HARNESS_DATASETS_H
#define VIVACE_TESTS_HARNESS_DATASETS_H

#include <stddef.h>

#include "sampling/profile.h"

struct dataset {
    const char *name; /* for tables: "h100x2" */
    const char *path; /* below ../shared/data */
    int column;       /* of a CSV with a kernel a column: 1 .. ; 0: all of them; -1: not such a CSV */
};
extern const struct dataset datasets[]; /* name NULL at the end */

/* NULL: no data set is called that. */
const struct dataset *dataset_find(const char *name);
/* 1: *out is the profile. 0: the file is not here. -1: it cannot be read. From the project's root. */
int dataset_load(const struct dataset *d, struct profile *out, struct err *e);

/* main() of a bench: PROGRAM [REPEATS [PROFILE|all]], `repeats` where none are given. Returns its exit status. */
typedef int (*dataset_bench_fn)(const struct dataset *d, unsigned repeats, struct err *e);
int datasets_bench(int argc, char **argv, unsigned repeats, dataset_bench_fn run);

#endif
