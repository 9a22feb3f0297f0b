/* simcore/mem/mshr.h: miss-status holding registers of L2, for the path with events: which sectors of which lines
 * are on their way from device memory, and which requests wait for them. There are as many as requests: none is
 * refused. Requests are numbers from 1 on; each waits for one line at a time.
 *
 * An entry belongs to a line's number, not to its place: the place may be given to another line before the sectors
 * arrive. The path that reserves needs none: a line knows when its newest fill arrives (l2.h). */
#ifndef VIVACE_SIMCORE_MEM_MSHR_H
#define VIVACE_SIMCORE_MEM_MSHR_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct mshr {
    uint64_t line;
    uint32_t next;        /* of the same place in L2, + 1; or of the free ones */
    uint32_t first, last; /* requests that wait, in order; 0: none */
    uint8_t pending;      /* sectors on their way */
};
struct mshr_file {
    size_t places;
    uint32_t entries, first_free, fresh;
    uint32_t *at;   /* a place: its first entry + 1 */
    uint32_t *next; /* a request: who waits behind it */
    struct mshr *entry;
};

int mshr_init(struct mshr_file *t, size_t places, uint32_t requests, struct err *e);
void mshr_release(struct mshr_file *t);
void mshr_reset(struct mshr_file *t); /* nothing is on its way */

/* Sectors of the line that are on their way. */
uint8_t mshr_pending(const struct mshr_file *t, size_t place, uint64_t line);
void mshr_allocate(struct mshr_file *t, size_t place, uint64_t line, uint8_t sectors);
/* The request waits for the line, of which sectors are pending. */
void mshr_merge(struct mshr_file *t, size_t place, uint64_t line, uint32_t request);
/* These sectors have arrived. Returns the first of those that waited for the line, all taken off its list; who
 * needs others still has to wait anew. */
uint32_t mshr_fill(struct mshr_file *t, size_t place, uint64_t line, uint8_t sectors);
uint32_t mshr_next(const struct mshr_file *t, uint32_t request);

#endif
