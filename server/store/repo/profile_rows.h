/* server/store/repo/profile_rows.h: what the rows of profile and kernel hold. */
#ifndef VIVACE_SERVER_PROFILE_ROWS_H
#define VIVACE_SERVER_PROFILE_ROWS_H

#include <stdint.h>

#include "base/hash.h"

#define FEATURE_TEXT 200 /* bytes that hold which features a profile has, for people */
#define SPARK_BINS   40

struct profile_facts {
    char format[32], gpu_name[128], unit[24], sha256[SHA256_HEX], features[FEATURE_TEXT];
    uint32_t has_times;
    uint64_t launches, zero_launches, kernels, kernel_shapes, devices, streams, total, makespan_ns;
    uint16_t spark[SPARK_BINS]; /* logarithmic bins of the non-zero values; the highest is 1000 */
};

/* What the kernel table says of one (name, grid, block), statistics of the planning variable. */
struct kernel_facts {
    char *name, *mangled_name; /* mangled_name may be NULL */
    uint32_t grid[3], block[3], registers, shared_bytes, name_id;
    uint64_t calls, total, min, max;
    double mean, cov;
};

#endif
