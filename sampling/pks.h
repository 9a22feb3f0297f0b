/* sampling/pks.h: principal kernel selection, the first half of PKA. */
#ifndef VIVACE_SAMPLING_PKS_H
#define VIVACE_SAMPLING_PKS_H

#include "sampling/points.h"

#define PKS_GROUPS_MAX 20

struct pks {
    size_t k;             /* groups */
    uint32_t *group;      /* per feature row: below k, by first launch */
    uint32_t *first;      /* per group: its representative, the first launch */
    double error;         /* of the projection from the representatives / total; negative: too small */
    size_t tried, within; /* how many k were tried; how many of them kept the tolerance */
    double low, high;     /* least and greatest error of those; 0 when there are none */
};
/* `value`: of launches. ERR_INVALID when there are no rows. */
int pks_select(const struct feature_rows *rows, const uint64_t *value, double tolerance, struct pks *out,
               struct err *e);
void pks_release(struct pks *s);

#endif
