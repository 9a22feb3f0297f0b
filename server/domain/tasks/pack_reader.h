/* server/domain/tasks/pack_reader.h: reads and cuts a profile's trace file in another process
 * (server/domain/tasks/pack_child.h). Errors are those of that process; its crash, or a forbidden system call, is
 * ERR_INVALID. ERR_UNAVAILABLE: something else killed it (SIGKILL). ERR_BUSY: the server is stopping. */
#ifndef VIVACE_SERVER_PACK_READER_H
#define VIVACE_SERVER_PACK_READER_H

#include <limits.h>

#include "base/hash.h"
#include "server/domain/farm.h"
#include "server/domain/tasks/pack_table.h"

/* name: the file's name in messages. On 0 the caller calls pack_table_release(). */
int pack_read(struct farm *farm, const char *path, const char *name, struct pack_table *out,
              struct err *e) MUST_CHECK;

/* Launches that were cut out of a file, each in a file of its own. */
struct pack_pieces {
    char folder[PATH_MAX];
    size_t count;
};
/* Cuts n >= 1 launches out of the file, each as `vivace push --plan` would send it. After an error, *out has the
 * pieces before it. In both cases the caller calls pack_pieces_release(). */
int pack_cut(struct farm *farm, const char *path, const size_t *launches, size_t n, struct pack_pieces *out,
             struct err *e) MUST_CHECK;
/* As pack_cut(), but makes one piece of n launches of one context, in their order, with the memory copies between
 * them. */
int pack_join(struct farm *farm, const char *path, const size_t *launches, size_t n, struct pack_pieces *out,
              struct err *e) MUST_CHECK;
/* Makes a piece a staged file, `path` (PATH_MAX bytes). The caller publishes or unlinks it. */
int pack_take(struct farm *farm, const struct pack_pieces *p, size_t piece, char *path, char sha256[SHA256_HEX],
              struct err *e) MUST_CHECK;
void pack_pieces_release(struct pack_pieces *p);

#endif
