/* server/store/repo/repo_recording.h: recordings of results: tasks that people ask for (repo_task.h). */
#ifndef VIVACE_SERVER_DB_REPO_RECORDING_H
#define VIVACE_SERVER_DB_REPO_RECORDING_H

#include "server/store/repo/repo_task.h"

#define RECORDING_BYTES_MAX ((size_t)16 << 20)

/* Asks for it; one that failed is tried again, others stay as they are. 1: something is to be done, 0: nothing. */
int repo_recording_ask(struct db *db, const char *result, const char *by, wall_us now, struct err *e) MUST_CHECK;
/* 1 with JSON text: state, asked_by, asked_at, finished_at, bytes, why; 0: nobody has asked. */
int repo_recording_json(struct db *db, const char *result, struct strbuf *out, struct err *e) MUST_CHECK;
/* 1 with the bytes of the file, 0 where there are none. */
int repo_recording_bytes(struct db *db, const char *result, struct strbuf *out, struct err *e) MUST_CHECK;

/* What the lease (task, attempt, session) is about: design_sha256 and cycles of the result. 1, or 0 when it is not
 * this session's any more. */
int repo_recording_leased(struct db *db, const char *task, uint32_t attempt, const char *session,
                          struct db_rows *out, struct err *e) MUST_CHECK;
/* bytes: what was recorded, where it is done; NULL otherwise. */
int repo_recording_end(struct db *db, const struct task_end *end, const void *bytes, size_t n, wall_us now,
                       struct err *e) MUST_CHECK;

#endif
