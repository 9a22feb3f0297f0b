/* sass/exec/exec.h: executes machine code of sm_75 to sm_90: a launch of a kernel of loaded cubins.
 *
 * The values are those of the hardware where IEEE 754 or the PTX manual defines them. MUFU has the value of the PTX
 * instruction, which is more accurate than the hardware (docs/sass.md). An operation, a modifier or a special
 * register without a known meaning ends the launch with an error that names it: nothing is guessed.
 *
 * Deterministic: the same launch gives the same bytes and the same counts. */
#ifndef VIVACE_SASS_EXEC_EXEC_H
#define VIVACE_SASS_EXEC_EXEC_H

#include "ptx/memory/device_memory.h"
#include "sass/cubin.h"
#include "sass/decode.h"

enum { SASS_EXEC_ARCH_MIN = 75, SASS_EXEC_ARCH_MAX = 90 };

struct sass_program; /* opaque */
/* The memory must live longer than the program. */
struct sass_program *sass_program_new(struct device_memory *memory, struct err *e);
void sass_program_free(struct sass_program *p);
/* Loads a cubin: variables get addresses, relocations are applied. bytes: the file that c was read from; both must
 * stay valid. ERR_UNSUPPORTED: architecture or relocation; ERR_MALFORMED: the file is damaged. */
int sass_program_load(struct sass_program *p, const uint8_t *bytes, size_t n, const struct cubin *c, struct err *e);

struct sass_kernel;                                                                            /* opaque */
const struct sass_kernel *sass_program_kernel(const struct sass_program *p, const char *name); /* NULL: none */
const struct cubin_function *sass_kernel_function(const struct sass_kernel *k);
/* A variable of global or constant memory. at: its bytes, to read or to write. False: there is none. */
bool sass_program_symbol(const struct sass_program *p, const char *name, uint8_t **at, uint64_t *bytes);

struct sass_launch {
    uint32_t grid[3], block[3];
    uint32_t shared_bytes;       /* dynamic */
    const void *params;          /* param_bytes of the function, in its layout */
    uint64_t limit_instructions; /* 0: 2^40 */
    bool taken_first;            /* a diverged branch runs its target first: results must not depend on the order */
};
struct sass_stats {
    uint64_t warp_instructions, lane_instructions, ctas, divergent_branches, barriers;
    uint64_t classes[SASS_CLASS_COUNT]; /* warp instructions */
};
/* Adds to *stats. ERR_SIMULATION: a fault, with kernel, address, instruction, CTA, warp and lane;
 * ERR_UNSUPPORTED: an instruction that has no known meaning here, or a launch that is not supported;
 * ERR_INVALID: the launch does not fit the kernel. */
int sass_launch_run(struct sass_program *p, const struct sass_kernel *k, const struct sass_launch *l,
                    struct sass_stats *stats, struct err *e);

#endif
