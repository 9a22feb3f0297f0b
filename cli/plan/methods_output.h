/* cli/plan/methods_output.h: the output of `vivace methods`: scores of every file, and their means over files. */
#ifndef VIVACE_CLI_METHODS_OUTPUT_H
#define VIVACE_CLI_METHODS_OUTPUT_H

#include "cli/cli.h"
#include "sampling/methods/evaluate.h"
#include "sampling/profile/match.h"
#include "sampling/math/means.h"

struct profile;

/* The match between the profile for scoring (hold-out) and the profile for planning. The struct owns its texts. */
struct holdout {
    const char *path; /* NULL: scored on its own values */
    uint64_t matched, count, other_count;
    double share, other_share; /* shares of the value that did not match */
    struct strbuf report;      /* lines about the launches that did not match */
};
void holdout_describe(struct holdout *h, const struct match *m, const struct profile *a, const struct profile *b);
void holdout_release(struct holdout *h);

struct scored_file {
    const char *path;
    struct holdout holdout;
    struct evaluation *v; /* the same methods and errors in the same order for every file */
    size_t count;
};

/* Means over files of one (method, error). */
struct method_means {
    const struct evaluation *first; /* of the first file: method and error */
    struct means speedup, speedup_instructions, speedup_seconds, actual_error;
    unsigned inside, repeats, covered, intervals; /* sums */
};
void means_over_files(const struct scored_file *files, size_t count, size_t row, struct method_means *out);

int methods_print(const struct scored_file *files, size_t count, const struct cli_output *output, bool cloud,
                  struct err *e);
/* Prints the scores as CSV or as JSON. */
int methods_print_csv(const struct scored_file *files, size_t count, struct err *e);
int methods_print_text(const struct scored_file *files, size_t count, struct err *e);
/* `vivace methods --list` */
int methods_print_list(const struct cli_output *output, struct err *e);

#endif
