/* cli/push/push_bind.h: sends the inputs of single launches (traces, launches of a program) for `vivace push
 * --plan`. It finds the launches that the plan needs, sends each blob once, sends bindings in batches, and prints a
 * summary. */
#ifndef VIVACE_CLI_PUSH_BIND_H
#define VIVACE_CLI_PUSH_BIND_H

#include "cli/client/farm.h"
#include "simcore/trace/inst_source.h"

/* A drawn launch, identified by its position in the launch order of its context. */
struct wanted {
    uint64_t context, order, launch;
    bool bound, offered;
    bool theirs; /* only runs of other plans of the profile need it */
};
struct push {
    struct api *api;
    const char *plan;
    struct wanted *wanted;
    size_t wanted_count, wanted_capacity;
    uint64_t launches; /* number of launches in the profile */
    bool theirs;       /* the launches that are read now belong to other plans */
    json_t *batch, *refused;
    uint64_t offered, bound, already, not_sampled, missing, bytes_sent, blobs_sent;
    uint64_t begun_us;
    size_t done,
        all; /* done: number of launches whose input was sent; all: number of launches that had no input before */
};
/* Fetches the launches that the plan needs, and those that runs of other plans of its profile wait for. The caller
 * releases *p, also after a failure. */
int push_begin(struct push *p, struct api *api, const char *plan, struct err *e);
void push_release(struct push *p);
/* True when push_take() would return the launch. */
bool push_wants(const struct push *p, uint64_t context, uint64_t order);
/* Returns the launch, marks it as offered, and shows progress. NULL: not drawn, or bound or offered before. */
struct wanted *push_take(struct push *p, uint64_t context, uint64_t order);
/* Opens a temporary file without a name. Returns its descriptor, or -1. */
int push_temporary(struct err *e);
/* Sends the content of fd, unless the server has it. hex, bytes: its SHA-256 and length. */
int push_blob(struct push *p, int fd, char hex[65], uint64_t *bytes, struct err *e);
/* Binds the launch to the blob `hex`, with the name, grid and block of `info`. */
int push_offer(struct push *p, const struct wanted *w, const struct kernel_info *info, const char *hex,
               struct err *e);
/* Sends the last bindings and prints a summary. what: the kind of inputs, such as "kernel traces". */
int push_finish(struct push *p, size_t offered_of, const char *what, const struct cli_output *o, struct err *e);

#endif
