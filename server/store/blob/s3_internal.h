/* server/store/blob/s3_internal.h: one exchange with the store, as s3_client.c makes it from s3_exchange.c. */
#ifndef VIVACE_SERVER_S3_INTERNAL_H
#define VIVACE_SERVER_S3_INTERNAL_H

#include <pthread.h>
#include <stdbool.h>

#include <curl/curl.h>

#include "base/hash.h"
#include "server/store/blob/s3_client.h"
#include "server/store/blob/s3_guard.h"
#include "server/store/blob/s3_sign.h"

enum { S3_IDLE_MAX = 8 };
struct s3 {
    struct clock *clock;
    char *origin; /* "https://host[:port]" */
    char *host;   /* as in the Host header */
    char *folder; /* "/bucket/prefix" or "/prefix" or "": before each key */
    char *region, *access, *secret, *session;
    unsigned wait_s; /* for a connection, a first byte, or at less than 1 kB/s */
    struct s3_guard guard;
    pthread_mutex_t lock;
    CURL *idle[S3_IDLE_MAX]; /* with their connections */
    unsigned idle_count;
};

struct s3_call {
    const char *method, *key;
    const struct s3_pair *query;
    size_t query_count;
    const char *copy_source; /* x-amz-copy-source, or NULL */
    /* what is sent: text, or a part of a file */
    const char *text;
    int fd; /* -1: no file */
    uint64_t offset, bytes;
    const char *sha256; /* of that; NULL: of nothing */
    int into;           /* >= 0: a good answer's body is written there */
    bool slow;          /* the store works for long before it answers, as when it puts parts together */
    bool probe;         /* asks only whether the store answers: one try */
};
struct s3_answer {
    long status;
    bool silent; /* none came within the time */
    char etag[80];
    uint64_t length;    /* Content-Length */
    struct strbuf body; /* at most 64 KiB; the caller releases it */
};

/* Signs, sends, tries again. 0: the status is 2xx or 404, or this is a probe. -1: *e has the store's own words;
 * nothing to release. ERR_UNAVAILABLE: it does not answer, or says that it cannot now. */
int s3_exchange(struct s3 *s, const struct s3_call *c, struct s3_answer *a, struct err *e);
/* Time of a signature: "20130524T000000Z". */
void s3_time(const struct s3 *s, char out[17]);
struct s3_keys s3_keys_of(const struct s3 *s);
/* Text of the first <name>…</name> of an answer; the texts that are read here need no unescaping. */
bool s3_element(const struct strbuf *xml, const char *name, char *out, size_t size);

#endif
