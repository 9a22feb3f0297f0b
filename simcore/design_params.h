/* simcore/design_params.h: every parameter of a design file: group, key, unit, range, what it means, and where it
 * lands in struct gpu_design. The reader (design.c), the lists for people (design_facts.c) and the writer go by it.
 */
#ifndef VIVACE_SIMCORE_DESIGN_PARAMS_H
#define VIVACE_SIMCORE_DESIGN_PARAMS_H

#include "simcore/design.h"

struct design_param {
    const char *group, *key, *unit, *meaning; /* static text; the full name is group.key */
    size_t offset;                            /* in struct gpu_design, or in struct unit_params */
    double least, most, scale;                /* in the file's unit; stored as value * scale */
    const char *const *names;                 /* a choice: stored as the place in this list; NULL: a number */
    bool optional;                            /* a choice that a file may leave out: the first of the list */
};
enum { UNIT_PARAMS = 3 };

/* Plain numbers, in the order of the file; ends with a row whose group is NULL. */
extern const struct design_param design_params[];
extern const struct design_param design_unit_params[UNIT_PARAMS]; /* of each class in "units"; group NULL */
extern const struct design_param design_fp32_in_int;
/* A list; its offset and range say nothing. */
extern const struct design_param design_carveouts;

/* Visits all of them in the order of the file, "units.fp32" and so on as groups. Stops at an answer that is not 0
 * and returns it. */
typedef int design_param_fn(void *ctx, const char *group, const struct design_param *p, struct err *e);
int design_each_param(design_param_fn *visit, void *ctx, struct err *e);

#endif
