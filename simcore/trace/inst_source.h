/* simcore/trace/inst_source.h: where warp instructions come from. The timing model sees nothing else.
 *
 * A source gives one kernel launch: its shape, a table of static instructions (each distinct line of code once),
 * and, CTA by CTA in the order in which the hardware would start them, the executed path of each warp. */
#ifndef VIVACE_SIMCORE_TRACE_INST_SOURCE_H
#define VIVACE_SIMCORE_TRACE_INST_SOURCE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

#define WARP_LANES   32
#define INST_MAX_SRC 8
#define REG_ZERO     255         /* RZ: never waits, never makes wait */
#define WINDOW_BYTES (16u << 20) /* of the generic windows of shared and local memory */

struct kernel_info {
    char *name;  /* as the trace spells it (mangled) */
    uint64_t id; /* launch number in the trace */
    uint32_t grid[3], block[3];
    uint32_t shared_bytes;   /* static + dynamic a CTA */
    uint32_t registers;      /* a thread; 1 when the trace does not say */
    uint32_t binary_version; /* compute capability times ten (70, 80, 86, ...); 0: not said */
    uint64_t stream;
    uint64_t shared_base, local_base; /* generic windows of 16 MiB; 0: not said */
    uint32_t tracer_version;
    uint32_t cluster; /* CTAs of a cluster, consecutive in the order of the trace; 0 or 1: none */
};

/* What all executions of one line share. */
struct trace_inst {
    uint32_t opcode; /* index into the source's opcode texts */
    uint32_t pc;
    uint16_t width; /* bytes a lane of a memory access; 0: no addresses follow */
    uint8_t dst_count, src_count;
    uint8_t dst, dst_regs; /* first register and how many it writes (repaired); 0: none */
    uint8_t src[INST_MAX_SRC], src_regs[INST_MAX_SRC];
    int64_t immediate; /* last immediate operand; 0 when not recorded */
    bool has_immediate;
    uint32_t control; /* what the compiler decided (CONTROL_...); 0: not known */
};

/* The scheduling bits of an instruction since Volta: bits 105 to 125 of its encoding, and a mark that they are
 * known. */
enum {
    CONTROL_STALL_SHIFT = 0,         /* 4 bits: cycles until the warp may issue its next instruction */
    CONTROL_YIELD_SHIFT = 4,         /* 1 bit: 0 asks the scheduler to take another warp next */
    CONTROL_WRITE_BARRIER_SHIFT = 5, /* 3 bits: counter released when results are written; 7: none */
    CONTROL_READ_BARRIER_SHIFT = 8,  /* 3 bits: counter released when sources have been read; 7: none */
    CONTROL_WAIT_SHIFT = 11,         /* 6 bits: counters that must be at zero */
    CONTROL_REUSE_SHIFT = 17         /* 4 bits: source operands kept in the reuse cache */
};
#define CONTROL_KNOWN 0x80000000u

/* One executed warp instruction. */
struct warp_inst {
    uint32_t inst;    /* index into the table of static instructions */
    uint32_t mask;    /* lanes that executed */
    uint32_t address; /* index into the CTA's address lists; UINT32_MAX: none */
};

enum address_kind { ADDRESS_STRIDE, ADDRESS_LIST };
struct lane_addresses {
    enum address_kind kind;
    uint64_t base;        /* of the first active lane */
    int64_t stride;       /* ADDRESS_STRIDE: lane k of the active run at base + k * stride */
    const uint64_t *list; /* ADDRESS_LIST: WARP_LANES entries, valid where the mask has a bit */
};

/* `ready` of a warp's executed instructions, in order, from number `first` on: all of them, or a window. */
struct cta_warp {
    const struct warp_inst *insts; /* may be empty */
    uint32_t count;                /* of the whole warp */
    uint32_t first, ready;
};

struct cta_runs;
struct survey;     /* survey.h */
struct warm_image; /* warm_image.h */

/* One CTA. Owned by the source; valid until inst_source_release_cta(). */
struct cta_trace {
    uint64_t index; /* 0, 1, ... in the order of the trace */
    uint32_t id[3];
    uint32_t warp_count;
    struct cta_warp *warps; /* warps that the trace does not list are empty */
    void *opaque;
    const struct cta_runs *runs; /* cta_runs.h; then no warp has `insts`. NULL from next_cta() */
    /* Of a CTA that is too long to be in memory: cta_warp_window(). NULL: it is whole. */
    int (*window)(struct cta_trace *cta, uint32_t warp, uint32_t from, struct err *e);
};
/* Makes the warp's window begin at its instruction `from`. It holds the instruction after that too, where there is
 * one. Addresses of instructions before `from` are no longer valid. Other warps keep theirs. Any thread. */
static inline int cta_warp_window(struct cta_trace *cta, uint32_t warp, uint32_t from, struct err *e)
{
    return cta->window ? cta->window(cta, warp, from, e) : 0;
}

/* What had to be repaired or guessed while reading; each is reported, never silent. */
struct trace_repairs {
    uint64_t destination_from_source; /* SHFL, ATOM, ...: the destination was recorded as first source */
    uint64_t register_group;          /* a wide operand of which only the first register is named */
    uint64_t empty_ctas;              /* grid says more CTAs than the file holds */
    uint64_t damaged_warps;           /* count of lines and `insts` disagree */
    uint64_t access_width;            /* executed accesses whose opcode says another width than the tracer */
    uint64_t operand_kind;            /* predicates and uniform registers recorded as if they were general ones */
    uint64_t unknown_opcode;          /* executed instructions whose opcode no document names: classed by guess */
    uint64_t polls;                   /* executions of loops that polled in vain, which were left out */
    uint64_t lane_addresses;          /* accesses of which only one lane's address and the lines were recorded */
};

struct inst_source;
struct inst_source_ops {
    const char *name;
    /* The next CTA, or 0 at the end of the kernel, or -1. */
    int (*next_cta)(struct inst_source *s, struct cta_trace **out, struct err *e);
    void (*release_cta)(struct inst_source *s, struct cta_trace *cta);
    void (*release)(struct inst_source *s);
};
/* Embedded as the first member by each kind of source. The tables grow while CTAs are read; an index stays valid,
 * a pointer into them does not survive next_cta(). */
struct inst_source {
    const struct inst_source_ops *ops;
    bool windowed; /* set by a user that reads by cta_warp_window(): long CTAs may come in windows */
    struct kernel_info info;
    const struct trace_inst *insts;
    size_t inst_count;
    const char *const *opcodes; /* full mnemonic with modifiers: "LDG.E.128.SYS" */
    size_t opcode_count;
    struct trace_repairs repairs;
    /* What earlier launches left of its lines in the L2; NULL: not known. The source's. */
    const struct warm_image *warm;
    /* As next_cta(), with `runs` in place of instructions, for who writes traces. NULL: it has none. */
    int (*next_runs)(struct inst_source *s, struct cta_trace **out, struct err *e);
    /* What all its CTAs will do, before the first of them is taken; nothing is taken by it. NULL: it does not know
     * without being read. */
    int (*survey)(struct inst_source *s, struct survey *out, struct err *e);
};

static inline int inst_source_next_cta(struct inst_source *s, struct cta_trace **out, struct err *e)
{
    return s->ops->next_cta(s, out, e);
}
/* With runs where the source has them. */
static inline int inst_source_next_runs(struct inst_source *s, struct cta_trace **out, struct err *e)
{
    return s->next_runs ? s->next_runs(s, out, e) : s->ops->next_cta(s, out, e);
}
static inline void inst_source_release_cta(struct inst_source *s, struct cta_trace *cta)
{
    s->ops->release_cta(s, cta);
}
/* A source that wraps another: its tables and repairs are those of `inner`. */
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
/* For the host to fetch: where what is known of an executed instruction's addresses lies, and, once that is near,
 * where its list of WARP_LANES addresses begins; NULL where it has none. */
const void *cta_address_place(const struct cta_trace *cta, uint32_t address);
const void *cta_address_list(const struct cta_trace *cta, uint32_t address);
/* The address list of an executed instruction of this CTA. */
void cta_addresses(const struct cta_trace *cta, uint32_t address, struct lane_addresses *out);

#endif
