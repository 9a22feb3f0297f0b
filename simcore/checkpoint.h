/* simcore/checkpoint.h: the whole state of one launch in a file, and back.
 *
 * A file: lines that say what it belongs to, the state in a zstd frame, and the SHA-256 of all before it. The trace
 * is not in it: the resuming program reads it again up to the CTAs that were taken. Reserve mode only.
 *
 * State goes as it is in memory, so a checkpoint is for the same simulator on the same kind of machine. It is
 * refused where the format, the simulator's version, the layout of its structs, the design or the trace is another;
 * and where a byte was changed or is missing. */
#ifndef VIVACE_SIMCORE_CHECKPOINT_H
#define VIVACE_SIMCORE_CHECKPOINT_H

#include "simcore/gpu.h"

/* Where the stream of the launch is. */
struct checkpoint_step {
    bool over;      /* all CTAs have exited; the launch ends at `at` */
    sim_time_ps at; /* SIM_NEVER while it runs */
};

int checkpoint_save(struct simulator *s, struct launch *l, const struct checkpoint_step *step,
                    const struct sim_checkpoint *c, struct err *e);
/* Into a simulator on which nothing runs, with a launch that is new; its source gives its CTAs from the first on.
 * On -1 nothing runs either. */
int checkpoint_resume(struct simulator *s, struct launch *l, struct checkpoint_step *step,
                      const struct sim_checkpoint *c, struct err *e);

/* --- checkpoint_state.c: what is in the frame --- */
void checkpoint_put(struct simulator *s, struct launch *l, const struct checkpoint_step *step, struct strbuf *out,
                    struct err *e);
int checkpoint_take(struct simulator *s, struct launch *l, struct checkpoint_step *step, const void *bytes,
                    size_t n, struct err *e);

#endif
