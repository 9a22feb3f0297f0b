/* simcore/mem/tlb.h: translation of virtual to physical addresses on the way to L2 ("model.tlb": "on").
 *
 *
 * L1 is virtually tagged, so only requests behind it are translated: by the TLB of the SM (a few pages), the TLB of
 * the GPC, the TLB of the GPU (an entry covers several neighbouring pages), or a page walk. A hit in the SM's TLB
 * takes no time. A walk reads one page table entry, and also the directories above it if they are not in the walk
 * cache. The number of concurrent walks is limited. A request for a page that is already being fetched waits for
 * it.
 *
 *
 * All levels are reserved when a request is sent, in both modes of the memory path. Lookups are assumed to be
 * pipelined, because no limit has been published. Structure: Zhang et al., CCS 2023, and Jia et al., arXiv
 * 1804.06826; directories: NVIDIA's published page table format (Pascal MMU). */
#ifndef VIVACE_SIMCORE_MEM_TLB_H
#define VIVACE_SIMCORE_MEM_TLB_H

#include "simcore/design.h"
#include "simcore/engine/event_queue.h"
#include "simcore/engine/state_io.h"

/* Requests behind L1, by the level that had the page or was already fetching it; each request counts once.
 * directory_misses: walks that had to read directories first. */
struct tlb_counters {
    uint64_t sm_hits, gpc_hits, gpu_hits, walks, directory_misses;
};

struct tlb_entry {
    uint64_t key;      /* a page, a group of pages, or a directory; all ones: empty */
    sim_time_ps ready; /* when the translation is available */
};
/* Groups of `ways` entries, newest first. */
struct tlb_cache {
    uint32_t groups, ways;
    struct tlb_entry *entry;
};

struct tlb {
    /* groups: sm: one for each SM; gpc: one for each GPC; gpu: one for each set of the GPU's TLB; directory: one */
    struct tlb_cache sm, gpc, gpu, directory;
    uint32_t gpcs, walks;
    /* page_shift: from line to page number; the others: from page number to the number of an entry */
    uint32_t page_shift, gpu_shift, directory_shift;
    uint32_t gpu_set_bits;
    uint32_t gpc_ps, gpu_ps, walk_ps, directory_ps;
    sim_time_ps *walk_free; /* when each walker is free */
};

/* NULL with *e filled: out of memory. */
struct tlb *tlb_new(const struct gpu_design *d, struct err *e);
void tlb_free(struct tlb *t);
void tlb_begin(struct tlb *t);  /* empties all levels */
void tlb_settle(struct tlb *t); /* all pending fetches have completed */
/* Saves the state, or loads it after tlb_begin(). */
void tlb_state(struct tlb *t, struct state_io *io);
/* SM `sm` requests a line at t. Returns when its address is translated (>= t). */
sim_time_ps tlb_translate(struct tlb *tlb, struct tlb_counters *count, uint32_t sm, uint64_t line, sim_time_ps t);

#endif
