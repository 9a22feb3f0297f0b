/* cli/simulate/simulation_domains.h: `vivace simulate --plan --profile --by`: the projection by layer, phase, step
 * or class.
 */
#ifndef VIVACE_CLI_SIMULATION_DOMAINS_H
#define VIVACE_CLI_SIMULATION_DOMAINS_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "base/err.h"
#include "sampling/parts/domain_estimate.h"
#include "sampling/profile/profile.h"

#define DOMAIN_DESIGNS_MAX 16

struct simulation_domains {
    bool wanted;
    enum domain_kind kind;
    struct profile profile;
    struct domain_view view;
    size_t count;
    struct domain_estimate
        *of[DOMAIN_DESIGNS_MAX]; /* in cycles; an array of `count` domains for each design, in the same order */
};

/* Makes the view of the profile, which the caller has read. ERR_INVALID: it has no parts of that kind. */
int simulation_domains_begin(struct simulation_domains *x, struct err *e);
/* y: results of this design in the order of the plan's samples; p: their projection. */
int simulation_domains_add(struct simulation_domains *x, size_t design, const struct plan *plan, const double *y,
                           const struct projection *p, struct err *e);
void simulation_domains_release(struct simulation_domains *x);

/* One row for each domain; names and clocks of the designs in hertz. */
int simulation_domains_print(const struct simulation_domains *x, const char *const *names, const double *clock_hz,
                             size_t designs, struct err *e);
/* NULL: no memory. */
json_t *simulation_domains_json(const struct simulation_domains *x, size_t design, double clock_hz);

#endif
