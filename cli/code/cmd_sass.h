/* cli/code/cmd_sass.h: the file that the verbs of `vivace sass` read. */
#ifndef VIVACE_CLI_CMD_SASS_H
#define VIVACE_CLI_CMD_SASS_H

#include "sass/sass_file.h"

#define SASS_INPUT_MAX ((size_t)2 << 30) /* bytes */

struct sass_input {
    char *bytes;
    size_t n;
    struct sass_file file;
};

/* Errors as whole_file_read() and sass_file_read(), with the path. Close it also after an error. */
int sass_input_open(const char *path, struct sass_input *out, struct err *e);
void sass_input_close(struct sass_input *in);

#endif
