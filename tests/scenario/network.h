/* tests/scenario/network.h: the network between clients and servers: libmicrohttpd's functions without sockets.
 *
 * server/api/http runs unchanged. The functions of libmicrohttpd that it calls are implemented here for a
 * simulated network. The seed decides which requests and answers are late, lost, repeated or reordered, or end
 * when their server dies. */
#ifndef VIVACE_TESTS_SCENARIO_NETWORK_H
#define VIVACE_TESTS_SCENARIO_NETWORK_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

struct answer {
    int status;       /* 0: no answer; the client does not know whether the request took effect */
    const char *body; /* valid only during the call */
    int retry_after_s;
};
struct call {
    int server;
    const char *method, *path, *token, *body; /* copied; body NULL: none */
    const char *key;                          /* Idempotency-Key, or NULL */
    int64_t last_event;                       /* Last-Event-ID; < 0: none */
    uint64_t timeout_us;
    /* Called exactly once, later. */
    void (*done)(void *ctx, const struct answer *a);
    /* Only for streams: called for each piece in order. done() follows at the end. */
    void (*piece)(void *ctx, const char *text, size_t n);
    void *ctx;
};
void network_call(const struct call *c);
/* A server died: its connections are reset. */
void network_reset(int server);
void network_forget(void);

#endif
