/* ingest/ranges.h: ranges of a program, and the launch calls inside them: from these every launch gets its layer,
 * phase and step.
 *
 * A launch belongs to the ranges that are open on the thread of its launch call when the call begins; the call is
 * found by (process, correlation id). For a launch without a call, the ranges of its GPU stream at the start of the
 * kernel are used. Layers: the names of all open ranges that are neither steps nor phases, from the outermost to
 * the innermost. Phase and step: the innermost open range of that kind. If the thread has none, that of any thread
 * of the process is used, because autograd launches kernels from another thread. */
#ifndef VIVACE_INGEST_RANGES_H
#define VIVACE_INGEST_RANGES_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "sampling/profile/profile.h"

struct ranges; /* opaque */

struct ranges *ranges_new(struct err *e);
void ranges_free(struct ranges *r);

/* A thread: any number that is distinct within the file. A GPU stream is a thread of process RANGES_GPU. */
struct range_thread {
    uint64_t process, thread;
};
#define RANGES_GPU UINT64_MAX

/* text: the name of the range as in the file, n bytes. Ranges that end before they start are ignored. */
int ranges_add(struct ranges *r, struct range_thread on, int64_t start_ns, int64_t end_ns, const char *text,
               size_t n, struct err *e);
int ranges_call(struct ranges *r, struct range_thread on, uint64_t correlation, int64_t start_ns, struct err *e);
/* Adds the next launch. Launches are numbered from 0 in the order of these calls. on: GPU stream of the launch. */
int ranges_launch(struct ranges *r, uint64_t process, uint64_t correlation, uint64_t stream, int64_t start_ns,
                  struct err *e);

/* The thread number of a GPU stream, for RANGES_GPU. */
static inline uint64_t ranges_stream(int64_t device, uint64_t stream)
{
    return (uint64_t)device << 48 ^ stream;
}

size_t ranges_bytes(const struct ranges *r); /* memory of everything added */
/* Sets p->domains, or leaves it NULL where no launch is in a range. order[i]: the number that ranges_launch() gave
 * to launch i of the profile; NULL: both numbers are equal. *cut: the number of launches whose path was cut,
 * because it is too long or there are too many paths. */
int ranges_resolve(struct ranges *r, const uint32_t *order, struct profile *p, uint64_t *cut, struct err *e);

#endif
