/* ingest/warp_types.h: the warps of a launch, gathered into types: those that ran the same basic blocks equally
 * often. A warp is passed block by block, then ended. */
#ifndef VIVACE_INGEST_WARP_TYPES_H
#define VIVACE_INGEST_WARP_TYPES_H

#include "sampling/features_build.h"

struct warp_types; /* opaque */
/* The most distinct types; warps of further ones become one type with the rounded mean of their counts. */
struct warp_types *warp_types_new(size_t most, struct err *e);
void warp_types_free(struct warp_types *t);
void warp_types_clear(struct warp_types *t);
/* The warp ran the block `key`, whose first instruction is `inst` (a small number): the way to find it fast. */
int warp_types_block(struct warp_types *t, uint32_t inst, uint64_t key, struct err *e);
int warp_types_end_warp(struct warp_types *t, struct err *e);
/* Once, at the end: points out->types and out->blocks at what was gathered, good until the next call. */
int warp_types_give(struct warp_types *t, struct launch_features *out, struct err *e);

#endif
