/* ptx/checkpoint/checkpoint_memory.c: device memory in a checkpoint: the table of allocations and the pages that
 * are not zero. Each content is stored once. */
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ptx/checkpoint/checkpoint_file.h"

/* --- page contents by hash --- */

static int by_hash(const void *a, const void *b)
{
    return memcmp(((const struct stored_page *)a)->hash, ((const struct stored_page *)b)->hash, SHA256_BYTES);
}

const uint8_t *page_find(const struct page_store *s, const uint8_t hash[SHA256_BYTES])
{
    struct stored_page key = {.bytes = NULL};
    const struct stored_page *found;

    memcpy(key.hash, hash, SHA256_BYTES);
    found = s->count ? bsearch(&key, s->pages, s->count, sizeof *s->pages, by_hash) : NULL;
    return found ? found->bytes : NULL;
}

void page_store_sort(struct page_store *s)
{
    if (s->count)
        qsort(s->pages, s->count, sizeof *s->pages, by_hash);
}

bool page_store_add(struct page_store *s, const uint8_t *data, size_t n, struct err *e)
{
    size_t pages = n / (SHA256_BYTES + PAGE_BYTES);

    if (n % (SHA256_BYTES + PAGE_BYTES)) {
        err_set(e, ERR_MALFORMED, "it is damaged or cut short");
        return false;
    }
    if (array_reserve((void **)&s->pages, &s->capacity, s->count + pages + 1, sizeof *s->pages, e))
        return false;
    for (size_t i = 0; i < pages; i++, data += SHA256_BYTES + PAGE_BYTES) {
        memcpy(s->pages[s->count].hash, data, SHA256_BYTES);
        s->pages[s->count++].bytes = data + SHA256_BYTES;
    }
    return true;
}

/* --- saving --- */

static void allocation_io(struct ptx_io *io, struct device_allocation *a)
{
    uint32_t label = a->label ? (uint32_t)strlen(a->label) : 0;

    PTX_IO(io, a->address);
    PTX_IO(io, a->bytes);
    PTX_IO(io, a->freed);
    PTX_IO(io, label);
    if (io->saves)
        strbuf_add(&io->out, a->label, label);
}

void memory_table_save(const struct device_memory *m, struct ptx_io *io)
{
    uint64_t next = device_next(m), count;
    const struct device_allocation *freed;
    size_t n, k = 0;
    const struct device_allocation *const *live = device_allocations(m, &n);

    while (device_freed(m, k))
        k++;
    count = n + k;
    PTX_IO(io, next);
    PTX_IO(io, count);
    for (size_t i = 0; i < n; i++) {
        struct device_allocation a = *live[i];

        allocation_io(io, &a);
    }
    for (k = 0; (freed = device_freed(m, k)); k++) {
        struct device_allocation a = *freed;

        allocation_io(io, &a);
    }
}

bool page_is_zero(const uint8_t *page)
{
    uint64_t any = 0, word;

    for (size_t i = 0; i < PAGE_BYTES; i += 8) {
        memcpy(&word, page + i, 8);
        any |= word;
    }
    return any == 0;
}

struct page_writer {
    struct strbuf *pages;
    struct page_store found; /* all pages that are not zero */
    struct err *e;
};

static int save_page(struct page_writer *w, uint64_t address, const uint8_t *bytes)
{
    struct ptx_io number = {.saves = true, .out = *w->pages};
    struct sha256 *h = sha256_new(w->e);
    struct stored_page *p;

    if (!h || array_reserve((void **)&w->found.pages, &w->found.capacity, w->found.count + 1, sizeof *p, w->e)) {
        sha256_free(h);
        return -1;
    }
    p = &w->found.pages[w->found.count++];
    sha256_update(h, bytes, PAGE_BYTES);
    sha256_final(h, p->hash);
    sha256_free(h);
    p->bytes = bytes;
    PTX_IO(&number, address);
    *w->pages = number.out;
    strbuf_add(w->pages, p->hash, sizeof p->hash);
    return 0;
}

/* The usable range begins and ends at page boundaries, so whole pages can be read. */
const uint8_t *page_walk_next(struct page_walk *w, uint64_t *address)
{
    size_t n;
    const struct device_allocation *const *live = device_allocations(w->memory, &n);

    for (; w->allocation < n; w->allocation++) {
        uint64_t from = live[w->allocation]->address / PAGE_BYTES * PAGE_BYTES;

        *address = w->next < from ? from : w->next;
        if (*address < live[w->allocation]->address + live[w->allocation]->bytes) {
            w->next = *address + PAGE_BYTES;
            return (const uint8_t *)(uintptr_t)(*address + (uint64_t)device_shift(w->memory));
        }
    }
    return NULL;
}

static int save_pages(struct page_writer *w, const struct device_memory *m)
{
    struct page_walk walk = {.memory = m};
    const uint8_t *bytes;
    uint64_t address;

    while ((bytes = page_walk_next(&walk, &address)) != NULL)
        if (!page_is_zero(bytes) && save_page(w, address, bytes) != 0)
            return -1;
    return 0;
}

int memory_pages_save(const struct device_memory *m, const struct page_store *known, struct strbuf *pages,
                      struct strbuf *data, struct err *e)
{
    struct page_writer w = {.pages = pages, .e = e};
    int ret = save_pages(&w, m);

    page_store_sort(&w.found);
    for (size_t i = 0; ret == 0 && i < w.found.count; i++) {
        const struct stored_page *p = &w.found.pages[i];

        if ((i && by_hash(p, p - 1) == 0) || page_find(known, p->hash))
            continue;
        strbuf_add(data, p->hash, sizeof p->hash);
        strbuf_add(data, p->bytes, PAGE_BYTES);
    }
    free(w.found.pages);
    return ret;
}

/* --- loading --- */

static int damaged(struct err *e)
{
    return err_set(e, ERR_MALFORMED, "it is damaged or cut short");
}

struct table {
    struct device_allocation *items;
    uint64_t count, next;
};

static void table_release(struct table *t)
{
    for (uint64_t i = 0; t->items && i < t->count; i++)
        free((void *)(uintptr_t)t->items[i].label);
    free(t->items);
}

static int table_read(struct table *t, const struct section *from, struct err *e)
{
    struct ptx_io io = {.in = from->bytes, .left = from->n};

    PTX_IO(&io, t->next);
    PTX_IO(&io, t->count);
    if (!ptx_io_check(&io, t->count <= io.left)) {
        t->count = 0;
        return damaged(e);
    }
    t->items = mem_zalloc(t->count + 1, sizeof *t->items, e);
    for (uint64_t i = 0; t->items && i < t->count; i++) {
        struct device_allocation *a = &t->items[i];
        uint32_t label = 0;

        PTX_IO(&io, a->address);
        PTX_IO(&io, a->bytes);
        PTX_IO(&io, a->freed);
        PTX_IO(&io, label);
        if (!ptx_io_check(&io, label <= io.left))
            return damaged(e);
        a->label = mem_strndup((const char *)io.in, label, e);
        if (!a->label)
            return -1;
        io.in += label;
        io.left -= label;
    }
    return t->items ? 0 : -1;
}

/* Is each present allocation in the table, with the same address and size? */
static int table_fits(const struct table *t, const struct device_memory *m, struct err *e)
{
    size_t n;
    const struct device_allocation *const *live = device_allocations(m, &n);

    for (size_t i = 0; i < n; i++) {
        uint64_t k = 0;

        while (k < t->count && (t->items[k].address != live[i]->address || t->items[k].bytes != live[i]->bytes))
            k++;
        if (k == t->count)
            return err_set(e, ERR_UNSUPPORTED,
                           "it was written by a program with other buffers: it has no %s of %llu bytes",
                           live[i]->label, (unsigned long long)live[i]->bytes);
    }
    return 0;
}

static int load_pages(struct device_memory *m, const struct section *pages, const struct page_store *store,
                      struct err *e)
{
    struct ptx_io io = {.in = pages->bytes, .left = pages->n};

    while (io.left) {
        uint8_t hash[SHA256_BYTES];
        uint64_t address = 0;
        const uint8_t *from;

        PTX_IO(&io, address);
        ptx_io_bytes(&io, hash, sizeof hash);
        from = io.bad ? NULL : page_find(store, hash);
        if (!from || device_page_restore(m, address, from) != 0)
            return damaged(e);
    }
    return 0;
}

int memory_table_load(struct device_memory *m, const struct section *table, struct err *e)
{
    struct table t = {0};
    int ret = table_read(&t, table, e) == 0 && table_fits(&t, m, e) == 0
                  ? device_restore(m, t.items, t.count, t.next, e)
                  : -1;

    table_release(&t);
    return ret;
}

int memory_load(struct device_memory *m, const struct section *table, const struct section *pages,
                const struct page_store *store, struct err *e)
{
    return memory_table_load(m, table, e) == 0 ? load_pages(m, pages, store, e) : -1;
}
