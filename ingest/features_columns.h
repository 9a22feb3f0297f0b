/* ingest/features_columns.h: a features file (docs/formats/features.md) as it is in the file: columns of numbers,
 * by name, before anybody asked whether they belong together. */
#ifndef VIVACE_INGEST_FEATURES_COLUMNS_H
#define VIVACE_INGEST_FEATURES_COLUMNS_H

#include "ingest/import.h"

/* Every array of numbers in the file; metrics follow, in the order of feature_infos. */
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
    double *items; /* finite, none negative; whole and up to 2^53 where the column has no fractions */
    size_t count, capacity;
    bool there;
};
struct feature_names {
    const struct import_name **items; /* NULL: null */
    size_t count, capacity;
    bool there;
};
struct features_text {
    struct feature_numbers columns[F_COLUMNS];
    struct feature_names name, mangled;
    bool format, version; /* seen and right */
    bool cycles;          /* the format is that of estimated cycles: the values, instead of instructions */
    char gpu[128];
};
/* The whole of `s`; names go to `im`, whose limits hold. Release `out`, which was zeroed, in any case. */
int features_text_read(struct import *im, struct stream *s, struct features_text *out, struct err *e);
void features_text_release(struct features_text *t);

#endif
