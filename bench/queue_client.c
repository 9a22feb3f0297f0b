/* queue_client ADDRESS:PORT TOKEN SESSION,SESSION CONNECTIONS SLOTS PACK SECONDS: CONNECTIONS connections claim
 * jobs, complete them with their replayed values as results, and claim again, like workers whose jobs take no time.
 * Prints
 *
 *   jobs seconds lease_p50_ms lease_p99_ms cpu_seconds
 *
 * It ends after SECONDS, or when the queue is empty. It uses one thread and plain sockets, so that the client does
 * not limit the rate. The time of a claim is from the first byte of the request to the last byte of the answer. */
#include <errno.h>
#include <inttypes.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <arpa/inet.h>
#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/strbuf.h"

#define CONNECTIONS_MAX 1024
#define SAMPLES_MAX     (1 << 20)

struct connection {
    int fd;
    const char *session;
    bool leasing; /* true: a claim is in flight; false: a completion */
    uint64_t asked_us;
    size_t jobs; /* number of jobs in the completion in flight */
    struct strbuf in;
};
struct client {
    const char *address, *token;
    unsigned slots, pack;
    struct connection at[CONNECTIONS_MAX];
    size_t count;
    uint64_t end_us, last_us, jobs; /* last_us: time of the last accepted result */
    uint32_t *lease_us;
    size_t samples;
};

static void die(const char *what)
{
    fprintf(stderr, "queue_client: %s\n", what);
    exit(1);
}

static void send_all(int fd, const struct strbuf *b)
{
    for (size_t sent = 0; sent < b->length;) {
        ssize_t n = send(fd, b->text + sent, b->length - sent, MSG_NOSIGNAL);

        if (n < 0 && errno != EINTR)
            die("a connection ended");
        sent += n > 0 ? (size_t)n : 0;
    }
}

static void post(struct client *c, struct connection *k, const char *path, const struct strbuf *body)
{
    struct strbuf b = STRBUF_INIT;

    if (body->failed)
        die("no memory");
    strbuf_addf(&b,
                "POST /api/v1/worker/%s HTTP/1.1\r\nHost: %s\r\nAuthorization: Bearer %s\r\n"
                "Content-Type: application/json\r\nContent-Length: %zu\r\n\r\n",
                path, c->address, c->token, body->length);
    strbuf_add(&b, body->text, body->length);
    send_all(k->fd, &b);
    strbuf_release(&b);
}

static void lease(struct client *c, struct connection *k)
{
    struct strbuf b = STRBUF_INIT;

    strbuf_addf(&b, "{\"session\":\"%s\",\"slots\":%u,\"wait_s\":1,\"pack\":%u}", k->session, c->slots, c->pack);
    k->leasing = true;
    k->asked_us = clock_monotonic_us();
    post(c, k, "claim", &b);
    strbuf_release(&b);
}

/* Copies the value of the member `name` of a JSON object, without quotes, to out. Returns NULL where the member is
 * not before `end`. */
static const char *member(const char *from, const char *end, const char *name, char *out, size_t size)
{
    const char *at = strstr(from, name);
    size_t n;

    if (!at || (end && at >= end))
        return NULL;
    at += strlen(name);
    at += strspn(at, ": \"");
    n = strcspn(at, "\",} ");
    snprintf(out, size, "%.*s", (int)n, at);
    return at + n;
}

static void add_outcome(struct strbuf *b, const char *lease_at)
{
    char job[64] = "", attempt[16] = "", value[32] = "", unit[32] = "", text[80], digest[SHA256_HEX];
    struct err e;

    if (!member(lease_at, NULL, "\"job\"", job, sizeof job) ||
        !member(lease_at, NULL, "\"attempt\"", attempt, sizeof attempt) ||
        !member(lease_at, NULL, "\"value\"", value, sizeof value) ||
        !member(lease_at, NULL, "\"unit\"", unit, sizeof unit))
        die("a lease has invalid contents");
    snprintf(text, sizeof text, "%s %s", value, unit);
    if (sha256_bytes(text, strlen(text), digest, &e) < 0)
        die(e.text);
    strbuf_addf(
        b,
        "{\"job\":\"%s\",\"attempt\":%s,\"outcome\":\"ok\",\"message\":null,\"last_lines\":null,"
        "\"host_seconds\":0.001,\"cpu_seconds\":0.001,\"peak_bytes\":1000000,\"result\":{"
        "\"format\":\"vivace-result\",\"version\":1,\"simulator\":\"replay\",\"value\":\"%s\",\"unit\":\"%s\","
        "\"digest\":\"%s\"}}",
        job, attempt, value, unit, digest);
}

static void complete(struct client *c, struct connection *k, const char *leases)
{
    struct strbuf b = STRBUF_INIT;
    const char *at = strstr(leases, "\"job\"");

    k->jobs = 0;
    strbuf_addf(&b, "{\"session\":\"%s\",\"outcomes\":[", k->session);
    for (; at; at = strstr(at + 1, "\"job\"")) {
        if (k->jobs++)
            strbuf_addc(&b, ',');
        add_outcome(&b, at);
    }
    strbuf_adds(&b, "]}");
    k->leasing = false;
    if (k->jobs > 0)
        post(c, k, "complete", &b);
    strbuf_release(&b);
}

static void count_accepted(struct client *c, const struct connection *k, const char *body)
{
    if (strstr(body, "\"accepted\":false") || strstr(body, "\"accepted\": false"))
        die("a completion was refused");
    c->jobs += k->jobs;
}

static void answered(struct client *c, struct connection *k, const char *body)
{
    uint64_t now = clock_monotonic_us();

    if (k->leasing) {
        if (strstr(body, "\"job\"") && c->samples < SAMPLES_MAX)
            c->lease_us[c->samples++] = (uint32_t)(now - k->asked_us);
        complete(c, k, body);
        if (k->jobs > 0)
            return;
        c->end_us = now; /* the queue is empty: a longer run would measure waiting */
    } else {
        count_accepted(c, k, body);
        c->last_us = now;
    }
    if (now < c->end_us) {
        lease(c, k);
        return;
    }
    close(k->fd);
    k->fd = -1;
}

static void receive(struct client *c, struct connection *k)
{
    char bytes[65536], number[16] = "0";
    ssize_t n = recv(k->fd, bytes, sizeof bytes, 0);
    const char *head_end;
    size_t length;

    if (n <= 0)
        die("the server closed a connection");
    strbuf_add(&k->in, bytes, (size_t)n);
    if (k->in.failed)
        die("no memory");
    head_end = strstr(k->in.text, "\r\n\r\n");
    if (!head_end)
        return;
    if (strncmp(k->in.text, "HTTP/1.1 200", 12) != 0)
        die(k->in.text);
    member(k->in.text, head_end, "Content-Length", number, sizeof number);
    length = strtoul(number, NULL, 10);
    if (k->in.length < (size_t)(head_end + 4 - k->in.text) + length)
        return;
    answered(c, k, head_end + 4);
    strbuf_clear(&k->in);
}

static void connect_all(struct client *c, char *sessions)
{
    struct sockaddr_in to = {.sin_family = AF_INET};
    const char *port = strchr(c->address, ':');
    char *second = strchr(sessions, ',');
    int one = 1;

    if (!port || !second)
        die("usage: queue_client ADDRESS:PORT TOKEN SESSION,SESSION CONNECTIONS SLOTS PACK SECONDS");
    *second++ = '\0';
    to.sin_port = htons((uint16_t)strtoul(port + 1, NULL, 10));
    to.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
    for (size_t i = 0; i < c->count; i++) {
        struct connection *k = &c->at[i];

        k->fd = socket(AF_INET, SOCK_STREAM, 0);
        if (k->fd < 0 || connect(k->fd, (struct sockaddr *)&to, sizeof to) < 0)
            die("the server is not there");
        setsockopt(k->fd, IPPROTO_TCP, TCP_NODELAY, &one, sizeof one);
        k->session = i % 2 ? second : sessions;
        k->in = (struct strbuf)STRBUF_INIT;
        lease(c, k);
    }
}

static void serve(struct client *c)
{
    struct pollfd p[CONNECTIONS_MAX];

    for (;;) {
        size_t open = 0;

        for (size_t i = 0; i < c->count; i++) {
            p[i] = (struct pollfd){.fd = c->at[i].fd, .events = POLLIN};
            open += c->at[i].fd >= 0;
        }
        if (open == 0)
            return;
        if (poll(p, c->count, -1) < 0)
            die("poll");
        for (size_t i = 0; i < c->count; i++) {
            if (p[i].revents)
                receive(c, &c->at[i]);
        }
    }
}

static int by_size(const void *a, const void *b)
{
    uint32_t x = *(const uint32_t *)a, y = *(const uint32_t *)b;

    return (x > y) - (x < y);
}

static double share_ms(const struct client *c, double share)
{
    return c->samples ? c->lease_us[(size_t)((double)(c->samples - 1) * share)] / 1e3 : 0;
}

int main(int argc, char **argv)
{
    static struct client c;
    uint64_t begin;
    struct rusage use;
    struct err e;
    double seconds;

    if (argc != 8)
        die("usage: queue_client ADDRESS:PORT TOKEN SESSION,SESSION CONNECTIONS SLOTS PACK SECONDS");
    c.address = argv[1];
    c.token = argv[2];
    c.count = strtoul(argv[4], NULL, 10);
    c.slots = (unsigned)strtoul(argv[5], NULL, 10);
    c.pack = (unsigned)strtoul(argv[6], NULL, 10);
    if (c.count < 1 || c.count > CONNECTIONS_MAX)
        die("the number of connections is out of range");
    c.lease_us = mem_zalloc(SAMPLES_MAX, sizeof *c.lease_us, &e);
    if (!c.lease_us)
        die(e.text);
    begin = clock_monotonic_us();
    c.end_us = begin + (uint64_t)(strtod(argv[7], NULL) * 1e6);
    connect_all(&c, argv[3]);
    serve(&c);
    seconds = (double)((c.last_us ? c.last_us : clock_monotonic_us()) - begin) / 1e6;
    qsort(c.lease_us, c.samples, sizeof *c.lease_us, by_size);
    getrusage(RUSAGE_SELF, &use);
    printf("%" PRIu64 " %.3f %.2f %.2f %.2f\n", c.jobs, seconds, share_ms(&c, 0.5), share_ms(&c, 0.99),
           (double)use.ru_utime.tv_sec + (double)use.ru_utime.tv_usec / 1e6 + (double)use.ru_stime.tv_sec +
               (double)use.ru_stime.tv_usec / 1e6);
    free(c.lease_us);
    return 0;
}
