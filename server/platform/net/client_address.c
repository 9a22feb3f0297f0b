#include "server/platform/net/client_address.h"

#include <arpa/inet.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/socket.h>

static const unsigned char mapped[12] = {[10] = 0xff, [11] = 0xff};

static int read_address(const char *text, unsigned char out[16])
{
    if (inet_pton(AF_INET6, text, out) == 1)
        return 0;
    memcpy(out, mapped, sizeof mapped);
    return inet_pton(AF_INET, text, out + 12) == 1 ? 0 : -1;
}

static bool is_ipv4(const unsigned char address[16])
{
    return memcmp(address, mapped, sizeof mapped) == 0;
}

static void write_address(const unsigned char address[16], char out[ADDRESS_TEXT])
{
    if (is_ipv4(address))
        inet_ntop(AF_INET, address + 12, out, ADDRESS_TEXT);
    else
        inet_ntop(AF_INET6, address, out, ADDRESS_TEXT);
}

/* Reads one item of a comma-separated list. Returns its length without surrounding blanks. *at moves behind the
 * comma. */
static size_t next_item(const char **at, const char **item)
{
    size_t n;

    *item = *at + strspn(*at, " \t");
    n = strcspn(*item, ",");
    *at = *item + n + ((*item)[n] == ',');
    while (n > 0 && strchr(" \t", (*item)[n - 1]))
        n--;
    return n;
}

static int read_net(const char *item, size_t n, struct proxies *p, struct err *e)
{
    char text[ADDRESS_TEXT + 8], *slash, *end;
    unsigned long bits = 128;
    int bad;

    if (p->count == sizeof p->nets / sizeof p->nets[0])
        return err_set(e, ERR_USAGE, "`trusted-proxies`: at most %zu networks", p->count);
    snprintf(text, sizeof text, "%.*s", (int)n, item);
    slash = strchr(text, '/');
    if (slash)
        *slash = '\0';
    bad = n >= sizeof text || read_address(text, p->nets[p->count].address) < 0;
    if (!bad && slash) {
        unsigned base = is_ipv4(p->nets[p->count].address) && !strchr(text, ':') ? 96 : 0;

        bits = strtoul(slash + 1, &end, 10);
        bad = !slash[1] || *end || bits > 128 - base;
        bits += base;
    }
    if (bad)
        return err_set(e, ERR_USAGE, "`trusted-proxies`: \"%.*s\" is no address or network such as 10.0.0.0/8",
                       n > 60 ? 60 : (int)n, item);
    p->nets[p->count++].bits = (unsigned)bits;
    return 0;
}

int proxies_read(const char *text, struct proxies *out, struct err *e)
{
    const char *item;

    memset(out, 0, sizeof *out);
    while (text && *text) {
        size_t n = next_item(&text, &item);

        if (n > 0 && read_net(item, n, out, e) < 0)
            return -1;
    }
    return 0;
}

static bool within(const unsigned char address[16], const unsigned char net[16], unsigned bits)
{
    unsigned whole = bits / 8, rest = bits % 8;

    return memcmp(address, net, whole) == 0 &&
           (rest == 0 || ((address[whole] ^ net[whole]) & (0xff00u >> rest & 0xff)) == 0);
}

static bool is_trusted(const unsigned char address[16], const struct proxies *p)
{
    for (size_t i = 0; i < p->count; i++)
        if (within(address, p->nets[i].address, p->nets[i].bits))
            return true;
    return false;
}

static int peer_address(const struct sockaddr *peer, unsigned char out[16])
{
    struct sockaddr_in6 six;
    struct sockaddr_in four;

    if (peer && peer->sa_family == AF_INET6) {
        memcpy(&six, peer, sizeof six);
        memcpy(out, &six.sin6_addr, 16);
        return 0;
    }
    if (peer && peer->sa_family == AF_INET) {
        memcpy(&four, peer, sizeof four);
        memcpy(out, mapped, sizeof mapped);
        memcpy(out + 12, &four.sin_addr, 4);
        return 0;
    }
    return -1;
}

/* Reads one field from right to left. False: the client's address is found, or the items further left are not
 * trusted. */
static bool walk_field(const char *value, const struct proxies *trusted, unsigned char address[16])
{
    size_t end = strlen(value);

    while (end > 0) {
        size_t begin = end;
        char text[ADDRESS_TEXT];
        const char *at = value, *item;
        unsigned char hop[16];
        size_t n;

        while (begin > 0 && value[begin - 1] != ',')
            begin--;
        at += begin;
        n = next_item(&at, &item);
        if (n >= sizeof text)
            return false;
        snprintf(text, sizeof text, "%.*s", (int)n, item);
        if (read_address(text, hop) < 0)
            return false;
        memcpy(address, hop, sizeof hop);
        if (!is_trusted(hop, trusted))
            return false;
        end = begin > 0 ? begin - 1 : 0;
    }
    return true;
}

void client_address(const struct sockaddr *peer, const char *const *forwarded, size_t count,
                    const struct proxies *trusted, char out[ADDRESS_TEXT])
{
    unsigned char address[16];

    if (peer_address(peer, address) < 0) {
        snprintf(out, ADDRESS_TEXT, "unknown");
        return;
    }
    if (is_trusted(address, trusted))
        while (count > 0 && walk_field(forwarded[--count], trusted, address))
            ;
    write_address(address, out);
}

void client_network(const char *address, char out[ADDRESS_TEXT])
{
    unsigned char bytes[16];

    if (read_address(address, bytes) < 0 || is_ipv4(bytes)) {
        snprintf(out, ADDRESS_TEXT, "%s", address);
        return;
    }
    memset(bytes + 8, 0, 8);
    write_address(bytes, out);
}
