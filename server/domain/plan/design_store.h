/* server/domain/plan/design_store.h: GPU designs. Only the simulator can interpret a design, so the server runs
 * it as a child process: to check an uploaded design, to list the built-in ones at start, and to get the
 * simulator's version (part of every result's key) and the meaning of its counters. */
#ifndef VIVACE_SERVER_DESIGN_STORE_H
#define VIVACE_SERVER_DESIGN_STORE_H

#include "server/domain/farm.h"
#include "server/store/repo/repo_design.h"

struct design_store;
/* program: path of vivace-sim. Reads its version and its built-in designs, and stores the designs. If the
 * simulator cannot be started, the error names it. */
int design_store_open(struct farm *farm, const char *program, struct db *db, struct design_store **out,
                      struct err *e);
void design_store_free(struct design_store *s);
const char *design_store_simulator(const struct design_store *s); /* "0.1.0" */
/* The meaning of a counter. "" for a counter that this version does not have. */
const char *design_store_sentence(const struct design_store *s, const char *counter);

/* Checks and stores a design's JSON for a team. 1: it is new to the team; 0: the team has it already. *row: hash
 * and name. ERR_CONFLICT: a built-in design has the same name and other contents. */
int design_store_add(struct design_store *s, struct db *db, const char *json, size_t n, int64_t team,
                     struct design_row *row, struct err *e);

#endif
