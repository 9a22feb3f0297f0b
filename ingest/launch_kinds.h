/* ingest/launch_kinds.h: the distinct launches of a list, and the kernels of a profile that match them. Two
 * spellings of a name are equal when their plain forms (base/demangle.h) are equal. */
#ifndef VIVACE_INGEST_LAUNCH_KINDS_H
#define VIVACE_INGEST_LAUNCH_KINDS_H

#include "ingest/launch_list.h"
#include "sampling/math/hash_index.h"
#include "sampling/profile/profile.h"

struct launch_text {
    char *text;
    uint32_t form; /* index of a text with the same plain form; equal names have the same root text */
};
struct launch_kind {
    uint32_t text; /* index of the name as the list spells it */
    bool has_shape;
    uint32_t grid[3], block[3];
};
struct launch_kinds {
    const struct profile *p; /* borrowed */
    struct launch_text *texts;
    struct launch_kind *kinds;
    struct hash_index text_index, kind_index;
    size_t text_count, text_capacity, kind_count, kind_capacity;
    uint32_t *kernel_text; /* by kernel of the profile */
};

int launch_kinds_init(struct launch_kinds *k, const struct profile *p, struct err *e) MUST_CHECK;
void launch_kinds_release(struct launch_kinds *k);
/* *kind is the number of the launch's kind. A new kind is added. */
int launch_kinds_add(struct launch_kinds *k, const struct listed_launch *l, uint32_t *kind,
                     struct err *e) MUST_CHECK;

const char *launch_kinds_name(const struct launch_kinds *k, uint32_t kind);
bool launch_kinds_same_name(const struct launch_kinds *k, uint32_t kernel, uint32_t kind);
/* A size that the list or the profile does not have (0) matches any size. */
bool launch_kinds_same_grid(const struct launch_kinds *k, uint32_t kernel, uint32_t kind);
bool launch_kinds_same_block(const struct launch_kinds *k, uint32_t kernel, uint32_t kind);

/* Numbers for launch_window_find(): kernels[kernel_count] of the profile and kinds[kind_count]. Different numbers
 * mean different launches. *exact: equal numbers mean equal launches. Otherwise the caller must also use the
 * functions above. */
int launch_kinds_number(const struct launch_kinds *k, uint32_t *kernels, uint32_t *kinds, bool *exact,
                        struct err *e) MUST_CHECK;

#endif
