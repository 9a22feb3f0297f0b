/* simcore/mem/address_words.h: arithmetic of an address map whose divisions are all shifts, for scalar or vector
 * words. Included once for each type: WORD is uint64_t or a vector of them, WORDS(name) the name of a function for
 * this type, WORDS_INLINE its declaration specifiers. */

/* A mixing function over 64 bits (the finaliser of splitmix64); also the hash of the L1's sets. */
WORDS_INLINE WORD WORDS(address_mix)(WORD x)
{
    x = (x ^ (x >> 30)) * 0xbf58476d1ce4e5b9ull;
    x = (x ^ (x >> 27)) * 0x94d049bb133111ebull;
    return x ^ (x >> 31);
}

struct WORDS(address_parts) {
    WORD channel, slice, set, bank, row;
};

WORDS_INLINE struct WORDS(address_parts) WORDS(address_by_shifts)(const struct address_map *m, WORD line)
{
    WORD chunk = line >> m->lines_per_chunk.shift, below = chunk >> m->channels.shift;
    WORD mixed = WORDS(address_mix)(below), within = line & (uint64_t)(m->lines_per_chunk.n - 1);
    WORD local_line = below << m->lines_per_chunk.shift | within, row = local_line >> m->lines_per_row.shift;
    WORD in_slice = local_line >> m->slices_per_channel.shift;
    struct WORDS(address_parts) p;

    p.channel = (chunk + mixed) & (uint64_t)(m->channels.n - 1);
    p.slice = p.channel << m->slices_per_channel.shift |
              ((within + (mixed >> 40)) & (uint64_t)(m->slices_per_channel.n - 1));
    p.set =
        (in_slice + (WORDS(address_mix)(in_slice >> m->sets.shift) >> SET_HASH_SHIFT)) & (uint64_t)(m->sets.n - 1);
    p.row = row >> m->banks.shift;
    p.bank = (row + WORDS(address_mix)(p.row)) & (uint64_t)(m->banks.n - 1);
    return p;
}
