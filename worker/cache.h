/* worker/cache.h: blobs on the worker's disk, by SHA-256: cache/ab/ab01….  The least recently used give way to a
 * size limit; those in use never do. What is being written ends in .part and is renamed when its hash is right. */
#ifndef VIVACE_WORKER_CACHE_H
#define VIVACE_WORKER_CACHE_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hash.h"

struct cache; /* opaque */
struct cache_entry {
    struct cache_entry *newer, *older; /* by last use */
    struct cache_entry *chain;         /* same bucket */
    char hex[SHA256_HEX];
    uint64_t bytes;
    unsigned pins; /* users; while there are any it stays */
    bool trusted;  /* written and checked by this process; otherwise check before use: cache_check() */
};

/* `suffix` ends each file's name ("" or ".json"). `checked`: the name is the hash of the bytes. Makes the folder,
 * removes .part files, takes up what is there, oldest use first, and evicts down to the limit. */
int cache_open(const char *folder, const char *suffix, bool checked, uint64_t most_bytes, struct cache **out,
               struct err *e);
void cache_close(struct cache *c); /* the files stay */

/* NULL: not here. A found entry counts as used now and is pinned. */
struct cache_entry *cache_pin(struct cache *c, const char *hex);
void cache_unpin(struct cache *c, struct cache_entry *entry);
/* Hashes the file of a pinned entry; may run on another thread while the entry is pinned. 1 right, 0 wrong, -1. */
int cache_check(const struct cache *c, const struct cache_entry *entry, struct err *e);
/* Drops a pinned entry (the last pin) and its file: it was damaged. */
void cache_drop(struct cache *c, struct cache_entry *entry);
/* "FOLDER/ab/ab01…SUFFIX" into out. */
void cache_path(const struct cache *c, const char *hex, char *out, size_t size);

/* Writing one: begin makes room for `expected` bytes (0: not known) by evicting; finish checks the hash, makes the
 * file durable and returns it pinned. ERR_INVALID: the bytes are not those of the name. */
struct cache_writer; /* opaque */
struct cache_writer *cache_write_begin(struct cache *c, const char *hex, uint64_t expected, struct err *e);
int cache_write(struct cache_writer *w, const void *bytes, size_t n, struct err *e);
uint64_t cache_written(const struct cache_writer *w);
int cache_write_restart(struct cache_writer *w, struct err *e);                /* forgets what was written */
struct cache_entry *cache_write_finish(struct cache_writer *w, struct err *e); /* ends w either way */
void cache_write_abort(struct cache_writer *w);                                /* NULL is fine */

uint64_t cache_bytes(const struct cache *c);
size_t cache_count(const struct cache *c);
/* Evicts the least recently used, not pinned, until at most `most_bytes` are left or nothing more may go. */
void cache_evict(struct cache *c, uint64_t most_bytes);

/* Makes a folder and its parents (0700). */
int make_folders(const char *path, struct err *e);

#endif
