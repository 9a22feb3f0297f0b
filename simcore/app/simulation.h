/* simcore/app/simulation.h: simulates one launch, for the command line of vivace-sim and for the jobs of workers.
 */
#ifndef VIVACE_SIMCORE_APP_SIMULATION_H
#define VIVACE_SIMCORE_APP_SIMULATION_H

#include "simcore/app/sim_input.h"

void sim_print_error(const struct err *e); /* on stderr */

struct simulation {
    struct simulator *simulator;
    const struct gpu_design *design;
    struct sim_options options;
    /* the launch within the file, and the launches before it; NULL: the file holds one launch */
    struct sim_input *input;
    bool read_ahead;            /* read the trace on a separate thread */
    const char *trace;          /* path of the trace file, valid while the simulation runs */
    struct inst_source *source; /* source of the trace */
    struct kernel_info info;
    struct sim_result result;
    char trace_sha256[SHA256_HEX];
    double seconds;
};
/* Simulates the trace. Returns an exit code; *e is filled for codes that are errors. The caller releases *s. */
enum exit_code simulation_run(struct simulation *s, const char *trace, struct err *e);
/* As simulation_run(), but `source` provides the instructions of that trace. */
enum exit_code simulation_run_source(struct simulation *s, const char *trace, struct inst_source *source,
                                     struct err *e);
char *simulation_json(const struct simulation *s, struct err *e); /* malloc'ed */
void simulation_release(struct simulation *s);

/* In jobs.c: simulates jobs that a worker sends on standard input; reports go to descriptor 3. */
enum exit_code run_jobs(void);
enum exit_code test_sandbox(void); /* prints the sandbox level of this machine (base/sandbox.h) */

#endif
