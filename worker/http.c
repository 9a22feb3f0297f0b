#include "worker/http.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include <curl/curl.h>

#include "base/array.h"
#include "base/strbuf.h"
#include "base/text.h"
#include "wire/farm_request.h"

enum { SERVERS_MAX = 16, SILENT_S = 60, BODY_SILENT_S = 15, RETRY_AFTER_MAX_S = 300 };
#define BODY_MAX ((size_t)64 << 20) /* ten times the longest answer, a full list of leases */

struct http_request {
    struct http_request *next, *prev;
    struct http *owner;
    CURL *easy;
    struct curl_slist *headers;
    size_t server; /* index of the owner's server that it was sent to */
    char *payload;
    struct farm_answer answer;
    http_done_fn done;
    void *ctx;
};

struct http {
    uv_loop_t *loop;
    CURLM *multi;
    uv_timer_t *timer;
    char *servers[SERVERS_MAX];  /* base addresses, without a slash at the end */
    size_t server_count, server; /* server: index of the server in use */
    char *authorization, *ca_file;
    struct http_request *requests;
};

/* One socket that libcurl wants to be watched. Freed in its close callback. */
struct watched {
    uv_poll_t poll;
    struct http *owner;
    curl_socket_t socket;
};

static void free_handle(uv_handle_t *h)
{
    free(h->data);
}

static void unlink_request(struct http_request *r)
{
    if (r->prev)
        r->prev->next = r->next;
    else
        r->owner->requests = r->next;
    if (r->next)
        r->next->prev = r->prev;
}

static void free_request(struct http_request *r)
{
    unlink_request(r);
    curl_multi_remove_handle(r->owner->multi, r->easy);
    curl_easy_cleanup(r->easy);
    curl_slist_free_all(r->headers);
    free(r->payload);
    strbuf_release(&r->answer.body);
    free(r);
}

/* --- libcurl on the libuv loop --- */

static void finish(CURL *easy, CURLcode code)
{
    struct http_request *r = NULL;
    struct http_answer a = {.body = ""};

    curl_easy_getinfo(easy, CURLINFO_PRIVATE, (char **)&r);
    if (code == CURLE_OK && !r->answer.body.failed) {
        curl_easy_getinfo(easy, CURLINFO_RESPONSE_CODE, &r->answer.status);
        a.status = (int)r->answer.status;
        a.body = r->answer.body.text;
        a.length = r->answer.body.length;
    } else {
        a.error = *r->answer.problem      ? r->answer.problem
                  : r->answer.body.failed ? "out of memory"
                                          : curl_easy_strerror(code);
    }
    a.retry_after_s = r->answer.retry_after_s;
    if ((a.status == 0 || (a.status >= 502 && a.status <= 504)) && r->server == r->owner->server)
        r->owner->server = (r->server + 1) % r->owner->server_count;
    curl_multi_remove_handle(r->owner->multi, easy);
    r->done(r->ctx, &a);
    free_request(r);
}

/* The callbacks may start and cancel requests, so libcurl's message queue is read again after each callback. */
static void collect(struct http *h)
{
    CURLMsg *m;
    int left;

    while ((m = curl_multi_info_read(h->multi, &left)))
        if (m->msg == CURLMSG_DONE)
            finish(m->easy_handle, m->data.result);
}

static void on_timeout(uv_timer_t *t)
{
    struct http *h = *(struct http **)t->data;
    int running;

    curl_multi_socket_action(h->multi, CURL_SOCKET_TIMEOUT, 0, &running);
    collect(h);
}

static int want_timer(CURLM *multi, long ms, void *ctx)
{
    struct http *h = ctx;

    (void)multi;
    if (ms < 0)
        uv_timer_stop(h->timer);
    else
        uv_timer_start(h->timer, on_timeout, ms == 0 ? 1 : (uint64_t)ms, 0);
    return 0;
}

static void on_socket(uv_poll_t *poll, int status, int events)
{
    struct watched *w = poll->data;
    struct http *h = w->owner;
    int flags = status < 0 ? CURL_CSELECT_ERR : 0, running;

    if (events & UV_READABLE)
        flags |= CURL_CSELECT_IN;
    if (events & UV_WRITABLE)
        flags |= CURL_CSELECT_OUT;
    curl_multi_socket_action(h->multi, w->socket, flags, &running);
    collect(h);
}

static struct watched *watch(struct http *h, curl_socket_t s)
{
    struct watched *w = calloc(1, sizeof *w);

    if (!w)
        return NULL;
    w->owner = h;
    w->socket = s;
    if (uv_poll_init_socket(h->loop, &w->poll, s) != 0) {
        free(w);
        return NULL;
    }
    w->poll.data = w;
    curl_multi_assign(h->multi, s, w);
    return w;
}

static int want_socket(CURL *easy, curl_socket_t s, int what, void *ctx, void *per_socket)
{
    struct http *h = ctx;
    struct watched *w = per_socket;
    int events = what == CURL_POLL_IN    ? UV_READABLE
                 : what == CURL_POLL_OUT ? UV_WRITABLE
                                         : UV_READABLE | UV_WRITABLE;

    (void)easy;
    if (what == CURL_POLL_REMOVE) {
        if (w) {
            uv_poll_stop(&w->poll);
            uv_close((uv_handle_t *)&w->poll, free_handle);
            curl_multi_assign(h->multi, s, NULL);
        }
        return 0;
    }
    if (!w)
        w = watch(h, s);
    if (!w)
        return -1;
    uv_poll_start(&w->poll, events, on_socket);
    return 0;
}

/* --- Opening and closing --- */

/* The loop closes a handle later than its owner is freed, so the handle has its own allocation. */
static int make_timer(struct http *h, struct err *e)
{
    struct {
        struct http *owner;
        uv_timer_t timer;
    } *box = mem_zalloc(1, sizeof *box, e);

    if (!box)
        return -1;
    box->owner = h;
    h->timer = &box->timer;
    uv_timer_init(h->loop, h->timer);
    h->timer->data = box;
    return 0;
}

static char *join(const char *a, const char *b, struct err *e)
{
    struct strbuf s = STRBUF_INIT;
    char *text;

    strbuf_adds(&s, a);
    strbuf_adds(&s, b);
    text = strbuf_detach(&s);
    if (!text)
        err_no_memory(e);
    return text;
}

static int add_server(struct http *h, const char *url, size_t n, struct err *e)
{
    if (!str_starts(url, "http://") && !str_starts(url, "https://"))
        return err_set(e, ERR_USAGE, "the server's address must begin with http:// or https://, not `%.*s`", (int)n,
                       url);
    if (h->server_count == SERVERS_MAX)
        return err_set(e, ERR_USAGE, "more than %d servers are named", SERVERS_MAX);
    while (n > 0 && url[n - 1] == '/')
        n--;
    h->servers[h->server_count] = mem_strndup(url, n, e);
    return h->servers[h->server_count++] ? 0 : -1;
}

static int add_servers(struct http *h, const char *urls, struct err *e)
{
    const char *at = urls;

    do {
        at += *at == ',';
        if (add_server(h, at, strcspn(at, ","), e) < 0)
            return -1;
        at += strcspn(at, ",");
    } while (*at);
    return 0;
}

int http_open(uv_loop_t *loop, const char *base_urls, const char *token, const char *ca_file, struct http **out,
              struct err *e)
{
    struct http *h = mem_zalloc(1, sizeof *h, e);

    if (!h)
        return -1;
    h->loop = loop;
    h->authorization = join("Authorization: Bearer ", token, e);
    h->multi = curl_multi_init();
    if (!h->multi)
        err_no_memory(e);
    if (!h->multi || !h->authorization || add_servers(h, base_urls, e) < 0 ||
        (ca_file && !(h->ca_file = mem_strdup(ca_file, e))) || make_timer(h, e) < 0) {
        http_close(h);
        return -1;
    }
    curl_multi_setopt(h->multi, CURLMOPT_SOCKETFUNCTION, want_socket);
    curl_multi_setopt(h->multi, CURLMOPT_SOCKETDATA, h);
    curl_multi_setopt(h->multi, CURLMOPT_TIMERFUNCTION, want_timer);
    curl_multi_setopt(h->multi, CURLMOPT_TIMERDATA, h);
    curl_multi_setopt(h->multi, CURLMOPT_MAX_HOST_CONNECTIONS, 8L);
    *out = h;
    return 0;
}

void http_close(struct http *h)
{
    if (!h)
        return;
    for (struct http_request *r = h->requests, *next; r; r = next) {
        next = r->next;
        free_request(r);
    }
    if (h->multi)
        curl_multi_cleanup(h->multi); /* may still call back to remove sockets */
    if (h->timer) {
        uv_timer_stop(h->timer);
        uv_close((uv_handle_t *)h->timer, free_handle);
    }
    for (size_t i = 0; i < h->server_count; i++)
        free(h->servers[i]);
    free(h->authorization);
    free(h->ca_file);
    free(h);
}

/* --- One request --- */

static int configure(struct http_request *r, const struct http_call *call, struct err *e)
{
    struct farm_request f = {
        .method = call->method,
        .server = r->owner->servers[r->server],
        .path = call->path,
        .authorization = r->owner->authorization,
        .agent = "vivace-worker",
        .ca_file = r->owner->ca_file,
        .content_type = call->body ? "application/json" : NULL,
        .idempotency_key = call->idempotency_key,
        .body_length = call->body ? call->body_length : 0,
        .least_bytes = 1000,
        .silent_s = call->timeout_s ? 0
                    : call->sink    ? BODY_SILENT_S
                                    : SILENT_S,
    };
    CURL *c = r->easy;

    if (call->body && !(r->payload = mem_strndup(call->body, call->body_length, e)))
        return -1;
    f.body = r->payload;
    if (farm_request_set(c, &f, &r->answer, &r->headers, e) < 0)
        return -1;
    curl_easy_setopt(c, CURLOPT_PRIVATE, r);
    /* The server may redirect a blob request to a presigned URL of another host. libcurl does not send our token
     * there. */
    curl_easy_setopt(c, CURLOPT_FOLLOWLOCATION, 1L);
    curl_easy_setopt(c, CURLOPT_MAXREDIRS, 2L);
    curl_easy_setopt(c, CURLOPT_REDIR_PROTOCOLS_STR, "http,https");
    if (call->timeout_s)
        curl_easy_setopt(c, CURLOPT_TIMEOUT, (long)call->timeout_s);
    if (call->from_byte)
        curl_easy_setopt(c, CURLOPT_RESUME_FROM_LARGE, (curl_off_t)call->from_byte);
    return 0;
}

struct http_request *http_start(struct http *h, const struct http_call *call, struct err *e)
{
    struct http_request *r = mem_zalloc(1, sizeof *r, e);

    if (!r)
        return NULL;
    r->owner = h;
    r->server = h->server;
    r->answer = (struct farm_answer){.body = STRBUF_INIT,
                                     .body_max = BODY_MAX,
                                     .retry_after_max_s = RETRY_AFTER_MAX_S,
                                     .sink = call->sink,
                                     .ctx = call->ctx};
    r->done = call->done;
    r->ctx = call->ctx;
    r->next = h->requests;
    if (h->requests)
        h->requests->prev = r;
    h->requests = r;
    r->easy = curl_easy_init();
    if (!r->easy) {
        err_no_memory(e);
        free_request(r);
        return NULL;
    }
    if (configure(r, call, e) < 0) {
        free_request(r);
        return NULL;
    }
    if (curl_multi_add_handle(h->multi, r->easy) != CURLM_OK) {
        err_set(e, ERR_INTERNAL, "libcurl refused a request");
        free_request(r);
        return NULL;
    }
    return r;
}

void http_cancel(struct http_request *r)
{
    if (r)
        free_request(r);
}

const char *http_problem(const struct http_answer *answer, char *out, size_t size)
{
    char detail[400], hint[8];

    if (answer->error) {
        snprintf(out, size, "%s", answer->error);
        return out;
    }
    farm_answer_words(answer->body, answer->length, detail, sizeof detail, hint, sizeof hint);
    if (*detail)
        snprintf(out, size, "%s (status %d)", detail, answer->status);
    else
        snprintf(out, size, "the server answered with status %d", answer->status);
    return out;
}
