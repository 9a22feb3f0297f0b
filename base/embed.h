/* base/embed.h: files that are part of a program's binary (designs, measured facts, schema, API document).
 * base/embed.sh writes them as a C table at build time. The table ends with a row whose name is NULL. */
#ifndef VIVACE_BASE_EMBED_H
#define VIVACE_BASE_EMBED_H

#include <stddef.h>

struct embedded_file {
    const char *name;           /* without folders: "v100.json" */
    const unsigned char *bytes; /* followed by a NUL that `size` does not count */
    size_t size;
};

extern const struct embedded_file embedded_designs[], embedded_systems[], embedded_validation[],
    embedded_model_error[], embedded_schema[], embedded_openapi[];

#endif
