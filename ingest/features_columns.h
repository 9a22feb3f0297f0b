/* ingest/features_columns.h: the columns of numbers in a features file (docs/formats/features.md), by name.
 * Whether the columns fit together is not checked here. */
#ifndef VIVACE_INGEST_FEATURES_COLUMNS_H
#define VIVACE_INGEST_FEATURES_COLUMNS_H

#include "ingest/import.h"

/* All arrays of numbers in the file. The metrics come last, in the order of feature_infos. */
enum features_column {
    F_GRID,
    F_BLOCK,
    F_REGISTERS,
    F_SHARED_BYTES,
    F_DEVICE,
    F_LAUNCHES,
    F_PROCESS,
    F_CONTEXT,
    F_KERNEL,
    F_INSTRUCTIONS,
    F_CYCLES,
    F_STREAM,
    F_CTA_COV,
    F_BBV_OF,
    F_BBV_TYPES,
    F_TYPE_WARPS,
    F_TYPE_BLOCKS,
    F_ENTRY_BLOCK,
    F_ENTRY_COUNT,
    F_WAVES,
    F_WAVE_CTAS,
    F_WAVE_INSTRUCTIONS,
    F_WAVE_REQUESTS,
    F_WAVE_VARIATION,
    F_METRICS,
    F_COLUMNS = F_METRICS + FEATURE_COUNT
};
struct feature_numbers {
    double *items; /* finite and not negative; integers up to 2^53 where the column has no fractions */
    size_t count, capacity;
    bool there;
};
struct feature_names {
    const struct import_name **items; /* a NULL entry is null in the file */
    size_t count, capacity;
    bool there;
};
struct features_text {
    struct feature_numbers columns[F_COLUMNS];
    struct feature_names name, mangled;
    bool format, version; /* the member was read and is correct */
    bool cycles;          /* the format is that of estimated cycles: the file has values instead of instructions */
    char gpu[128];
};
/* Reads all of `s`. Names are interned in `im` and count against its limits. `out` is zeroed by the caller. The
 * caller releases it, also after -1. */
int features_text_read(struct import *im, struct stream *s, struct features_text *out, struct err *e);
void features_text_release(struct features_text *t);

#endif
