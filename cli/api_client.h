/* cli/api_client.h: the farm's REST API from the command line, over libcurl. Answers that say "busy" or
 * "overloaded", and connections that break, are tried again with growing pauses; everything else is an error with
 * the server's own words (problem+json: detail and hint). */
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
/* Logs in by password: what follows is done in that session. No command keeps a session; api_log_out() ends it.
 * invitation: joins its team, with a new account where the name is new; NULL: none. */
int api_log_in(const char *url, const char *user, const char *password, const char *invitation, struct api **out,
               struct err *e);
int api_log_out(struct api *api, struct err *e);
void api_close(struct api *api);
const char *api_url(const struct api *api);

/* json_pack() of what people wrote, to be sent. NULL with *e filled: ERR_USAGE where a text is no UTF-8. */
json_t *api_body(struct err *e, const char *format, ...);
/* Each puts the answer's document into *out (may be NULL; NULL too for an answer without a body). `path` is what
 * follows /api/v1, or begins with "//" for what is beside it ("//metrics"). POST sends an Idempotency-Key, so
 * trying again makes nothing twice. */
int api_get(struct api *api, const char *path, json_t **out, struct err *e);
int api_post(struct api *api, const char *path, json_t *body, json_t **out, struct err *e); /* drops body */
int api_delete(struct api *api, const char *path, struct err *e);
/* PUT or PATCH of a document; drops body. */
int api_send(struct api *api, const char *method, const char *path, json_t *body, struct err *e);
/* A JSON text as it is (a design). *created: 201, else 200. */
int api_post_text(struct api *api, const char *path, const char *text, size_t n, bool *created, json_t **out,
                  struct err *e);
/* A text answer that is no JSON document for us (a plan file, CSV). The caller frees. */
int api_get_text(struct api *api, const char *path, char **out, size_t *n, struct err *e);

/* Every page of a list, one after the other: `take` gets each entry. path may hold a query. */
typedef int (*api_item_fn)(void *ctx, const json_t *item, struct err *e);
int api_list(struct api *api, const char *path, api_item_fn take, void *ctx, struct err *e);
/* The same, gathered in one array. NULL on failure. */
json_t *api_list_all(struct api *api, const char *path, struct err *e);

/* 1 there, 0 not, -1. */
int api_blob_exists(struct api *api, const char *sha256, struct err *e);
/* Sends bytes of an open file (from its offset on) as the body of a PUT. `digest` (64 hex digits or NULL) goes
 * along as Content-Digest. */
int api_put_file(struct api *api, const char *path, int fd, uint64_t offset, uint64_t n, const char *digest,
                 struct err *e);

/* Sends a whole open file as the body of a POST. */
int api_post_file(struct api *api, const char *path, int fd, uint64_t n, json_t **out, struct err *e);

/* `%s` of a path: appends text with everything but letters, digits and -._~ escaped. */
struct strbuf;
void api_escape(struct strbuf *path, const char *text);

/* --- Credentials: $XDG_CONFIG_HOME/vivace/credentials (0600) --- */
int credentials_save(const char *url, const char *token, struct err *e);
int credentials_load(char **url, char **token, struct err *e); /* the caller frees both */

#endif
