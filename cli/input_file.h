/* cli/input_file.h: what a command line names as a profile, made readable: a pipe is copied, and a report that only
 * NVIDIA's tools read is exported with them where they are installed. */
#ifndef VIVACE_CLI_INPUT_FILE_H
#define VIVACE_CLI_INPUT_FILE_H

#include "cli/cli.h"

struct input_file {
    const char *path; /* to read, as long as the input is open */
    const char *name; /* for messages and as the workload's name */
    char *copy;       /* path of a copy, removed by input_file_close(); NULL: path is what was given */
    char own_name[256];
};

/* `given`: a path, or "-" for standard input. The tools are `nsys` and `ncu`, or what NSYS and NCU in the
 * environment name. Without its tool, a report stays as it is, and the importer refuses it with what to do. Copies
 * are in TMPDIR (/tmp); a signal that ends the process removes the last one. Errors: ERR_NOT_FOUND, ERR_IO;
 * ERR_INVALID where the tool fails or takes more than 30 minutes. Close it in any case. */
int input_file_open(struct input_file *in, const char *given, struct err *e) MUST_CHECK;
void input_file_close(struct input_file *in);

#endif
