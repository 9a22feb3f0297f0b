/* server/domain/import/profile_codec.h: the columns of a profile <-> bytes in PostgreSQL.
 *
 * Chunk (table profile_chunk): byte 1 version (1), byte 2 flags (1: has start times; 2, 4, 8: has layers, phases,
 * steps), then one zstd frame with the columns kernel, value, start (optional), stream, and those of the flags.
 * Each column is a sequence of varints: the zigzag-encoded difference to the previous row (0 before the first row).
 * A column with small differences therefore takes one byte per row before zstd and much less after it. Tables
 * (profile.tables): byte 1 version (1), then varints: count of contexts, each zigzag(device), process, context,
 * first, count; count of streams, each context index, stream number. Version 2 adds: count of ties, each launches
 * since the last tie, launches, 1 for a CUDA graph. Version 3 adds (after the ties, which may be 0): of layers,
 * phases and steps the count of names, each its bytes and its text; 0: the profile has no such column. The first
 * name is "". Readers refuse unknown versions and data that does not fit the counts. */
#ifndef VIVACE_SERVER_PROFILE_CODEC_H
#define VIVACE_SERVER_PROFILE_CODEC_H

#include <stddef.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "sampling/profile/profile.h"

#define CHUNK_ROWS 65536

static inline size_t chunk_count(size_t rows)
{
    return (rows + CHUNK_ROWS - 1) / CHUNK_ROWS;
}

/* Appends the chunk whose first row is `first`. */
int chunk_write(const struct profile *p, size_t first, struct strbuf *out, struct err *e);
/* Reads `rows` rows into the allocated columns of p, starting at row `first`. Kernel and stream numbers are
 * checked against the counts of p. */
int chunk_read(const unsigned char *bytes, size_t n, struct profile *p, size_t first, size_t rows, struct err *e);

void tables_write(const struct profile *p, struct strbuf *out);
int tables_read(const unsigned char *bytes, size_t n, struct profile *p, struct err *e);

#endif
