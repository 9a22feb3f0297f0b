/* cli/code/ptx_timing.h: while `vivace ptx run` executes launches, writes them to a .vtrace, or simulates their
 * timing on a GPU. */
#ifndef VIVACE_CLI_PTX_TIMING_H
#define VIVACE_CLI_PTX_TIMING_H

#include <jansson.h>

#include "cli/code/ptx_plan.h"
#include "cli/output/table.h"
#include "ptx/list/launch_list.h"
#include "ptx/tools/ptxas.h"
#include "simcore/simcore.h"

struct vtrace_writer;
struct ptx_checkpoint;
struct ptx_timing_sums {
    uint64_t launches, instructions, cycles, launch_cycles;
};
struct ptx_timing {
    const char *trace, *gpu, *ptxas, *launches, *kernel, *plan; /* options; NULL: not given */
    uint64_t arch;                                              /* 0: the GPU's, else 80 */
    struct vtrace_writer *writer;
    struct footprints *footprints; /* with the writer: the data that launches leave in the caches */
    struct gpu_design *design;
    struct simulator *simulator;
    struct ptxas_report report;
    uint64_t first, last;              /* numbers of the first and last selected launch */
    struct ptx_plan drawn;             /* with `plan`: only its drawn launches are selected */
    const struct ptx_checkpoint *from; /* the checkpoint from which a launch continues; NULL: none */
    /* The launch that ran last: */
    bool chosen;
    uint64_t instructions;
    uint32_t registers;
    struct sim_result result;
    struct ptx_timing_sums sums;
};

/* Checks the options and opens the files and the design. */
int ptx_timing_begin(struct ptx_timing *t, struct err *e);
/* Runs one launch, as a launch_list_launch_fn. Returns an enum launch_list_end, or -1. */
int ptx_timing_run(struct ptx_timing *t, const struct launch_list_view *v, const struct ptx_exec_options *o,
                   struct ptx_exec_stats *stats, struct err *e);
/* Records a copy or a fill between launches, as launch_list_options.touched. */
int ptx_timing_touched(struct ptx_timing *t, const struct list_touch *x, struct err *e);
/* Call it after all launches; launches: their number. Renames the finished file to its final name. */
int ptx_timing_finish(struct ptx_timing *t, uint64_t launches, struct err *e);
void ptx_timing_release(struct ptx_timing *t);

/* ptx_timing_columns() returns the additional columns of the table of launches, ptx_timing_cells() the last
 * launch's cells in them. */
size_t ptx_timing_columns(const struct ptx_timing *t, struct table_column *out); /* at most 6 */
void ptx_timing_cells(const struct ptx_timing *t, struct table *to);
/* The last launch as JSON; null where it was only executed. NULL: no memory. */
json_t *ptx_timing_json(const struct ptx_timing *t);
/* Prints a summary in one sentence. */
void ptx_timing_print(const struct ptx_timing *t);

#endif
