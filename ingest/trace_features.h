/* ingest/trace_features.h: one recorded kernel launch -> its features (sampling/features.h), all counted from the
 * executed instructions and their addresses. docs/formats/features.md says how each is counted. */
#ifndef VIVACE_INGEST_TRACE_FEATURES_H
#define VIVACE_INGEST_TRACE_FEATURES_H

#include "sampling/features_build.h"
#include "simcore/trace/inst_source.h"

/* From here on, warps of types not seen before count as one type, with the mean of their counts. */
#define WARP_TYPES_MAX 4096

struct trace_counter; /* opaque: memory that the launches of a file share */
struct trace_counter *trace_counter_new(struct err *e);
/* Reads the source to its end. wave_ctas: how many CTAs fit the GPU at once; 0: no waves. *out points into the
 * counter and is good until the next call. */
int trace_counter_read(struct trace_counter *c, struct inst_source *s, uint64_t wave_ctas,
                       struct launch_features *out, struct err *e);
void trace_counter_free(struct trace_counter *c);

#endif
