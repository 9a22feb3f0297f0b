/* tests/scenario/network.h: between clients and servers: libmicrohttpd's calls without sockets.
 *
 * server/api/http runs as it is; the functions that it knows from libmicrohttpd are written here, for a network
 * that the seed owns: requests and replies are late, lost, come twice, overtake each other, or end with their
 * server. */
#ifndef VIVACE_TESTS_SCENARIO_NETWORK_H
#define VIVACE_TESTS_SCENARIO_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct answer {
    int status;       /* 0: none came; the client does not know what happened */
    const char *body; /* valid during the call only */
    int retry_after_s;
};
struct call {
    int server;
    const char *method, *path, *token, *body; /* copied; body NULL: none */
    const char *key;                          /* Idempotency-Key, or NULL */
    int64_t last_event;                       /* Last-Event-ID; < 0: none */
    uint64_t timeout_us;
    /* Exactly once, later. */
    void (*done)(void *ctx, const struct answer *a);
    /* Streams only: each piece as it comes; then done() when it ends. */
    void (*piece)(void *ctx, const char *text, size_t n);
    void *ctx;
};
void network_call(const struct call *c);
/* A server died: its connections are reset. */
void network_reset(int server);
void network_forget(void);

#endif
