/* server/platform/net/client_address.h: the client's address of a request that came through proxies.
 * X-Forwarded-For is trusted only from proxies that the settings name. It is read from the right: the first hop
 * that is not a trusted proxy is the client. Pure functions. */
#ifndef VIVACE_SERVER_CLIENT_ADDRESS_H
#define VIVACE_SERVER_CLIENT_ADDRESS_H

#include <stddef.h>

#include "base/err.h"

#define ADDRESS_TEXT 46 /* INET6_ADDRSTRLEN */

struct sockaddr;

struct proxies {
    struct {
        unsigned char address[16]; /* an IPv4 address as ::ffff:a.b.c.d */
        unsigned bits;
    } nets[16];
    size_t count;
};
/* Reads a list like "127.0.0.1, 10.0.0.0/8, fd00::/8". NULL and "" are the empty list. ERR_USAGE names the invalid
 * item. */
int proxies_read(const char *text, struct proxies *out, struct err *e) MUST_CHECK;

/* forwarded: the values of all X-Forwarded-For fields in order. Writes the address in the format of inet_ntop(),
 * or "unknown" for a peer that is neither IPv4 nor IPv6. */
void client_address(const struct sockaddr *peer, const char *const *forwarded, size_t count,
                    const struct proxies *trusted, char out[ADDRESS_TEXT]);
/* The address by which rate limits count: an IPv4 address as it is, an IPv6 address as its /64 network, because
 * one household has 2^64 addresses. */
void client_network(const char *address, char out[ADDRESS_TEXT]);

#endif
