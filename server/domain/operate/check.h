/* server/domain/operate/check.h: `vivace-server --check`: everything that a server needs, a line each, and what to
 * do where it is not there. It may look at a farm whose server runs. */
#ifndef VIVACE_SERVER_CHECK_H
#define VIVACE_SERVER_CHECK_H

#include "server/domain/farm.h"

/* Prints; -1 with a sentence when something is missing without which a server would not start or keep its word. */
int check_farm(struct farm *farm, struct err *e);

#endif
