/* simcore/sm/coalescer.h: converts the lane addresses of one memory instruction to 128-byte lines with 32-byte
 * sectors, and computes the passes through the shared-memory banks. Exact; without state. */
#ifndef VIVACE_SIMCORE_SM_COALESCER_H
#define VIVACE_SIMCORE_SM_COALESCER_H

#include "simcore/mem/address_map.h"
#include "simcore/trace/inst_source.h"

/* A lane touches at most two lines, also with the largest width (128 bytes). */
enum { COALESCED_MAX = 2 * WARP_LANES, ACCESS_BYTES_MAX = 128, LANES_AT_ONCE = 8, BANK_BYTES = 4 };

struct coalesced {
    uint32_t count;
    uint64_t line[COALESCED_MAX];   /* line numbers */
    uint8_t sectors[COALESCED_MAX]; /* mask of the 32-byte sectors touched */
    uint8_t full[COALESCED_MAX];    /* mask of the sectors of which every byte is touched */
    /* index of the line of each active lane's first byte, with padding to write LANES_AT_ONCE entries from any lane
     */
    uint8_t of_lane[WARP_LANES + LANES_AT_ONCE];
};

/* Writes the addresses of the lanes in the mask to `out`, as a list. */
void lanes_expand(const struct lane_addresses *a, uint32_t mask, uint64_t out[WARP_LANES]);
/* Finds the lines, in the order in which the lanes first touch them. width: 1 to ACCESS_BYTES_MAX bytes per lane.
 */
void coalesce(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t width, struct coalesced *out);
/* As coalesce(), without computing `full`, which stays 0: only stores need it. */
void coalesce_sectors(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t width, struct coalesced *out);
/* Whether the lanes form one contiguous run of bytes in lane order, the most frequent case. Then coalesce_run()
 * gives the result of coalesce(), and there are no bank conflicts. */
bool lanes_form_run(const struct lane_addresses *a, uint32_t mask, uint32_t width);
void coalesce_run(uint64_t base, uint32_t mask, uint32_t width, struct coalesced *out);
/* The passes through 32 banks of 4 bytes: the maximum number of distinct words in a bank. Wide accesses are divided
 * into halves (8 bytes per lane), quarters (16) or smaller groups of the warp, whose passes are added. 0 for an
 * empty mask.
 *
 * Two halves, or two quarters, are served together if all active lanes i and i ^ 1, or all active lanes i and i ^
 * 2, have the same address. So a broadcast of 16 bytes takes 2 passes, one of 8 bytes takes 1. Source: NVIDIA's
 * answer in forums.developer.nvidia.com, "Unexpected shared memory bank conflict" (77228), for compute
 * capability 7.0 to 7.5. No difference is known for later GPUs. */
uint32_t bank_passes(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t width);
/* As bank_passes(), in closed form, for consecutive lanes whose addresses have a stride of whole words, the most
 * frequent case. Returns 0 for other accesses. */
uint32_t bank_passes_strided(const struct lane_addresses *a, uint32_t mask, uint32_t width);
/* The passes without shared addresses and bank conflicts: one for each group with an active lane. */
uint32_t bank_passes_min(uint32_t mask, uint32_t width);
/* The number of lanes on the bank with the most lanes: an upper bound of the passes for accesses of up to
 * BANK_BYTES.
 */
uint32_t busiest_bank(const uint64_t address[WARP_LANES], uint32_t mask);
/* The number of lanes on the word with the most lanes. */
uint32_t busiest_word(const uint64_t address[WARP_LANES], uint32_t mask);

#endif
