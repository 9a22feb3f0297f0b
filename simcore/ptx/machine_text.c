/* simcore/ptx/machine_text.c: opcode texts. */
#include "simcore/ptx/machine_text.h"

#include <stdio.h>
#include <string.h>

#include "simcore/ptx/actions.h"

static void memory_text(const struct ptx_access *a, const char *global, const char *shared, const char *local,
                        const char *generic, char *out, uint16_t *width)
{
    uint32_t bytes = ptx_type_bits((enum ptx_type)a->type) / 8 * a->vector;
    bool is_signed = a->type == PTX_S8 || a->type == PTX_S16;
    const char *name = generic, *size = "", *wide = "";

    switch (a->space) {
    case PTX_SPACE_GLOBAL: name = global; break;
    case PTX_SPACE_SHARED: name = shared; break;
    case PTX_SPACE_LOCAL: name = local; break;
    case PTX_SPACE_CONST: name = "LDC"; break;
    default: break;
    }
    if (bytes == 16)
        size = ".128";
    else if (bytes == 8)
        size = ".64";
    else if (bytes == 2)
        size = is_signed ? ".S16" : ".U16";
    else if (bytes == 1)
        size = is_signed ? ".S8" : ".U8";
    if (a->space == PTX_SPACE_GLOBAL || a->space == PTX_GENERIC)
        wide = ".E";
    snprintf(out, PTX_MACHINE_TEXT, "%s%s%s", name, wide, size);
    *width = (uint16_t)bytes;
}

static const char *form_text(const struct ptx_inst *i)
{
    enum ptx_type type = i->type_count ? (enum ptx_type)i->types[0] : PTX_NO_TYPE;

    if (strcmp(i->opcode, "setp") == 0)
        return type == PTX_F32 ? "FSETP" : type == PTX_F64 ? "DSETP" : "ISETP";
    switch (type) {
    case PTX_F32: return strcmp(i->opcode, "fma") == 0 ? "FFMA" : strcmp(i->opcode, "mul") == 0 ? "FMUL" : "FADD";
    case PTX_F64: return strcmp(i->opcode, "fma") == 0 ? "DFMA" : strcmp(i->opcode, "mul") == 0 ? "DMUL" : "DADD";
    case PTX_F16X2: return "HFMA2";
    default: return strcmp(i->opcode, "mul") == 0 || strcmp(i->opcode, "mad") == 0 ? "IMAD" : "IADD3";
    }
}

bool ptx_machine_text(const struct ptx_code *c, uint32_t op, uint32_t arch, char out[PTX_MACHINE_TEXT],
                      uint16_t *width)
{
    const struct ptx_op *o = &c->ops[op];
    const struct ptx_access *a = o->access < c->access_count ? &c->accesses[o->access] : NULL;
    const char *text = NULL;

    (void)arch;
    *width = 0;
    switch (o->action) {
    case PTX_DO_LOAD:
        if (a->space == PTX_SPACE_PARAM)
            return false;
        memory_text(a, "LDG", "LDS", "LDL", "LD", out, width);
        return true;
    case PTX_DO_STORE: memory_text(a, "STG", "STS", "STL", "ST", out, width); return true;
    case PTX_DO_ATOMIC:
        memory_text(a, o->args.dst == PTX_NO_ROW ? "RED" : "ATOMG", "ATOMS", "ATOM",
                    o->args.dst == PTX_NO_ROW ? "RED" : "ATOM", out, width);
        return true;
    case PTX_DO_FORM: text = form_text(&c->function->insts[op]); break;
    case PTX_DO_BRANCH: text = "BRA"; break;
    case PTX_DO_BRANCH_INDEX: text = "BRX"; break;
    case PTX_DO_CALL: text = "CALL.REL.NOINC"; break;
    case PTX_DO_RETURN: text = c->function->entry ? "EXIT" : "RET.REL.NODEC"; break;
    case PTX_DO_EXIT: text = "EXIT"; break;
    case PTX_DO_TRAP: text = "BPT.TRAP"; break;
    case PTX_DO_BARRIER: text = a->what == PTX_BARRIER_ARRIVE ? "BAR.ARV" : "BAR.SYNC"; break;
    case PTX_DO_WARP: text = a->what <= PTX_SHFL_IDX ? "SHFL.IDX" : "VOTE.ANY"; break;
    case PTX_DO_FENCE: text = "MEMBAR.SC.GPU"; break;
    case PTX_DO_SPECIAL: text = "CS2R.32"; break;
    case PTX_DO_SLEEP: text = "NANOSLEEP"; break;
    default: return false;
    }
    snprintf(out, PTX_MACHINE_TEXT, "%s", text);
    return true;
}
