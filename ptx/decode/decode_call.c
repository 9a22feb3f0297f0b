/* ptx/decode/decode_call.c: calls: the callee, its arguments and results. */
#include <string.h>

#include "base/array.h"
#include "ptx/decode/decode_internal.h"

/* The parts of call {(results),} callee {, (arguments)} {, prototype or list of targets}. */
struct parts {
    const struct ptx_operand *results, *callee, *args; /* NULL: none */
    const struct ptx_function *function;               /* NULL: the call goes through a register */
};

static int take_apart(struct decoder *d, struct parts *p)
{
    uint32_t k = 0, n = d->i->operand_count;

    *p = (struct parts){0};
    if (k < n && decode_operand(d, k)->kind == PTX_OP_VECTOR)
        p->results = decode_operand(d, k++);
    if (k == n)
        return decode_count(d, k + 1, k + 1);
    p->callee = decode_operand(d, k++);
    if (k < n && decode_operand(d, k)->kind == PTX_OP_VECTOR)
        p->args = decode_operand(d, k++);
    if (k < n && decode_operand(d, k)->kind == PTX_OP_TARGETS)
        k++;
    if (k < n)
        return decode_fault(d, ERR_MALFORMED, &decode_operand(d, k)->place, "a call does not accept this operand");
    if (p->callee->kind == PTX_OP_FUNCTION)
        p->function = &d->m->functions[p->callee->index];
    return 0;
}

/* --- arguments and results --- */

static int add_passed(struct decoder *d, const struct ptx_passed *one)
{
    if (array_reserve((void **)&d->c->passed, &d->passed_capacity, d->c->passed_count + 1u, sizeof *d->c->passed,
                      d->e) < 0)
        return -1;
    d->c->passed[d->c->passed_count++] = *one;
    return 0;
}

static int in_frame(struct decoder *d, const struct ptx_operand *o, struct ptx_passed *one)
{
    const struct ptx_variable *v = &d->m->variables[o->index];

    if (v->space != PTX_SPACE_PARAM || d->homes[o->index].kind != DECODE_FRAME)
        return decode_fault(d, ERR_MALFORMED, &o->place, "`%s` is not a .param variable of this function", v->name);
    *one = (struct ptx_passed){.row = PTX_NO_ROW, .frame = d->homes[o->index].at, .bytes = (uint32_t)v->bytes};
    return 0;
}

/* formal: the callee's declaration; NULL: unknown. */
static int passed(struct decoder *d, const struct ptx_operand *o, const struct ptx_param *formal, bool result)
{
    struct ptx_passed one = {.row = PTX_NO_ROW};
    uint32_t bits = formal ? ptx_row_bits(formal->type) : 0;
    bool negated;
    int ret;

    if (o->kind == PTX_OP_VARIABLE) {
        ret = in_frame(d, o, &one);
    } else if (o->kind == PTX_OP_SINK && result) {
        ret = 0;
    } else if (o->kind == PTX_OP_REG) {
        ret = decode_register(d, o, &one.row, &bits);
        one.bytes = (ptx_type_bits(d->f->registers[o->index].type) + 7) / 8;
    } else if (formal && !result) {
        ret = decode_source(d, o, bits, DECODE_ANY, &one.row, &negated);
        one.bytes = formal->bytes;
    } else {
        return decode_fault(d, ERR_MALFORMED, &o->place, "a call cannot pass this operand");
    }
    if (ret < 0)
        return -1;
    one.bits = (uint16_t)bits;
    if (formal && formal->bytes != one.bytes && o->kind != PTX_OP_SINK)
        return decode_fault(d, ERR_MALFORMED, &o->place,
                            "this argument has %u bytes, and the called function declares %u", one.bytes,
                            formal->bytes);
    return add_passed(d, &one);
}

static int passed_list(struct decoder *d, const struct parts *p, bool result, uint32_t *count)
{
    const struct ptx_operand *list = result ? p->results : p->args;
    const struct ptx_param *formals = !p->function ? NULL : result ? p->function->results : p->function->params;
    uint32_t want = !p->function ? 0 : result ? p->function->result_count : p->function->param_count;
    uint32_t n = list ? list->count : 0;

    if (p->function && n != want)
        return decode_fault(d, ERR_MALFORMED, &d->i->place, "%s has %u %s%s, and the call has %u",
                            p->function->name, want, result ? "result" : "parameter", want == 1 ? "" : "s", n);
    for (uint32_t k = 0; k < n; k++)
        if (passed(d, &d->f->operands[list->index + k], formals ? &formals[k] : NULL, result) < 0)
            return -1;
    *count = n;
    return 0;
}

/* --- system calls --- */

static int system_call_of(const struct ptx_function *f)
{
    static const struct {
        const char *name;
        int system;
    } names[] = {{"vprintf", PTX_SYS_VPRINTF},
                 {"malloc", PTX_SYS_MALLOC},
                 {"free", PTX_SYS_FREE},
                 {"__assertfail", PTX_SYS_ASSERTFAIL},
                 {"cudaGetParameterBufferV2", PTX_SYS_LAUNCH_BUFFER},
                 {"__cudaCDP2GetParameterBufferV2", PTX_SYS_LAUNCH_BUFFER},
                 {"cudaLaunchDeviceV2", PTX_SYS_LAUNCH},
                 {"cudaLaunchDeviceV2_ptsz", PTX_SYS_LAUNCH},
                 {"__cudaCDP2LaunchDeviceV2", PTX_SYS_LAUNCH},
                 {"__cudaCDP2LaunchDeviceV2_ptsz", PTX_SYS_LAUNCH},
                 {"cudaMalloc", PTX_SYS_CUDA_MALLOC},
                 {"__cudaCDP2Malloc", PTX_SYS_CUDA_MALLOC},
                 {"cudaFree", PTX_SYS_CUDA_FREE},
                 {"__cudaCDP2Free", PTX_SYS_CUDA_FREE},
                 {"cudaGetLastError", PTX_SYS_NO_ERROR},
                 {"cudaPeekAtLastError", PTX_SYS_NO_ERROR},
                 {"__cudaCDP2GetLastError", PTX_SYS_NO_ERROR},
                 {"__cudaCDP2PeekAtLastError", PTX_SYS_NO_ERROR},
                 {"__cudaCDP2StreamDestroy", PTX_SYS_NO_ERROR}};

    /* NVIDIA's library for launches is linked to the program as PTX, but calls what only its driver has. */
    for (size_t k = 0; f && k < sizeof names / sizeof *names; k++)
        if (strcmp(f->name, names[k].name) == 0 && (!f->has_body || names[k].system >= PTX_SYS_LAUNCH_BUFFER))
            return names[k].system;
    return -1;
}

static int callee(struct decoder *d, const struct parts *p)
{
    int system = system_call_of(p->function);
    bool negated;

    d->op->action = system < 0 ? PTX_DO_CALL : PTX_DO_SYSTEM_CALL;
    if (system >= 0)
        d->op->args.imm = (uint32_t)system;
    if (p->function && p->function->entry)
        return decode_fault(d, ERR_UNSUPPORTED, &p->callee->place, "not supported: a call of the kernel %s",
                            p->function->name);
    if (p->function)
        d->op->target = p->callee->index;
    else
        return decode_source(d, p->callee, 64, DECODE_INTEGERS, &d->op->args.src[0], &negated);
    return 0;
}

int decode_call(struct decoder *d)
{
    struct ptx_call call = {.first = d->c->passed_count};
    struct parts p;

    if (take_apart(d, &p) < 0 || callee(d, &p) < 0 || passed_list(d, &p, false, &call.args) < 0 ||
        passed_list(d, &p, true, &call.results) < 0)
        return -1;
    if (array_reserve((void **)&d->c->calls, &d->call_capacity, d->c->call_count + 1u, sizeof *d->c->calls, d->e) <
        0)
        return -1;
    d->op->access = d->c->call_count;
    d->c->calls[d->c->call_count++] = call;
    return 0;
}
