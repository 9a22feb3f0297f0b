#include "server/api/http/http_server.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/log.h"
#include "base/text.h"
#include "server/api/http/http_internal.h"
#include "server/platform/net/tls.h"

#define STOP_WAIT_S 10
#define QUIET_MS    300 /* a connection without data for this time has no request in transit */
/* For libmicrohttpd, per connection: a head and part of a body. After each request the library clears all of it, so
 * each kept connection has that much resident memory. */
#define CONNECTION_MEMORY ((size_t)32 << 10)

/* libmicrohttpd logs a line for every client that disconnects. At most one line a second is logged. */
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

/* Keeps the path as received: http_head.c decodes it, once. */
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

/* Collects the host names of this server. */
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

/* Allows TLS 1.2 and 1.3 only. The options point into the caller's memory, which must outlive the server. */
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
    pthread_mutex_init(&h->same_credential.lock, NULL);
    pthread_mutex_init(&h->same_question.lock, NULL);
    h->same_credential.equal = request_same_credential;
    h->same_question.equal = work_same_question;
    if (rate_limit_new(&h->rates, e) < 0 || proxies_read(options->trusted_proxies, &h->trusted, e) < 0 ||
        list_hosts(h, e) < 0 || listen_socket_open(options->listen, &h->listen_fd, h->address, e) < 0 ||
        http_connections_start(&h->connections, options->idle_s, options->head_s, options->connections_max, e) < 0)
        goto fail;
    app->http = h;
    h->daemon = MHD_start_daemon(
        MHD_USE_EPOLL_INTERNAL_THREAD | MHD_ALLOW_SUSPEND_RESUME | MHD_USE_ERROR_LOG | MHD_USE_ITC |
            (secure ? MHD_USE_TLS : 0u),
        0, NULL, NULL, request_callback, h, MHD_OPTION_EXTERNAL_LOGGER, library_log, NULL, MHD_OPTION_LISTEN_SOCKET,
        h->listen_fd, MHD_OPTION_THREAD_POOL_SIZE, options->threads, MHD_OPTION_CONNECTION_LIMIT,
        options->connections_max, MHD_OPTION_PER_IP_CONNECTION_LIMIT, options->connections_per_ip_max,
        MHD_OPTION_CONNECTION_TIMEOUT, options->idle_s, MHD_OPTION_CONNECTION_MEMORY_LIMIT, CONNECTION_MEMORY,
        MHD_OPTION_STRICT_FOR_CLIENT, 1, MHD_OPTION_NOTIFY_COMPLETED, request_completed, h,
        MHD_OPTION_NOTIFY_CONNECTION, connection_noted, h, MHD_OPTION_URI_LOG_CALLBACK, uri_seen, h,
        MHD_OPTION_UNESCAPE_CALLBACK, keep_escapes, NULL, MHD_OPTION_ARRAY, tls, MHD_OPTION_END);
    if (!h->daemon) {
        err_set(e, secure ? ERR_USAGE : ERR_INTERNAL, "the HTTP library cannot be started");
        if (secure)
            err_hint(
                e,
                "It may not accept the certificate or the key; openssl x509 -in FILE -text shows the certificate.");
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

uint64_t http_hurried(const struct http *h)
{
    return http_connections_hurried(&((struct http *)h)->connections);
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
    MHD_quiesce_daemon(h->daemon); /* from now on the caller owns the socket */
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
    http_connections_stop(&h->connections);
    for (size_t i = 0; h->hosts[i]; i++)
        free(h->hosts[i]);
    rate_limit_free(h->rates);
    pthread_mutex_destroy(&h->lock);
    pthread_mutex_destroy(&h->same_credential.lock);
    pthread_mutex_destroy(&h->same_question.lock);
    free(h);
}
