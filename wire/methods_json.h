/* wire/methods_json.h: how methods did on a profile, as JSON: for `vivace methods` and the server's sweep. */
#ifndef VIVACE_WIRE_METHODS_JSON_H
#define VIVACE_WIRE_METHODS_JSON_H

#include <stdbool.h>

#include "sampling/evaluate.h"
#include "wire/json_writer.h"

/* One object with every member of struct evaluation by its name; all but "method", "title", "error", "confidence"
 * and "why_not" are null where the method cannot run ("repeats" is 0). With `cloud`, "cloud": [[speedup, error],
 * ...], one a repeat. */
void evaluation_to_json(struct jw *w, const struct evaluation *v, bool cloud);

#endif
