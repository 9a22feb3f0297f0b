/* sass/exec/machine.h: prepared operations, and the state of warps, CTAs and launches.
 *
 * prepare.c makes an operation of a decoded instruction: a handler, sources, results. A handler works on 32 lanes.
 * Operations of the uniform datapath have the same handlers: their sources are the same in all lanes, and of a
 * result the lowest lane is kept. */
#ifndef VIVACE_SASS_EXEC_MACHINE_H
#define VIVACE_SASS_EXEC_MACHINE_H

#include "ptx/forms/forms.h"
#include "sass/exec/exec.h"

enum {
    LANES = PTX_LANES,
    REGISTERS = 256,
    UNIFORMS = 64,
    PREDICATES = 8,
    CONVERGENCE_BARRIERS = 16,
    CTA_BARRIERS = 16,
    WARPS_MAX = 32,
    SOURCES = 4,
    TEMPORARIES = 6,
    NO_PREDICATE = SASS_PT,
    INST_BYTES = CUBIN_INST_BYTES,
    VARIABLES_BANK = 3 /* the bank of __constant__ variables */
};
#define ALL_LANES 0xffffffffu

struct sass_warp;
struct sass_op;
/* Executes the operation for the lanes of the mask (after the guard). -1: a fault, which is reported. */
typedef int sass_handler(struct sass_warp *w, const struct sass_op *op, uint32_t mask);

/* How a form's sources are read: as integers, floats, pairs of f16, or one f16 of a pair. */
enum source_signs { SIGNS_INTEGER, SIGNS_FLOAT, SIGNS_PAIR };
enum source_kind { FROM_REGISTER, FROM_UNIFORM, FROM_NUMBER, FROM_CONSTANT };
struct sass_source {
    uint8_t kind; /* enum source_kind */
    bool negated, inverted, absolute;
    uint8_t half; /* of f16 pairs: 2, 3: the low, high half twice */
    uint8_t bank;
    uint16_t index;
    uint64_t value; /* a number, or the offset in a bank */
};
struct sass_predicate {
    uint8_t index; /* NO_PREDICATE: true */
    bool negated, uniform;
};
struct sass_op {
    sass_handler *run;
    const struct ptx_form *form,
        *other; /* arithmetic that PTX has too; other: with two forms, where preds[0] is not */
    struct sass_source src[SOURCES];
    struct sass_predicate guard, preds[3];
    uint8_t results[2]; /* predicates; NO_PREDICATE: none */
    uint16_t dst;
    bool uniform;       /* dst is uniform */
    bool once;          /* an operation of the uniform datapath: results are uniform too */
    uint8_t signs;      /* enum source_signs, of the sources of a form */
    uint8_t class;      /* enum sass_class */
    uint8_t what, type; /* the operation's own */
    uint8_t bytes;      /* of a value in memory */
    bool is_signed, extended, high, wrap;
    uint32_t number;
    struct sass_operand address, copy_to;
    uint64_t target;
    const char *reason; /* of operations that cannot run */
};

/* An instruction with a relocation that is not applied. */
struct sass_unresolved {
    uint64_t at; /* from the begin of the code */
    char *why;
};
struct sass_code {
    const struct cubin_function *function;
    uint8_t *bytes; /* relocated */
    uint64_t base;  /* address of the first instruction */
    uint32_t arch, count;
    struct sass_op *ops; /* NULL: not prepared yet */
    uint32_t section;
    const struct sass_module_image *module;
    struct sass_unresolved *unresolved;
    size_t unresolved_count, unresolved_capacity;
};

enum lane_state { LANE_RUNS, LANE_AT_BSYNC, LANE_AT_WARPSYNC, LANE_AT_BAR };
struct sass_warp {
    _Alignas(64) uint32_t registers[REGISTERS][LANES]; /* RZ: 0 */
    _Alignas(64) uint32_t narrow[TEMPORARIES][LANES];  /* temporaries; after the registers: forms address all */
    _Alignas(64) uint64_t temporaries[TEMPORARIES][LANES];
    uint32_t uniforms[UNIFORMS];
    uint32_t predicates[PREDICATES], uniform_predicates[PREDICATES]; /* of a uniform one: all lanes or none */
    uint32_t threads, alive;                                         /* lanes that exist; that have not ended */
    uint32_t active;                               /* lanes that execute together; 0: none is chosen */
    uint64_t at, next;                             /* of the active lanes: this instruction, the next one */
    uint64_t pc[LANES];                            /* of other lanes */
    uint8_t state[LANES];                          /* enum lane_state */
    uint32_t waits[LANES];                         /* number of the barrier, or mask of WARPSYNC */
    uint32_t members[CONVERGENCE_BARRIERS][LANES]; /* what each lane sees in a convergence barrier */
    uint32_t barrier_result;                       /* of BAR.RED */
    uint32_t spent;                                /* instructions since the active lanes were chosen */
    const struct sass_code *code;                  /* where `at` is */
    uint8_t *local;                                /* of all lanes */
    uint32_t index;
    struct sass_cta *cta;
};
struct cta_barrier {
    uint32_t arrived[WARPS_MAX], votes[WARPS_MAX];
    uint32_t expected; /* threads; 0: all */
    uint8_t red;       /* enum barrier_red */
    bool in_use;
};
struct sass_cta {
    struct sass_run *run;
    uint32_t id[3], warps, threads;
    struct sass_warp *warp;
    uint8_t *shared;
    uint64_t shared_bytes;
    struct cta_barrier barriers[CTA_BARRIERS];
};
struct sass_bank {
    uint8_t *bytes;
    uint64_t n;
};
struct sass_run {
    struct sass_program *program;
    const struct device_memory *memory;
    const struct sass_code *code;
    const struct sass_launch *launch;
    struct sass_stats *stats;
    struct sass_bank banks[CUBIN_BANKS];
    uint32_t local_bytes;
    uint64_t limit, clock;
    uint64_t from, to; /* the allocation that was used last */
    ptrdiff_t shift;
    struct err *e;
};

/* --- values.c: sources and results --- */
/* 32 values of a source; it may be the register itself. Signs are those of integers (read_u32), of floats
 * (read_f32), or not applied. t: the temporary that may be used. */
const uint32_t *read_plain(struct sass_warp *w, const struct sass_source *s, int t);
const uint32_t *read_u32(struct sass_warp *w, const struct sass_source *s, int t);
const uint32_t *read_f32(struct sass_warp *w, const struct sass_source *s, int t);
const uint32_t *read_pair(struct sass_warp *w, const struct sass_source *s, int t); /* two f16 */
const uint64_t *read_u64(struct sass_warp *w, const struct sass_source *s, int t);  /* a pair of registers */
const uint64_t *read_f64(struct sass_warp *w, const struct sass_source *s, int t);
void write_u32(struct sass_warp *w, const struct sass_op *op, const uint32_t *values, uint32_t mask);
void write_u64(struct sass_warp *w, const struct sass_op *op, const uint64_t *values, uint32_t mask);
/* Register `at` after the first result. */
void write_register(struct sass_warp *w, const struct sass_op *op, uint32_t at, const uint32_t *values,
                    uint32_t mask);
uint32_t read_predicate(const struct sass_warp *w, const struct sass_predicate *p);
void write_predicate(struct sass_warp *w, const struct sass_op *op, int k, uint32_t value, uint32_t mask);
/* 4 bytes of a constant bank; 0 outside of it. */
uint32_t constant_at(const struct sass_warp *w, uint32_t bank, uint64_t offset);

/* --- program.c --- */
/* The code of the function that contains this address, prepared. NULL: there is none, or no memory; reported. */
const struct sass_code *sass_code_at(struct sass_run *r, uint64_t address);

/* --- prepare.c --- */
int sass_prepare(struct sass_code *c, const struct sass_run *r, struct err *e);

/* --- bank0.c --- */
/* Whether the meaning of these bytes of constant bank 0 is known. */
bool bank0_is_known(const struct sass_code *c, uint64_t offset, uint32_t bytes);
/* Constant bank 0 of the run's launch. The caller frees its bytes. */
int bank0_new(const struct sass_run *r, struct sass_bank *to);

/* --- fault.c --- */
/* Reports a fault of the operation that the active lanes execute. lane < 0: of the warp. Returns -1. */
int sass_fault(struct sass_warp *w, int lane, const char *format, ...) __attribute__((format(printf, 3, 4)));

/* --- control.c --- */
/* The lanes stop here and wait; they continue at the next instruction. */
void lanes_wait(struct sass_warp *w, uint32_t lanes, enum lane_state state, uint32_t for_what);
/* Continues lanes whose wait is over, after lanes have ended, arrived or left a barrier. */
void release_lanes(struct sass_warp *w);
/* Chooses lanes that continue together. False: none can. */
bool choose_lanes(struct sass_warp *w);

/* --- crowd.c --- */
bool special_is_known(uint32_t which);

/* --- barrier.c --- */
void barriers_check(struct sass_cta *c);

/* --- handlers --- */
sass_handler do_nothing, do_refused, do_form, do_mov, do_sel, do_p2r, do_r2p, do_special, do_isetp, do_iadd3,
    do_lea, do_lop3, do_iabs, do_minmax, do_shf, do_plop3, do_imad, do_imad_wide, do_imad_hi, do_fsetp, do_dsetp,
    do_fsel, do_fchk, do_mufu, do_vote, do_vabsdiff, do_shfl, do_match, do_redux, do_r2ur, do_load, do_store,
    do_ldc, do_atomic, do_cas, do_ldgsts, do_ldsm, do_bra, do_bra_div, do_brx, do_call, do_ret, do_exit, do_bssy,
    do_bsync, do_break, do_warpsync, do_yield, do_bmov_read, do_bmov_write, do_bar, do_b2r, do_lepc, do_trap,
    do_half_set, do_flo, do_idp, do_qspc, do_elect, do_i2i;

#endif
