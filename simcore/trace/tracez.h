/* simcore/trace/tracez.h: the grouped and compressed kernel files of Accel-Sim 2.0 (.tracez), as the text that its
 * own converter makes of them. Behind the header they have chunks of lines, compressed with a dictionary of the
 * file, and an index at the end (docs/formats/accel-sim.md, ".tracez"). */
#ifndef VIVACE_SIMCORE_TRACE_TRACEZ_H
#define VIVACE_SIMCORE_TRACE_TRACEZ_H

#include "simcore/trace/trace_text.h"

#define TRACEZ_VERSION_MIN 5 /* of the tracer, where its traces are grouped so */

struct tracez; /* opaque */

/* Whether the text, whose next line is the first behind the header, is such a file: blank lines and a NUL. 1, 0,
 * -1. */
int tracez_recognise(struct trace_text *t, struct err *e) MUST_CHECK;
/* Of a recognised one: *out gives the text behind the header. It reads from the stream of t, which must outlive it;
 * t itself is not needed any more. Memory: the largest chunk. A file that is compressed once more, or in a tar, is
 * kept in memory up to 64 MiB; a larger one in a temporary file without a name. */
int tracez_open(struct trace_text *t, struct tracez **out, struct err *e) MUST_CHECK;
struct stream *tracez_text(struct tracez *z); /* closed by tracez_close() */
void tracez_close(struct tracez *z);          /* NULL is fine */

#endif
