/* simcore/trace/accel_sim_internal.h: declarations that the readers of grouped and of raw files share. */
#ifndef VIVACE_SIMCORE_TRACE_ACCEL_SIM_INTERNAL_H
#define VIVACE_SIMCORE_TRACE_ACCEL_SIM_INTERNAL_H

#include "simcore/trace/accel_sim_line.h"
#include "simcore/trace/fields.h"
#include "simcore/trace/tracez.h"

/* Portable clusters have 8 CTAs, others 16 (CUDA C++ Programming Guide, "Thread Block Clusters"). */
#define CLUSTER_CTAS_MAX 16

struct raw_kernel; /* all instructions of a raw file, sorted by CTA and warp: accel_sim_raw.c */

/* The last barrier wait of the warp that is being read. It detects loops that polled the barrier (accel_sim_put()).
 */
struct poll_state {
    bool waited, quiet; /* quiet: all instructions since then can be part of such a loop, sass_may_poll() */
    size_t at;          /* index of the wait in cta_store.insts */
    uint32_t inst;
    uint64_t fields[BARRIER_FIELDS];
};

/* CTAs of the first cluster, read ahead to find the cluster size. */
struct cluster_ahead {
    struct cta_trace *cta[CLUSTER_CTAS_MAX + 1];
    uint32_t count, next;
    int end; /* after these CTAs: 1 another CTA follows, 0 the file ends */
};

struct accel_sim {
    struct inst_source source; /* must be the first member */
    struct stream *s;
    struct trace_text text;
    struct line_format format;
    struct line_records records;
    struct poll_state poll;
    struct tracez *tracez;     /* the decompressed text if the file is a .tracez, else NULL */
    uint32_t cluster[3], rank; /* cluster of the last CTA read; Accel-Sim 2.0 */
    struct cluster_ahead ahead;
    struct inst_table table;
    struct cta_pool pool;
    uint64_t ctas; /* CTAs returned so far */
    bool region;   /* the warp that is being read is in a polling region (Accel-Sim 2.0) */
    bool began;    /* the header ended with the first #BEGIN_TB */
    bool ended;
    bool tolerant; /* a wrong `insts` is counted and is not an error */
    struct raw_kernel *raw;
};

/* Puts "FILE: line N: " in front of the message in *e; returns -1. */
int accel_sim_at_line(struct accel_sim *r, struct err *e);
/* 1: instructions come without `warp =` lines around them; 0: grouped; -1: error. Consumes only blank lines. */
int accel_sim_is_raw(struct trace_text *t, struct err *e);
/* If a .tracez body follows the header, continues with its decompressed text. The caller closes *out. */
int accel_sim_unpack(struct trace_text *t, struct tracez **out, struct err *e);
int accel_sim_no_cta(struct stream *s, struct err *e); /* returns -1 */
int accel_sim_check_place(const struct kernel_info *k, const uint32_t cta[3], uint32_t warp, struct err *e);

/* Appends one executed instruction and counts its repairs. A wait that repeats the previous wait, with only
 * branches and similar instructions between them, means that the previous wait polled without success. The previous
 * wait is then removed, so the trace does not depend on the number of polls. */
int accel_sim_put(struct accel_sim *r, struct cta_store *c, uint32_t inst, uint32_t mask,
                  const struct address_set *addresses, struct err *e);
/* The tracer has marked this instruction as part of a polling loop. */
void accel_sim_note_poll(struct accel_sim *r, uint32_t inst);
void accel_sim_begin_warp(struct accel_sim *r, struct cta_store *c, uint32_t warp);

int raw_kernel_read(struct accel_sim *r, struct err *e);
int raw_kernel_next(struct accel_sim *r, struct cta_trace **out, struct err *e);
void raw_kernel_free(struct raw_kernel *k);

#endif
