/* ingest/launch_kinds.h: the different launches of a list, and which kernels of a profile they may be. Two
 * spellings of a name are one name where base/demangle.h's plain form of both is equal. */
#ifndef VIVACE_INGEST_LAUNCH_KINDS_H
#define VIVACE_INGEST_LAUNCH_KINDS_H

#include "ingest/launch_list.h"
#include "sampling/hash_index.h"
#include "sampling/profile.h"

struct launch_text {
    char *text;
    uint32_t form; /* text number of the plain form; equal forms are one name once followed to their root */
};
struct launch_kind {
    uint32_t text; /* the name as the list spells it */
    bool has_shape;
    uint32_t grid[3], block[3];
};
struct launch_kinds {
    const struct profile *p; /* the caller's */
    struct launch_text *texts;
    struct launch_kind *kinds;
    struct hash_index text_index, kind_index;
    size_t text_count, text_capacity, kind_count, kind_capacity;
    uint32_t *kernel_text; /* by kernel of the profile */
};

int launch_kinds_init(struct launch_kinds *k, const struct profile *p, struct err *e) MUST_CHECK;
void launch_kinds_release(struct launch_kinds *k);
/* The number of the listed launch's kind. */
int launch_kinds_add(struct launch_kinds *k, const struct listed_launch *l, uint32_t *kind,
                     struct err *e) MUST_CHECK;

const char *launch_kinds_name(const struct launch_kinds *k, uint32_t kind);
bool launch_kinds_same_name(const struct launch_kinds *k, uint32_t kernel, uint32_t kind);
/* Sizes that the list or the profile does not state (0) are the same as any. */
bool launch_kinds_same_grid(const struct launch_kinds *k, uint32_t kernel, uint32_t kind);
bool launch_kinds_same_block(const struct launch_kinds *k, uint32_t kernel, uint32_t kind);

/* Numbers for launch_window_find(): kernels[kernel_count] of the profile and kinds[kind_count] whose numbers differ
 * are not the same launch. *exact: equal numbers prove that they are; otherwise the functions above have to be
 * asked. */
int launch_kinds_number(const struct launch_kinds *k, uint32_t *kernels, uint32_t *kinds, bool *exact,
                        struct err *e) MUST_CHECK;

#endif
