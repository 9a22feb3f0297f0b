/* server/domain/import/feature_codec.h: features of launches (sampling/profile/features.h) <-> bytes. Used for the
 * table profile_feature in PostgreSQL and for the import's scratch file.
 *
 * Byte 1 is the version (1). One zstd frame of little-endian 64-bit words follows: `known`; one bit each for
 * instructions, the twelve metrics, cta_cov, vectors and waves; then the parts whose bits are set, in this order,
 * array after array: instructions, metrics, cta_cov; counts of vectors, types and entries, then per vector the
 * end of its types, per type its number of warps and the end of its entries, per entry block and count, and per
 * launch its vector; count of waves, then per wave CTAs, instructions, requests and variation, and per launch the
 * end of its waves; count of responses, each with 8 words of name and one value per launch. Readers refuse
 * unknown versions and bits, and counts that do not fit. */
#ifndef VIVACE_SERVER_FEATURE_CODEC_H
#define VIVACE_SERVER_FEATURE_CODEC_H

#include "base/err.h"
#include "base/strbuf.h"
#include "sampling/profile/profile.h"

#define FEATURES_MAX ((size_t)512 << 20) /* compressed size in bytes */

/* Appends the features of p. Appends nothing if it has none. */
int features_write(const struct profile *p, struct strbuf *out, struct err *e) MUST_CHECK;
/* Replaces p->features. p has its launches already. */
int features_read(const unsigned char *bytes, size_t n, struct profile *p, struct err *e) MUST_CHECK;

#endif
