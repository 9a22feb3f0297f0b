/* simcore/mem/mshr/mshr.h: miss-status holding registers (MSHRs) of L2, for the path with events. They store which
 * sectors of which lines are being fetched from device memory, and which requests wait for them. Requests have
 * numbers from 1 on; each waits for one line at a time.
 *
 *
 * An entry belongs to a line number, not to a way of the cache: the way can be given to another line before the
 * sectors arrive. The analytic path has no MSHRs: a line stores the arrival time of its newest fill (l2.h).
 *
 *
 * A kind of MSHRs is a file with a struct mshr_ops, and a line in MSHR_KINDS (simcore/components.h). */
#ifndef VIVACE_SIMCORE_MEM_MSHR_MSHR_H
#define VIVACE_SIMCORE_MEM_MSHR_MSHR_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "simcore/design.h"

struct mshr_file {
    const struct mshr_ops *ops;
    uint32_t slices;       /* of L2 */
    size_t places;         /* number of lines of L2; those of a slice are consecutive */
    uint32_t requests_max; /* maximum number of requests in flight */
    void *own;             /* state of the implementation */
};

struct mshr_ops {
    const char *name;
    int (*init)(struct mshr_file *f, const struct gpu_design *d, struct err *e);
    void (*release)(struct mshr_file *f);
    void (*reset)(struct mshr_file *f); /* afterwards no sector is being fetched */

    /* Whether another request may access the tags of this slice. If not, it waits until an entry of the slice
     * becomes free. Requests from the other partition are not checked, because waiting could cause a deadlock
     * between the partitions. NULL: always true. */
    bool (*has_room)(const struct mshr_file *f, uint32_t slice);
    /* Sectors of the line that are being fetched. */
    uint8_t (*pending)(const struct mshr_file *f, size_t place, uint64_t line);
    void (*allocate)(struct mshr_file *f, size_t place, uint64_t line, uint8_t sectors);
    /* Adds the request to the list of the line, of which sectors are pending. */
    void (*merge)(struct mshr_file *f, size_t place, uint64_t line, uint32_t request);
    /* These sectors have arrived. Returns the first request of the line's list and empties the list. A request that
     * needs other pending sectors must be merged again. */
    uint32_t (*fill)(struct mshr_file *f, size_t place, uint64_t line, uint8_t sectors);
    uint32_t (*next)(const struct mshr_file *f, uint32_t request);
};

/* Indexed by enum mshr_kind: X(PER_REQUEST, per_request, ...) is mshr_per_request, in per_request.c. */
#define X(enumerator, name, what) extern const struct mshr_ops mshr_##name;
MSHR_KINDS(X)
#undef X

int mshr_init(struct mshr_file *f, const struct gpu_design *d, size_t places, uint32_t requests_max, struct err *e);
void mshr_release(struct mshr_file *f);

static inline bool mshr_has_room(const struct mshr_file *f, uint32_t slice)
{
    return !f->ops->has_room || f->ops->has_room(f, slice);
}

#endif
