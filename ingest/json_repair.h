/* ingest/json_repair.h: JSON that a profiler wrote wrongly, made valid on the way to the parser. Only what can mean
 * one thing is changed, and every change is counted:
 *
 *   NaN, nan, inf, -inf, Infinity, N/A without quotes    null       (PyTorch issues 98432, 113001; Kineto issue
 * 131) a control character inside a string                  escaped    (Kineto issue 105) a backslash that begins
 * no escape                    doubled    (PyTorch issue 130622; paths of Windows) a quote inside a string: what
 * follows cannot follow the string's end                    (Kineto issue 617)
 *
 * Bytes that are valid JSON come out as they went in. */
#ifndef VIVACE_INGEST_JSON_REPAIR_H
#define VIVACE_INGEST_JSON_REPAIR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/strbuf.h"

#define JSON_REPAIR_DEPTH 256 /* levels whose kind is known; deeper ones count as objects */

struct json_repair {
    struct strbuf rest; /* bytes whose meaning depends on what comes next */
    bool in_string, in_key, expects_key;
    unsigned depth;
    uint8_t arrays[JSON_REPAIR_DEPTH / 8];         /* bit d: level d + 1 is an array */
    uint64_t words, controls, backslashes, quotes; /* how many of each were changed */
};

/* Appends what the next bytes mean to `out`. `last`: nothing follows. Zero *r, with rest = STRBUF_INIT, before the
 * first call. Memory that ran out is in out->failed or r->rest.failed. */
void json_repair_feed(struct json_repair *r, const char *bytes, size_t n, bool last, struct strbuf *out);
void json_repair_release(struct json_repair *r);

#endif
