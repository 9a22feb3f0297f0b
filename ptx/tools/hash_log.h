/* ptx/tools/hash_log.h: SHA-256 of every buffer after every launch, in a file, to find the first launch whose
 * results differ between two runs: on another machine, by another build, on a GPU.
 *
 * Lines of fields, separated by tabs: "vivace-ptx-hashes 1"; "launch NUMBER NAME"; then of each buffer that this
 * launch has changed, or the first one has seen, "buffer NAME TYPE BYTES SHA256" ("-": no known type). With values,
 * contents lie in the folder LOG.values, each once, named by its hash. */
#ifndef VIVACE_PTX_TOOLS_HASH_LOG_H
#define VIVACE_PTX_TOOLS_HASH_LOG_H

#include "base/strbuf.h"
#include "ptx/list/launch_list.h"

#define HASH_LOG_FORMAT "vivace-ptx-hashes"

struct hash_log; /* opaque */
int hash_log_new(const char *path, bool values, struct hash_log **out, struct err *e);
/* A launch has run. Types are those of the list's buffers. */
int hash_log_add(struct hash_log *l, const struct launch_list_view *v, struct err *e);
/* Writes the file. */
int hash_log_end(struct hash_log *l, struct err *e);
void hash_log_free(struct hash_log *l);

struct hash_tolerance {
    uint64_t ulp; /* of floats, where values are at hand */
    double rtol, atol;
};
struct hash_difference {
    char *what; /* a sentence; malloc'ed; NULL: no difference */
    char *near; /* what was within tolerance; NULL: nothing */
    uint64_t launch;
};
/* 0: compared; see out, to be released. */
int hash_logs_compare(const char *a, const char *b, const struct hash_tolerance *t, struct hash_difference *out,
                      struct err *e);
void hash_difference_release(struct hash_difference *d);

#endif
