/* server/store/repo/repo_event.h: what happened: for streams, and for the run page. */
#ifndef VIVACE_SERVER_DB_REPO_EVENT_H
#define VIVACE_SERVER_DB_REPO_EVENT_H

#include "server/store/db/db.h"
#include "server/store/event/event.h"

struct event_row {
    wall_us at;
    const char *topic; /* "run:ID", "import:ID", "pilot:ID", "farm" */
    const char
        *kind; /* of server/store/event/event_kinds.h; without severity "run.progress", "import.stage", ... */
    const char *severity; /* "info", "warning", "error"; NULL: has no text, and streams send params as they are */
    const char *params;   /* one line of JSON */
};
/* Part of the caller's transaction: the event is seen when it commits. */
int repo_event_put(struct db *db, const struct event_row *row, struct err *e) MUST_CHECK;
/* An event of a run: repo_event_emit(db, run, now, "info", EVENT(run_started, .by = name, ...), e). */
int repo_event_emit(struct db *db, const char *run, wall_us at, const char *severity, struct event ev,
                    struct err *e) MUST_CHECK;
/* The same of an event_part() that was made before. */
int repo_event_emit_part(struct db *db, const char *run, wall_us at, const char *severity, const json_t *part,
                         struct err *e) MUST_CHECK;

/* The first id that a reader must not look at yet. */
int repo_event_horizon(struct db *db, int64_t *out, struct err *e) MUST_CHECK;
/* Events after an id and below the horizon, oldest first: id, topic, name in the stream, its data, true where
 * event_show() has to add the text to the data. */
int repo_event_tail(struct db *db, int64_t after, int64_t most, struct db_rows *out, struct err *e) MUST_CHECK;
/* Those of some topics (array literal) after an id. */
int repo_event_tail_topics(struct db *db, const char *topics, int64_t after, int64_t most, struct db_rows *out,
                           struct err *e) MUST_CHECK;
/* The oldest event that is kept, 0 when there are none: what came before cannot be caught up with. */
int repo_event_oldest(struct db *db, int64_t *out, struct err *e) MUST_CHECK;
/* 1 when the import is this team's. */
int repo_event_import_of_team(struct db *db, const char *import, int64_t team, struct err *e) MUST_CHECK;
/* Removes events older than their time: those with a text, and the rest. At most 1000 of each. */
int repo_event_expire(struct db *db, wall_us texts_before, wall_us rest_before, int64_t *dropped,
                      struct err *e) MUST_CHECK;
/* After a restore into a fresh cluster transaction numbers start low again: old events move below them. */
int repo_event_rebase(struct db *db, struct err *e) MUST_CHECK;

#endif
