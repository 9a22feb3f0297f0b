/* sampling/methods/method.h: shared declarations of the files method_*.c. A new method is one such file and one row
 * in methods.c. */
#ifndef VIVACE_SAMPLING_METHOD_H
#define VIVACE_SAMPLING_METHOD_H

#include "sampling/plan/plan.h"
#include "sampling/plan/strata.h"

extern const struct method method_vivace;
extern const struct method method_root, method_root_ae, method_stem;
extern const struct method method_allegro, method_allegro_tool;
extern const struct method method_srs, method_srswr, method_bernoulli, method_budget, method_systematic;
extern const struct method method_sieve, method_sieve_ae;
extern const struct method method_pka, method_photon, method_photon_ae, method_tbpoint;
extern const struct method method_pilot;

/* Sets the promised error of published methods with replacement: z sqrt(sum(N^2 sigma^2 / m)) / total, from the
 * profile's population sd; and its degrees of freedom by Satterthwaite (0 if a stratum with nonzero variance has
 * one sample). */
void promise_with_replacement(struct strata *s, double z, uint64_t total);

#endif
