/* tests/lowering/counts.h: recorded counts of ptxas, and our counts for the same kernels. */
#ifndef VIVACE_TESTS_LOWERING_COUNTS_H
#define VIVACE_TESTS_LOWERING_COUNTS_H

#include "tests/lowering/cubin.h"

struct count_row {
    char file[96], kernel[96]; /* the PTX, from the root of the project */
    uint32_t arch;             /* 75: sm_75 */
    struct inst_counts ptxas, ours;
};
struct count_rows {
    struct count_row *items;
    size_t count, capacity;
    bool print_code; /* counts_lower() prints our instructions, one a line */
};

/* Reads a file of rows that counts_print() wrote. ERR_MALFORMED names the line. */
int counts_read(const char *path, struct count_rows *out, struct err *e);
void counts_release(struct count_rows *r);
/* Fills `ours` of each row. Consecutive rows of the same PTX file are read together. */
int counts_lower(struct count_rows *r, struct err *e);
/* Prints the names of the columns, separated by commas. */
void counts_print_head(void);
void counts_print(const struct count_row *r);

/* Kernels that a compiler made of CUDA C++, or that were written by hand for the conformance tests: these use
 * registers again and again, which no compiler does. */
enum count_origin { COUNT_COMPILED, COUNT_BY_HAND };
enum count_origin counts_origin(const struct count_row *r);

/* Statistics over the rows of one architecture and origin: of the ratio of instructions, ours / ptxas, and of
 * |ratio - 1|. */
struct count_summary {
    size_t rows;
    double ratio_median, error_median, within_5, within_15, error_95; /* within: shares of the rows */
    double registers_mean;                                            /* mean |difference| */
};
int counts_summary(const struct count_rows *r, uint32_t arch, enum count_origin origin, struct count_summary *out,
                   struct err *e);

#endif
