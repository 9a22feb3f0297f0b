#include "cli/client/api_client.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/random.h>
#include <unistd.h>

#include "base/array.h"
#include "base/conf.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "cli/client/api_exchange.h"
#include "wire/json.h"

/* --- Opening --- */

void api_close(struct api *api)
{
    if (!api)
        return;
    curl_easy_cleanup(api->easy);
    free(api->url);
    free(api->authorization);
    free(api);
}

const char *api_url(const struct api *api)
{
    return api->url;
}

/* `kind` and `secret` form the authentication header; NULL: none. */
static int open_with(const char *url, const char *kind, const char *secret, struct api **out, struct err *e)
{
    struct strbuf header = STRBUF_INIT;
    struct api *api;

    if (!str_starts(url, "http://") && !str_starts(url, "https://"))
        return err_set(e, ERR_USAGE, "a server's address must begin with http:// or https://, not `%s`", url);
    api = mem_zalloc(1, sizeof *api, e);
    if (!api)
        return -1;
    strbuf_addf(&header, "%s%s", kind ? kind : "", secret ? secret : "");
    api->authorization = strbuf_detach(&header);
    api->url = mem_strdup(url, e);
    api->easy = curl_easy_init();
    if (!api->authorization || !api->url || !api->easy) {
        api_close(api);
        return err_no_memory(e);
    }
    for (size_t n = strlen(api->url); n > 0 && api->url[n - 1] == '/'; n--)
        api->url[n - 1] = '\0';
    *out = api;
    return 0;
}

int api_open_with(const char *url, const char *token, struct api **out, struct err *e)
{
    return open_with(url, "Authorization: Bearer ", token, out, e);
}

static int token_of_environment(char **token, struct err *e)
{
    const char *plain = getenv("VIVACE_TOKEN"), *file = getenv("VIVACE_TOKEN_FILE");

    *token = NULL;
    if (plain && *plain) {
        *token = mem_strdup(plain, e);
        return *token ? 1 : -1;
    }
    if (file && *file)
        return conf_read_secret(file, token, e) < 0 ? -1 : 1;
    return 0;
}

/* Compares two URLs; a slash at the end makes no difference. */
static bool same_server(const char *a, const char *b)
{
    size_t n = strlen(a), m = strlen(b);

    while (n > 0 && a[n - 1] == '/')
        n--;
    while (m > 0 && b[m - 1] == '/')
        m--;
    return n == m && strncmp(a, b, n) == 0;
}

static int another_server(const char *asked, const char *remembered, struct err *e)
{
    err_set(e, ERR_UNAUTHORIZED, "VIVACE_SERVER is %s, but the stored token is for %s", asked, remembered);
    return err_hint(e, "Run `vivace login %.150s`, or set VIVACE_TOKEN, too, or unset VIVACE_SERVER.", asked);
}

int api_open(struct api **out, struct err *e)
{
    const char *server = getenv("VIVACE_SERVER");
    char *url = NULL, *token = NULL, *kept_token = NULL;
    int found = token_of_environment(&token, e), ret = -1;

    if (found < 0)
        return -1;
    if (found && server && *server)
        ret = api_open_with(server, token, out, e);
    else if (credentials_load(&url, &kept_token, e) == 0)
        ret = server && *server && !same_server(server, url)
                  ? another_server(server, url, e)
                  : api_open_with(url, found ? token : kept_token, out, e);
    free(url);
    free(token);
    free(kept_token);
    return ret;
}

/* --- Requests of commands --- */

static int read_document(struct farm_answer *a, json_t **out, struct err *e)
{
    int ret = 0;

    if (out) {
        *out = a->body.length ? json_read_text(a->body.text, a->body.length, "the server's answer", e) : NULL;
        if (a->body.length && !*out)
            ret = -1;
    }
    strbuf_release(&a->body);
    return ret;
}

int api_get(struct api *api, const char *path, json_t **out, struct err *e)
{
    struct call c = {.method = "GET", .path = path, .fd = -1};
    struct farm_answer a;

    return api_perform(api, &c, &a, e) < 0 ? -1 : read_document(&a, out, e);
}

int api_get_text(struct api *api, const char *path, char **out, size_t *n, struct err *e)
{
    struct call c = {.method = "GET", .path = path, .fd = -1};
    struct farm_answer a;

    if (api_perform(api, &c, &a, e) < 0)
        return -1;
    *n = a.body.length;
    *out = a.body.length ? strbuf_detach(&a.body) : mem_strdup("", e);
    return *out ? 0 : err_no_memory(e);
}

static void make_key(char key[40])
{
    uint8_t bytes[16];

    if (getrandom(bytes, sizeof bytes, 0) != (ssize_t)sizeof bytes)
        key[0] = '\0'; /* without a key, a retry may create a duplicate, which the server reports */
    else
        hex_encode(bytes, sizeof bytes, key);
}

static int post(struct api *api, const char *path, const char *text, size_t n, long *status, json_t **out,
                struct err *e)
{
    struct call c = {.method = "POST", .path = path, .body = text, .body_length = n, .fd = -1};
    struct farm_answer a;

    c.content_type = n ? "application/json" : NULL;
    make_key(c.key);
    if (api_perform(api, &c, &a, e) < 0)
        return -1;
    *status = a.status;
    return read_document(&a, out, e);
}

json_t *api_body(struct err *e, const char *format, ...)
{
    json_error_t why;
    json_t *body;
    va_list ap;

    va_start(ap, format);
    body = json_vpack_ex(&why, 0, format, ap);
    va_end(ap);
    if (!body && json_error_code(&why) == json_error_invalid_utf8)
        err_set(e, ERR_USAGE, "names and passwords must be UTF-8");
    else if (!body)
        err_no_memory(e);
    return body;
}

int api_post(struct api *api, const char *path, json_t *body, json_t **out, struct err *e)
{
    struct strbuf text = STRBUF_INIT;
    long status;
    int ret;

    if (!body)
        return err_no_memory(e);
    json_write_text(body, false, &text);
    json_decref(body);
    ret = text.failed ? err_no_memory(e) : post(api, path, text.text, text.length, &status, out, e);
    strbuf_release(&text);
    return ret;
}

int api_post_text(struct api *api, const char *path, const char *text, size_t n, bool *created, json_t **out,
                  struct err *e)
{
    long status = 0;
    int ret = post(api, path, text, n, &status, out, e);

    *created = status == 201;
    return ret;
}

int api_send(struct api *api, const char *method, const char *path, json_t *body, struct err *e)
{
    struct call c = {.method = method, .path = path, .content_type = "application/json", .fd = -1};
    struct strbuf text = STRBUF_INIT;
    struct farm_answer a;
    int ret;

    if (!body)
        return err_no_memory(e);
    json_write_text(body, false, &text);
    json_decref(body);
    c.body = text.text;
    c.body_length = text.length;
    ret = text.failed ? err_no_memory(e) : api_perform(api, &c, &a, e);
    strbuf_release(&text);
    return ret < 0 ? -1 : read_document(&a, NULL, e);
}

int api_log_in(const char *url, const char *user, const char *password, const char *invitation, struct api **out,
               struct err *e)
{
    json_t *body = api_body(e, "{s:s,s:s,s:s*}", "user", user, "password", password, "invitation", invitation);
    struct call c = {.method = "POST",
                     .path = invitation ? "/invitations" : "/session",
                     .content_type = "application/json",
                     .fd = -1};
    struct strbuf text = STRBUF_INIT;
    struct api *first = NULL;
    struct farm_answer a;
    int ret = -1;

    if (!body)
        return -1;
    json_write_text(body, false, &text);
    json_decref(body);
    c.body = text.text;
    c.body_length = text.length;
    if (text.failed)
        err_no_memory(e);
    else if (open_with(url, NULL, NULL, &first, e) == 0 && api_perform(first, &c, &a, e) == 0) {
        strbuf_release(&a.body);
        ret = open_with(url, "Cookie: ", a.cookie, out, e);
    }
    explicit_bzero(text.text, text.length);
    strbuf_release(&text);
    api_close(first);
    return ret;
}

int api_log_out(struct api *api, struct err *e)
{
    return api_delete(api, "/session", e);
}

int api_delete(struct api *api, const char *path, struct err *e)
{
    struct call c = {.method = "DELETE", .path = path, .fd = -1};
    struct farm_answer a;

    return api_perform(api, &c, &a, e) < 0 ? -1 : read_document(&a, NULL, e);
}

int api_blob_exists(struct api *api, const char *sha256, struct err *e)
{
    char path[100];
    struct call c = {.method = "HEAD", .path = path, .fd = -1};
    struct farm_answer a;

    snprintf(path, sizeof path, "/blobs/%s", sha256);
    if (api_perform(api, &c, &a, e) < 0)
        return e->code == ERR_NOT_FOUND ? 0 : -1;
    strbuf_release(&a.body);
    return 1;
}

int api_put_file(struct api *api, const char *path, int fd, uint64_t offset, uint64_t n, const char *digest,
                 struct err *e)
{
    struct call c = {.method = "PUT", .path = path, .fd = fd, .offset = offset, .bytes = n, .digest = digest};
    struct farm_answer a;

    c.content_type = "application/octet-stream";
    return api_perform(api, &c, &a, e) < 0 ? -1 : read_document(&a, NULL, e);
}

int api_post_file(struct api *api, const char *path, int fd, uint64_t n, json_t **out, struct err *e)
{
    struct call c = {.method = "POST", .path = path, .fd = fd, .bytes = n};
    struct farm_answer a;

    c.content_type = "application/octet-stream";
    make_key(c.key);
    return api_perform(api, &c, &a, e) < 0 ? -1 : read_document(&a, out, e);
}

void api_escape(struct strbuf *path, const char *text)
{
    for (; *text; text++) {
        unsigned char c = (unsigned char)*text;

        if ((c >= '0' && c <= '9') || (c >= 'A' && c <= 'Z') || (c >= 'a' && c <= 'z') || strchr("-._~", c))
            strbuf_addc(path, (char)c);
        else
            strbuf_addf(path, "%%%02X", c);
    }
}

int api_list(struct api *api, const char *path, api_item_fn take, void *ctx, struct err *e)
{
    struct strbuf page = STRBUF_INIT;
    json_t *answer = NULL;
    int ret = 0;

    strbuf_adds(&page, path);
    while (ret == 0 && page.length) {
        const json_t *items = NULL;
        const char *next = NULL;

        ret = page.failed ? err_no_memory(e) : api_get(api, page.text, &answer, e);
        if (ret == 0 && !answer)
            ret = err_set(e, ERR_NETWORK, "%s%s: an empty answer where a list was expected", api->url, path);
        if (ret == 0 &&
            (json_need_object(answer, "the answer", e) < 0 || json_need_array(answer, "items", &items, e) < 0 ||
             json_opt_str(answer, "next", &next, e) < 0))
            ret = -1;
        for (size_t i = 0; ret == 0 && i < json_array_size(items); i++)
            ret = take(ctx, json_array_get(items, i), e);
        strbuf_clear(&page);
        if (ret == 0 && next) {
            strbuf_adds(&page, path);
            strbuf_adds(&page, strchr(path, '?') ? "&after=" : "?after=");
            api_escape(&page, next);
        }
        json_decref(answer);
        answer = NULL;
    }
    strbuf_release(&page);
    return ret;
}

static int gather(void *ctx, const json_t *item, struct err *e)
{
    return json_array_append(ctx, (json_t *)item) < 0 ? err_no_memory(e) : 0;
}

json_t *api_list_all(struct api *api, const char *path, struct err *e)
{
    json_t *all = json_array();

    if (!all) {
        err_no_memory(e);
        return NULL;
    }
    if (api_list(api, path, gather, all, e) == 0)
        return all;
    json_decref(all);
    return NULL;
}
