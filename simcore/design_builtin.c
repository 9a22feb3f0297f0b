/* simcore/design_builtin.c: the designs that travel inside the program. */
#include <string.h>

#include "base/embed.h"
#include "simcore/design.h"

/* Spelled out, so that the order is ours and not the file system's; a test holds it against the folder. */
static const char *const builtin_names[] = {"v100", "rtx2080", "a100", "h100", NULL};

const char *const *design_builtin_names(void)
{
    return builtin_names;
}

const char *design_builtin_json(const char *name, size_t *n)
{
    size_t length = strlen(name);

    for (const struct embedded_file *f = embedded_designs; f->name; f++) {
        if (strncmp(f->name, name, length) == 0 && strcmp(f->name + length, ".json") == 0) {
            *n = f->size;
            return (const char *)f->bytes;
        }
    }
    return NULL;
}
