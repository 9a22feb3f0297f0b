/* worker/agent_internal.h: declarations shared by the files of the agent: agent.c (start, end, session, claim,
 * heartbeat), jobs.c (held leases, fetching), packs.c (queued jobs -> processes), outcomes.c (ended jobs -> spool),
 * report.c (spool -> server), recordings.c (recordings of results -> server).
 *
 *   claim -> FETCHING -> QUEUED -> RUNNING -> outcome -> spool -> reported
 *            (blobs)     (a slot)  (vivace-sim)           (file)                    replay: outcome at once
 */
#ifndef VIVACE_WORKER_AGENT_INTERNAL_H
#define VIVACE_WORKER_AGENT_INTERNAL_H

#include "worker/agent.h"
#include "worker/fetch.h"
#include "worker/http.h"
#include "worker/sim_process.h"
#include "worker/spool.h"

enum held_state { HELD_FETCHING, HELD_QUEUED, HELD_RUNNING };

/* A file that a simulation reads: it is being downloaded, or it is pinned in a cache. */
enum input_kind { INPUT_DESIGN, INPUT_PROGRAM, INPUT_TRACE, INPUT_KINDS };
struct held_input {
    struct held *held;
    bool wanted; /* the job needs this file: only launches of a program need a program */
    struct fetch_wait *wait;
    struct cache_entry *entry;
};

/* A lease that has no outcome yet. */
struct held {
    struct held *next, **at; /* `at`: the pointer that points here */
    struct agent *agent;
    struct lease lease;
    enum held_state state;
    bool aborted; /* the server has cancelled the attempt */
    uint64_t claimed_us;
    uint64_t cycles, warp_instructions;
    struct held_input inputs[INPUT_KINDS];
    struct sim_process *process;
};

/* A slot in use. */
struct running_sim {
    struct running_sim *next;
    struct agent *agent;
    struct sim_process *process;
};

enum agent_phase {
    PHASE_WORKING,
    PHASE_DRAINING,  /* no claims; running jobs may finish */
    PHASE_RELEASING, /* all leases are returned; the last report is in flight */
    PHASE_OVER
};

struct backoff {
    unsigned failures;
    uint64_t until_us; /* monotonic */
};

struct agent {
    uv_loop_t *loop;
    const struct agent_options *o;
    int lock; /* descriptor of the locked state folder */
    enum agent_phase phase;
    uint64_t phase_ends_us;
    struct http *http;
    struct cache *traces, *designs;
    struct fetcher *trace_fetcher, *design_fetcher;
    struct spool *spool;

    bool has_session;
    struct session_answer session;
    struct http_request *opening, *claiming, *beating, *reporting;
    struct backoff open_again, claim_again, report_again;
    uv_timer_t tick, beat;
    uint64_t idle_since_us, disk_checked_us;
    uint64_t token_ends_us,
        ending_reported_us; /* token_ends_us 0: the token does not expire; ending_reported_us 0: not reported yet */
    uint64_t refused_since_us; /* the server has refused the token since this time; 0: the server accepts it */
    bool disk_low, ever_opened, server_away_reported, farewell;

    struct held *held;
    struct held **held_end;
    size_t held_count, waiting_count; /* waiting: fetching or queued */
    struct running_sim *sims;
    uint32_t busy;
    double mean_job_s; /* moving average over finished simulations; 0: none yet */
    uint64_t jobs_ok, jobs_failed;

    struct recording_waiting *recordings; /* not delivered yet; the first may be in flight */
    struct http_request *sending_recording;
    struct backoff recording_again;

    struct err fatal; /* the error that ended the worker */
};

/* agent.c */
void agent_pump(struct agent *a); /* starts all work that can start now; cheap, called after each event */
uint64_t backoff_next(struct backoff *b, unsigned retry_after_s); /* sets until_us; returns the pause in us */
void agent_session_lost(struct agent *a);

/* jobs.c */
void jobs_take(struct agent *a, const struct lease *lease);
void jobs_abort(struct agent *a, const struct attempt_id *id);
void jobs_release_waiting(struct agent *a, uint64_t older_than_us);
void jobs_release_all(struct agent *a); /* also kills running jobs */
void jobs_forget_all(struct agent *a);
int jobs_heartbeat(const struct agent *a, struct heartbeat_request *out, struct err *e);
void held_set_state(struct held *h, enum held_state state);
/* Writes the file's path in the cache to `out` (PATH_MAX bytes). NULL where the job has no such file. */
const char *held_input_path(const struct held *h, enum input_kind kind, char *out);
void held_forget(struct held *h); /* frees it */

/* packs.c */
void jobs_dispatch(struct agent *a); /* fills the free slots */

/* outcomes.c. Each of these functions ends a job and frees *h. */
/* Outcomes without a simulation: fetch, disk, released. They are kept in memory only: their loss costs no result.
 */
void held_end_plainly(struct held *h, enum attempt_outcome outcome, const char *message);
void held_end_replay(struct held *h);
void held_end_simulated(struct held *h, const struct sim_end *end);
/* The file that the simulation writes; out: PATH_MAX bytes. */
void held_result_path(const struct held *h, char *out);
void held_record_path(const struct held *h, char *out);

/* report.c */
void report_pump(struct agent *a);

/* recordings.c: leases with `record`. path: the file that the simulator wrote; it is read when the outcome is ok.
 */
void recordings_end(struct agent *a, const struct lease *lease, enum attempt_outcome outcome, const char *message,
                    const char *path);
void recordings_pump(struct agent *a);
void recordings_forget_all(struct agent *a);

#endif
