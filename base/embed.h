/* base/embed.h: files that travel inside a program (designs, schema, API document). base/embed.sh writes a table
 * of them as C at build time; it ends with a row whose name is NULL. */
#ifndef VIVACE_BASE_EMBED_H
#define VIVACE_BASE_EMBED_H

#include <stddef.h>

struct embedded_file {
    const char *name;           /* without folders: "v100.json" */
    const unsigned char *bytes; /* followed by a NUL that `size` does not count */
    size_t size;
};

extern const struct embedded_file embedded_designs[], embedded_schema[], embedded_openapi[];

#endif
