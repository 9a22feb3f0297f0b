/* ingest/json_stream.h: reads a JSON file of any size through yajl: bytes from a stream, repaired where the import
 * is a second pass, with limits on depth and on the size of one value. */
#ifndef VIVACE_INGEST_JSON_STREAM_H
#define VIVACE_INGEST_JSON_STREAM_H

#include <yajl/yajl_parse.h>

#include "ingest/import.h"
#include "ingest/json_repair.h"

struct json_stream {
    struct import *im;
    struct stream *stream;
    struct err *e; /* callbacks fill it before they return 0 */
    yajl_handle parser;
    struct json_repair repair; /* used where im->repair */
    struct strbuf repaired;
    int depth;                     /* number of open objects and arrays */
    uint64_t bytes_seen, value_at; /* value_at: bytes_seen at the last callback */
};

/* Opens im->path. The caller releases *j even after an error. */
int json_stream_open(struct json_stream *j, struct import *im, struct err *e);
/* Parses the whole file. `ctx` is passed to the callbacks, which call the functions below. -1: a callback returned
 * 0 and filled j->e, or ERR_INVALID: no valid JSON. im->broken_json is set where a repair may help. */
int json_stream_parse(struct json_stream *j, const yajl_callbacks *callbacks, void *ctx, struct err *e);
/* At each callback for a value, a key or an end. Returns 1. */
int json_stream_value(struct json_stream *j);
/* At the begin of an object or array. 0: too deep, with j->e filled. */
int json_stream_deeper(struct json_stream *j);
/* At the end of the import: warns of repairs. */
void json_stream_report(struct json_stream *j);
void json_stream_release(struct json_stream *j);

#endif
