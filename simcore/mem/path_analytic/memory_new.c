/* simcore/mem/path_analytic/memory_new.c: creates the memory. Single requests on this path calibrate its latencies,
 * because the design states end-to-end latencies. */
#include "base/array.h"
#include "simcore/engine/wide.h"
#include "simcore/mem/memory_internal.h"

static void set_rates(struct memory *m, const struct gpu_design *d)
{
    struct clock_domain sm, l2;

    clock_domain_init(&sm, d->sm_khz);
    clock_domain_init(&l2, d->l2_khz);
    m->slice_q16 = l2.period / d->l2_slice_bytes;
    m->tag_ps = (uint32_t)clock_span_ps(&l2, 1, 1);
    for (uint32_t s = 0; s <= LINE_SECTORS; s++) {
        uint32_t bytes = s * SECTOR_BYTES;

        m->slice_ps[0][s] = (uint32_t)later(m->tag_ps, bytes_ps(m->slice_q16, bytes + d->noc_header_bytes));
        m->slice_ps[1][s] = (uint32_t)later(m->tag_ps, bytes_ps(m->slice_q16, bytes));
    }
    m->atomic_lane_ps = (uint32_t)clock_span_ps(&l2, d->l2_atomic_lane, 1);
    m->atomic_sector_ps = (uint32_t)clock_span_ps(&l2, d->l2_atomic_sector_256, 256);
    m->atomic_latency_ps = (uint32_t)clock_span_ps(&sm, d->l2_atomic_latency, 1);
}

/* A line whose home is this partition. */
static uint64_t line_at_home(const struct memory *m, uint32_t partition)
{
    struct address_place place;
    uint64_t line = 0;

    for (;; line++) {
        address_locate(&m->map, line, &place);
        if (memory_home(m, &place) == partition)
            return line;
    }
}

static uint64_t idle_trip_ps(struct memory *m, const struct mem_request *r, sim_time_ps t)
{
    return memory_access(m, r, t, t) - t;
}

/* Calibrates with a line that only its home partition has. The design's figure includes the time of the lookup in
 * the other partition. */
static void calibrate_bridge(struct memory *m, const struct gpu_design *d, const struct clock_domain *sm,
                             uint64_t near)
{
    const struct mem_request warm = {
        .line = line_at_home(m, 1), .sectors = 1, .kind = MEM_READ, .sm = (uint16_t)(d->gpcs - 1)};
    const struct mem_request far = {.line = warm.line, .sectors = 1, .kind = MEM_READ};
    uint64_t want = clock_span_ps(sm, d->l2_bridge, 1), stages;

    memory_begin(m);
    stages = idle_trip_ps(m, &far, idle_trip_ps(m, &warm, 0)) - near;
    m->noc.bridge_ps = want > stages ? (uint32_t)((want - stages) / 2) : 0;
}

/* The design states end-to-end latencies as a program measures them. This function measures the time of the stages
 * on an idle GPU and assigns the rest to the network; the same for DRAM. */
static void calibrate(struct memory *m, const struct gpu_design *d)
{
    const struct mem_request r = {.line = line_at_home(m, 0), .sectors = 1, .kind = MEM_READ};
    struct clock_domain sm;
    uint64_t want, dram_stages, hit;

    clock_domain_init(&sm, d->sm_khz);
    want = clock_span_ps(&sm, d->l2_latency - d->l1_latency, 1); /* minus the time in the L1 */
    memory_begin(m);
    dram_stages = idle_trip_ps(m, &r, 0);
    hit = idle_trip_ps(m, &r, dram_stages);
    if (m->noc.partitions > 1)
        calibrate_bridge(m, d, &sm, hit);
    /* A read from DRAM passes the same stages as a hit, and also a bus and an activate. */
    dram_stages -= hit + m->dram.latency_ps + m->dram.row_ps;
    m->dram.latency_ps -= dram_stages < m->dram.latency_ps ? (uint32_t)dram_stages : m->dram.latency_ps;
    want = want > hit ? want - hit : 0;
    m->noc.there_ps = (uint32_t)(want / 2);
    m->noc.back_ps = (uint32_t)(want - want / 2);
}

struct memory *memory_new(const struct gpu_design *d, struct err *e)
{
    struct memory *m = mem_zalloc(1, sizeof *m, e);

    if (!m)
        return NULL;
    if (noc_init(&m->noc, d, e) < 0 || l2_init(&m->l2, d, e) < 0 || dram_init(&m->dram, d, e) < 0)
        goto fail;
    m->slice = wide_zalloc(d->l2_slices, sizeof *m->slice, e);
    if (!m->slice)
        goto fail;
    m->half = d->l2_slices / 2;
    address_map_init(&m->map, d, m->l2.sets);
    set_rates(m, d);
    calibrate(m, d);
    noc_lay_out(&m->noc, d);
    if (d->model.tlb == TLB_ON &&
        !(m->tlb = tlb_new(d, e))) /* last: the design's latencies do not include translation */
        goto fail;
    return m;
fail:
    memory_free(m);
    return NULL;
}
