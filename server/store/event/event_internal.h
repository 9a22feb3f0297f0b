/* server/store/event/event_internal.h: the table of kinds as data. */
#ifndef VIVACE_SERVER_EVENT_INTERNAL_H
#define VIVACE_SERVER_EVENT_INTERNAL_H

#include "server/store/event/event.h"

enum event_type {
    EVENT_NAME,
    EVENT_WORD,
    EVENT_COUNT,
    EVENT_SHARE,
    EVENT_CHANGE,
    EVENT_QUANTITY,
    EVENT_SECONDS,
    EVENT_ESTIMATE,
    EVENT_FLAG,
    EVENT_PARTS
};
struct event_parameter {
    const char *name; /* NULL marks the end of the list */
    enum event_type type;
    size_t offset; /* offset of the member in the kind's structure */
};
struct event_definition {
    const char *id, *kind, *text;
    const struct event_parameter *(*parameters)(void);
};
extern const struct event_definition event_definitions[EVENT_KIND_COUNT];

/* Returns NULL when the kind is unknown. */
const struct event_definition *event_find(const char *kind);
/* The parameter with that name of n bytes, or NULL when the kind has none. */
const struct event_parameter *event_parameter_find(const struct event_definition *d, const char *name, size_t n);

#endif
