/* server/domain/tasks/pack_waits.h: remembers plans whose team has no room for the next trace
 * (server/domain/tasks/trace_pack.h). Otherwise the server would read a profile's whole trace file every few
 * seconds and fail again. The list is in memory; after a restart it is built again. */
#ifndef VIVACE_SERVER_PACK_WAITS_H
#define VIVACE_SERVER_PACK_WAITS_H

#include "server/domain/farm.h"
#include "server/store/repo/repo_pack.h"

/* Only one round cuts traces at a time, and only it uses this. The functions do nothing if the pointer is NULL. */
int pack_waits_new(struct pack_waits **out, struct err *e) MUST_CHECK;
void pack_waits_free(struct pack_waits *w);
/* Stores that the plan lacks `missing` traces, and that there was no room for the next one, of the given number
 * of bytes. The oldest entries are dropped. */
void pack_waits_note(struct pack_waits *w, const char *plan, int missing, uint64_t bytes);
/* -1 with ERR_NO_SPACE or ERR_TOO_LARGE: the plan lacks the same number of traces as before, and there is still
 * no room. */
int pack_waits_check(struct farm *farm, struct db *db, const struct pack_plan *p, int missing,
                     struct err *e) MUST_CHECK;

#endif
