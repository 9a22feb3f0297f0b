/* simcore/mem/memory.h: the memory from an L1 miss to DRAM and back, in one call.
 *
 * Reserve mode: when a request is sent, it passes request port, network, slice, DRAM, slice, network and reply port
 * at once. It reserves bandwidth at each stage for the time at which it will arrive there. So its completion time
 * is known immediately. */
#ifndef VIVACE_SIMCORE_MEM_MEMORY_H
#define VIVACE_SIMCORE_MEM_MEMORY_H

#include "simcore/engine/clock_domain.h"
#include "simcore/mem/dram/dram.h"
#include "simcore/mem/l2.h"
#include "simcore/mem/stage.h"
#include "simcore/mem/tlb.h"

/* MEM_FAR_READ: a request of one L2 partition to the home partition of an address; internal, never sent by an SM.
 */
enum mem_kind { MEM_READ, MEM_WRITE, MEM_ATOMIC, MEM_REDUCTION, MEM_FAR_READ };

/* The address region of local memory, distinct from all recorded addresses: a window for each warp slot of each SM.
 */
#define MEM_LOCAL_REGION (1ull << 62)
enum { MEM_LOCAL_WINDOW_SHIFT = 29 };

struct mem_request { /* at most one line */
    uint64_t line;   /* number of the 128-byte line */
    uint8_t sectors; /* mask */
    uint8_t full;    /* writes: sectors of which every byte is written */
    uint8_t kind;    /* enum mem_kind */
    uint8_t lanes;   /* atomics: lanes on the busiest word */
    uint16_t sm;
    bool ahead;       /* event mode: sent before its time; other requests of the SM have priority until then */
    sim_time_ps made; /* when it left the SM; only for reports (stage.h) */
    uint32_t watch;   /* number under which the observer follows it; 0: not observed */
};

/* Requests of one SM and one kind, each for a different line: those of one instruction. The arrays are indexed by
 * line, in the order of the instruction. `which` lists the requests in the order in which they are sent. */
enum { MEM_BATCH_MAX = ADDRESS_PLACES_MAX };
struct mem_batch {
    const uint64_t *line; /* owned by the caller: line numbers, with capacity for a multiple of ADDRESS_LANES */
    const uint8_t *full;  /* owned by the caller: as in mem_request; only for writes */
    const uint32_t *mark; /* owned by the caller: tag_mark() of each line */
    uint32_t count;
    uint16_t sm;
    uint8_t kind;
    uint8_t which[MEM_BATCH_MAX];
    uint8_t ask[MEM_BATCH_MAX], lanes[MEM_BATCH_MAX]; /* masks of sectors; lanes as in mem_request */
    sim_time_ps made[MEM_BATCH_MAX];                  /* when it leaves L1 */
    sim_time_ps back[MEM_BATCH_MAX]; /* set by memory_access_batch(): the result that memory_access() returns */
    struct address_places home;      /* set by memory_place() */
    uint32_t watch[MEM_BATCH_MAX];   /* only if observed */
};

static inline void mem_batch_begin(struct mem_batch *b, const uint64_t line[], const uint8_t full[],
                                   const uint32_t mark[], uint32_t sm, enum mem_kind kind)
{
    b->line = line;
    b->full = full;
    b->mark = mark;
    b->count = 0;
    b->sm = (uint16_t)sm;
    b->kind = (uint8_t)kind;
}
/* Adds a request for some sectors of line i. */
static inline void mem_batch_add(struct mem_batch *b, uint32_t i, uint8_t sectors, uint32_t lanes, sim_time_ps made)
{
    b->which[b->count++] = (uint8_t)i;
    b->ask[i] = sectors;
    b->lanes[i] = (uint8_t)lanes;
    b->made[i] = made;
}

/* The request for line i as a struct mem_request. */
static inline __attribute__((always_inline)) struct mem_request mem_batch_request(const struct mem_batch *b,
                                                                                  uint32_t i)
{
    return (struct mem_request){.line = b->line[i],
                                .sectors = b->ask[i],
                                .full = b->full[i],
                                .kind = b->kind,
                                .lanes = b->lanes[i],
                                .sm = b->sm,
                                .made = b->made[i],
                                .watch = b->watch[i]};
}

struct mem_counters {
    uint64_t read_requests, write_requests, atomic_requests;
    uint64_t read_sectors, write_sectors, atomic_sectors;
    uint64_t read_hit_sectors, read_miss_sectors; /* their sum is read_sectors; hits include sectors in flight */
    uint64_t far_requests, far_sectors;           /* traffic between the partitions */
    uint64_t writebacks, request_bytes, reply_bytes;
    struct tlb_counters tlb; /* if the TLB is modelled */
};

struct memory; /* opaque */
/* path_analytic/memory_new.c: with cold caches, and latencies end to end as the design has them. */
struct memory *memory_new(const struct gpu_design *d, struct err *e);
void memory_free(struct memory *m);
/* From now on, reports each stage of each request (stage.h) to the observer; NULL: no observer. */
void memory_observe(struct memory *m, struct observer *o);
/* Resets for a new kernel at time 0 with cold caches. */
void memory_begin(struct memory *m);
/* Sends the request at t (>= now, the engine's time). Returns when the last sector arrives at the SM; for writes
 * and reductions, when the slice has accepted it and the SM can free its entry. */
sim_time_ps memory_access(struct memory *m, const struct mem_request *r, sim_time_ps now, sim_time_ps t);
/* Finds the L2 locations of these lines and prefetches, on the host, the data that their requests use. `line` needs
 * capacity for a multiple of ADDRESS_LANES. */
void memory_place(const struct memory *m, const uint64_t line[], uint32_t n, struct address_places *home);
/* Call some time later for many lines, with their marks: prefetches the L2 lines themselves. */
void memory_fetch_lines(const struct memory *m, const uint32_t mark[], uint32_t n,
                        const struct address_places *home);
/* Sends requests `first` to `end` - 1 of a batch in order. Their homes must be known. */
void memory_access_batch(struct memory *m, struct mem_batch *b, uint32_t first, uint32_t end, sim_time_ps now);
/* The minimum time from sending until a request of this SM is accepted or answered. */
sim_time_ps memory_least_ps(const struct memory *m, uint32_t sm);
const struct mem_counters *memory_counters(struct memory *m);
const struct dram_counters *memory_dram_counters(const struct memory *m);
/* Saves the state, or loads it after memory_begin(); reserve mode (memory_state.c). */
void memory_state(struct memory *m, struct state_io *io);
/* Busy time of all channels' data buses together, since begin. */
uint64_t memory_dram_busy_ps(const struct memory *m);

#endif
