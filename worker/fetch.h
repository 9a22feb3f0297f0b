/* worker/fetch.h: downloads blobs from the server into the cache. Jobs that wait for the same blob share one
 * download. A broken download is resumed, with growing pauses between retries, and the blob's hash is checked. */
#ifndef VIVACE_WORKER_FETCH_H
#define VIVACE_WORKER_FETCH_H

#include "worker/cache.h"
#include "worker/http.h"

struct fetcher;    /* opaque: one for each cache */
struct fetch_wait; /* opaque */

/* `route` is the path before the hash: "/api/v1/blobs/". */
int fetcher_open(uv_loop_t *loop, struct http *http, struct cache *cache, const char *route, struct fetcher **out,
                 struct err *e);
/* Drops all downloads without calling back. */
void fetcher_close(struct fetcher *f);

/* entry: pinned for the receiver, which unpins it. NULL: *e holds the error. ERR_NETWORK and ERR_NOT_FOUND: the
 * blob is not available; ERR_NO_SPACE and ERR_IO: an error of this machine's disk. */
typedef void (*fetched_fn)(void *ctx, struct cache_entry *entry, const struct err *e);
/* Calls `done` once; within this call when the cache has the blob and it is checked. *out is the handle for
 * fetch_give_up(); it is NULL when `done` was already called. */
void fetch_blob(struct fetcher *f, const char *hex, uint64_t bytes, fetched_fn done, void *ctx,
                struct fetch_wait **out);
void fetch_give_up(struct fetch_wait *w); /* `done` is not called; the download may continue */

#endif
