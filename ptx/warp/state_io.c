/* ptx/warp/state_io.c: saves and loads numbers and bytes. */
#include "ptx/warp/state_io.h"

#include <string.h>

static void save(struct ptx_io *io, uint64_t value, size_t bytes)
{
    uint8_t text[8];

    for (size_t i = 0; i < bytes; i++)
        text[i] = (uint8_t)(value >> 8 * i);
    strbuf_add(&io->out, text, bytes);
}

static uint64_t load(struct ptx_io *io, size_t bytes)
{
    uint64_t value = 0;

    if (!ptx_io_check(io, io->left >= bytes))
        return 0;
    for (size_t i = 0; i < bytes; i++)
        value |= (uint64_t)io->in[i] << 8 * i;
    io->in += bytes;
    io->left -= bytes;
    return value;
}

#define NUMBER(type)                                                                                               \
    do {                                                                                                           \
        if (io->saves)                                                                                             \
            save(io, *(type *)at, sizeof(type));                                                                   \
        else                                                                                                       \
            *(type *)at = (type)load(io, sizeof(type));                                                            \
    } while (0)

void ptx_io_number(struct ptx_io *io, void *at, size_t bytes)
{
    switch (bytes) {
    case 1: NUMBER(uint8_t); break;
    case 2: NUMBER(uint16_t); break;
    case 4: NUMBER(uint32_t); break;
    default: NUMBER(uint64_t); break;
    }
}

void ptx_io_bytes(struct ptx_io *io, void *at, size_t n)
{
    if (io->saves) {
        strbuf_add(&io->out, at, n);
        return;
    }
    if (!ptx_io_check(io, io->left >= n))
        return;
    if (n)
        memcpy(at, io->in, n);
    io->in += n;
    io->left -= n;
}

bool ptx_io_check(struct ptx_io *io, bool holds)
{
    io->bad = io->bad || (!io->saves && !holds);
    return !io->bad;
}
