/* See ingest/json_stream.h. Files reach gigabytes: only one chunk of the text is in memory. */
#include "ingest/json_stream.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"
#include "base/text.h"

#define CHUNK_BYTES (256u << 10)
#define DEPTH_MAX   200         /* profilers write about ten levels */
#define VALUE_BYTES (16u << 20) /* limit of one name, text or number; call stacks have kilobytes */

int json_stream_open(struct json_stream *j, struct import *im, struct err *e)
{
    memset(j, 0, sizeof *j);
    j->im = im;
    j->e = e;
    j->repaired = (struct strbuf)STRBUF_INIT;
    j->repair.rest = (struct strbuf)STRBUF_INIT;
    return import_open(im, &j->stream, e);
}

int json_stream_value(struct json_stream *j)
{
    j->value_at = j->bytes_seen;
    return 1;
}

int json_stream_deeper(struct json_stream *j)
{
    unsigned long long at;

    ASSERT_HOT(j->depth >= 0 && j->depth <= DEPTH_MAX);
    json_stream_value(j);
    if (++j->depth <= DEPTH_MAX)
        return 1;
    at = j->bytes_seen + yajl_get_bytes_consumed(j->parser);
    err_set(j->e, ERR_INVALID,
            "%s: its JSON is nested more than %d levels deep (at byte %llu); no profiler writes this",
            stream_name(j->stream), DEPTH_MAX, at);
    return 0;
}

static int refuse_json(struct json_stream *j, const unsigned char *chunk, size_t n, struct err *e)
{
    unsigned char *why = yajl_get_error(j->parser, 0, chunk, n);
    unsigned long long at = j->bytes_seen + yajl_get_bytes_consumed(j->parser);
    const char *text = why ? (const char *)why : "no memory";

    j->im->broken_json = !str_starts(text, "parse error: premature EOF");
    if (!j->im->broken_json)
        err_set(e, ERR_INVALID, "%s: the JSON ends in the middle, after %llu bytes", stream_name(j->stream),
                (unsigned long long)j->bytes_seen);
    else
        err_set(e, ERR_INVALID, "%s: not valid JSON near byte %llu (%.*s)", stream_name(j->stream), at,
                (int)strcspn(text, "\n"), text);
    if (why)
        yajl_free_error(j->parser, why);
    return err_hint(e, j->im->repair ? "Known errors of PyTorch's profiler were repaired; this is another error."
                                     : "Copy the trace again, or let the profiler finish writing it.");
}

/* Passes the next bytes of the file to the parser; n == 0 at the end of the file. The second pass repairs them
 * first. */
static int parse(struct json_stream *j, const unsigned char *bytes, size_t n, struct err *e)
{
    bool last = n == 0;
    yajl_status status = yajl_status_ok;

    if (j->im->repair) {
        strbuf_clear(&j->repaired);
        json_repair_feed(&j->repair, (const char *)bytes, n, last, &j->repaired);
        if (j->repaired.failed || j->repair.rest.failed)
            return err_no_memory(e);
        bytes = (const unsigned char *)j->repaired.text;
        n = j->repaired.length;
    }
    if (n > 0)
        status = yajl_parse(j->parser, bytes, n);
    if (status == yajl_status_ok && last)
        status = yajl_complete_parse(j->parser);
    if (status == yajl_status_client_canceled)
        return -1; /* a callback filled *e */
    return status == yajl_status_ok ? 0 : refuse_json(j, bytes, n, e);
}

static int feed(struct json_stream *j, unsigned char *chunk, struct err *e)
{
    for (;;) {
        ssize_t n = stream_read(j->stream, chunk, CHUNK_BYTES, e);
        size_t skip;

        if (n < 0)
            return -1;
        skip = j->bytes_seen == 0 && n >= 3 && memcmp(chunk, "\xef\xbb\xbf", 3) == 0 ? 3 : 0; /* byte-order mark */
        if (n > 0 && skip == (size_t)n)
            continue;
        if (parse(j, chunk + skip, (size_t)n - skip, e) < 0)
            return -1;
        if (n == 0)
            return 0;
        j->bytes_seen += (uint64_t)n;
        ASSERT((size_t)n <= CHUNK_BYTES && j->value_at <= j->bytes_seen);
        if (j->bytes_seen - j->value_at > VALUE_BYTES)
            return err_set(e, ERR_INVALID,
                           "%s: a single value of more than %u MiB after byte %llu; no profiler writes this",
                           stream_name(j->stream), VALUE_BYTES >> 20, (unsigned long long)j->value_at);
        import_progress(j->im, stream_bytes_in(j->stream));
        if (import_check_memory(j->im, e) < 0)
            return -1;
    }
}

int json_stream_parse(struct json_stream *j, const yajl_callbacks *callbacks, void *ctx, struct err *e)
{
    unsigned char *chunk = mem_zalloc(CHUNK_BYTES, 1, e);
    int ret = -1;

    ASSERT(j->stream && !j->parser);
    j->parser = yajl_alloc(callbacks, NULL, ctx);
    if (!chunk || !j->parser) {
        err_no_memory(e);
    } else {
        /* Some names have invalid UTF-8. They are sanitized; the file is not refused. */
        yajl_config(j->parser, yajl_dont_validate_strings, 1);
        ret = feed(j, chunk, e);
    }
    ASSERT(ret < 0 || j->depth == 0);
    if (j->parser)
        yajl_free(j->parser);
    j->parser = NULL;
    free(chunk);
    return ret;
}

void json_stream_report(struct json_stream *j)
{
    const struct json_repair *r = &j->repair;
    uint64_t count = r->words + r->controls + r->backslashes + r->quotes;

    if (count)
        import_warn(j->im, "repaired_json", count,
                    "the profiler wrote invalid JSON: %llu values that are not numbers (NaN, inf, N/A) count as "
                    "missing; %llu control characters, %llu backslashes and %llu quotes inside texts were escaped",
                    (unsigned long long)r->words, (unsigned long long)r->controls,
                    (unsigned long long)r->backslashes, (unsigned long long)r->quotes);
}

void json_stream_release(struct json_stream *j)
{
    json_repair_release(&j->repair);
    strbuf_release(&j->repaired);
    if (j->stream) {
        j->im->report->bytes_read = stream_bytes_in(j->stream);
        stream_close(j->stream);
    }
    j->stream = NULL;
}
