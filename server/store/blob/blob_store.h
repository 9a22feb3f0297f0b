/* server/store/blob/blob_store.h: bytes by the SHA-256 of what is stored: in a directory on this machine, or in a
 * bucket of S3 (then `blobs/`, `quarantine/` and pieces of unfinished uploads are keys, and staging alone stays
 * here).
 *
 *   blobs/ab/cd/<64 hex>      complete blobs, never changed, 0444
 *   staging/                  what is being written; same file system, so that a rename completes a blob
 *   quarantine/<64 hex>       blobs whose bytes were found damaged
 *
 * Order of a write: file in staging, fsync, rename, fsync of the folder, then the row in the database. So a row
 * without a file cannot happen. */
#ifndef VIVACE_SERVER_BLOB_STORE_H
#define VIVACE_SERVER_BLOB_STORE_H

#include <limits.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/err.h"
#include "base/hash.h"

struct blob_store; /* opaque */
struct server_config;
struct clock;
struct s3;
struct s3_facts;
struct strbuf;

/* Opens (and creates) the store under `folder`. */
int blob_store_open(const char *folder, struct blob_store **out, struct err *e);
/* The same as the settings say: a directory, or S3. */
int blob_store_open_configured(const struct server_config *c, struct clock *clock, struct blob_store **out,
                               struct err *e);
/* From now on blobs are kept there; takes s3 over. */
void blob_store_use_s3(struct blob_store *s, struct s3 *s3);
/* Removes what a crash left in staging, but not the files of unfinished uploads, nor what other servers of the
 * folder are writing. Before it serves. */
void blob_store_sweep(const struct blob_store *s);
void blob_store_free(struct blob_store *s);

/* Whether a bucket answers; a folder always does. 0, or -1 with ERR_UNAVAILABLE: what needs stored bytes would be
 * refused at once. Asks nobody. */
int blob_store_ask(struct blob_store *s, struct err *e) MUST_CHECK;
/* Asks the bucket, where that is due (storage/s3_client.h); blocks. One at a time: others return 0 at once. -1: it
 * was asked and did not answer, or refused. */
int blob_store_probe(struct blob_store *s, struct err *e) MUST_CHECK;
bool blob_store_facts(struct blob_store *s, struct s3_facts *out); /* false: a folder, which answers */

/* A new empty file in staging, opened for reading and writing. path: PATH_MAX bytes. */
int blob_stage(struct blob_store *s, int *fd, char *path, struct err *e);
/* Makes the staged file the blob `sha256` (the caller has computed it from the bytes): fsync, rename, fsync of the
 * folder. The staged path is gone afterwards, also on failure. A blob that is there already is kept. */
int blob_adopt(struct blob_store *s, const char *staged_path, const char *sha256, struct err *e);
/* Stores bytes from memory: stage, write, adopt. sha256 is filled. */
int blob_put(struct blob_store *s, const void *bytes, size_t n, char sha256[SHA256_HEX], struct err *e);
/* Where a blob lies, whether it exists or not. path: PATH_MAX bytes. -1: not a SHA-256. */
int blob_path(const struct blob_store *s, const char *sha256, char *path, struct err *e);
/* 1 with its length, 0 when it is not here, -1. bytes may be NULL. */
int blob_exists(const struct blob_store *s, const char *sha256, uint64_t *bytes, struct err *e);
/* From S3: a copy of its own, checked against the hash (ERR_INVALID: damaged there); slow. */
int blob_open(struct blob_store *s, const char *sha256, int *fd, uint64_t *bytes, struct err *e);
/* A path at which another process can read it. *temporary: the caller unlinks it. path: PATH_MAX bytes. */
int blob_fetch(struct blob_store *s, const char *sha256, char *path, bool *temporary, struct err *e);
/* Where anybody may GET it for this number of seconds: 1 and the address; 0: only here (a directory). */
int blob_url(struct blob_store *s, const char *sha256, unsigned seconds, struct strbuf *out, struct err *e);
/* Removes a blob's file (its row went before). Not being there is fine. */
int blob_remove(struct blob_store *s, const char *sha256, struct err *e);
/* Sets a damaged blob's file aside, for people to look at. */
int blob_quarantine(struct blob_store *s, const char *sha256, struct err *e);
/* Of a directory (a bucket is not walked: what was announced and never got a row is known from the database): calls
 * for each blob whose file was last written before `before` (seconds since 1970), and for each such file of an
 * upload with the upload's id; stops at the first -1. */
typedef int (*blob_walk_fn)(void *ctx, const char *name, uint64_t bytes, struct err *e);
int blob_walk(const struct blob_store *s, int64_t before, blob_walk_fn each, void *ctx, struct err *e);
int blob_walk_uploads(const struct blob_store *s, int64_t before, blob_walk_fn each, void *ctx, struct err *e);
/* Bytes that may still be written here, less a reserve of 64 MiB or 1 % of the disk, whichever is less; or of more,
 * where blob_store_keep_free() says so. */
void blob_store_keep_free(struct blob_store *s, uint64_t bytes);
int blob_space(const struct blob_store *s, uint64_t *bytes, struct err *e);

/* --- Unfinished uploads --- A file in staging; in a bucket an object for each piece, uploads/<id>/<number>,
 * because the next piece may come to another server. */
struct blob_piece {
    const char *upload;
    uint64_t number, offset, bytes;
    const char *sha256;
};
/* Path of its file: staging/upload-<id>. */
int blob_upload_path(const struct blob_store *s, const char *upload_id, char *path, struct err *e);
int blob_upload_begin(struct blob_store *s, const char *id, uint64_t bytes, struct err *e);
/* Durable when it returns; the bytes are those of the file at path. */
int blob_upload_piece(struct blob_store *s, const struct blob_piece *p, const char *path, struct err *e);
/* Whether pieces have to be fetched into a file, each by blob_upload_fetch at its offset; that checks the hash. */
bool blob_upload_in_pieces(const struct blob_store *s);
int blob_upload_fetch(struct blob_store *s, const struct blob_piece *p, int to, struct err *e);
/* Its file, at once; objects are left to blob_upload_remove, which the collector calls. */
void blob_upload_drop(struct blob_store *s, const char *id);
int blob_upload_remove(struct blob_store *s, const char *id, uint64_t pieces, struct err *e);

#endif
