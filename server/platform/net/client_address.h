/* server/platform/net/client_address.h: whose request it is, when proxies stand between. X-Forwarded-For is
 * believed only from proxies that the settings name: read from the right, the first hop that is no such proxy is
 * the client. Pure functions. */
#ifndef VIVACE_SERVER_CLIENT_ADDRESS_H
#define VIVACE_SERVER_CLIENT_ADDRESS_H

#include <stddef.h>

#include "base/err.h"

#define ADDRESS_TEXT 46 /* INET6_ADDRSTRLEN */

struct sockaddr;

struct proxies {
    struct {
        unsigned char address[16]; /* IPv4 as ::ffff:a.b.c.d */
        unsigned bits;
    } nets[16];
    size_t count;
};
/* "127.0.0.1, 10.0.0.0/8, fd00::/8"; NULL and "" are none. ERR_USAGE names what is wrong. */
int proxies_read(const char *text, struct proxies *out, struct err *e) MUST_CHECK;

/* `forwarded`: the values of all X-Forwarded-For fields in order. The result is an address as inet_ntop() writes
 * it; "unknown" for a peer that is neither IPv4 nor IPv6. */
void client_address(const struct sockaddr *peer, const char *const *forwarded, size_t count,
                    const struct proxies *trusted, char out[ADDRESS_TEXT]);
/* What limits count by: an IPv4 address itself, an IPv6 address's /64, because a household has 2^64 of them. */
void client_network(const char *address, char out[ADDRESS_TEXT]);

#endif
