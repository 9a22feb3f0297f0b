/* sass/decode.h: machine instructions of sm_70 to sm_90, decoded by the table in table.c.
 *
 * An instruction has 128 bits: operation in bits 0 to 8, form of the operands in 9 to 11, guard in 12 to 15,
 * control fields in 105 to 125; the row of the operation defines the others. A bit that is set and that no
 * part of the row reads makes the instruction "partly" decoded, as does a value without a known name.
 *
 * Source of the control fields: Jia et al., "Dissecting the NVIDIA Volta GPU Architecture via Microbenchmarking",
 * section 2.1; of the rest: table.c. */
#ifndef VIVACE_SASS_DECODE_H
#define VIVACE_SASS_DECODE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

enum sass_class {
    SASS_FLOAT,   /* arithmetic of f16, f32, f64, and comparisons of these */
    SASS_INTEGER, /* the same of integers, logic, shifts, moves, predicates, the uniform ones too */
    SASS_LOAD,    /* global, generic and local memory */
    SASS_STORE,
    SASS_SHARED_LOAD,
    SASS_SHARED_STORE,
    SASS_ATOMIC,
    SASS_CONTROL, /* branches, barriers, exits, convergence */
    SASS_TENSOR,
    SASS_OTHER, /* conversions, special functions, shuffles, special registers, constants */
    SASS_CLASS_COUNT
};
extern const char *const sass_class_names[SASS_CLASS_COUNT];

enum sass_state { SASS_UNKNOWN, SASS_PARTLY, SASS_DECODED };
enum sass_kind {
    SASS_REGISTER,  /* index; 255: RZ */
    SASS_UNIFORM,   /* index; 63: URZ */
    SASS_PREDICATE, /* index; 7: PT */
    SASS_UNIFORM_PREDICATE,
    SASS_BARRIER,  /* a convergence barrier, B0 to B15 */
    SASS_NUMBER,   /* value */
    SASS_SPECIAL,  /* index of a special register */
    SASS_CONSTANT, /* bank, value: byte offset; index: a register that is added, or 255 */
    SASS_ADDRESS,  /* index: register, uniform: uniform register or 63, value: byte offset */
    SASS_TARGET,   /* value: address of an instruction in the function */
    SASS_ALL_PREDICATES
};
enum { SASS_RZ = 255, SASS_URZ = 63, SASS_PT = 7, SASS_OPERANDS_MAX = 10, SASS_MODIFIERS_BYTES = 64 };

struct sass_operand {
    uint8_t kind;     /* enum sass_kind */
    bool negated;     /* -x; of a predicate: not */
    bool inverted;    /* ~x: each bit */
    bool absolute;    /* |x| */
    bool wide;        /* of an address: 64-bit register pair */
    bool short_index; /* of an address: the register has 32 bits, beside a uniform one */
    bool described;   /* of an address: the uniform register is a descriptor */
    uint8_t half;     /* of f16 pairs: 2: the low half twice, 3: the high half twice */
    uint8_t scale;    /* of an address: log2 of the factor of the register */
    uint8_t uniform;  /* of an address */
    uint16_t index;
    uint8_t bank;
    int64_t value;
};
#define SASS_NO_BARRIER 7
struct sass_control {
    uint8_t stall, yield;                /* yield: the bit as it is; 0 lets another warp issue (CuAssembler: "Y") */
    uint8_t write_barrier, read_barrier; /* 0 to 5, or SASS_NO_BARRIER */
    uint8_t wait_mask, reuse;            /* reuse: bit 0 the first source */
};
struct sass_inst {
    enum sass_state state;
    enum sass_class class;
    const char *name;                     /* "FFMA"; NULL: unknown */
    char modifiers[SASS_MODIFIERS_BYTES]; /* ".FTZ.RZ" */
    struct sass_operand guard;            /* SASS_PREDICATE */
    struct sass_operand operands[SASS_OPERANDS_MAX];
    uint32_t operand_count;
    struct sass_control control;
    uint64_t address, words[2];
    uint64_t unexplained[2]; /* bits that are set and that the row does not read */
};

/* Architectures with this encoding. */
bool sass_can_decode(uint32_t arch);
/* words: the two halves, low first. address: in the function, for targets. */
void sass_decode(const uint64_t words[2], uint32_t arch, uint64_t address, struct sass_inst *out);
/* "@!P0 FFMA.FTZ R1, R2, -R3, c[0x0][0x160]"; an unknown one as its words. */
void sass_print(const struct sass_inst *x, struct strbuf *out);
void sass_print_operand(const struct sass_operand *x, struct strbuf *out);
const char *sass_special_name(uint32_t index); /* "SR_TID.X"; NULL: unknown */

/* The class of an operation (the low 9 bits), and that of a name before its first dot; SASS_OTHER where unknown. */
enum sass_class sass_class_of_operation(uint32_t operation);
enum sass_class sass_class_of_name(const char *name, size_t n);

#endif
