/* Local memory: private to a thread. Word k of all 32 lanes is contiguous, as in hardware. Also access to a
 * lane's generic addresses. */
#include <string.h>

#include "ptx/warp/exec_internal.h"

/* Host pointer to byte `at` of the lane. The following bytes up to the end of the word are contiguous. */
static uint8_t *local_byte(const struct ptx_warp *w, uint32_t lane, uint32_t at)
{
    return w->local + ((size_t)(at / 4) * PTX_LANES + lane) * 4 + at % 4;
}

static uint32_t rest_of_word(uint32_t at, uint32_t n)
{
    return n < 4 - at % 4 ? n : 4 - at % 4;
}

void ptx_local_read(const struct ptx_warp *w, uint32_t lane, uint32_t at, void *out, uint32_t n)
{
    uint8_t *to = out;

    for (uint32_t done = 0, part; done < n; done += part) {
        part = rest_of_word(at + done, n - done);
        memcpy(to + done, local_byte(w, lane, at + done), part);
    }
}

void ptx_local_write(struct ptx_warp *w, uint32_t lane, uint32_t at, const void *from, uint32_t n)
{
    const uint8_t *bytes = from;

    for (uint32_t done = 0, part; done < n; done += part) {
        part = rest_of_word(at + done, n - done);
        memcpy(local_byte(w, lane, at + done), bytes + done, part);
    }
}

static bool inside(uint64_t at, uint64_t n, uint64_t size)
{
    return at <= size && n <= size - at;
}

/* The bytes at a generic address that is not in local memory. NULL: there are none. */
static uint8_t *bytes_at(const struct ptx_cta *c, uint64_t address, uint32_t n)
{
    if (address - PTX_SHARED_BASE < PTX_WINDOW_BYTES)
        return inside(address - PTX_SHARED_BASE, n, c->shared_bytes) ? c->shared + (address - PTX_SHARED_BASE)
                                                                     : NULL;
    return device_bytes(c->memory, address, n);
}

int ptx_generic_read(const struct ptx_warp *w, uint32_t lane, uint64_t address, void *out, uint32_t n)
{
    const struct ptx_cta *c = w->cta;
    const void *from = NULL;

    if (address - PTX_LOCAL_BASE < PTX_WINDOW_BYTES) {
        if (!inside(address - PTX_LOCAL_BASE, n, w->local_bytes))
            return -1;
        ptx_local_read(w, lane, (uint32_t)(address - PTX_LOCAL_BASE), out, n);
        return 0;
    }
    if (address - PTX_PARAM_BASE < PTX_WINDOW_BYTES)
        from = inside(address - PTX_PARAM_BASE, n, c->param_bytes) ? c->params + (address - PTX_PARAM_BASE) : NULL;
    else
        from = bytes_at(c, address, n);
    if (!from)
        return -1;
    memcpy(out, from, n);
    return 0;
}

int ptx_generic_write(struct ptx_warp *w, uint32_t lane, uint64_t address, const void *from, uint32_t n)
{
    uint8_t *to;

    if (address - PTX_LOCAL_BASE < PTX_WINDOW_BYTES) {
        if (!inside(address - PTX_LOCAL_BASE, n, w->local_bytes))
            return -1;
        ptx_local_write(w, lane, (uint32_t)(address - PTX_LOCAL_BASE), from, n);
        return 0;
    }
    to = bytes_at(w->cta, address, n);
    if (!to)
        return -1;
    memcpy(to, from, n);
    return 0;
}
