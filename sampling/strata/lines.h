/* sampling/strata/lines.h: lines: sorted sequences of launch values that are cut into strata.
 *
 * Three kinds exist: one line per kernel (name, grid, block); one per name with several shapes; and mixed lines, of
 * launches of several names: those with the smallest share of the total. These are sorted by value alone. A plan
 * chooses lines so that each launch is on exactly one of them. */
#ifndef VIVACE_SAMPLING_LINES_H
#define VIVACE_SAMPLING_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sampling/profile/groups.h"
#include "sampling/strata/optimal.h"

enum line_kind { LINE_KERNEL, LINE_NAME, LINE_MIXED };

struct line {
    enum line_kind kind;
    uint32_t kernel; /* index in the profile; of several kernels the first */
    uint32_t name;   /* LINE_KERNEL, LINE_NAME: name_id */
    size_t names;    /* LINE_MIXED: number of names: those with a rank below it */
    struct bins bins;
    size_t room; /* number of bins of all lines before: offset for per-bin arrays of the caller */
};

struct lines {
    size_t count, room, bins_max; /* room: total number of bins of all lines */
    struct line *items;           /* of kernels, of names, mixed ones */
    enum profile_unit unit;       /* of the values; cycles follow units other than ns only loosely */
    size_t name_count;
    size_t *rank; /* per name_id: light names first */
};

/* `by_kernel` are the profile's groups by GROUP_KERNEL. */
int lines_make(const struct profile *p, const struct groups *by_kernel, struct lines *out, struct err *e);
void lines_release(struct lines *l);

/* Groups launches by the chosen lines (each launch is on exactly one of them). The key of a group in *out is
 * lines.items[].kernel of its line. */
int lines_regroup(const struct lines *l, const bool *chosen, const struct profile *p, struct groups *out,
                  struct err *e);

#endif
