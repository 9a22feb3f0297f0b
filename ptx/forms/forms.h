/* ptx/forms/forms.h: executes the instruction forms that need no memory, no control flow and no other lane. A
 * handler processes the 32 lanes of a warp.
 *
 * A form is an opcode with the modifiers and types that change the value: "add.ftz.f32", "cvt.rni.s32.f32",
 * "setp.lt.s32". The files forms_*.c contain handlers and tables. Each file is compiled once for each kind of CPU
 * (plain; AVX2 with FMA and F16C; AVX-512), with a different name prefix. All versions compute the same bits.
 *
 * Operands are rows of the warp's register file. A row has 32 values of 16, 32, 64 or 128 bits, one for each
 * lane. 8-bit values use 16-bit rows. Predicates are masks with one bit for each lane, in a separate array.
 * Constants are rows too, filled when a warp starts, so a handler does not test the kind of its operands. */
#ifndef VIVACE_PTX_FORMS_FORMS_H
#define VIVACE_PTX_FORMS_FORMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum { PTX_ROW_BYTES = 64, PTX_LANES = 32 }; /* rows are numbered in units of 64 bytes and aligned to 64 bytes */
enum { PTX_SOURCES_MAX = 4 };

/* The part of a warp's state that a handler uses. */
struct ptx_lanes {
    uint8_t *rows;   /* register file: operand r begins at rows + r * PTX_ROW_BYTES */
    uint32_t *preds; /* one mask for each predicate */
    uint32_t carry;  /* carry flag of the condition code, one bit for each lane */
};

#define PTX_NO_ROW UINT16_MAX /* the operand is missing or is _ */

/* Operand numbers of one instruction: row numbers, or indices of preds where the form has width 1. Two rows of
 * one instruction are identical, or have different widths, or do not overlap. */
struct ptx_form_args {
    uint16_t dst, dst2; /* dst2: q of setp p|q; PTX_NO_ROW: no second result */
    uint16_t src[PTX_SOURCES_MAX];
    uint8_t negate; /* bit i: source i is a negated predicate */
    uint32_t imm;   /* lop3's table, or another immediate that selects the operation */
};

/* Executes the form for the lanes of the mask. Other lanes keep their bits. The mask of `full` is all ones. A
 * handler reads all sources before it writes a destination. */
typedef void ptx_handler(struct ptx_lanes *w, const struct ptx_form_args *a, uint32_t mask);

struct ptx_form {
    const char *name;             /* canonical, see ptx_form_name() */
    uint16_t dst_bits, dst2_bits; /* 0: none; 1: a predicate; 16, 32, 64, 128 */
    uint16_t src_bits[PTX_SOURCES_MAX];
    bool sets_carry, reads_carry,
        has_imm;  /* has_imm: the operand after src_bits[2] is an immediate; its value is args.imm */
    uint32_t imm; /* without has_imm: the required value of args.imm */
    ptx_handler *full, *part;
};

/* Moves of vectors have special names, with the width of the whole and of a piece:
 *   pack.b64.b32     mov.b64 d, {s0, s1}
 *                    Also b128.b64 b128.b32 b64.b16 b32.b16 b32.b8 b16.b8.
 *   unpack.b64.b32   mov.b64 {dst, dst2}, s0
 *                    The same widths. Pieces 2 and 3 are written to src[1] and src[2], whose src_bits are 0.
 *                    Any piece may be PTX_NO_ROW.
 *   pair.b32         mov.v2.b32 {dst, dst2}, {s0, s1}
 *                    Both sources are read before a destination is written. Also b16 b64.
 * min and max of three values are min3 and max3. */

/* Each forms_*.c defines one table for each kind of CPU, sorted by name. forms_cpu.c joins the tables and selects
 * those of this CPU. */
struct ptx_form_table {
    const struct ptx_form *forms;
    size_t count;
};

/* Writes the canonical name of an instruction. Input: opcode, modifiers and types as in module.h. The name omits
 * modifiers that have no effect on the value: cache and eviction hints, .uni, scopes. The other modifiers keep
 * their order. Two spellings of one operation get one name ("vote.ballot.sync" -> "vote.sync.ballot"). Returns
 * false if the name is longer than `room`. */
struct ptx_inst;
bool ptx_form_name(const struct ptx_inst *i, char *out, size_t room);
const struct ptx_form *ptx_form_find(const char *name); /* NULL: there is no form of this name */
/* All forms in order of name, for coverage and tests. *n: their count. */
const struct ptx_form *const *ptx_forms(size_t *n);
/* Chooses the handlers. kind: NULL for the best of this CPU; or "plain", "avx2", "avx512" (for tests).
 * ERR_UNSUPPORTED: this CPU cannot run that kind. Do not call it while a kernel runs. Pointers that
 * ptx_form_find() returned earlier become invalid. */
int ptx_forms_choose_cpu(const char *kind, struct err *e);

#endif
