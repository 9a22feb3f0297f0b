/* wire/result.h: the result of one simulation as a JSON document ("vivace-result", version 1). vivace-sim writes
 * it, the worker sends it, and the server stores it under its key (trace, design, simulator).
 *
 * Engine `cycle`: cycles, instructions and counters of one kernel launch on one design. Engine `replay`: the
 * value from the profile is used instead of a simulation; simulator is "replay", and trace and design are empty. */
#ifndef VIVACE_WIRE_RESULT_H
#define VIVACE_WIRE_RESULT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sampling/profile/profile.h"
#include "wire/json.h"

#define RESULT_FORMAT       "vivace-result"
#define RESULT_VERSION      1
#define RESULT_COUNTERS_MAX 4096
/* Largest document in bytes: 4096 counters with names of 200 bytes need 1 MiB. */
#define RESULT_BYTES_MAX ((size_t)4 << 20)
/* Smallest allowed value of a run's limit on projections inside a launch: half-width as a share of the cycles. */
#define INSIDE_KERNELS_MIN  0.01
#define INSIDE_KERNELS_MAX  0.08
#define RESULT_FOREIGN_TEXT 256 /* simcore.h: FOREIGN_TEXT_BYTES */
#define RESULT_PARTIAL_TEXT 48
#define WIRE_NAME           128 /* bytes of names of designs, workers, hosts */
#define WIRE_VERSION        40

struct result_counter {
    char *name, *unit;
    uint64_t value;
};
struct result {
    bool replay;
    char simulator[WIRE_VERSION]; /* version; "replay" for engine replay */
    char digest[SHA256_HEX];      /* hash of all members except host_seconds; equal on every machine */
    double host_seconds;
    /* engine replay */
    uint64_t value;
    enum profile_unit unit;
    /* engine cycle */
    char trace_sha256[SHA256_HEX], design_sha256[SHA256_HEX], design[WIRE_NAME];
    char *kernel_name;
    uint32_t grid[3], block[3];
    uint64_t cycles, launch_cycles, warp_instructions;
    char foreign_isa[RESULT_FOREIGN_TEXT]; /* a sentence: code of another architecture; "": none, or unknown */
    uint64_t cycles_warm_bound; /* fully warm caches (docs/simulator.md); cycles: empty ones; 0: unknown */
    bool projected;             /* cycles are a projection inside the launch */
    double projected_error;     /* standard error of the projection, in cycles */
    double clock_hz;
    size_t counter_count;
    struct result_counter *counters;
    json_t *document; /* as read, with members that this version does not know; NULL: created here */
};

void result_init(struct result *r);
void result_release(struct result *r);
/* Checks and copies the document and keeps a reference to it. ERR_INVALID if the simulation did not finish ("end"
 * is not "done"). */
int result_from_json(const json_t *document, struct result *out, struct err *e);
int result_from_text(const char *text, size_t n, struct result *out, struct err *e);
/* Returns a new reference; NULL: out of memory. A result that was read returns its own document. */
json_t *result_to_json(const struct result *r);
/* True if the trace held only some of the launch's CTAs (counter repair_empty_ctas): out is "20 of 80". */
bool result_partial(const struct result *r, char out[RESULT_PARTIAL_TEXT]);
/* Engine replay: fills all members, including digest. */
int result_replay(uint64_t value, enum profile_unit unit, struct result *out, struct err *e);
/* Seconds on the simulated GPU: cycles / clock, or the replayed nanoseconds. NaN: the replayed value is an
 * instruction count. */
double result_seconds(const struct result *r);

#endif
