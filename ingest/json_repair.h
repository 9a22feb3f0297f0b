/* ingest/json_repair.h: repairs invalid JSON of profilers before it reaches the parser. A fault is repaired only
 * when a single reading is possible. Every repair is counted.
 *
 * - NaN, nan, inf, -inf, Infinity, N/A without quotes: becomes null (PyTorch issues 98432, 113001; Kineto issue
 * 131)
 * - a control character inside a string: is escaped (Kineto issue 105)
 * - a backslash that begins no escape: is doubled (PyTorch issue 130622; Windows paths)
 * - a quote inside a value, when the next characters cannot follow the end of a value: is escaped (Kineto issue
 * 617).
 *   `"f("a", "b")"` has several readings: the parser then refuses the file
 *
 * Valid JSON stays unchanged. */
#ifndef VIVACE_INGEST_JSON_REPAIR_H
#define VIVACE_INGEST_JSON_REPAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

#define JSON_REPAIR_DEPTH 256 /* number of levels whose kind is stored; deeper levels count as objects */

struct json_repair {
    struct strbuf rest; /* bytes whose meaning depends on the next bytes */
    bool in_string, in_key, expects_key;
    unsigned depth;
    uint8_t arrays[JSON_REPAIR_DEPTH / 8];         /* bit d: level d + 1 is an array */
    uint64_t words, controls, backslashes, quotes; /* number of repairs of each kind */
};

/* Appends the repaired bytes to `out`. `last`: no more bytes follow. Before the first call, zero *r and set rest
 * = STRBUF_INIT. When memory runs out, out->failed or r->rest.failed is set. */
void json_repair_feed(struct json_repair *r, const char *bytes, size_t n, bool last, struct strbuf *out);
void json_repair_release(struct json_repair *r);

#endif
