/* ptx/parse/module.h: a parsed PTX module: declarations, functions and instructions, each with its source
 * position.
 *
 * The module's arrays contain everything, and items refer to each other by index. Texts are interned in the
 * module and live as long as it. One file is one module. Names of two modules are separate unless .extern
 * connects them. A function with a fault keeps the error message; the other functions stay usable. Source of
 * syntax and semantics: NVIDIA, PTX ISA 9.0. */
#ifndef VIVACE_PTX_PARSE_MODULE_H
#define VIVACE_PTX_PARSE_MODULE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

/* name, text, bits of a value */
/* clang-format off */
#define PTX_TYPES(X) \
    X(B8, "b8", 8) X(B16, "b16", 16) X(B32, "b32", 32) X(B64, "b64", 64) X(B128, "b128", 128) \
    X(U8, "u8", 8) X(U16, "u16", 16) X(U32, "u32", 32) X(U64, "u64", 64) \
    X(S8, "s8", 8) X(S16, "s16", 16) X(S32, "s32", 32) X(S64, "s64", 64) \
    X(U4, "u4", 4) X(S4, "s4", 4) X(B1, "b1", 1) X(U16X2, "u16x2", 32) X(S16X2, "s16x2", 32) \
    X(F16, "f16", 16) X(F16X2, "f16x2", 32) X(BF16, "bf16", 16) X(BF16X2, "bf16x2", 32) X(TF32, "tf32", 32) \
    X(F32, "f32", 32) X(F64, "f64", 64) X(E4M3, "e4m3", 8) X(E5M2, "e5m2", 8) X(E4M3X2, "e4m3x2", 16) X(E5M2X2, "e5m2x2", 16) \
    X(PRED, "pred", 1) X(TEXREF, "texref", 64) X(SAMPLERREF, "samplerref", 64) X(SURFREF, "surfref", 64)
/* clang-format on */
enum ptx_type {
    PTX_NO_TYPE,
#define X(name, text, bits) PTX_##name,
    PTX_TYPES(X)
#undef X
        PTX_TYPE_COUNT
};
const char *ptx_type_name(enum ptx_type t); /* "u32" */
uint32_t ptx_type_bits(enum ptx_type t);
enum ptx_type ptx_type_of(const char *text, size_t n); /* PTX_NO_TYPE: unknown type */

enum ptx_space {
    PTX_GENERIC,
    PTX_SPACE_REG,
    PTX_SPACE_CONST,
    PTX_SPACE_GLOBAL,
    PTX_SPACE_LOCAL,
    PTX_SPACE_PARAM,
    PTX_SPACE_SHARED
};
enum ptx_linkage { PTX_INTERNAL, PTX_VISIBLE, PTX_EXTERN, PTX_WEAK, PTX_COMMON };

struct ptx_place {
    uint32_t line, column; /* counted from 1 */
};

#define PTX_NONE UINT32_MAX /* no index */

/* --- operands --- */

enum ptx_operand_kind {
    PTX_OP_REG,       /* index: in the function's registers */
    PTX_OP_SPECIAL,   /* index: enum ptx_special; component: .x .y .z */
    PTX_OP_IMMEDIATE, /* bits: an integer as it is written, or a float (is_float: bits of a double) */
    PTX_OP_VARIABLE,  /* the address of a variable in its own state space, + offset; index: in the module's
                       * variables */
    PTX_OP_FUNCTION,  /* index: in the module's functions */
    PTX_OP_LABEL,     /* index: in the function's labels */
    PTX_OP_TARGETS,   /* index: in the function's targets */
    PTX_OP_ADDRESS,   /* [base + offset, ...]: `index` is the position of the base in the list (REG, VARIABLE or
                       * IMMEDIATE). For textures, count - 1 more operands follow it. */
    PTX_OP_VECTOR,    /* { ... }: `count` operands from `index` on */
    PTX_OP_SINK       /* _ */
};

/* .x .y .z .w (or .r .g .b .a) of a vector or special register. In video instructions: one byte or half, or
 * (HALVES, BYTES) `count` of them. `bits` then contains their numbers as hexadecimal digits in source order. */
enum ptx_component {
    PTX_WHOLE,
    PTX_X,
    PTX_Y,
    PTX_Z,
    PTX_W,
    PTX_BYTE0,
    PTX_BYTE3 = PTX_BYTE0 + 3,
    PTX_HALF0,
    PTX_HALF1,
    PTX_HALVES,
    PTX_BYTES
};

/* The operands of an instruction are `operand_count` entries from `operand_first` on in the function's list.
 * Nested operands (vectors, addresses, pairs) are elsewhere in the same list and are referred to by index. */
struct ptx_operand {
    uint8_t kind;      /* enum ptx_operand_kind */
    uint8_t component; /* enum ptx_component */
    bool negated;      /* !%p or -%r */
    bool element;      /* VARIABLE: written as array[3] */
    bool is_float;     /* IMMEDIATE: bits hold a double */
    bool is_unsigned;  /* IMMEDIATE: of type .u64; relevant only inside an expression */
    bool float32;      /* written as 0f...: the double represents it exactly; a NaN has its 32 bits in the low
                        * half */
    uint32_t index, count;
    uint32_t pair; /* %r|%p: index of the operand after the bar; PTX_NONE */
    int64_t offset;
    uint64_t bits;
    struct ptx_place place;
};

/* Special registers: name, text, width in bits of one component. */
/* clang-format off */
#define PTX_SPECIALS(X) \
    X(TID, "tid", 32) X(NTID, "ntid", 32) X(CTAID, "ctaid", 32) X(NCTAID, "nctaid", 32) \
    X(LANEID, "laneid", 32) X(WARPID, "warpid", 32) X(NWARPID, "nwarpid", 32) X(SMID, "smid", 32) X(NSMID, "nsmid", 32) \
    X(GRIDID, "gridid", 64) X(LANEMASK_EQ, "lanemask_eq", 32) X(LANEMASK_LE, "lanemask_le", 32) X(LANEMASK_LT, "lanemask_lt", 32) \
    X(LANEMASK_GE, "lanemask_ge", 32) X(LANEMASK_GT, "lanemask_gt", 32) X(CLOCK, "clock", 32) X(CLOCK_HI, "clock_hi", 32) \
    X(CLOCK64, "clock64", 64) X(GLOBALTIMER, "globaltimer", 64) X(GLOBALTIMER_LO, "globaltimer_lo", 32) \
    X(GLOBALTIMER_HI, "globaltimer_hi", 32) X(TOTAL_SMEM, "total_smem_size", 32) X(DYNAMIC_SMEM, "dynamic_smem_size", 32) \
    X(AGGR_SMEM, "aggr_smem_size", 32) X(CLUSTERID, "clusterid", 32) X(NCLUSTERID, "nclusterid", 32) \
    X(CLUSTER_CTAID, "cluster_ctaid", 32) X(CLUSTER_NCTAID, "cluster_nctaid", 32) X(CLUSTER_CTARANK, "cluster_ctarank", 32) \
    X(CLUSTER_NCTARANK, "cluster_nctarank", 32) X(IS_EXPLICIT_CLUSTER, "is_explicit_cluster", 1) \
    X(ENVREG, "envreg", 32) X(CURRENT_GRAPH_EXEC, "current_graph_exec", 64) \
    X(RESERVED_BEGIN, "reserved_smem_offset_begin", 32) X(RESERVED_END, "reserved_smem_offset_end", 32) \
    X(RESERVED_CAP, "reserved_smem_offset_cap", 32) X(RESERVED_0, "reserved_smem_offset_0", 32) \
    X(RESERVED_1, "reserved_smem_offset_1", 32) \
    X(PM0, "pm0", 32) X(PM1, "pm1", 32) X(PM2, "pm2", 32) X(PM3, "pm3", 32) X(PM4, "pm4", 32) X(PM5, "pm5", 32) \
    X(PM6, "pm6", 32) X(PM7, "pm7", 32) X(PM0_64, "pm0_64", 64) X(PM1_64, "pm1_64", 64) X(PM2_64, "pm2_64", 64) \
    X(PM3_64, "pm3_64", 64) X(PM4_64, "pm4_64", 64) X(PM5_64, "pm5_64", 64) X(PM6_64, "pm6_64", 64) X(PM7_64, "pm7_64", 64)
/* clang-format on */
enum ptx_special {
#define X(name, text, bits) PTX_SREG_##name,
    PTX_SPECIALS(X)
#undef X
        PTX_SPECIAL_COUNT
};

/* Returns true if the operand is a special register whose value changes while a kernel runs. It must be read at
 * its position. */
static inline bool ptx_is_clock(const struct ptx_operand *o)
{
    return o->kind == PTX_OP_SPECIAL && o->index >= PTX_SREG_CLOCK && o->index <= PTX_SREG_GLOBALTIMER_HI;
}

/* --- instructions --- */

enum { PTX_INST_TYPES = 4 };
struct ptx_inst {
    const char *opcode;    /* "ld": the text before the first dot */
    const char *suffix;    /* all text after the opcode, as written: ".global.nc.L1::no_allocate.v4.u32" */
    const char *modifiers; /* the suffix without types and vector: ".global.nc.L1::no_allocate"; may be "" */
    uint8_t types[PTX_INST_TYPES], type_count; /* enum ptx_type, in order: cvt.rn.f32.s64 -> F32, S64 */
    uint8_t vector;                            /* .v2 .v4 .v8; 1: none */
    bool guard_negated;
    uint32_t guard; /* register of the guard @%p; PTX_NONE */
    uint32_t operand_first, operand_count;
    struct ptx_place place;
    uint32_t loc_file, loc_line; /* position of the latest .loc; 0: none */
    bool nounroll;               /* .pragma "nounroll" is before it: the loop that it begins is not unrolled */
};
/* Returns true if the modifiers include this one (with its dot: ".nc"). */
bool ptx_has(const struct ptx_inst *i, const char *modifier);

struct ptx_register {
    const char *name;
    uint8_t type;   /* enum ptx_type */
    uint8_t vector; /* 1, 2 or 4 values */
};

struct ptx_label {
    const char *name;
    uint32_t at; /* index of the next instruction; the number of instructions at the end */
};

/* The list of .branchtargets or .calltargets. A .callprototype has an empty list. */
struct ptx_targets {
    const char *name;
    bool labels; /* true: items are labels; false: functions */
    uint32_t *items, count;
};

/* --- variables and parameters --- */

struct ptx_initial { /* a piece of a variable's initial value */
    uint64_t offset;
    uint32_t bytes;
    uint32_t variable, function; /* an address; PTX_NONE: a value */
    bool generic;                /* generic(symbol) */
    uint64_t value;              /* the value, or the offset from the address */
    uint64_t mask;               /* mask(...): which byte of the address; 0: all */
};

struct ptx_variable {
    const char *name;       /* NULL: a later declaration has replaced this one */
    uint8_t space, linkage; /* enum ptx_space, enum ptx_linkage */
    uint8_t type, vector;
    uint32_t align;
    uint64_t bytes;    /* 0 with `unsized`: name[] */
    bool unsized;      /* the size is given by the launch (dynamic shared memory) or by another module */
    uint32_t function; /* the function that declares it; PTX_NONE */
    uint32_t unit;     /* the module of a linked text that declares it: 1, 2, ... */
    uint32_t initial_first, initial_count;
    struct ptx_place place;
};

struct ptx_param {
    const char *name;
    uint8_t type;
    uint32_t align, bytes;  /* natural layout */
    uint32_t offset;        /* in the parameter block */
    uint32_t reg;           /* index of its register if declared as .reg in a .func; else PTX_NONE */
    uint32_t variable;      /* else: index of its .param variable (space PTX_SPACE_PARAM) */
    uint8_t pointer_space;  /* .ptr .global ...; PTX_GENERIC */
    uint32_t pointer_align; /* 0: not given */
};

struct ptx_function {
    const char *name;
    bool entry, has_body, noreturn;
    uint8_t linkage;
    uint32_t unit; /* the module of a linked text that declares it: 1, 2, ... */
    const char *alias_of;
    struct ptx_param *params, *results;
    uint32_t param_count, result_count, param_bytes, result_bytes;
    struct ptx_register *registers;
    uint32_t register_count;
    struct ptx_inst *insts;
    uint32_t inst_count;
    struct ptx_operand *operands;
    uint32_t operand_count;
    struct ptx_label *labels;
    uint32_t label_count;
    struct ptx_targets *targets;
    uint32_t target_count;
    uint32_t maxntid[3], reqntid[3], maxnreg, minnctapersm, cluster[3]; /* 0: not given */
    bool explicit_cluster;
    bool blocks_are_clusters; /* a launch gives the grid in clusters instead of CTAs */
    struct ptx_place place, end;
    bool broken; /* `fault` is the reason; a launch returns this error */
    struct err fault;
};

struct intern;
struct ptx_module {
    char *label;                           /* name for messages: the file's name */
    uint32_t version_major, version_minor; /* .version */
    uint32_t target;                       /* 70 for sm_70 */
    uint32_t address_bits;                 /* 64 (or 32) */
    const char *target_text;               /* the list behind .target, as written */
    const char **files;                    /* .file names by number; NULL: unused number */
    uint32_t file_count;
    struct ptx_function *functions;
    uint32_t function_count;
    struct ptx_variable *variables;
    uint32_t variable_count;
    struct ptx_initial *initials;
    uint32_t initial_count;
    struct intern *texts;
};

/* Parses a whole module. The text may end with a NUL, which is skipped. Returns -1 if nothing can be used (no
 * .version, no memory, sizes over a limit); else 0. Functions with faults keep their errors. */
int ptx_parse(const char *text, size_t n, const char *label, struct ptx_module **out, struct err *e);
int ptx_parse_file(const char *path, struct ptx_module **out, struct err *e);
void ptx_module_free(struct ptx_module *m);
uint32_t ptx_find_function(const struct ptx_module *m, const char *name); /* or PTX_NONE */
uint32_t ptx_find_variable(const struct ptx_module *m, const char *name); /* module scope; or PTX_NONE */
/* Returns PTX text that parses to the same module; malloc'ed. NULL: no memory. */
char *ptx_print(const struct ptx_module *m, struct err *e);
/* Returns one instruction as text for messages; malloc'ed. */
char *ptx_print_inst(const struct ptx_module *m, const struct ptx_function *f, const struct ptx_inst *i,
                     struct err *e);

#endif
