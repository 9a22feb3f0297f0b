/* server/db/side_lease.h: leases of what is simulated beside the jobs of runs (recordings, checks of the caches):
 * their tables have the same columns for state, attempt, session and deadline, and their statements one shape. */
#ifndef VIVACE_SERVER_SIDE_LEASE_H
#define VIVACE_SERVER_SIDE_LEASE_H

#include "server/db/repo_claim.h"

#define SIDE_ATTEMPTS_MAX "3"
/* Of table t, $1 being now: its lease is over without a word, as the worker vanished or took too long. */
#define SIDE_LOST(t)                                                                                               \
    "(" t ".state = 'leased' AND (" t ".deadline_at < $1::timestamptz OR NOT EXISTS"                               \
    "  (SELECT FROM worker_session w WHERE w.id = " t ".session_id AND w.state = 'alive')))"

enum side_kind {
    SIDE_RECORD, /* what happens when is kept */
    SIDE_WARMED, /* the same, behind the launches before it */
    SIDE_PLAIN   /* as a job of a run */
};
/* Leases at most one to the session; added to `leases`. stmt: of now, session, simulator and least seconds; its row
 * is id, attempt, trace and its bytes, SHA-256 and name of the design, program (or NULL) and its bytes, seconds,
 * inside_kernels.
 */
int side_lease_take(struct db *db, const char *stmt, const struct session_row *session,
                    const struct claim_limits *limits, wall_us now, enum side_kind kind, struct lease_list *leases,
                    struct err *e) MUST_CHECK;
/* What the lease (id, attempt, session) is about, as stmt tells it: 1, or 0 when it is not this session's any more.
 */
int side_lease_held(struct db *db, const char *stmt, const char *id, uint32_t attempt, const char *session,
                    struct db_rows *out, struct err *e) MUST_CHECK;

#endif
