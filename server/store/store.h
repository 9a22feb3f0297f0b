/* server/store/store.h: the state that the files of the layer `store` share. It is a part of struct farm. */
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
    const char *conninfo; /* connection string of the database (private or external) */
    const char *direct;   /* connection string without the pooler; equal to conninfo if there is no pooler */
    struct blob_store *blobs;
    struct collector *collector;
};

#endif
