/* Internal header of server/store/cluster/private_pg*.c. */
#ifndef VIVACE_SERVER_PRIVATE_PG_INTERNAL_H
#define VIVACE_SERVER_PRIVATE_PG_INTERNAL_H

#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/types.h>

#include "server/store/cluster/private_pg.h"

#define SOCKET_PATH_MAX 88 /* 107 bytes of sun_path, less "/.s.PGSQL.5432.lock" */
#define PATH_TEXT       (PATH_MAX + 64)

struct private_pg {
    char bin[PATH_MAX], data[PATH_TEXT], logs[PATH_TEXT], sockets[SOCKET_PATH_MAX + 1];
    char user[64], conninfo[600];
    uint64_t connections, shared_bytes;
    pid_t pid;
    bool ours; /* the postmaster is a child of this process, which must wait for it */
    atomic_bool stopping, running;
    pthread_t watcher;
    bool watched;
};

/* private_pg_cluster.c */
int private_pg_find_programs(struct private_pg *pg, const struct server_config *c, struct err *e);
/* 1: a cluster of the right version exists. 0: there is no cluster. */
int private_pg_check_cluster(struct private_pg *pg, struct err *e);
/* Creates the cluster in another folder and renames it, so that a killed initdb leaves no incomplete cluster. */
int private_pg_make_cluster(struct private_pg *pg, struct err *e);

#endif
