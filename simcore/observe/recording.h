/* simcore/observe/recording.h: a launch over time: what happened in each interval of so many SM cycles.
 *
 * A table of whole numbers: a row an interval, a column a quantity (of the GPU, or of each SM, slice or channel).
 * When a launch outgrows ROWS_MAX rows, pairs of rows are added up and the interval doubles, so that memory is
 * bounded whatever the length. Something that lasts is spread over the intervals it covers; nothing is lost, so a
 * column's sum is the counter of the same name. Shares, rates and watts are worked out when it is read. */
#ifndef VIVACE_SIMCORE_OBSERVE_RECORDING_H
#define VIVACE_SIMCORE_OBSERVE_RECORDING_H

#include "simcore/observe/observer.h"

enum { RECORDING_ROWS_MAX = 4096, RECORDING_INTERVAL_DEFAULT = 500, RECORDING_LANE_CLASSES = 9 };

enum recorded_of { OF_GPU, OF_SM, OF_SLICE, OF_CHANNEL };
/* id, name, unit, of what, sentence */
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
    X(CTA_CYCLES, "cta_cycles", "cycles", OF_GPU, "lives of the CTAs that ended, each as long as its last warp's") \
    X(L1, "l1", "", OF_GPU, NULL) /* OBSERVED_L1_COUNT columns */                                                  \
    X(L2_READ, "l2_read_sectors", "sectors", OF_GPU, "sectors that reads asked of L2")                             \
    X(L2_WRITE, "l2_write_sectors", "sectors", OF_GPU, "sectors written to L2")                                    \
    X(L2_ATOMIC, "l2_atomic_sectors", "sectors", OF_GPU, "sectors that atomics changed in L2")                     \
    X(L2_MISS, "l2_read_miss_sectors", "sectors", OF_GPU, "sectors that reads made L2 fetch from DRAM")            \
    X(NOC_REQUEST, "noc_request_bytes", "bytes", OF_GPU, "from SMs to L2, headers included")                       \
    X(NOC_REPLY, "noc_reply_bytes", "bytes", OF_GPU, "from L2 to SMs, headers included")                           \
    X(ANSWERS, "answers", "requests", OF_GPU, "reads and atomics that came back")                                  \
    X(ANSWER_PS, "answer_ps", "ps", OF_GPU, "how long these were away from their SMs, together")                   \
    X(SM_ISSUED, "sm_warp_instructions", "instructions", OF_SM, "warp instructions of each SM")                    \
    X(SLICE, "slice_sectors", "sectors", OF_SLICE, "sectors asked of each slice of L2")                            \
    X(DRAM_READ, "channel_read_sectors", "sectors", OF_CHANNEL, "sectors read from each DRAM channel")             \
    X(DRAM_WRITE, "channel_write_sectors", "sectors", OF_CHANNEL, "sectors written to each DRAM channel")          \
    X(DRAM_PENDING, "channel_pending_ps", "ps", OF_CHANNEL, "time with at least one request in the channel")
enum recorded {
#define X(id, name, unit, of, sentence) REC_##id,
    RECORDED(X)
#undef X
        RECORDED_COUNT
};

/* One column or several of the same kind, side by side in a row. */
struct recorded_column {
    char name[40];
    const char *unit, *sentence;
    enum recorded_of of;
    uint32_t first, count; /* numbers of a row */
};
enum {
    RECORDED_COLUMNS_MAX = RECORDED_COUNT + SLOT_REASON_COUNT + MIX_COUNT + OBSERVED_L1_COUNT + POWER_PART_COUNT
};

struct recording_about { /* what the numbers are read with */
    char design[64], design_sha256[SHA256_HEX], kernel[512];
    uint64_t kernel_id;
    uint32_t sm_khz;
    uint64_t dram_mbs, noc_request_mbs, noc_reply_mbs; /* at peak, of the whole GPU */
};

/* Issued instructions are not put down one by one: the launch's own counters tell what was issued between two looks
 * at them. One look when the time leaves a row, and for `issued` when another SM goes on. */
struct recorded_issue {
    uint64_t from, to;            /* the row in which the last instruction was issued, in cycles */
    const struct counters *count; /* of its launch; NULL: none yet */
    uint32_t sm;
    uint64_t sm_issued;               /* slots_issued when this SM began */
    uint64_t idle[SLOT_REASON_COUNT]; /* these and the next: the counters when the row began; idle: with what lies
                                         in earlier rows */
    uint64_t issued, lanes[MIX_COUNT], tensor, l1[OBSERVED_L1_COUNT];
    uint64_t lane_class[RECORDING_LANE_CLASSES]; /* since the row began, of those without all lanes */
};

struct recording {
    struct recording_about about;
    struct clock_domain clock;
    uint32_t interval_cycles;
    uint64_t cycles; /* of the launch, once it is over; `rows` covers them */
    uint32_t width, rows, row_capacity;
    uint32_t at[RECORDED_COUNT]; /* where in a row each kind begins */
    uint64_t *cell;              /* row by row */
    uint64_t *channel_until;     /* ps until which the time of each channel is in the account of pending time */
    uint64_t *last; /* the row of the moment before, and what it covers: most moments fall there, too */
    uint64_t last_from, last_to;
    struct recorded_issue issue;
    bool failed; /* out of memory: said at the end */
    char *texts; /* of a recording that was read: units and sentences lie in here */
    size_t column_count;
    struct recorded_column column[RECORDED_COLUMNS_MAX];
};

/* `k`: the launch, for its name; interval_cycles: at least 1. NULL when memory ran out. */
struct recording *recording_new(const struct gpu_design *d, const struct kernel_info *k, uint32_t interval_cycles,
                                struct err *e);
/* The launch is over after so many cycles: SMs that are still active are taken into account, what lies behind the
 * end goes into the last row, and slots without another reason are empty ones. Call before sm_finish(). */
int recording_end(struct recording *r, const struct sm *sms, const struct gpu_design *d, uint64_t cycles,
                  struct err *e);
/* What column `c` (of several, the `index`th) has in a row, and in all. */
uint64_t recording_value(const struct recording *r, uint32_t row, const struct recorded_column *c, uint32_t index);
uint64_t recording_sum(const struct recording *r, const struct recorded_column *c, uint32_t index);
const struct recorded_column *recording_column(const struct recording *r, const char *name); /* or NULL */

/* A recording whose columns have been added, and room for its rows, all zero (recording_file.c). */
void recording_add_column(struct recording *r, const char *name, const char *unit, const char *sentence,
                          enum recorded_of of, uint32_t count);

/* All columns of a simulation on this design (recording_columns.c). */
void recording_lay_out(struct recording *r, const struct gpu_design *d);

/* --- for observer.c --- */
void recording_issue(struct recording *r, const struct sm *sm, uint32_t slot, uint32_t t);
void recording_exit(struct recording *r, const struct sm *sm, const struct warp *w, uint32_t t, bool cta_over);
void recording_stage(struct recording *r, const struct mem_request *q, const struct mem_step *step);

#endif
