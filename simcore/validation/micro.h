/* simcore/validation/micro.h: micro-kernels whose times on real GPUs are known, and the measurements that use them.
 * The kernels are written as C code that lists their machine instructions, with the bodies and dependences that
 * ptxas 13.0 emits for sm_75 and sm_80. A measurement has a name and arguments: "chase 32k", "stream init 128".
 *
 * A steady rate is the difference between a long and a short run of the same kernel, so the launch and the first
 * steps with cold caches are excluded. */
#ifndef VIVACE_SIMCORE_VALIDATION_MICRO_H
#define VIVACE_SIMCORE_VALIDATION_MICRO_H

#include "simcore/design.h"
#include "simcore/trace/hand.h"

enum { MICRO_ARGS = 6 };

struct micro_call {
    const struct gpu_design *design;
    struct simulator *simulator; /* of this design */
    size_t argc;
    const char *arg[MICRO_ARGS]; /* arguments after the name of the measurement */
    const char *opcode;          /* the first argument, for chain and rate */
};
typedef int micro_fn(struct micro_call *c, double *out, struct err *e);
struct micro {
    const char *name, *args, *unit, *sentence; /* static text */
    micro_fn *measure;
};
/* All measurements, in one list for each file. An entry with the name NULL ends a list. */
extern const struct micro micro_latency[], micro_rate[], micro_cache[], micro_stream[], micro_atomic[],
    micro_grid[], micro_conv[], micro_matmul[], micro_matvec[], micro_sample[], micro_timeline[];
const struct micro *micro_find(const char *name);
extern const struct micro *const micro_lists[]; /* all these lists; NULL at the end */

/* Checks name and arguments, without running a kernel. ERR_INVALID: the text describes the fault. */
int micro_check(const char *text, struct err *e);
/* Runs "name arg arg" on a design. ERR_NOT_FOUND: there is no such measurement. */
int micro_measure(const char *text, const struct gpu_design *d, double *out, struct err *e);

/* --- helper functions of the measurements --- */
/* Argument i as a number. A suffix k or M multiplies it by 1024 or 1024². `otherwise`: the value if the argument is
 * missing. */
uint64_t micro_arg(const struct micro_call *c, size_t i, uint64_t otherwise);
/* The value of an option: 64 for "regs=64" among the arguments. `otherwise`: the value if the option is missing. */
uint64_t micro_option(const struct micro_call *c, const char *name, uint64_t otherwise);
/* Simulates the kernel of `h` to its end and releases `h`. The caller releases *r. */
int micro_run(struct micro_call *c, struct hand *h, struct sim_result *r, struct err *e);
uint64_t micro_counter(const struct sim_result *r, const char *name); /* 0: there is no counter of this name */
/* As micro_run(), but returns only the cycles, without those of the launch overhead. */
int micro_cycles(struct micro_call *c, struct hand *h, uint64_t *cycles, struct err *e);
/* Writes the kernel, whose loop runs `repeats` times. */
typedef void micro_write_fn(struct hand *h, const struct micro_call *c, uint64_t repeats);
/* The cycles per repeat: the difference between runs with `first` and `first` + `more` repeats, divided by `more`.
 */
int micro_slope(struct micro_call *c, micro_write_fn *write, uint64_t first, uint64_t more, double *cycles,
                struct err *e);
/* Writes the kernel with its first `ctas` CTAs. */
typedef void micro_kernel_fn(struct hand *h, const struct micro_call *c, uint64_t ctas);
/* The time of a kernel of `ctas` CTAs that each move `bytes` to or from memory, and its steady rate in CTAs per
 * microsecond (us or ctas_a_us may be NULL). Only a part of a long kernel is simulated: until L2 no longer absorbs
 * the written data, and half as much again. The rest is assumed to run at the rate of the second part. */
int micro_kernel(struct micro_call *c, micro_kernel_fn *write, uint64_t ctas, uint64_t bytes, double *us,
                 double *ctas_a_us, struct err *e);
/* Addresses of a step, for kernels over arrays. The instruction's immediate contains the number of the array and
 * the distance from the thread's own element, in elements of `width` bytes (MICRO_ARRAY). */
#define MICRO_ARRAY(array, offset) (((int64_t)(array) << 32) + (offset))
void micro_linear(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out);
/* A load or store of `width` bytes at micro_linear's address; a: address register, b: register of the stored value.
 */
uint32_t micro_access(struct hand *h, const char *opcode, uint16_t width, int dst, int a, int b, int64_t immediate);
/* Adds the end of a counted loop: add, compare, branch back. The first call defines these instructions; *at is 0
 * before it. */
void micro_loop_end(struct hand *h, uint32_t *at);
double micro_ghz(const struct gpu_design *d);

#endif
