/* ptx/decode/decode_internal.h: what the files of decoding share: decode.c (the function, branches),
 * decode_operand.c (operands, presets), decode_form.c, decode_memory.c, decode_async.c, decode_warp.c,
 * decode_call.c, decode_matrix.c, decode_texture.c,
 * decode_video.c, decode_cluster.c, decode_bulk.c, decode_tensor.c,
 * decode_stack.c.
 *
 * Functions answer -1 with the fault in d->e. */
#ifndef VIVACE_PTX_DECODE_DECODE_INTERNAL_H
#define VIVACE_PTX_DECODE_DECODE_INTERNAL_H

#include "ptx/code/actions.h"
#include "ptx/code/live.h"

enum { DECODE_PARAM = 1, DECODE_FRAME };
enum { DECODE_LOCAL_MAX = 512 << 10 }; /* local memory of a thread: CUDA C Programming Guide, technical limits */

/* Which numbers an operand may be: those of PTX's untyped, integer or float types. */
enum decode_numbers { DECODE_ANY, DECODE_INTEGERS, DECODE_FLOATS };

struct decode_home { /* of a variable of the function */
    uint8_t kind;    /* DECODE_PARAM: of the kernel; DECODE_FRAME; 0: has an address of its own */
    uint32_t at;     /* in the parameter block, in the frame */
};

struct decoder {
    const struct ptx_module *m;
    const struct ptx_function *f;
    uint32_t function; /* its number */
    struct ptx_code *c;
    struct ptx_flow flow;
    struct ptx_live live;
    uint16_t *row_of_value;
    struct decode_home *homes;            /* of each variable of the module */
    uint32_t rows, preds;                 /* in use */
    uint32_t *preset_places, preset_room; /* hash of the presets: their number + 1 */
    size_t preset_capacity, access_capacity, passed_capacity, call_capacity, table_capacity, matrix_capacity,
        wgmma_capacity;
    uint16_t scratch[2][3];   /* rows that nobody reads: for sources and results of 16, 32, 64 bits */
    const struct ptx_inst *i; /* at hand */
    struct ptx_op *op;
    struct err *e;
};

/* --- decode_fault.c --- */
int decode_fault(struct decoder *d, enum err_code code, const struct ptx_place *at, const char *format, ...)
    PRINTF_LIKE(4, 5);
int decode_unsupported(struct decoder *d); /* the instruction at hand */

/* --- decode_operand.c --- */
const struct ptx_operand *decode_operand(const struct decoder *d, uint32_t k);
int decode_count(struct decoder *d, uint32_t least, uint32_t most); /* of operands */
/* Row (place) and width of a register operand; a fault where it is none. */
int decode_register(struct decoder *d, const struct ptx_operand *o, uint16_t *row, uint32_t *bits);
/* Row of what is read, a register of exactly these bits or a preset; bits 1: a predicate. *negated: !%p. */
int decode_source(struct decoder *d, const struct ptx_operand *o, uint32_t bits, enum decode_numbers numbers,
                  uint16_t *row, bool *negated);
int decode_result(struct decoder *d, const struct ptx_operand *o, uint32_t bits, uint16_t *row); /* _: no row */
/* Operand k into args.src[slot], with its negate bit. */
int decode_to_src(struct decoder *d, uint32_t k, uint32_t bits, uint32_t slot);
int decode_pair(struct decoder *d, uint32_t k, uint32_t bits, uint16_t *row); /* of %r|%p; no row: there is none */
int decode_integer(struct decoder *d, uint32_t k, uint64_t *out);             /* an immediate */
int decode_preset(struct decoder *d, const struct ptx_preset *p, uint16_t *row); /* a row with this in it */
int decode_new_row(struct decoder *d, uint32_t bits, uint16_t *row);

/* The values of an operand: itself, those of a list, or those of a vector register; and number k of them. */
uint32_t decode_pieces(const struct decoder *d, const struct ptx_operand *o);
struct ptx_operand decode_piece(const struct decoder *d, const struct ptx_operand *o, uint32_t k);

/* --- the other files: one instruction --- */
int decode_form(struct decoder *d);
const struct ptx_form *decode_form_of(const struct decoder *d); /* NULL: there is no form of this name */
/* Its only result, of that number of bits, which must be there: into args.dst. */
int decode_one_result(struct decoder *d, const struct ptx_operand *o, uint32_t bits);
int decode_mov(struct decoder *d);
int decode_cvt(struct decoder *d);
int decode_cvta(struct decoder *d);
int decode_isspacep(struct decoder *d);
int decode_load(struct decoder *d);
int decode_store(struct decoder *d);
int decode_atomic(struct decoder *d);
int decode_cp(struct decoder *d);
int decode_mbarrier(struct decoder *d);
int decode_shfl(struct decoder *d);
int decode_vote(struct decoder *d);
int decode_match(struct decoder *d);
int decode_redux(struct decoder *d);
int decode_elect(struct decoder *d);
int decode_activemask(struct decoder *d);
int decode_barrier(struct decoder *d);
int decode_call(struct decoder *d);
int decode_mma(struct decoder *d);
int decode_wmma(struct decoder *d);
int decode_ldmatrix(struct decoder *d); /* and stmatrix */
int decode_movmatrix(struct decoder *d);
int decode_wgmma(struct decoder *d);  /* decode_wgmma.c */
int decode_bulk(struct decoder *d);   /* decode_bulk.c */
int decode_stack(struct decoder *d);  /* decode_stack.c */
int decode_tensor(struct decoder *d); /* decode_tensor.c */
int decode_mapa(struct decoder *d);
int decode_getctarank(struct decoder *d);
int decode_cluster_barrier(struct decoder *d);
int decode_video(struct decoder *d);        /* vadd and its like */
int decode_video_pieces(struct decoder *d); /* vadd2, vadd4 and theirs (decode_video_picked.c): mostly forms */
int decode_tex(struct decoder *d);
int decode_tld4(struct decoder *d);
int decode_txq(struct decoder *d); /* and suq */
int decode_surface(struct decoder *d);

/* --- decode_bulk.c --- */
/* [address] of a block into an access of its own. */
int decode_bulk_address(struct decoder *d, const struct ptx_operand *o, uint8_t space, struct ptx_access *a);
/* The op's three accesses, one behind the other: what is written, what is read, the barrier. */
int decode_bulk_end(struct decoder *d, const struct ptx_access all[3], int what);

/* --- decode_memory.c --- */
struct ptx_access *decode_new_access(struct decoder *d); /* the op's; NULL: no memory */
int decode_space(struct decoder *d, uint8_t *space);
int decode_atomic_kind(const struct decoder *d); /* enum ptx_atomic_what; -1: none */
/* [base + offset] into the access; its space is set already. */
int decode_address(struct decoder *d, const struct ptx_operand *o, struct ptx_access *a);
/* What the op's `.add` and the like say: the value of the first modifier of the table that it has; -1: none. */
struct decode_word {
    const char *modifier;
    int value;
};
int decode_which(const struct decoder *d, const struct decode_word *words, size_t n);

#endif
