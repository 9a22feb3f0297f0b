/* server/db/repo_event.h: what happened: for streams, and in sentences for the run page. */
#ifndef VIVACE_SERVER_DB_REPO_EVENT_H
#define VIVACE_SERVER_DB_REPO_EVENT_H

#include "server/db/db.h"

struct event_row {
    wall_us at;
    const char *topic;    /* "run:ID", "import:ID", "pilot:ID", "farm" */
    const char *kind;     /* "run.progress", "run.event", "run.look", "import.stage", ... */
    const char *severity; /* "info", "warning", "error"; NULL when there is no sentence */
    const char *sentence; /* NULL: nothing for people */
    const char *data;     /* one line of JSON */
};
/* Part of the caller's transaction: the event is seen when it commits. */
int repo_event_put(struct db *db, const struct event_row *row, struct err *e) MUST_CHECK;
/* A sentence about a run: kind "run.event", data made here. */
int repo_event_say(struct db *db, const char *run, wall_us at, const char *severity, struct err *e,
                   const char *format, ...) __attribute__((format(printf, 6, 7))) MUST_CHECK;
/* Look `number` of a run: kind "run.look", data with `look` and `decision` beside the sentence. */
int repo_event_say_look(struct db *db, const char *run, int number, const char *decision, wall_us at,
                        const char *severity, const char *sentence, struct err *e) MUST_CHECK;

/* The first id that a reader must not look at yet. */
int repo_event_horizon(struct db *db, int64_t *out, struct err *e) MUST_CHECK;
/* Events after an id and below the horizon, oldest first: id, topic, kind, data. */
int repo_event_tail(struct db *db, int64_t after, int64_t most, struct db_rows *out, struct err *e) MUST_CHECK;
/* Those of some topics (array literal) after an id. */
int repo_event_tail_topics(struct db *db, const char *topics, int64_t after, int64_t most, struct db_rows *out,
                           struct err *e) MUST_CHECK;
/* The oldest event that is kept, 0 when there are none: what came before cannot be caught up with. */
int repo_event_oldest(struct db *db, int64_t *out, struct err *e) MUST_CHECK;
/* 1 when the import is this team's. */
int repo_event_import_of_team(struct db *db, const char *import, int64_t team, struct err *e) MUST_CHECK;
/* Removes events older than their time: those with a sentence, and the rest. At most 1000 of each. */
int repo_event_expire(struct db *db, wall_us sentences_before, wall_us rest_before, int64_t *dropped,
                      struct err *e) MUST_CHECK;
/* After a restore into a fresh cluster transaction numbers start low again: old events move below them. */
int repo_event_rebase(struct db *db, struct err *e) MUST_CHECK;

#endif
