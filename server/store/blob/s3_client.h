/* server/store/blob/s3_client.h: objects in a bucket of S3 or of a compatible store, over libcurl. Calls block.
 * Any thread may call.
 *
 * A temporary failure (500, 502, 503 SlowDown, 504, 429, a broken connection) is retried with growing pauses for
 * at most s3_settings.wait_s. A call without an answer for that time ends. After several calls in a row without an
 * answer, the next calls are refused at once until a probe is answered (s3_guard.h). Objects above S3_PART_BYTES
 * are sent in parts. A failed multipart upload is aborted. */
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
    const char *where;    /* "s3://bucket/prefix"; the prefix is optional */
    const char *endpoint; /* "http://minio.example:9000", with the bucket in the path; NULL: Amazon's endpoint of
                             the region */
    const char *region;
    const char *keys_file; /* a file with the line "ACCESS SECRET [SESSION]"; NULL: AWS_ACCESS_KEY_ID etc. */
    unsigned wait_s; /* a request fails after this time without a connection or a first byte, or below 1 kB/s */
};

int s3_open(const struct s3_settings *s, struct clock *clock, struct s3 **out, struct err *e);
void s3_free(struct s3 *s); /* NULL is fine */

/* 0: calls are sent to the store. -1 with ERR_UNAVAILABLE: calls are refused at once. Sends nothing. */
int s3_ask(struct s3 *s, struct err *e) MUST_CHECK;
/* Sends a small request to the store if a probe is due: calls are refused at present, or there was no call for some
 * time. Takes at most wait_s. 0: no probe was due, or the store answered. */
int s3_probe(struct s3 *s, struct err *e);
void s3_state(struct s3 *s, struct s3_facts *out);

/* key: letters, digits and "/._-". The prefix is added in front. ERR_UNAVAILABLE: the store does not answer, or
 * reports a temporary failure. ERR_NETWORK: the store refuses the request. */
/* Sends `bytes` bytes of fd. sha256 is their hash, which the store checks. */
int s3_put(struct s3 *s, const char *key, int fd, uint64_t bytes, const char *sha256, struct err *e);
/* Writes the object into fd from the beginning. The caller checks its hash. ERR_NOT_FOUND. */
int s3_get(struct s3 *s, const char *key, int fd, uint64_t *bytes, struct err *e);
/* Returns 1 and the length, 0 when the object does not exist, -1 on an error. */
int s3_head(struct s3 *s, const char *key, uint64_t *bytes, struct err *e);
int s3_delete(struct s3 *s, const char *key, struct err *e); /* a missing object is not an error */
int s3_copy(struct s3 *s, const char *from, const char *to, struct err *e);
/* A URL that gives the object without a credential for that number of seconds. */
int s3_url(struct s3 *s, const char *key, unsigned seconds, struct strbuf *out, struct err *e);

#endif
