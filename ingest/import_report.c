#include "ingest/ingest.h"
#include "base/assert.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

void import_report_init(struct import_report *r)
{
    memset(r, 0, sizeof *r);
}

static void notes_release(struct import_notes *list)
{
    ASSERT(list->count <= list->capacity);
    for (size_t i = 0; i < list->count; i++) {
        free(list->items[i].sentence);
        for (size_t k = 0; k < list->items[i].example_count; k++)
            free(list->items[i].examples[k]);
    }
    free(list->items);
}

void import_report_release(struct import_report *r)
{
    notes_release(&r->dropped);
    notes_release(&r->ignored);
    notes_release(&r->warnings);
    import_report_init(r);
}

/* The text is valid UTF-8 without control characters already. It is escaped all the same, so that the JSON is
 * valid for any text. */
static void json_string(struct strbuf *b, const char *s)
{
    strbuf_addc(b, '"');
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            strbuf_addf(b, "\\%c", *s);
        else if ((unsigned char)*s < 0x20)
            strbuf_addf(b, "\\u%04x", (unsigned)*s);
        else
            strbuf_addc(b, *s);
    }
    strbuf_addc(b, '"');
}

static void json_text(struct strbuf *b, const char *key, const char *value)
{
    strbuf_addf(b, "\"%s\": ", key);
    json_string(b, value);
    strbuf_adds(b, ", ");
}

static void json_count(struct strbuf *b, const char *key, uint64_t value)
{
    strbuf_addf(b, "\"%s\": %llu, ", key, (unsigned long long)value);
}

static void json_count_if(struct strbuf *b, const char *key, bool known, uint64_t value)
{
    if (known)
        json_count(b, key, value);
    else
        strbuf_addf(b, "\"%s\": null, ", key);
}

static void json_clock(struct strbuf *b, const struct import_report *r)
{
    ASSERT(r->clock_low_hz <= r->clock_high_hz);
    if (r->clock_high_hz > 0)
        strbuf_addf(b, "\"clock\": {\"measured\": %s, \"low_hz\": %.0f, \"high_hz\": %.0f}, ",
                    r->clock_measured ? "true" : "false", r->clock_low_hz, r->clock_high_hz);
    else
        strbuf_adds(b, "\"clock\": null, ");
}

static void json_notes(struct strbuf *b, const char *key, const struct import_notes *list)
{
    strbuf_addf(b, "\"%s\": [", key);
    for (size_t i = 0; i < list->count; i++) {
        const struct import_note *n = &list->items[i];

        ASSERT(n->example_count <= IMPORT_EXAMPLES);
        strbuf_adds(b, i ? ", {" : "{");
        json_text(b, "code", n->code);
        json_text(b, "sentence", n->sentence);
        json_count(b, "count", n->count);
        strbuf_adds(b, "\"examples\": [");
        for (size_t k = 0; k < n->example_count; k++) {
            strbuf_adds(b, k ? ", " : "");
            json_string(b, n->examples[k]);
        }
        strbuf_adds(b, "]}");
    }
    strbuf_addc(b, ']');
}

void import_report_to_json(const struct import_report *r, struct strbuf *b)
{
    bool times = r->unit == PROFILE_NS;

    ASSERT(r->kernels <= r->kernel_shapes && r->zero_duration <= r->accepted);
    strbuf_addc(b, '{');
    json_text(b, "format", r->format);
    json_text(b, "schema", r->schema);
    json_text(b, "gpu", r->gpu_name);
    json_clock(b, r);
    json_text(b, "unit", profile_unit_name(r->unit));
    json_count(b, "launches", r->accepted);
    json_count(b, "kernels", r->kernels);
    json_count(b, "kernel_shapes", r->kernel_shapes);
    json_count(b, "devices", r->devices);
    json_count(b, "processes", r->processes);
    json_count(b, "contexts", r->contexts);
    json_count(b, "streams", r->streams);
    json_count_if(b, "total_ns", times, r->total);
    json_count_if(b, "total_warp_instructions", r->unit == PROFILE_WARP_INSTRUCTIONS, r->total);
    json_count_if(b, "total_cycles", r->unit == PROFILE_CYCLES, r->total);
    json_count_if(b, "makespan_ns", times && (r->makespan_ns || !r->total), r->makespan_ns);
    json_count(b, "zero_duration", r->zero_duration);
    json_count(b, "bytes_read", r->bytes_read);
    json_count(b, "dropped", r->dropped_count);
    json_notes(b, "dropped_reasons", &r->dropped);
    strbuf_adds(b, ", ");
    json_count(b, "ignored", r->ignored_count);
    json_notes(b, "ignored_reasons", &r->ignored);
    strbuf_adds(b, ", ");
    json_notes(b, "warnings", &r->warnings);
    strbuf_addc(b, '}');
}
