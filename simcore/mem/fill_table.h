/* simcore/mem/fill_table.h: which sectors of which L2 lines are on their way from device memory, and who waits for
 * them. Requests are numbers from 1 on, as many as the table was made for; each waits for one line at a time.
 *
 * A fill belongs to a line's number, not to its place: the place may be given to another line before it arrives. */
#ifndef VIVACE_SIMCORE_MEM_FILL_TABLE_H
#define VIVACE_SIMCORE_MEM_FILL_TABLE_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct fill {
    uint64_t line;
    uint32_t next;        /* of the same place in L2, + 1; or of the free ones */
    uint32_t first, last; /* requests that wait, in order; 0: none */
    uint8_t pending;      /* sectors on their way */
};
struct fill_table {
    size_t places;
    uint32_t fills, first_free, fresh;
    uint32_t *at;   /* a place: its first fill + 1 */
    uint32_t *next; /* a request: who waits behind it */
    struct fill *fill;
};

int fill_table_init(struct fill_table *t, size_t places, uint32_t requests, struct err *e);
void fill_table_release(struct fill_table *t);
void fill_table_reset(struct fill_table *t); /* nothing is on its way */

/* Sectors of the line that are on their way. */
uint8_t fill_pending(const struct fill_table *t, size_t place, uint64_t line);
void fill_begin(struct fill_table *t, size_t place, uint64_t line, uint8_t sectors);
/* The request waits for the line, of which sectors are pending. */
void fill_wait(struct fill_table *t, size_t place, uint64_t line, uint32_t request);
/* These sectors have arrived. Returns the first of those that waited for the line, all taken off its list; who
 * needs others still has to wait anew. */
uint32_t fill_arrived(struct fill_table *t, size_t place, uint64_t line, uint8_t sectors);
uint32_t fill_next(const struct fill_table *t, uint32_t request);

#endif
