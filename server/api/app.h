/* server/api/app.h: the state that all handlers share. */
#ifndef VIVACE_SERVER_APP_H
#define VIVACE_SERVER_APP_H

#include "server/domain/farm.h"

struct event_hub; /* server/api/http/event_hub.h: sends events to streams */
struct http;      /* server/api/http/http_server.h: starts and stops the HTTP server */

struct app {
    struct farm farm;
    const struct server_config *config;
    struct clock *clock;
    struct event_hub *events;
    struct http *http;
};

#endif
