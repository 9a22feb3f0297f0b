/* simcore/mem/mshr/mshr.h: miss-status holding registers (MSHRs) of L2, for the path with events: which sectors of
 * which lines are on their way from device memory, and which requests wait for them. Requests are numbers from 1
 * on; each waits for one line at a time.
 *
 * An entry belongs to a line's number, not to its place: the place may be given to another line before the sectors
 * arrive. The analytic path needs none: a line knows when its newest fill arrives (l2.h).
 *
 * A kind of MSHRs is a file of its own with a struct mshr_ops, and a line in MSHR_KINDS (simcore/components.h). */
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
    size_t places;         /* lines that L2 holds, those of a slice next to one another */
    uint32_t requests_max; /* under way at once */
    void *own;             /* of the kind */
};

struct mshr_ops {
    const char *name;
    int (*init)(struct mshr_file *f, const struct gpu_design *d, struct err *e);
    void (*release)(struct mshr_file *f);
    void (*reset)(struct mshr_file *f); /* nothing is on its way */

    /* May another request come to the tags of this slice? It waits there until an entry of the slice becomes free
     * where not. What comes from the other partition is not asked: it must not wait for requests that wait for it.
     * NULL: always. */
    bool (*has_room)(const struct mshr_file *f, uint32_t slice);
    /* Sectors of the line that are on their way. */
    uint8_t (*pending)(const struct mshr_file *f, size_t place, uint64_t line);
    void (*allocate)(struct mshr_file *f, size_t place, uint64_t line, uint8_t sectors);
    /* The request waits for the line, of which sectors are pending. */
    void (*merge)(struct mshr_file *f, size_t place, uint64_t line, uint32_t request);
    /* These sectors have arrived. Returns the first of those that waited for the line, all taken off its list; who
     * needs others still has to wait anew. */
    uint32_t (*fill)(struct mshr_file *f, size_t place, uint64_t line, uint8_t sectors);
    uint32_t (*next)(const struct mshr_file *f, uint32_t request);
};

/* By enum mshr_kind: X(PER_REQUEST, per_request, ...) is mshr_per_request, in per_request.c. */
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
