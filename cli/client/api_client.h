/* cli/client/api_client.h: client of the farm's REST API, by libcurl. A request is retried with growing pauses when
 * the server is busy or overloaded, or the connection breaks. Any other failure is an error with the server's text
 * (problem+json: detail and hint). */
#ifndef VIVACE_CLI_API_CLIENT_H
#define VIVACE_CLI_API_CLIENT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include <jansson.h>

#include "base/err.h"
#include "base/hash.h"

struct api; /* opaque */

/* The server and token of `vivace login`, or of VIVACE_SERVER and VIVACE_TOKEN (or VIVACE_TOKEN_FILE). */
int api_open(struct api **out, struct err *e);
int api_open_with(const char *url, const char *token, struct api **out, struct err *e);
/* Logs in with a password. Later requests use this session, and api_log_out() ends it: no command keeps a session.
 * invitation: the user joins the team of the invitation; a user without an account gets one. NULL: no invitation.
 */
int api_log_in(const char *url, const char *user, const char *password, const char *invitation, struct api **out,
               struct err *e);
int api_log_out(struct api *api, struct err *e);
void api_close(struct api *api);
const char *api_url(const struct api *api);

/* json_pack() with texts from the command line. NULL with *e filled: ERR_USAGE where a text is not UTF-8. */
json_t *api_body(struct err *e, const char *format, ...);
/* Each stores the answer's document in *out, NULL for an answer without a body; `out` may be NULL. `path` is
 * relative to /api/v1, or begins with "//" where it is outside of it ("//metrics"). POST sends an Idempotency-Key,
 * so that a retry creates nothing twice. */
int api_get(struct api *api, const char *path, json_t **out, struct err *e);
int api_post(struct api *api, const char *path, json_t *body, json_t **out,
             struct err *e); /* takes the reference of body */
int api_delete(struct api *api, const char *path, struct err *e);
/* PUT or PATCH of a document; takes the reference of body. */
int api_send(struct api *api, const char *method, const char *path, json_t *body, struct err *e);
/* POST of a JSON text, unchanged (a design). *created: true for status 201, false for 200. */
int api_post_text(struct api *api, const char *path, const char *text, size_t n, bool *created, json_t **out,
                  struct err *e);
/* GET of an answer that is returned as text (a plan file, CSV). The caller frees. */
int api_get_text(struct api *api, const char *path, char **out, size_t *n, struct err *e);

/* Reads all pages of a list and calls `take` for each entry. `path` may contain a query. */
typedef int (*api_item_fn)(void *ctx, const json_t *item, struct err *e);
int api_list(struct api *api, const char *path, api_item_fn take, void *ctx, struct err *e);
/* As api_list(), but returns all entries as one array. NULL on failure. */
json_t *api_list_all(struct api *api, const char *path, struct err *e);

/* 1: the server has the blob, 0: it does not, -1: error. */
int api_blob_exists(struct api *api, const char *sha256, struct err *e);
/* Sends n bytes of an open file, from `offset` on, as the body of a PUT. `digest` (64 hex digits, or NULL) is sent
 * as Content-Digest. */
int api_put_file(struct api *api, const char *path, int fd, uint64_t offset, uint64_t n, const char *digest,
                 struct err *e);

/* Sends a whole open file as the body of a POST. */
int api_post_file(struct api *api, const char *path, int fd, uint64_t n, json_t **out, struct err *e);

/* Appends text to a path; all characters except letters, digits and -._~ are percent-encoded. */
struct strbuf;
void api_escape(struct strbuf *path, const char *text);

/* --- Credentials: $XDG_CONFIG_HOME/vivace/credentials (0600) --- */
int credentials_save(const char *url, const char *token, struct err *e);
int credentials_load(char **url, char **token, struct err *e); /* the caller frees both */

#endif
