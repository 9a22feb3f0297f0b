/* server/platform/net/listen_socket.h: the socket for incoming connections. The server opens it, or receives it
 * from its parent process (systemd's socket activation) or from itself before a restart (restart.h). */
#ifndef VIVACE_SERVER_LISTEN_SOCKET_H
#define VIVACE_SERVER_LISTEN_SOCKET_H

#include "base/err.h"

#define LISTEN_ADDRESS 128

/* listen_at: the text of the setting ("127.0.0.1:8080", "[::1]:0"). If the process has received a socket as in
 * sd_listen_fds(3) (LISTEN_PID is this process, LISTEN_FDS is 1), that socket is used, and a log line reports a
 * different address. address: the actual address with its port. */
int listen_socket_open(const char *listen_at, int *fd, char address[LISTEN_ADDRESS], struct err *e);

#endif
