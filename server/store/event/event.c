/* server/store/event/event.c: the table of event kinds, and the conversion of parameters to JSON. */
#include "server/store/event/event_internal.h"

#include <math.h>
#include <string.h>

#include "wire/json.h"

#define NAME(x)     {#x, EVENT_NAME, offsetof(self, x)},
#define WORD(x)     {#x, EVENT_WORD, offsetof(self, x)},
#define COUNT(x)    {#x, EVENT_COUNT, offsetof(self, x)},
#define SHARE(x)    {#x, EVENT_SHARE, offsetof(self, x)},
#define CHANGE(x)   {#x, EVENT_CHANGE, offsetof(self, x)},
#define QUANTITY(x) {#x, EVENT_QUANTITY, offsetof(self, x)},
#define SECONDS(x)  {#x, EVENT_SECONDS, offsetof(self, x)},
#define ESTIMATE(x) {#x, EVENT_ESTIMATE, offsetof(self, x)},
#define FLAG(x)     {#x, EVENT_FLAG, offsetof(self, x)},
#define PARTS(x)    {#x, EVENT_PARTS, offsetof(self, x)},
#define END                                                                                                        \
    {                                                                                                              \
        NULL, EVENT_FLAG, sizeof(self)                                                                             \
    }
#define EVENT_KIND(id, kind, text, parameters)                                                                     \
    static const struct event_parameter *parameters_of_##id(void)                                                  \
    {                                                                                                              \
        typedef struct event_##id self;                                                                            \
        static const struct event_parameter list[] = {parameters END};                                             \
                                                                                                                   \
        return list;                                                                                               \
    }
#include "server/store/event/event_kinds.h"

#define EVENT_KIND(id, kind, text, parameters) {#id, kind, text, parameters_of_##id},
const struct event_definition event_definitions[EVENT_KIND_COUNT] = {
#include "server/store/event/event_kinds.h"
};

const struct event_definition *event_find(const char *kind)
{
    for (size_t i = 0; kind && i < EVENT_KIND_COUNT; i++)
        if (strcmp(event_definitions[i].kind, kind) == 0)
            return &event_definitions[i];
    return NULL;
}

const struct event_parameter *event_parameter_find(const struct event_definition *d, const char *name, size_t n)
{
    for (const struct event_parameter *p = d->parameters(); p->name; p++)
        if (strlen(p->name) == n && memcmp(p->name, name, n) == 0)
            return p;
    return NULL;
}

const char *event_kind_name(enum event_kind kind)
{
    return event_definitions[kind].kind;
}

static void put_text(struct json_obj *o, const char *name, const char *text)
{
    if (text)
        json_put_str(o, name, text);
}

static void put_number(struct json_obj *o, const char *name, double x)
{
    if (!isnan(x))
        json_put_double(o, name, x);
}

static void put_estimate(struct json_obj *o, const char *name, const struct event_estimate *x)
{
    struct json_obj pair = json_obj_begin();

    json_put_double(&pair, "value", x->value);
    json_put_double(&pair, "half_width", x->half_width);
    json_put(o, name, json_obj_end(&pair));
}

static void put(struct json_obj *o, const struct event_parameter *p, const char *at)
{
    const void *x = at + p->offset;

    switch (p->type) {
    case EVENT_NAME:
    case EVENT_WORD: put_text(o, p->name, *(const char *const *)x); break;
    case EVENT_COUNT: json_put(o, p->name, json_integer(*(const int64_t *)x)); break;
    case EVENT_SHARE:
    case EVENT_CHANGE:
    case EVENT_QUANTITY:
    case EVENT_SECONDS: put_number(o, p->name, *(const double *)x); break;
    case EVENT_ESTIMATE: put_estimate(o, p->name, x); break;
    case EVENT_FLAG:
        if (*(const bool *)x)
            json_put_bool(o, p->name, true);
        break;
    case EVENT_PARTS:
        if (*(json_t *const *)x)
            json_put(o, p->name, *(json_t *const *)x);
        break;
    }
}

json_t *event_parameters(struct event ev)
{
    struct json_obj o = json_obj_begin();

    for (const struct event_parameter *p = event_definitions[ev.kind].parameters(); p->name; p++)
        put(&o, p, ev.parameters);
    return json_obj_end(&o);
}

json_t *event_part(struct event ev)
{
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "kind", event_kind_name(ev.kind));
    json_put(&o, "params", event_parameters(ev));
    return json_obj_end(&o);
}
