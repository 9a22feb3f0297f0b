/* server/maintenance.h: `vivace-server WORD`: what is done once and then ends, beside a running server or without
 * one. */
#ifndef VIVACE_SERVER_MAINTENANCE_H
#define VIVACE_SERVER_MAINTENANCE_H

#include <stdbool.h>

#include "server/app.h"

struct server_config;

bool maintenance_knows(const char *word);
/* Does it and prints what was done on stdout. Call after privileges_settle(). */
int maintenance_run(struct app *app, const struct server_config *c, const char *word, struct err *e);

#endif
