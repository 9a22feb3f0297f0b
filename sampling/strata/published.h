/* sampling/strata/published.h: formulas of the papers, shared by the methods that follow them. */
#ifndef VIVACE_SAMPLING_PUBLISHED_H
#define VIVACE_SAMPLING_PUBLISHED_H

#include <stddef.h>
#include <stdint.h>

#include "sampling/profile/groups.h"
#include "sampling/plan/strata.h"

/* STEM's size for one cluster, before rounding: (z sigma / (mu epsilon))^2, sigma with N. */
double stem_single(const struct moments *m, double z, double error);

/* STEM's sizes for several clusters under one error, before rounding: minimise sum(m mu) subject to sum(N^2 sigma^2
 * / m) <= (epsilon sum(N mu) / z)^2. The paper's equation 6 has the root of the sum; the sum of the roots follows
 * from its appendix and meets the bound. */
void stem_joint(const struct moments *clusters, size_t count, double z, double error, double *n);

/* ROOT's size for one cluster: ceil(stem_single); one member: one sample. 0 where all members took the same time.
 */
double root_single(const struct moments *m, double z, double error);

/* Allegro's size: max(ceil(raw), 30) where raw is STEM's formula for one cluster. */
double allegro_samples(const struct moments *m, double z, double error);
/* As allegro_samples(), as the authors' tool computes it: sigma with N - 1; 1 for a cluster without spread. `raw`
 * is what the tool compares with its threshold. */
double allegro_tool_raw(const struct moments *m, double z, double error);
double allegro_tool_samples(double raw);

/* Rounds down and limits to 1 .. population. */
uint64_t clip_samples(double n, uint64_t population);

/* Strata of more than one launch, all of one value: sigma is 0, so the papers' sizes are 0, and their time would be
 * missing from the projection. Here they get one sample; the note gives the number of such strata. */
void note_constant_strata(struct strata *s);

#endif
