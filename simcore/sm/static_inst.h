/* simcore/sm/static_inst.h: an instruction of the kernel, decoded once for one GPU. */
#ifndef VIVACE_SIMCORE_SM_STATIC_INST_H
#define VIVACE_SIMCORE_SM_STATIC_INST_H

#include "simcore/sm/opcode_table.h"
#include "simcore/trace/inst_source.h"

/* The unit of its sub-core that an instruction occupies. */
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
    PIPE_MEMORY = PIPE_COUNT, /* the memory queue: limited by entries, not by time */
    PIPE_NONE
};

struct static_inst {
    uint8_t action, space, flags, mix;
    uint8_t pipe;
    bool pipe_per_sm;  /* the four sub-cores share this pipe */
    bool either_pipe;  /* FP32 that can also use the integer pipe */
    uint8_t width;     /* bytes per lane of a memory access; 0: no addresses */
    uint16_t latency;  /* cycles to a dependent issue; 0: known when it issues */
    uint16_t interval; /* cycles for which the pipe accepts no other instruction */
    uint16_t dst;      /* its first destination, a register of the scoreboard (sm.h) */
    uint8_t dst_count;
    uint8_t dep_count; /* registers it waits for: sources, address, data */
    bool known, typed;
    bool leaves;    /* has an effect outside the SM */
    uint8_t group;  /* a warp-group product: GROUP_... of inst_source.h */
    uint32_t early; /* doubled: it can issue this long before earlier results to its destination arrive */
    uint8_t operand[3], operand_regs[3]; /* the first source operands, one per slot of the register file */
    uint32_t line;                       /* its code line, see fetch.h */
    uint32_t control;                    /* CONTROL_... of inst_source.h; 0: unknown */
    uint32_t dep_at;                     /* index of these registers in the register table */
    int32_t immediate;                   /* barrier or group count; -1: not recorded */
};

/* The decoded instructions of one kernel, extended when the source's table grows. */
struct static_code {
    uint32_t first_line; /* first code line, so that launches on the same SM have separate lines */
    size_t count, capacity;
    struct static_inst *inst;
    size_t dep_count, dep_capacity;
    uint16_t *dep;
    /* each opcode text is also classified once */
    size_t op_count, op_capacity;
    struct op_info *op;
    bool native_only; /* opcodes that the GPU of the design does not have are errors */
    size_t unknown;   /* instructions with an unknown opcode */
};

void static_code_release(struct static_code *c);
void static_code_clear(struct static_code *c); /* for a new kernel; keeps the memory */
/* Decodes new instructions of the source's table. ERR_INVALID: an opcode is not supported by the GPU, or most
 * instructions have unknown opcodes. */
int static_code_extend(struct static_code *c, const struct inst_source *s, const struct gpu_design *d,
                       struct err *e);

#endif
