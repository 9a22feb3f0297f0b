/* server/store/store.h: what the files of the floor `store` share; part of struct farm. */
#ifndef VIVACE_SERVER_STORE_H
#define VIVACE_SERVER_STORE_H

#include "base/clock.h"
#include "base/err.h"

struct server_config; /* server/platform/config.h */
struct blob_store;    /* server/store/blob/blob_store.h */
struct collector;     /* server/store/blob/collector.h */

struct store {
    const struct server_config *config;
    struct clock *clock;
    const char *conninfo; /* of the database, private or not */
    const char *direct;   /* the same, where that is a pooler: without it */
    struct blob_store *blobs;
    struct collector *collector;
};

#endif
