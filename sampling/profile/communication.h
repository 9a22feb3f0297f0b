/* sampling/profile/communication.h: recognises communication kernels (between GPUs) by their names.
 *
 * The profiled time of such a kernel is mostly waiting for other ranks, which a simulation of one rank does not
 * include. So the method `vivace` puts its launches in no stratum with other kernels (sampling/strata/lines.c), and
 * plans report them (sampling/methods/plan_make.c). */
#ifndef VIVACE_SAMPLING_COMMUNICATION_H
#define VIVACE_SAMPLING_COMMUNICATION_H

/* The library, e.g. "NCCL"; NULL: not a communication kernel. kernel_name: demangled or mangled. */
const char *communication_library(const char *kernel_name);

#endif
