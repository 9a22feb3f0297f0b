/* server/app.h: what all handlers and threads of the server share. */
#ifndef VIVACE_SERVER_APP_H
#define VIVACE_SERVER_APP_H

#include <stdatomic.h>

#include "base/clock.h"
#include "base/err.h"

struct server_config; /* server/platform/config.h */
struct blob_store;    /* server/store/blob/blob_store.h */
struct executor;      /* server/store/threads/executor.h */
struct dispatcher;    /* server/domain/queue/dispatcher.h: claims, heartbeats, completions */
struct peer_notify;   /* server/domain/queue/peer_notify.h: word to and from other servers */
struct event_hub;     /* server/api/http/event_hub.h: events to streams */
struct design_store;  /* server/domain/plan/design_store.h: GPU designs, and the simulator that knows them */
struct pack_waits;    /* server/domain/tasks/pack_waits.h: plans without room for traces that are cut */
struct sweeper;       /* server/domain/queue/sweeper.h */
struct projector;     /* server/domain/project/projector.h */
struct collector;     /* server/store/blob/collector.h */
struct db;
struct watch;        /* server/domain/operate/watch.h: snapshots, clocks, room */
struct importer;     /* server/domain/import/importer.h: imports under way */
struct metrics;      /* server/platform/metrics.h */
struct access;       /* server/domain/access/access.h: tokens and sessions */
struct login_guard;  /* server/domain/access/login_guard.h: slows down who guesses passwords */
struct http;         /* server/api/http/http_server.h: the listening half of http.h */
struct static_files; /* server/platform/net/static_files.h: the dashboard */

struct app {
    const struct server_config *config;
    struct clock *clock;
    const char *conninfo; /* of the database, private or not */
    const char *direct;   /* the same, where that is a pooler: without it */
    struct blob_store *blobs;
    struct executor *db_executor;     /* short database work, for people */
    struct executor *work_executor;   /* the same for workers: no crowd of people is in their way */
    struct executor *cpu_executor;    /* imports, plans, sweeps */
    struct executor *file_executor;   /* bodies that went into a file: they wait for the disk, pages do not */
    struct executor *login_executor;  /* passwords of anybody: some wait for their turn on its threads */
    struct executor *device_executor; /* passwords from known devices: nobody waits there */
    struct dispatcher *dispatcher;
    struct peer_notify *hints;
    struct event_hub *events;
    struct design_store *designs;
    struct sweeper *sweeper;
    struct projector *projector;
    struct collector *collector;
    struct watch *watch;
    struct importer *importer;
    struct metrics *metrics;
    struct access *access;
    struct login_guard *login_guard;
    struct http *http;
    struct static_files *files;
    unsigned char cursor_key[32]; /* signs page cursors: server/api/http/cursor.h */
    struct pack_waits *pack_waits;
    atomic_int packs; /* whether server/domain/tasks/trace_cut.c is at work, or wanted */
    /* server/domain/run/pilots.h, for the task of server/domain/tasks/trace_cut.c */
    int (*pilots_serve)(struct app *app, struct db *db, struct err *e);
    atomic_bool stopping;
};

#endif
