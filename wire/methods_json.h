/* wire/methods_json.h: how methods did on a profile, as JSON: for `vivace methods` and the server's sweep. */
#ifndef VIVACE_WIRE_METHODS_JSON_H
#define VIVACE_WIRE_METHODS_JSON_H

#include <stdbool.h>

#include "sampling/evaluate.h"
#include "wire/json_writer.h"

/* {"name", "title", "sentence", "needs": ["instructions", "metrics", "bbvs", "cta_cov"], "prefix_is_enough",
 * "needs_sentence"} */
void method_to_json(struct jw *w, const struct method *m);

/* One object with every member of struct evaluation by its name; all but "method", "title", "error", "confidence"
 * and "why_not" are null where the method cannot run ("repeats" is 0). "file" where one is given. With `cloud`,
 * "cloud": [[speedup, error],
 * ...], one a repeat. */
void evaluation_to_json(struct jw *w, const struct evaluation *v, const char *file, bool cloud);

#endif
