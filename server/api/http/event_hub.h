/* server/api/http/event_hub.h: the event table -> server-sent events. One thread, one connection: it reads what is
 * new four times a second and hands it to the streams that asked for its topic. The table is the truth, so any
 * server can serve any stream, also after a restart. */
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

/* Takes over the stream. after: the last event that the reader has seen; < 0: from now on (with what happened in
 * the last seconds, so that nothing falls between a snapshot and the stream). On -1 the stream was ended. */
int event_hub_subscribe(struct event_hub *h, struct http_stream *s, const struct hub_topics *topics, int64_t after,
                        const struct credential *who, struct err *e);
unsigned event_hub_streams(struct event_hub *h);
bool event_hub_full(struct event_hub *h);

#endif
