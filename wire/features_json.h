/* wire/features_json.h: writes a features file (docs/formats/features.md); ingest/features_file.c reads it. */
#ifndef VIVACE_WIRE_FEATURES_JSON_H
#define VIVACE_WIRE_FEATURES_JSON_H

#include "sampling/profile.h"
#include "wire/json_writer.h"

#define FEATURES_FORMAT "vivace-features"
#define CYCLES_FORMAT   "vivace-cycles" /* the same with the estimated cycles of a profile that a pilot scaled */

/* The launches whose features are known, and these; responses are not written. wave_design: the GPU whose waves
 * they are, or NULL. ERR_INVALID where the profile has no features. */
int features_to_json(const struct profile *p, const char *wave_design, jw_sink sink, void *sink_ctx, struct err *e);
/* A profile of cycles, with a sentence on what they were estimated from, or NULL. */
int cycles_to_json(const struct profile *p, const char *note, jw_sink sink, void *sink_ctx, struct err *e);
/* Into a file that appears whole or not at all. "-": standard output. */
int features_write_path(const struct profile *p, const char *wave_design, const char *path, struct err *e);

#endif
