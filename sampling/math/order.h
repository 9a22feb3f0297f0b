/* sampling/math/order.h: sorting row numbers by a column, without moving the columns. Stable, O(n) on whole
 * numbers. */
#ifndef VIVACE_SAMPLING_ORDER_H
#define VIVACE_SAMPLING_ORDER_H

#include <stddef.h>
#include <stdint.h>

/* A column of whole numbers to sort by. `flip` turns signed into unsigned order (1 << 63), else 0. */
struct order_key {
    const uint32_t *narrow; /* exactly one of `narrow` and `wide` is set */
    const uint64_t *wide;
    uint64_t flip;
};

static inline uint64_t order_key_at(const struct order_key *k, uint32_t row)
{
    return k->narrow ? k->narrow[row] : k->wide[row] ^ k->flip;
}

/* Sorts rows[0..n) by the column; rows with equal keys keep their order. scratch has room for n. Costs one pass
 * where they are sorted already. */
void order_rows(uint32_t *rows, uint32_t *scratch, size_t n, const struct order_key *key);

/* The same with key and row stored together, which avoids cache misses in the columns. For up to a few million
 * items, as each needs 32 bytes. */
struct order_pair {
    uint64_t key;
    uint32_t row;
};
void order_pairs(struct order_pair *items, struct order_pair *scratch, size_t n);

#endif
