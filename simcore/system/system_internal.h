/* simcore/system/system_internal.h: the reader of system designs. Only for this folder. */
#ifndef VIVACE_SIMCORE_SYSTEM_SYSTEM_INTERNAL_H
#define VIVACE_SIMCORE_SYSTEM_SYSTEM_INTERNAL_H

#include <jansson.h>

#include "simcore/system/system.h"

enum system_place { PLACE_LINK, PLACE_COPY, PLACE_NODE };
/* A number of the file: its place, unit, range, meaning. */
struct system_param {
    enum system_place place;
    const char *key, *unit, *meaning;
    double least, most;
    unsigned kinds; /* of a node: a bit for each system_kind that has it */
};
extern const struct system_param system_params[]; /* the last row has the key NULL */
extern const struct system_param system_ports_param;

/* The object of a number by its full name, such as "links.nvlink.gbs"; NULL: there is none. */
json_t *system_leaf(const json_t *root, const char *name);
/* Calls `take` for every number of a document, in the order of the file. `take` returns 0 to continue. */
typedef int system_leaf_fn(void *ctx, const char *name, const json_t *leaf, const struct system_param *p);
int system_each_leaf(const json_t *root, system_leaf_fn *take, void *ctx);

/* Fills *s, which must be zeroed; system_free() frees it in any case. Faults as in design_read(). */
int system_read(struct system_design *s, const json_t *root, design_fault_fn *fault, void *ctx, struct err *e);
/* Conditions between the parts of a system that was read: 0, or the number of faults. */
size_t system_check(const struct system_design *s, design_fault_fn *fault, void *ctx, struct err *e);

#endif
