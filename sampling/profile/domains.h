/* sampling/profile/domains.h: parts of a workload: layers, phases, steps, classes of kernels and ranks.
 *
 * A launch has at most one layer, one phase and one step, from the ranges of the program around its launch call.
 * They are columns of the profile, coded by a dictionary. The class follows from the kernel's name, the rank from
 * the stream: a rank is one process on one GPU. */
#ifndef VIVACE_SAMPLING_DOMAINS_H
#define VIVACE_SAMPLING_DOMAINS_H

#include <stddef.h>
#include <stdint.h>

#include "base/err.h"

struct profile;

enum domain_kind { DOMAIN_LAYER, DOMAIN_PHASE, DOMAIN_STEP, DOMAIN_CLASS, DOMAIN_RANK };
#define DOMAIN_COLUMNS 3 /* kinds that are columns: those before DOMAIN_CLASS */
#define DOMAIN_KINDS   5
const char *domain_kind_name(enum domain_kind kind);                               /* "layer", ... */
int domain_kind_from_name(const char *name, enum domain_kind *out, struct err *e); /* ERR_USAGE: unknown */

/* One column. Names are numbered by first appearance in launch order, from 1; 0: the launch has none. */
struct domain_column {
    size_t count; /* of names, with names[0], which is "" */
    char **names; /* owned; valid UTF-8; a layer is a path: "decoder/layers.7/attention" */
    uint32_t *of; /* owned; one entry a launch; NULL: no launch has a name of this kind */
};
struct domains {
    struct domain_column columns[DOMAIN_COLUMNS];
};
struct domains *domains_new(struct err *e);
void domains_free(struct domains *d);

/* The domain of every launch, of any kind. */
struct domain_view {
    size_t count;
    const char *const *names; /* names[0] is "" for columns: launches without one */
    const uint32_t *of;       /* per launch; NULL: use of_kernel or of_stream */
    const struct profile *profile;
    uint32_t *of_kernel, *of_stream; /* owned; one of them where `of` is NULL */
    char **own_names;                /* owned; names of ranks, the same as `names`; NULL for other kinds */
};
/* 1; 0: the profile has no such column; -1: no memory. The profile must outlive *out. */
int domain_view_make(const struct profile *p, enum domain_kind kind, struct domain_view *out, struct err *e);
/* As domain_view_make(), for callers that require the column. Returns 0; -1 with ERR_INVALID: the profile has no
 * such column. */
int domain_view_need(const struct profile *p, enum domain_kind kind, struct domain_view *out, struct err *e);
int domain_view_refuse(enum domain_kind kind, struct err *e); /* sets the error of domain_view_need(); returns -1 */
uint32_t domain_of(const struct domain_view *v, size_t launch);
void domain_view_release(struct domain_view *v);

struct domain_total {
    const char *name; /* belongs to the view */
    uint32_t domain;
    uint64_t launches, total; /* in the profile's unit */
};
/* The domains that have launches, the greatest total first; steps in the order of the profile. The caller frees
 * *out. */
int domain_totals(const struct domain_view *v, enum domain_kind kind, struct domain_total **out, size_t *count,
                  struct err *e);

#endif
