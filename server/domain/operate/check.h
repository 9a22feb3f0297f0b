/* server/domain/operate/check.h: `vivace-server --check`: checks everything that a server needs. Prints a line
 * for each item, and how to fix a missing one. It can run while the farm's server runs. */
#ifndef VIVACE_SERVER_CHECK_H
#define VIVACE_SERVER_CHECK_H

#include "server/domain/farm.h"

/* Prints the result. -1 with a message when an item is missing without which a server cannot start or work
 * reliably. */
int check_farm(struct farm *farm, struct err *e);

#endif
