/* sampling/profile/groups.h: groups launches by a key and sorts them by value: the input of all methods.
 *
 * GPU times have few distinct values (clock resolution), so a method works on hundreds of runs of equal values
 * instead of millions of launches. Launches of value 0 are in no group. */
#ifndef VIVACE_SAMPLING_GROUPS_H
#define VIVACE_SAMPLING_GROUPS_H

#include <stddef.h>
#include <stdint.h>

#include "sampling/profile/profile.h"

enum group_key {
    GROUP_KERNEL /* name, grid, block */,
    GROUP_NAME,
    GROUP_ALL,
    GROUP_LABEL /* by a label that the method assigns */
};

struct value_run {
    uint64_t value;
    uint32_t first; /* rows[first] up to the next run's first have this value, by ascending id */
};

struct group {
    uint32_t key; /* index of the kernel, name_id, or 0; with a map, the map's key */
    enum group_key kind;
    size_t run_begin, run_end;
};

struct groups {
    size_t count, run_count, row_count;
    struct group *items;    /* by key; none is empty */
    struct value_run *runs; /* run_count runs and a sentinel whose `first` is row_count */
    uint32_t *rows;         /* launch ids by key, value, id */
};

/* Count, sum and sum of squares, exact. */
struct moments {
    uint64_t count, sum;
    unsigned __int128 squares;
};
struct moments moments_of(const struct groups *g, size_t run_begin, size_t run_end);
double moments_mean(const struct moments *m);
double moments_sd(const struct moments *m);            /* with N - 1; 0 when N = 1 */
double moments_sd_population(const struct moments *m); /* with N, as in the papers */
/* Third central moment and excess kurtosis; 0 if all values are equal. */
struct tails {
    double third, kurtosis;
};
struct tails tails_of(const struct groups *g, size_t run_begin, size_t run_end);

int groups_make(const struct profile *p, enum group_key key, struct groups *out, struct err *e);

/* Any other grouping of kernels: kernel k goes to key of_kernel[k], below `keys`; kind[key] is the kind of its
 * group. */
struct group_map {
    size_t keys;
    const uint32_t *of_kernel;
    const enum group_key *kind;
};
int groups_make_mapped(const struct profile *p, const struct group_map *map, struct groups *out, struct err *e);
/* Any grouping of launches: launch i goes to group label[i], below `labels`, or to none (GROUP_NOWHERE). For
 * methods that cluster by features. Launches of value 0 are in no group here either. */
#define GROUP_NOWHERE UINT32_MAX
int groups_make_labelled(const struct profile *p, const uint32_t *label, size_t labels, struct groups *out,
                         struct err *e);
void groups_release(struct groups *g);

static inline size_t runs_rows(const struct groups *g, size_t run_begin, size_t run_end)
{
    return g->runs[run_end].first - g->runs[run_begin].first;
}

#endif
