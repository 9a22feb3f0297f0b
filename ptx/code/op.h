/* ptx/code/op.h: a function decoded for execution: the action, operands and successor of each instruction.
 *
 * Decoding resolves everything once. Registers become rows; values that are not live at the same time share rows.
 * Constants and special registers become rows that are filled when a warp starts. Labels become op numbers.
 * Reconvergence points are computed. One op is one PTX instruction, in order: op k of a function is instruction k
 * of module.h. */
#ifndef VIVACE_PTX_CODE_OP_H
#define VIVACE_PTX_CODE_OP_H

#include "ptx/forms/forms.h"
#include "ptx/parse/module.h"

enum ptx_action {
    PTX_DO_FORM, /* an instruction form (forms.h): handler and args */
    PTX_DO_NOTHING,
    PTX_DO_BRANCH,       /* target; without a guard all lanes branch */
    PTX_DO_BRANCH_INDEX, /* brx.idx: table of targets */
    PTX_DO_CALL,         /* direct: callee; indirect: args.src[0] contains the function's address */
    PTX_DO_RETURN,
    PTX_DO_EXIT,
    PTX_DO_TRAP,
    PTX_DO_LOAD,
    PTX_DO_STORE,
    PTX_DO_ATOMIC,      /* atom and red */
    PTX_DO_BARRIER,     /* bar, barrier: sync, arrive, red */
    PTX_DO_WARP,        /* shfl vote match redux elect activemask bar.warp: acts across lanes */
    PTX_DO_MATRIX,      /* mma wmma wgmma ldmatrix stmatrix movmatrix */
    PTX_DO_ASYNC,       /* cp.async and its groups, mbarrier */
    PTX_DO_FENCE,       /* membar, fence: no effect, because execution is sequential; kept for the trace */
    PTX_DO_SPECIAL,     /* mov from a special register that changes: clock, globaltimer */
    PTX_DO_SLEEP,       /* nanosleep: the warp yields */
    PTX_DO_TEXTURE,     /* tex tld4 suld sust */
    PTX_DO_SYSTEM_CALL, /* vprintf, malloc, free, __assertfail */
    PTX_DO_STACK,       /* alloca, stacksave, stackrestore */
    PTX_ACTION_COUNT
};

/* Operands of memory, warp and matrix actions that are not rows of args. */
struct ptx_access {
    uint8_t space;      /* enum ptx_space */
    uint8_t type;       /* enum ptx_type of one value: its size and how it is extended */
    uint8_t vector;     /* values per lane */
    uint8_t what;       /* an enum of actions.h: which atomic, which shuffle, ... */
    uint8_t base_bits;  /* width of the row of the address: 32 or 64 */
    uint8_t value_bits; /* width of the rows of values: 16, 32, 64, 128 (a narrower value is extended) */
    int64_t offset;     /* bytes, added to the address */
    uint16_t base;      /* row of the address; PTX_NO_ROW: the address is `offset` alone (in its space) */
    uint16_t values[8], value_count; /* rows that a load writes or a store reads; PTX_NO_ROW: _ */
    uint32_t hints;                  /* cache operators and scopes, for traces: enum ptx_hint */
};

enum { PTX_SEGMENT_MAX = 256 };

/* Can the warp continue at another op than the next one? */
static inline bool ptx_changes_flow(uint8_t action)
{
    switch (action) {
    case PTX_DO_BRANCH:
    case PTX_DO_BRANCH_INDEX:
    case PTX_DO_CALL:
    case PTX_DO_RETURN:
    case PTX_DO_EXIT:
    case PTX_DO_TRAP:
    case PTX_DO_BARRIER:
    case PTX_DO_WARP:
    case PTX_DO_MATRIX:
    case PTX_DO_SLEEP: return true;
    default: return false;
    }
}

/* Which ops the observer's `ran` is notified of when this op is executed. */
enum ptx_reports {
    PTX_REPORTS_BEFORE =
        1, /* the ops before this one; set for a block's first op and every PTX_SEGMENT_MAX-th op after it */
    PTX_REPORTS_PART = 2, /* this op too, if its guard disables some lanes */
    PTX_REPORTS = 4       /* this op in any case: it changes the control flow */
};

struct ptx_op {
    uint8_t action; /* enum ptx_action */
    bool guarded, guard_negated;
    bool uniform;    /* .uni, .aligned */
    uint8_t reports; /* enum ptx_reports */
    uint16_t guard;  /* index in preds */
    uint32_t target; /* BRANCH: op to continue at; CALL: index of the callee, or of its table of targets */
    uint32_t join;   /* BRANCH: op where diverged lanes reconverge (immediate post-dominator); PTX_NONE: at exit */
    uint32_t access; /* index into the function's accesses; for calls, into its calls; PTX_NONE */
    ptx_handler *full, *part;
    struct ptx_form_args args;
};

/* A row or predicate filled when a warp starts: a constant, or a special register that does not change. */
struct ptx_preset {
    uint16_t row;
    uint8_t bits;                /* 16, 32, 64, 128; 1: a predicate */
    uint8_t special;             /* enum ptx_special; PTX_SPECIAL_COUNT: the preset is `value` */
    uint8_t component;           /* 0 to 2: x, y, z */
    uint64_t value[2];           /* addresses of variables are filled in when the module is loaded */
    uint32_t variable, function; /* the preset is its address plus value[0]; PTX_NONE: unused */
    bool frame;                  /* value[0] is an offset from the start of the activation's frame (local memory) */
};

/* An argument or result of a call, on the caller's side. Item i belongs to parameter (or result) i of the
 * callee. */
struct ptx_passed {
    uint16_t row;          /* a register or constant; PTX_NO_ROW: bytes in the caller's frame */
    uint16_t bits;         /* of the row */
    uint32_t frame, bytes; /* offset in the frame, size */
};
/* A call has `args` items from `first` on, then `results` items. The frame of an activation is a block of each
 * thread's local memory. It contains, in this order: the formal parameters at their ptx_param.offset; from the next
 * multiple of 16 on, the results at their offsets; the .param variables of the body, for calls; the .local
 * variables. Parameters that are registers (ptx_param.reg) are moved into the callee's rows instead. */
struct ptx_call {
    uint32_t first, args, results;
};

/* A matrix instruction (PTX_DO_MATRIX on fragments in registers): D = A * B + C, or a load or store of one of the
 * four. */
enum ptx_matrix_part { PTX_MATRIX_D, PTX_MATRIX_A, PTX_MATRIX_B, PTX_MATRIX_C };
enum ptx_matrix_rounding { PTX_MATRIX_NEAREST, PTX_MATRIX_TO_ZERO, PTX_MATRIX_DOWN, PTX_MATRIX_UP };
enum { PTX_MATRIX_ROWS = 8 };
struct ptx_matrix {
    uint16_t m, n, k;
    uint8_t type[4];         /* enum ptx_type, of D, A, B, C */
    uint8_t part;            /* of a load or store: enum ptx_matrix_part */
    bool column;             /* of a load or store: the matrix is column-major in memory */
    bool quads;              /* m8n8k4 of f16: four products, each computed by a pair of lane quads */
    bool a_column, b_row;    /* of quads: A is column-major, B is row-major */
    uint8_t rounding;        /* enum ptx_matrix_rounding, of f64 */
    bool saturate, and_bits; /* .satfinite of integers; .and.popc of bits, else .xor.popc */
    bool sparse; /* A contains half of each group's values; `metadata`, in the lanes that `selector` names, has
                    their positions */
    uint8_t selector;
    uint16_t metadata; /* row of 32 bits */
    uint8_t count[4];  /* number of rows of D, A, B, C */
    uint16_t rows[4][PTX_MATRIX_ROWS];
};

/* wgmma (PTX_DO_MATRIX): four warps compute 64 rows of D = A * B + D. src[1]: descriptor of B (64 bits); src[0]:
 * predicate: add D (negate bit 0). */
enum { PTX_WGMMA_SUMS = 128 };
struct ptx_wgmma {
    uint16_t n, k;
    uint8_t d, a, b;         /* enum ptx_type */
    int8_t scale_a, scale_b; /* 1 or -1 */
    bool a_turned, b_turned; /* transposed in shared memory: rows of A, columns of B are contiguous, instead of k */
    bool saturate;
    uint16_t a_place; /* row of A's descriptor; PTX_NO_ROW: A is in registers */
    uint16_t a_registers[4], sums[PTX_WGMMA_SUMS];
};

struct ptx_block {
    uint32_t first, count; /* ops */
    /* Successor blocks, in `edges`. If the block falls through, the next block is the first of them. */
    uint32_t edge_first, edge_count;
    bool exits;    /* a lane may leave the function at the end of the block */
    uint32_t join; /* immediate post-dominator, a block; PTX_NONE: the end of the function */
};

struct ptx_code {
    const struct ptx_function *function;
    struct ptx_op *ops; /* one per instruction */
    uint32_t op_count;
    struct ptx_access *accesses;
    uint32_t access_count;
    struct ptx_block *blocks;
    uint32_t block_count;
    uint32_t *edges;
    uint32_t edge_count;
    struct ptx_preset *presets;
    uint32_t preset_count;
    uint32_t **tables; /* of brx.idx and indirect calls: count, then ops or functions */
    uint32_t table_count;
    uint16_t rows, preds; /* size of the register file of one activation */
    uint16_t *row_of; /* of each register of the function (component 0; the others follow); PTX_NO_ROW: unused */
    struct ptx_passed *passed;
    uint32_t passed_count;
    struct ptx_call *calls;
    uint32_t call_count;
    struct ptx_matrix *matrices;
    uint32_t matrix_count;
    struct ptx_wgmma *wgmmas;
    uint32_t wgmma_count;
    uint32_t local_bytes;    /* size of the frame per thread, without callees; see struct ptx_call */
    uint32_t param_bytes;    /* the part of it for .param variables, formal parameters and results */
    uint32_t shared_bytes;   /* static; of this function and all functions that it can call */
    uint32_t *shared_offset; /* of each variable of the module, in a kernel (shared.h); PTX_NONE: not shared */
    bool has_stack;          /* it allocates local memory while it runs: alloca */
    uint32_t live_words; /* largest number of 32-bit words live at one time; register allocation starts from it */
};

/* Decodes function k of the module. ERR_UNSUPPORTED with form, line and column: it contains something that cannot
 * run. ERR_MALFORMED: operands do not fit the form. */
int ptx_decode(const struct ptx_module *m, uint32_t function, struct ptx_code **out, struct err *e);
void ptx_code_free(struct ptx_code *c);
/* One op as text, from its decoded form, to find errors of decoding; malloc'ed. */
char *ptx_op_text(const struct ptx_code *c, uint32_t op, struct err *e);

#endif
