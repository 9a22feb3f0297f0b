/* wire/methods_json.h: the evaluation of methods on a profile as JSON, for `vivace methods` and the server's
 * sweep. */
#ifndef VIVACE_WIRE_METHODS_JSON_H
#define VIVACE_WIRE_METHODS_JSON_H

#include <stdbool.h>

#include "sampling/methods/evaluate.h"
#include "wire/json_writer.h"

/* {"name", "title", "sentence", "needs": ["instructions", "metrics", "bbvs", "cta_cov"], "prefix_is_enough",
 * "needs_sentence"} */
void method_to_json(struct jw *w, const struct method *m);

/* Writes one object with a member for each member of struct evaluation, with the same name. When the method
 * cannot run, all are null ("repeats" is 0) except "method", "title", "error", "confidence" and "why_not". "file"
 * is written if `file` is not NULL. With `cloud`, "cloud" is [[speedup, error], ...], one pair per repeat. */
void evaluation_to_json(struct jw *w, const struct evaluation *v, const char *file, bool cloud);

#endif
