/* cli/profile_input.h: a profile from a file, with the files beside it that the command line names. */
#ifndef VIVACE_CLI_PROFILE_INPUT_H
#define VIVACE_CLI_PROFILE_INPUT_H

#include "cli/cli.h"
#include "ingest/ingest.h"

struct profile_input {
    const char *features; /* a file, "trace", or NULL */
    const char *also;     /* profiles of the same launches, separated by commas, or NULL */
    unsigned needs;       /* of enum method_needs: traces are counted in full where more than counts is needed */
};

/* Rows for a table of struct cli_option. */
/* clang-format off */
#define PROFILE_FEATURES_ROW(i) \
    {"features", 'f', CLI_PATH, "FILE", &(i).features, \
     "take instruction counts, metrics, basic blocks from this file (docs/formats/features.md); `trace`: count them"}
#define PROFILE_ALSO_ROW(i) \
    {"also", 0, CLI_PATH, "FILES", &(i).also, \
     "keep the totals of these profiles of the same launches as well (other GPUs, other runs)"}
/* clang-format on */

/* Shows progress. *out is initialised here. */
int profile_input_read(const char *path, const struct profile_input *input, struct profile *out, struct err *e);

#endif
