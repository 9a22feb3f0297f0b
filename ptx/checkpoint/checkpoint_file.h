/* ptx/checkpoint/checkpoint_file.h: the sections of a checkpoint file, and the pages of memory in them. */
#ifndef VIVACE_PTX_CHECKPOINT_CHECKPOINT_FILE_H
#define VIVACE_PTX_CHECKPOINT_CHECKPOINT_FILE_H

#include "base/hash.h"
#include "ptx/memory/device_memory.h"
#include "ptx/warp/state_io.h"

enum { SECTION_TAG = 4 };
enum section_flags {
    SECTION_NEEDED = 1,
    SECTION_PACKED = 2
}; /* NEEDED: a reader that does not know the section refuses the file; PACKED: compressed with zstd */

/* Appends a section to `file`. With SECTION_PACKED in `flags`, the function compresses the content. */
int section_add(struct strbuf *file, const char *tag, uint32_t flags, const struct strbuf *content, struct err *e);

struct section {
    const char *tag;
    uint8_t *bytes; /* unpacked, malloc'ed; NULL: the file has no such section */
    size_t n;
};
/* Reads the sections of `wanted`, whose last entry has tag NULL. ERR_MALFORMED, ERR_UNSUPPORTED. The caller
 * releases the sections, after an error too. */
int sections_read(const uint8_t *file, size_t n, struct section *wanted, struct err *e);
void sections_release(struct section *wanted);
/* Reads the next section into *s. ERR_MALFORMED if its tag is not that of *s. */
int section_next(struct ptx_io *io, struct section *s, struct err *e);

/* --- checkpoint_memory.c --- */
enum { PAGE_BYTES = 4096 };

/* Iterates over the pages that contain allocated bytes, by ascending address. All other pages are zero.
 * page_walk_next() returns NULL at the end. */
struct page_walk {
    const struct device_memory *memory;
    size_t allocation; /* index; starts at 0 */
    uint64_t next;     /* address; starts at 0 */
};
const uint8_t *page_walk_next(struct page_walk *w, uint64_t *address);
bool page_is_zero(const uint8_t *page);

/* Page contents, sorted by hash. The bytes belong to the sections of open checkpoints. */
struct page_store {
    struct stored_page {
        uint8_t hash[SHA256_BYTES];
        const uint8_t *bytes;
    } * pages;
    size_t count, capacity;
};
const uint8_t *page_find(const struct page_store *s, const uint8_t hash[SHA256_BYTES]);
/* Adds the pages of a "DATA" section. false: the section is damaged, or no memory. Call page_store_sort() after the
 * last one. */
bool page_store_add(struct page_store *s, const uint8_t *data, size_t n, struct err *e);
void page_store_sort(struct page_store *s);

/* Section "ALLO": the table of allocations. "PAGE": the hash of each page that is not zero. "DATA": the contents
 * that `known` does not have. */
void memory_table_save(const struct device_memory *m, struct ptx_io *io);
int memory_pages_save(const struct device_memory *m, const struct page_store *known, struct strbuf *pages,
                      struct strbuf *data, struct err *e);
/* Restores the table of allocations and sets all memory to zero. ERR_UNSUPPORTED: a present allocation is missing
 * in the table. */
int memory_table_load(struct device_memory *m, const struct section *table, struct err *e);
/* Restores the table and the pages. */
int memory_load(struct device_memory *m, const struct section *table, const struct section *pages,
                const struct page_store *store, struct err *e);

#endif
