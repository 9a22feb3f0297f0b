/* server/store/event/event.h: events: a kind and its parameters. event_kinds.h lists the kinds. This header
 * creates events, writes their texts, and hides names in them for shared links that hide names. */
#ifndef VIVACE_SERVER_EVENT_H
#define VIVACE_SERVER_EVENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "base/err.h"
#include "base/strbuf.h"

struct event_estimate {
    double value, half_width; /* seconds */
};

/* enum event_kind: EVENT_run_started and so on. */
#define EVENT_KIND(id, kind, text, parameters) EVENT_##id,
enum event_kind {
#include "server/store/event/event_kinds.h"
    EVENT_KIND_COUNT
};

/* struct event_run_started and so on: the parameters of a kind. Absent: NULL, NaN, false. */
#define NAME(x)     const char *x;
#define WORD(x)     const char *x;
#define COUNT(x)    int64_t x;
#define SHARE(x)    double x;
#define CHANGE(x)   double x;
#define QUANTITY(x) double x;
#define SECONDS(x)  double x;
#define ESTIMATE(x) struct event_estimate x;
#define FLAG(x)     bool x;
#define PARTS(x)    json_t *x; /* values of event_part(); the event takes over the reference */
#define EVENT_KIND(id, kind, text, parameters)                                                                     \
    struct event_##id {                                                                                            \
        char none; /* a structure needs at least one member */                                                     \
        parameters                                                                                                 \
    };
#include "server/store/event/event_kinds.h"

struct event {
    enum event_kind kind;
    const void *parameters;
};
/* Example: EVENT(run_started, .by = name, .jobs = n, .engine = "cycle") */
#define EVENT(id, ...) ((struct event){EVENT_##id, &(const struct event_##id){.none = 0, __VA_ARGS__}})

const char *event_kind_name(enum event_kind kind);
/* The parameters as a new JSON object; NULL: out of memory. Takes over the references of PARTS, also on
 * failure. */
json_t *event_parameters(struct event ev) MUST_CHECK;
/* A new object {"kind", "params"} for an event inside another event; NULL: out of memory. */
json_t *event_part(struct event ev) MUST_CHECK;

/* Appends the text of an object with `kind` and `params`. The text of an unknown kind is its name. */
void event_text(const json_t *event, struct strbuf *out);
/* Sets a member of the object to the event's text. */
int event_show(json_t *event, const char *member, struct err *e) MUST_CHECK;

/* Appends an event's JSON with the additional member `text`. Text that is not a JSON object is appended unchanged.
 * -1: out of memory. */
int event_show_text(const char *json, struct strbuf *out, struct err *e) MUST_CHECK;

/* Writes the label that replaces a name of n bytes. */
typedef void (*event_label_fn)(void *ctx, const char *name, size_t n, struct strbuf *out);
/* True: the object has a known `kind` and `params`. */
bool event_is(const json_t *object);
/* Replaces each NAME in `params` by a label, removes unknown parameters, and writes `text` or `reason` (the one
 * that exists) again. */
int event_hide(json_t *event, event_label_fn label, void *ctx, struct err *e) MUST_CHECK;

#endif
