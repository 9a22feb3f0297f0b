/* ingest/trace_features.h: counts the features (sampling/profile/features.h) of one recorded kernel launch from its
 * executed instructions and their addresses. docs/formats/features.md defines each count. */
#ifndef VIVACE_INGEST_TRACE_FEATURES_H
#define VIVACE_INGEST_TRACE_FEATURES_H

#include "sampling/profile/features_build.h"
#include "simcore/trace/inst_source.h"

/* Largest number of warp types. All warps of further types become one type with the mean of their counts. */
#define WARP_TYPES_MAX 4096

struct trace_counter; /* opaque; its memory is reused for all launches of a file */
struct trace_counter *trace_counter_new(struct err *e);
/* Reads the source to its end. wave_ctas: how many CTAs fit on the GPU at once; 0: waves are not counted. *out
 * points into the counter and is valid until the next call. */
int trace_counter_read(struct trace_counter *c, struct inst_source *s, uint64_t wave_ctas,
                       struct launch_features *out, struct err *e);
void trace_counter_free(struct trace_counter *c);

#endif
