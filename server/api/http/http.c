/* server/api/http/http.c: libmicrohttpd's callbacks. http.h describes the life of a request, http_internal.h its
 * states.
 *
 * The first callback checks the request header before the body is read: credential, length, path. Then the body
 * is collected, the connection is suspended, and the handler runs on a thread that may block. */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include <sodium.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "server/api/http/audit.h"
#include "server/store/threads/executor.h"
#include "server/api/http/http_internal.h"
#include "server/api/http/queries.h"
#include "server/api/http/router.h"
#include "server/platform/metrics.h"

/* --- Creating and freeing a request --- */

void *uri_seen(void *cls, const char *uri, struct MHD_Connection *connection)
{
    struct http *h = cls;
    struct err e;
    struct http_connection *c = connection_of(connection);
    struct http_request *r = c ? mem_zalloc(1, sizeof *r, &e) : NULL;

    if (!r)
        return NULL;
    r->uri = mem_strdup(uri, &e);
    if (!r->uri) {
        free(r);
        return NULL;
    }
    r->http = h;
    r->connection = connection;
    r->on = c;
    c->request = r;
    connection_awaits_head(&h->connections, c);
    r->references = 1;
    r->body = (struct strbuf)STRBUF_INIT;
    r->body_fd = -1;
    r->started_us = clock_monotonic_us();
    reply_init(&r->reply);
    atomic_fetch_add(&h->in_work, 1);
    atomic_fetch_add(&h->seen, 1);
    return r;
}

void request_completed(void *cls, struct MHD_Connection *connection, void **con_cls,
                       enum MHD_RequestTerminationCode how)
{
    struct http_request *r = *con_cls;
    uint64_t us;

    (void)cls;
    (void)connection;
    if (!r)
        return;
    *con_cls = NULL;
    r->on->request = NULL;
    connection_awaits_request(&r->http->connections, r->on);
    us = clock_monotonic_us() - r->started_us;
    if (r->status) {
        metrics_request(r->http->app->farm.metrics, r->route ? (int)(r->route - r->http->table) : -1, r->status,
                        us);
        log_event(r->status >= 500 ? LOG_WARN : LOG_DEBUG, "http", "answered",
                  "request=%s method=%s path=%s status=%d us=%llu who=%s end=%d", r->shown.id, r->method,
                  r->route ? r->route->path : "-", r->status, (unsigned long long)us,
                  r->shown.credential.name[0] ? r->shown.credential.name : "-", (int)how);
    }
    atomic_fetch_sub(&r->http->in_work, 1);
    request_unref(r);
}

void connection_noted(void *cls, struct MHD_Connection *connection, void **context,
                      enum MHD_ConnectionNotificationCode what)
{
    struct http *h = cls;
    struct http_request *left;

    if (what == MHD_CONNECTION_NOTIFY_STARTED) {
        const union MHD_ConnectionInfo *info =
            MHD_get_connection_info(connection, MHD_CONNECTION_INFO_CONNECTION_FD);

        *context = info ? connection_enter(&h->connections, info->connect_fd) : NULL;
        return;
    }
    left = *context ? connection_leave(&h->connections, *context) : NULL;
    *context = NULL;
    if (!left)
        return;
    atomic_fetch_sub(&h->in_work, 1);
    request_unref(left);
}

/* --- The request header --- */

static enum MHD_Result add_field(void *cls, enum MHD_ValueKind kind, const char *name, size_t name_length,
                                 const char *value, size_t value_length)
{
    struct head *h = cls;

    (void)kind;
    h->more = h->count == HEAD_FIELDS;
    if (h->more)
        return MHD_NO;
    h->folded |= value && !head_field_in_one_line(name, name_length, value);
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

/* Writes the decoded path as one text for handlers: req->path. */
static int join_path(struct http_request *r, struct err *e)
{
    char *to = mem_zalloc(strlen(r->uri) + 2, 1, e);

    if (!to)
        return -1;
    r->shown.path = r->path_text = to;
    for (size_t i = 0; i < r->path.count; i++)
        to += sprintf(to, "/%s", r->path.segment[i]); /* at most as long as the URI */
    if (r->path.count == 0 || r->path.folder)
        strcpy(to, "/");
    return 0;
}

/* /s/SECRET/api/v1/... is /api/v1/... with the credential of a share link. All URLs of a shared object begin
 * with the link's path. */
static void take_share(struct http_request *r)
{
    struct path *p = &r->path;

    r->share = NULL;
    if (p->count < 3 || strcmp(p->segment[0], "s") != 0 || strcmp(p->segment[2], "api") != 0)
        return;
    r->share = p->segment[1];
    p->count -= 2;
    memmove(p->segment, p->segment + 2, p->count * sizeof p->segment[0]);
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
        r->close = true; /* the end of the body is unknown */
        return -1;
    }
    take_share(r);
    if (join_path(r, e) < 0)
        return -1;
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

/* Refuses a request after its header was checked. If the client waits for "100 Continue", or if its body is
 * large, the reply is sent at once and the connection ends. A small body is already in transit: it is read and
 * discarded first. Closing the connection before would reset it, and the client would not receive the reply. */
static enum MHD_Result refuse(struct http_request *r, const struct err *e)
{
    const char *expect = head_value(&r->head, "Expect");
    uint64_t length = 0;
    bool chunked = head_value(&r->head, "Transfer-Encoding") != NULL;

    request_fail(r, e);
    if (r->rate.refused)
        r->reply.retry_after_s = (int)r->rate.wait_s;
    head_content_length(&r->head, &length);
    if (!r->close && !(expect && length + chunked > 0) && length <= BODY_SWALLOW_MAX) {
        connection_awaits_body(r->on, clock_monotonic_us(), 0);
        if (!r->shown.credential.valid)
            connection_of_stranger(r->on);
        return MHD_YES;
    }
    r->queued = true;
    return reply_queue(r);
}

static enum MHD_Result begin_body(struct http_request *r)
{
    struct err e;

    if (body_prepare(r, &e) < 0)
        return refuse(r, &e);
    r->phase = REQUEST_BODY;
    r->body_begun_us = clock_monotonic_us();
    connection_awaits_body(r->on, r->body_begun_us, 0);
    if (!r->shown.credential.valid)
        connection_of_stranger(r->on);
    return MHD_YES;
}

static void ask_room(struct db *db, void *ctx)
{
    struct http_request *r = ctx;

    r->body_failed = room_ask(r, db, &r->body_err) < 0;
    MHD_resume_connection(r->connection);
}

/* The credential check is complete. Checks the rest of the header, then admits the body. */
static enum MHD_Result admit(struct http_request *r)
{
    uint64_t bytes;
    struct err e;

    if (limit_call(r, &e) < 0)
        return refuse(r, &e);
    if (judge_credential(r, &e) < 0) {
        audit_refused(r->http->app, r->route, &r->shown, err_http_status(e.code));
        return refuse(r, &e);
    }
    if (queries_check(r->route, r->uri, &e) < 0)
        return refuse(r, &e);
    if (!room_is_asked(r, &bytes))
        return begin_body(r);
    r->phase = REQUEST_ROOM;
    MHD_suspend_connection(r->connection);
    if (executor_submit_request(work_short_executor(r), ask_room, r, &r->body_err) < 0) {
        r->body_failed = true;
        MHD_resume_connection(r->connection);
    }
    return MHD_YES;
}

bool request_same_credential(const struct http_request *a, const struct http_request *b)
{
    return work_short_executor(a) == work_short_executor(b) &&
           sodium_memcmp(&a->presented, &b->presented, sizeof a->presented) == 0;
}

static void ask_database(struct db *db, void *ctx)
{
    struct http_request *first = ctx, *others = equal_begin(&first->http->same_credential, first), *next;
    struct err e;
    int found = access_look_up(first->http->app->farm.access, db, &first->presented, &first->shown.credential, &e);

    for (struct http_request *r = others; r; r = next) {
        next = r->equals;
        r->equals = NULL;
        r->shown.credential = first->shown.credential;
        if (found < 0)
            request_fail(r, &e);
        MHD_resume_connection(r->connection);
    }
    if (found < 0)
        request_fail(first, &e);
    MHD_resume_connection(first->connection);
}

static enum MHD_Result first_call(struct http_request *r, const char *method, const char *version)
{
    struct err e;

    connection_received(r->on);
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
        !access_read(r->share, head_value(&r->head, "Authorization"), head_value(&r->head, "Cookie"),
                     &r->presented) ||
        access_cached(r->http->app->farm.access, &r->presented, &r->shown.credential))
        return admit(r);
    if (limit_look_up(r, &e) < 0)
        return refuse(r, &e);
    r->phase = REQUEST_AUTH;
    MHD_suspend_connection(r->connection);
    if (equal_submit(&r->http->same_credential, r, work_short_executor(r), ask_database, &e) < 0) {
        request_fail(r, &e);
        MHD_resume_connection(r->connection);
    }
    return MHD_YES;
}

static enum MHD_Result dispatch(struct http_request *r)
{
    struct err e;

    connection_received(r->on);
    if (body_end(r, &e) < 0) {
        request_fail(r, &e);
        r->queued = true;
        return reply_queue(r);
    }
    r->phase = REQUEST_WORK;
    if (r->route->kind == ROUTE_DIRECT) {
        work_run(r, NULL);
        r->queued = true;
        return reply_queue(r);
    }
    MHD_suspend_connection(r->connection);
    if (work_submit(r, &e) < 0) {
        request_fail(r, &e);
        MHD_resume_connection(r->connection);
    }
    return MHD_YES;
}

enum MHD_Result request_callback(void *cls, struct MHD_Connection *connection, const char *url, const char *method,
                                 const char *version, const char *bytes, size_t *n, void **con_cls)
{
    struct http_request *r = *con_cls;

    (void)cls;
    (void)connection;
    (void)url;
    if (!r)
        return MHD_NO; /* the request could not be allocated when it began */
    switch (r->phase) {
    case REQUEST_NEW: return first_call(r, method, version);
    case REQUEST_AUTH: return admit(r);
    case REQUEST_ROOM: return r->body_failed ? refuse(r, &r->body_err) : begin_body(r);
    case REQUEST_BODY:
        if (*n == 0)
            return dispatch(r);
        if (body_take(r, bytes, *n) < 0)
            return MHD_NO;
        connection_awaits_body(r->on, r->body_begun_us, r->body_bytes);
        *n = 0;
        return MHD_YES;
    case REQUEST_WORK: return MHD_YES;
    case REQUEST_DONE:
        if (*n > 0) { /* the request was refused before its body: the body is discarded */
            r->body_bytes += *n;
            *n = 0;
            return r->body_bytes > BODY_SWALLOW_MAX ? MHD_NO : MHD_YES;
        }
        if (r->queued)
            return MHD_YES;
        connection_received(r->on);
        r->queued = true;
        return reply_queue(r);
    }
    return MHD_NO;
}
