/* server/domain/tasks/pack_places.h: launches in a profile's own file of traces (server/domain/tasks/trace_pack.h):
 * where they stand in it, and cut out of it. */
#ifndef VIVACE_SERVER_PACK_PLACES_H
#define VIVACE_SERVER_PACK_PLACES_H

#include "base/hash.h"
#include "server/domain/farm.h"
#include "server/store/db/db.h"
#include "simcore/trace/vtrace.h"

/* The launches of each context follow one another in the file; those of a profile that has more of them in between
 * say by their numbers which they are. */
struct pack_places {
    const struct vtrace *file;
    bool by_number;
};
/* launches: of the profile. */
struct pack_places pack_places_of(const struct vtrace *v, uint64_t launches);
/* The file's launch number `order` of a context; -1: it has none. */
int64_t pack_find(const struct pack_places *p, uint64_t context, uint64_t order);
/* The other way round: the number, in its context, of the launch at that place in the file. */
uint64_t pack_number(const struct pack_places *p, size_t launch);
/* How many launches of `p` the other file of the same profile has not. */
uint64_t pack_lacks(const struct pack_places *other, const struct pack_places *p);

/* The file is what it is: another attempt to read it ends the same way. */
bool pack_error_lasts(const struct err *e);
/* Writes a launch alone into a staged file, `path` (PATH_MAX bytes); the caller publishes or unlinks it. */
int pack_cut(struct farm *farm, struct vtrace *v, size_t launch, char *path, char sha256[SHA256_HEX],
             struct err *e);
/* The same of several launches of one context, in their order there, and of the copies among them: n >= 1. */
int pack_cut_several(struct farm *farm, struct vtrace *v, const size_t *launches, size_t n, char *path,
                     char sha256[SHA256_HEX], struct err *e);
/* The staged file becomes a blob of the team; gone in any case. */
int pack_publish(struct farm *farm, struct db *db, const char *path, const char *sha256, int64_t team,
                 struct err *e);

#endif
