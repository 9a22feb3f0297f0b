#include "server/platform/net/listen_socket.h"

#include <arpa/inet.h>
#include <errno.h>
#include <fcntl.h>
#include <netdb.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>
#include <unistd.h>

#include "base/log.h"

#define FIRST_HANDED_OVER 3 /* sd_listen_fds(3) */
#define BACKLOG           1024

static int split_address(const char *listen_at, char *host, size_t size, const char **port, struct err *e)
{
    const char *colon = strrchr(listen_at, ':');
    size_t n = colon ? (size_t)(colon - listen_at) : 0;

    if (!colon || n >= size || !colon[1] || strspn(colon + 1, "0123456789") != strlen(colon + 1))
        return err_set(e, ERR_USAGE, "`listen`: \"%s\" is not ADDRESS:PORT", listen_at);
    memcpy(host, listen_at, n);
    host[n] = '\0';
    if (n >= 2 && host[0] == '[' && host[n - 1] == ']') {
        memmove(host, host + 1, n - 2);
        host[n - 2] = '\0';
    }
    *port = colon + 1;
    return 0;
}

static int bind_listen(int fd, const struct addrinfo *a)
{
    int one = 1;

    setsockopt(fd, SOL_SOCKET, SO_REUSEADDR, &one, sizeof one);
    return bind(fd, a->ai_addr, a->ai_addrlen) == 0 && listen(fd, BACKLOG) == 0 ? 0 : -1;
}

static int find_address(const char *listen_at, struct addrinfo **found, struct err *e)
{
    struct addrinfo hints = {.ai_socktype = SOCK_STREAM, .ai_flags = AI_PASSIVE | AI_NUMERICSERV};
    char host[100] = "";
    const char *port = NULL;
    int ret;

    if (split_address(listen_at, host, sizeof host, &port, e) < 0)
        return -1;
    ret = getaddrinfo(host[0] ? host : NULL, port, &hints, found);
    return ret == 0 ? 0 : err_set(e, ERR_USAGE, "`listen`: %s: %s", listen_at, gai_strerror(ret));
}

static int open_new(const char *listen_at, int *fd, struct err *e)
{
    struct addrinfo *found = NULL;
    int errnum = 0;

    if (find_address(listen_at, &found, e) < 0)
        return -1;
    *fd = socket(found->ai_family, SOCK_STREAM | SOCK_CLOEXEC | SOCK_NONBLOCK, 0);
    if (*fd < 0 || bind_listen(*fd, found) < 0)
        errnum = errno;
    freeaddrinfo(found);
    if (!errnum)
        return 0;
    if (*fd >= 0)
        close(*fd);
    *fd = -1;
    err_set(e, ERR_NETWORK, "cannot listen on %s: %s", listen_at, strerror(errnum));
    return errnum == EADDRINUSE
               ? err_hint(e, "Another program has this port; choose one with --listen ADDRESS:PORT.")
               : -1;
}

/* 1: this process has received a listening socket (sd_listen_fds(3)). 0: it has received none. */
static int take_handed_over(int *fd, struct err *e)
{
    const char *pid = getenv("LISTEN_PID"), *count = getenv("LISTEN_FDS");
    int listens = 0;
    socklen_t size = sizeof listens;

    if (!pid || !count || strtol(pid, NULL, 10) != (long)getpid())
        return 0;
    if (strcmp(count, "1") != 0) {
        err_set(e, ERR_USAGE, "%.20s sockets were passed, and one is expected", count);
        return err_hint(e, "A socket unit for Vivace has one ListenStream= line.");
    }
    unsetenv("LISTEN_PID");
    unsetenv("LISTEN_FDS");
    unsetenv("LISTEN_FDNAMES");
    if (getsockopt(FIRST_HANDED_OVER, SOL_SOCKET, SO_ACCEPTCONN, &listens, &size) < 0 || !listens)
        return err_set(e, ERR_USAGE, "descriptor %d was passed and is not a listening socket", FIRST_HANDED_OVER);
    /* Moves the socket to a number of at least 10. A library may close or reuse low numbers. */
    *fd = fcntl(FIRST_HANDED_OVER, F_DUPFD_CLOEXEC, 10);
    if (*fd < 0)
        return err_set_errno(e, errno, "the socket that was passed");
    close(FIRST_HANDED_OVER);
    fcntl(*fd, F_SETFL, fcntl(*fd, F_GETFL) | O_NONBLOCK);
    return 1;
}

struct address {
    char host[INET6_ADDRSTRLEN], port[8];
};

static int address_text(const struct sockaddr *at, socklen_t length, struct address *out)
{
    return getnameinfo(at, length, out->host, sizeof out->host, out->port, sizeof out->port,
                       NI_NUMERICHOST | NI_NUMERICSERV);
}

static int address_of(int fd, sa_family_t *family, struct address *out, struct err *e)
{
    struct sockaddr_storage at = {0};
    socklen_t length = sizeof at;

    if (getsockname(fd, (struct sockaddr *)&at, &length) < 0)
        return err_set_errno(e, errno, "the address that was taken");
    *family = at.ss_family;
    return address_text((struct sockaddr *)&at, length, out) == 0
               ? 0
               : err_set(e, ERR_UNSUPPORTED, "the socket that was passed is not a TCP socket");
}

/* Logs when the socket's address differs from the setting, which may have changed since the server first
 * listened. */
static void compare(const struct address *taken, const char *address, const char *listen_at)
{
    struct addrinfo *found = NULL;
    struct address wanted;
    struct err ignored;

    if (find_address(listen_at, &found, &ignored) < 0)
        return;
    if (address_text(found->ai_addr, found->ai_addrlen, &wanted) == 0 &&
        (strcmp(wanted.host, taken->host) != 0 ||
         (strcmp(wanted.port, "0") != 0 && strcmp(wanted.port, taken->port) != 0)))
        log_info(
            "http",
            "listens on the socket that was passed; a change of `listen` takes effect after a stop and a start",
            "address=%s listen=%s", address, log_quote(listen_at, (char[200]){0}, 200));
    freeaddrinfo(found);
}

int listen_socket_open(const char *listen_at, int *fd, char address[LISTEN_ADDRESS], struct err *e)
{
    int taken = take_handed_over(fd, e);
    sa_family_t family = AF_UNSPEC;
    struct address at;

    if (taken < 0 || (taken == 0 && open_new(listen_at, fd, e) < 0))
        return -1;
    if (address_of(*fd, &family, &at, e) < 0)
        return -1;
    snprintf(address, LISTEN_ADDRESS, family == AF_INET6 ? "[%s]:%s" : "%s:%s", at.host, at.port);
    if (taken)
        compare(&at, address, listen_at);
    return 0;
}
