/* server/domain/tasks/pack_waits.h: plans whose team has no room for the next trace that is cut
 * (server/domain/tasks/trace_pack.h), so that a profile's whole file is not fetched each few seconds to find that
 * out. Lost with the process: then it is found out once more. */
#ifndef VIVACE_SERVER_PACK_WAITS_H
#define VIVACE_SERVER_PACK_WAITS_H

#include "server/domain/farm.h"
#include "server/store/repo/repo_pack.h"

/* For the one round that cuts at a time; the functions below do nothing where it is NULL. */
int pack_waits_new(struct pack_waits **out, struct err *e) MUST_CHECK;
void pack_waits_free(struct pack_waits *w);
/* The plan misses `missing` traces, and there was no room for the next, of this number of bytes. Old ones are
 * dropped.
 */
void pack_waits_note(struct pack_waits *w, const char *plan, int missing, uint64_t bytes);
/* -1 with ERR_NO_SPACE or ERR_TOO_LARGE: the plan misses the same number as then, and there is no room yet. */
int pack_waits_check(struct farm *farm, struct db *db, const struct pack_plan *p, int missing,
                     struct err *e) MUST_CHECK;

#endif
