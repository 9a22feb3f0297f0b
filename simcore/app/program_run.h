/* simcore/app/program_run.h: provides some launches of a packed program (launch_list_pack.h) as instruction
 * sources, by executing the program up to them. */
#ifndef VIVACE_SIMCORE_APP_PROGRAM_RUN_H
#define VIVACE_SIMCORE_APP_PROGRAM_RUN_H

#include "ptx/trace/source.h"

struct program_run {
    const char *path;        /* the packed list */
    const uint64_t *numbers; /* indices of the launches, ascending, without repetition */
    size_t count;
    uint64_t memory_bytes; /* limit of the unpacked program, and separately of its buffers; 0: 16 GiB */
    uint64_t l2_lines;     /* lines in the L2 of the simulated GPU, for warm images; 0: cold L2 */
    uint32_t arch;         /* the architecture whose machine code is imitated: ptx_source_options */
    /* Called for each launch in order. It need not read the source to its end. -1 ends program_run(). */
    int (*use)(void *ctx, size_t i, struct inst_source *s, struct err *e);
    void *ctx;
};
/* 0: all launches were used. ERR_INVALID: the program has fewer launches. */
int program_run(const struct program_run *r, struct err *e);

#endif
