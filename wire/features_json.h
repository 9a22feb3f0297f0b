/* wire/features_json.h: writes a features file (docs/formats/features.md); ingest/features_file.c reads it. */
#ifndef VIVACE_WIRE_FEATURES_JSON_H
#define VIVACE_WIRE_FEATURES_JSON_H

#include "sampling/profile/profile.h"
#include "wire/json_writer.h"

#define FEATURES_FORMAT "vivace-features"
#define CYCLES_FORMAT                                                                                              \
    "vivace-cycles" /* a file with the members of a features file, and cycles estimated by a pilot run */

/* Writes the launches whose features are known, with these features. Responses are not written. wave_design: the
 * GPU design for which the waves were counted, or NULL. ERR_INVALID: the profile has no features. */
int features_to_json(const struct profile *p, const char *wave_design, jw_sink sink, void *sink_ctx, struct err *e);
/* Writes a profile of cycles. note: a sentence about the source of the estimate, or NULL. */
int cycles_to_json(const struct profile *p, const char *note, jw_sink sink, void *sink_ctx, struct err *e);
/* Writes the file atomically: it is complete, or it is not there. "-": standard output. */
int features_write_path(const struct profile *p, const char *wave_design, const char *path, struct err *e);

#endif
