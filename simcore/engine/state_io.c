#include "simcore/engine/state_io.h"

#include <string.h>

#include "base/assert.h"

void state_bytes(struct state_io *io, void *p, size_t n)
{
    if (!n) /* arrays of parts that are not simulated can be NULL */
        return;
    ASSERT(p);
    if (!state_loading(io)) {
        strbuf_add(io->out, p, n);
        return;
    }
    ASSERT(io->at <= io->end);
    if (io->failed || (size_t)(io->end - io->at) < n) {
        io->failed = true;
        memset(p, 0, n);
        return;
    }
    memcpy(p, io->at, n);
    io->at += n;
}

bool state_flag(struct state_io *io, bool v)
{
    uint8_t byte = v;

    STATE(io, byte);
    return state_check(io, byte <= 1) && byte;
}

uint32_t state_number(struct state_io *io, uint32_t v)
{
    STATE(io, v);
    return v;
}

bool state_check(struct state_io *io, bool holds)
{
    ASSERT(state_loading(io) || holds);
    io->failed |= !holds;
    return !io->failed;
}
