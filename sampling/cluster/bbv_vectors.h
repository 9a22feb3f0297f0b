/* sampling/cluster/bbv_vectors.h: basic-block vectors as Photon compares them. */
#ifndef VIVACE_SAMPLING_BBV_VECTORS_H
#define VIVACE_SAMPLING_BBV_VECTORS_H

#include "sampling/profile/profile.h"

enum bbv_form {
    BBV_GPU,   /* Photon: the vectors of the launch's warp types concatenated, most frequent type first; each vector
                  has length 1 and is multiplied by the type's share of warps */
    BBV_COUNTS /* STEM's artifact: for each block, the number of times that all warps together entered it */
};
struct bbv_entry_value {
    uint64_t place; /* position of the type << 32 | block */
    double x;
};
/* Sparse vectors; equal ones are stored once. */
struct bbv_vectors {
    size_t count, entry_count, entry_capacity;
    size_t *begin;  /* vector v: entries[begin[v]] .. entries[begin[v + 1] - 1], by place */
    double *length; /* Euclidean */
    struct bbv_entry_value *entries;
    uint32_t *of; /* index into features.bbvs.bbvs -> vector */
};
/* ERR_INVALID when a vector is empty. */
int bbv_vectors_make(const struct bbv_store *s, enum bbv_form form, struct bbv_vectors *out, struct err *e);
void bbv_vectors_release(struct bbv_vectors *v);
/* Squared Euclidean distance; a component that one vector lacks counts as 0 (zero padding). Stops early and returns
 * a value >= most once the result cannot be below `most`. Only for launches of one kernel name: block numbers of
 * different names are unrelated. */
double bbv_distance_squared(const struct bbv_vectors *v, uint32_t a, uint32_t b, double most);

#endif
