/* worker/cache.h: blobs on the worker's disk, by SHA-256: cache/ab/ab01….  When the size
 * limit is reached, the least recently used blobs are evicted, but never a pinned one. A file that is being written
 * ends in .part and is renamed when its hash is right. */
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
    unsigned pins; /* number of users; a pinned blob is not evicted */
    bool trusted;  /* written and checked by this process; otherwise check before use: cache_check() */
};

/* `suffix` ends each file's name ("" or ".json"). `checked`: the name is the hash of the bytes. Makes the folder,
 * removes .part files, indexes the existing files in order of their last use, and evicts down to the limit. */
int cache_open(const char *folder, const char *suffix, bool checked, uint64_t most_bytes, struct cache **out,
               struct err *e);
void cache_close(struct cache *c); /* the files stay */

/* Finds and pins an entry, and sets its last use to now. NULL: not in the cache. */
struct cache_entry *cache_pin(struct cache *c, const char *hex);
void cache_unpin(struct cache *c, struct cache_entry *entry);
/* Hashes the file of a pinned entry; may run on another thread while the entry is pinned. 1: the hash is right, 0:
 * it is wrong, -1: error. */
int cache_check(const struct cache *c, const struct cache_entry *entry, struct err *e);
/* Removes a damaged entry and its file. The caller holds its only pin. */
void cache_drop(struct cache *c, struct cache_entry *entry);
/* "FOLDER/ab/ab01…SUFFIX" into out. */
void cache_path(const struct cache *c, const char *hex, char *out, size_t size);

/* Writes a blob. cache_write_begin() evicts other entries until `expected` bytes fit (0: not known).
 * cache_write_finish() checks the hash, makes the file durable and returns the entry pinned. ERR_INVALID: the hash
 * of the bytes is not the name. */
struct cache_writer; /* opaque */
struct cache_writer *cache_write_begin(struct cache *c, const char *hex, uint64_t expected, struct err *e);
int cache_write(struct cache_writer *w, const void *bytes, size_t n, struct err *e);
uint64_t cache_written(const struct cache_writer *w);
int cache_write_restart(struct cache_writer *w, struct err *e); /* discards the bytes written so far */
struct cache_entry *cache_write_finish(struct cache_writer *w, struct err *e); /* ends w either way */
void cache_write_abort(struct cache_writer *w);                                /* NULL is fine */

uint64_t cache_bytes(const struct cache *c);
size_t cache_count(const struct cache *c);
/* Evicts the least recently used entries that are not pinned, until at most `most_bytes` remain or all remaining
 * entries are pinned. */
void cache_evict(struct cache *c, uint64_t most_bytes);

/* Makes a folder and its parents (0700). */
int make_folders(const char *path, struct err *e);

#endif
