/* The device's address range. Allocations get fresh addresses until the range is used up. After that they reuse
 * gaps between allocations, including ranges that were freed.
 *
 * A freed range stays recorded, and its addresses unused, as long as possible. A use after free is then reported
 * as such. A gap that belongs to no allocation follows every allocation. */
#include "ptx/memory/device_memory.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/array.h"

#ifndef MAP_FIXED_NOREPLACE
#define MAP_FIXED_NOREPLACE 0x100000 /* since Linux 4.17; older systems treat it as a hint */
#endif

enum {
    ALIGN_MIN = 256, /* as cudaMalloc guarantees */
    ALIGN_MAX = 4096,
    GUARD = 256,            /* bytes after every allocation and before the first */
    COMMIT_STEP = 16 << 20, /* bytes made usable at a time */
    FREED_KEPT = 4096       /* number of freed ranges that are recorded */
};
#define SPAN_MIN (64ull << 30)
#define SPAN_MAX (8ull << 40)

struct list { /* sorted by address */
    struct device_allocation **items;
    size_t count, capacity;
};

struct device_memory {
    uint8_t *host; /* host address of PTX_GLOBAL_BASE */
    ptrdiff_t shift;
    uint64_t span, committed; /* bytes reserved; bytes of these that are usable */
    uint64_t next;            /* offset of the next fresh address */
    uint64_t limit, used;
    uint32_t generation;
    struct list all, live;                       /* all: includes freed allocations */
    struct device_allocation *freed[FREED_KEPT]; /* a ring buffer that drops the oldest */
    size_t freed_first, freed_count;
};

/* --- lists --- */

/* The number of allocations that begin at or below the address. */
static size_t list_upto(const struct list *l, uint64_t address)
{
    size_t low = 0, high = l->count;

    while (low < high) {
        size_t middle = (low + high) / 2;

        if (l->items[middle]->address <= address)
            low = middle + 1;
        else
            high = middle;
    }
    return low;
}

static void list_insert(struct list *l, struct device_allocation *a) /* the capacity is sufficient */
{
    size_t at = list_upto(l, a->address);

    memmove(l->items + at + 1, l->items + at, (l->count - at) * sizeof(void *));
    l->items[at] = a;
    l->count++;
}

static void list_remove(struct list *l, const struct device_allocation *a)
{
    size_t at = list_upto(l, a->address);

    while (at > 0 && l->items[at - 1] != a)
        at--;
    if (at == 0)
        return;
    memmove(l->items + at - 1, l->items + at, (l->count - at) * sizeof(void *));
    l->count--;
}

static void allocation_free(struct device_allocation *a)
{
    if (a)
        free((void *)a->label);
    free(a);
}

/* Bytes of address range that an allocation occupies, including its gap. */
static uint64_t footprint(uint64_t bytes)
{
    return (bytes + ALIGN_MIN - 1) / ALIGN_MIN * ALIGN_MIN + GUARD;
}

/* --- the range --- */

/* Reserves as much of the range as the system grants, at the fixed base address if it is free. */
static int reserve(struct device_memory *m, struct err *e)
{
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *want = (void *)(uintptr_t)PTX_GLOBAL_BASE;
    uint64_t least = m->limit + m->limit / 8 + COMMIT_STEP;
    void *got = MAP_FAILED;

    m->span = m->limit < SPAN_MAX / 4 ? 4 * m->limit : SPAN_MAX;
    if (m->span < SPAN_MIN)
        m->span = SPAN_MIN;
    for (; m->span >= least && got == MAP_FAILED; m->span /= got == MAP_FAILED ? 2 : 1) {
        got = mmap(want, m->span, PROT_NONE, flags | MAP_FIXED_NOREPLACE, -1, 0);
        if (got == MAP_FAILED)
            got = mmap(NULL, m->span, PROT_NONE, flags, -1, 0);
    }
    if (got == MAP_FAILED)
        return err_set_errno(e, errno, "cannot reserve addresses for %llu MiB of device memory",
                             (unsigned long long)(m->limit >> 20));
    m->span -= m->span % COMMIT_STEP;
    m->host = got;
    m->shift = (ptrdiff_t)((uintptr_t)got - (uintptr_t)PTX_GLOBAL_BASE);
    return 0;
}

struct device_memory *device_memory_new(uint64_t limit_bytes, struct err *e)
{
    struct device_memory *m;

    if (limit_bytes > SPAN_MAX / 2) {
        err_set(e, ERR_INVALID, "%llu GiB of device memory are more than the address range holds (%llu GiB)",
                (unsigned long long)(limit_bytes >> 30), (unsigned long long)(SPAN_MAX / 2 >> 30));
        return NULL;
    }
    m = mem_zalloc(1, sizeof *m, e);
    if (!m)
        return NULL;
    m->limit = limit_bytes;
    m->next = GUARD;
    if (reserve(m, e) != 0) {
        free(m);
        return NULL;
    }
    return m;
}

void device_memory_free(struct device_memory *m)
{
    if (!m)
        return;
    for (size_t i = 0; i < m->all.count; i++)
        allocation_free(m->all.items[i]);
    free(m->all.items);
    free(m->live.items);
    munmap(m->host, m->span);
    free(m);
}

/* Makes the range usable up to offset `end`. */
static int commit(struct device_memory *m, uint64_t end, struct err *e)
{
    uint64_t to;

    if (end <= m->committed)
        return 0;
    to = (end + COMMIT_STEP - 1) / COMMIT_STEP * COMMIT_STEP;
    if (to > m->span)
        to = m->span;
    if (mprotect(m->host + m->committed, to - m->committed, PROT_READ | PROT_WRITE) != 0)
        return err_set_errno(e, errno, "%llu MiB of device memory", (unsigned long long)(to >> 20));
    m->committed = to;
    return 0;
}

/* --- allocating --- */

static uint64_t align_up(uint64_t x, uint32_t align)
{
    return (x + align - 1) & ~(uint64_t)(align - 1);
}

/* The offset of the first gap between live allocations that is large enough. 0: none. */
static uint64_t gap_between(const struct device_memory *m, uint64_t bytes, uint32_t align)
{
    uint64_t at = align_up(GUARD, align);

    for (size_t i = 0; i < m->live.count; i++) {
        const struct device_allocation *a = m->live.items[i];

        if (at + footprint(bytes) <= a->address - PTX_GLOBAL_BASE)
            return at;
        at = align_up(a->address - PTX_GLOBAL_BASE + footprint(a->bytes), align);
    }
    return at + footprint(bytes) <= m->span ? at : 0;
}

/* Removes a freed range from the records, because its addresses are used again. */
static void forget(struct device_memory *m, size_t place)
{
    struct device_allocation *a = m->freed[(m->freed_first + place) % FREED_KEPT];

    for (size_t i = place; i > 0; i--)
        m->freed[(m->freed_first + i) % FREED_KEPT] = m->freed[(m->freed_first + i - 1) % FREED_KEPT];
    m->freed_first = (m->freed_first + 1) % FREED_KEPT;
    m->freed_count--;
    list_remove(&m->all, a);
    allocation_free(a);
}

static void forget_overlaps(struct device_memory *m, uint64_t address, uint64_t end)
{
    for (size_t i = 0; i < m->freed_count; i++) {
        const struct device_allocation *a = m->freed[(m->freed_first + i) % FREED_KEPT];

        if (a->address < end && address < a->address + footprint(a->bytes)) {
            forget(m, i);
            i--; /* forget() moved the earlier entries up by one place and advanced freed_first */
        }
    }
}

static int place(struct device_memory *m, struct device_allocation *a, uint32_t align, struct err *e)
{
    uint64_t at = align_up(m->next, align);

    if (at + footprint(a->bytes) > m->span) {
        at = gap_between(m, a->bytes, align);
        if (at == 0)
            return err_set(e, ERR_NO_SPACE, "device memory has no free block of %llu bytes",
                           (unsigned long long)a->bytes);
    } else {
        m->next = at + footprint(a->bytes);
    }
    a->address = PTX_GLOBAL_BASE + at;
    if (commit(m, at + footprint(a->bytes), e) != 0)
        return -1;
    forget_overlaps(m, a->address, a->address + footprint(a->bytes));
    return 0;
}

int device_alloc(struct device_memory *m, uint64_t bytes, uint32_t align, const char *label, uint64_t *address,
                 struct err *e)
{
    struct device_allocation *a = NULL;

    align = align < ALIGN_MIN ? ALIGN_MIN : align;
    if (align > ALIGN_MAX || (align & (align - 1)) != 0)
        return err_set(e, ERR_INVALID, "the alignment of %u bytes must be a power of two up to %u", align,
                       (unsigned)ALIGN_MAX);
    if (bytes > m->limit || m->used + footprint(bytes) - GUARD > m->limit)
        return err_set(e, ERR_NO_SPACE, "%s: %llu bytes do not fit: %llu of %llu bytes of device memory are in use",
                       label ? label : "allocation", (unsigned long long)bytes, (unsigned long long)m->used,
                       (unsigned long long)m->limit);
    if (array_reserve((void **)&m->all.items, &m->all.capacity, m->all.count + 1, sizeof(void *), e) != 0 ||
        array_reserve((void **)&m->live.items, &m->live.capacity, m->live.count + 1, sizeof(void *), e) != 0)
        return -1;
    a = mem_zalloc(1, sizeof *a, e);
    if (!a)
        return -1;
    a->bytes = bytes;
    a->label = mem_strdup(label ? label : "", e);
    if (!a->label || place(m, a, align, e) != 0) {
        allocation_free(a);
        return -1;
    }
    list_insert(&m->all, a);
    list_insert(&m->live, a);
    m->used += footprint(bytes) - GUARD;
    m->generation++;
    *address = a->address;
    return 0;
}

/* Returns whole pages to the system. Reused memory must be zero. */
static void clear(const struct device_memory *m, const struct device_allocation *a)
{
    uint8_t *from = m->host + (a->address - PTX_GLOBAL_BASE), *end = from + a->bytes;
    uint8_t *page = (uint8_t *)(uintptr_t)align_up((uintptr_t)from, 4096);
    uint8_t *last = (uint8_t *)((uintptr_t)end & ~(uintptr_t)4095);

    if (page >= last || madvise(page, (size_t)(last - page), MADV_DONTNEED) != 0) {
        memset(from, 0, a->bytes);
        return;
    }
    memset(from, 0, (size_t)(page - from));
    memset(last, 0, (size_t)(end - last));
}

int device_release(struct device_memory *m, uint64_t address, struct err *e)
{
    size_t n = list_upto(&m->all, address);
    struct device_allocation *a = n > 0 ? m->all.items[n - 1] : NULL;

    if (!a || a->address != address)
        return err_set(e, ERR_INVALID, "cannot free address 0x%llx: no allocation begins there",
                       (unsigned long long)address);
    if (a->freed)
        return err_set(e, ERR_INVALID, "address 0x%llx (%s) is freed a second time", (unsigned long long)address,
                       a->label);
    if (m->freed_count == FREED_KEPT)
        forget(m, 0);
    clear(m, a);
    list_remove(&m->live, a);
    a->freed = true;
    m->freed[(m->freed_first + m->freed_count++) % FREED_KEPT] = a;
    m->used -= footprint(a->bytes) - GUARD;
    m->generation++;
    return 0;
}

/* --- looking up --- */

void *device_bytes(const struct device_memory *m, uint64_t address, uint64_t bytes)
{
    size_t n = list_upto(&m->live, address);
    const struct device_allocation *a = n > 0 ? m->live.items[n - 1] : NULL;

    if (!a || address - a->address > a->bytes || bytes > a->bytes - (address - a->address))
        return NULL;
    return m->host + (address - PTX_GLOBAL_BASE);
}

const struct device_allocation *device_find(const struct device_memory *m, uint64_t address)
{
    size_t n = list_upto(&m->all, address);

    return n > 0 ? m->all.items[n - 1] : NULL;
}

uint32_t device_generation(const struct device_memory *m)
{
    return m->generation;
}

const struct device_allocation *const *device_allocations(const struct device_memory *m, size_t *n)
{
    *n = m->live.count;
    return (const struct device_allocation *const *)m->live.items;
}

ptrdiff_t device_shift(const struct device_memory *m)
{
    return m->shift;
}

/* --- for checkpoints --- */

uint64_t device_span(const struct device_memory *m)
{
    return m->span;
}

uint64_t device_next(const struct device_memory *m)
{
    return m->next;
}

const struct device_allocation *device_freed(const struct device_memory *m, size_t k)
{
    return k < m->freed_count ? m->freed[(m->freed_first + k) % FREED_KEPT] : NULL;
}

static void forget_all(struct device_memory *m)
{
    for (size_t i = 0; i < m->all.count; i++)
        allocation_free(m->all.items[i]);
    m->all.count = m->live.count = m->freed_first = m->freed_count = 0;
    m->used = 0;
    m->generation++;
    if (m->committed && madvise(m->host, m->committed, MADV_DONTNEED) != 0)
        memset(m->host, 0, m->committed);
}

static int put_back(struct device_memory *m, const struct device_allocation *from, struct err *e)
{
    uint64_t at = from->address - PTX_GLOBAL_BASE;
    struct device_allocation *a;

    if (from->address < PTX_GLOBAL_BASE || at >= m->span || from->bytes > m->limit ||
        footprint(from->bytes) > m->span - at || (from->freed && m->freed_count == FREED_KEPT))
        return err_set(e, ERR_MALFORMED, "an allocation of %llu bytes at 0x%llx is not possible",
                       (unsigned long long)from->bytes, (unsigned long long)from->address);
    a = mem_zalloc(1, sizeof *a, e);
    if (!a)
        return -1;
    *a = *from;
    a->label = mem_strdup(from->label, e);
    if (!a->label || commit(m, at + footprint(a->bytes), e) != 0) {
        allocation_free(a);
        return -1;
    }
    list_insert(&m->all, a);
    if (a->freed) {
        m->freed[m->freed_count++] = a;
        return 0;
    }
    list_insert(&m->live, a);
    m->used += footprint(a->bytes) - GUARD;
    return 0;
}

int device_restore(struct device_memory *m, const struct device_allocation *items, size_t n, uint64_t next,
                   struct err *e)
{
    forget_all(m);
    if (array_reserve((void **)&m->all.items, &m->all.capacity, n + 1, sizeof(void *), e) != 0 ||
        array_reserve((void **)&m->live.items, &m->live.capacity, n + 1, sizeof(void *), e) != 0)
        return -1;
    if (next > m->span)
        return err_set(e, ERR_MALFORMED, "the device has fewer addresses than were in use");
    m->next = next;
    for (size_t i = 0; i < n; i++)
        if (put_back(m, &items[i], e) != 0)
            return -1;
    for (size_t i = 1; i < m->live.count; i++)
        if (m->live.items[i]->address - m->live.items[i - 1]->address < footprint(m->live.items[i - 1]->bytes))
            return err_set(e, ERR_MALFORMED, "allocations overlap at 0x%llx",
                           (unsigned long long)m->live.items[i]->address);
    return 0;
}

void *device_page(const struct device_memory *m, uint64_t address)
{
    uint64_t at = address - PTX_GLOBAL_BASE;

    return address < PTX_GLOBAL_BASE || address % 4096 || at >= m->committed ? NULL : m->host + at;
}

int device_page_restore(struct device_memory *m, uint64_t address, const void *bytes)
{
    void *page = device_page(m, address);

    if (!page)
        return -1;
    memcpy(page, bytes, 4096);
    return 0;
}
