/* server/domain/import/feature_codec.h: what some methods need beside a duration (sampling/features.h) <-> bytes,
 * as they lie in PostgreSQL (table profile_feature) and in the import's scratch file.
 *
 * Byte 1 version (1), then one zstd frame over little-endian 64-bit words: known; a bit each for instructions, the
 * twelve metrics, cta_cov, vectors and waves; then what the bits say, in this order, each array whole:
 * instructions, metrics, cta_cov; counts of vectors, types and entries, then per vector the end of its types, per
 * type warps and the end of its entries, per entry block and count, and per launch its vector; count of waves, then
 * per wave CTAs, instructions, requests and variation, and per launch the end of its waves; count of responses,
 * each 8 words of name and a value a launch. Readers refuse what they do not know and what does not fit. */
#ifndef VIVACE_SERVER_FEATURE_CODEC_H
#define VIVACE_SERVER_FEATURE_CODEC_H

#include "base/err.h"
#include "base/strbuf.h"
#include "sampling/profile.h"

#define FEATURES_MAX ((size_t)512 << 20) /* compressed */

/* Appends p's features; nothing where it has none. */
int features_write(const struct profile *p, struct strbuf *out, struct err *e) MUST_CHECK;
/* Into p->features, which it replaces; p's launches are there already. */
int features_read(const unsigned char *bytes, size_t n, struct profile *p, struct err *e) MUST_CHECK;

#endif
