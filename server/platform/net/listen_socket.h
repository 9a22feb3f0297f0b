/* server/platform/net/listen_socket.h: the socket that requests come to: opened, or handed over by the parent
 * process of this process (systemd's socket activation, or this server before it restarted itself: restart.h). */
#ifndef VIVACE_SERVER_LISTEN_SOCKET_H
#define VIVACE_SERVER_LISTEN_SOCKET_H

#include "base/err.h"

#define LISTEN_ADDRESS 128

/* listen_at as the setting says it ("127.0.0.1:8080", "[::1]:0"); where a socket was handed over, as
 * sd_listen_fds(3) describes (LISTEN_PID is this process and LISTEN_FDS is 1), that one is taken, and a log line
 * says so where it has another address. address: with the port that was taken. */
int listen_socket_open(const char *listen_at, int *fd, char address[LISTEN_ADDRESS], struct err *e);

#endif
