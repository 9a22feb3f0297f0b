/* simcore/trace/survey.h: what the CTAs of a launch will do, counted before any of them is simulated.
 *
 * Of each CTA: how many instructions, and a fingerprint of which ones. Of some groups of neighbouring CTAs, spread
 * evenly over the launch: how their addresses lie. A .vtrace tells the former by the paths of its warps, without
 * decoding addresses; any other source is read once more. */
#ifndef VIVACE_SIMCORE_TRACE_SURVEY_H
#define VIVACE_SIMCORE_TRACE_SURVEY_H

#include "simcore/trace/inst_source.h"

enum { SURVEY_MIX = 4, SURVEY_GROUP = 4, SURVEY_GROUPS_MAX = 256, SURVEY_EVERY = 32 };

struct cta_work {
    uint64_t instructions;  /* 0: an empty CTA */
    uint64_t lane_accesses; /* lanes of those that access memory, shared memory too */
    /* A sketch of which instructions of the kernel these are: sums of their signs, which a hash gives them
     * (Achlioptas 2003, "Database-friendly random projections"). CTAs with other shares of instructions have other
     * sums. */
    int64_t mix[SURVEY_MIX];
};
/* Addresses of SURVEY_GROUP CTAs that follow one another. */
struct survey_group {
    uint64_t first;  /* index of the first CTA */
    double sectors;  /* 32-byte sectors, as neighbouring lanes change them, a lane */
    double distinct; /* different lines of 128 bytes, as a share of the lines that instructions touch */
    double common;   /* of the different ones, as a share: those that other groups touch too */
};
struct survey {
    size_t count;
    struct cta_work *ctas; /* in the order of the trace */
    size_t group_count;
    struct survey_group *groups;
};
void survey_release(struct survey *s);

/* Reads a launch that was opened for this to its end. */
int survey_read(struct inst_source *s, struct survey *out, struct err *e);

/* --- for sources that know more cheaply --- */
/* Adds `count` executed instructions, which stand one behind the other in the table. */
struct survey_signs { /* sums over the table's instructions before this one */
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
/* Groups, from their CTAs. */
struct survey_lines;
struct survey_lines *survey_lines_new(struct err *e);
/* Whether this CTA of `count` is one of those to look at, in `groups` groups at most. */
bool survey_wants(uint64_t index, uint64_t count, uint64_t groups);
int survey_lines_add(struct survey_lines *l, const struct inst_source *s, const struct cta_trace *cta,
                     uint64_t index, struct err *e);
void survey_count(const struct cta_trace *cta, const struct survey_signs *signs, struct cta_work *out); /* adds */
int survey_lines_end(struct survey_lines *l, struct survey *out, struct err *e);
void survey_lines_free(struct survey_lines *l);

#endif
