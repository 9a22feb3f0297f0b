/* ptx/warp/exec_preset.c: fills rows when an activation begins: constants, addresses of variables, special
 * registers that do not change. */
#include <string.h>

#include "ptx/warp/launch.h"
#include "ptx/warp/warp.h"

static uint32_t thread_id(const struct ptx_warp *w, uint32_t lane, uint32_t component)
{
    const uint32_t *block = w->cta->run->launch.block;
    uint32_t linear = w->id * PTX_LANES + lane;

    if (component == 0)
        return linear % block[0];
    return component == 1 ? linear / block[0] % block[1] : linear / block[0] / block[1];
}

static uint32_t lane_mask(uint32_t special, uint32_t lane)
{
    uint32_t eq = 1u << lane, lt = eq - 1;

    switch (special) {
    case PTX_SREG_LANEMASK_EQ: return eq;
    case PTX_SREG_LANEMASK_LT: return lt;
    case PTX_SREG_LANEMASK_LE: return lt | eq;
    case PTX_SREG_LANEMASK_GT: return ~(lt | eq);
    default: return ~lt;
    }
}

/* Clusters divide the grid. Without clusters, each CTA is its own cluster. */
static uint64_t cluster_value(const struct ptx_warp *w, uint32_t special, uint32_t i)
{
    const struct ptx_launch *l = &w->cta->run->launch;

    switch (special) {
    case PTX_SREG_CLUSTERID: return w->cta->id[i] / l->cluster[i];
    case PTX_SREG_NCLUSTERID: return l->grid[i] / l->cluster[i];
    case PTX_SREG_CLUSTER_CTAID: return w->cta->id[i] % l->cluster[i];
    case PTX_SREG_CLUSTER_NCTAID: return l->cluster[i];
    case PTX_SREG_CLUSTER_NCTARANK: return (uint64_t)l->cluster[0] * l->cluster[1] * l->cluster[2];
    case PTX_SREG_IS_EXPLICIT_CLUSTER: return w->cta->run->code->function->explicit_cluster;
    default: return w->cta->number % w->cta->cluster_ctas; /* the rank */
    }
}

static uint64_t special_value(const struct ptx_warp *w, uint32_t special, uint32_t i, uint32_t lane)
{
    const struct ptx_run *r = w->cta->run;
    const struct ptx_launch *l = &r->launch;

    switch (special) {
    case PTX_SREG_TID: return thread_id(w, lane, i);
    case PTX_SREG_NTID: return l->block[i];
    case PTX_SREG_CTAID: return w->cta->id[i];
    case PTX_SREG_NCTAID: return l->grid[i];
    case PTX_SREG_LANEID: return lane;
    case PTX_SREG_WARPID: return w->id;
    case PTX_SREG_NWARPID: return (l->block[0] * l->block[1] * l->block[2] + PTX_LANES - 1) / PTX_LANES;
    case PTX_SREG_NSMID: return r->options.sms;
    case PTX_SREG_SMID: return w->cta->linear % r->options.sms;
    case PTX_SREG_LANEMASK_EQ:
    case PTX_SREG_LANEMASK_LE:
    case PTX_SREG_LANEMASK_LT:
    case PTX_SREG_LANEMASK_GE:
    case PTX_SREG_LANEMASK_GT: return lane_mask(special, lane);
    case PTX_SREG_TOTAL_SMEM: return w->cta->shared_bytes - r->shared.reserved;
    case PTX_SREG_AGGR_SMEM: return w->cta->shared_bytes;
    case PTX_SREG_RESERVED_1: return PTX_RESERVED_BYTES / 2;
    case PTX_SREG_RESERVED_END:
    case PTX_SREG_RESERVED_CAP: return PTX_RESERVED_BYTES;
    case PTX_SREG_DYNAMIC_SMEM: return l->shared_bytes;
    case PTX_SREG_CLUSTERID:
    case PTX_SREG_NCLUSTERID:
    case PTX_SREG_CLUSTER_CTAID:
    case PTX_SREG_CLUSTER_NCTAID:
    case PTX_SREG_CLUSTER_CTARANK:
    case PTX_SREG_CLUSTER_NCTARANK:
    case PTX_SREG_IS_EXPLICIT_CLUSTER: return cluster_value(w, special, i);
    default: return 0; /* gridid, envreg, current_graph_exec, pm, begin of reserved memory: 0 */
    }
}

static int constant_value(struct ptx_warp *w, const struct ptx_activation *a, const struct ptx_preset *p,
                          uint64_t *value)
{
    const struct ptx_run *r = w->cta->run;
    const struct ptx_variable *v;
    uint64_t address;

    *value = p->value[0] + (p->frame ? a->frame : 0);
    if (p->function != PTX_NONE)
        *value += ptx_program_function_address(r->program, a->module, p->function);
    if (p->variable == PTX_NONE)
        return 0;
    v = &ptx_program_module(r->program, a->module)->variables[p->variable];
    if (v->space == PTX_SPACE_SHARED) {
        if (a->module != r->launch.module)
            return ptx_fault(w, 0, "not supported: shared variable %s of another module than the kernel's",
                             v->name);
        *value += r->shared.offset[p->variable];
        return 0;
    }
    address = ptx_program_address(r->program, a->module, p->variable);
    if (!address)
        return ptx_fault(w, 0, "%s needs variable %s, which no loaded module defines", a->code->function->name,
                         v->name);
    *value += address;
    return 0;
}

static bool differs_by_lane(uint32_t special)
{
    switch (special) {
    case PTX_SREG_TID:
    case PTX_SREG_LANEID:
    case PTX_SREG_LANEMASK_EQ:
    case PTX_SREG_LANEMASK_LE:
    case PTX_SREG_LANEMASK_LT:
    case PTX_SREG_LANEMASK_GE:
    case PTX_SREG_LANEMASK_GT: return true;
    default: return false;
    }
}

/* Writes one value to all lanes. */
static void spread(uint8_t *row, uint32_t bits, uint64_t low, uint64_t high)
{
    const uint64_t both[2] = {low, high};

    for (uint32_t at = 0; at < bits / 8 * PTX_LANES && bits == 128; at += sizeof both)
        memcpy(row + at, both, sizeof both);
    if (bits == 128)
        return;
    low = bits == 16   ? (low & UINT16_MAX) * 0x0001000100010001u
          : bits == 32 ? (low & UINT32_MAX) * 0x0000000100000001u
                       : low;
    for (uint32_t at = 0; at < bits / 8 * PTX_LANES; at += sizeof low)
        memcpy(row + at, &low, sizeof low);
}

static void put(uint8_t *row, uint32_t bits, uint32_t lane, uint64_t value)
{
    memcpy(row + (size_t)lane * bits / 8, &value, bits < 64 ? bits / 8 : 8);
}

/* Writes a special register whose value differs between lanes. */
static void spread_special(const struct ptx_warp *w, const struct ptx_preset *p, uint8_t *row)
{
    if (p->special == PTX_SREG_TID && p->component == 0 && w->cta->run->launch.block[0] % PTX_LANES == 0) {
        uint32_t first = thread_id(w, 0, 0);

        for (uint32_t lane = 0; lane < PTX_LANES; lane++)
            put(row, p->bits, lane, first + lane);
        return;
    }
    for (uint32_t lane = 0; lane < PTX_LANES; lane++)
        put(row, p->bits, lane, special_value(w, p->special, p->component, lane));
}

int ptx_fill_presets(struct ptx_warp *w, const struct ptx_activation *a)
{
    for (uint32_t k = 0; k < a->code->preset_count; k++) {
        const struct ptx_preset *p = &a->code->presets[k];
        bool special = p->special != PTX_SPECIAL_COUNT, by_lane = special && differs_by_lane(p->special);
        uint8_t *row = a->rows + (size_t)p->row * PTX_ROW_BYTES;
        uint64_t value;

        if (p->special == PTX_SREG_ENVREG)
            value = p->value[0] < 4 ? w->cta->run->launch.envreg[p->value[0]] : 0;
        else if (special)
            value = special_value(w, p->special, p->component, 0);
        else if (constant_value(w, a, p, &value))
            return -1;
        if (p->bits == 1) {
            a->preds[p->row] = value & 1 ? UINT32_MAX : 0;
            continue;
        }
        if (by_lane)
            spread_special(w, p, row);
        else
            spread(row, p->bits, value, special ? 0 : p->value[1]);
    }
    return 0;
}
