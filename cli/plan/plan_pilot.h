/* cli/plan/plan_pilot.h: `vivace plan --pilot GPU`: simulates one launch of each shape, and converts counts of
 * instructions to estimated cycles (sampling/plan/pilot.h). */
#ifndef VIVACE_CLI_PLAN_PILOT_H
#define VIVACE_CLI_PLAN_PILOT_H

#include "cli/cli.h"
#include "sampling/plan/plan.h"

struct plan_pilot {
    const char *gpu;    /* a built-in design or a file; NULL: no pilot */
    const char *traces; /* traces of the profile's launches; NULL: the profile is a set of traces */
    const char *out;    /* file for the profile of estimated cycles, or NULL */
    uint64_t children;  /* simulations at a time; 0: the number of processors */
    /* The members below are set by plan_pilot_run(): */
    char design[128];       /* its name */
    size_t launches;        /* number of launches with a result */
    size_t shapes;          /* number of shapes in the profile */
    size_t failed, missing; /* failed: number of shapes whose launch failed; missing: number of shapes whose launch
                               has no trace */
    double scaled;          /* share of the estimated cycles that belong to shapes without a result */
    double cycles;          /* estimated cycles of the simulated launches */
    double seconds;         /* duration of the pilot */
};

/* clang-format off */
/* Rows for a table of struct cli_option. */
#define PLAN_PILOT_ROWS(p) \
    {"pilot", 0, CLI_PATH, "GPU", &(p).gpu, \
     "profiles of instructions: simulate one launch of each shape on this design first, and plan on the cycles of all " \
     "launches as estimated from it"}, \
    {"traces", 0, CLI_PATH, "TRACES", &(p).traces, "with --pilot: traces of the launches, where FILE is no traces"}, \
    {"pilot-out", 0, CLI_PATH, "FILE", &(p).out, \
     "with --pilot: write the profile of estimated cycles, to plan from it elsewhere or to push it to a farm"}, \
    {"jobs", 'j', CLI_COUNT, "N", &(p).children, \
     "with --pilot: simulations at a time; default: the number of processors"}
/* clang-format on */

/* ERR_USAGE where the options are not valid. */
int plan_pilot_check(const struct plan_pilot *p, struct err *e);
/* Simulates, scales `profile`, which was read from `path`, and writes p->out. Shows progress. */
int plan_pilot_run(struct plan_pilot *p, const char *path, struct profile *profile, struct err *e);
/* One line of text: the pilot's cost compared with the plan's cost. */
void plan_pilot_text(const struct plan_pilot *p, const struct plan *plan, char *out, size_t size);

#endif
