/* server/store/repo/repo_search.h: what of a team has some letters in its name. */
#ifndef VIVACE_SERVER_DB_REPO_SEARCH_H
#define VIVACE_SERVER_DB_REPO_SEARCH_H

#include "base/strbuf.h"
#include "server/store/db/db.h"

/* {"items":[{"kind","id","name","detail","kernel"}]}: the newest first of each kind (of kernels the most time, of
 * designs the built-in ones, then by name), at most `each` of one; kinds in the order workload, kernel, plan, run,
 * design. A kernel's id is its profile's, and `kernel` says which of it; a design's is its hash, and it is found by
 * the names of its GPU, too. */
int repo_search_json(struct db *db, int64_t team, const char *text, uint64_t each, struct strbuf *out,
                     struct err *e) MUST_CHECK;

#endif
