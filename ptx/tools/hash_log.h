/* ptx/tools/hash_log.h: writes a file with the SHA-256 of every buffer after every launch. It serves to find the
 * first launch whose results differ between two runs: on another machine, with another build, on a GPU.
 *
 * Each line has fields separated by tabs: "vivace-ptx-hashes 1"; "launch NUMBER NAME"; then for each buffer that
 * this launch has changed, or that is new, "buffer NAME TYPE BYTES SHA256" ("-": unknown type). With values, the
 * folder LOG.values contains each content once, under its hash as the file name. */
#ifndef VIVACE_PTX_TOOLS_HASH_LOG_H
#define VIVACE_PTX_TOOLS_HASH_LOG_H

#include "base/strbuf.h"
#include "ptx/list/launch_list.h"

#define HASH_LOG_FORMAT "vivace-ptx-hashes"

struct hash_log; /* opaque */
int hash_log_new(const char *path, bool values, struct hash_log **out, struct err *e);
/* Call after a launch. Types are those of the list's buffers. */
int hash_log_add(struct hash_log *l, const struct launch_list_view *v, struct err *e);
/* Writes the file. */
int hash_log_end(struct hash_log *l, struct err *e);
void hash_log_free(struct hash_log *l);

struct hash_tolerance {
    uint64_t ulp; /* tolerance for floats; used if the contents are available */
    double rtol, atol;
};
struct hash_difference {
    char *what; /* a message; malloc'ed; NULL: no difference */
    char *near; /* the differences within tolerance; NULL: none */
    uint64_t launch;
};
/* Returns 0: compared; *out is the result, which the caller releases. */
int hash_logs_compare(const char *a, const char *b, const struct hash_tolerance *t, struct hash_difference *out,
                      struct err *e);
void hash_difference_release(struct hash_difference *d);

#endif
