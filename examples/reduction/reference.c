/* Computes the expected results of the kernels of reduction.cu (total) in plain C. Writes total.u64 */
#include "examples/random.h"
#include "examples/write_file.h"

enum { N = 100000 };

int main(void)
{
    uint64_t total[2] = {0, 0};

    for (uint32_t i = 0; i < N; i++) {
        total[0] += random_below(1, i, 1000);
        total[1] += i;
    }
    return write_file("total.u64", total, sizeof total);
}
