/* simcore/ptx/program_run.h: one launch of a packed program (launch_list_pack.h), found by running the program up
 * to it, as a source of instructions. */
#ifndef VIVACE_SIMCORE_PTX_PROGRAM_RUN_H
#define VIVACE_SIMCORE_PTX_PROGRAM_RUN_H

#include "simcore/ptx/source.h"
#include "simcore/trace/program_launch.h"

struct program_run {
    const char *launch_path, *program_path; /* program_launch.h; the packed list */
    uint64_t memory_bytes;                  /* the program may take at most this much, unpacked; 0: 16 GiB */
    uint32_t arch;                          /* whose machine code is imitated: ptx_source_options */
    /* Called once, with the launch; whether it reads the source to its end or not, nothing runs after it. */
    int (*use)(void *ctx, struct inst_source *s, struct err *e);
    void *ctx;
};
/* 0 when use() answered so. ERR_INVALID: the program has fewer launches, or there is another kernel, grid or block
 * at that place. */
int program_run(const struct program_run *r, struct err *e);

#endif
