/* What the kernels of reduction.cu should leave in total: the same in plain C, random numbers included
 * (docs/formats/launch-list.md). cc reference.c && ./a.out >total.u64 */
#include <stdint.h>
#include <stdio.h>

enum { N = 100000 };

static uint64_t random_bits(uint64_t seed, uint64_t index)
{
    uint64_t z = seed + (index + 1) * 0x9e3779b97f4a7c15ull;

    z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
    z = (z ^ z >> 27) * 0x94d049bb133111ebull;
    return z ^ z >> 31;
}

int main(void)
{
    uint64_t total[2] = {0, 0};

    for (uint64_t i = 0; i < N; i++) {
        total[0] += (uint64_t)((unsigned __int128)random_bits(1, i) * 1000 >> 64);
        total[1] += i;
    }
    fwrite(total, sizeof total, 1, stdout);
    return 0;
}
