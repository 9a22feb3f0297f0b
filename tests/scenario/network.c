#include "tests/scenario/network.h"

#include <microhttpd.h>
#include <netinet/in.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/array.h"
#include "base/strbuf.h"
#include "tests/scenario/fibers.h"
#include "tests/scenario/world.h"

#define FIELDS_MAX 8
#define PIECE      (16 << 10)

struct MHD_Daemon {
    int server;
    bool quiet;
    MHD_AccessHandlerCallback handle;
    void *handle_ctx;
    MHD_RequestCompletedCallback completed;
    void *completed_ctx;
    void *(*uri_seen)(void *, const char *, struct MHD_Connection *);
    void *uri_ctx;
    MHD_NotifyConnectionCallback noted;
    void *noted_ctx;
    unsigned connections;
};
struct MHD_Response {
    char *text;
    size_t length;
    int retry_after_s, references;
    MHD_ContentReaderCallback read;
    MHD_ContentReaderFreeCallback read_end;
    void *read_ctx;
};

/* A client's pending request. A copy that the network repeats has none. */
struct exchange {
    struct exchange *next;
    struct call call;
    char *method, *path, *token, *body, *key;
    bool over;       /* done() was called */
    unsigned copies; /* number of connections and events with a reference to it */
};
struct MHD_Connection {
    struct MHD_Connection *next;
    struct MHD_Daemon *daemon;
    struct exchange *exchange;
    bool mute; /* its answer is lost */
    struct {
        const char *name, *value;
    } field[FIELDS_MAX];
    int fields;
    char head[1024]; /* the fields, as libmicrohttpd has them: each name ends where its colon was */
    size_t head_used;
    void *own;     /* con_cls of libmicrohttpd */
    void *context; /* the server's data of the connection */
    bool suspended, gone;
    struct MHD_Response *response;
    unsigned status;
};

static struct MHD_Daemon *daemons[8]; /* index: server */
static struct exchange *exchanges;
static struct MHD_Connection *connections;
static int silent_socket[2] = {-1, -1}; /* of a client that is connected and sends nothing */

static char *copy(const char *s)
{
    struct err e;
    char *t = s ? mem_strdup(s, &e) : NULL;

    if (s && !t)
        abort();
    return t;
}

static void *zalloc(size_t n)
{
    void *p = calloc(1, n);

    if (!p)
        abort();
    return p;
}

/* --- The client's end --- */

static void drop_copy(struct exchange *x)
{
    if (--x->copies > 0)
        return;
    for (struct exchange **at = &exchanges; *at; at = &(*at)->next) {
        if (*at == x) {
            *at = x->next;
            break;
        }
    }
    free(x->method);
    free(x->path);
    free(x->token);
    free(x->body);
    free(x->key);
    free(x);
}

static void finish(struct exchange *x, int status, const char *body, int retry_after_s)
{
    const struct answer a = {.status = status, .body = body ? body : "", .retry_after_s = retry_after_s};

    if (x->over)
        return;
    x->over = true;
    x->call.done(x->call.ctx, &a);
}

static void timed_out(void *ctx)
{
    struct exchange *x = ctx;

    finish(x, 0, NULL, 0);
    drop_copy(x);
}

/* --- return of the answer --- */

struct returning {
    struct exchange *exchange;
    char *body;
    size_t length;
    int status, retry_after_s;
    bool piece;
};

static void arrive(void *ctx)
{
    struct returning *r = ctx;
    struct exchange *x = r->exchange;

    if (r->piece && !x->over)
        x->call.piece(x->call.ctx, r->body, r->length);
    else if (!r->piece)
        finish(x, r->status, r->body, r->retry_after_s);
    drop_copy(x);
    free(r->body);
    free(r);
}

static void send_back(struct exchange *x, int status, const char *text, size_t n, int retry_after_s, bool piece)
{
    struct returning *r = zalloc(sizeof *r);

    *r = (struct returning){x, zalloc(n + 1), n, status, retry_after_s, piece};
    if (n > 0)
        memcpy(r->body, text, n);
    x->copies++;
    /* Pieces of a stream keep their order. */
    later(piece ? 1 * MS : MS + random_below(fault(100) ? 3 * S : 5 * MS), arrive, r);
}

/* --- A request at the server: one fiber, like a thread of libmicrohttpd --- */

static void add_field(struct MHD_Connection *c, const char *name, const char *value)
{
    size_t room = sizeof c->head - c->head_used, n = strlen(name);
    char *at = c->head + c->head_used;
    int used = snprintf(at, room, "%s: %s", name, value);

    if (used < 0 || (size_t)used >= room || c->fields == FIELDS_MAX)
        abort();
    at[n] = '\0';
    c->head_used += (size_t)used + 1;
    c->field[c->fields].name = at;
    c->field[c->fields++].value = at + n + 2;
}

static void give_fields(struct MHD_Connection *c)
{
    const struct exchange *x = c->exchange;
    char text[128];

    add_field(c, "Host", "localhost");
    if (x->token) {
        snprintf(text, sizeof text, "Bearer %s", x->token);
        add_field(c, "Authorization", text);
    }
    if (x->key)
        add_field(c, "Idempotency-Key", x->key);
    if (x->call.last_event >= 0) {
        snprintf(text, sizeof text, "%lld", (long long)x->call.last_event);
        add_field(c, "Last-Event-ID", text);
    }
    snprintf(text, sizeof text, "%zu", x->body ? strlen(x->body) : 0);
    if (strcmp(x->method, "GET") != 0)
        add_field(c, "Content-Length", text);
}

static void wait_while_suspended(struct MHD_Connection *c)
{
    while (c->suspended && !c->gone)
        fiber_wait(c, UINT64_MAX);
}

/* False: the server closed the connection without an answer. */
static bool converse(struct MHD_Connection *c)
{
    const struct exchange *x = c->exchange;
    struct MHD_Daemon *d = c->daemon;
    const char *rest = x->body ? x->body : "";
    size_t n = 0, left = strlen(rest);

    if (d->handle(d->handle_ctx, c, x->path, x->method, "HTTP/1.1", NULL, &n, &c->own) != MHD_YES)
        return false;
    for (;;) {
        wait_while_suspended(c);
        if (c->response || c->gone)
            return c->response != NULL;
        n = left;
        if (d->handle(d->handle_ctx, c, x->path, x->method, "HTTP/1.1", left ? rest : NULL, &n, &c->own) != MHD_YES)
            return false;
        rest += left - n;
        left = n;
    }
}

static void stream(struct MHD_Connection *c)
{
    struct MHD_Response *m = c->response;
    char *piece = zalloc(PIECE);
    uint64_t at = 0;

    while (!c->exchange->over && !c->gone) {
        ssize_t n = m->read(m->read_ctx, at, piece, PIECE);

        if (n < 0)
            break;
        if (n > 0 && !c->mute)
            send_back(c->exchange, 0, piece, (size_t)n, 0, true);
        at += (uint64_t)n;
        if (n == 0)
            wait_while_suspended(c);
        if (fault(20))
            break; /* a proxy has reached its timeout */
    }
    free(piece);
}

static void end_connection(struct MHD_Connection *c)
{
    for (struct MHD_Connection **at = &connections; *at; at = &(*at)->next) {
        if (*at == c) {
            *at = c->next;
            break;
        }
    }
    if (c->response)
        MHD_destroy_response(c->response);
    drop_copy(c->exchange);
    free(c);
}

static void *connection_main(void *ctx)
{
    struct MHD_Connection *c = ctx;
    struct MHD_Daemon *d = c->daemon;
    struct exchange *x = c->exchange;
    bool answered;

    if (d->noted)
        d->noted(d->noted_ctx, c, &c->context, MHD_CONNECTION_NOTIFY_STARTED);
    c->own = d->uri_seen(d->uri_ctx, x->path, c);
    d->connections++;
    answered = converse(c);
    if (answered && c->response->read) {
        stream(c);
        send_back(x, 0, NULL, 0, 0, false);
    } else if (!c->mute && !fault(30)) {
        if (answered)
            send_back(x, (int)c->status, c->response->text, c->response->length, c->response->retry_after_s, false);
        else
            send_back(x, 0, NULL, 0, 0, false);
    }
    d->completed(d->completed_ctx, c, &c->own, MHD_REQUEST_TERMINATED_COMPLETED_OK);
    if (d->noted)
        d->noted(d->noted_ctx, c, &c->context, MHD_CONNECTION_NOTIFY_CLOSED);
    d->connections--;
    end_connection(c);
    return NULL;
}

/* --- The request's way to the server --- */

struct going {
    struct exchange *exchange;
    bool mute;
};

static void reach(void *ctx)
{
    struct going *g = ctx;
    struct exchange *x = g->exchange;
    struct MHD_Daemon *d = daemons[x->call.server];
    struct MHD_Connection *c;

    if (!d || d->quiet) {
        if (!g->mute)
            send_back(x, 0, NULL, 0, 0, false); /* the connection is refused at once */
        drop_copy(x);
        free(g);
        return;
    }
    c = zalloc(sizeof *c);
    c->daemon = d;
    c->exchange = x;
    c->mute = g->mute;
    c->next = connections;
    connections = c;
    free(g);
    give_fields(c);
    fiber_new(d->server, connection_main, c);
}

static void set_out(struct exchange *x, bool mute)
{
    struct going *g = zalloc(sizeof *g);

    g->exchange = x;
    g->mute = mute;
    x->copies++;
    later(MS / 5 + random_below(fault(100) ? 3 * S : 2 * MS), reach, g);
}

void network_call(const struct call *c)
{
    struct exchange *x = zalloc(sizeof *x);

    x->call = *c;
    x->method = copy(c->method);
    x->path = copy(c->path);
    x->token = copy(c->token);
    x->body = copy(c->body);
    x->key = copy(c->key);
    x->next = exchanges;
    exchanges = x;
    x->copies = 1;
    later(c->timeout_us, timed_out, x);
    if (!fault(30))
        set_out(x, false);
    /* A proxy repeats the request: the server answers twice, and the client receives one answer. */
    if (!c->piece && fault(30))
        set_out(x, true);
}

static void reset_one(void *ctx)
{
    struct exchange *x = ctx;

    finish(x, 0, NULL, 0);
    drop_copy(x);
}

void network_reset(int server)
{
    struct MHD_Connection *next;

    for (struct MHD_Connection *c = connections; c; c = next) {
        next = c->next;
        if (c->daemon->server != server)
            continue;
        c->exchange->copies++;
        later(1 * MS, reset_one, c->exchange);
        end_connection(c);
    }
    daemons[server] = NULL;
}

void network_forget(void)
{
    connections = NULL;
    exchanges = NULL;
    memset(daemons, 0, sizeof daemons);
}

/* --- The functions of libmicrohttpd that server/api/http uses --- */

static const union MHD_DaemonInfo *tell_connections(const struct MHD_Daemon *d)
{
    static union MHD_DaemonInfo info;

    info.num_connections = d->connections;
    return &info;
}

struct MHD_Daemon *MHD_start_daemon(unsigned flags, uint16_t port, MHD_AcceptPolicyCallback accept,
                                    void *accept_ctx, MHD_AccessHandlerCallback handle, void *handle_ctx, ...)
{
    struct MHD_Daemon *d = zalloc(sizeof *d);
    enum MHD_OPTION option;
    va_list ap;

    (void)flags;
    (void)port;
    (void)accept;
    (void)accept_ctx;
    d->server = fiber_owner();
    d->handle = handle;
    d->handle_ctx = handle_ctx;
    va_start(ap, handle_ctx);
    while ((option = va_arg(ap, enum MHD_OPTION)) != MHD_OPTION_END) {
        switch (option) {
        case MHD_OPTION_NOTIFY_COMPLETED:
            d->completed = va_arg(ap, MHD_RequestCompletedCallback);
            d->completed_ctx = va_arg(ap, void *);
            break;
        case MHD_OPTION_URI_LOG_CALLBACK:
            d->uri_seen = va_arg(ap, void *(*)(void *, const char *, struct MHD_Connection *));
            d->uri_ctx = va_arg(ap, void *);
            break;
        case MHD_OPTION_NOTIFY_CONNECTION:
            d->noted = va_arg(ap, MHD_NotifyConnectionCallback);
            d->noted_ctx = va_arg(ap, void *);
            break;
        case MHD_OPTION_EXTERNAL_LOGGER:
        case MHD_OPTION_UNESCAPE_CALLBACK:
            (void)va_arg(ap, void *);
            (void)va_arg(ap, void *);
            break;
        case MHD_OPTION_CONNECTION_MEMORY_LIMIT: (void)va_arg(ap, size_t); break;
        case MHD_OPTION_ARRAY: (void)va_arg(ap, void *); break;
        default: (void)va_arg(ap, unsigned); break;
        }
    }
    va_end(ap);
    daemons[d->server] = d;
    return d;
}

void MHD_stop_daemon(struct MHD_Daemon *d)
{
    daemons[d->server] = NULL;
    for (struct MHD_Connection *c = connections; c; c = c->next) {
        if (c->daemon == d) {
            c->gone = true;
            fiber_wake(c, true);
        }
    }
    while (d->connections > 0)
        fiber_sleep(1 * MS);
    free(d);
}

MHD_socket MHD_quiesce_daemon(struct MHD_Daemon *d)
{
    d->quiet = true;
    return MHD_INVALID_SOCKET;
}

const union MHD_DaemonInfo *MHD_get_daemon_info(struct MHD_Daemon *d, enum MHD_DaemonInfoType type, ...)
{
    return type == MHD_DAEMON_INFO_CURRENT_CONNECTIONS ? tell_connections(d) : NULL;
}

int MHD_get_connection_values_n(struct MHD_Connection *c, enum MHD_ValueKind kind, MHD_KeyValueIteratorN each,
                                void *ctx)
{
    for (int i = 0; each && i < c->fields; i++)
        each(ctx, kind, c->field[i].name, strlen(c->field[i].name), c->field[i].value, strlen(c->field[i].value));
    return c->fields;
}

const union MHD_ConnectionInfo *MHD_get_connection_info(struct MHD_Connection *c, enum MHD_ConnectionInfoType type,
                                                        ...)
{
    static struct sockaddr_in client = {.sin_family = AF_INET, .sin_addr.s_addr = 0x0100007f};
    static union MHD_ConnectionInfo info;

    if (type == MHD_CONNECTION_INFO_CLIENT_ADDRESS) {
        info.client_addr = (struct sockaddr *)&client;
        return &info;
    }
    if (type == MHD_CONNECTION_INFO_SOCKET_CONTEXT) {
        info.socket_context = c->context;
        return &info;
    }
    if (silent_socket[0] < 0 && socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, silent_socket) < 0)
        abort();
    info.connect_fd = c->exchange->over ? -1 : silent_socket[0];
    return &info;
}

void MHD_suspend_connection(struct MHD_Connection *c)
{
    c->suspended = true;
}

void MHD_resume_connection(struct MHD_Connection *c)
{
    c->suspended = false;
    fiber_wake(c, true);
}

struct MHD_Response *MHD_create_response_from_buffer(size_t n, void *bytes, enum MHD_ResponseMemoryMode mode)
{
    struct MHD_Response *m = zalloc(sizeof *m);

    m->text = zalloc(n + 1);
    memcpy(m->text, bytes, n);
    m->length = n;
    m->references = 1;
    if (mode == MHD_RESPMEM_MUST_FREE)
        free(bytes);
    return m;
}

struct MHD_Response *MHD_create_response_from_buffer_with_free_callback_cls(size_t n, void *bytes,
                                                                            MHD_ContentReaderFreeCallback end,
                                                                            void *ctx)
{
    struct MHD_Response *m = MHD_create_response_from_buffer(n, bytes, MHD_RESPMEM_PERSISTENT);

    m->read_end = end;
    m->read_ctx = ctx;
    return m;
}

struct MHD_Response *MHD_create_response_from_callback(uint64_t size, size_t block,
                                                       MHD_ContentReaderCallback read_more, void *ctx,
                                                       MHD_ContentReaderFreeCallback end)
{
    struct MHD_Response *m = zalloc(sizeof *m);

    (void)size;
    (void)block;
    m->references = 1;
    m->read = read_more;
    m->read_end = end;
    m->read_ctx = ctx;
    return m;
}

struct MHD_Response *MHD_create_response_from_fd_at_offset64(uint64_t size, int fd, uint64_t offset)
{
    char *bytes = zalloc(size + 1);
    ssize_t n = pread(fd, bytes, size, (off_t)offset);

    close(fd);
    return MHD_create_response_from_buffer(n < 0 ? 0 : (size_t)n, bytes, MHD_RESPMEM_MUST_FREE);
}

enum MHD_Result MHD_add_response_header(struct MHD_Response *m, const char *name, const char *value)
{
    if (strcmp(name, "Retry-After") == 0)
        m->retry_after_s = atoi(value);
    return MHD_YES;
}

enum MHD_Result MHD_queue_response(struct MHD_Connection *c, unsigned status, struct MHD_Response *m)
{
    if (c->response)
        return MHD_NO;
    m->references++;
    c->response = m;
    c->status = status;
    return MHD_YES;
}

void MHD_destroy_response(struct MHD_Response *m)
{
    if (--m->references > 0)
        return;
    if (m->read_end)
        m->read_end(m->read_ctx);
    free(m->text);
    free(m);
}
