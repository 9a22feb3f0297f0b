/* cli/plan/inspect_parts.h: the layers, phases, steps, classes and ranks in what `vivace inspect` prints. */
#ifndef VIVACE_CLI_INSPECT_PARTS_H
#define VIVACE_CLI_INSPECT_PARTS_H

#include <stdbool.h>

#include <jansson.h>

#include "base/err.h"
#include "sampling/profile/domains.h"
#include "sampling/profile/profile.h"

/* Adds the members `classes`, `phases`, `steps` and `layers` to the document. A kind that the profile does not have
 * is an empty list. */
int inspect_parts_json(const struct profile *p, json_t *document, struct err *e);
/* Prints a short table of each kind that the profile has. */
int inspect_parts_print(const struct profile *p, struct err *e);
/* Prints up to `most` parts of one kind. ERR_INVALID: the profile has no such parts. */
int inspect_part_table(const struct profile *p, enum domain_kind kind, uint64_t most, bool csv, struct err *e);

#endif
