/* simcore/trace/tracez.h: reads the grouped and compressed kernel files of Accel-Sim 2.0 (.tracez) as the text that
 * Accel-Sim's own converter writes. After the header, a file has chunks of lines, compressed with a dictionary, and
 * an index at the end (docs/formats/accel-sim.md, ".tracez"). */
#ifndef VIVACE_SIMCORE_TRACE_TRACEZ_H
#define VIVACE_SIMCORE_TRACE_TRACEZ_H

#include "simcore/trace/trace_text.h"

#define TRACEZ_VERSION_MIN 5 /* first tracer version that groups its traces this way */

struct tracez; /* opaque */

/* Whether the text at the first line after the header is a .tracez body: blank lines and a NUL. 1, 0, -1. */
int tracez_recognise(struct trace_text *t, struct err *e) MUST_CHECK;
/* For a recognised file: *out provides the text after the header. It reads from the stream of t, which must outlive
 * it; t itself is no longer needed. Memory: the largest chunk. A file that is compressed again or in a tar is kept
 * in memory up to 64 MiB, and in an unnamed temporary file if it is larger. */
int tracez_open(struct trace_text *t, struct tracez **out, struct err *e) MUST_CHECK;
struct stream *tracez_text(struct tracez *z); /* closed by tracez_close() */
void tracez_close(struct tracez *z);          /* NULL is allowed */

#endif
