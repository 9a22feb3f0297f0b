#include "server/platform/net/http_head.h"

#include <arpa/inet.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>

#include "base/array.h"
#include "base/text.h"

#define FIELD_GAP_MAX (32 << 10) /* blanks before a value: a whole head is not longer */

static bool field_is(const struct head_field *f, const char *name)
{
    return f->name_length == strlen(name) && strncasecmp(f->name, name, f->name_length) == 0;
}

static int count_fields(const struct head *h, const char *name, const struct head_field **last)
{
    int n = 0;

    for (size_t i = 0; i < h->count; i++)
        if (field_is(&h->field[i], name)) {
            n++;
            *last = &h->field[i];
        }
    return n;
}

const char *head_value(const struct head *h, const char *name)
{
    const struct head_field *f = NULL;

    return count_fields(h, name, &f) > 0 ? f->value : NULL;
}

/* A name with a space before its colon is another field for a proxy than for the parser (RFC 9112, 5.1). */
static int check_names(const struct head *h, struct err *e)
{
    for (size_t i = 0; i < h->count; i++)
        if (!h->field[i].name[0] || h->field[i].name[strcspn(h->field[i].name, " \t\r\n")])
            return err_set(e, ERR_MALFORMED, "the name of a header field is empty or contains a space");
    return 0;
}

bool head_field_in_one_line(const char *name, size_t name_length, const char *value)
{
    uintptr_t colon = (uintptr_t)name + name_length;

    if ((uintptr_t)value <= colon || (uintptr_t)value - colon > FIELD_GAP_MAX || name[name_length])
        return false;
    for (const char *p = name + name_length + 1; p < value; p++)
        if (*p != ' ' && *p != '\t')
            return false;
    return true;
}

static int check_length(const struct head *h, struct err *e)
{
    const struct head_field *length = NULL, *coding = NULL;
    int lengths = count_fields(h, "Content-Length", &length),
        codings = count_fields(h, "Transfer-Encoding", &coding);

    if (check_names(h, e) < 0)
        return -1;
    if (lengths > 1)
        return err_set(e, ERR_MALFORMED, "the request has %d Content-Length fields", lengths);
    if (lengths && codings)
        return err_set(e, ERR_MALFORMED, "the request has both Content-Length and Transfer-Encoding");
    if (codings > 1 || (codings && strcasecmp(coding->value, "chunked") != 0))
        return err_set(e, ERR_MALFORMED, "Transfer-Encoding may only be \"chunked\"");
    if (lengths && (length->value_length == 0 || length->value_length > 18 ||
                    strspn(length->value, "0123456789") != length->value_length))
        return err_set(e, ERR_MALFORMED, "Content-Length is not a number");
    return 0;
}

int head_content_length(const struct head *h, uint64_t *out)
{
    const char *s = head_value(h, "Content-Length");

    if (!s)
        return 0;
    *out = strtoull(s, NULL, 10);
    return 1;
}

/* Reads the host of "name", "name:80", "1.2.3.4:80" or "[::1]:80" into out. False: s has none of these forms. */
static bool host_part(const char *s, char *out, size_t size)
{
    size_t n;
    const char *port;

    if (s[0] == '[') {
        n = strcspn(s, "]");
        if (s[n] != ']')
            return false;
        port = s + n + 1;
        s++;
        n--;
    } else {
        n = strcspn(s, ":");
        port = s + n;
    }
    if (n == 0 || n >= size || (*port && (*port != ':' || strspn(port + 1, "0123456789") != strlen(port + 1))))
        return false;
    memcpy(out, s, n);
    out[n] = '\0';
    return true;
}

/* IP addresses are always allowed: a page of another site (DNS rebinding) can reach this server only under a name
 * that the site controls. */
static int check_host(const struct head *h, const char *const *hosts, struct err *e)
{
    const struct head_field *host = NULL;
    unsigned char address[sizeof(struct in6_addr)];
    char name[256];

    if (count_fields(h, "Host", &host) != 1 || !host_part(host->value, name, sizeof name))
        return err_set(e, ERR_MALFORMED, "the request must name one host");
    if (inet_pton(AF_INET, name, address) == 1 || inet_pton(AF_INET6, name, address) == 1)
        return 0;
    for (; *hosts; hosts++)
        if (strcasecmp(*hosts, name) == 0)
            return 0;
    err_set(e, ERR_MALFORMED, "this server does not answer for the host %.100s", name);
    return err_hint(e, "Start the server with --public-url, or reach it by its address.");
}

int head_check(const struct head *h, const char *const *hosts, struct err *e)
{
    static const char *const methods[] = {"GET", "HEAD", "POST", "PUT", "DELETE", "PATCH", "OPTIONS"};
    size_t m = 0, path_length = strcspn(h->uri, "?");
    bool health = (path_length == 8 && strncmp(h->uri, "/healthz", 8) == 0) ||
                  (path_length == 7 && strncmp(h->uri, "/readyz", 7) == 0);

    while (m < sizeof methods / sizeof methods[0] && strcmp(h->method, methods[m]) != 0)
        m++;
    if (m == sizeof methods / sizeof methods[0])
        return err_set(e, ERR_MALFORMED, "the method %.20s is not known", h->method);
    if (strcmp(h->version, "HTTP/1.1") != 0 && !(health && strcmp(h->version, "HTTP/1.0") == 0))
        return err_set(e, ERR_MALFORMED, "this server speaks HTTP/1.1");
    if (strlen(h->uri) > URI_MAX)
        return err_set(e, ERR_MALFORMED, "the address is longer than %d bytes", URI_MAX);
    if (h->more)
        return err_set(e, ERR_MALFORMED, "the request has more than %d header fields", HEAD_FIELDS);
    if (h->folded)
        return err_set(e, ERR_MALFORMED, "a header field goes on in the next line: send it in one line");
    for (size_t i = 0; i < h->count; i++)
        if (memchr(h->field[i].name, 0, h->field[i].name_length) ||
            (h->field[i].value && memchr(h->field[i].value, 0, h->field[i].value_length)) || !h->field[i].value)
            return err_set(e, ERR_MALFORMED, "a header field has a NUL in it, or no value");
    if (check_length(h, e) < 0)
        return -1;
    return health && strcmp(h->version, "HTTP/1.0") == 0 ? 0 : check_host(h, hosts, e);
}

/* --- Paths and queries --- */

static int hex(char c)
{
    return c >= '0' && c <= '9'   ? c - '0'
           : c >= 'a' && c <= 'f' ? c - 'a' + 10
           : c >= 'A' && c <= 'F' ? c - 'A' + 10
                                  : -1;
}

/* Decodes n bytes into out (room for n + 1); returns the decoded length, or -1 for a broken % code or a NUL. */
static long percent_decode(const char *s, size_t n, bool plus, char *out)
{
    long length = 0;

    for (size_t i = 0; i < n; i++) {
        char c = s[i];

        if (c == '%') {
            if (n - i < 3 || hex(s[i + 1]) < 0 || hex(s[i + 2]) < 0)
                return -1;
            c = (char)(hex(s[i + 1]) * 16 + hex(s[i + 2]));
            i += 2;
        } else if (c == '+' && plus) {
            c = ' ';
        }
        if (c == '\0')
            return -1;
        out[length++] = c;
    }
    out[length] = '\0';
    return length;
}

static int check_segment(const char *s, size_t n, struct err *e)
{
    if (n == 0 || strcmp(s, ".") == 0 || strcmp(s, "..") == 0)
        return err_set(e, ERR_MALFORMED, "the path has an empty segment, or one that is \".\" or \"..\"");
    if (memchr(s, '/', n) || memchr(s, '\\', n))
        return err_set(e, ERR_MALFORMED, "the path has an encoded slash");
    for (size_t i = 0; i < n; i++)
        if ((unsigned char)s[i] < 0x20 || s[i] == 0x7f)
            return err_set(e, ERR_MALFORMED, "the path has a control character");
    if (utf8_valid_prefix(s, n) != n)
        return err_set(e, ERR_MALFORMED, "the path is not UTF-8");
    return 0;
}

int path_read(const char *uri, struct path *out, struct err *e)
{
    size_t end = strcspn(uri, "?"), at = 1;
    char *to;

    *out = (struct path){.folder = end > 1 && uri[end - 1] == '/'};
    if (uri[0] != '/' || end > URI_MAX)
        return err_set(e, ERR_MALFORMED, "the address must begin with a slash and have at most %d bytes", URI_MAX);
    if (out->folder && uri[--end - 1] == '/')
        return err_set(e, ERR_MALFORMED, "the path has an empty segment");
    to = out->text = mem_zalloc(end + 1, 1, e); /* a NUL for each slash */
    if (!to)
        return -1;
    while (at < end) {
        size_t n = strcspn(uri + at, "/?");
        long length;

        if (at + n > end)
            n = end - at;
        length = percent_decode(uri + at, n, false, to);
        if (length < 0)
            return err_set(e, ERR_MALFORMED, "the path has a broken %% code, or a NUL");
        if (check_segment(to, (size_t)length, e) < 0)
            return -1;
        if (out->count == PATH_SEGMENTS)
            return err_set(e, ERR_MALFORMED, "the path has more than %d segments", PATH_SEGMENTS);
        out->segment[out->count++] = to;
        to += length + 1;
        at += n + 1;
    }
    return 0;
}

void path_release(struct path *p)
{
    free(p->text);
    p->text = NULL;
}

int query_read(const char *uri, const char *name, char **out, struct err *e)
{
    const char *q = strchr(uri, '?');
    size_t name_length = strlen(name);

    *out = NULL;
    for (q = q ? q + 1 : ""; *q;) {
        size_t n = strcspn(q, "&"), key = strcspn(q, "=&");

        if (key == name_length && strncmp(q, name, key) == 0) {
            size_t value = key < n ? key + 1 : key;
            char *text = mem_zalloc(n - value + 1, 1, e);
            long length;

            if (!text)
                return -1;
            length = percent_decode(q + value, n - value, true, text);
            if (length < 0 || utf8_valid_prefix(text, (size_t)length) != (size_t)length) {
                free(text);
                return err_set(e, ERR_MALFORMED, "the query parameter `%s` is not valid", name);
            }
            *out = text;
            return 1;
        }
        q += n + (q[n] == '&');
    }
    return 0;
}
