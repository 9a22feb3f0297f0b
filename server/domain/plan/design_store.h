/* server/domain/plan/design_store.h: GPU designs. What a design says is known to the simulator alone, so it is
 * asked: a child process checks an uploaded one, lists the built-in ones at start, and tells its version, which is
 * part of every result's key, and what its counters mean. */
#ifndef VIVACE_SERVER_DESIGN_STORE_H
#define VIVACE_SERVER_DESIGN_STORE_H

#include "server/domain/farm.h"
#include "server/store/repo/repo_design.h"

struct design_store;
/* program: path of vivace-sim. Asks it for its version and its designs, and stores those. A simulator that cannot
 * be started is an error that names it. */
int design_store_open(struct farm *farm, const char *program, struct db *db, struct design_store **out,
                      struct err *e);
void design_store_free(struct design_store *s);
const char *design_store_simulator(const struct design_store *s); /* "0.1.0" */
/* What a counter of the simulator means; "" for one that this version does not know. */
const char *design_store_sentence(const struct design_store *s, const char *counter);

/* Checks and stores a design's JSON for a team. 1: it is new to it, 0: it was known. *row: hash and name.
 * ERR_CONFLICT: a built-in design has that name and says something else. */
int design_store_add(struct design_store *s, struct db *db, const char *json, size_t n, int64_t team,
                     struct design_row *row, struct err *e);

#endif
