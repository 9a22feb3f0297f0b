/* server/store/repo/repo_search.h: searches a team's objects by a part of their name. */
#ifndef VIVACE_SERVER_DB_REPO_SEARCH_H
#define VIVACE_SERVER_DB_REPO_SEARCH_H

#include "base/strbuf.h"
#include "server/store/db/db.h"

/* Appends {"items":[{"kind","id","name","detail","kernel"}]}. At most `each` of a kind, in the order workload,
 * kernel, plan, run, design. Within a kind, the newest come first; kernels are sorted by total time, designs by
 * built-in first and then by name. A kernel's id is the id of its profile, and `kernel` is its number in it. A
 * design's id is its hash. Designs are also found by the names of their GPUs. */
int repo_search_json(struct db *db, int64_t team, const char *text, uint64_t each, struct strbuf *out,
                     struct err *e) MUST_CHECK;

#endif
