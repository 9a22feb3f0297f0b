/* server/domain/plan/design_diff.h: the parameters of several designs side by side. */
#ifndef VIVACE_SERVER_RUN_DESIGN_DIFF_H
#define VIVACE_SERVER_RUN_DESIGN_DIFF_H

#include <stdbool.h>
#include <stddef.h>

#include <jansson.h>

#include "base/err.h"

/* designs[count]: documents of format vivace-design (docs/formats/design.md); NULL where a side has none.
 * *out: a list of {"parameter":"sm.warps","unit":"count","values":[64,…],"same":false}. Values are in the order
 * of the documents; a value is null where a design has no such parameter. Sources and reasons are not compared.
 * `all`: also list parameters that are equal. */
int design_diff(json_t *const *designs, size_t count, bool all, json_t **out, struct err *e) MUST_CHECK;

#endif
