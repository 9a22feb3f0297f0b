/* server/domain/farm.h: what the files of the floor `domain` share; part of struct app. */
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
struct login_guard;   /* server/domain/access/login_guard.h: slows down who guesses passwords */
struct importer;      /* server/domain/import/importer.h: imports under way */
struct dispatcher;    /* server/domain/queue/dispatcher.h: claims, heartbeats, completions */
struct peer_notify;   /* server/domain/queue/peer_notify.h: notices to and from other servers */
struct sweeper;       /* server/domain/queue/sweeper.h */
struct design_store;  /* server/domain/plan/design_store.h: GPU designs, and the simulator that knows them */
struct pack_waits;    /* server/domain/tasks/pack_waits.h: plans without room for traces that are cut */
struct projector;     /* server/domain/project/projector.h */
struct watch;         /* server/domain/operate/watch.h: snapshots, clocks, room */

struct farm {
    struct store store;
    const struct server_config *config;
    struct clock *clock;
    struct executor *db_executor;     /* short database work, for people */
    struct executor *work_executor;   /* the same for workers: no crowd of people is in their way */
    struct executor *cpu_executor;    /* imports, plans, sweeps */
    struct executor *file_executor;   /* bodies that went into a file: they wait for the disk, pages do not */
    struct executor *login_executor;  /* passwords of anybody: some wait for their turn on its threads */
    struct executor *device_executor; /* passwords from known devices: nobody waits there */
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
    atomic_int packs;             /* whether server/domain/tasks/trace_cut.c is at work, or wanted */
    /* server/domain/run/pilots.h, for the task of server/domain/tasks/trace_cut.c */
    int (*pilots_serve)(struct farm *farm, struct db *db, struct err *e);
    atomic_bool stopping;
};

#endif
