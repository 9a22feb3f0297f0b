/* simcore/design_read.h: completes, reads and writes design files. Only for the other simcore/design*.c files. */
#ifndef VIVACE_SIMCORE_DESIGN_READ_H
#define VIVACE_SIMCORE_DESIGN_READ_H

#include <jansson.h>

#include "simcore/design.h"

enum { DESIGN_FILE_MAX = 1 << 20 };

/* Adds the values that the file omits (design_complete.c). A root that is not an object is not changed. */
int design_complete(json_t *root, struct err *e);
/* Parses "0.23", "[0, 8]", "lru": JSON, else a bare word. Returns a new reference; NULL: out of memory. */
json_t *design_value(const char *text);
/* Formats a complete document as the text of a file: one parameter per line, in the order of the table. The caller
 * frees it. */
char *design_write(const json_t *root, struct err *e);
/* Fills *d, which must be zeroed; the caller frees it with design_free() in any case. `fault` is called for every
 * fault, and reading continues. If `fault` is NULL, the first fault ends the reading. -1 with *e, the last fault,
 * if there was any. */
int design_read(struct gpu_design *d, const json_t *root, design_fault_fn *fault, void *ctx, struct err *e);
/* Returns a group ("sm", "units.fp32") of a complete document, and a parameter of a group; NULL: none. */
const json_t *design_group(const json_t *root, const char *group);
const json_t *design_leaf(const json_t *root, const char *group, const char *key);
/* Finds the candidate nearest to a misspelled name. Initialize with {wanted, NULL, SIZE_MAX}. `best` points to the
 * candidate. */
struct design_nearest {
    const char *wanted, *best;
    size_t distance;
};
void design_nearest_try(struct design_nearest *n, const char *candidate);
/* Makes a name from a file short and printable. */
const char *design_shown(const char *s, char out[64]);

/* The position of the colon in "v100:fast", "./my.json:detailed"; 0 if the name does not end with a preset. */
size_t design_preset_split(const char *name);
/* Replaces *d by a copy with the levels of this preset. On error *d is unchanged or NULL. */
int design_preset_apply(const char *preset, struct gpu_design **d, struct err *e);

#endif
