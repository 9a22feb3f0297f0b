/* server/store/repo/profile_rows.h: values of the tables profile and kernel. */
#ifndef VIVACE_SERVER_PROFILE_ROWS_H
#define VIVACE_SERVER_PROFILE_ROWS_H

#include <stdint.h>

#include "base/hash.h"

#define FEATURE_TEXT 200 /* bytes of the text that names a profile's features for users */
#define SPARK_BINS   40

struct profile_facts {
    char format[32], gpu_name[128], unit[24], sha256[SHA256_HEX], features[FEATURE_TEXT];
    uint32_t has_times;
    uint64_t launches, zero_launches, kernels, kernel_shapes, devices, streams, total, makespan_ns;
    uint16_t spark[SPARK_BINS]; /* logarithmic bins of the non-zero values; the highest is 1000 */
};

/* One row of the kernel table: the statistics of the planning variable for one (name, grid, block). */
struct kernel_facts {
    char *name, *mangled_name; /* mangled_name may be NULL */
    uint32_t grid[3], block[3], registers, shared_bytes, name_id;
    uint64_t calls, total, min, max;
    double mean, cov;
};

#endif
