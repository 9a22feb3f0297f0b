/* simcore/observe/stable_internal.h: one evaluation of `--project stable`: strata and cohort (stable.c), comparison
 * of the rest with the CTAs that ran (stable_rest.c), steadiness test and projection (stable_answer.c). */
#ifndef VIVACE_SIMCORE_OBSERVE_STABLE_INTERNAL_H
#define VIVACE_SIMCORE_OBSERVE_STABLE_INTERNAL_H

#include "simcore/observe/stable.h"
#include "simcore/trace/survey.h"

enum {
    STRATA_MAX = 256,
    SEEN_MIN = 4,           /* observed CTAs that a stratum needs */
    NO_STRATUM = UINT16_MAX /* of an empty CTA */
};

struct stratum {
    /* of its first CTA; all members except `instructions` are per instruction */
    double instructions, lanes, mix[SURVEY_MIX];
    double largest;
    /* of the evaluated CTAs: */
    size_t seen, first;        /* `first`: index of its first CTA in `seen` */
    double lives, work, ratio; /* ratio: cycles per instruction */
    uint64_t open;             /* its first CTA that has not ended */
};
struct life {
    uint64_t start, end; /* end 0: not ended */
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
    double *behind;         /* for each sample: cycles from its end until the newest store is accepted */
    size_t behind_count, behind_capacity;
    size_t opcodes_seen;
    bool may_spin;
    const char *why_not;
};

struct looking {
    struct stable *s;
    uint64_t now, issued;
    size_t placed;  /* CTAs before this index have been placed */
    size_t from;    /* CTAs from this index on are evaluated */
    uint64_t since; /* start cycle of the first of these */
    uint32_t *seen; /* evaluated CTAs by stratum, in order */
    size_t seen_count;
    bool rate_alone;                     /* run times are not used */
    double *place;                       /* time at which each slot becomes free */
    double life_doubt, rate_doubt, rate; /* relative half-widths; rate: instructions per cycle */
    double behind, turn; /* cycles: until a store is accepted; from one CTA to the next in its slot */
};

/* Whether this CTA is evaluated. */
static inline bool stable_counts(const struct stable *s, size_t i)
{
    return s->stratum[i] != NO_STRATUM && s->lives[i].end && i < s->strata[s->stratum[i]].open;
}

/* Returns false and stores the reason why it does not stop. */
static inline bool stable_no(struct looking *l, const char *why)
{
    l->s->why_not = why;
    return false;
}

/* In stable_rest.c: selects the CTAs that represent the others, by stratum; then tests whether all of the rest is
 * represented. */
bool stable_collect(struct looking *l);
bool stable_rest_is_known(struct looking *l);
/* In stable_answer.c: */
bool stable_is_steady(struct looking *l, const struct projection_sample *samples, size_t n);
bool stable_answer_make(struct looking *l, struct stable_answer *out);

#endif
