#include "simcore/sm/occupancy.h"

#include <inttypes.h>

static uint32_t occupancy_min(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

static uint64_t round_up(uint64_t n, uint64_t unit)
{
    return (n + unit - 1) / unit * unit;
}

/* Registers of a warp as the hardware allocates them. */
static uint64_t registers_of_warp(const struct gpu_design *d, const struct kernel_info *k)
{
    uint64_t regs = k->registers ? k->registers : 1;

    return round_up(regs * WARP_LANES, d->register_unit);
}

/* Warps of an SM that have registers if each takes `each` of them. A warp's registers are in one sub-core, which
 * has a quarter of the register file. Source: cuda_occupancy.h of CUDA 13.0, limit by registers. */
static uint32_t warps_with_registers(const struct gpu_design *d, uint64_t each)
{
    return (uint32_t)(d->registers / SUB_CORES / each * SUB_CORES);
}

/* The CTAs that have registers. A launch is refused if the registers of one CTA do not fit with its warps rounded
 * up to a multiple of the sub-cores, although its warps are not rounded up when it runs. Same source. */
static uint32_t ctas_with_registers(const struct gpu_design *d, uint32_t warps, uint64_t each)
{
    return round_up(warps, SUB_CORES) * each > d->registers ? 0 : warps_with_registers(d, each) / warps;
}

static uint64_t shared_of_cta(const struct gpu_design *d, const struct kernel_info *k)
{
    return round_up((uint64_t)k->shared_bytes + d->shared_system_bytes, d->shared_unit_bytes);
}

/* Warps per CTA: at least 1, at most the warps of an SM; else 0 with *e filled. */
static uint32_t warps_of_cta(const struct gpu_design *d, const struct kernel_info *k, struct err *e)
{
    const uint64_t most = (uint64_t)d->warps * WARP_LANES;
    uint64_t threads = 1;

    for (int i = 0; i < 3; i++)
        threads = k->block[i] > most ? most + 1 : threads > most ? threads : threads * k->block[i];
    if (threads && threads <= most)
        return (uint32_t)((threads + WARP_LANES - 1) / WARP_LANES);
    err_set(e, ERR_INVALID, "a CTA of (%u,%u,%u) threads does not fit into an SM of %s, which holds %u warps",
            k->block[0], k->block[1], k->block[2], d->name, d->warps);
    return 0;
}

int occupancy_of(const struct gpu_design *d, const struct kernel_info *k, struct occupancy *out, struct err *e)
{
    uint32_t warps = warps_of_cta(d, k, e), ctas;
    uint64_t shared, registers;

    if (!warps)
        return -1;
    if (k->shared_bytes > d->shared_cta_bytes)
        return err_set(e, ERR_INVALID,
                       "a CTA with %u bytes of shared memory does not fit: %s gives a CTA at most %u",
                       k->shared_bytes, d->name, d->shared_cta_bytes);
    registers = registers_of_warp(d, k);
    ctas = occupancy_min(occupancy_min(d->warps / warps, d->ctas), ctas_with_registers(d, warps, registers));
    if (!ctas)
        return err_set(e, ERR_INVALID,
                       "a CTA of %u warps with %u registers a thread does not fit: an SM of %s has %u registers",
                       warps, k->registers, d->name, d->registers);
    shared = shared_of_cta(d, k);
    ctas = occupancy_min(ctas, k->shared_bytes || d->shared_system_bytes
                                   ? (uint32_t)(d->shared_bytes / (shared ? shared : 1))
                                   : ctas);
    if (!ctas)
        return err_set(e, ERR_INVALID, "a CTA with %u bytes of shared memory does not fit: an SM of %s has %u",
                       k->shared_bytes, d->name, d->shared_bytes);
    out->warps_per_cta = warps;
    out->ctas = ctas;
    out->carveout_bytes = d->carveout_bytes[d->carveouts - 1];
    for (uint32_t i = d->carveouts; i-- > 0;)
        if (d->carveout_bytes[i] >= (k->shared_bytes ? ctas * shared : 0))
            out->carveout_bytes = d->carveout_bytes[i];
    out->cta = (struct sm_room){.ctas = 1,
                                .warps = warps,
                                .registers = (uint32_t)registers * warps,
                                .shared_bytes = (uint32_t)shared,
                                .carved_bytes = k->shared_bytes ? (uint32_t)shared : 0};
    return 0;
}

static uint32_t how_many(uint32_t all, uint32_t used, uint32_t each)
{
    return !each ? UINT32_MAX : used < all ? (all - used) / each : 0;
}

/* Registers in use count as the warps of this kernel that would take them. */
static uint32_t room_by_registers(const struct gpu_design *d, const struct sm_room *used, const struct sm_room *cta)
{
    uint32_t each = cta->registers / cta->warps;

    return how_many(warps_with_registers(d, each), (used->registers + each - 1) / each, cta->warps);
}

uint32_t occupancy_room(const struct gpu_design *d, const struct sm_room *used, uint32_t carveout_bytes,
                        const struct occupancy *fit)
{
    const struct sm_room *cta = &fit->cta;
    uint32_t n;

    if (!used->ctas)
        return fit->ctas;
    n = occupancy_min(how_many(d->ctas, used->ctas, cta->ctas), how_many(d->warps, used->warps, cta->warps));
    n = occupancy_min(n, room_by_registers(d, used, cta));
    n = occupancy_min(n, how_many(d->shared_bytes, used->shared_bytes, cta->shared_bytes));
    return occupancy_min(n, how_many(carveout_bytes, used->carved_bytes, cta->carved_bytes));
}

void occupancy_take(struct sm_room *used, const struct sm_room *cta)
{
    used->ctas += cta->ctas;
    used->warps += cta->warps;
    used->registers += cta->registers;
    used->shared_bytes += cta->shared_bytes;
    used->carved_bytes += cta->carved_bytes;
}

void occupancy_give(struct sm_room *used, const struct sm_room *cta)
{
    used->ctas -= cta->ctas;
    used->warps -= cta->warps;
    used->registers -= cta->registers;
    used->shared_bytes -= cta->shared_bytes;
    used->carved_bytes -= cta->carved_bytes;
}
