/* simcore/design_builtin.c: the designs that are compiled into the program. */
#include <string.h>

#include "base/embed.h"
#include "simcore/design.h"

/* An explicit list, because the order of files in a folder is not defined. A test compares it with the folder. */
static const char *const builtin_names[] = {
    "gtx1050",   "gtx1080ti", "v100",      "qv100",   "gtx1650",   "rtx2060", "rtx2080", "titanrtx",
    "t4",        "rtx3060",   "rtx3060ti", "rtx3070", "rtx3070ti", "rtx3080", "rtx3090", "a40",
    "a6000",     "a100",      "a100-80",   "rtx4090", "l4",        "l40",     "l40s",    "h100",
    "h100-pcie", "h200",      "gh200",     "rtx5090", "b200",      "b300",    NULL};

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
