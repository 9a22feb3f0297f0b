/* ingest/ncu_metrics.h: the metrics of Nsight Compute that are read: their names, units and numbers. */
#ifndef VIVACE_INGEST_NCU_METRICS_H
#define VIVACE_INGEST_NCU_METRICS_H

#include <stdbool.h>

#include "sampling/profile/features.h"

/* Values of a launch: the features first, then these. */
enum ncu_slot {
    NCU_DURATION = FEATURE_COUNT, /* ns */
    NCU_CYCLES,
    NCU_CLOCK, /* clock of the SMs, in cycles per ns */
    NCU_REGISTERS,
    NCU_SHARED_STATIC,
    NCU_SHARED_DYNAMIC,
    NCU_COUNTERS, /* from here on: read only with ingest_options.counters */
    NCU_LOAD_HIT_SECTORS = NCU_COUNTERS,
    NCU_L2_READ_SECTORS,
    NCU_L2_READ_HIT_SECTORS,
    NCU_DRAM_READ_SECTORS,
    NCU_DRAM_WRITE_SECTORS,
    NCU_SHARED_PASSES,
    NCU_SHARED_CONFLICTS,
    NCU_COUNT
};
/* Names of the slots from NCU_COUNTERS on: those of the simulator's counters. */
extern const char *const ncu_counter_names[NCU_COUNT - NCU_COUNTERS];
/* NCU_KIND_SECTORS: bytes, converted to sectors of 32 bytes. */
enum ncu_kind { NCU_KIND_COUNT, NCU_KIND_RATIO, NCU_KIND_TIME, NCU_KIND_CLOCK, NCU_KIND_SECTORS };

struct ncu_spelling {
    const char *name;
    int slot;
    enum ncu_kind kind;
};
#define NCU_SPELLINGS 57
/* All names of all slots. If a file has several for one slot, the first in this table is used. */
extern const struct ncu_spelling ncu_spellings[NCU_SPELLINGS];

/* Whether a file's name of a metric is this spelling. On Pascal, Nsight Compute prints sums without ".sum". */
bool ncu_is_spelling(const char *text, const struct ncu_spelling *s);

#define NCU_NUMBER 64
/* "1,234.5" -> "1234.5". Commas are accepted only between groups of three digits. -1: not such a number. */
int ncu_plain_number(const char *text, char out[NCU_NUMBER]);
bool ncu_is_missing(const char *text); /* "", "n/a", "nan" */
/* Converts a value to the slot's unit. *rounded: it was printed in thousands or millions. -1: the number is
 * invalid for this kind, or above 2^53. */
int ncu_value(enum ncu_kind kind, const char *text, const char *unit, double *out, bool *rounded);

#endif
