/* simcore/trace/launch_numbers.h: decides whether kernel numbers are the launch order. If only some of the
 * `launches` launches of a workload were traced, the position in a list is not the launch order. The launch order
 * is then the number of each kernel minus one. This does not hold if a kernel has no number, or if the numbers
 * within a context do not ascend. */
#ifndef VIVACE_SIMCORE_LAUNCH_NUMBERS_H
#define VIVACE_SIMCORE_LAUNCH_NUMBERS_H

#include <stdbool.h>
#include <stdint.h>

struct launch_numbers {
    uint64_t launches, context, id; /* launches of the workload; context and number of the previous kernel */
    bool any;
};
/* Call for each kernel in order. Returns whether its number can be its launch order. */
static inline bool launch_number_fits(struct launch_numbers *n, uint64_t context, uint64_t id)
{
    bool fits = id > 0 && id <= n->launches && !(n->any && context == n->context && id <= n->id);

    n->context = context;
    n->id = id;
    n->any = true;
    return fits;
}

#endif
