/* simcore/observe/recorder.h: writes a recording (simcore/record/recording.h) during the simulation of a launch.
 *
 * If a launch exceeds RECORDER_ROWS_MAX rows or RECORDER_CELLS_MAX numbers, adjacent rows are added in pairs and
 * the interval doubles, so memory is bounded. An activity with a duration is spread over the intervals that it
 * covers. Nothing is lost: the sum of a column equals the counter of the same name. */
#ifndef VIVACE_SIMCORE_OBSERVE_RECORDER_H
#define VIVACE_SIMCORE_OBSERVE_RECORDER_H

#include "simcore/observe/observer.h"
#include "simcore/record/recording.h"

/* SIM_RECORD_AUTO begins with short intervals and ends with at most this number of rows: two per pixel of a chart.
 */
enum { RECORDER_ROWS_MAX = RECORDING_ROWS_MAX, RECORDER_AUTO_ROWS = 2048, RECORDER_AUTO_CYCLES = 32 };
/* Limits the number of rows if a row is wide (each bank of a large GPU), so that 64 MiB are enough. */
enum { RECORDER_CELLS_MAX = 1 << 23 };
enum { RECORDER_LANE_CLASSES = 9 };

/* id, name, unit, owner (SM, slice, ...), sentence */
#define RECORDED(X)                                                                                                \
    X(LANES_0, "warp_instructions_0", "instructions", OF_GPU, "warp instructions without an active lane")          \
    X(LANES_4, "warp_instructions_1_4", "instructions", OF_GPU, "warp instructions of 1 to 4 active lanes")        \
    X(LANES_8, "warp_instructions_5_8", "instructions", OF_GPU, "the same of 5 to 8")                              \
    X(LANES_12, "warp_instructions_9_12", "instructions", OF_GPU, "the same of 9 to 12")                           \
    X(LANES_16, "warp_instructions_13_16", "instructions", OF_GPU, "the same of 13 to 16")                         \
    X(LANES_20, "warp_instructions_17_20", "instructions", OF_GPU, "the same of 17 to 20")                         \
    X(LANES_24, "warp_instructions_21_24", "instructions", OF_GPU, "the same of 21 to 24")                         \
    X(LANES_28, "warp_instructions_25_28", "instructions", OF_GPU, "the same of 25 to 28")                         \
    X(LANES_32, "warp_instructions_29_32", "instructions", OF_GPU, "the same of 29 to 32")                         \
    X(IDLE, "slots", "slots", OF_GPU, NULL)                        /* SLOT_REASON_COUNT columns */                 \
    X(LANE_MIX, "lane_instructions", "instructions", OF_GPU, NULL) /* MIX_COUNT columns */                         \
    X(TENSOR, "tensor_cycles", "cycles", OF_GPU, "cycles for which tensor units of sub-cores were kept busy")      \
    X(WARP_CYCLES, "warp_cycles", "warp cycles", OF_GPU, "sum over warps of cycles from start to exit")            \
    X(SM_CYCLES, "sm_active_cycles", "cycles", OF_GPU, "sum over SMs of cycles with a resident CTA")               \
    X(ENERGY, "energy", "fJ", OF_GPU, NULL) /* POWER_PART_COUNT columns */                                         \
    X(CTAS, "ctas", "CTAs", OF_GPU, "CTAs that ended")                                                             \
    X(CTA_CYCLES, "cta_cycles", "cycles", OF_GPU,                                                                  \
      "lifetimes of the CTAs that ended, until the exit of their last warp")                                       \
    X(L1, "l1", "", OF_GPU, NULL) /* OBSERVED_L1_COUNT columns */                                                  \
    X(L2_READ, "l2_read_sectors", "sectors", OF_GPU, "sectors that reads requested from L2")                       \
    X(L2_WRITE, "l2_write_sectors", "sectors", OF_GPU, "sectors written to L2")                                    \
    X(L2_ATOMIC, "l2_atomic_sectors", "sectors", OF_GPU, "sectors that atomics changed in L2")                     \
    X(L2_MISS, "l2_read_miss_sectors", "sectors", OF_GPU, "of the requested sectors, those fetched from DRAM")     \
    X(NOC_REQUEST, "noc_request_bytes", "bytes", OF_GPU, "from SMs to L2, headers included")                       \
    X(NOC_REPLY, "noc_reply_bytes", "bytes", OF_GPU, "from L2 to SMs, headers included")                           \
    X(ANSWERS, "answers", "requests", OF_GPU, "completed reads and atomics")                                       \
    X(ANSWER_PS, "answer_ps", "ps", OF_GPU, "sum of the times from request to completion of these")                \
    X(SM_ISSUED, "sm_warp_instructions", "instructions", OF_SM, "warp instructions of each SM")                    \
    X(SLICE, "slice_sectors", "sectors", OF_SLICE, "sectors requested from each slice of L2")                      \
    X(DRAM_READ, "channel_read_sectors", "sectors", OF_CHANNEL, "sectors read from each DRAM channel")             \
    X(DRAM_WRITE, "channel_write_sectors", "sectors", OF_CHANNEL, "sectors written to each DRAM channel")          \
    X(DRAM_PENDING, "channel_pending_ps", "ps", OF_CHANNEL, "time with at least one request in the channel")       \
    X(BANK_MOVED, "bank_sectors", "sectors", OF_BANK, "sectors read from and written to each bank")                \
    X(BANK_PENDING, "bank_pending_ps", "ps", OF_BANK, "time with at least one access to the bank in progress")
enum recorded {
#define X(id, name, unit, of, sentence) REC_##id,
    RECORDED(X)
#undef X
        RECORDED_COUNT
};

/* Issued instructions are not recorded one by one. They are the difference of the launch's counters between two
 * reads. The counters are read at the end of a row, and `issued` also when another SM continues. */
struct recorded_issue {
    uint64_t from, to;            /* the row of the last issued instruction, in cycles */
    const struct counters *count; /* counters of its launch; NULL: none yet */
    uint32_t sm;
    uint64_t sm_issued; /* slots_issued when this SM became the current one */
    /* these and the next members: counters at the begin of the row; idle: includes those of earlier rows */
    uint64_t idle[SLOT_REASON_COUNT];
    uint64_t issued, lanes[MIX_COUNT], tensor, l1[OBSERVED_L1_COUNT];
    /* counts since the begin of the row, for instructions without all lanes */
    uint64_t lane_class[RECORDER_LANE_CLASSES];
};

struct recorder {
    struct recording *out;
    struct clock_domain clock;
    uint32_t rows_max, rows_at_end; /* maximum during the run, and at the end */
    uint32_t row_capacity;
    uint32_t at[RECORDED_COUNT]; /* index in a row at which each kind begins */
    uint64_t *channel_until;     /* for each channel: ps up to which its pending time has been added */
    uint64_t *bank_until; /* as channel_until, for each bank, channel by channel; NULL: banks are not modelled */
    uint32_t banks;       /* per channel */
    uint64_t *last;       /* the row that was used last, and its cycles; most accesses are to the same row */
    uint64_t last_from, last_to;
    struct recorded_issue issue;
    bool failed; /* out of memory: reported at the end */
};

/* `k`: the launch, for its name. interval_cycles: at least 1, or SIM_RECORD_AUTO. NULL: out of memory. */
struct recorder *recorder_new(const struct gpu_design *d, const struct kernel_info *k, uint32_t interval_cycles,
                              struct err *e);
void recorder_free(struct recorder *r);
/* Ends the recording after this number of cycles. SMs that are still active are accounted, activity after the end
 * goes into the last row, and slots without another reason become empty ones. Call before sm_finish(). The caller
 * owns *out; the recorder is empty afterwards. */
int recorder_end(struct recorder *r, const struct sm *sms, const struct gpu_design *d, uint64_t cycles,
                 struct recording **out, struct err *e);

/* In recorder_columns.c: whether banks are modelled on this design, and whether they fit into a column. */
bool recorder_knows_banks(const struct gpu_design *d);
/* Adds all columns of a simulation of this design. */
void recorder_lay_out(struct recorder *r, const struct gpu_design *d);

/* --- called by observer.c --- */
void recorder_issue(struct recorder *r, const struct sm *sm, uint32_t slot, uint32_t t);
void recorder_exit(struct recorder *r, const struct sm *sm, const struct warp *w, uint32_t t, bool cta_over);
void recorder_stage(struct recorder *r, const struct mem_request *q, const struct mem_step *step);
void recorder_bank_moved(struct recorder *r, uint32_t channel, uint32_t bank, uint32_t sectors, sim_time_ps at);
void recorder_bank_pending(struct recorder *r, uint32_t channel, uint32_t bank, sim_time_ps from, sim_time_ps to);

#endif
