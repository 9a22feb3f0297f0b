/* cli/input/profile_input.h: reads a profile from a file, with the additional files that the command line names. */
#ifndef VIVACE_CLI_PROFILE_INPUT_H
#define VIVACE_CLI_PROFILE_INPUT_H

#include "cli/cli.h"
#include "ingest/ingest.h"

struct profile_input {
    const char *features; /* a file, "trace", or NULL */
    const char *also;     /* profiles of the same launches, separated by commas, or NULL */
    unsigned needs;       /* flags of enum method_needs: more than counts reads traces completely */
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

/* Reads the profile and shows progress. Initialises *out. */
int profile_input_read(const char *path, const struct profile_input *input, struct profile *out, struct err *e);

#endif
