/* simcore/design_params.h: every parameter of a design file: group, key, unit, range, what it means, its defaults,
 * and where it lands in struct gpu_design. Made of simcore/params/; what completes, reads, lists and writes designs
 * goes by it. */
#ifndef VIVACE_SIMCORE_DESIGN_PARAMS_H
#define VIVACE_SIMCORE_DESIGN_PARAMS_H

#include "simcore/design.h"

/* X(GENERATION, the first compute capability of it, name) */
/* clang-format off */
#define GPU_GENERATIONS(X) \
    X(PASCAL, 50, "Pascal") \
    X(VOLTA, 70, "Volta") \
    X(TURING, 75, "Turing") \
    X(GA100, 80, "GA100") \
    X(GA10X, 86, "GA10x") \
    X(ADA, 89, "Ada") \
    X(HOPPER, 90, "Hopper") \
    X(BLACKWELL, 100, "Blackwell")
/* clang-format on */
enum gpu_generation {
#define X(name, first, text) GENERATION_##name,
    GPU_GENERATIONS(X)
#undef X
        GENERATION_COUNT
};
extern const char *const gpu_generation_names[GENERATION_COUNT];
enum gpu_generation gpu_generation_of(double compute_capability); /* the first one for what is older than it */

struct design_default {
    uint32_t generations;                /* a bit each, or DESIGN_ADDED; 0: the end of the list */
    const char *value, *source, *reason; /* value: JSON or a bare word; reason: or NULL */
};
#define DESIGN_ADDED (UINT32_C(1) << 31) /* the value is what files from before the parameter mean */
enum design_kind { DESIGN_NUMBER, DESIGN_CHOICE, DESIGN_LIST };
struct design_param {
    const char *group, *key, *unit, *meaning; /* static text; the full name is group.key */
    enum design_kind kind;
    size_t offset;             /* in struct gpu_design; of a list: nothing */
    double least, most, scale; /* numbers, in the file's unit; stored as value * scale */
    const char *const *names;  /* a choice: stored as the place in this list */
    const struct design_default *defaults;
};
extern const struct design_param
    design_params[]; /* in the order of the file; ends with a row whose group is NULL */

/* What a file of such a GPU leaves out; NULL: it has to state it, or means design_added(). */
const struct design_default *design_default_of(const struct design_param *p, enum gpu_generation g);
/* What a file means that is older than the parameter, and leaves it out; NULL: the parameter is as old as design
 * files. */
const char *design_added(const struct design_param *p);
/* The text of a source that defaults have; NULL: no such. */
const char *design_source_text(const char *key);

#endif
