/* simcore/design_read.h: completes, reads and writes design files. Only for the other simcore/design*.c files and
 * for simcore/system. */
#ifndef VIVACE_SIMCORE_DESIGN_READ_H
#define VIVACE_SIMCORE_DESIGN_READ_H

#include <jansson.h>

#include "base/strbuf.h"
#include "simcore/design.h"

enum { DESIGN_FILE_MAX = 1 << 20 };

/* The faults of a file while it is read. */
struct design_faults {
    design_fault_fn *report; /* NULL: the first fault ends the reading */
    void *ctx;
    size_t count;
};
/* If ret is not 0, counts and reports the fault *e. True: stop reading. */
bool design_fault_stop(struct design_faults *f, int ret, const struct err *e);

/* The document of a file; NULL with *e. The caller releases it. */
json_t *design_load_json(const char *json, size_t n, struct err *e);
/* Makes whole numbers such as 1.0 and 1e0 integers, so that the canonical text of a number is unique. */
void design_make_canonical(json_t *at);

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
/* Checks what designs of GPUs and of systems have in common: version, name, title, sources. */
int design_check_head(const json_t *root, struct err *e);
/* Checks the object of a number: its keys, its unit, that `sources` spells out its source, and that an estimate has
 * a reason. where: the number's full name. */
int design_check_leaf(const json_t *leaf, const json_t *sources, const char *where, const char *unit,
                      struct err *e);
/* Finds the candidate nearest to a misspelled name. Initialize with {wanted, NULL, SIZE_MAX}. `best` points to the
 * candidate. */
struct design_nearest {
    const char *wanted, *best;
    size_t distance;
};
void design_nearest_try(struct design_nearest *n, const char *candidate);
/* Makes a name from a file short and printable. */
const char *design_shown(const char *s, char out[64]);

/* Deriving: sets the number in `leaf` to c->value, with the change as its reason, and adds the change to `title`.
 * base, name: of the design it is derived from, and of the new one. */
int design_set_leaf(json_t *leaf, const struct design_change *c, const char *base, const char *name,
                    struct strbuf *title, struct err *e);
/* The head of a derived document: its name, its title with the changes, and the source of the changed numbers. */
int design_set_head(json_t *root, const char *base, const char *base_sha256, const char *name,
                    const struct strbuf *changes, struct err *e);

/* The position of the colon in "v100:fast", "./my.json:detailed"; 0 if the name does not end with a preset. */
size_t design_preset_split(const char *name);
/* Replaces *d by a copy with the levels of this preset. On error *d is unchanged or NULL. */
int design_preset_apply(const char *preset, struct gpu_design **d, struct err *e);

#endif
