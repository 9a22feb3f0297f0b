/* server/store/blob/blob_store.h: stores bytes under their SHA-256, in a directory on this machine or in an S3
 * bucket. With a bucket, `blobs/`, `quarantine/` and the pieces of unfinished uploads are keys of objects, and only
 * staging is on this machine.
 *
 *   blobs/ab/cd/<64 hex>      complete blobs, never changed, 0444
 *   staging/                  incomplete files; on the same file system, so that a rename completes a blob
 *   quarantine/<64 hex>       blobs whose bytes were found damaged
 *
 * Order of a write: file in staging, fsync, rename, fsync of the folder, then the row in the database. So every row
 * has a file. */
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

/* Opens the store in `folder`. Creates the folder if it does not exist. */
int blob_store_open(const char *folder, struct blob_store **out, struct err *e);
/* Opens the store that the settings name: a directory or an S3 bucket. */
int blob_store_open_configured(const struct server_config *c, struct clock *clock, struct blob_store **out,
                               struct err *e);
/* Stores blobs in the bucket from now on. Takes ownership of s3. */
void blob_store_use_s3(struct blob_store *s, struct s3 *s3);
/* Removes staged files that a crash has left. Keeps the files of unfinished uploads and the files that other
 * servers of the folder are writing. Call it before the server accepts requests. */
void blob_store_sweep(const struct blob_store *s);
void blob_store_free(struct blob_store *s);

/* Reports whether the bucket answered last; a folder always answers. -1 with ERR_UNAVAILABLE: requests for stored
 * bytes would be refused at once. Sends nothing to the bucket. */
int blob_store_ask(struct blob_store *s, struct err *e) MUST_CHECK;
/* Sends a probe to the bucket if one is due (server/store/blob/s3_client.h). Blocks. Only one call at a time does
 * it; the others return 0 at once. -1: the bucket did not answer, or refused. */
int blob_store_probe(struct blob_store *s, struct err *e) MUST_CHECK;
bool blob_store_facts(struct blob_store *s, struct s3_facts *out); /* false: the store is a folder */

/* Creates an empty staged file and opens it for reading and writing. path: PATH_MAX bytes. */
int blob_stage(struct blob_store *s, int *fd, char *path, struct err *e);
/* Creates an empty folder beside the staged files, for the files of another process. path: PATH_MAX bytes. */
int blob_stage_folder(struct blob_store *s, char *path, struct err *e) MUST_CHECK;
void blob_unstage_folder(const char *path); /* removes it with its files */
/* Makes the staged file the blob `sha256`, which the caller has computed from the bytes: fsync, rename, fsync of
 * the folder. The staged path does not exist afterwards, also on failure. An existing blob is kept. */
int blob_adopt(struct blob_store *s, const char *staged_path, const char *sha256, struct err *e);
/* Stores bytes from memory as a blob and writes its hash into sha256. */
int blob_put(struct blob_store *s, const void *bytes, size_t n, char sha256[SHA256_HEX], struct err *e);
/* The path of a blob in the folder, whether it exists or not. path: PATH_MAX bytes. -1: sha256 is not a hash. */
int blob_path(const struct blob_store *s, const char *sha256, char *path, struct err *e);
/* Returns 1 and the length, 0 when the blob does not exist, -1 on an error. bytes may be NULL. */
int blob_exists(const struct blob_store *s, const char *sha256, uint64_t *bytes, struct err *e);
/* Opens a blob for reading; the caller closes *fd. From S3 it downloads a copy, which is slow, and checks its hash
 * (ERR_INVALID: the stored bytes are damaged). bytes may be NULL. */
int blob_open(struct blob_store *s, const char *sha256, int *fd, uint64_t *bytes, struct err *e);
/* Returns a path at which another process can read the blob. path: PATH_MAX bytes. If *temporary is set, the
 * caller unlinks it. */
int blob_fetch(struct blob_store *s, const char *sha256, char *path, bool *temporary, struct err *e);
/* Returns 1 and a URL that gives the blob without a credential for that number of seconds, or 0 when the store is a
 * directory. */
int blob_url(struct blob_store *s, const char *sha256, unsigned seconds, struct strbuf *out, struct err *e);
/* Removes a blob's bytes. The caller has deleted its row before. A missing blob is not an error. */
int blob_remove(struct blob_store *s, const char *sha256, struct err *e);
/* Moves a damaged blob to quarantine/, so that an operator can examine it. */
int blob_quarantine(struct blob_store *s, const char *sha256, struct err *e);
/* Walks a directory; a bucket is not walked, because the database knows the announced blobs without a row. Calls
 * fn for each blob whose file was last written before `before` (seconds since 1970), or for each such file of an
 * upload with the upload's id. Stops when fn returns -1. */
typedef int (*blob_walk_fn)(void *ctx, const char *name, uint64_t bytes, struct err *e);
int blob_walk(const struct blob_store *s, int64_t before, blob_walk_fn each, void *ctx, struct err *e);
int blob_walk_uploads(const struct blob_store *s, int64_t before, blob_walk_fn each, void *ctx, struct err *e);
/* The number of bytes that may still be written to this disk. A reserve is subtracted: 64 MiB or 1 % of the disk,
 * whichever is smaller, or the larger value of blob_store_keep_free(). */
void blob_store_keep_free(struct blob_store *s, uint64_t bytes);
int blob_space(const struct blob_store *s, uint64_t *bytes, struct err *e);

/* --- Unfinished uploads --- In a directory, an upload is one file in staging. In a bucket, each piece is an
 * object uploads/<id>/<number>, because another server may receive the next piece. */
struct blob_piece {
    const char *upload;
    uint64_t number, offset, bytes;
    const char *sha256;
};
/* The path of an upload's file: staging/upload-<id>. */
int blob_upload_path(const struct blob_store *s, const char *upload_id, char *path, struct err *e);
int blob_upload_begin(struct blob_store *s, const char *id, uint64_t bytes, struct err *e);
/* Stores a piece from the file at path. The piece is durable when this returns. */
int blob_upload_piece(struct blob_store *s, const struct blob_piece *p, const char *path, struct err *e);
/* True: the pieces are objects, and the caller fetches each with blob_upload_fetch() into a file at its offset.
 * The fetch checks the hash. */
bool blob_upload_in_pieces(const struct blob_store *s);
int blob_upload_fetch(struct blob_store *s, const struct blob_piece *p, int to, struct err *e);
/* Removes the upload's file at once. Objects remain until the collector calls blob_upload_remove(). */
void blob_upload_drop(struct blob_store *s, const char *id);
int blob_upload_remove(struct blob_store *s, const char *id, uint64_t pieces, struct err *e);

#endif
