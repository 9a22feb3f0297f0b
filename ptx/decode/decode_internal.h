/* ptx/decode/decode_internal.h: shared by the files of this folder: decode.c (the function, branches),
 * decode_operand.c (operands, presets), decode_form.c, decode_memory.c, decode_async.c, decode_warp.c,
 * decode_call.c, decode_matrix.c, decode_texture.c, decode_video.c, decode_cluster.c, decode_bulk.c,
 * decode_tensor.c, decode_stack.c.
 *
 * Functions return -1 with the error in d->e. */
#ifndef VIVACE_PTX_DECODE_DECODE_INTERNAL_H
#define VIVACE_PTX_DECODE_DECODE_INTERNAL_H

#include "ptx/code/actions.h"
#include "ptx/code/live.h"

enum { DECODE_PARAM = 1, DECODE_FRAME };
enum { DECODE_LOCAL_MAX = 512 << 10 }; /* local memory of a thread: CUDA C Programming Guide, technical limits */

/* The numbers that an operand may be: those of PTX's untyped, integer or float types. */
enum decode_numbers { DECODE_ANY, DECODE_INTEGERS, DECODE_FLOATS };

struct decode_home { /* the place of a variable of the function */
    uint8_t kind;    /* DECODE_PARAM: kernel parameter; DECODE_FRAME: in the frame; 0: it has a separate address */
    uint32_t at;     /* offset in the parameter block or frame */
};

struct decoder {
    const struct ptx_module *m;
    const struct ptx_function *f;
    uint32_t function; /* its index */
    struct ptx_code *c;
    struct ptx_flow flow;
    struct ptx_live live;
    uint16_t *row_of_value;
    struct decode_home *homes;            /* of each variable of the module */
    uint32_t rows, preds;                 /* used until now */
    uint32_t *preset_places, preset_room; /* hash table of the presets: index + 1 */
    size_t preset_capacity, access_capacity, passed_capacity, call_capacity, table_capacity, matrix_capacity,
        wgmma_capacity;
    uint16_t scratch[2][3];   /* rows that no instruction reads: for sources and results of 16, 32, 64 bits */
    const struct ptx_inst *i; /* the instruction that is decoded */
    struct ptx_op *op;
    struct err *e;
};

/* --- decode_fault.c --- */
int decode_fault(struct decoder *d, enum err_code code, const struct ptx_place *at, const char *format, ...)
    PRINTF_LIKE(4, 5);
int decode_unsupported(struct decoder *d); /* reports the present instruction as not supported */

/* --- decode_operand.c --- */
const struct ptx_operand *decode_operand(const struct decoder *d, uint32_t k);
int decode_count(struct decoder *d, uint32_t least, uint32_t most); /* of operands */
/* Row (or index in preds) and width of a register operand. Other operands are an error. */
int decode_register(struct decoder *d, const struct ptx_operand *o, uint16_t *row, uint32_t *bits);
/* Row of an operand that is read: a register of exactly these bits, or a preset. bits 1: a predicate. *negated:
 * !%p. */
int decode_source(struct decoder *d, const struct ptx_operand *o, uint32_t bits, enum decode_numbers numbers,
                  uint16_t *row, bool *negated);
int decode_result(struct decoder *d, const struct ptx_operand *o, uint32_t bits, uint16_t *row); /* _: no row */
/* Operand k into args.src[slot], with its negate bit. */
int decode_to_src(struct decoder *d, uint32_t k, uint32_t bits, uint32_t slot);
int decode_pair(struct decoder *d, uint32_t k, uint32_t bits, uint16_t *row);    /* %p of %r|%p; no row if absent */
int decode_integer(struct decoder *d, uint32_t k, uint64_t *out);                /* an immediate */
int decode_preset(struct decoder *d, const struct ptx_preset *p, uint16_t *row); /* its row */
int decode_new_row(struct decoder *d, uint32_t bits, uint16_t *row);

/* decode_pieces(): the number of values of an operand: 1, or the length of a list or vector register.
 * decode_piece(): value k of them. */
uint32_t decode_pieces(const struct decoder *d, const struct ptx_operand *o);
struct ptx_operand decode_piece(const struct decoder *d, const struct ptx_operand *o, uint32_t k);

/* --- the other files: one instruction --- */
int decode_form(struct decoder *d);
const struct ptx_form *decode_form_of(const struct decoder *d); /* NULL: there is no form of this name */
/* The only result of the instruction, with this number of bits, into args.dst. It must be present. */
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
int decode_ldmatrix(struct decoder *d); /* stmatrix too */
int decode_movmatrix(struct decoder *d);
int decode_wgmma(struct decoder *d);  /* decode_wgmma.c */
int decode_bulk(struct decoder *d);   /* decode_bulk.c */
int decode_stack(struct decoder *d);  /* decode_stack.c */
int decode_tensor(struct decoder *d); /* decode_tensor.c */
int decode_mapa(struct decoder *d);
int decode_getctarank(struct decoder *d);
int decode_cluster_barrier(struct decoder *d);
int decode_video(struct decoder *d);        /* vadd and the other scalar video instructions */
int decode_video_pieces(struct decoder *d); /* vadd2, vadd4, ... (decode_video_picked.c): mostly forms */
int decode_tex(struct decoder *d);
int decode_tld4(struct decoder *d);
int decode_txq(struct decoder *d); /* suq too */
int decode_surface(struct decoder *d);

/* --- decode_bulk.c --- */
/* Decodes the [address] of a block into a separate access. */
int decode_bulk_address(struct decoder *d, const struct ptx_operand *o, uint8_t space, struct ptx_access *a);
/* Appends the op's three accesses: destination, source, barrier. */
int decode_bulk_end(struct decoder *d, const struct ptx_access all[3], int what);

/* --- decode_memory.c --- */
struct ptx_access *decode_new_access(struct decoder *d); /* a new access of the op; NULL: no memory */
int decode_space(struct decoder *d, uint8_t *space);
int decode_atomic_kind(const struct decoder *d); /* enum ptx_atomic_what; -1: none */
/* Decodes [base + offset] into the access. The caller has set the access's space. */
int decode_address(struct decoder *d, const struct ptx_operand *o, struct ptx_access *a);
/* decode_which() returns the value of the first entry whose modifier the instruction has; -1: none. */
struct decode_word {
    const char *modifier;
    int value;
};
int decode_which(const struct decoder *d, const struct decode_word *words, size_t n);

#endif
