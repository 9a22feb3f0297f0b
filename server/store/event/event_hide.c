/* server/store/event/event_hide.c: hides names in an event for a shared link. The type of a parameter decides
 * whether it is replaced. */
#include "server/store/event/event_internal.h"

#include <string.h>

bool event_is(const json_t *object)
{
    return event_find(json_string_value(json_object_get(object, "kind"))) &&
           json_is_object(json_object_get(object, "params"));
}

static bool is_public_word(const char *text)
{
    return text &&
           text[strspn(text, "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789._:+-")] == '\0';
}

static json_t *labelled(const json_t *v, event_label_fn label, void *ctx)
{
    const char *text = json_is_string(v) ? json_string_value(v) : "";
    struct strbuf b = STRBUF_INIT;
    json_t *out;

    label(ctx, text, strlen(text), &b);
    out = b.failed ? NULL : json_string(b.text);
    strbuf_release(&b);
    return out;
}

static json_t *hidden_parts(const json_t *v, event_label_fn label, void *ctx);

static json_t *numbers_alone(const json_t *v)
{
    json_t *out = json_object(), *number;
    static const char *const names[] = {"value", "half_width"};

    for (size_t i = 0; out && i < sizeof names / sizeof *names; i++) {
        number = json_object_get(v, names[i]);
        if (json_is_number(number) && json_object_set(out, names[i], number) < 0) {
            json_decref(out);
            return NULL;
        }
    }
    return out;
}

/* Returns a new reference, or NULL when out of memory. JSON null: the parameter is removed. */
static json_t *hidden_value(enum event_type type, json_t *v, event_label_fn label, void *ctx)
{
    switch (type) {
    case EVENT_NAME: return labelled(v, label, ctx);
    case EVENT_WORD: return is_public_word(json_string_value(v)) ? json_incref(v) : labelled(v, label, ctx);
    case EVENT_ESTIMATE: return numbers_alone(v);
    case EVENT_PARTS: return hidden_parts(v, label, ctx);
    case EVENT_FLAG: return json_boolean(json_is_true(v));
    default: return json_is_number(v) ? json_incref(v) : json_null();
    }
}

static json_t *hidden_params(const json_t *event, event_label_fn label, void *ctx)
{
    const struct event_definition *d = event_find(json_string_value(json_object_get(event, "kind")));
    const json_t *params = json_object_get(event, "params");
    json_t *out = json_object(), *v;

    for (const struct event_parameter *p = d->parameters(); out && p->name; p++) {
        v = json_object_get(params, p->name);
        if (v && json_object_set_new(out, p->name, hidden_value(p->type, v, label, ctx)) < 0) {
            json_decref(out);
            return NULL;
        }
    }
    return out;
}

/* Returns {} if `part` is not an event. */
static json_t *hidden_part(const json_t *part, event_label_fn label, void *ctx)
{
    json_t *out = json_object();

    if (!out || !event_is(part))
        return out;
    if (json_object_set(out, "kind", json_object_get(part, "kind")) < 0 ||
        json_object_set_new(out, "params", hidden_params(part, label, ctx)) < 0) {
        json_decref(out);
        return NULL;
    }
    return out;
}

static json_t *hidden_parts(const json_t *v, event_label_fn label, void *ctx)
{
    json_t *out;

    if (!json_is_array(v))
        return hidden_part(v, label, ctx);
    out = json_array();
    for (size_t i = 0; out && i < json_array_size(v); i++)
        if (json_array_append_new(out, hidden_part(json_array_get(v, i), label, ctx)) < 0) {
            json_decref(out);
            return NULL;
        }
    return out;
}

int event_hide(json_t *event, event_label_fn label, void *ctx, struct err *e)
{
    static const char *const texts[] = {"text", "reason"};
    json_t *params = hidden_params(event, label, ctx);

    if (!params || json_object_set_new(event, "params", params) < 0)
        return err_no_memory(e);
    for (size_t i = 0; i < sizeof texts / sizeof *texts; i++)
        if (json_object_get(event, texts[i]) && event_show(event, texts[i], e) < 0)
            return -1;
    return 0;
}
