#include "simcore/trace/sass_class.h"

#include <stdlib.h>
#include <string.h>

#define SECTOR 32
#define WORD   4

struct row {
    const char *name;
    struct sass_kind kind;
};

/* Sorted by name. Source: NVIDIA, "CUDA Binary Utilities", chapter "Instruction Set Reference". */
static const struct row rows[] = {
    {"ATOM", {SASS_ATOMIC, SASS_GENERIC}},
    {"ATOMG", {SASS_ATOMIC, SASS_GLOBAL}},
    {"BAR", {SASS_END, 0}},
    {"BRA", {SASS_END, 0}},
    {"BREAK", {SASS_END, 0}},
    {"BRK", {SASS_END, 0}},
    {"BRX", {SASS_END, 0}},
    {"BRXU", {SASS_END, 0}},
    {"BSYNC", {SASS_END, 0}},
    {"CAL", {SASS_END, 0}},
    {"CALL", {SASS_END, 0}},
    {"CONT", {SASS_END, 0}},
    {"EXIT", {SASS_END, 0}},
    {"JCAL", {SASS_END, 0}},
    {"JMP", {SASS_END, 0}},
    {"JMX", {SASS_END, 0}},
    {"JMXU", {SASS_END, 0}},
    {"KILL", {SASS_END, 0}},
    {"LD", {SASS_LOAD, SASS_GENERIC}},
    {"LDG", {SASS_LOAD, SASS_GLOBAL}},
    {"LDGSTS", {SASS_MEMORY, SASS_GLOBAL}},
    {"LDL", {SASS_LOAD, SASS_LOCAL}},
    {"LDS", {SASS_LOAD, SASS_SHARED}},
    {"PLONGJMP", {SASS_END, 0}},
    {"RED", {SASS_MEMORY, SASS_GENERIC}},
    {"REDG", {SASS_MEMORY, SASS_GLOBAL}},
    {"RET", {SASS_END, 0}},
    {"RTT", {SASS_END, 0}},
    {"ST", {SASS_STORE, SASS_GENERIC}},
    {"STG", {SASS_STORE, SASS_GLOBAL}},
    {"STL", {SASS_STORE, SASS_LOCAL}},
    {"STS", {SASS_STORE, SASS_SHARED}},
    {"SYNC", {SASS_END, 0}},
    {"WARPSYNC", {SASS_END, 0}},
};

struct name {
    const char *text;
    size_t n;
};

static int compare(const void *key, const void *item)
{
    const struct name *k = key;
    const char *s = ((const struct row *)item)->name;
    int order = strncmp(k->text, s, k->n);

    return order ? order : s[k->n] ? -1 : 0;
}

struct sass_kind sass_classify(const char *opcode)
{
    struct name key = {opcode, strcspn(opcode, ".")};
    const struct row *row = bsearch(&key, rows, sizeof rows / sizeof *rows, sizeof *rows, compare);

    return row && key.n > 0 ? row->kind : (struct sass_kind){SASS_OTHER, 0};
}

enum sass_space sass_window(const struct kernel_info *k, uint64_t address)
{
    if (k->shared_base && address - k->shared_base < WINDOW_BYTES)
        return SASS_SHARED;
    if (k->local_base && address - k->local_base < WINDOW_BYTES)
        return SASS_LOCAL;
    return SASS_GLOBAL;
}

/* --- sectors --- */

#define BYTES_MAX 128 /* per lane; no instruction accesses more than 16 */
#define SEEN_MAX  (WARP_LANES * (BYTES_MAX / WORD + 1))

/* A set of distinct numbers. The newest is compared first, because neighbouring lanes share sectors. */
struct seen {
    uint64_t items[SEEN_MAX];
    uint32_t count;
};

static void see(struct seen *s, uint64_t x)
{
    for (uint32_t i = s->count; i-- > 0;)
        if (s->items[i] == x)
            return;
    if (s->count < SEEN_MAX)
        s->items[s->count++] = x;
}

static uint64_t lane_address(const struct lane_addresses *a, uint32_t mask, unsigned lane)
{
    if (a->kind == ADDRESS_LIST)
        return a->list[lane];
    return a->base + (lane - (unsigned)__builtin_ctz(mask)) * (uint64_t)a->stride;
}

uint32_t access_sectors(const struct lane_addresses *a, uint32_t mask, uint32_t width)
{
    uint32_t run = mask ? mask >> __builtin_ctz(mask) : 0, lanes = (uint32_t)__builtin_popcount(mask);
    struct seen s;

    if (!mask || !width)
        return 0;
    width = width < BYTES_MAX ? width : BYTES_MAX;
    if (a->kind == ADDRESS_STRIDE && a->stride == (int64_t)width && !(run & (run + 1)) &&
        a->base < UINT64_MAX - (uint64_t)lanes * width) /* the frequent case: one contiguous run of bytes */
        return (uint32_t)((a->base + (uint64_t)lanes * width - 1) / SECTOR - a->base / SECTOR + 1);
    s.count = 0;
    for (uint32_t left = mask; left; left &= left - 1) {
        uint64_t from = lane_address(a, mask, (unsigned)__builtin_ctz(left)), to = from + width - 1;

        for (uint64_t k = from / SECTOR; k <= to / SECTOR; k++)
            see(&s, k);
    }
    return s.count;
}

uint32_t local_sectors(const struct lane_addresses *a, uint32_t mask, uint32_t width)
{
    struct seen s;

    if (!mask || !width)
        return 0;
    width = width < BYTES_MAX ? width : BYTES_MAX;
    s.count = 0;
    for (uint32_t left = mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);
        uint64_t from = lane_address(a, mask, lane), to = from + width - 1;

        for (uint64_t word = from / WORD; word <= to / WORD; word++)
            see(&s, word * WORD + lane / (SECTOR / WORD)); /* four sectors to a word of 32 lanes */
    }
    return s.count;
}
