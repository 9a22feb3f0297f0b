/* ingest/warp_types.h: groups the warps of a launch into types: warps that ran the same basic blocks equally
 * often. The caller passes the blocks of a warp one by one, then ends the warp. */
#ifndef VIVACE_INGEST_WARP_TYPES_H
#define VIVACE_INGEST_WARP_TYPES_H

#include "sampling/profile/features_build.h"

struct warp_types; /* opaque */
/* most: largest number of distinct types. All warps of further types become one type with the rounded mean of their
 * counts. */
struct warp_types *warp_types_new(size_t most, struct err *e);
void warp_types_free(struct warp_types *t);
void warp_types_clear(struct warp_types *t);
/* The current warp ran the block `key`. `inst` is the number of its first instruction, a small number that is
 * used as an index. */
int warp_types_block(struct warp_types *t, uint32_t inst, uint64_t key, struct err *e);
int warp_types_end_warp(struct warp_types *t, struct err *e);
/* Call once, at the end. out->types and out->blocks then point at the types, which are valid until the next call.
 */
int warp_types_give(struct warp_types *t, struct launch_features *out, struct err *e);

#endif
