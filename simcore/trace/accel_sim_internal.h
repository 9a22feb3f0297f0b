/* simcore/trace/accel_sim_internal.h: what the reader of grouped files and that of raw ones share. */
#ifndef VIVACE_SIMCORE_TRACE_ACCEL_SIM_INTERNAL_H
#define VIVACE_SIMCORE_TRACE_ACCEL_SIM_INTERNAL_H

#include "simcore/trace/accel_sim_line.h"
#include "simcore/trace/fields.h"
#include "simcore/trace/tracez.h"

/* Portable clusters have 8 CTAs, others 16 (CUDA C++ Programming Guide, "Thread Block Clusters"). */
#define CLUSTER_CTAS_MAX 16

struct raw_kernel; /* all instructions of a raw file, sorted by CTA and warp: accel_sim_raw.c */

/* Of the warp that is read: its last wait at a barrier, for loops that polled it (accel_sim_put()). */
struct poll_state {
    bool waited, quiet; /* quiet: since then came only what such a loop has, sass_may_poll() */
    size_t at;          /* index of the wait in cta_store.insts */
    uint32_t inst;
    uint64_t fields[BARRIER_FIELDS];
};

/* CTAs of the first cluster, read to know how many it has. */
struct cluster_ahead {
    struct cta_trace *cta[CLUSTER_CTAS_MAX + 1];
    uint32_t count, next;
    int end; /* what followed them: 1 another CTA, 0 the end */
};

struct accel_sim {
    struct inst_source source; /* first */
    struct stream *s;
    struct trace_text text;
    struct line_format format;
    struct line_records records;
    struct poll_state poll;
    struct tracez *tracez;     /* the file is compressed: its text */
    uint32_t cluster[3], rank; /* of the CTA read last; Accel-Sim 2.0 */
    struct cluster_ahead ahead;
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
/* Goes on with the text of a .tracez, where what is behind the header is one; *out is then closed by the caller. */
int accel_sim_unpack(struct trace_text *t, struct tracez **out, struct err *e);
int accel_sim_no_cta(struct stream *s, struct err *e); /* -1 */
int accel_sim_check_place(const struct kernel_info *k, const uint32_t cta[3], uint32_t warp, struct err *e);

/* Appends one executed instruction, and counts its repairs. A wait that repeats the one before it, with nothing but
 * branches and the like between, was a poll in vain: the one before is taken out, so that what was recorded of a
 * loop does not depend on how often it ran. */
int accel_sim_put(struct accel_sim *r, struct cta_store *c, uint32_t inst, uint32_t mask,
                  const struct address_set *addresses, struct err *e);
void accel_sim_begin_warp(struct accel_sim *r, struct cta_store *c, uint32_t warp);

int raw_kernel_read(struct accel_sim *r, struct err *e);
int raw_kernel_next(struct accel_sim *r, struct cta_trace **out, struct err *e);
void raw_kernel_free(struct raw_kernel *k);

#endif
