/* simcore/footprint/repeats.h: launches whose traces are identical except for their number, as in a loop. Only the
 * first one is read instruction by instruction. The text of the others is compared byte by byte, and the touches of
 * the first are repeated. */
#ifndef VIVACE_SIMCORE_FOOTPRINT_REPEATS_H
#define VIVACE_SIMCORE_FOOTPRINT_REPEATS_H

#include "simcore/footprint/footprint.h"
#include "simcore/trace/trace_file.h"

struct repeats; /* opaque */
struct repeats *repeats_new(struct err *e);
void repeats_free(struct repeats *r); /* NULL is allowed */
/* Like footprints_launch() for the trace at that place. Only Accel-Sim text is compared, compressed or not. */
int repeats_launch(struct repeats *r, struct footprints *f, const struct trace_place *place,
                   struct warm_image **image, struct err *e);
/* The number of launches so far that were compared instead of read. */
size_t repeats_compared(const struct repeats *r);

#endif
