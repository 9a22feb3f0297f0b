/* server/store/event/event_text.c: writes the text of an event from its kind and parameters. */
#include "server/store/event/event_internal.h"

#include <math.h>
#include <string.h>

#include "base/text.h"
#include "wire/json.h"

#define BETWEEN_PARTS "; "

static void add_percent(double x, struct strbuf *out)
{
    strbuf_addf(out, "%.3g %%", 100 * x);
}

static void add_change(double x, struct strbuf *out)
{
    strbuf_addf(out, "%s%.1f %%", x < 0 ? "−" : "+", fabs(100 * x));
}

static void add_estimate(const json_t *v, struct strbuf *out)
{
    char text[NUM_TEXT];

    strbuf_adds(out, format_estimate(json_number_value(json_object_get(v, "value")),
                                     json_number_value(json_object_get(v, "half_width")), text));
}

static void add_parts(const json_t *v, struct strbuf *out)
{
    if (json_is_object(v))
        event_text(v, out);
    for (size_t i = 0; i < json_array_size(v); i++) {
        strbuf_adds(out, i > 0 ? BETWEEN_PARTS : "");
        event_text(json_array_get(v, i), out);
    }
}

static void add_value(enum event_type type, const json_t *v, struct strbuf *out)
{
    char text[NUM_TEXT];

    switch (type) {
    case EVENT_NAME:
    case EVENT_WORD: strbuf_adds(out, json_is_string(v) ? json_string_value(v) : ""); break;
    case EVENT_COUNT: strbuf_addf(out, "%" JSON_INTEGER_FORMAT, json_integer_value(v)); break;
    case EVENT_SHARE: add_percent(json_number_value(v), out); break;
    case EVENT_CHANGE: add_change(json_number_value(v), out); break;
    case EVENT_QUANTITY: strbuf_adds(out, format_count(json_number_value(v), text)); break;
    case EVENT_SECONDS: strbuf_adds(out, format_duration(json_number_value(v), text)); break;
    case EVENT_ESTIMATE: add_estimate(v, out); break;
    case EVENT_PARTS: add_parts(v, out); break;
    case EVENT_FLAG: break;
    }
}

/* Reads the parameter name after a "{". *v: its value, NULL when absent. *at moves behind the "}". */
static const struct event_parameter *read_parameter(const struct event_definition *d, const json_t *params,
                                                    const char **at, const json_t **v)
{
    size_t n = strcspn(*at + 1, "}");
    const struct event_parameter *p = event_parameter_find(d, *at + 1, n);

    *at += n + 2;
    *v = p ? json_object_get(params, p->name) : NULL;
    return p;
}

/* True: all parameters in the text before the next "]" are present. */
static bool is_complete(const struct event_definition *d, const json_t *params, const char *at)
{
    const json_t *v;

    for (at += strcspn(at, "{]"); *at == '{'; at += strcspn(at, "{]"))
        if (!read_parameter(d, params, &at, &v) || !v)
            return false;
    return true;
}

static void add_kind(const struct event_definition *d, const json_t *params, struct strbuf *out)
{
    const struct event_parameter *p;
    const char *at = d->text;
    const json_t *v;

    while (*at) {
        size_t n = strcspn(at, "{[]");

        strbuf_add(out, at, n);
        at += n;
        if (*at == '[' && !is_complete(d, params, at))
            at += strcspn(at, "]");
        else if (*at == '{') {
            p = read_parameter(d, params, &at, &v);
            if (p && v)
                add_value(p->type, v, out);
            continue;
        }
        at += *at != '\0';
    }
}

void event_text(const json_t *event, struct strbuf *out)
{
    const char *kind = json_string_value(json_object_get(event, "kind"));
    const struct event_definition *d = event_find(kind);

    if (d)
        add_kind(d, json_object_get(event, "params"), out);
    else
        strbuf_adds(out, kind ? kind : "");
}

int event_show(json_t *event, const char *member, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    int ret;

    event_text(event, &b);
    ret = b.failed || json_object_set_new(event, member, json_string(b.text)) < 0 ? err_no_memory(e) : 0;
    strbuf_release(&b);
    return ret;
}

int event_show_text(const char *json, struct strbuf *out, struct err *e)
{
    json_t *event = json_read_text(json, strlen(json), "an event", e);
    int ret = json_is_object(event) ? event_show(event, "text", e) : 0;

    if (json_is_object(event))
        json_write_text(event, false, out);
    else
        strbuf_adds(out, json);
    json_decref(event);
    return ret < 0 || out->failed ? err_no_memory(e) : 0;
}
