#include "simcore/engine/wide.h"

#include <stdint.h>
#include <sys/mman.h>

#define PAGE_BYTES  ((size_t)2 << 20) /* size of a large page of x86-64, and of ARM with small pages of 4 KB */
#define SMALL_BYTES ((size_t)4 << 10)

static size_t rounded(size_t n, size_t to)
{
    return (n + to - 1) / to * to;
}

/* The size of the allocation: whole large pages if the array fills at least a quarter of one. */
static size_t room_for(size_t bytes)
{
    return rounded(bytes ? bytes : 1, bytes >= PAGE_BYTES / 4 ? PAGE_BYTES : SMALL_BYTES);
}

void *wide_zalloc(size_t count, size_t size, struct err *e)
{
    size_t bytes, room, before;
    char *map;

    if (__builtin_mul_overflow(count, size, &bytes) || bytes > SIZE_MAX / 2)
        goto fail;
    room = room_for(bytes);
    /* A large page must be aligned to its size, so the excess around it is unmapped. */
    map = mmap(NULL, room + PAGE_BYTES, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (map == MAP_FAILED)
        goto fail;
    before = rounded((uintptr_t)map, PAGE_BYTES) - (uintptr_t)map;
    if (before)
        munmap(map, before);
    if (before < PAGE_BYTES)
        munmap(map + before + room, PAGE_BYTES - before);
    madvise(map + before, room, MADV_HUGEPAGE); /* only a hint: hosts without large pages ignore it */
    return map + before;
fail:
    err_set(e, ERR_NO_MEMORY, "out of memory: %zu times %zu bytes", count, size);
    return NULL;
}

void wide_free(void *p, size_t count, size_t size)
{
    if (p)
        munmap(p, room_for(count * size));
}
