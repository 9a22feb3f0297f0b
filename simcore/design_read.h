/* simcore/design_read.h: what completes, reads and writes design files, for the other simcore/design*.c only. */
#ifndef VIVACE_SIMCORE_DESIGN_READ_H
#define VIVACE_SIMCORE_DESIGN_READ_H

#include <jansson.h>

#include "simcore/design.h"

enum { DESIGN_FILE_MAX = 1 << 20 };

/* Puts in what the file leaves out (design_complete.c). A root that is no object stays as it is. */
int design_complete(json_t *root, struct err *e);
/* "0.23", "[0, 8]", "lru": JSON, else a bare word. A new reference, NULL: no memory. */
json_t *design_value(const char *text);
/* A whole document as the text of a file: one parameter a line, in the order of the table. The caller frees. */
char *design_write(const json_t *root, struct err *e);
/* Fills *d (zeroed before; the caller frees it with design_free() whatever comes). `fault` is called for every
 * fault and reading goes on; where it is NULL the first ends it. -1 with *e, the last fault, when there was any. */
int design_read(struct gpu_design *d, const json_t *root, design_fault_fn *fault, void *ctx, struct err *e);
/* A group ("sm", "units.fp32") of a whole document, and a parameter of it; NULL: none. */
const json_t *design_group(const json_t *root, const char *group);
const json_t *design_leaf(const json_t *root, const char *group, const char *key);
/* The candidate nearest to a mistyped name; begin with {wanted, NULL, SIZE_MAX}. `best` points at the candidate. */
struct design_nearest {
    const char *wanted, *best;
    size_t distance;
};
void design_nearest_try(struct design_nearest *n, const char *candidate);
/* A name that comes from a file, short and printable. */
const char *design_shown(const char *s, char out[64]);

/* "v100:fast", "./my.json:detailed": position of the colon; 0 where the name ends with no preset. */
size_t design_preset_split(const char *name);
/* Replaces *d by a copy with the levels of that preset. On error *d is unchanged or NULL. */
int design_preset_apply(const char *preset, struct gpu_design **d, struct err *e);

#endif
