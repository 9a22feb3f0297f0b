/* sampling/cluster/pks.h: principal kernel selection (PKS), the first part of PKA. */
#ifndef VIVACE_SAMPLING_PKS_H
#define VIVACE_SAMPLING_PKS_H

#include "sampling/cluster/points.h"

#define PKS_GROUPS_MAX 20

struct pks {
    size_t k;             /* groups */
    uint32_t *group;      /* per feature row: group number below k; groups are numbered by first launch */
    uint32_t *first;      /* per group: its representative, the first launch */
    double error;         /* relative error of the projection from the representatives; negative: too small */
    size_t tried, within; /* number of values of k tried; number of them within the tolerance */
    double low, high;     /* least and greatest error of those within the tolerance; 0 if there are none */
};
/* value: one per launch. ERR_INVALID if there are no rows. */
int pks_select(const struct feature_rows *rows, const uint64_t *value, double tolerance, struct pks *out,
               struct err *e);
void pks_release(struct pks *s);

#endif
