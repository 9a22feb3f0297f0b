/* sampling/lines.h: the ways to lay out a profile's launches on lines of sorted values, before they are cut.
 *
 * Every kernel (name, grid, block) has a line of its own; every name with several shapes one for all of them; and
 * the names that weigh least share some, on which what they have in common is nothing but their time. A plan uses
 * lines that hold each launch once: a launch is on its kernel's line, on its name's, or on one that names share. */
#ifndef VIVACE_SAMPLING_LINES_H
#define VIVACE_SAMPLING_LINES_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "sampling/groups.h"
#include "sampling/optimal.h"

enum line_kind { LINE_KERNEL, LINE_NAME, LINE_MIXED };

struct line {
    enum line_kind kind;
    uint32_t kernel; /* the profile's; of several the first one */
    uint32_t name;   /* LINE_KERNEL, LINE_NAME: name_id */
    size_t names;    /* LINE_MIXED: of the names that rank below this */
    struct bins bins;
    size_t room; /* bins of the lines before: where a user may keep things about its bins */
};

struct lines {
    size_t count, room, bins_most; /* room: bins of all lines */
    struct line *items;            /* of kernels, of names, mixed ones */
    enum profile_unit unit;        /* of the values; other units than ns are followed by cycles loosely */
    size_t name_count;
    size_t *rank; /* per name_id: light names first */
};

/* `by_kernel` are the profile's groups by GROUP_KERNEL. */
int lines_make(const struct profile *p, const struct groups *by_kernel, struct lines *out, struct err *e);
void lines_release(struct lines *l);

/* Gathers launches by the lines that are chosen (each launch on one of them): *out are groups whose key is
 * lines.items[].kernel of their line. */
int lines_regroup(const struct lines *l, const bool *chosen, const struct profile *p, struct groups *out,
                  struct err *e);

#endif
