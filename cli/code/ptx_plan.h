/* cli/code/ptx_plan.h: selects the launches that a plan drew, while a launch list runs. Launch k of the list is
 * launch k of the plan's profile, so the plan must be of a profile of this list. Kernel names, grids, blocks and
 * the number of launches are compared with the plan. */
#ifndef VIVACE_CLI_PTX_PLAN_H
#define VIVACE_CLI_PTX_PLAN_H

#include "sampling/plan/plan.h"

struct ptx_plan {
    const char *path;
    struct plan plan;
    struct plan_sample *order; /* the plan's samples, by launch */
    size_t next;               /* in order */
};

int ptx_plan_read(struct ptx_plan *p, const char *path, struct err *e);
/* 1: launch `number` was drawn; 0: it was not; -1, ERR_INVALID: it was drawn, but the plan has another kernel, grid
 * or block. Call it with ascending numbers from 0. */
int ptx_plan_wants(struct ptx_plan *p, uint64_t number, const char *kernel, const uint32_t grid[3],
                   const uint32_t block[3], struct err *e);
/* Call it after all launches: checks that their number is that of the plan's profile. */
int ptx_plan_finish(const struct ptx_plan *p, uint64_t launches, struct err *e);
void ptx_plan_release(struct ptx_plan *p);

#endif
