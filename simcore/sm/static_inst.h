/* simcore/sm/static_inst.h: an instruction of the kernel, decoded once into ready answers for one GPU. */
#ifndef VIVACE_SIMCORE_SM_STATIC_INST_H
#define VIVACE_SIMCORE_SM_STATIC_INST_H

#include "simcore/sm/opcode_table.h"
#include "simcore/trace/inst_source.h"

/* What an instruction occupies in its sub-core. */
enum pipe {
    PIPE_FP32,
    PIPE_INT,
    PIPE_FP16,
    PIPE_FP64,
    PIPE_SFU,
    PIPE_TENSOR,
    PIPE_SHUFFLE,
    PIPE_UNIFORM,
    PIPE_BRANCH,
    PIPE_COUNT,
    PIPE_MEMORY = PIPE_COUNT, /* the memory queue: taken by entry, not by time */
    PIPE_NONE
};

struct static_inst {
    uint8_t action, space, flags, mix;
    uint8_t pipe;
    bool pipe_per_sm;  /* the four sub-cores share this pipe */
    bool either_pipe;  /* FP32 that may also use the integer pipe */
    uint8_t width;     /* bytes a lane of a memory access; 0: no addresses */
    uint16_t latency;  /* cycles to a dependent issue; 0: known when it issues */
    uint16_t interval; /* cycles the pipe takes nothing else */
    uint8_t dst, dst_count;
    uint8_t dep_count; /* registers it waits for: sources, address, data */
    bool known, typed;
    bool leaves;                         /* would be seen outside the SM */
    uint32_t early;                      /* doubled: so long before its results are there it issues */
    uint8_t operand[3], operand_regs[3]; /* the first sources as the register file sees them: slot by slot */
    uint32_t line;                       /* of code, see fetch.h */
    uint32_t control;                    /* CONTROL_... of inst_source.h; 0: not known */
    uint32_t dep_at;                     /* where they stand in the table of registers */
    int32_t immediate;                   /* barrier or group count; -1: not recorded */
};

/* The decoded instructions of one kernel. They grow with the source's table. */
struct static_code {
    uint32_t first_line; /* of code, so that launches that share an SM have lines of their own */
    size_t count, capacity;
    struct static_inst *inst;
    size_t dep_count, dep_capacity;
    uint8_t *dep;
    /* opcodes are classified once per text, too */
    size_t op_count, op_capacity;
    struct op_info *op;
    bool native_only; /* opcodes that the design's GPU does not have are refused */
    size_t unknown;   /* instructions whose opcode the simulator does not know */
};

void static_code_release(struct static_code *c);
void static_code_clear(struct static_code *c); /* a new kernel; keeps the memory */
/* Decodes what the source's table has gained. ERR_INVALID: an opcode is refused. An error where most instructions
 * of it have opcodes that are not known. */
int static_code_extend(struct static_code *c, const struct inst_source *s, const struct gpu_design *d,
                       struct err *e);

#endif
