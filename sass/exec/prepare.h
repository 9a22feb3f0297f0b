/* sass/exec/prepare.h: rows of operations (operations.c) and what their functions read (prepare.c). */
#ifndef VIVACE_SASS_EXEC_PREPARE_H
#define VIVACE_SASS_EXEC_PREPARE_H

#include "sass/exec/machine.h"

enum { MODIFIERS_MAX = 16, ANY_SOURCES = -1 };
struct preparing {
    const struct sass_inst *x;
    struct sass_op *op;
    const struct sass_bank *banks;
    const struct sass_code *code;         /* of the kernel */
    const char *modifiers[MODIFIERS_MAX]; /* not ended by 0 */
    size_t lengths[MODIFIERS_MAX];
    bool taken[MODIFIERS_MAX];
    uint32_t modifier_count, sources;
};

/* What an operation has. Results and predicates have fixed places in an instruction. */
enum operation_flags {
    HAS_DST = 1,
    RESULT_0 = 2,
    RESULT_1 = 4,
    PREDICATE_0 = 8,
    PREDICATE_1 = 16,
    PREDICATE_2 = 32,
    IS_LDC = 64
};
struct operation {
    const char *name; /* as in sass/table.c */
    sass_handler *run;
    int sources; /* registers, numbers and constants after the result, or ANY_SOURCES */
    uint32_t flags;
    void (*finish)(struct preparing *p); /* takes modifiers; NULL: there are none */
};
extern const struct operation operations[];
extern const size_t operation_count;

uint32_t inst_bits(const struct preparing *p, uint32_t at, uint32_t n);
bool take_modifier(struct preparing *p, const char *name);
int take_one_of(struct preparing *p,
                const char *const *names); /* its place; -1: none of them; names end with NULL */
void refuse_inst(struct preparing *p, const char *reason);

/* --- prepare_float.c --- */
void prepare_f32(struct preparing *p);
void prepare_f64(struct preparing *p);
void prepare_half(struct preparing *p);
void prepare_add_half(struct preparing *p);
void prepare_fmnmx(struct preparing *p);
void prepare_compare_float(struct preparing *p);
void prepare_compare_half(struct preparing *p);
void prepare_fsel(struct preparing *p);
void prepare_f2f(struct preparing *p);
void prepare_f2i(struct preparing *p);
void prepare_i2f(struct preparing *p);
void prepare_frnd(struct preparing *p);
void prepare_f2fp(struct preparing *p);
void prepare_mufu(struct preparing *p);
void prepare_prmt(struct preparing *p);
void prepare_bits(struct preparing *p);

#endif
