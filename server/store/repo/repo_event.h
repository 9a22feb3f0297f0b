/* server/store/repo/repo_event.h: events, for the event streams and the page of a run. */
#ifndef VIVACE_SERVER_DB_REPO_EVENT_H
#define VIVACE_SERVER_DB_REPO_EVENT_H

#include "server/store/db/db.h"
#include "server/store/event/event.h"

struct event_row {
    wall_us at;
    const char *topic; /* "run:ID", "plan:ID", "import:ID", "pilot:ID", "farm" */
    const char *kind; /* of server/store/event/event_kinds.h; without severity: "run.progress", "plan.label", ... */
    const char
        *severity; /* "info", "warning", "error"; NULL: the event has no text, and streams send params unchanged */
    const char *params; /* JSON on one line */
};
/* Inserts an event in the caller's transaction. Readers see it after the commit. */
int repo_event_put(struct db *db, const struct event_row *row, struct err *e) MUST_CHECK;
/* Inserts an event of a run, for example repo_event_emit(db, run, now, "info", EVENT(run_started, .by = name,
 * ...), e). */
int repo_event_emit(struct db *db, const char *run, wall_us at, const char *severity, struct event ev,
                    struct err *e) MUST_CHECK;
/* As repo_event_emit(), for a part that event_part() has created. */
int repo_event_emit_part(struct db *db, const char *run, wall_us at, const char *severity, const json_t *part,
                         struct err *e) MUST_CHECK;

/* The first id that a reader must not read yet: an uncommitted transaction may still insert events from there
 * on. */
int repo_event_horizon(struct db *db, int64_t *out, struct err *e) MUST_CHECK;
/* Rows, oldest first: events after an id and below the horizon: id, topic, name in the stream, data, and whether
 * event_show() must add the text to the data. */
int repo_event_tail(struct db *db, int64_t after, int64_t most, struct db_rows *out, struct err *e) MUST_CHECK;
/* As repo_event_tail(), for some topics (array literal). */
int repo_event_tail_topics(struct db *db, const char *topics, int64_t after, int64_t most, struct db_rows *out,
                           struct err *e) MUST_CHECK;
/* The id of the oldest stored event, or 0 when there is none. A reader that is further behind has lost events. */
int repo_event_oldest(struct db *db, int64_t *out, struct err *e) MUST_CHECK;
/* Returns 1 when the import belongs to this team. */
int repo_event_import_of_team(struct db *db, const char *import, int64_t team, struct err *e) MUST_CHECK;
/* Deletes old events: those with a text that are older than texts_before, the others older than rest_before. At
 * most 1000 of each. *dropped: the number. */
int repo_event_expire(struct db *db, wall_us texts_before, wall_us rest_before, int64_t *dropped,
                      struct err *e) MUST_CHECK;
/* After a restore into a new cluster, transaction numbers start at low values again. This function gives the old
 * events lower ids. */
int repo_event_rebase(struct db *db, struct err *e) MUST_CHECK;

#endif
