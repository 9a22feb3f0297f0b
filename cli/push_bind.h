/* cli/push_bind.h: what `vivace push --plan` does with files that belong to a launch (a trace, a launch of a
 * program): which launches the plan wants, bytes sent once, bindings in batches, the summary. */
#ifndef VIVACE_CLI_PUSH_BIND_H
#define VIVACE_CLI_PUSH_BIND_H

#include "cli/farm.h"
#include "simcore/trace/inst_source.h"

/* A drawn launch, found by its position in the launch order of its context. */
struct wanted {
    uint64_t context, order, launch;
    bool bound, offered;
    bool theirs; /* only runs of other plans of the profile wait for it */
};
struct push {
    struct api *api;
    const char *plan;
    struct wanted *wanted;
    size_t wanted_count, wanted_capacity;
    uint64_t launches; /* of the profile */
    bool theirs;       /* what is read now is of other plans */
    json_t *batch, *refused;
    uint64_t offered, bound, already, not_sampled, missing, bytes_sent, blobs_sent;
    uint64_t begun_us;
    size_t done, all; /* launches whose input is sent, and those that had none */
};
/* Asks what the plan wants, and runs of other plans of its profile that wait for traces. Released also after a
 * failure. */
int push_begin(struct push *p, struct api *api, const char *plan, struct err *e);
void push_release(struct push *p);
/* Would push_take() give it? */
bool push_wants(const struct push *p, uint64_t context, uint64_t order);
/* NULL: not drawn, bound before, or offered before. Progress is shown, and it counts as offered from now on. */
struct wanted *push_take(struct push *p, uint64_t context, uint64_t order);
/* A temporary file without a name; -1. */
int push_temporary(struct err *e);
/* Sends what fd holds, unless it is there already; its hash and length. */
int push_blob(struct push *p, int fd, char hex[65], uint64_t *bytes, struct err *e);
/* The launch is bound to those bytes, with this name, grid and block. */
int push_offer(struct push *p, const struct wanted *w, const struct kernel_info *info, const char *hex,
               struct err *e);
/* Sends the last bindings and tells how it went; `what` was offered: "kernel traces". */
int push_finish(struct push *p, size_t offered_of, const char *what, const struct cli_output *o, struct err *e);

#endif
