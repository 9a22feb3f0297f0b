/* worker/fetch.h: blobs from the server into the cache: one download a blob, however many jobs wait for it; resumed
 * after a broken connection, checked, tried again with growing pauses. */
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

/* entry: pinned for the receiver, who unpins it. NULL: *e says why; ERR_NETWORK or ERR_NOT_FOUND: the blob cannot
 * be had; ERR_NO_SPACE and ERR_IO: this machine's disk. */
typedef void (*fetched_fn)(void *ctx, struct cache_entry *entry, const struct err *e);
/* Calls back once, at once when the blob is here and checked. *out (may be NULL afterwards) is for giving up. */
void fetch_blob(struct fetcher *f, const char *hex, uint64_t bytes, fetched_fn done, void *ctx,
                struct fetch_wait **out);
void fetch_give_up(struct fetch_wait *w); /* `done` is not called; the download may go on */

#endif
