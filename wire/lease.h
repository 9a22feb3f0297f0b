/* wire/lease.h: the messages between workers and the server (api/workers.json) as C structs.
 *
 *   session -> claim (long poll) -> leases;  heartbeat -> jobs to abort;  complete -> accepted or not
 *
 * Each message has S_to_json (returns a new reference; NULL: out of memory), S_from_json (checks everything; -1
 * and the error names the member) and, if it owns memory, S_release. Unknown members are an error in requests.
 * They are ignored in answers, so that newer servers can add members. */
#ifndef VIVACE_WIRE_LEASE_H
#define VIVACE_WIRE_LEASE_H

#include "base/clock.h"
#include "wire/result.h"

#define WIRE_ID               64 /* ids in the API; UUIDs now, but callers must not rely on the form */
#define WIRE_SLOTS_MAX        4096
#define WIRE_WAIT_S_MAX       25    /* longest wait of a long poll */
#define WIRE_PACK_MAX         32    /* maximum of leases per slot */
#define WIRE_LEASES_MAX       32768 /* maximum of leases per message */
#define WIRE_MESSAGE_BYTES    4096
#define WIRE_LAST_LINES_BYTES 65536 /* bytes of stderr kept per attempt */

enum job_engine { ENGINE_CYCLE, ENGINE_REPLAY, ENGINE_COUNT };
const char *job_engine_name(enum job_engine engine);
int job_engine_from_name(const char *name, enum job_engine *out); /* -1: unknown name */

/* How an attempt ended, and the retry budget that it uses. PERMANENT: none, the job fails at once. */
#define OUTCOME_MAP(X)                                                                                             \
    X(OK, "ok", NONE)                                                                                              \
    X(BAD_INPUT, "bad_input", PERMANENT)                                                                           \
    X(UNSUPPORTED, "unsupported", PERMANENT)                                                                       \
    X(MISMATCH, "mismatch", PERMANENT)                                                                             \
    X(DEADLOCK, "deadlock", PERMANENT)                                                                             \
    X(LIMIT_CYCLES, "limit_cycles", PERMANENT)                                                                     \
    X(CRASH, "crash", FAILURES)                                                                                    \
    X(SANDBOX, "sandbox", FAILURES)                                                                                \
    X(MEMORY, "memory", FAILURES)                                                                                  \
    X(TIMEOUT, "timeout", FAILURES)                                                                                \
    X(FETCH, "fetch", TROUBLES)                                                                                    \
    X(DISK, "disk", TROUBLES)                                                                                      \
    X(RELEASED, "released", NONE)
enum attempt_outcome {
#define X(name, text, budget) OUTCOME_##name,
    OUTCOME_MAP(X)
#undef X
        OUTCOME_COUNT
};
enum outcome_budget { BUDGET_NONE, BUDGET_PERMANENT, BUDGET_FAILURES, BUDGET_TROUBLES };
const char *attempt_outcome_name(enum attempt_outcome outcome);
int attempt_outcome_from_name(const char *name, enum attempt_outcome *out);
enum outcome_budget attempt_outcome_budget(enum attempt_outcome outcome);

/* POST /worker/sessions */
struct session_request {
    char name[WIRE_NAME], host[WIRE_NAME];
    char version[WIRE_VERSION], simulator[WIRE_VERSION];
    uint32_t slots;
    bool engines[ENGINE_COUNT];
    char sandbox[16];       /* base/sandbox.h: "none", "rlimit", "landlock", "seccomp", "full" */
    char replaces[WIRE_ID]; /* the session of this worker before its restart; "": none */
};
json_t *session_request_to_json(const struct session_request *r);
int session_request_from_json(const json_t *v, struct session_request *out, struct err *e);
struct session_answer {
    char session[WIRE_ID];
    char farm[WIRE_ID]; /* never changes; "": the server did not send it */
    uint32_t heartbeat_s, dead_after_s;
    bool token_ends;       /* the token of the request expires */
    uint64_t token_left_s; /* seconds until then */
};
json_t *session_answer_to_json(const struct session_answer *a);
int session_answer_from_json(const json_t *v, struct session_answer *out, struct err *e);

/* POST /worker/claim */
struct claim_request {
    char session[WIRE_ID];
    uint32_t slots, wait_s;
    uint32_t pack; /* leases per slot when jobs are short; 0: the server chooses */
};
json_t *claim_request_to_json(const struct claim_request *r);
int claim_request_from_json(const json_t *v, struct claim_request *out, struct err *e);

struct lease_limits {
    uint64_t time_s, memory_bytes, cycles; /* limits; 0: no limit */
};
/* One job for one worker. All later messages name (job, attempt), which is the fence. */
struct lease {
    char job[WIRE_ID];
    uint32_t attempt; /* from 1 */
    enum job_engine engine;
    uint64_t launch;
    char trace_sha256[SHA256_HEX]; /* engine cycle; "" otherwise */
    uint64_t trace_bytes;
    char program_sha256[SHA256_HEX]; /* engine cycle: the program of the launch; "" otherwise */
    uint64_t program_bytes;
    char design_sha256[SHA256_HEX];
    char design_name[WIRE_NAME];
    uint64_t replay_value; /* engine replay */
    enum profile_unit replay_unit;
    struct lease_limits limits;
    bool record; /* not a job: simulate the result `job` again for its time series, then report as in
                    wire/recording_report.h */
    bool warmed; /* with `record`: the trace also has the launches before it, which fill the caches; `job` is the id
                    of the cache check (server/store/repo/repo_caches.h) */
    double inside_kernels;  /* limit on the half-width when projected inside the launch; 0: no projection */
    bool allow_foreign_isa; /* simulate also instructions that the design's GPU does not have */
    char deadline_at[CLOCK_RFC3339]; /* for users; the worker measures time_s with its own monotonic clock */
};
json_t *lease_to_json(const struct lease *l);
int lease_from_json(const json_t *v, struct lease *out, struct err *e);
struct lease_list {
    size_t count;
    struct lease *items;
};
json_t *lease_list_to_json(const struct lease_list *l);
int lease_list_from_json(const json_t *v, struct lease_list *out, struct err *e);
void lease_list_release(struct lease_list *l);

/* POST /worker/heartbeat */
struct attempt_id {
    char job[WIRE_ID];
    uint32_t attempt;
};
struct running_attempt {
    struct attempt_id id;
    uint64_t cycles, warp_instructions; /* until now */
};
struct heartbeat_request {
    char session[WIRE_ID];
    size_t count;
    struct running_attempt *running;
    bool ending; /* the last heartbeat: it ends the session */
};
json_t *heartbeat_request_to_json(const struct heartbeat_request *r);
int heartbeat_request_from_json(const json_t *v, struct heartbeat_request *out, struct err *e);
void heartbeat_request_release(struct heartbeat_request *r);
struct heartbeat_answer {
    size_t count;
    struct attempt_id *abort;
    uint32_t heartbeat_s;
};
json_t *heartbeat_answer_to_json(const struct heartbeat_answer *a);
int heartbeat_answer_from_json(const json_t *v, struct heartbeat_answer *out, struct err *e);
void heartbeat_answer_release(struct heartbeat_answer *a);

/* POST /worker/complete */
struct job_outcome {
    struct attempt_id id;
    enum attempt_outcome outcome;
    char *message;    /* one sentence; NULL: none */
    char *last_lines; /* last lines of the simulator's stderr; NULL: empty */
    double host_seconds, cpu_seconds;
    uint64_t peak_bytes;
    bool has_result; /* set exactly when the outcome is ok */
    struct result result;
};
void job_outcome_init(struct job_outcome *o);
void job_outcome_release(struct job_outcome *o);
json_t *job_outcome_to_json(const struct job_outcome *o);
int job_outcome_from_json(const json_t *v, struct job_outcome *out, struct err *e);
struct complete_request {
    char session[WIRE_ID];
    size_t count;
    struct job_outcome *outcomes;
    int64_t token; /* not sent; the server sets it: id of the token of the request */
};
json_t *complete_request_to_json(const struct complete_request *r);
int complete_request_from_json(const json_t *v, struct complete_request *out, struct err *e);
void complete_request_release(struct complete_request *r);
/* accepted: the server needs no further report, also when the report was a repeated or late one. The worker
 * deletes its copy in both cases. */
struct complete_item {
    struct attempt_id id;
    bool accepted;
    char reason[WIRE_NAME]; /* "" if accepted without remarks */
};
struct complete_answer {
    size_t count;
    struct complete_item *items;
};
json_t *complete_answer_to_json(const struct complete_answer *a);
int complete_answer_from_json(const json_t *v, struct complete_answer *out, struct err *e);
void complete_answer_release(struct complete_answer *a);

#endif
