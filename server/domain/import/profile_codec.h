/* server/domain/import/profile_codec.h: a profile's columns <-> bytes, as they lie in PostgreSQL.
 *
 * Chunk (table profile_chunk): byte 1 version (1), byte 2 flags (1: it has start times), then one zstd frame over
 * the columns kernel, value, start (if any), stream, each a run of varints: the zigzag of the difference to the row
 * before (0 before the first), so that a steady column costs a byte a row before zstd and next to nothing after it.
 * Tables (profile.tables): byte 1 version (1), then varints: count of contexts, each zigzag(device), process,
 * context, first, count; count of streams, each context index, stream number. Version 2 adds what some profiles
 * have: count of ties, each launches since the last one, launches, 1 for a CUDA graph. Readers refuse what they do
 * not know and what does not fit the counts. */
#ifndef VIVACE_SERVER_PROFILE_CODEC_H
#define VIVACE_SERVER_PROFILE_CODEC_H

#include <stddef.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "sampling/profile.h"

#define CHUNK_ROWS 65536

static inline size_t chunk_count(size_t rows)
{
    return (rows + CHUNK_ROWS - 1) / CHUNK_ROWS;
}

/* Appends the chunk that begins at row `first`. */
int chunk_write(const struct profile *p, size_t first, struct strbuf *out, struct err *e);
/* Reads `rows` rows into the (allocated) columns of p from row `first` on; kernel and stream numbers are checked
 * against p's counts. */
int chunk_read(const unsigned char *bytes, size_t n, struct profile *p, size_t first, size_t rows, struct err *e);

void tables_write(const struct profile *p, struct strbuf *out);
int tables_read(const unsigned char *bytes, size_t n, struct profile *p, struct err *e);

#endif
