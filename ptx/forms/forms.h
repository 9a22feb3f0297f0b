/* ptx/forms/forms.h: what the instruction forms without memory, control flow or other lanes do, 32 lanes at a
 * time.
 *
 * A form is an opcode with the modifiers and types that change the value: "add.ftz.f32", "cvt.rni.s32.f32",
 * "setp.lt.s32". Files forms_*.c hold handlers and tables; they are compiled once for each kind of CPU (plain, AVX2
 * with FMA and F16C, AVX-512) under another prefix, and give the same bits in all of them.
 *
 * Operands are rows of the warp's register file: 32 values of 16, 32, 64 or 128 bits side by side (8-bit values
 * live in 16-bit rows). Predicates are masks, one bit a lane, in an array of their own. Constants are rows, too,
 * filled when a warp starts, so a handler never asks what kind of operand it has. */
#ifndef VIVACE_PTX_FORMS_FORMS_H
#define VIVACE_PTX_FORMS_FORMS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

enum { PTX_ROW_BYTES = 64, PTX_LANES = 32 }; /* rows are numbered in units of 64 bytes, and aligned to it */
enum { PTX_SOURCES_MAX = 4 };

/* What a handler sees of a warp. */
struct ptx_lanes {
    uint8_t *rows;   /* register file: operand r begins at rows + r * PTX_ROW_BYTES */
    uint32_t *preds; /* one mask each */
    uint32_t carry;  /* the condition code's carry flag, a bit a lane */
};

#define PTX_NO_ROW UINT16_MAX /* no such operand, or _ */

/* Operand numbers of one instruction: rows, or places in preds where the form says width 1. Two rows of one
 * instruction are the same, or of different width, or do not overlap. */
struct ptx_form_args {
    uint16_t dst, dst2; /* dst2: q of setp p|q; PTX_NO_ROW: not wanted */
    uint16_t src[PTX_SOURCES_MAX];
    uint8_t negate; /* bit i: source i is a predicate and negated */
    uint32_t imm;   /* lop3's table and other immediates that choose what is done */
};

/* Does it for the lanes of the mask; other lanes keep their bits. `full` is called with all ones. All sources are
 * read before a destination is written. */
typedef void ptx_handler(struct ptx_lanes *w, const struct ptx_form_args *a, uint32_t mask);

struct ptx_form {
    const char *name;             /* canonical, see ptx_form_name() */
    uint16_t dst_bits, dst2_bits; /* 0: none; 1: a predicate; 16, 32, 64, 128 */
    uint16_t src_bits[PTX_SOURCES_MAX];
    bool sets_carry, reads_carry,
        has_imm;  /* has_imm: operand after src_bits[2] is an immediate, goes to args.imm */
    uint32_t imm; /* without has_imm: what args.imm must be */
    ptx_handler *full, *part;
};

/* Moves of vectors have names of their own, by the width of the whole and of a piece:
 *   pack.b64.b32     mov.b64 d, {s0, s1}            also b128.b64 b128.b32 b64.b16 b32.b16 b32.b8 b16.b8
 *   unpack.b64.b32   mov.b64 {dst, dst2}, s0        the same widths; pieces 2 and 3 go to src[1] and src[2] (their
 *                                                   src_bits are 0); any piece may be PTX_NO_ROW
 *   pair.b32         mov.v2.b32 {dst, dst2}, {s0, s1}: both are read before one is written; also b16 b64
 * min and max of three values are min3 and max3. */

/* Each forms_*.c gives one table, sorted by name, per CPU kind; forms_cpu.c joins them and picks the CPU's. */
struct ptx_form_table {
    const struct ptx_form *forms;
    size_t count;
};

/* Without what has no effect on the value: cache and eviction hints, .uni, scopes; modifiers in the order written,
 * both spellings of one thing made one ("vote.ballot.sync" -> "vote.sync.ballot"). In: opcode, modifiers, types of
 * an instruction as module.h holds them. False: longer than the room. */
struct ptx_inst;
bool ptx_form_name(const struct ptx_inst *i, char *out, size_t room);
const struct ptx_form *ptx_form_find(const char *name); /* NULL: none such */
/* All of them, in order of names, for coverage and tests: fills *n. */
const struct ptx_form *const *ptx_forms(size_t *n);
/* Chooses the handlers: NULL: the best this CPU has; else "plain", "avx2", "avx512" (for tests). ERR_UNSUPPORTED.
 * Not while anything runs; answers of ptx_form_find() before it are void. */
int ptx_forms_choose_cpu(const char *kind, struct err *e);

#endif
