/* simcore/app/program_run.h: some launches of a packed program (launch_list_pack.h), found by running the program
 * up to them, as sources of instructions. */
#ifndef VIVACE_SIMCORE_APP_PROGRAM_RUN_H
#define VIVACE_SIMCORE_APP_PROGRAM_RUN_H

#include "ptx/trace/source.h"

struct program_run {
    const char *path;        /* the packed list */
    const uint64_t *numbers; /* which launches, ascending, each once */
    size_t count;
    uint64_t memory_bytes; /* the program may take at most this much, unpacked, and as much in buffers; 0: 16 GiB */
    uint64_t l2_lines;     /* of the GPU that it is for: a launch finds there what earlier ones left; 0: nothing */
    uint32_t arch;         /* whose machine code is imitated: ptx_source_options */
    /* Called for each, in turn; need not read the source to its end. -1 ends it all. */
    int (*use)(void *ctx, size_t i, struct inst_source *s, struct err *e);
    void *ctx;
};
/* 0: all were used. ERR_INVALID: the program has fewer launches. */
int program_run(const struct program_run *r, struct err *e);

#endif
