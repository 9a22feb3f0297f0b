/* server/domain/tasks/pack_places.h: finds launches in a profile's own trace file
 * (server/domain/tasks/trace_pack.h), and cuts them out. */
#ifndef VIVACE_SERVER_PACK_PLACES_H
#define VIVACE_SERVER_PACK_PLACES_H

#include "base/hash.h"
#include "server/domain/farm.h"
#include "server/store/db/db.h"
#include "simcore/trace/vtrace.h"

/* The launches of a context are in order in the file. If the file lacks some of the profile's launches, launches
 * are found by their numbers. */
struct pack_places {
    const struct vtrace *file;
    bool by_number;
};
/* launches: number of launches of the profile. */
struct pack_places pack_places_of(const struct vtrace *v, uint64_t launches);
/* Index in the file of launch `order` of a context. -1: the file does not have it. */
int64_t pack_find(const struct pack_places *p, uint64_t context, uint64_t order);
/* The inverse: the launch number, within its context, at that index in the file. */
uint64_t pack_number(const struct pack_places *p, size_t launch);
/* Number of launches of `p` that the other file of the same profile does not have. */
uint64_t pack_lacks(const struct pack_places *other, const struct pack_places *p);

/* Whether the error comes from the file's contents, so that another attempt would fail in the same way. */
bool pack_error_lasts(const struct err *e);
/* Writes one launch into a staged file, `path` (PATH_MAX bytes). The caller publishes or unlinks it. */
int pack_cut(struct farm *farm, struct vtrace *v, size_t launch, char *path, char sha256[SHA256_HEX],
             struct err *e);
/* As pack_cut(), for n >= 1 launches of one context, in their order, with the memory copies between them. */
int pack_cut_several(struct farm *farm, struct vtrace *v, const size_t *launches, size_t n, char *path,
                     char sha256[SHA256_HEX], struct err *e);
/* Makes the staged file a blob of the team. The staged file is removed in any case. */
int pack_publish(struct farm *farm, struct db *db, const char *path, const char *sha256, int64_t team,
                 struct err *e);

#endif
