/* Stable sorting by value: a radix sort with a digit width chosen by the length, insertion sort for short ranges.
 */
#include "sampling/math/order.h"

#include <string.h>

enum { DIGITS_MAX = 1 << 11, SMALL = 48 };

/* Wide digits need fewer passes, but each pass reads all counters, so short ranges use narrow digits. */
static unsigned digit_bits(size_t n)
{
    return n >= 8192 ? 11 : n >= 512 ? 8 : 5;
}

/* Insertion sort: stable, and the fastest for short ranges. */
static void order_small(uint32_t *rows, size_t n, const struct order_key *key)
{
    for (size_t i = 1; i < n; i++) {
        uint32_t row = rows[i];
        uint64_t k = order_key_at(key, row);
        size_t j = i;

        for (; j > 0 && order_key_at(key, rows[j - 1]) > k; j--)
            rows[j] = rows[j - 1];
        rows[j] = row;
    }
}

static void order_by_digit(const uint32_t *from, uint32_t *to, size_t n, const struct order_key *key, uint64_t base,
                           unsigned shift, size_t digits)
{
    size_t at[DIGITS_MAX], sum = 0;

    memset(at, 0, digits * sizeof *at);
    for (size_t i = 0; i < n; i++)
        at[((order_key_at(key, from[i]) - base) >> shift) & (digits - 1)]++;
    for (size_t d = 0; d < digits; d++) {
        size_t count = at[d];

        at[d] = sum;
        sum += count;
    }
    for (size_t i = 0; i < n; i++)
        to[at[((order_key_at(key, from[i]) - base) >> shift) & (digits - 1)]++] = from[i];
}

void order_rows(uint32_t *rows, uint32_t *scratch, size_t n, const struct order_key *key)
{
    uint64_t low = UINT64_MAX, high = 0, before = 0;
    uint32_t *from = rows, *to = scratch;
    unsigned bits = digit_bits(n);
    int sorted = 1;

    for (size_t i = 0; i < n; i++) {
        uint64_t k = order_key_at(key, rows[i]);

        sorted &= k >= before;
        before = k;
        low = k < low ? k : low;
        high = k > high ? k : high;
    }
    if (sorted)
        return;
    if (n <= SMALL) {
        order_small(rows, n, key);
        return;
    }
    for (unsigned shift = 0; shift < 64 && (high - low) >> shift; shift += bits) {
        uint32_t *swap = from;

        order_by_digit(from, to, n, key, low, shift, (size_t)1 << bits);
        from = to;
        to = swap;
    }
    if (from != rows)
        memcpy(rows, from, n * sizeof *rows);
}

static void pairs_by_digit(const struct order_pair *from, struct order_pair *to, size_t n, uint64_t base,
                           unsigned shift, size_t digits)
{
    size_t at[DIGITS_MAX], sum = 0;

    memset(at, 0, digits * sizeof *at);
    for (size_t i = 0; i < n; i++)
        at[((from[i].key - base) >> shift) & (digits - 1)]++;
    for (size_t d = 0; d < digits; d++) {
        size_t count = at[d];

        at[d] = sum;
        sum += count;
    }
    for (size_t i = 0; i < n; i++)
        to[at[((from[i].key - base) >> shift) & (digits - 1)]++] = from[i];
}

void order_pairs(struct order_pair *items, struct order_pair *scratch, size_t n)
{
    struct order_pair *from = items, *to = scratch;
    uint64_t low = UINT64_MAX, high = 0;
    unsigned bits = digit_bits(n);

    for (size_t i = 0; i < n; i++) {
        low = items[i].key < low ? items[i].key : low;
        high = items[i].key > high ? items[i].key : high;
    }
    for (unsigned shift = 0; n && shift < 64 && (high - low) >> shift; shift += bits) {
        struct order_pair *swap = from;

        pairs_by_digit(from, to, n, low, shift, (size_t)1 << bits);
        from = to;
        to = swap;
    }
    if (from != items)
        memcpy(items, from, n * sizeof *items);
}
