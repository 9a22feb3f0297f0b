#include "wire/curl_setup.h"

#include <stdarg.h>
#include <sys/socket.h>

#include "base/assert.h"
#include "base/strbuf.h"

/* The close-on-exec flag keeps the socket out of child processes. */
static curl_socket_t open_socket(void *ctx, curlsocktype purpose, struct curl_sockaddr *a)
{
    (void)ctx;
    (void)purpose;
    return socket(a->family, a->socktype | SOCK_CLOEXEC, a->protocol); /* -1 is CURL_SOCKET_BAD */
}

void curl_setup(CURL *h, char *problem, long least_bytes, long silent_s)
{
    ASSERT(silent_s >= 0 && (silent_s == 0 || least_bytes > 0));
    problem[0] = '\0';
    curl_easy_setopt(h, CURLOPT_ERRORBUFFER, problem);
    curl_easy_setopt(h, CURLOPT_NOSIGNAL, 1L);
    curl_easy_setopt(h, CURLOPT_OPENSOCKETFUNCTION, open_socket);
    curl_easy_setopt(h, CURLOPT_NOPROXY, "localhost,127.0.0.1,::1");
    curl_easy_setopt(h, CURLOPT_PROTOCOLS_STR, "http,https");
    curl_easy_setopt(h, CURLOPT_CONNECTTIMEOUT, 10L);
    if (silent_s) {
        curl_easy_setopt(h, CURLOPT_LOW_SPEED_LIMIT, least_bytes);
        curl_easy_setopt(h, CURLOPT_LOW_SPEED_TIME, silent_s);
    }
}

int curl_header(struct curl_slist **list, const char *format, ...)
{
    struct strbuf line = STRBUF_INIT;
    struct curl_slist *more = NULL;
    va_list ap;

    va_start(ap, format);
    strbuf_vaddf(&line, format, ap);
    va_end(ap);
    if (!line.failed)
        more = curl_slist_append(*list, line.text);
    if (more)
        *list = more;
    strbuf_release(&line);
    return more ? 0 : -1;
}
