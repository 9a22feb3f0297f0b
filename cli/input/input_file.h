/* cli/input/input_file.h: opens a profile that is named on the command line. A pipe is copied to a file. A report
 * that only NVIDIA's tools can read is exported with them, where they are installed. */
#ifndef VIVACE_CLI_INPUT_FILE_H
#define VIVACE_CLI_INPUT_FILE_H

#include "cli/cli.h"

struct input_file {
    const char *path; /* the path to read; valid while the input is open */
    const char *name; /* for messages and as the workload's name */
    char *copy;       /* path of a copy, which input_file_close() removes; NULL: `path` is the given path */
    char own_name[256];
};

/* `given`: a path, or "-" for standard input. The tools are `nsys` and `ncu`, or the values of the environment
 * variables NSYS and NCU. Without the tool a report is not exported, and the importer refuses it with advice.
 * Copies are in TMPDIR (/tmp); a signal that ends the process removes the last one. Errors: ERR_NOT_FOUND, ERR_IO;
 * ERR_INVALID where the tool fails or takes more than 30 minutes. Close it also after an error. */
int input_file_open(struct input_file *in, const char *given, struct err *e) MUST_CHECK;
void input_file_close(struct input_file *in);

#endif
