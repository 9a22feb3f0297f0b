/* simcore/trace/bundle_scratch.h: the private folder into which a tar of traces is unpacked. */
#ifndef VIVACE_SIMCORE_TRACE_BUNDLE_SCRATCH_H
#define VIVACE_SIMCORE_TRACE_BUNDLE_SCRATCH_H

#include "base/stream.h"

/* A new folder under $TMPDIR, else /tmp. The caller frees the name. */
char *scratch_new(struct err *e);
/* Writes what s still holds, `packed` as a zstd file; *path is the caller's. On failure nothing is left. */
int scratch_keep(const char *scratch, size_t number, const char *label, struct stream *s, bool packed, char **path,
                 struct err *e);
void scratch_remove(const char *scratch);
/* What scratch_new() made and nobody has removed yet goes away; calls nothing that a signal handler may not. */
void scratch_abandon_all(void);

#endif
