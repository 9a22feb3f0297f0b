/* simcore/design_params.h: the table of all parameters of a design file: group, key, unit, range, meaning,
 * defaults, and the position in struct gpu_design. It is generated from simcore/params/. The code that completes,
 * reads, lists and writes designs uses it. */
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
enum gpu_generation gpu_generation_of(double compute_capability); /* older GPUs count as the first generation */

struct design_default {
    uint32_t generations;                /* a bit for each generation, or DESIGN_ADDED; 0: end of the list */
    const char *value, *source, *reason; /* value: JSON or a bare word; reason: or NULL */
};
/* the value that files without the parameter imply if they are older than it */
#define DESIGN_ADDED (UINT32_C(1) << 31)
enum design_kind { DESIGN_NUMBER, DESIGN_CHOICE, DESIGN_LIST };
struct design_param {
    const char *group, *key, *unit, *meaning; /* static text; the full name is group.key */
    enum design_kind kind;
    size_t offset;             /* offset in struct gpu_design; not used for a list */
    double least, most, scale; /* for numbers: range in the file's unit; stored as value * scale */
    const char *const *names;  /* for a choice: stored as the index in this list */
    const struct design_default *defaults;
};
extern const struct design_param design_params[]; /* in the order of the file; the last row has the group NULL */

/* The default for a GPU of this generation. NULL: the file must state the value, or design_added() applies. */
const struct design_default *design_default_of(const struct design_param *p, enum gpu_generation g);
/* The value that a file implies if it is older than the parameter and omits it; NULL: the parameter is as old as
 * design files. */
const char *design_added(const struct design_param *p);
/* The text of a source of defaults; NULL: no such source. */
const char *design_source_text(const char *key);

#endif
