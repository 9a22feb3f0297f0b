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
}; /* readers that do not know it refuse the file; zstd */

/* Appends one. `flags`: with SECTION_PACKED it is compressed here. */
int section_add(struct strbuf *file, const char *tag, uint32_t flags, const struct strbuf *content, struct err *e);

struct section {
    const char *tag;
    uint8_t *bytes; /* unpacked, malloc'ed; NULL: there was none */
    size_t n;
};
/* Reads those of `wanted` (NULL tag at the end). ERR_MALFORMED, ERR_UNSUPPORTED; what was read is to be released.
 */
int sections_read(const uint8_t *file, size_t n, struct section *wanted, struct err *e);
void sections_release(struct section *wanted);
/* The one that comes next must have the tag of *s, which gets its bytes. */
int section_next(struct ptx_io *io, struct section *s, struct err *e);

/* --- checkpoint_memory.c --- */
enum { PAGE_BYTES = 4096 };

/* Pages in which anything is allocated, ascending; the others are zero. NULL: no more. */
struct page_walk {
    const struct device_memory *memory;
    size_t allocation; /* from 0 */
    uint64_t next;     /* address; from 0 */
};
const uint8_t *page_walk_next(struct page_walk *w, uint64_t *address);
bool page_is_zero(const uint8_t *page);

/* Contents of pages by their hash, ascending; they lie in sections of open checkpoints. */
struct page_store {
    struct stored_page {
        uint8_t hash[SHA256_BYTES];
        const uint8_t *bytes;
    } * pages;
    size_t count, capacity;
};
const uint8_t *page_find(const struct page_store *s, const uint8_t hash[SHA256_BYTES]);
/* Those of a section "DATA"; false: it is damaged. Not sorted before page_store_sort(). */
bool page_store_add(struct page_store *s, const uint8_t *data, size_t n, struct err *e);
void page_store_sort(struct page_store *s);

/* "ALLO": what is allocated. "PAGE": which page of the device has which content; "DATA": contents that `known` does
 * not have. */
void memory_table_save(const struct device_memory *m, struct ptx_io *io);
int memory_pages_save(const struct device_memory *m, const struct page_store *known, struct strbuf *pages,
                      struct strbuf *data, struct err *e);
/* Everything that is allocated now must be in the table, too: ERR_UNSUPPORTED. All memory is zero then. */
int memory_table_load(struct device_memory *m, const struct section *table, struct err *e);
/* And with its pages. */
int memory_load(struct device_memory *m, const struct section *table, const struct section *pages,
                const struct page_store *store, struct err *e);

#endif
