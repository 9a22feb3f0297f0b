/* server/store/repo/repo_recording.h: recordings of results over time: tasks that users request (repo_task.h). */
#ifndef VIVACE_SERVER_DB_REPO_RECORDING_H
#define VIVACE_SERVER_DB_REPO_RECORDING_H

#include "server/store/repo/repo_task.h"

#define RECORDING_BYTES_MAX ((size_t)16 << 20)

/* Requests a recording. A failed one is tried again; others are not changed. Returns 1 when a task was created or
 * restarted, else 0. */
int repo_recording_ask(struct db *db, const char *result, const char *by, wall_us now, struct err *e) MUST_CHECK;
/* Returns 1 with JSON text: state, asked_by, asked_at, finished_at, bytes, why. Returns 0 when there is no
 * request. */
int repo_recording_json(struct db *db, const char *result, struct strbuf *out, struct err *e) MUST_CHECK;
/* Returns 1 with the content of the recording, or 0 when there is none. */
int repo_recording_bytes(struct db *db, const char *result, struct strbuf *out, struct err *e) MUST_CHECK;

/* Row: design_sha256 and cycles of the result of the lease (task, attempt, session). Returns 1, or 0 when the
 * session does not have this lease any more. */
int repo_recording_leased(struct db *db, const char *task, uint32_t attempt, const char *session,
                          struct db_rows *out, struct err *e) MUST_CHECK;
/* bytes: the recording if it is done, else NULL. */
int repo_recording_end(struct db *db, const struct task_end *end, const void *bytes, size_t n, wall_us now,
                       struct err *e) MUST_CHECK;

#endif
