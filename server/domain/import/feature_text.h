/* server/domain/import/feature_text.h: a text for users that lists the features of a profile. */
#ifndef VIVACE_SERVER_FEATURE_TEXT_H
#define VIVACE_SERVER_FEATURE_TEXT_H

#include "base/strbuf.h"
#include "sampling/profile/features.h"

/* Appends "instruction counts, 12 metrics of the first 400 of 4010 launches"; nothing for NULL. `launches` is the
 * profile's count. At most FEATURE_TEXT bytes (server/store/repo/profile_rows.h). */
void features_text(const struct features *f, uint64_t launches, struct strbuf *b);

#endif
