/* ptx/warp/state_io.h: saves state to a file and loads it. One function does both, so that the formats cannot
 * differ. Numbers are little-endian and have the size of the variable. */
#ifndef VIVACE_PTX_WARP_STATE_IO_H
#define VIVACE_PTX_WARP_STATE_IO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

struct ptx_io {
    bool saves;        /* true: save; false: load */
    bool bad;          /* loading: the data is invalid or too short; numbers are then 0 */
    struct strbuf out; /* saving */
    const uint8_t *in; /* loading: the next byte; `left` is the number of remaining bytes */
    size_t left;
};

void ptx_io_number(struct ptx_io *io, void *at, size_t bytes); /* bytes: 1, 2, 4 or 8 */
void ptx_io_bytes(struct ptx_io *io, void *at, size_t n);
/* Loading: sets `bad` if the condition is false. Returns true if the data is valid up to now. */
bool ptx_io_check(struct ptx_io *io, bool holds);

#define PTX_IO(io, x) ptx_io_number(io, &(x), sizeof(x))

struct ptx_run;
struct ptx_cta;
/* state_run.c: saves or loads a launch. Loading needs a launch that ptx_run_new() has created and that has not
 * run. -1: no memory, *e is set. io->bad: the data is invalid. */
int ptx_run_io(struct ptx_run *r, struct ptx_io *io, struct err *e);
/* state_cta.c: saves or loads a CTA that has begun. */
int ptx_cta_io(struct ptx_cta *c, struct ptx_io *io);
/* exec_async.c: saves or loads the CTA's pending asynchronous copies. */
int ptx_async_io(struct ptx_cta *c, struct ptx_io *io);

#endif
