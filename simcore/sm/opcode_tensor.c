/* simcore/sm/opcode_tensor.c: computes how long a matrix product occupies its unit, and its latency. Names contain
 * the shape: m, n and k. */
#include <stdlib.h>
#include <string.h>

#include "simcore/sm/opcode_internal.h"

bool opcode_has(const char *modifiers, const char *want)
{
    size_t n = strlen(want);

    for (const char *p = strchr(modifiers, '.'); p; p = strchr(p + 1, '.'))
        if (strncmp(p + 1, want, n) == 0 && (p[1 + n] == '.' || !p[1 + n]))
            return true;
    return false;
}

/* The multiply-adds of one warp instruction, from its name; 0: the name has no shape. The digits of m, n and k are
 * not separated ("16816"), so the shapes are a list. */
static uint32_t shape_fmas(const char *modifiers)
{
    static const struct {
        const char *name;
        uint32_t fmas;
    } shapes[] = {
        {"884", 8 * 8 * 4},     {"1684", 16 * 8 * 4},     {"1688", 16 * 8 * 8},     {"16816", 16 * 8 * 16},
        {"16832", 16 * 8 * 32}, {"16864", 16 * 8 * 64},   {"8816", 8 * 8 * 16},     {"8832", 8 * 8 * 32},
        {"88128", 8 * 8 * 128}, {"168128", 16 * 8 * 128}, {"168256", 16 * 8 * 256},
    };
    const char *p = strchr(modifiers, '.');
    char *end;

    for (; p; p = strchr(p + 1, '.')) {
        unsigned long m, n, k;

        for (size_t i = 0; i < sizeof shapes / sizeof *shapes; i++) {
            size_t length = strlen(shapes[i].name);

            if (strncmp(p + 1, shapes[i].name, length) == 0 && (p[1 + length] == '.' || !p[1 + length]))
                return shapes[i].fmas;
        }
        m = strtoul(p + 1, &end, 10); /* warp groups: 64x256x16, shared by four warps */
        if (m != 64 || *end != 'x')
            continue;
        n = strtoul(end + 1, &end, 10);
        if (n < 8 || n > 256 || *end != 'x')
            continue;
        k = strtoul(end + 1, &end, 10);
        if (k >= 4 && k <= 512)
            return (uint32_t)(m / 4 * n * k);
    }
    return 0;
}

static uint32_t tensor_fmas(const char *name, const char *modifiers)
{
    uint32_t fmas = shape_fmas(modifiers);

    /* tcgen05: the shape is in a descriptor. Assumes the largest one of an SM, 128 x 256 x 16, shared by four sub-
     * cores. */
    if (strncmp(name, "UTC", 3) == 0)
        return 128 * 256 * 16 / SUB_CORES;
    if (!fmas)
        return 16 * 8 * 16;
    /* Volta takes four steps for a product with 32-bit accumulators, and two with 16-bit ones. */
    if (strncmp(name, "HMMA", 4) == 0 && opcode_has(modifiers, "884") && !opcode_has(modifiers, "F32"))
        return 2 * fmas;
    /* Structured sparsity: only half of the products along k are computed. */
    return opcode_has(modifiers, "SP") ? fmas / 2 : fmas;
}

static char opcode_tensor_element(const char *name)
{
    return strncmp(name, "UTC", 3) == 0 ? name[3] : name[0];
}

static uint32_t greater(uint32_t a, uint32_t b)
{
    return a > b ? a : b;
}

/* The peak rate of the unit for these operands, in FMAs per clock and SM. GeForce chips halve it for 32-bit
 * accumulators. */
static uint32_t tensor_rate(const char *name, const char *modifiers, uint8_t flags, const struct gpu_design *d,
                            bool best)
{
    bool tf32 = opcode_has(modifiers, "TF32");
    uint32_t half = d->tensor_warp_group;

    if (flags & OP_WARP_GROUP && half)
        return opcode_tensor_element(name) == 'H'   ? (tf32 ? half / 2 : half)
               : opcode_tensor_element(name) == 'O' ? 4 * half
                                                    : 2 * half;
    switch (opcode_tensor_element(name)) {
    case 'D': return d->tensor_fp64;
    case 'I': return d->tensor_int8;
    case 'B': return 8 * d->tensor_int8;
    case 'Q': return d->tensor_fp8;
    case 'O': return 2 * d->tensor_fp8;
    default: break;
    }
    if (tf32)
        return best && d->tensor_tf32 ? greater(d->tensor_tf32, d->tensor_f16 / 2) : d->tensor_tf32;
    if (best)
        return greater(d->tensor_f16, d->tensor_f32);
    return opcode_has(modifiers, "F32") ? d->tensor_f32 : d->tensor_f16;
}

static uint32_t cycles_at(uint64_t fmas, uint32_t rate)
{
    uint32_t cycles = (uint32_t)((fmas * SUB_CORES + rate / 2) / rate);

    return cycles ? cycles : 1;
}

void opcode_classify_tensor(const char *name, const char *modifiers, const struct gpu_design *d,
                            struct op_info *out)
{
    uint32_t rate = tensor_rate(name, modifiers, out->flags, d, false);
    uint32_t best = tensor_rate(name, modifiers, out->flags, d, true);
    uint32_t fallback = d->tensor_f32 ? d->tensor_f32 : d->tensor_f16 ? d->tensor_f16 : 64;
    uint64_t fmas = tensor_fmas(name, modifiers);

    if (opcode_tensor_element(name) == 'I' && (opcode_has(modifiers, "S4") || opcode_has(modifiers, "U4"))) {
        rate *= 2; /* 4-bit products are twice as fast as 8-bit ones */
        best *= 2;
    }
    out->typed = rate != 0;
    if (!rate)
        rate = best = fallback;
    best = greater(best, rate);
    out->tensor_interval = cycles_at(fmas, rate);
    /* A unit that is limited to half rate has the latency of full rate, but the result is not available before the
     * unit accepts its next instruction: for 16x8x16, RTX 4090 and 3070 Ti have 24.6 clocks with 16-bit
     * accumulators and 33 with 32-bit ones. */
    out->tensor_latency = greater(cycles_at(fmas, best) + d->tensor_latency, out->tensor_interval + 1);
}
