/* server/store/blob/s3_sign.h: signs requests to S3 and compatible stores (AWS Signature Version 4).
 *
 * Source: "Authenticating Requests (AWS Signature Version 4)", Amazon S3 API Reference. The tests are its
 * published examples. This implementation exists because workers get presigned URLs and no secret. */
#ifndef VIVACE_SERVER_S3_SIGN_H
#define VIVACE_SERVER_S3_SIGN_H

#include <stddef.h>

#include "base/err.h"
#include "base/strbuf.h"

struct s3_keys {
    const char *access, *secret, *session; /* session: token of temporary credentials, or NULL */
    const char *region;
};
struct s3_pair {
    const char *name, *value;
};
/* The request to sign. Header names are lower-case and include host. Values have no spaces at their ends. */
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
/* Path and query of a presigned URL, which anybody may use for `seconds`. Only the header `host` is signed. r has
 * no query. */
int s3_presign(const struct s3_keys *k, const struct s3_request *r, unsigned seconds, struct strbuf *out,
               struct err *e);

/* Percent-encodes all bytes except A-Z a-z 0-9 - . _ ~. '/' is encoded unless keep_slash is set. */
void s3_encode(struct strbuf *out, const char *text, int keep_slash);
/* name=value&…, encoded and sorted as the request line and the signature require. */
int s3_query(const struct s3_pair *query, size_t count, struct strbuf *out, struct err *e);

#endif
