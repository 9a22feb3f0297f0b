/* simcore/trace/accel_sim_internal.h: what the reader of grouped files and that of raw ones share. */
#ifndef VIVACE_SIMCORE_TRACE_ACCEL_SIM_INTERNAL_H
#define VIVACE_SIMCORE_TRACE_ACCEL_SIM_INTERNAL_H

#include "simcore/trace/accel_sim_line.h"

struct raw_kernel; /* all instructions of a raw file, sorted by CTA and warp: accel_sim_raw.c */

struct accel_sim {
    struct inst_source source; /* first */
    struct stream *s;
    struct trace_text text;
    struct line_format format;
    struct inst_table table;
    struct cta_pool pool;
    uint64_t ctas; /* given out so far */
    bool began;    /* the header ended with the first #BEGIN_TB */
    bool ended;
    bool tolerant; /* a wrong `insts` is counted, not an error */
    struct raw_kernel *raw;
};

/* "FILE: line N: <what *e says>"; -1. */
int accel_sim_at_line(struct accel_sim *r, struct err *e);
/* 1: instructions come without `warp =` lines around them; 0: grouped; -1. Consumes nothing but blank lines. */
int accel_sim_is_raw(struct trace_text *t, struct err *e);
int accel_sim_no_cta(struct stream *s, struct err *e); /* -1 */
int accel_sim_check_place(const struct kernel_info *k, const uint32_t cta[3], uint32_t warp, struct err *e);

int raw_kernel_read(struct accel_sim *r, struct err *e);
int raw_kernel_next(struct accel_sim *r, struct cta_trace **out, struct err *e);
void raw_kernel_free(struct raw_kernel *k);

#endif
