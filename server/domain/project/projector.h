/* server/domain/project/projector.h: projects runs while their results arrive. One thread scans for runs with
 * new results, a few threads project them (run_projection.h). At most one thread projects a given run at a time.
 * A run is projected at most 4 times a second, and less often when that would take more than a tenth of the
 * time. */
#ifndef VIVACE_SERVER_PROJECTOR_H
#define VIVACE_SERVER_PROJECTOR_H

#include <stddef.h>

#include "server/domain/farm.h"

struct projector;
int projector_start(struct farm *farm, struct projector **out, struct err *e);
void projector_stop(struct projector *p);
size_t projector_stuck(struct projector *p); /* runs whose projection failed several times in a row; NULL: 0 */

#endif
