/* server/api/http/event_hub.h: sends rows of the event table as server-sent events. One thread with one
 * connection reads new rows four times a second and passes them to the streams that subscribe to their topic.
 * All servers read the same table, so any server can serve any stream, also after a restart. */
#ifndef VIVACE_SERVER_EVENT_HUB_H
#define VIVACE_SERVER_EVENT_HUB_H

#include "server/api/app.h"
#include "server/api/http/http.h"

#define HUB_TOPICS_MAX 16
#define HUB_TOPIC_TEXT 64
struct hub_topics {
    size_t count;
    char text[HUB_TOPICS_MAX][HUB_TOPIC_TEXT];
};

struct event_hub;
int event_hub_start(struct app *app, struct event_hub **out, struct err *e);
void event_hub_stop(struct event_hub *h); /* ends all streams */

/* Takes ownership of the stream. after: the last event that the client has received. < 0: start now, and include
 * the last few seconds, so that no event is lost between a snapshot and the stream. On -1 the stream was ended. */
int event_hub_subscribe(struct event_hub *h, struct http_stream *s, const struct hub_topics *topics, int64_t after,
                        const struct credential *who, struct err *e);
unsigned event_hub_streams(struct event_hub *h);
bool event_hub_full(struct event_hub *h);

#endif
