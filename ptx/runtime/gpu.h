/* ptx/runtime/gpu.h: the GPU that the runtime models: its parameters, and functions for the duration of work.
 * The runtime does not depend on the simulator; simcore/app/runtime_gpu.c fills in this interface. */
#ifndef VIVACE_PTX_RUNTIME_GPU_H
#define VIVACE_PTX_RUNTIME_GPU_H

#include <stdbool.h>

#include "simcore/trace/inst_source.h"

enum runtime_copy { RUNTIME_COPY_TO_DEVICE, RUNTIME_COPY_TO_HOST, RUNTIME_COPY_DEVICE };

struct runtime_gpu;
struct runtime_gpu_ops {
    /* The number of CTAs of this launch that run on the whole GPU at one time. 0: one CTA does not fit. */
    uint64_t (*wave_ctas)(const struct runtime_gpu *g, const struct kernel_info *k);
    uint64_t (*copy_ps)(const struct runtime_gpu *g, enum runtime_copy way, uint64_t bytes);
    /* Reads the launch to its end. *length_ps: its simulated duration. NULL: launches are not simulated. */
    int (*simulate)(const struct runtime_gpu *g, struct inst_source *s, uint64_t *length_ps, struct err *e);
};

struct runtime_gpu {
    const struct runtime_gpu_ops *ops;
    const char *name;      /* of the design */
    const char *gpu_names; /* GPU names in profiles, separated by '|'; NULL: none */
    const char *sha256;    /* of the design */
    uint32_t compute_capability, sms, sm_khz;
    uint32_t warps, ctas, registers; /* of one SM */
    uint32_t shared_bytes, shared_cta_bytes, shared_system_bytes;
    uint32_t l2_bytes, dram_mbs, dram_khz;
};

/* `name`: a design, as in `vivace simulate --gpu`. *out lives as long as the process. */
int runtime_gpu_open(const char *name, bool simulates, const struct runtime_gpu **out, struct err *e);

#endif
