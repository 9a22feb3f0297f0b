/* simcore/mem/address_lanes.h: maps many lines at once with vectors of the host. address_map.c includes it once for
 * each vector type: WORD is a vector of 64-bit words, HALVES a vector of the same number of 32-bit words,
 * WORDS(name) the name of a function for this type, WORDS_TARGET the attribute with the target host. */
#define WORDS_INLINE WORDS_TARGET static inline __attribute__((always_inline))
#include "simcore/mem/address_words.h"

WORDS_TARGET static inline __attribute__((always_inline)) void WORDS(put_halves)(uint32_t *at, WORD x)
{
    HALVES halves = __builtin_convertvector(x, HALVES);

    memcpy(at, &halves, sizeof halves);
}

WORDS_TARGET static void WORDS(locate_lanes)(const struct address_map *m, const uint64_t line[], uint32_t n,
                                             struct address_places *out)
{
    for (uint32_t i = 0; i < n; i += sizeof(WORD) / sizeof(uint64_t)) {
        struct WORDS(address_parts) p;
        WORD lines;

        memcpy(&lines, line + i, sizeof lines);
        p = WORDS(address_by_shifts)(m, lines);
        WORDS(put_halves)(out->channel + i, p.channel);
        WORDS(put_halves)(out->slice + i, p.slice);
        WORDS(put_halves)(out->set + i, p.set);
        WORDS(put_halves)(out->bank + i, p.bank);
        memcpy(out->row + i, &p.row, sizeof p.row);
    }
}

#undef WORD
#undef WORDS
#undef WORDS_INLINE
#undef WORDS_TARGET
#undef HALVES
