/* ptx/warp/state_io.h: state that goes into a file and comes back: one function for both ways, so that they
 * cannot differ. Numbers are little-endian, of the size of the variable. */
#ifndef VIVACE_PTX_WARP_STATE_IO_H
#define VIVACE_PTX_WARP_STATE_IO_H

#include <stdbool.h>
#include <stdint.h>

#include "base/strbuf.h"

struct ptx_io {
    bool saves;        /* else it loads */
    bool bad;          /* loading: what is there does not fit, or there is too little; numbers are 0 then */
    struct strbuf out; /* saving */
    const uint8_t *in; /* loading: what comes next, and how much of it there is */
    size_t left;
};

void ptx_io_number(struct ptx_io *io, void *at, size_t bytes); /* 1, 2, 4 or 8 */
void ptx_io_bytes(struct ptx_io *io, void *at, size_t n);
/* Loading: what was read must hold; else bad. Answers whether all is well. */
bool ptx_io_check(struct ptx_io *io, bool holds);

#define PTX_IO(io, x) ptx_io_number(io, &(x), sizeof(x))

struct ptx_run;
struct ptx_cta;
/* state_run.c: a launch that has been begun by ptx_run_new() and not run yet is as it was when it was saved. -1
 * with *e: memory; whether the bytes made sense says io->bad. */
int ptx_run_io(struct ptx_run *r, struct ptx_io *io, struct err *e);
/* state_cta.c: a CTA that has been begun. */
int ptx_cta_io(struct ptx_cta *c, struct ptx_io *io);
/* exec_async.c: its asynchronous copies under way. */
int ptx_async_io(struct ptx_cta *c, struct ptx_io *io);

#endif
