/* wire/plan_json.h: the plan file (docs/formats/plan.md): struct plan <-> JSON. */
#ifndef VIVACE_WIRE_PLAN_JSON_H
#define VIVACE_WIRE_PLAN_JSON_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "base/err.h"
#include "sampling/plan/plan.h"
#include "wire/json_writer.h"

#define PLAN_FORMAT   "vivace-plan"
#define PLAN_FILE_MAX ((size_t)256 << 20) /* largest plan file in bytes that plan_read_path() accepts */

/* Writes the document in version 3 for a plan of a part, else in version 2, with its checksum, as a stream.
 * `indented`: for readable files. */
int plan_to_json(const struct plan *p, bool indented, jw_sink sink, void *sink_ctx, struct err *e) MUST_CHECK;
/* Writes the file atomically: it is complete, or it is not there. "-": standard output. */
int plan_write_path(const struct plan *p, const char *path, struct err *e) MUST_CHECK;

/* Reads versions 1 to PLAN_VERSION. ERR_INVALID: another format, an unknown version, unknown members, a wrong
 * checksum, or an error that plan_check() finds. On -1 *out is released. */
int plan_from_json(const json_t *root, struct plan *out, struct err *e) MUST_CHECK;
int plan_from_text(const char *text, size_t n, struct plan *out, struct err *e) MUST_CHECK;
int plan_read_path(const char *path, struct plan *out, struct err *e) MUST_CHECK;

#endif
