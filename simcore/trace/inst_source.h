/* simcore/trace/inst_source.h: the source of warp instructions. It is the only trace interface of the timing model.
 *
 * A source provides one kernel launch: its shape, a table of static instructions (each distinct line of code once),
 * and the executed path of each warp, CTA by CTA in the order in which the hardware would start them. */
#ifndef VIVACE_SIMCORE_TRACE_INST_SOURCE_H
#define VIVACE_SIMCORE_TRACE_INST_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define WARP_LANES   32
#define INST_MAX_SRC 8
#define REG_ZERO     255         /* RZ: an instruction never waits for it */
#define WINDOW_BYTES (16u << 20) /* size of the generic address windows of shared and local memory */

struct kernel_info {
    char *name;  /* mangled, as in the trace */
    uint64_t id; /* launch number in the trace */
    uint32_t grid[3], block[3];
    uint32_t shared_bytes;   /* static + dynamic, per CTA */
    uint32_t registers;      /* per thread; 1 if the trace does not state it */
    uint32_t binary_version; /* compute capability times ten (70, 80, 86, ...); 0: unknown */
    uint64_t stream;
    uint64_t shared_base, local_base; /* bases of the generic address windows of 16 MiB; 0: unknown */
    uint32_t tracer_version;
    uint32_t cluster; /* CTAs per cluster, consecutive in the order of the trace; 0 or 1: no clusters */
};

/* A static instruction: the facts that all its executions share. */
struct trace_inst {
    uint32_t opcode; /* index into the source's opcode texts */
    uint32_t pc;
    uint16_t width; /* bytes per lane of a memory access; 0: the instruction has no addresses */
    uint8_t dst_count, src_count;
    uint8_t dst, dst_regs; /* first destination register, and number of registers written (repaired); 0: none */
    uint8_t src[INST_MAX_SRC], src_regs[INST_MAX_SRC];
    /* Accel-Sim 2.0: operands that are predicates or uniform registers. Their dst or src entry is REG_ZERO. 0:
     * none; else 1 + OTHER_... + the register's number */
    uint8_t other_dst, other_src[INST_MAX_SRC];
    uint8_t group;     /* a warp-group product: GROUP_... */
    int64_t immediate; /* last immediate operand; 0 when not recorded */
    bool has_immediate;
    uint32_t control; /* scheduling control bits from the compiler (CONTROL_...); 0: unknown */
};

/* Uniform registers 0 to 62 (63 is URZ), predicates 0 to 6 (7 is PT), uniform predicates 0 to 6. */
enum { OTHER_UNIFORM = 0, OTHER_PREDICATE = 64, OTHER_UNIFORM_PREDICATE = 72, OTHER_REGISTERS = 80 };
enum { GROUP_UNKNOWN, GROUP_OPEN, GROUP_COMMITS };

/* The scheduling control bits of an instruction since Volta: bits 105 to 125 of its encoding, and a flag that they
 * are known. */
enum {
    CONTROL_STALL_SHIFT = 0,         /* 4 bits: cycles until the warp may issue its next instruction */
    CONTROL_YIELD_SHIFT = 4,         /* 1 bit: 0 asks the scheduler to prefer another warp next */
    CONTROL_WRITE_BARRIER_SHIFT = 5, /* 3 bits: counter released when results are written; 7: none */
    CONTROL_READ_BARRIER_SHIFT = 8,  /* 3 bits: counter released when sources have been read; 7: none */
    CONTROL_WAIT_SHIFT = 11,         /* 6 bits: counters that must be at zero */
    CONTROL_REUSE_SHIFT = 17         /* 4 bits: source operands kept in the reuse cache */
};
#define CONTROL_KNOWN 0x80000000u
/* The tracer states that this instruction polls, and has recorded one round of its loop (polls.h). */
#define CONTROL_POLL 0x40000000u

/* One executed warp instruction. */
struct warp_inst {
    uint32_t inst;    /* index into the table of static instructions */
    uint32_t mask;    /* lanes that executed */
    uint32_t address; /* index into the CTA's address lists; UINT32_MAX: none */
};

enum address_kind { ADDRESS_STRIDE, ADDRESS_LIST };
struct lane_addresses {
    enum address_kind kind;
    uint64_t base;        /* address of the first active lane */
    int64_t stride;       /* ADDRESS_STRIDE: lane k of the active run accesses base + k * stride */
    const uint64_t *list; /* ADDRESS_LIST: WARP_LANES entries, valid where the mask has a bit */
};

/* `ready` executed instructions of a warp, in order, beginning with instruction `first`: all of them, or a window.
 */
struct cta_warp {
    const struct warp_inst *insts; /* may be empty */
    uint32_t count;                /* instructions of the whole warp */
    uint32_t first, ready;
};

struct cta_runs;
struct survey;     /* survey.h */
struct cta_polls;  /* polls.h */
struct poll_plan;  /* polls.h */
struct warm_image; /* warm_image.h */

/* One CTA. The source owns it; it is valid until inst_source_release_cta(). */
struct cta_trace {
    uint64_t index; /* 0, 1, ... in the order of the trace */
    uint32_t id[3];
    uint32_t warp_count;
    struct cta_warp *warps; /* warps that the trace does not list have no instructions */
    void *opaque;
    const struct cta_runs *runs; /* cta_runs.h. If set, no warp has `insts`. next_cta() sets it to NULL */
    struct cta_polls *polls;     /* what its warps wait for; only from poll_source_new(), else NULL */
    /* Set for a CTA that is too long to be in memory: implements cta_warp_window(). NULL: the whole CTA is in
     * memory.
     */
    int (*window)(struct cta_trace *cta, uint32_t warp, uint32_t from, struct err *e);
};
/* Moves the warp's window to its instruction `from`. The window also holds the next instruction, if there is one.
 * Addresses of instructions before `from` become invalid. Windows of other warps do not change. Any thread may call
 * it. */
static inline int cta_warp_window(struct cta_trace *cta, uint32_t warp, uint32_t from, struct err *e)
{
    return cta->window ? cta->window(cta, warp, from, e) : 0;
}

/* Repairs and guesses made while reading. Each is reported. */
struct trace_repairs {
    uint64_t destination_from_source; /* SHFL, ATOM, ...: the destination was recorded as the first source */
    uint64_t register_group;          /* a wide operand of which the trace names only the first register */
    uint64_t empty_ctas;              /* CTAs of the grid that the file does not hold */
    uint64_t damaged_warps;           /* the number of instruction lines differs from `insts` */
    uint64_t access_width;            /* executed accesses whose opcode states another width than the tracer */
    uint64_t operand_kind;            /* predicates and uniform registers recorded as general registers */
    uint64_t unknown_opcode; /* executed instructions with an undocumented opcode, whose class is a guess */
    uint64_t polls;          /* executions of polling loops without success, which were left out */
    uint64_t lane_addresses; /* accesses for which only one lane's address and the lines were recorded */
};

struct inst_source;
struct inst_source_ops {
    const char *name;
    /* Returns 1 with the next CTA, 0 at the end of the kernel, or -1. */
    int (*next_cta)(struct inst_source *s, struct cta_trace **out, struct err *e);
    void (*release_cta)(struct inst_source *s, struct cta_trace *cta);
    void (*release)(struct inst_source *s);
};
/* Each kind of source embeds it as its first member. The tables grow while CTAs are read: an index stays valid, but
 * a pointer into a table is invalid after next_cta(). */
struct inst_source {
    const struct inst_source_ops *ops;
    bool windowed; /* set by a caller that uses cta_warp_window(): long CTAs may come in windows */
    struct kernel_info info;
    const struct trace_inst *insts;
    size_t inst_count;
    const char *const *opcodes; /* full mnemonic with modifiers: "LDG.E.128.SYS" */
    size_t opcode_count;
    struct trace_repairs repairs;
    /* The lines of this launch that earlier launches left in the L2; NULL: unknown. Owned by the source. */
    const struct warm_image *warm;
    struct poll_plan *polls; /* the words that the launch polls; only from poll_source_new(), else NULL */
    /* Like next_cta(), but with `runs` instead of instructions, for trace writers. NULL: not supported. */
    int (*next_runs)(struct inst_source *s, struct cta_trace **out, struct err *e);
    /* Counts the work of all CTAs before the first CTA is read, and consumes no CTA. NULL: the source must be read
     * to know it. */
    int (*survey)(struct inst_source *s, struct survey *out, struct err *e);
};

static inline int inst_source_next_cta(struct inst_source *s, struct cta_trace **out, struct err *e)
{
    return s->ops->next_cta(s, out, e);
}
/* Uses runs if the source provides them. */
static inline int inst_source_next_runs(struct inst_source *s, struct cta_trace **out, struct err *e)
{
    return s->next_runs ? s->next_runs(s, out, e) : s->ops->next_cta(s, out, e);
}
static inline void inst_source_release_cta(struct inst_source *s, struct cta_trace *cta)
{
    s->ops->release_cta(s, cta);
}
/* For a source that wraps another one: shares the tables and repairs of `inner`. */
static inline void inst_source_share_tables(struct inst_source *s, const struct inst_source *inner)
{
    s->insts = inner->insts;
    s->inst_count = inner->inst_count;
    s->opcodes = inner->opcodes;
    s->opcode_count = inner->opcode_count;
    s->repairs = inner->repairs;
}
static inline void inst_source_release(struct inst_source *s)
{
    if (s)
        s->ops->release(s);
}
/* For prefetching by the host: the address of the record of an executed instruction's addresses. If that record is
 * in the host's cache, the second function returns the address of its list of WARP_LANES addresses; NULL: no list.
 */
const void *cta_address_place(const struct cta_trace *cta, uint32_t address);
const void *cta_address_list(const struct cta_trace *cta, uint32_t address);
/* Writes the lane addresses of an executed instruction of this CTA. */
void cta_addresses(const struct cta_trace *cta, uint32_t address, struct lane_addresses *out);

#endif
