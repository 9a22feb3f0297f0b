/* simcore/app/runtime_gpu.c: connects the simulator to the CUDA runtime (ptx/runtime/gpu.h). */
#include "base/array.h"
#include "ptx/runtime/gpu.h"
#include "simcore/copy.h"
#include "simcore/design.h"
#include "simcore/simcore.h"

struct simulated_gpu {
    struct runtime_gpu gpu; /* must be the first member */
    struct gpu_design *design;
    struct simulator *simulator;
};

static const struct simulated_gpu *simulated(const struct runtime_gpu *g)
{
    return (const struct simulated_gpu *)g;
}

static uint64_t runtime_wave_ctas(const struct runtime_gpu *g, const struct kernel_info *k)
{
    return design_wave_ctas(simulated(g)->design, k);
}

/* Copy time from the bandwidths of the design: over PCIe, or twice through device memory. */
static uint64_t runtime_copy_ps(const struct runtime_gpu *g, enum runtime_copy way, uint64_t bytes)
{
    struct copy_paths paths;
    const struct copy_path *p;

    copy_paths_init(&paths, simulated(g)->design);
    if (way == RUNTIME_COPY_DEVICE)
        return paths.of[SIM_COPY_DEVICE].startup_ps +
               (uint64_t)((unsigned __int128)bytes * 2000000 / simulated(g)->design->dram_mbs);
    p = &paths.of[way == RUNTIME_COPY_TO_HOST ? SIM_COPY_TO_HOST : SIM_COPY_TO_DEVICE];
    return p->startup_ps + p->latency_ps + (uint64_t)((unsigned __int128)bytes * p->byte_q16 >> 16);
}

static int runtime_simulate(const struct runtime_gpu *g, struct inst_source *s, uint64_t *length_ps, struct err *e)
{
    const struct sim_options options = {.caches = SIM_CACHES_KEPT};
    struct sim_result result = {0};
    int ret = simulator_run(simulated(g)->simulator, s, &options, &result, e);

    if (ret != 0)
        return ret;
    *length_ps = (uint64_t)((unsigned __int128)result.cycles * 1000000000 / g->sm_khz);
    if (result.end != SIM_DONE)
        ret = err_set(e, ERR_SIMULATION, "the simulation did not finish: %s", result.report);
    sim_result_release(&result);
    return ret;
}

int runtime_gpu_open(const char *name, bool simulates, const struct runtime_gpu **out, struct err *e)
{
    static const struct runtime_gpu_ops counted = {.wave_ctas = runtime_wave_ctas, .copy_ps = runtime_copy_ps};
    static const struct runtime_gpu_ops timed = {
        .wave_ctas = runtime_wave_ctas, .copy_ps = runtime_copy_ps, .simulate = runtime_simulate};
    struct simulated_gpu *g = mem_zalloc(1, sizeof *g, e);
    const struct gpu_design *d;

    if (!g)
        return -1;
    if (design_load(name, &g->design, e) != 0 || (simulates && !(g->simulator = simulator_new(g->design, e)))) {
        design_free(g->design);
        free(g);
        return -1;
    }
    d = g->design;
    g->gpu = (struct runtime_gpu){.ops = simulates ? &timed : &counted,
                                  .name = design_name(d),
                                  .gpu_names = design_gpu_names(d),
                                  .sha256 = design_sha256(d),
                                  .compute_capability = d->compute_capability,
                                  .sms = d->sms,
                                  .sm_khz = d->sm_khz,
                                  .warps = d->warps,
                                  .ctas = d->ctas,
                                  .registers = d->registers,
                                  .shared_bytes = d->shared_bytes,
                                  .shared_cta_bytes = d->shared_cta_bytes,
                                  .shared_system_bytes = d->shared_system_bytes,
                                  .l2_bytes = d->l2_bytes,
                                  .dram_mbs = d->dram_mbs,
                                  .dram_khz = d->dram_khz};
    *out = &g->gpu;
    return 0;
}
