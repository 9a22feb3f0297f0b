/* wire/tracer_script.h: what the writers of scripts share. Internal to tracer*.c. */
#ifndef VIVACE_WIRE_TRACER_SCRIPT_H
#define VIVACE_WIRE_TRACER_SCRIPT_H

#include "wire/tracer.h"

/* One environment variable or argument holds 128 KiB on Linux (MAX_ARG_STRLEN), its name and NUL included. */
#define TRACER_TEXT_MAX (131072u - 1024u)
/* A number that no program reaches; the tracers keep theirs in an int. */
#define TRACER_NO_LAUNCH "2000000000"

/* 'text', so that a shell takes it as one word whatever it holds. */
void shell_quote(struct strbuf *out, const char *text);

/* Neighbouring picks: orders first .. last, all of them traced; `picks` of them are in the plan. */
struct tracer_run {
    uint64_t first, last;
    size_t pick, picks; /* index of its first pick; how many */
};
/* Consecutive picks as runs. With most > 0, the smallest gaps between runs are closed until there are no more than
 * `most`; launches of a closed gap is traced too. The caller frees *out. */
int tracer_runs(const struct tracer_job *job, unsigned most, struct tracer_run **out, size_t *count,
                struct err *e) MUST_CHECK;

int tracer_write_accel_sim(struct tracer_job *job, struct strbuf *out, struct err *e);
int tracer_write_accel_sim_old(struct tracer_job *job, struct strbuf *out, struct err *e);
int tracer_write_macsim(struct tracer_job *job, struct strbuf *out, struct err *e);
int tracer_write_ncu(struct tracer_job *job, struct strbuf *out, struct err *e);

#endif
