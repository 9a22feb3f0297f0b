/* ingest/ncu_metrics.h: what is read of Nsight Compute's metrics: their names, units and numbers. */
#ifndef VIVACE_INGEST_NCU_METRICS_H
#define VIVACE_INGEST_NCU_METRICS_H

#include <stdbool.h>

#include "sampling/features.h"

/* Slots of a launch: the features, then these. */
enum ncu_slot {
    NCU_DURATION = FEATURE_COUNT, /* ns */
    NCU_CYCLES,
    NCU_CLOCK, /* cycles per ns */
    NCU_REGISTERS,
    NCU_SHARED_STATIC,
    NCU_SHARED_DYNAMIC,
    NCU_COUNT
};
enum ncu_kind { NCU_KIND_COUNT, NCU_KIND_RATIO, NCU_KIND_TIME, NCU_KIND_CLOCK };

struct ncu_spelling {
    const char *name;
    int slot;
    enum ncu_kind kind;
};
#define NCU_SPELLINGS 44
/* Every name of every slot; where several stand in a file the first of this table counts. */
extern const struct ncu_spelling ncu_spellings[NCU_SPELLINGS];

#define NCU_NUMBER 64
/* "1,234.5" -> "1234.5": commas stand between groups of three digits only. -1: no such number. */
int ncu_plain_number(const char *text, char out[NCU_NUMBER]);
bool ncu_is_missing(const char *text); /* "", "n/a", "nan" */
/* A value in the slot's own unit; *rounded: it was printed in thousands or millions. -1: not a number that this
 * kind can have, or beyond 2^53. */
int ncu_value(enum ncu_kind kind, const char *text, const char *unit, double *out, bool *rounded);

#endif
