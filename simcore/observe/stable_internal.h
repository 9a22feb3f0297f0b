/* simcore/observe/stable_internal.h: one evaluation of `--project stable`: strata and what is asked for (stable.c),
 * the rest against what ran (stable_rest.c), whether it runs steadily, and the answers (stable_answer.c). */
#ifndef VIVACE_SIMCORE_OBSERVE_STABLE_INTERNAL_H
#define VIVACE_SIMCORE_OBSERVE_STABLE_INTERNAL_H

#include "simcore/observe/stable.h"
#include "simcore/trace/survey.h"

enum {
    STRATA_MAX = 256,
    SEEN_MIN = 4,           /* CTAs of a stratum */
    NO_STRATUM = UINT16_MAX /* of an empty CTA */
};

struct stratum {
    double instructions, lanes, mix[SURVEY_MIX]; /* of its first CTA; all but the first an instruction */
    double largest;
    /* of the CTAs that are looked at */
    size_t seen, first;        /* `first`: where its own begin among `seen` ones */
    double lives, work, ratio; /* ratio: cycles an instruction */
    uint64_t open;             /* the first of its CTAs that has not ended */
};
struct life {
    uint64_t start, end; /* end: 0: not yet */
};
struct stable {
    struct simulator *simulator;
    struct survey survey;
    uint16_t *stratum; /* of each CTA */
    struct life *lives;
    struct stratum strata[STRATA_MAX];
    size_t stratum_count;
    uint64_t wave, ended, look_at;
    double limit;           /* largest half-width of the interval, a share of the cycles */
    uint64_t instructions;  /* of all CTAs */
    uint64_t filled_before; /* sectors that came into L2 before the launch */
    uint64_t full_since;    /* cycle; 0: not yet */
    double *behind;         /* at the end of each sample: cycles until the newest store will be accepted */
    size_t behind_count, behind_capacity;
    size_t opcodes_seen;
    bool may_spin;
    const char *why_not;
};

struct looking {
    struct stable *s;
    uint64_t now, issued;
    size_t placed;  /* CTAs before this one have been placed */
    size_t from;    /* those from here on are looked at */
    uint64_t since; /* cycle at which the first of these started */
    uint32_t *seen; /* CTAs that are looked at, by stratum, in their order */
    size_t seen_count;
    bool rate_alone;                     /* nothing is made of lives */
    double *place;                       /* when each becomes free */
    double life_doubt, rate_doubt, rate; /* relative half-widths; instructions a cycle */
    double behind, turn; /* cycles: until a store is accepted; from a CTA to the next in its place */
};

/* Is this CTA one of those that are looked at? */
static inline bool stable_counts(const struct stable *s, size_t i)
{
    return s->stratum[i] != NO_STRATUM && s->lives[i].end && i < s->strata[s->stratum[i]].open;
}

/* False, and that is why it does not stop. */
static inline bool stable_no(struct looking *l, const char *why)
{
    l->s->why_not = why;
    return false;
}

/* stable_rest.c: which CTAs say how the others will be, by stratum; then whether there are such for all that is
 * left. */
bool stable_collect(struct looking *l);
bool stable_rest_is_known(struct looking *l);
/* stable_answer.c */
bool stable_is_steady(struct looking *l, const struct projection_sample *samples, size_t n);
bool stable_answer_make(struct looking *l, struct stable_answer *out);

#endif
