#include "simcore/sm/coalescer.h"

#include <string.h>

#include "base/bits.h"

void lanes_expand(const struct lane_addresses *a, uint32_t mask, uint64_t out[WARP_LANES])
{
    uint64_t at = a->base;

    if (a->kind == ADDRESS_LIST) {
        memcpy(out, a->list, WARP_LANES * sizeof *out);
        return;
    }
    if (!mask)
        return;
    for (unsigned lane = (unsigned)__builtin_ctz(mask); lane < WARP_LANES; lane++) {
        out[lane] = at;
        at += (uint64_t)a->stride;
    }
}

/* A hash table from line number to list index. Its size is a power of two and twice the maximum number of lines, so
 * that searches are short. */
enum { TABLE_SHIFT = 7, TABLE = 1 << TABLE_SHIFT, NO_LINE = 0xff };
_Static_assert(TABLE == 2 * COALESCED_MAX, "half of the table is empty");

struct line_table {
    uint8_t index[TABLE];
    uint32_t bytes[COALESCED_MAX][LINE_SECTORS]; /* for each line: flags of the touched bytes */
};

#define COALESCE_INLINE static inline __attribute__((always_inline))

/* The table slot at which the search for a line begins. */
COALESCE_INLINE uint32_t table_place(uint64_t line)
{
    return (uint32_t)((line * 0x9e3779b97f4a7c15ull) >> (64 - TABLE_SHIFT));
}

/* Returns the index of a line and adds the line if it is new. */
COALESCE_INLINE uint32_t line_index(struct coalesced *out, struct line_table *t, uint64_t line, bool bytes)
{
    uint32_t at = table_place(line), i;

    for (; (i = t->index[at]) != NO_LINE; at = (at + 1) % TABLE)
        if (out->line[i] == line)
            return i;
    i = out->count++;
    t->index[at] = (uint8_t)i;
    if (bytes)
        memset(t->bytes[i], 0, sizeof t->bytes[i]);
    out->line[i] = line;
    out->sectors[i] = out->full[i] = 0;
    return i;
}

/* Marks bytes from .. to of a sector of line i. */
COALESCE_INLINE void mark_sector(struct coalesced *out, struct line_table *t, uint32_t i, uint32_t sector,
                                 uint32_t from, uint32_t to, bool bytes)
{
    uint32_t *touched = &t->bytes[i][sector];

    out->sectors[i] |= (uint8_t)(1u << sector);
    if (!bytes)
        return;
    *touched |= UINT32_MAX >> (SECTOR_BYTES - 1 - (to - from)) << from;
    out->full[i] |= (uint8_t)((*touched == UINT32_MAX) << sector);
}

/* Marks bytes from .. to of a line. */
COALESCE_INLINE void mark_bytes(struct coalesced *out, struct line_table *t, uint32_t i, uint32_t from, uint32_t to,
                                bool bytes)
{
    uint32_t first = from / SECTOR_BYTES, last = to / SECTOR_BYTES;

    for (uint32_t s = first; s <= last; s++)
        mark_sector(out, t, i, s, s == first ? from % SECTOR_BYTES : 0,
                    s == last ? to % SECTOR_BYTES : SECTOR_BYTES - 1, bytes);
}

/* bytes: also find the sectors that are completely touched. */
COALESCE_INLINE void gather_lines(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t width,
                                  struct coalesced *out, bool bytes)
{
    struct line_table t;

    memset(t.index, NO_LINE, sizeof t.index);
    out->count = 0;
    for (uint32_t left = mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint32_t offset = (uint32_t)(address[lane] % LINE_BYTES), end = offset + width - 1;
        uint32_t sector = offset / SECTOR_BYTES, i = line_index(out, &t, address[lane] >> LINE_SHIFT, bytes);

        out->of_lane[lane] = (uint8_t)i;
        if (end / SECTOR_BYTES == sector) {
            mark_sector(out, &t, i, sector, offset % SECTOR_BYTES, end % SECTOR_BYTES, bytes);
            continue;
        }
        mark_bytes(out, &t, i, offset, end < LINE_BYTES ? end : LINE_BYTES - 1, bytes);
        if (end >= LINE_BYTES)
            mark_bytes(out, &t, line_index(out, &t, (address[lane] >> LINE_SHIFT) + 1, bytes), 0, end - LINE_BYTES,
                       bytes);
    }
}

void coalesce(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t width, struct coalesced *out)
{
    gather_lines(address, mask, width, out, true);
}

/* A separate loop for the usual case: no lane's access crosses a sector boundary. False: one does. */
static bool gather_within(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t width, struct coalesced *out)
{
    uint8_t index[TABLE];
    uint32_t count = 0, beyond = 0;

    memset(index, NO_LINE, sizeof index);
    for (uint32_t left = mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint64_t line = address[lane] >> LINE_SHIFT;
        uint32_t at = table_place(line), i, sector = (uint32_t)(address[lane] / SECTOR_BYTES) % LINE_SECTORS;

        beyond |= (uint32_t)(address[lane] % SECTOR_BYTES) + width - 1;
        while ((i = index[at]) != NO_LINE && out->line[i] != line)
            at = (at + 1) % TABLE;
        if (i == NO_LINE) {
            index[at] = (uint8_t)(i = count++);
            out->line[i] = line;
            out->sectors[i] = 0;
        }
        out->sectors[i] |= (uint8_t)(1u << sector);
        out->of_lane[lane] = (uint8_t)i;
    }
    memset(out->full, 0, count);
    out->count = count;
    return beyond < SECTOR_BYTES;
}

void coalesce_sectors(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t width, struct coalesced *out)
{
    if (width > SECTOR_BYTES || !gather_within(address, mask, width, out))
        gather_lines(address, mask, width, out, false);
}

/* The passes of one group of lanes that are served together; each lane accesses `words` consecutive words. */
static uint32_t group_passes(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t words)
{
    uint64_t seen[WARP_LANES * 2];
    uint8_t next[WARP_LANES * 2], head[32], depth[32] = {0};
    uint32_t count = 0, most = 0;

    memset(head, 0xff, sizeof head);
    for (uint32_t left = mask; left; left &= left - 1) {
        uint64_t word = address[__builtin_ctz(left)] / 4;

        for (uint32_t k = 0; k < words; k++, word++) {
            uint32_t bank = word % 32, i = head[bank];

            while (i != 0xff && seen[i] != word)
                i = next[i];
            if (i != 0xff)
                continue;
            seen[count] = word;
            next[count] = head[bank];
            head[bank] = (uint8_t)count++;
            if (++depth[bank] > most)
                most = depth[bank];
        }
    }
    return most;
}

bool lanes_form_run(const struct lane_addresses *a, uint32_t mask, uint32_t width)
{
    uint32_t run = mask ? mask >> __builtin_ctz(mask) : 0;

    if (a->base > UINT64_MAX - (uint64_t)WARP_LANES * ACCESS_BYTES_MAX)
        return false; /* would wrap around the end of the address space */
    /* Aligned, so that no lane crosses a line boundary and each lane has its own banks. */
    return a->kind == ADDRESS_STRIDE && a->stride == (int64_t)width && run && !(run & (run + 1)) &&
           !(width & (width - 1)) && a->base % width == 0;
}

/* Writes the line index of each lane of a run that begins with lane `first`, eight lanes at a time. The next line
 * overwrites excess entries. */
static void number_lanes(uint64_t base, uint32_t first, uint32_t lanes, uint32_t width_shift,
                         uint8_t of_lane[WARP_LANES + LANES_AT_ONCE])
{
    uint64_t line = 0;
    uint32_t lane = 0, next = (LINE_BYTES - (uint32_t)(base % LINE_BYTES)) >> width_shift;

    for (; lane < lanes; next += LINE_BYTES >> width_shift) {
        for (; lane < lanes && lane < next; lane += LANES_AT_ONCE)
            memcpy(of_lane + first + lane, &line, sizeof line);
        lane = next;
        line += 0x0101010101010101ull;
    }
}

void coalesce_run(uint64_t base, uint32_t mask, uint32_t width, struct coalesced *out)
{
    uint32_t first = (uint32_t)__builtin_ctz(mask), lanes = bits_count(mask);
    uint64_t end = base + (uint64_t)lanes * width, line = base >> LINE_SHIFT;

    out->count = (uint32_t)(((end - width) >> LINE_SHIFT) - line) + 1;
    number_lanes(base, first, lanes, (uint32_t)__builtin_ctz(width), out->of_lane);
    for (uint32_t i = 0; i < out->count; i++) {
        uint64_t at = (line + i) << LINE_SHIFT;
        uint32_t from = base > at ? (uint32_t)(base - at) : 0;
        uint32_t to = end - at < LINE_BYTES ? (uint32_t)(end - at) : LINE_BYTES; /* exclusive */
        uint32_t touched = (0xfu << from / SECTOR_BYTES) & (0xfu >> (3 - (to - 1) / SECTOR_BYTES));
        uint32_t full = (0xfu << (from + SECTOR_BYTES - 1) / SECTOR_BYTES) & ((1u << to / SECTOR_BYTES) - 1);

        out->line[i] = line + i;
        out->sectors[i] = (uint8_t)touched;
        out->full[i] = (uint8_t)(touched & full);
    }
}

/* The number of lanes served together if each accesses this number of words. */
static uint32_t lanes_together(uint32_t words)
{
    uint32_t lanes = WARP_LANES;

    while (lanes > 1 && lanes * words > WARP_LANES)
        lanes /= 2;
    return lanes;
}

static uint32_t group_mask(uint32_t mask, uint32_t first, uint32_t lanes)
{
    return lanes == WARP_LANES ? mask : mask & (((1u << lanes) - 1) << first);
}

/* The lower lane of each pair of active lanes i and i ^ apart; apart: 1 or 2. */
static uint32_t active_pairs(uint32_t mask, uint32_t apart)
{
    return mask & mask >> apart & (apart == 1 ? 0x55555555 : 0x33333333);
}

static bool pairs_agree(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t apart)
{
    for (uint32_t left = active_pairs(mask, apart); left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);

        if (address[lane] != address[lane + apart])
            return false;
    }
    return true;
}

static bool pairs_absent(uint32_t mask)
{
    return !active_pairs(mask, 1) || !active_pairs(mask, 2);
}

/* Whether lanes of each pair have the same address. Then twice as many lanes of these widths are served together.
 */
static bool may_merge(uint32_t words)
{
    return words == 2 || words == 4;
}

uint32_t bank_passes(const uint64_t address[WARP_LANES], uint32_t mask, uint32_t width)
{
    uint32_t words = (width + 3) / 4, lanes, sum = 0;

    if (words > WARP_LANES)
        words = WARP_LANES;
    lanes = lanes_together(words);
    if (may_merge(words) && (pairs_agree(address, mask, 1) || pairs_agree(address, mask, 2)))
        lanes *= 2;
    for (uint32_t first = 0; first < WARP_LANES; first += lanes)
        if (group_mask(mask, first, lanes))
            sum += group_passes(address, group_mask(mask, first, lanes), words);
    return sum;
}

/* The passes of n lanes whose words are `stride` words apart. If the stride is at most the lanes' width, they cover
 * one contiguous range of words. If it is a multiple of the width, no two lanes share a word, and two lanes
 * conflict at a bank if their distance in words is a multiple of 32. */
static uint32_t strided_passes(uint32_t n, uint64_t stride, uint32_t words)
{
    uint64_t apart = stride & (0 - stride); /* the largest power of two that divides it */
    uint32_t banks;

    if (stride <= words)
        return ((n - 1) * (uint32_t)stride + words + WARP_LANES - 1) / WARP_LANES;
    if (words & (words - 1) || stride % words)
        return 0;
    banks = apart < WARP_LANES ? WARP_LANES / (uint32_t)apart : 1; /* lanes that are served together */
    return (n + banks - 1) / banks;
}

uint32_t bank_passes_strided(const struct lane_addresses *a, uint32_t mask, uint32_t width)
{
    uint32_t words = (width + 3) / 4, lanes = lanes_together(words), sum = 0;
    uint32_t run = mask ? mask >> __builtin_ctz(mask) : 0;

    if (a->kind != ADDRESS_STRIDE || a->stride < 0 || a->stride % 4 || a->base % 4 || !run || run & (run + 1))
        return 0;
    if (may_merge(words) && (!a->stride || pairs_absent(mask)))
        lanes *= 2;
    for (uint32_t first = 0; first < WARP_LANES; first += lanes) {
        uint32_t group = group_mask(mask, first, lanes), passes;

        if (!group)
            continue;
        passes = strided_passes(bits_count(group), (uint64_t)a->stride / 4, words);
        if (!passes)
            return 0;
        sum += passes;
    }
    return sum;
}

uint32_t bank_passes_min(uint32_t mask, uint32_t width)
{
    uint32_t words = (width + 3) / 4, lanes = lanes_together(words), sum = 0;

    if (may_merge(words) && pairs_absent(mask))
        lanes *= 2;
    for (uint32_t first = 0; first < WARP_LANES; first += lanes)
        sum += group_mask(mask, first, lanes) != 0;
    return sum;
}

uint32_t busiest_bank(const uint64_t address[WARP_LANES], uint32_t mask)
{
    uint8_t lanes[32] = {0};
    uint32_t most = 0;

    for (uint32_t left = mask; left; left &= left - 1) {
        uint32_t count = ++lanes[address[__builtin_ctz(left)] / BANK_BYTES % 32];

        most = count > most ? count : most;
    }
    return most;
}

uint32_t busiest_word(const uint64_t address[WARP_LANES], uint32_t mask)
{
    uint32_t most = 0;

    while (mask) {
        uint64_t word = address[__builtin_ctz(mask)] / 4;
        uint32_t same = 0, count;

        for (uint32_t left = mask; left; left &= left - 1) {
            unsigned lane = (unsigned)__builtin_ctz(left);

            if (address[lane] / 4 == word)
                same |= 1u << lane;
        }
        count = bits_count(same);
        most = most > count ? most : count;
        mask &= ~same;
    }
    return most;
}
