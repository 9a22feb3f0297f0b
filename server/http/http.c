/* server/http/http.c: libmicrohttpd's callbacks: the life of a request (http.h tells it, http_internal.h draws it).
 *
 * The head is judged in the first callback, before a byte of the body is read: credential, length, address. Then
 * the body is collected, the connection suspended, and the handler runs on a thread that may block. */
#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <sys/socket.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "server/access/audit.h"
#include "server/executor.h"
#include "server/http/http_internal.h"
#include "server/http/idempotency.h"
#include "server/http/listen_socket.h"
#include "server/operate/metrics.h"
#include "server/http/router.h"
#include "server/access/share.h"
#include "server/http/tls.h"

#define STOP_WAIT_S       10
#define QUIET_MS          300                /* connections that say nothing for so long have nothing on the way */
#define CONNECTION_MEMORY ((size_t)64 << 10) /* of libmicrohttpd, a connection: head and the parts of a body */

/* --- What handlers ask about a request --- */

const char *request_header(const struct request *req, const char *name)
{
    const struct http_request *r = req->internal;

    return head_value(&r->head, name);
}

const char *request_query(const struct request *req, const char *name)
{
    struct http_request *r = req->internal;
    struct err e;
    char *value;

    if (r->query_count == sizeof r->queries / sizeof r->queries[0] || query_read(r->uri, name, &value, &e) <= 0)
        return NULL;
    return r->queries[r->query_count++] = value;
}

int request_query_u64(const struct request *req, const char *name, uint64_t least, uint64_t most,
                      uint64_t otherwise, uint64_t *out, struct err *e)
{
    const char *s = request_query(req, name);

    *out = otherwise;
    if (!s)
        return 0;
    if (parse_u64(s, name, out, e) < 0) {
        e->code = ERR_INVALID;
        return -1;
    }
    if (*out < least || *out > most)
        return err_set(e, ERR_INVALID, "`%s` must be from %llu to %llu", name, (unsigned long long)least,
                       (unsigned long long)most);
    return 0;
}

/* --- Birth and end of a request --- */

static void *uri_seen(void *cls, const char *uri, struct MHD_Connection *connection)
{
    struct http *h = cls;
    struct err e;
    struct http_request *r = mem_zalloc(1, sizeof *r, &e);

    if (!r)
        return NULL;
    r->uri = mem_strdup(uri, &e);
    if (!r->uri) {
        free(r);
        return NULL;
    }
    r->http = h;
    r->connection = connection;
    r->references = 1;
    r->body = (struct strbuf)STRBUF_INIT;
    r->body_fd = -1;
    r->started_us = clock_monotonic_us();
    reply_init(&r->reply);
    atomic_fetch_add(&h->in_work, 1);
    atomic_fetch_add(&h->seen, 1);
    return r;
}

void request_unref(struct http_request *r)
{
    if (atomic_fetch_sub(&r->references, 1) > 1)
        return;
    body_release(r);
    reply_release(&r->reply);
    for (size_t i = 0; i < r->query_count; i++)
        free(r->queries[i]);
    free(r->uri);
    free(r);
}

static void request_completed(void *cls, struct MHD_Connection *connection, void **con_cls,
                              enum MHD_RequestTerminationCode how)
{
    struct http_request *r = *con_cls;
    uint64_t us;

    (void)cls;
    (void)connection;
    if (!r)
        return;
    *con_cls = NULL;
    us = clock_monotonic_us() - r->started_us;
    if (r->status) {
        metrics_request(r->http->app->metrics, r->route ? (int)(r->route - r->http->table) : -1, r->status, us);
        log_event(r->status >= 500 ? LOG_WARN : LOG_DEBUG, "http", "answered",
                  "request=%s method=%s path=%s status=%d us=%llu who=%s end=%d", r->shown.id, r->method,
                  r->route ? r->route->path : "-", r->status, (unsigned long long)us,
                  r->shown.credential.name[0] ? r->shown.credential.name : "-", (int)how);
    }
    atomic_fetch_sub(&r->http->in_work, 1);
    request_unref(r);
}

/* --- Failing --- */

void request_fail(struct http_request *r, const struct err *e)
{
    reply_release(&r->reply);
    problem_reply(e, r->shown.id, &r->reply);
    r->phase = REQUEST_DONE;
    if (r->reply.status >= 500)
        log_warn("http", "a request failed", "request=%s method=%s path=%s error=%s", r->shown.id, r->method,
                 r->route ? r->route->path : "-", log_quote(e->text, (char[600]){0}, 600));
}

/* --- The head --- */

static enum MHD_Result add_field(void *cls, enum MHD_ValueKind kind, const char *name, size_t name_length,
                                 const char *value, size_t value_length)
{
    struct head *h = cls;

    (void)kind;
    h->more = h->count == HEAD_FIELDS;
    if (h->more)
        return MHD_NO;
    h->field[h->count++] = (struct head_field){name, value, name_length, value_length};
    return MHD_YES;
}

static void choose_id(struct http_request *r)
{
    const char *theirs = head_value(&r->head, "X-Request-Id");
    size_t n = theirs ? strlen(theirs) : 0;

    if (n >= 8 && n < sizeof r->shown.id &&
        strspn(theirs, "0123456789abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ-_") == n)
        memcpy(r->shown.id, theirs, n + 1);
    else
        uuid_make(r->http->app->clock, r->shown.id);
}

/* The decoded path as one text: what a handler sees in req->path. */
static void join_path(struct http_request *r)
{
    char *to = r->path_text;

    *to = '\0';
    for (size_t i = 0; i < r->path.count; i++)
        to += sprintf(to, "/%s", r->path.segment[i]); /* no longer than the URI it came from */
    if (r->path.count == 0 || r->path.folder)
        strcpy(to, "/");
    r->shown.path = r->path_text;
}

static void read_client(struct http_request *r)
{
    const union MHD_ConnectionInfo *info =
        MHD_get_connection_info(r->connection, MHD_CONNECTION_INFO_CLIENT_ADDRESS);
    const char *forwarded[HEAD_FIELDS];
    size_t n = 0;

    for (size_t i = 0; i < r->head.count; i++)
        if (r->head.field[i].value && strcasecmp(r->head.field[i].name, "X-Forwarded-For") == 0)
            forwarded[n++] = r->head.field[i].value;
    client_address(info ? info->client_addr : NULL, forwarded, n, &r->http->trusted, r->shown.address);
}

static int judge_address(struct http_request *r, const char *version, struct err *e)
{
    MHD_get_connection_values_n(r->connection, MHD_HEADER_KIND, add_field, &r->head);
    r->head.method = r->method;
    r->head.version = version;
    r->head.uri = r->uri;
    r->shown.method = r->method;
    r->shown.target = r->uri;
    r->shown.body = "";
    r->shown.internal = r;
    read_client(r);
    choose_id(r);
    if (head_check(&r->head, (const char *const *)r->http->hosts, e) < 0 || path_read(r->uri, &r->path, e) < 0) {
        r->close = true; /* nobody knows where its body ends */
        return -1;
    }
    join_path(r);
    return router_find(r->http->table, r->method, &r->path, &r->shown, &r->route, r->allow, e);
}

static int judge_credential(struct http_request *r, struct err *e)
{
    struct access_facts facts = {
        .method = r->method,
        .host = head_value(&r->head, "Host"),
        .origin = head_value(&r->head, "Origin"),
        .sec_fetch_site = head_value(&r->head, "Sec-Fetch-Site"),
        .x_vivace_request = head_value(&r->head, "X-Vivace-Request"),
    };

    return router_allow(r->route, &r->shown.credential, &facts, e);
}

/* Answers a request that its head has condemned. A client that waits for leave to send its body, or that would send
 * a large one, is answered at once and the connection ends. A small body is on its way already: it is read and
 * dropped first, because closing under it would reset the connection, and the client would never see why. */
static enum MHD_Result refuse(struct http_request *r, const struct err *e)
{
    const char *expect = head_value(&r->head, "Expect");
    uint64_t length = 0;
    bool chunked = head_value(&r->head, "Transfer-Encoding") != NULL;

    request_fail(r, e);
    if (r->rate.refused)
        r->reply.retry_after_s = (int)r->rate.wait_s;
    head_content_length(&r->head, &length);
    if (!r->close && !(expect && length + chunked > 0) && length <= BODY_SWALLOW_MOST)
        return MHD_YES;
    r->queued = true;
    return reply_queue(r);
}

/* The credential is known (or known to be none): what else the head says, then the body may come. */
static enum MHD_Result admit(struct http_request *r)
{
    struct err e;

    if (limit_call(r, &e) < 0)
        return refuse(r, &e);
    if (judge_credential(r, &e) < 0) {
        audit_refused(r->http->app, r->route, &r->shown, err_http_status(e.code));
        return refuse(r, &e);
    }
    if (body_prepare(r, &e) < 0)
        return refuse(r, &e);
    r->phase = REQUEST_BODY;
    return MHD_YES;
}

static void ask_database(struct db *db, void *ctx)
{
    struct http_request *r = ctx;
    struct err e;

    if (access_look_up(r->http->app->access, db, &r->presented, &r->shown.credential, &e) < 0)
        request_fail(r, &e);
    MHD_resume_connection(r->connection);
}

static enum MHD_Result first_call(struct http_request *r, const char *method, const char *version)
{
    struct err e;

    snprintf(r->method, sizeof r->method, "%s", method);
    if (atomic_load(&r->http->closing)) {
        r->close = true;
        uuid_make(r->http->app->clock, r->shown.id);
        err_set(&e, ERR_BUSY, "the server is stopping");
        return refuse(r, &e);
    }
    if (judge_address(r, version, &e) < 0)
        return refuse(r, &e);
    if (r->route->scope == SCOPE_NONE ||
        !access_read(head_value(&r->head, "Authorization"), head_value(&r->head, "Cookie"), &r->presented) ||
        access_cached(r->http->app->access, &r->presented, &r->shown.credential))
        return admit(r);
    if (limit_look_up(r, &e) < 0)
        return refuse(r, &e);
    r->phase = REQUEST_AUTH;
    MHD_suspend_connection(r->connection);
    if (executor_submit(r->http->app->db_executor, ask_database, r, &e) < 0) {
        request_fail(r, &e);
        MHD_resume_connection(r->connection);
    }
    return MHD_YES;
}

/* --- The handler --- */

/* A share link's call: bounded by what the link shows, from what was kept where it is frozen. */
static int answer_link(struct http_request *r, struct db *db, struct reply *rep, struct err *e)
{
    const struct credential *c = &r->shown.credential;
    int ret = share_allow(db, r->route, &r->shown, e);

    if (ret == 0 && c->share.frozen)
        ret = share_frozen(db, r->route, &r->shown, rep, e);
    if (ret == 0)
        ret = r->route->handler(r->http->app, db, &r->shown, rep, e);
    if (ret >= 0 && c->share.hide_names && strcmp(r->route->path, "/api/v1/methods") != 0)
        ret = share_hide_names(r->http->app, c, rep, e);
    return ret < 0 ? -1 : 0;
}

/* 1: parked; somebody else answers, maybe already now. 0: r->reply is the answer. */
static int run_handler(struct http_request *r, struct db *db)
{
    struct reply rep;
    struct err e = {0};
    int ret;

    reply_init(&rep);
    ret = r->shown.credential.share.id ? answer_link(r, db, &rep, &e)
                                       : idempotency_handle(r->http->app, db, r->route, &r->shown, &rep, &e);
    if (ret >= 0 && rep.parked)
        return 1;
    if (db)
        audit_answered(r->http->app, db, r->route, &r->shown, &rep,
                       ret < 0 ? err_http_status(e.code) : reply_status(&rep));
    if (ret < 0) {
        int retry_after_s = rep.retry_after_s;

        reply_release(&rep);
        request_fail(r, &e);
        if (retry_after_s)
            r->reply.retry_after_s = retry_after_s;
    } else {
        r->reply = rep;
        r->phase = REQUEST_DONE;
    }
    return 0;
}

static void handler_task(struct db *db, void *ctx)
{
    struct http_request *r = ctx;

    atomic_fetch_add(&r->references, 1);
    if (run_handler(r, db) == 0)
        MHD_resume_connection(r->connection);
    request_unref(r);
}

static struct executor *executor_of(const struct http_request *r)
{
    const struct app *app = r->http->app;

    switch (r->route->kind) {
    case ROUTE_CPU:
    case ROUTE_FILE_CPU: return app->cpu_executor;
    case ROUTE_FILE: return app->file_executor;
    case ROUTE_LOGIN: return app->login_executor;
    default: return app->db_executor;
    }
}

static enum MHD_Result dispatch(struct http_request *r)
{
    struct err e;

    if (body_end(r, &e) < 0) {
        request_fail(r, &e);
        r->queued = true;
        return reply_queue(r);
    }
    r->phase = REQUEST_WORK;
    if (r->route->kind == ROUTE_DIRECT) {
        run_handler(r, NULL);
        r->queued = true;
        return reply_queue(r);
    }
    MHD_suspend_connection(r->connection);
    if (executor_submit(executor_of(r), handler_task, r, &e) < 0) {
        if (r->route->kind == ROUTE_LOGIN && e.code == ERR_BUSY) {
            err_set(&e, ERR_RATE_LIMITED, "too many log-ins are being looked at");
            err_hint(&e, "Try again in a moment.");
        }
        request_fail(r, &e);
        MHD_resume_connection(r->connection);
    }
    return MHD_YES;
}

static enum MHD_Result request_callback(void *cls, struct MHD_Connection *connection, const char *url,
                                        const char *method, const char *version, const char *bytes, size_t *n,
                                        void **con_cls)
{
    struct http_request *r = *con_cls;

    (void)cls;
    (void)connection;
    (void)url;
    if (!r)
        return MHD_NO; /* no memory when it began */
    switch (r->phase) {
    case REQUEST_NEW: return first_call(r, method, version);
    case REQUEST_AUTH: return admit(r);
    case REQUEST_BODY:
        if (*n == 0)
            return dispatch(r);
        if (body_take(r, bytes, *n) < 0)
            return MHD_NO;
        *n = 0;
        return MHD_YES;
    case REQUEST_WORK: return MHD_YES;
    case REQUEST_DONE:
        if (*n > 0) { /* refused before its body: what is on its way is dropped */
            r->body_bytes += *n;
            *n = 0;
            return r->body_bytes > BODY_SWALLOW_MOST ? MHD_NO : MHD_YES;
        }
        if (r->queued)
            return MHD_YES;
        r->queued = true;
        return reply_queue(r);
    }
    return MHD_NO;
}

/* --- Starting and stopping --- */

/* libmicrohttpd writes a line for every client that goes away: at most one a second is passed on. */
static void library_log(void *cls, const char *format, va_list ap)
{
    static atomic_uint_fast64_t last_us;
    uint64_t now = clock_monotonic_us(), before = atomic_load(&last_us);
    char text[300];

    (void)cls;
    if (now - before < 1000000 || !atomic_compare_exchange_strong(&last_us, &before, now))
        return;
    vsnprintf(text, sizeof text, format, ap);
    text[strcspn(text, "\n")] = '\0';
    log_debug("http", "the library says", "text=%s", log_quote(text, (char[320]){0}, 320));
}

/* The path stays as it was sent: http_head.c decodes it, once. */
static size_t keep_escapes(void *cls, struct MHD_Connection *connection, char *s)
{
    (void)cls;
    (void)connection;
    return strlen(s);
}

static int add_host(struct http *h, size_t *n, const char *name, size_t length, struct err *e)
{
    if (*n + 1 >= sizeof h->hosts / sizeof h->hosts[0])
        return err_set(e, ERR_USAGE, "--host-names: too many names");
    h->hosts[*n] = mem_strndup(name, length, e);
    return h->hosts[(*n)++] ? 0 : -1;
}

/* Names under which this server may be reached. */
static int list_hosts(struct http *h, struct err *e)
{
    const char *after = h->options.public_url ? strstr(h->options.public_url, "://") : NULL;
    const char *more = h->options.host_names;
    char name[256] = "";
    size_t n = 0;

    if (add_host(h, &n, "localhost", 9, e) < 0)
        return -1;
    if (gethostname(name, sizeof name - 1) == 0 && name[0] && add_host(h, &n, name, strlen(name), e) < 0)
        return -1;
    if (after && add_host(h, &n, after + 3, strcspn(after + 3, "/:"), e) < 0)
        return -1;
    for (; more && *(more += strspn(more, ", ")); more += strcspn(more, ", "))
        if (add_host(h, &n, more, strcspn(more, ", "), e) < 0)
            return -1;
    return 0;
}

/* TLS 1.2 and 1.3 only. The options point into what the caller keeps. */
static void choose_tls(const struct tls *tls, struct MHD_OptionItem out[4])
{
    static char versions[] = "NORMAL:-VERS-TLS-ALL:+VERS-TLS1.3:+VERS-TLS1.2";
    size_t n = 0;

    if (tls && tls->cert) {
        out[n++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_CERT, 0, tls->cert};
        out[n++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_MEM_KEY, 0, tls->key};
        out[n++] = (struct MHD_OptionItem){MHD_OPTION_HTTPS_PRIORITIES, 0, versions};
    }
    out[n] = (struct MHD_OptionItem){MHD_OPTION_END, 0, NULL};
}

int http_start(struct app *app, const struct route *table, const struct http_options *options, struct http **out,
               struct err *e)
{
    struct http *h = mem_zalloc(1, sizeof *h, e);
    bool secure = options->tls && options->tls->cert;
    struct MHD_OptionItem tls[4];

    if (!h)
        return -1;
    choose_tls(options->tls, tls);
    h->app = app;
    h->table = table;
    h->options = *options;
    h->https = options->public_url && str_starts(options->public_url, "https://");
    h->listen_fd = -1;
    pthread_mutex_init(&h->lock, NULL);
    if (rate_limit_new(&h->rates, e) < 0 || proxies_read(options->trusted_proxies, &h->trusted, e) < 0 ||
        list_hosts(h, e) < 0 || listen_socket_open(options->listen, &h->listen_fd, h->address, e) < 0)
        goto fail;
    app->http = h;
    h->daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG | MHD_USE_ITC |
            (secure ? MHD_USE_TLS : 0u),
        0, NULL, NULL, request_callback, h, MHD_OPTION_EXTERNAL_LOGGER, library_log, NULL, MHD_OPTION_LISTEN_SOCKET,
        h->listen_fd, MHD_OPTION_THREAD_POOL_SIZE, options->threads, MHD_OPTION_CONNECTION_LIMIT,
        options->connections_most, MHD_OPTION_PER_IP_CONNECTION_LIMIT, options->connections_an_address_most,
        MHD_OPTION_CONNECTION_TIMEOUT, options->idle_s, MHD_OPTION_CONNECTION_MEMORY_LIMIT, CONNECTION_MEMORY,
        MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_NOTIFY_COMPLETED, request_completed, h,
        MHD_OPTION_URI_LOG_CALLBACK, uri_seen, h, MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL,
        MHD_OPTION_ARRAY, tls, MHD_OPTION_END);
    if (!h->daemon) {
        err_set(e, secure ? ERR_USAGE : ERR_INTERNAL, "the HTTP library cannot be started");
        if (secure)
            err_hint(e,
                     "It may not take the certificate or the key; openssl x509 -in FILE -text shows the former.");
        goto fail;
    }
    *out = h;
    return 0;
fail:
    http_stop(h);
    app->http = NULL;
    return -1;
}

const char *http_address(const struct http *h)
{
    return h->address;
}

const char *http_scheme(const struct http *h)
{
    return h->options.tls && h->options.tls->cert ? "https" : "http";
}

unsigned http_connections(const struct http *h)
{
    const union MHD_DaemonInfo *info = MHD_get_daemon_info(h->daemon, MHD_DAEMON_INFO_CURRENT_CONNECTIONS);

    return info ? info->num_connections : 0;
}

unsigned http_streams(const struct http *h)
{
    return atomic_load(&((struct http *)h)->streams);
}

int http_take_socket(struct http *h)
{
    int fd;

    if (!h || !h->daemon || atomic_exchange(&h->quiet, true))
        return -1;
    MHD_quiesce_daemon(h->daemon); /* from now on the socket is ours */
    fd = h->listen_fd;
    h->listen_fd = -1;
    return fd;
}

void http_quiesce(struct http *h)
{
    int fd = http_take_socket(h);

    if (fd >= 0)
        close(fd);
}

static unsigned parked_count(struct http *h)
{
    unsigned n = 0;

    pthread_mutex_lock(&h->lock);
    for (const struct parked *p = h->parked; p; p = parked_next(p))
        n++;
    pthread_mutex_unlock(&h->lock);
    return n;
}

void http_drain(struct http *h, unsigned linger_ms)
{
    const struct timespec step = {.tv_nsec = 10000000};

    if (!h || !h->daemon)
        return;
    http_quiesce(h);
    for (unsigned ms = 0, since = 0; ms < linger_ms && since < QUIET_MS; ms += 10, since += 10) {
        unsigned seen = atomic_load(&h->seen);

        if (http_connections(h) <= http_streams(h))
            break;
        nanosleep(&step, NULL);
        if (seen != atomic_load(&h->seen))
            since = 0;
    }
    atomic_store(&h->closing, true);
    for (int i = 0; i < STOP_WAIT_S * 100 && atomic_load(&h->in_work) > http_streams(h) + parked_count(h); i++)
        nanosleep(&step, NULL);
}

void http_stop(struct http *h)
{
    const struct timespec step = {.tv_nsec = 10000000};

    if (!h)
        return;
    if (h->daemon) {
        http_quiesce(h);
        parked_end_all(h);
        for (int i = 0; i < STOP_WAIT_S * 100 && atomic_load(&h->in_work) > 0; i++)
            nanosleep(&step, NULL);
        MHD_stop_daemon(h->daemon);
    } else if (h->listen_fd >= 0) {
        close(h->listen_fd);
    }
    for (size_t i = 0; h->hosts[i]; i++)
        free(h->hosts[i]);
    rate_limit_free(h->rates);
    pthread_mutex_destroy(&h->lock);
    free(h);
}
