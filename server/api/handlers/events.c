/* server/api/handlers/events.c: GET /events?topics=run:ID,plan:ID,import:ID,pilot:ID,farm: server-sent events. */
#include <errno.h>
#include <stdlib.h>
#include <string.h>

#include "server/store/repo/repo_event.h"
#include "server/store/repo/repo_pilot.h"
#include "server/store/repo/repo_plan.h"
#include "server/store/repo/repo_run.h"
#include "server/api/http/event_hub.h"
#include "server/api/handlers/handlers.h"

static int check_topic(struct db *db, const struct request *req, const char *topic, struct err *e)
{
    int64_t team = req->credential.team_id;
    char profile[UUID_TEXT];
    struct pilot_row pilot;
    struct run_row run;
    int found = 0;

    if (strcmp(topic, "farm") == 0)
        return 0;
    if (strncmp(topic, "run:", 4) == 0 && uuid_valid(topic + 4))
        found = repo_run_find(db, topic + 4, team, &run, e);
    else if (strncmp(topic, "plan:", 5) == 0 && uuid_valid(topic + 5))
        found = repo_plan_profile(db, topic + 5, team, profile, e);
    else if (strncmp(topic, "import:", 7) == 0 && uuid_valid(topic + 7))
        found = repo_event_import_of_team(db, topic + 7, team, e);
    else if (strncmp(topic, "pilot:", 6) == 0 && uuid_valid(topic + 6))
        found = repo_pilot_find(db, topic + 6, team, &pilot, NULL, e);
    return found > 0 ? 0 : found < 0 ? -1 : err_set(e, ERR_NOT_FOUND, "there is no topic `%.60s`", topic);
}

static int read_topics(struct db *db, const struct request *req, struct hub_topics *out, struct err *e)
{
    const char *at = request_query(req, "topics");

    out->count = 0;
    while (at && *at) {
        size_t n = strcspn(at, ",");

        if (out->count == HUB_TOPICS_MAX)
            return err_set(e, ERR_INVALID, "at most %d topics in one stream", HUB_TOPICS_MAX);
        if (n == 0 || n >= HUB_TOPIC_TEXT)
            return err_set(e, ERR_INVALID, "`topics` must be a list such as run:ID,farm");
        memcpy(out->text[out->count], at, n);
        out->text[out->count][n] = '\0';
        if (check_topic(db, req, out->text[out->count++], e) < 0)
            return -1;
        at += n + (at[n] == ',');
    }
    return out->count > 0
               ? 0
               : err_set(e, ERR_INVALID, "`topics` is missing: run:ID, plan:ID, import:ID, pilot:ID or farm");
}

/* The last event that the reader has received: from a reconnecting browser's header, or from a snapshot's as_of. */
static int read_after(const struct request *req, int64_t *out, struct err *e)
{
    const char *text = request_header(req, "Last-Event-ID");
    char *end;

    if (!text || !text[0])
        text = request_query(req, "after");
    *out = -1;
    if (!text || !text[0])
        return 0;
    errno = 0;
    *out = strtoll(text, &end, 10);
    if (errno || *end || *out < 0)
        return err_set(e, ERR_INVALID, "the id of the last event must be a number");
    return 0;
}

int events_get(struct app *app, struct db *db, const struct request *req, struct reply *rep, struct err *e)
{
    struct hub_topics topics;
    struct http_stream *s;
    int64_t after;

    if (read_topics(db, req, &topics, e) < 0 || read_after(req, &after, e) < 0)
        return -1;
    if (event_hub_full(app->events))
        return err_set(e, ERR_BUSY, "too many streams are open");
    rep->content_type = "text/event-stream";
    s = stream_start(req, rep, e);
    if (!s)
        return -1;
    return event_hub_subscribe(app->events, s, &topics, after, &req->credential, e);
}
