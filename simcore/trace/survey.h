/* simcore/trace/survey.h: counts the work of the CTAs of a launch before any of them is simulated.
 *
 *
 * For each CTA: the number of instructions, and a fingerprint of its instruction mix. For some groups of
 * neighbouring CTAs, spread evenly over the launch: the locality of their addresses. A .vtrace gives the first from
 * the paths of its warps, without decoding addresses. Any other source is read one additional time. */
#ifndef VIVACE_SIMCORE_TRACE_SURVEY_H
#define VIVACE_SIMCORE_TRACE_SURVEY_H

#include "simcore/trace/inst_source.h"

enum { SURVEY_MIX = 4, SURVEY_GROUP = 4, SURVEY_GROUPS_MAX = 256, SURVEY_EVERY = 32 };

struct cta_work {
    uint64_t instructions;  /* 0: an empty CTA */
    uint64_t lane_accesses; /* lanes of the instructions that access memory, including shared memory */
    /* A sketch of the instruction mix: the sum of hashed signs of the executed instructions (Achlioptas 2003,
     * "Database-friendly random projections"). CTAs with a different mix have different sums. */
    int64_t mix[SURVEY_MIX];
};
/* Address locality of SURVEY_GROUP consecutive CTAs. */
struct survey_group {
    uint64_t first;  /* index of the first CTA */
    double sectors;  /* per lane: changes of the 32-byte sector from one lane to the next */
    double distinct; /* distinct lines of 128 bytes, as a share of the lines that instructions touch */
    double common;   /* share of the distinct lines that other groups touch, too */
};
struct survey {
    size_t count;
    struct cta_work *ctas; /* in the order of the trace */
    size_t group_count;
    struct survey_group *groups;
};
void survey_release(struct survey *s);

/* Reads a launch to its end. The source must have been opened only for this. */
int survey_read(struct inst_source *s, struct survey *out, struct err *e);

/* --- for sources that can count faster --- */
/* Adds `count` executed instructions, which are consecutive in the table. */
struct survey_signs { /* prefix sums: sums over the table's instructions before this one */
    int32_t accesses, mix[SURVEY_MIX];
};
struct survey_signs *survey_signs_make(const struct trace_inst *insts, size_t count, struct err *e); /* count + 1 */
static inline void survey_add(struct cta_work *w, const struct survey_signs *signs, uint32_t inst, uint64_t count,
                              uint32_t mask)
{
    const struct survey_signs *from = &signs[inst], *to = &signs[inst + count];

    w->instructions += count;
    w->lane_accesses += (uint64_t)(to->accesses - from->accesses) * (uint64_t)__builtin_popcount(mask);
    for (int k = 0; k < SURVEY_MIX; k++)
        w->mix[k] += to->mix[k] - from->mix[k];
}
/* Collects groups from their CTAs. */
struct survey_lines;
struct survey_lines *survey_lines_new(struct err *e);
/* Whether CTA `index` of `count` belongs to one of the at most `groups` groups. */
bool survey_wants(uint64_t index, uint64_t count, uint64_t groups);
int survey_lines_add(struct survey_lines *l, const struct inst_source *s, const struct cta_trace *cta,
                     uint64_t index, struct err *e);
/* adds the CTA to *out */
void survey_count(const struct cta_trace *cta, const struct survey_signs *signs, struct cta_work *out);
int survey_lines_end(struct survey_lines *l, struct survey *out, struct err *e);
void survey_lines_free(struct survey_lines *l);

#endif
