#include "simcore/sm/static_inst.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "simcore/sm/coalescer.h"
#include "simcore/sm/fetch.h"
#include "simcore/sm/sm.h"
#include "simcore/trace/fields.h"

void static_code_release(struct static_code *c)
{
    free(c->inst);
    free(c->dep);
    free(c->op);
    memset(c, 0, sizeof *c);
}

void static_code_clear(struct static_code *c)
{
    c->count = c->dep_count = c->op_count = c->unknown = 0;
}

/* IMAD runs on the pipe of FP32 instructions, on GA10x and later on the half of it that is not shared with
 * integers. Source: NVIDIA on GV100 (forums.developer.nvidia.com, thread 108729) and on GA100, GA10x and GH100
 * (thread 302018): the FMA pipe executes FP32 and IMAD, the ALU pipe other integer and logical instructions and
 * moves. */
static const uint8_t pipe_of_class[UNIT_CLASS_COUNT] = {
    [CLASS_FP32] = PIPE_FP32,     [CLASS_INT] = PIPE_INT,         [CLASS_IMAD] = PIPE_FP32,
    [CLASS_FP16] = PIPE_FP16,     [CLASS_FP64] = PIPE_FP64,       [CLASS_SFU] = PIPE_SFU,
    [CLASS_CONVERT] = PIPE_SFU,   [CLASS_BITCOUNT] = PIPE_SFU,    [CLASS_SHUFFLE] = PIPE_SHUFFLE,
    [CLASS_VOTE] = PIPE_INT,      [CLASS_SPECIAL] = PIPE_SHUFFLE, [CLASS_UNIFORM] = PIPE_UNIFORM,
    [CLASS_BRANCH] = PIPE_BRANCH,
};

static uint16_t at_least_one(uint32_t n)
{
    return (uint16_t)(n < 1 ? 1 : n > 65535 ? 65535 : n);
}

static void on_unit(struct static_inst *out, const struct gpu_design *d, enum unit_class class)
{
    const struct unit_params *u = &d->unit[class];
    /* If FP32 has its own pipe and shares the integer pipe, each of the two has half the rate. */
    uint32_t rate = class == CLASS_FP32 && d->fp32_in_int && u->rate > 1 ? u->rate / 2 : u->rate;

    out->pipe = pipe_of_class[class];
    out->pipe_per_sm = u->per_sm;
    out->either_pipe = class == CLASS_FP32 && d->fp32_in_int;
    out->latency = at_least_one(u->latency);
    out->interval = at_least_one(((u->per_sm ? WARP_LANES : SUB_CORES * WARP_LANES) + rate - 1) / rate);
}

static int add_dep(struct static_code *c, struct static_inst *out, uint16_t reg, struct err *e)
{
    for (uint32_t i = 0; i < out->dep_count; i++)
        if (c->dep[out->dep_at + i] == reg)
            return 0;
    if (out->dep_count == UINT8_MAX)
        return 0;
    if (array_reserve((void **)&c->dep, &c->dep_capacity, c->dep_count + 1, sizeof *c->dep, e) < 0)
        return -1;
    c->dep[c->dep_count++] = reg;
    out->dep_count++;
    return 0;
}

static uint16_t other_register(uint8_t other)
{
    return (uint16_t)(REG_OTHERS + other - 1);
}

/* Whether the trace names the predicates that the instruction reads. */
static bool names_predicates(const struct trace_inst *in)
{
    for (uint32_t s = 0; s < in->src_count; s++)
        if (in->other_src[s] > OTHER_PREDICATE)
            return true;
    return false;
}

static int add_deps(struct static_code *c, struct static_inst *out, const struct trace_inst *in, struct err *e)
{
    out->dep_at = (uint32_t)c->dep_count;
    for (uint32_t s = 0; s < in->src_count && s < INST_MAX_SRC; s++) {
        uint32_t regs = in->src_regs[s] ? in->src_regs[s] : 1;

        for (uint32_t k = 0; k < regs && in->src[s] + k < REG_ZERO; k++)
            if (add_dep(c, out, (uint16_t)(in->src[s] + k), e) < 0)
                return -1;
        if (in->other_src[s] && add_dep(c, out, other_register(in->other_src[s]), e) < 0)
            return -1;
    }
    return 0;
}

static void add_operands(struct static_inst *out, const struct trace_inst *in)
{
    for (uint32_t s = 0; s < 3; s++) {
        out->operand[s] = s < in->src_count ? in->src[s] : REG_ZERO;
        out->operand_regs[s] = out->operand[s] != REG_ZERO ? in->src_regs[s] + !in->src_regs[s] : 0;
    }
}

static int decode(struct static_code *c, const struct trace_inst *in, const struct gpu_design *d,
                  struct static_inst *out, struct err *e)
{
    const struct op_info *op = &c->op[in->opcode];

    memset(out, 0, sizeof *out);
    out->action = op->action;
    out->space = op->space;
    out->flags = op->flags;
    out->mix = op->mix;
    out->known = op->known;
    out->typed = op->typed;
    out->pipe = PIPE_NONE;
    out->width = (uint8_t)(in->width > ACCESS_BYTES_MAX ? ACCESS_BYTES_MAX : in->width);
    out->line = d->model.fetch == FETCH_IDEAL ? FETCH_LINE_IDEAL : c->first_line + (in->pc >> FETCH_LINE_SHIFT) + 1;
    out->control = in->control;
    add_operands(out, in);
    out->immediate =
        in->has_immediate && in->immediate >= 0 && in->immediate <= INT32_MAX ? (int32_t)in->immediate : -1;
    if (in->dst_count && in->dst < REG_ZERO) {
        uint32_t regs = in->dst_regs ? in->dst_regs : 1;

        out->dst = in->dst;
        out->dst_count = (uint8_t)(in->dst + regs > REG_ZERO ? (uint32_t)REG_ZERO - in->dst : regs);
    } else if (in->other_dst) {
        out->dst = other_register(in->other_dst);
        out->dst_count = 1;
    }
    if (names_predicates(in))
        out->flags &= (uint8_t)~OP_READS_PREDICATE;
    out->group = in->group;
    switch ((enum op_action)op->action) {
    case ACT_COMPUTE: on_unit(out, d, (enum unit_class)op->unit); break;
    case ACT_SHUFFLE:
    case ACT_SYNCS: on_unit(out, d, CLASS_SHUFFLE); break;
    case ACT_BRANCH: on_unit(out, d, CLASS_BRANCH); break;
    case ACT_TENSOR:
        out->pipe = PIPE_TENSOR;
        out->interval = at_least_one(op->tensor_interval);
        out->latency = at_least_one(op->tensor_latency);
        break;
    case ACT_TENSOR_MEMORY:
        on_unit(out, d, CLASS_SHUFFLE); /* 16 lanes per clock, as shared memory */
        break;
    case ACT_LOAD:
    case ACT_STORE:
    case ACT_ATOMIC:
    case ACT_REDUCTION:
    case ACT_ASYNC_COPY:
    case ACT_BULK_COPY:
    case ACT_CONSTANT:
    case ACT_TEXTURE: out->pipe = PIPE_MEMORY; break;
    default: break; /* known when the instruction issues */
    }
    if (in->width != FIELDS_WIDTH)
        out->flags &= (uint8_t)~OP_FIELDS;
    else if (out->flags & OP_FIELDS)
        out->space = SPACE_NONE;
    out->leaves = (op->action >= ACT_LOAD && op->action <= ACT_ASYNC_COPY && op->space != SPACE_SHARED) ||
                  (out->flags & OP_FIELDS && op->action != ACT_BARRIER && op->action != ACT_ARRIVE) ||
                  op->action >= ACT_CLUSTER_ARRIVE;
    out->early = out->latency ? (uint32_t)(out->latency - 1) << 1 : 0;
    return add_deps(c, out, in, e);
}

/* A misread trace, or a trace of a newer GPU, has mostly unknown opcodes. Its cycles would be meaningless. */
static int check_known(const struct static_code *c, const struct inst_source *s, struct err *e)
{
    size_t first = 0;

    if (c->unknown * 2 <= c->count)
        return 0;
    while (c->inst[first].known)
        first++;
    err_set(e, ERR_UNSUPPORTED,
            "%zu of %zu instructions of this kernel have opcodes that the simulator does not know, such as `%s`",
            c->unknown, c->count, s->opcodes[s->insts[first].opcode]);
    return err_hint(
        e, "`vivace trace info` lists the opcodes. Perhaps the trace has a format that Vivace does not read.");
}

static int check_native(const struct static_code *c, const char *opcode, const struct gpu_design *d, struct err *e)
{
    uint32_t since = c->native_only ? opcode_since(opcode) : 0;

    if (since <= d->compute_capability)
        return 0;
    err_set(e, ERR_INVALID, "%s (sm_%u) cannot execute `%s`, which GPUs have from sm_%u on", d->name,
            d->compute_capability, opcode, since);
    return err_hint(e, "--allow-foreign-isa simulates it nevertheless, with the nearest unit that this GPU has");
}

int static_code_extend(struct static_code *c, const struct inst_source *s, const struct gpu_design *d,
                       struct err *e)
{
    if (array_reserve((void **)&c->op, &c->op_capacity, s->opcode_count, sizeof *c->op, e) < 0 ||
        array_reserve((void **)&c->inst, &c->capacity, s->inst_count, sizeof *c->inst, e) < 0 ||
        array_reserve((void **)&c->dep, &c->dep_capacity, c->dep_count + 1, sizeof *c->dep, e) < 0)
        return -1; /* the register table must exist, even if no instruction waits for a register */
    for (; c->op_count < s->opcode_count; c->op_count++) {
        if (check_native(c, s->opcodes[c->op_count], d, e) < 0)
            return -1;
        opcode_classify(s->opcodes[c->op_count], d, &c->op[c->op_count]);
    }
    for (; c->count < s->inst_count; c->count++) {
        if (decode(c, &s->insts[c->count], d, &c->inst[c->count], e) < 0)
            return -1;
        c->unknown += !c->inst[c->count].known;
    }
    return check_known(c, s, e);
}
