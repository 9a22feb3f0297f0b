/* simcore/footprint/repeats.h: launches whose traces are the same text but for their number, as those of a loop:
 * only the first is read instruction by instruction. Of the others the text is compared, byte by byte, and their
 * lines are touched in the order of the first. */
#ifndef VIVACE_SIMCORE_FOOTPRINT_REPEATS_H
#define VIVACE_SIMCORE_FOOTPRINT_REPEATS_H

#include "simcore/footprint/footprint.h"
#include "simcore/trace/trace_file.h"

struct repeats; /* opaque */
struct repeats *repeats_new(struct err *e);
void repeats_free(struct repeats *r); /* NULL is fine */
/* footprints_launch() of the trace at that place. Only uncompressed text of Accel-Sim is compared. */
int repeats_launch(struct repeats *r, struct footprints *f, const struct trace_place *place,
                   struct warm_image **image, struct err *e);

#endif
