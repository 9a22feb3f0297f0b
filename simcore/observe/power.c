#include "simcore/observe/power.h"

static const enum power_lane lane_of[MIX_COUNT] = {
    [MIX_FP32] = POWER_FP32, [MIX_FP16] = POWER_FP16, [MIX_FP64] = POWER_FP64, [MIX_SFU] = POWER_SFU,
    /* all others: POWER_INT; tensor instructions are counted by the cycles of their unit */
};

static uint64_t core(const struct power_params *p, const struct power_activity *a)
{
    uint64_t sum = p->instruction_fj * a->warp_instructions + p->tensor_cycle_fj * a->tensor_cycles +
                   p->shared_pass_fj * a->shared_passes;

    for (uint32_t i = 0; i < MIX_COUNT; i++)
        sum += i == MIX_TENSOR ? 0 : p->lane_fj[lane_of[i]] * a->lanes[i];
    return sum;
}

void power_of(const struct gpu_design *d, const struct power_activity *a, uint64_t out[POWER_PART_COUNT])
{
    const struct power_params *p = &d->power;
    uint64_t all = a->cycles * d->sms, idle = all > a->sm_active_cycles ? all - a->sm_active_cycles : 0;
    struct clock_domain sm;

    clock_domain_init(&sm, d->sm_khz);
    out[PART_CORE] = core(p, a);
    out[PART_L1] = p->l1_sector_fj * a->l1_sectors;
    out[PART_L2] = p->l2_sector_fj * a->l2_sectors;
    out[PART_NOC] = p->noc_byte_fj * a->noc_bytes;
    out[PART_DRAM] = p->dram_sector_fj * a->dram_sectors;
    out[PART_STATIC] =
        p->constant_mw * clock_to_ps(&sm, a->cycles) + p->sm_active_mw * clock_to_ps(&sm, a->sm_active_cycles);
    out[PART_IDLE] = p->sm_idle_mw * clock_to_ps(&sm, idle);
}

void power_complete(struct counters *c, const struct gpu_design *d)
{
    struct power_activity a = {
        .cycles = c->cycles,
        .sm_active_cycles = c->sm_active_cycles,
        .warp_instructions = c->warp_instructions,
        .tensor_cycles = c->tensor_cycles,
        .l1_sectors = c->l1_load_sectors + c->l1_bypass_sectors + c->l1_store_sectors,
        .shared_passes = c->shared_passes,
        .l2_sectors = c->l2_read_sectors + c->l2_write_sectors + c->l2_atomic_sectors,
        .noc_bytes = c->noc_request_bytes + c->noc_reply_bytes,
        .dram_sectors = c->dram_read_sectors + c->dram_write_sectors,
    };
    uint64_t part[POWER_PART_COUNT], sum = 0, ps;
    struct clock_domain sm;

    for (uint32_t i = 0; i < MIX_COUNT; i++)
        a.lanes[i] = c->lane_mix[i];
    power_of(d, &a, part);
    for (uint32_t i = 0; i < POWER_PART_COUNT; i++) {
        c->energy[i] = part[i] / 1000000;
        sum += part[i];
    }
    clock_domain_init(&sm, d->sm_khz);
    ps = clock_to_ps(&sm, c->cycles);
    c->power_average = ps ? sum / ps : 0;
}
