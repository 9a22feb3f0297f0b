/* simcore/validation/micro.h: micro-kernels whose times on real GPUs are known, written in code with the
 * instructions that a compiler makes of them (bodies and dependences as ptxas 13.0 emits them for sm_75 and sm_80),
 * and what is measured with them. A measurement has a name and arguments: "chase 32k", "stream init 128".
 *
 * A steady rate is the difference between a long and a short run of the same kernel, so that neither the launch nor
 * the first, cold steps count. */
#ifndef VIVACE_SIMCORE_VALIDATION_MICRO_H
#define VIVACE_SIMCORE_VALIDATION_MICRO_H

#include "simcore/design.h"
#include "simcore/trace/hand.h"

enum { MICRO_ARGS = 6 };

struct micro_call {
    const struct gpu_design *design;
    struct simulator *simulator; /* of this design */
    size_t argc;
    const char *arg[MICRO_ARGS]; /* without the name */
    const char *opcode;          /* the first argument, for chain and rate */
};
typedef int micro_fn(struct micro_call *c, double *out, struct err *e);
struct micro {
    const char *name, *args, *unit, *sentence; /* static text */
    micro_fn *measure;
};
/* All there are; a name of NULL ends each list. */
extern const struct micro micro_latency[], micro_rate[], micro_cache[], micro_stream[], micro_atomic[],
    micro_grid[], micro_conv[], micro_matmul[], micro_matvec[], micro_sample[], micro_timeline[];
const struct micro *micro_find(const char *name);
extern const struct micro *const micro_lists[]; /* all of the above; NULL at the end */

/* Checks name and arguments against the list above, without running anything: ERR_INVALID with what is wrong. */
int micro_check(const char *text, struct err *e);
/* Runs "name arg arg" on a design. ERR_NOT_FOUND: there is no such measurement. */
int micro_measure(const char *text, const struct gpu_design *d, double *out, struct err *e);

/* --- for the measurements --- */
/* Argument i as a number with k or M behind it (1024, 1024²); `otherwise` where it is not given. */
uint64_t micro_arg(const struct micro_call *c, size_t i, uint64_t otherwise);
/* "regs=64" among the arguments: 64. */
uint64_t micro_option(const struct micro_call *c, const char *name, uint64_t otherwise);
/* Runs the hand to its end and releases it; the caller releases *r. */
int micro_run(struct micro_call *c, struct hand *h, struct sim_result *r, struct err *e);
uint64_t micro_counter(const struct sim_result *r, const char *name); /* 0: there is no such */
/* The same for its cycles without the launch. */
int micro_cycles(struct micro_call *c, struct hand *h, uint64_t *cycles, struct err *e);
/* Writes the kernel with its loop run `repeats` times. */
typedef void micro_write_fn(struct hand *h, const struct micro_call *c, uint64_t repeats);
/* Cycles for each repeat beyond `first`, over `more` of them. */
int micro_slope(struct micro_call *c, micro_write_fn *write, uint64_t first, uint64_t more, double *cycles,
                struct err *e);
/* Writes the kernel with its first `ctas` CTAs. */
typedef void micro_kernel_fn(struct hand *h, const struct micro_call *c, uint64_t ctas);
/* Time of a kernel of `ctas` CTAs that each move `bytes` to or from memory, and its CTAs a microsecond once it runs
 * steadily (either may be NULL). A long kernel is run in part: far enough that L2 no longer absorbs what is
 * written, then half as far again, and the rest is taken to go at the pace of the second part. */
int micro_kernel(struct micro_call *c, micro_kernel_fn *write, uint64_t ctas, uint64_t bytes, double *us,
                 double *ctas_a_us, struct err *e);
/* Step addresses of kernels over arrays: the instruction's immediate says which array (MICRO_ARRAY) and how many
 * elements of `width` bytes away from the thread's own it reads. */
#define MICRO_ARRAY(array, offset) (((int64_t)(array) << 32) + (offset))
void micro_linear(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out);
/* A load or store of `width` bytes at micro_linear's address; a: address register, b: what is stored. */
uint32_t micro_access(struct hand *h, const char *opcode, uint16_t width, int dst, int a, int b, int64_t immediate);
/* The end of a counted loop: add, compare, branch back. Defines it at the first call; `*at` is 0 before. */
void micro_loop_end(struct hand *h, uint32_t *at);
double micro_ghz(const struct gpu_design *d);

#endif
