/* simcore/sm/coalescer.h: the lanes of one memory instruction -> 128-byte lines with 32-byte sectors, and the
 * number of passes its data needs through the banks. Exact; no state. */
#ifndef VIVACE_SIMCORE_SM_COALESCER_H
#define VIVACE_SIMCORE_SM_COALESCER_H

#include "simcore/mem/address_map.h"
#include "simcore/trace/inst_source.h"

/* An access of up to 16 bytes touches two lines at most; wider ones (up to 128 bytes a lane) too. */
enum { COALESCED_MAX = 2 * WARP_LANES, ACCESS_BYTES_MAX = 128, LANES_AT_ONCE = 8, BANK_BYTES = 4 };

struct coalesced {
    uint32_t count;
    uint64_t line[COALESCED_MAX];   /* numbers */
    uint8_t sectors[COALESCED_MAX]; /* mask of the 32-byte sectors touched */
    uint8_t full[COALESCED_MAX];    /* of those, the ones touched in every byte */
    /* index of the line of each active lane's first byte; and room to write LANES_AT_ONCE from any */
    uint8_t of_lane[WARP_LANES + LANES_AT_ONCE];
};

/* The addresses of all lanes as a list; returns `out`'s entries for lanes in the mask. */
void lanes_expand(const struct lane_addresses *a, uint32_t mask, uint64_t out[WARP_LANES]);
/* Lines in the order in which the lanes first touch them. width: 1 to ACCESS_BYTES_MAX bytes a lane. */
void coalesce(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t width, struct coalesced *out);
/* The same, but `full` stays 0: only stores ask for that. */
void coalesce_sectors(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t width, struct coalesced *out);
/* Are these lanes one gapless run of bytes in lane order, as most accesses are? Then coalesce_run() does for them
 * what coalesce() does, and they pass the banks without conflict. */
bool lanes_form_run(const struct lane_addresses *a, uint32_t mask, uint32_t width);
void coalesce_run(uint64_t base, uint32_t mask, uint32_t width, struct coalesced *out);
/* Passes through 32 banks of 4 bytes: distinct words in the fullest bank, for wide accesses summed over the halves
 * (8 bytes a lane), quarters (16) or smaller groups of the warp. 0 for an empty mask.
 *
 * Two halves, or quarters, go together if all active lanes i and i ^ 1 have one address, or all i and i ^ 2: a
 * broadcast of 16 bytes takes 2 passes, one of 8 bytes 1. Source: NVIDIA's answer in forums.developer.nvidia.com,
 * "Unexpected shared memory bank conflict" (77228), for compute capability 7.0 to 7.5; not known to differ later.
 */
uint32_t bank_passes(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t width);
/* The same by arithmetic, for lanes side by side whose addresses are whole words a stride apart, as most are; 0
 * where it cannot say. */
uint32_t bank_passes_strided(const struct lane_addresses *a, uint32_t mask, uint32_t width);
/* What the same lanes take if no two share an address or a bank: one pass for each group with an active lane. */
uint32_t bank_passes_least(uint32_t mask, uint32_t width);
/* Lanes on the bank that most lanes name: at least the passes of accesses of up to BANK_BYTES. */
uint32_t busiest_bank(const uint64_t address[WARP_LANES], uint32_t mask);
/* Lanes on the word that most lanes name. */
uint32_t busiest_word(const uint64_t address[WARP_LANES], uint32_t mask);

#endif
