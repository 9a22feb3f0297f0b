/* simcore/app/simulation.h: what vivace-sim does with one launch, for people and for workers. */
#ifndef VIVACE_SIMCORE_APP_SIMULATION_H
#define VIVACE_SIMCORE_APP_SIMULATION_H

#include "simcore/app/sim_input.h"

void sim_print_error(const struct err *e); /* on stderr */

struct simulation {
    struct simulator *simulator;
    const struct gpu_design *design;
    struct sim_options options;
    struct sim_input *input;    /* which launch of the file, and what is before it; NULL: the file is a launch */
    bool read_ahead;            /* on a thread of its own */
    const char *trace;          /* the file, while it runs */
    struct inst_source *source; /* of a trace */
    struct kernel_info info;
    struct sim_result result;
    char trace_sha256[SHA256_HEX];
    double seconds;
};
/* Runs the trace; an exit code, with *e filled for codes that are errors. The caller releases. */
enum exit_code simulation_run(struct simulation *s, const char *trace, struct err *e);
/* The same where something else gives the instructions of that trace. */
enum exit_code simulation_run_source(struct simulation *s, const char *trace, struct inst_source *source,
                                     struct err *e);
char *simulation_json(const struct simulation *s, struct err *e); /* malloc'ed */
void simulation_release(struct simulation *s);

/* jobs.c: jobs of a worker, from standard input; what happens goes to descriptor 3. */
enum exit_code run_jobs(void);
enum exit_code test_sandbox(void); /* prints how well jobs are confined on this machine (base/sandbox.h) */

#endif
