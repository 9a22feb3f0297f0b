/* wire/tracer_script.h: common parts of the script writers. Internal to tracer*.c. */
#ifndef VIVACE_WIRE_TRACER_SCRIPT_H
#define VIVACE_WIRE_TRACER_SCRIPT_H

#include "wire/tracer.h"

/* On Linux one environment variable or argument may have 128 KiB (MAX_ARG_STRLEN), including its name and NUL. */
#define TRACER_TEXT_MAX (131072u - 1024u)
/* A number that no program reaches. The tracers store numbers in an int. */
#define TRACER_NO_LAUNCH "2000000000"

/* Appends 'text', quoted so that a shell reads any text as one word. */
void shell_quote(struct strbuf *out, const char *text);

/* A range of launches, first .. last, that are all traced. `picks` of them are in the plan. */
struct tracer_run {
    uint64_t first, last;
    size_t pick, picks; /* index of the first pick; number of picks */
};
/* Joins consecutive picks into runs. If most > 0, closes the smallest gaps until at most `most` runs remain.
 * Launches in a closed gap are traced too. The caller frees *out. */
int tracer_runs(const struct tracer_job *job, unsigned most, struct tracer_run **out, size_t *count,
                struct err *e) MUST_CHECK;

int tracer_write_accel_sim(struct tracer_job *job, struct strbuf *out, struct err *e);
int tracer_write_accel_sim_old(struct tracer_job *job, struct strbuf *out, struct err *e);
int tracer_write_macsim(struct tracer_job *job, struct strbuf *out, struct err *e);
int tracer_write_ncu(struct tracer_job *job, struct strbuf *out, struct err *e);

#endif
