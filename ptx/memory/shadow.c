/* ptx/memory/shadow.c: a reserved range with one bit for each byte of device memory. The system allocates its
 * pages at their first use. */
#include "ptx/memory/shadow.h"

#include <errno.h>
#include <stdlib.h>
#include <sys/mman.h>

#include "base/array.h"

struct ptx_shadow {
    uint8_t *bits; /* one for each byte: it is fresh */
    uint64_t span; /* bytes of `bits` */
};

struct ptx_shadow *ptx_shadow_new(const struct device_memory *m, struct err *e)
{
    struct ptx_shadow *s = mem_zalloc(1, sizeof *s, e);

    if (!s)
        return NULL;
    s->span = device_span(m) / 8;
    s->bits = mmap(NULL, s->span, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (s->bits == MAP_FAILED) {
        err_set_errno(e, errno, "%llu MiB of addresses for strict mode", (unsigned long long)(s->span >> 20));
        free(s);
        return NULL;
    }
    return s;
}

void ptx_shadow_free(struct ptx_shadow *s)
{
    if (!s)
        return;
    munmap(s->bits, s->span);
    free(s);
}

static bool get(const struct ptx_shadow *s, uint64_t at)
{
    return s->bits[at / 8] >> at % 8 & 1;
}

static void set(struct ptx_shadow *s, uint64_t at, bool fresh)
{
    uint8_t bit = (uint8_t)(1 << at % 8);

    s->bits[at / 8] = (uint8_t)(fresh ? s->bits[at / 8] | bit : s->bits[at / 8] & ~bit);
}

static void set_all(struct ptx_shadow *s, uint64_t address, uint64_t bytes, bool fresh)
{
    uint64_t at = address - PTX_GLOBAL_BASE, end = at + bytes;

    for (; at < end && at % 8; at++)
        set(s, at, fresh);
    for (; at + 8 <= end; at += 8)
        if (s->bits[at / 8] != (fresh ? 0xff : 0)) /* does not touch a page that already has the value */
            s->bits[at / 8] = fresh ? 0xff : 0;
    for (; at < end; at++)
        set(s, at, fresh);
}

void ptx_shadow_fresh(struct ptx_shadow *s, uint64_t address, uint64_t bytes)
{
    set_all(s, address, bytes, true);
}

void ptx_shadow_written(struct ptx_shadow *s, uint64_t address, uint64_t bytes)
{
    set_all(s, address, bytes, false);
}

void ptx_shadow_copied(struct ptx_shadow *s, uint64_t to, uint64_t from, uint64_t bytes)
{
    for (uint64_t i = 0; i < bytes; i++) {
        uint64_t k = to <= from ? i : bytes - 1 - i;

        set(s, to + k - PTX_GLOBAL_BASE, get(s, from + k - PTX_GLOBAL_BASE));
    }
}

bool ptx_shadow_is_fresh(const struct ptx_shadow *s, uint64_t address, uint64_t bytes)
{
    uint64_t at = address - PTX_GLOBAL_BASE;

    for (uint64_t i = 0; i < bytes; i++)
        if (get(s, at + i))
            return true;
    return false;
}
