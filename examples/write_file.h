/* Expected results of an example: a file of values, as memory holds them (little-endian). */
#ifndef VIVACE_EXAMPLES_WRITE_FILE_H
#define VIVACE_EXAMPLES_WRITE_FILE_H

#include <stdio.h>

/* 0, or 1 where it did not work: what main answers. */
static inline int write_file(const char *name, const void *values, size_t bytes)
{
    FILE *f = fopen(name, "wb");
    size_t written;

    if (!f)
        return 1;
    written = fwrite(values, 1, bytes, f);
    return fclose(f) != 0 || written != bytes;
}

#endif
