/* server/domain/project/projector.h: runs of which there are new results are projected as these come in. One thread
 * looks for them, a few do it (run_projection.h), each run in one of them at a time. A run is projected at most 4
 * times a second, and less often when that costs more than a tenth of the time. */
#ifndef VIVACE_SERVER_PROJECTOR_H
#define VIVACE_SERVER_PROJECTOR_H

#include <stddef.h>

#include "server/domain/farm.h"

struct projector;
int projector_start(struct farm *farm, struct projector **out, struct err *e);
void projector_stop(struct projector *p);
size_t projector_stuck(struct projector *p); /* runs whose projection failed several times in a row; NULL: 0 */

#endif
