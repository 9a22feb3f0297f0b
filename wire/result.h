/* wire/result.h: what one simulation found out, as a JSON document ("vivace-result", version 1). vivace-sim writes
 * it, the worker carries it, the server keeps it under its key (trace, design, simulator).
 *
 * Engine `cycle`: cycles, instructions and counters of one kernel launch on one design. Engine `replay`: the
 * profiled value replaces the simulated one; simulator is "replay", and trace and design are empty. */
#ifndef VIVACE_WIRE_RESULT_H
#define VIVACE_WIRE_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sampling/profile.h"
#include "wire/json.h"

#define RESULT_FORMAT       "vivace-result"
#define RESULT_VERSION      1
#define RESULT_COUNTERS_MAX 4096
/* Of one document: 4096 counters with names of 200 bytes need 1 MiB. */
#define RESULT_BYTES_MAX ((size_t)4 << 20)
/* A run may allow results that are projected inside a launch, with a half-width of so much of its cycles at most.
 */
#define INSIDE_KERNELS_MIN 0.01
#define INSIDE_KERNELS_MAX 0.08
#define WIRE_NAME          128 /* designs, workers, hosts */
#define WIRE_VERSION       40

struct result_counter {
    char *name, *unit;
    uint64_t value;
};
struct result {
    bool replay;
    char simulator[WIRE_VERSION]; /* version; "replay" for the engine of that name */
    char digest[SHA256_HEX];      /* over all that must be equal on every machine: not host_seconds */
    double host_seconds;
    /* engine replay */
    uint64_t value;
    enum profile_unit unit;
    /* engine cycle */
    char trace_sha256[SHA256_HEX], design_sha256[SHA256_HEX], design[WIRE_NAME];
    char *kernel_name;
    uint32_t grid[3], block[3];
    uint64_t cycles, launch_cycles, warp_instructions;
    uint64_t cycles_warm_bound; /* it began with empty caches: its cycles fully warm; 0: not known */
    bool projected;             /* inside the launch: cycles are an estimate */
    double projected_error;     /* its standard error, in cycles */
    double clock_hz;
    size_t counter_count;
    struct result_counter *counters;
    json_t *document; /* the whole as it came, with members that this version does not know; NULL when made here */
};

void result_init(struct result *r);
void result_release(struct result *r);
/* Checks and copies; keeps a reference to the document. Only a finished simulation ("end": "done") is a result. */
int result_from_json(const json_t *document, struct result *out, struct err *e);
int result_from_text(const char *text, size_t n, struct result *out, struct err *e);
/* A new reference; NULL when memory ran out. A result that was read gives back the very document. */
json_t *result_to_json(const struct result *r);
/* Engine replay: fills everything, digest included. */
int result_replay(uint64_t value, enum profile_unit unit, struct result *out, struct err *e);
/* Seconds that the GPU would take: cycles / clock, or the replayed nanoseconds. NaN: a replayed instruction count.
 */
double result_seconds(const struct result *r);

#endif
