/* simcore/app/sim_input.h: the launch that the command line of vivace-sim names, and the launches before it. */
#ifndef VIVACE_SIMCORE_APP_SIM_INPUT_H
#define VIVACE_SIMCORE_APP_SIM_INPUT_H

#include "simcore/history.h"

struct sim_input {
    /* The members below are set by the caller: */
    const char *trace; /* a file */
    bool has_launch;   /* `launch` is set; else the .vtrace must have only one */
    bool last_launch;  /* simulate the last launch of a .vtrace, whatever the value of `launch` */
    uint64_t launch;
    struct cta_range ctas;
    bool replayed; /* the launches before it are needed */
    uint64_t replay_launches;
    /* The members below are set by sim_input_open(): */
    struct bundle bundle; /* contains the launch: of the same .vtrace, or of the kernel list beside it */
    size_t kernel;        /* index of the launch in the bundle */
    struct trace_place
        place; /* place of a range, or of one launch in a file of several; without a path: the whole file `trace` */
    struct trace_history history;
    struct trace_before before; /* replayed */
};
/* Opens the launch. Released by sim_input_release(), also on failure. */
int sim_input_open(struct sim_input *in, struct inst_source **out, struct err *e);
/* Opens the same launch again, after sim_input_open(). */
int sim_input_reopen(const struct sim_input *in, struct inst_source **out, struct err *e);
void sim_input_release(struct sim_input *in);

#endif
