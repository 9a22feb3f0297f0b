/* server/store/blob/s3_client.h: objects in a bucket of S3 or a store like it, over libcurl. Calls block; any
 * thread may call.
 *
 * What the other side cannot do at this moment (500, 502, 503 SlowDown, 504, 429, a broken connection) is tried
 * again with growing pauses, for s3_settings.wait_s at most; silence of that length ends a call. After some calls
 * in a row without an answer the next are refused at once, until a probe is answered (s3_guard.h). Objects above
 * S3_PART_BYTES go in parts; a failed one is aborted. */
#ifndef VIVACE_SERVER_S3_CLIENT_H
#define VIVACE_SERVER_S3_CLIENT_H

#include <stdint.h>

#include "base/clock.h"
#include "base/err.h"
#include "base/strbuf.h"
#include "server/store/blob/s3_guard.h"

#define S3_PART_BYTES (UINT64_C(64) << 20)

struct s3; /* opaque */
struct s3_settings {
    const char *where;    /* "s3://bucket/prefix"; the prefix may be left out */
    const char *endpoint; /* "http://minio.example:9000": bucket in the path; NULL: Amazon's, by region */
    const char *region;
    const char *keys_file; /* "ACCESS SECRET [SESSION]" in one line; NULL: AWS_ACCESS_KEY_ID and its like */
    unsigned wait_s;       /* how long a call waits for a connection, a first byte, or at less than 1 kB/s */
};

int s3_open(const struct s3_settings *s, struct clock *clock, struct s3 **out, struct err *e);
void s3_free(struct s3 *s); /* NULL is fine */

/* 0: calls go to the store. -1: they would be refused: ERR_UNAVAILABLE. */
int s3_ask(struct s3 *s, struct err *e) MUST_CHECK;
/* Asks the store for something small where that is due: calls are refused, or none was made for a while. Takes
 * wait_s at most. 0: it was not due, or the store answered. */
int s3_probe(struct s3 *s, struct err *e);
void s3_state(struct s3 *s, struct s3_facts *out);

/* key: letters, digits and "/._-"; the prefix is put before it. ERR_UNAVAILABLE: the store does not answer, or
 * cannot now. ERR_NETWORK: it refuses. */
/* Sends `bytes` bytes of fd, whose hash is sha256 (the store checks it). */
int s3_put(struct s3 *s, const char *key, int fd, uint64_t bytes, const char *sha256, struct err *e);
/* Writes the object into fd from its beginning. ERR_NOT_FOUND. The caller checks its hash. */
int s3_get(struct s3 *s, const char *key, int fd, uint64_t *bytes, struct err *e);
/* 1 with its length, 0, -1. */
int s3_head(struct s3 *s, const char *key, uint64_t *bytes, struct err *e);
int s3_delete(struct s3 *s, const char *key, struct err *e); /* not being there is fine */
int s3_copy(struct s3 *s, const char *from, const char *to, struct err *e);
/* An address at which anybody may GET the object for this number of seconds. */
int s3_url(struct s3 *s, const char *key, unsigned seconds, struct strbuf *out, struct err *e);

#endif
