/* server/domain/tasks/pack_places.h: finds launches in a profile's own trace file
 * (server/domain/tasks/trace_pack.h). */
#ifndef VIVACE_SERVER_PACK_PLACES_H
#define VIVACE_SERVER_PACK_PLACES_H

#include "server/domain/farm.h"
#include "server/store/db/db.h"
#include "server/domain/tasks/pack_table.h"

/* The launches of a context are in order in the file. If the file lacks some of the profile's launches, launches
 * are found by their numbers. */
struct pack_places {
    const struct pack_table *file;
    bool by_number;
};
/* launches: number of launches of the profile. */
struct pack_places pack_places_of(const struct pack_table *t, uint64_t launches);
/* Index in the file of launch `order` of a context. -1: the file does not have it. */
int64_t pack_find(const struct pack_places *p, uint64_t context, uint64_t order);
/* The inverse: the launch number, within its context, at that index in the file. */
uint64_t pack_number(const struct pack_places *p, size_t launch);
/* Number of launches of `p` that the other file of the same profile does not have. */
uint64_t pack_lacks(const struct pack_places *other, const struct pack_places *p);

/* Whether the error comes from the file's contents, so that another attempt would fail in the same way. */
bool pack_error_lasts(const struct err *e);
/* Makes the staged file a blob of the team. The staged file is removed in any case. */
int pack_publish(struct farm *farm, struct db *db, const char *path, const char *sha256, int64_t team,
                 struct err *e);

#endif
