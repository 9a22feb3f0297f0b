/* sampling/communication.h: kernels that talk to other GPUs, by their names.
 *
 * What such a kernel takes in a profile is mostly waiting for other ranks; a simulation of one rank does not show
 * it. So its launches share no stratum with other kernels where strata are ours to choose (sampling/lines.c), and
 * plans say what they are (sampling/plan_make.c). */
#ifndef VIVACE_SAMPLING_COMMUNICATION_H
#define VIVACE_SAMPLING_COMMUNICATION_H

/* The library, "NCCL" and so on, or NULL: no such kernel. Names as demanglers write them, or mangled. */
const char *communication_library(const char *kernel_name);

#endif
