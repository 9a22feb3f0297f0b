/* server/store/blob/s3_sign.h: signatures of requests to S3 and stores like it (AWS Signature Version 4).
 *
 * Source: "Authenticating Requests (AWS Signature Version 4)", Amazon S3 API Reference, whose published examples
 * are the tests. Our own, because workers get addresses signed in advance and no secret. */
#ifndef VIVACE_SERVER_S3_SIGN_H
#define VIVACE_SERVER_S3_SIGN_H

#include <stddef.h>

#include "base/err.h"
#include "base/strbuf.h"

struct s3_keys {
    const char *access, *secret, *session; /* session: NULL, or of temporary credentials */
    const char *region;
};
struct s3_pair {
    const char *name, *value;
};
/* What is signed. Headers: lower-case names, host among them; values without spaces at their ends. */
struct s3_request {
    const char *method;
    const char *path;            /* not encoded; begins with '/' */
    const struct s3_pair *query; /* not encoded, in any order */
    size_t query_count;
    const struct s3_pair *headers; /* in any order */
    size_t header_count;
    const char *payload_sha256; /* hex, or UNSIGNED-PAYLOAD */
    const char *time;           /* "20130524T000000Z" */
};

/* Value of the Authorization header. */
int s3_authorization(const struct s3_keys *k, const struct s3_request *r, struct strbuf *out, struct err *e);
/* Path and query of an address that anybody may use for `seconds`: only `host` is signed. r has no query. */
int s3_presign(const struct s3_keys *k, const struct s3_request *r, unsigned seconds, struct strbuf *out,
               struct err *e);

/* Percent-encodes all but A-Z a-z 0-9 - . _ ~, and '/' too unless it is kept. */
void s3_encode(struct strbuf *out, const char *text, int keep_slash);
/* name=value&…, encoded and sorted as both the request line and the signature need it. */
int s3_query(const struct s3_pair *query, size_t count, struct strbuf *out, struct err *e);

#endif
