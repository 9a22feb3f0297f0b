/* simcore/trace/bundle_scratch.h: the private folder into which a tar of traces is unpacked. */
#ifndef VIVACE_SIMCORE_TRACE_BUNDLE_SCRATCH_H
#define VIVACE_SIMCORE_TRACE_BUNDLE_SCRATCH_H

#include "base/stream.h"

/* Creates a folder under $TMPDIR, else /tmp. The caller frees the name. */
char *scratch_new(struct err *e);
/* Writes the rest of s to a file, as zstd if `packed`. The caller frees *path. On failure no file remains. */
int scratch_keep(const char *scratch, size_t number, const char *label, struct stream *s, bool packed, char **path,
                 struct err *e);
void scratch_remove(const char *scratch);
/* Removes all existing folders of scratch_new(). Async-signal-safe. */
void scratch_abandon_all(void);

#endif
