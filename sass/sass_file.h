/* sass/sass_file.h: all machine code in a file: a cubin, a fat binary, a program or object file, a static library.
 */
#ifndef VIVACE_SASS_SASS_FILE_H
#define VIVACE_SASS_SASS_FILE_H

#include "sass/cubin.h"

struct sass_module {
    char *where; /* "" for a cubin, "k.cubin" for one in a library; else "entry 2", "member a.o, entry 2" */
    char *bytes; /* decompressed; NULL: inside of the file */
    const uint8_t *content; /* the cubin's n bytes, in `bytes` or in the file */
    size_t n;
    struct cubin cubin;
};
struct sass_file {
    struct sass_module *items;
    size_t count, capacity;
    size_t ptx_count;    /* entries of fat binaries with PTX */
    uint64_t unpacked_n; /* bytes of all modules that were compressed */
};

/* Reads what `bytes` contain; they must stay valid until sass_file_release(). ERR_MALFORMED: an unknown format, or
 * damaged; ERR_NOT_FOUND: no GPU code at all; ERR_TOO_LARGE. */
int sass_file_read(const uint8_t *bytes, size_t n, struct sass_file *out, struct err *e);
void sass_file_release(struct sass_file *f);

#endif
