/* server/domain/farm.h: the state that the files of server/domain share; part of struct app. */
#ifndef VIVACE_SERVER_FARM_H
#define VIVACE_SERVER_FARM_H

#include <stdatomic.h>

#include "base/clock.h"
#include "base/err.h"
#include "server/store/store.h"

struct server_config; /* server/platform/config.h */
struct metrics;       /* server/platform/metrics.h */
struct static_files;  /* server/platform/net/static_files.h: the dashboard */
struct db;            /* server/store/db/db.h */
struct executor;      /* server/store/threads/executor.h */
struct access;        /* server/domain/access/access.h: tokens and sessions */
struct login_guard;   /* server/domain/access/login_guard.h: slows down password guessing */
struct importer;      /* server/domain/import/importer.h: running imports */
struct dispatcher;    /* server/domain/queue/dispatcher.h: claims, heartbeats, completions */
struct peer_notify;   /* server/domain/queue/peer_notify.h: notices to and from other servers */
struct sweeper;       /* server/domain/queue/sweeper.h: periodic work of the leader */
struct design_store;  /* server/domain/plan/design_store.h: GPU designs, and the simulator that reads them */
struct pack_waits;    /* server/domain/tasks/pack_waits.h: plans that wait for storage */
struct projector;     /* server/domain/project/projector.h: projects runs */
struct watch;         /* server/domain/operate/watch.h: monitors long snapshots, clocks and disks */

struct farm {
    struct store store;
    const struct server_config *config;
    struct clock *clock;
    struct executor *db_executor;   /* short database work, for people */
    struct executor *work_executor; /* short database work for workers, so that people's requests do not delay it */
    struct executor *cpu_executor;  /* imports, plans, sweeps */
    struct executor *file_executor; /* requests whose body is in a file: they wait for the disk */
    struct executor *login_executor;  /* passwords from unknown devices: some wait for their turn on its threads */
    struct executor *device_executor; /* passwords from known devices: none waits for a turn */
    struct metrics *metrics;
    struct static_files *files;
    struct access *access;
    struct login_guard *login_guard;
    struct importer *importer;
    struct dispatcher *dispatcher;
    struct peer_notify *hints;
    struct sweeper *sweeper;
    struct design_store *designs;
    struct pack_waits *pack_waits;
    struct projector *projector;
    struct watch *watch;
    unsigned char cursor_key[32]; /* signs page cursors: server/api/http/cursor.h */
    atomic_int packs;             /* state of server/domain/tasks/trace_cut.c: idle, running, or requested again */
    /* server/domain/run/pilots.h: read by the task of server/domain/tasks/trace_cut.c */
    int (*pilots_serve)(struct farm *farm, struct db *db, struct err *e);
    atomic_bool stopping;
};

#endif
