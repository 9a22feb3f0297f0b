/* server/db/repo_recording.h: recordings of results (schema/0240): asked for by people, taken by workers. */
#ifndef VIVACE_SERVER_DB_REPO_RECORDING_H
#define VIVACE_SERVER_DB_REPO_RECORDING_H

#include "server/db/repo_claim.h"

#define RECORDING_BYTES_MAX ((size_t)16 << 20)

/* Asks for it; one that failed is tried again, others stay as they are. 1: something is to be done, 0: nothing. */
int repo_recording_ask(struct db *db, const char *result, const char *by, wall_us now, struct err *e) MUST_CHECK;
/* 1 with JSON text: state, asked_by, asked_at, finished_at, bytes, why; 0: nobody has asked. */
int repo_recording_json(struct db *db, const char *result, struct strbuf *out, struct err *e) MUST_CHECK;
/* 1 with the bytes of the file, 0 where there are none. */
int repo_recording_bytes(struct db *db, const char *result, struct strbuf *out, struct err *e) MUST_CHECK;

/* 1: some are to be made, or being made. */
int repo_recording_waiting(struct db *db, struct err *e) MUST_CHECK;
/* Those fail whose last attempt was lost, and, for the reason `why`, those of results that a simulator other than
 * the farm's made, and no worker that is there has. */
int repo_recording_give_up(struct db *db, const char *simulator, const char *why, wall_us now,
                           struct err *e) MUST_CHECK;
/* Leases at most one to a session whose simulator is the one that made the result; added to `leases`. */
int repo_recording_take(struct db *db, const struct session_row *session, const struct claim_limits *limits,
                        wall_us now, struct lease_list *leases, struct err *e) MUST_CHECK;

/* What the lease (result, attempt, session) was about: design_sha256 and cycles of the result. 1, or 0 when it is
 * not this session's any more. */
int repo_recording_leased(struct db *db, const char *result, uint32_t attempt, const char *session,
                          struct db_rows *out, struct err *e) MUST_CHECK;
/* It ends: with bytes, or with a reason; `again`: it may be tried again while attempts are left. */
struct recording_end {
    const char *result, *session;
    uint32_t attempt;
    const void *bytes; /* or NULL */
    size_t n;
    const char *why;
    bool again;
};
int repo_recording_end(struct db *db, const struct recording_end *end, wall_us now, struct err *e) MUST_CHECK;

#endif
