/* sampling/strata/sieve.h: shared by the two variants of Sieve (Naderan-Tahan et al., ISPASS 2023): three tiers of
 * kernel names by the variation of their instruction counts, and strata with one chosen representative each.
 *
 *     tier 1: CoV = 0, one stratum     tier 2: CoV < 0.4, one stratum     tier 3: cut at low density of counts
 *
 * CoV: population sd / mean of the warp instructions of the launches of a name. */
#ifndef VIVACE_SAMPLING_SIEVE_H
#define VIVACE_SAMPLING_SIEVE_H

#include "sampling/plan/plan.h"
#include "sampling/plan/strata.h"

#define SIEVE_THETA     0.4 /* between tiers 2 and 3: as in STEM's artifact; the authors sweep 0.1 .. 1 */
#define SIEVE_CUT_AGAIN 0.5 /* a part of tier 3 whose CoV is above this is cut once more */

struct sieve {
    const struct profile *profile;
    struct groups names; /* launches by name, as runs of equal instruction counts; those of value 0 are excluded */
    uint32_t *label;     /* per launch: its stratum so far, or GROUP_NOWHERE */
    uint32_t *chosen;    /* per stratum */
    size_t count, capacity;
    size_t names_in_tier[3];
};

/* Tier 2 and tier 3 of one name; tier 1 is the same for both. */
struct sieve_rules {
    uint64_t (*cta_size)(const struct profile_kernel *k);
    bool most_frequent_count; /* tier 2: among the launches of the most frequent CTA size, those with the most
                               * frequent instruction count; otherwise all of them. The first one is the
                               * representative. */
    int (*split)(struct sieve *s, const struct group *name, struct err *e);
    enum plan_estimator estimator;
};

int sieve_stratify(const struct profile *p, const struct sieve_rules *rules, struct strata *out, struct err *e);
/* For `split`: names.rows[begin .. end) are a stratum, represented by this one of them. */
int sieve_add(struct sieve *s, size_t begin, size_t end, uint32_t representative, struct err *e);

/* Both variants need a count of at least 1 for every launch with a time, and a sum below 2^64. */
const char *sieve_why_not(const struct profile *p);

double coefficient_of_variation(const struct moments *m); /* population sd / mean */

#endif
