/* sampling/cluster/intra_launch.h: finds the part of a launch that has to be simulated, from its waves of CTAs. */
#ifndef VIVACE_SAMPLING_INTRA_LAUNCH_H
#define VIVACE_SAMPLING_INTRA_LAUNCH_H

#include <stdbool.h>

#include "sampling/profile/features.h"

struct region {
    size_t begin, end; /* waves begin .. end-1 */
    bool outlier; /* simulated completely; otherwise homogeneous: the first two waves give the rate of the others */
};
struct intra_launch {
    size_t count;
    struct region *regions; /* in launch order, owned; together all waves */
    uint64_t ctas, needed;  /* CTAs of the launch; number of them that must be simulated */
};
int intra_launch(const struct wave *waves, size_t count, struct intra_launch *out, struct err *e);
void intra_launch_release(struct intra_launch *x);

#endif
