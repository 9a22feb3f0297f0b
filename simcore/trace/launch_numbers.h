/* simcore/trace/launch_numbers.h: of a workload of `launches` launches only some were traced: then the place in a
 * list is not the launch order, but the number of each kernel is, less one; unless a kernel has no number, or a
 * later one of its context is before it. */
#ifndef VIVACE_SIMCORE_LAUNCH_NUMBERS_H
#define VIVACE_SIMCORE_LAUNCH_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

struct launch_numbers {
    uint64_t launches, context, id; /* of the workload; of the kernel before */
    bool any;
};
/* For each kernel: whether its number can be one. */
static inline bool launch_number_fits(struct launch_numbers *n, uint64_t context, uint64_t id)
{
    bool fits = id > 0 && id <= n->launches && !(n->any && context == n->context && id <= n->id);

    n->context = context;
    n->id = id;
    n->any = true;
    return fits;
}

#endif
