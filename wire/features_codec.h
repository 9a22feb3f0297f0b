/* wire/features_codec.h: struct features as compact bytes, for storage beside a profile: whole numbers as
 * differences from the one before, in as few bytes as they need. Compress them with zstd: equal launches then cost
 * next to nothing. Ours alone, no file format: a version that does not fit is refused, and features can be made
 * again from their file. */
#ifndef VIVACE_WIRE_FEATURES_CODEC_H
#define VIVACE_WIRE_FEATURES_CODEC_H

#include "base/strbuf.h"
#include "sampling/features.h"

/* `count` is the profile's. Appends to out; out->failed tells whether memory ran out. */
void features_encode(const struct features *f, uint64_t count, struct strbuf *out);
/* NULL and *e where the bytes are damaged or of a profile with another count. The caller frees. */
struct features *features_decode(const void *bytes, size_t n, uint64_t count, struct err *e);

#endif
