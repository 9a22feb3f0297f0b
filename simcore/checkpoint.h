/* simcore/checkpoint.h: saves the whole state of one launch to a file and resumes from it.
 *
 *
 * A file has lines that identify simulator, design and trace, then the state in a zstd frame, then the SHA-256 of
 * everything before it. It does not contain the trace: the resuming program reads the trace again up to the CTAs
 * that were taken. Reserve mode only.
 *
 *
 * State is stored as it is in memory, so a checkpoint is valid only for the same simulator on the same kind of
 * machine. It is rejected if the format, the simulator's version, the layout of its structs, the design or the
 * trace differs, or if a byte was changed or is missing. */
#ifndef VIVACE_SIMCORE_CHECKPOINT_H
#define VIVACE_SIMCORE_CHECKPOINT_H

#include "simcore/gpu.h"

/* The position of the launch's stream. */
struct checkpoint_step {
    bool over;      /* all CTAs have exited; the launch ends at `at` */
    sim_time_ps at; /* SIM_NEVER while it runs */
};

int checkpoint_save(struct simulator *s, struct launch *l, const struct checkpoint_step *step,
                    const struct sim_checkpoint *c, struct err *e);
/* Resumes into an idle simulator and a new launch whose source begins at its first CTA. On -1 the simulator is
 * idle, too. */
int checkpoint_resume(struct simulator *s, struct launch *l, struct checkpoint_step *step,
                      const struct sim_checkpoint *c, struct err *e);

/* --- checkpoint_state.c: the content of the zstd frame --- */
void checkpoint_put(struct simulator *s, struct launch *l, const struct checkpoint_step *step, struct strbuf *out,
                    struct err *e);
int checkpoint_take(struct simulator *s, struct launch *l, struct checkpoint_step *step, const void *bytes,
                    size_t n, struct err *e);

#endif
