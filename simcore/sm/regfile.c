/* simcore/sm/regfile.c: the read ports of a sub-core's register file, level banked.
 *
 *
 * Register r is in bank r mod n. A bank reads one register of a warp per cycle, and an instruction has a few cycles
 * to read all its sources. A reuse cache keeps one register for each operand slot; it serves the next instruction
 * if the same warp issues it. The control bits state which operands are kept. If they are unknown, a register is
 * assumed to be kept if the next instruction has it in the same slot, as compilers do.
 *
 * Source: Huerta et al., MICRO 2025, arXiv 2503.20481; reuse: Jia et al., arXiv 1804.06826. */
#include "simcore/sm/sm.h"

static bool is_kept(const struct sub_core *sc, uint32_t i, const struct static_inst *in, uint32_t slot)
{
    return sc->last == i && sc->kept[slot] == in->operand[slot];
}

/* Counts the bank reads that the instruction in warp slot i needs. */
static void count_reads(const struct sm *sm, const struct sub_core *sc, uint32_t i, const struct static_inst *in,
                        uint32_t reads[REGFILE_BANKS_MAX])
{
    uint32_t banks = sm->env->design->regfile_banks; /* at least 1: design_params.c */

    if (!banks)
        return;
    for (uint32_t b = 0; b < banks; b++)
        reads[b] = 0;
    for (uint32_t s = 0; s < OPERANDS; s++)
        for (uint32_t k = 0; k < in->operand_regs[s] && !is_kept(sc, i, in, s); k++)
            reads[(in->operand[s] + k) % banks]++;
}

uint32_t regfile_ready(const struct sm *sm, const struct sub_core *sc, uint32_t i, const struct static_inst *in,
                       uint32_t t)
{
    uint32_t reads[REGFILE_BANKS_MAX], window = sm->env->design->regfile_window;

    count_reads(sm, sc, i, in, reads);
    for (uint32_t b = 0; b < sm->env->design->regfile_banks; b++) {
        uint32_t slack = reads[b] < window ? window - reads[b] : 0;

        if (reads[b] && sc->bank_free[b] > t + slack)
            t = sc->bank_free[b] - slack;
    }
    return t;
}

void regfile_read(const struct sm *sm, struct sub_core *sc, uint32_t i, const struct static_inst *in, uint32_t t)
{
    uint32_t reads[REGFILE_BANKS_MAX];

    count_reads(sm, sc, i, in, reads);
    for (uint32_t b = 0; b < sm->env->design->regfile_banks; b++)
        if (reads[b])
            sc->bank_free[b] = time_max(sc->bank_free[b], t) + reads[b];
    for (uint32_t s = 0; s < OPERANDS; s++) {
        bool keep = !(in->control & CONTROL_KNOWN) || in->control >> (CONTROL_REUSE_SHIFT + s) & 1;

        sc->kept[s] = keep ? in->operand[s] : REG_ZERO;
    }
}
