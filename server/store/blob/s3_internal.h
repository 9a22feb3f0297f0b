/* server/store/blob/s3_internal.h: one request to the store; s3_exchange.c implements it, s3_client.c uses it. */
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
    char *host;   /* value of the Host header */
    char *folder; /* "/bucket/prefix", "/prefix" or "": it precedes each key */
    char *region, *access, *secret, *session;
    unsigned wait_s; /* maximum time for a connection, for a first byte, or below 1 kB/s */
    struct s3_guard guard;
    pthread_mutex_t lock;
    CURL *idle[S3_IDLE_MAX]; /* idle handles with open connections */
    unsigned idle_count;
};

struct s3_call {
    const char *method, *key;
    const struct s3_pair *query;
    size_t query_count;
    const char *copy_source; /* x-amz-copy-source, or NULL */
    /* the request body: text, or a part of a file */
    const char *text;
    int fd; /* -1: no file */
    uint64_t offset, bytes;
    const char *sha256; /* hash of the body; NULL: empty body */
    int into;           /* >= 0: descriptor into which the body of a successful answer is written */
    bool slow;          /* the store may need a long time to answer, for example to join parts */
    bool probe;         /* a probe: one attempt without retries */
};
struct s3_answer {
    long status;
    bool silent; /* no answer arrived within the time limit */
    char etag[80];
    uint64_t length;    /* Content-Length */
    struct strbuf body; /* at most 64 KiB; the caller releases it */
};

/* Signs and sends the request, and retries it. 0: the status is 2xx or 404, or the call is a probe; the caller
 * releases a->body. -1: *e has the store's message, and there is nothing to release. ERR_UNAVAILABLE: the store
 * does not answer, or reports a temporary failure. */
int s3_exchange(struct s3 *s, const struct s3_call *c, struct s3_answer *a, struct err *e);
/* Current time in the format of a signature: "20130524T000000Z". */
void s3_time(const struct s3 *s, char out[17]);
struct s3_keys s3_keys_of(const struct s3 *s);
/* Reads the text of the first <name>…</name> of an answer. It does not decode XML entities, because the elements
 * that are read contain none. */
bool s3_element(const struct strbuf *xml, const char *name, char *out, size_t size);

#endif
