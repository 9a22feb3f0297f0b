/* simcore/mem/tlb.h: virtual addresses become physical ones on the way to L2 ("model.tlb": "on").
 *
 * L1 is virtually tagged, so only what goes behind it is translated: by the few pages its SM knows, by those its
 * GPC knows, by those the GPU knows (entries of several neighbouring pages), or by a walk through the page tables.
 * What an SM knows costs nothing. A walk reads one entry, and the directories above it where the walk cache has not
 * got them; this number of walks can be under way at once. A request for a page that is already being fetched waits
 * for that.
 *
 * All levels are reserved at the moment a request is made, in both modes of the memory path. Looking up is taken to
 * be pipelined: no limit of it has been published. Structure: Zhang et al., CCS 2023, and Jia et al., arXiv
 * 1804.06826; directories: NVIDIA's published page table format (Pascal MMU). */
#ifndef VIVACE_SIMCORE_MEM_TLB_H
#define VIVACE_SIMCORE_MEM_TLB_H

#include "simcore/design.h"
#include "simcore/engine/event_queue.h"
#include "simcore/engine/state_io.h"

/* Requests behind L1, by who knew their page or had already asked for it: they add up. directory_misses: of the
 * walks, those that had to read directories first. */
struct tlb_counters {
    uint64_t sm_hits, gpc_hits, gpu_hits, walks, directory_misses;
};

struct tlb_entry {
    uint64_t key;      /* a page, or several, or a directory; all ones: nothing */
    sim_time_ps ready; /* when it is there */
};
/* Groups of `ways` entries, the newest first. */
struct tlb_cache {
    uint32_t groups, ways;
    struct tlb_entry *entry;
};

struct tlb {
    struct tlb_cache sm, gpc, gpu, directory; /* a group for each SM, GPC, set; one */
    uint32_t gpcs, walks;
    uint32_t page_shift, gpu_shift, directory_shift; /* from lines to pages; from pages on */
    uint32_t gpu_set_bits;
    uint32_t gpc_ps, gpu_ps, walk_ps, directory_ps;
    sim_time_ps *walk_free; /* when each of the walkers is */
};

/* NULL with an error where memory ran out. */
struct tlb *tlb_new(const struct gpu_design *d, struct err *e);
void tlb_free(struct tlb *t);
void tlb_begin(struct tlb *t);  /* nothing is known, nothing under way */
void tlb_settle(struct tlb *t); /* what was under way has arrived long ago */
/* Saves it, or loads it into one that has just begun. */
void tlb_state(struct tlb *t, struct state_io *io);
/* SM `sm` asks for a line at t; returns when its address is translated (>= t). */
sim_time_ps tlb_translate(struct tlb *tlb, struct tlb_counters *count, uint32_t sm, uint64_t line, sim_time_ps t);

#endif
