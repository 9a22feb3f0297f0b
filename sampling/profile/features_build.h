/* sampling/profile/features_build.h: builds struct features from launches that are added one by one, in any order.
 */
#ifndef VIVACE_SAMPLING_FEATURES_BUILD_H
#define VIVACE_SAMPLING_FEATURES_BUILD_H

#include <stdbool.h>

#include "sampling/profile/features.h"

/* Features of one launch. A block is identified by any 64-bit key, equal for equal blocks; struct features replaces
 * keys by their ranks. */
struct block_count {
    uint64_t key, count;
};
struct warp_type {
    uint64_t warps;
    size_t begin, end; /* blocks[begin .. end) */
};
struct launch_features {
    double metrics[FEATURE_COUNT];
    uint64_t instructions;
    double cta_cov;
    size_t type_count, block_count, wave_count;
    struct warp_type *types; /* in any order */
    struct block_count *blocks;
    struct wave *waves;
};

struct features_builder; /* opaque */
struct features_builder *features_builder_new(uint64_t count, struct err *e);
/* Copies the features of launch `index`. Call it once for each launch, in any order. Sorts types and blocks of *l
 * in place. */
int features_builder_add(struct features_builder *b, uint64_t index, struct launch_features *l, struct err *e);
uint64_t features_builder_bytes(const struct features_builder *b); /* approximate memory use in bytes */
/* Requires that all launches were added; returns NULL and *e otherwise. The result does not depend on the order of
 * adding. */
struct features *features_builder_finish(struct features_builder *b, bool waves, struct err *e);
void features_builder_free(struct features_builder *b);

#endif
