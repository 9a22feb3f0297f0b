/* Computes the expected results of bfs.cu (level and counts) with the same search in plain C. Writes level.s8 and
 * prints the number of vertices of each level. */
#include <string.h>

#include "examples/random.h"
#include "examples/write_file.h"

enum { VERTICES = 32768, EDGES = 1 << 18, SOURCE = 1 };

int main(void)
{
    static uint32_t offsets[VERTICES + 1];
    static int8_t level[VERTICES];
    uint32_t met = 1;

    for (uint32_t i = 0; i < VERTICES; i++) {
        uint32_t bits = random_below(1, i, UINT32_MAX), degree = 1;

        while (degree < 64 && !(bits >> 31)) {
            bits <<= 1;
            degree *= 2;
        }
        offsets[i + 1] = offsets[i] + degree;
    }
    if (offsets[VERTICES] > EDGES)
        return 1;
    memset(level, -1, sizeof level);
    level[SOURCE] = 0;
    for (int8_t depth = 0; met > 0; depth++) {
        fprintf(stderr, "level %d: %u\n", depth, met);
        met = 0;
        for (uint32_t i = 0; i < VERTICES; i++)
            for (uint32_t e = offsets[i]; level[i] == depth && e < offsets[i + 1]; e++) {
                uint32_t to = random_below(2, e, VERTICES);

                if (level[to] < 0) {
                    level[to] = (int8_t)(depth + 1);
                    met++;
                }
            }
    }
    return write_file("level.s8", level, sizeof level);
}
