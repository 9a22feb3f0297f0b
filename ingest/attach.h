/* ingest/attach.h: attaches other files to a profile: features, and other profiles of the same launches. */
#ifndef VIVACE_INGEST_ATTACH_H
#define VIVACE_INGEST_ATTACH_H

#include "ingest/ingest.h"

/* Reads a features file, an ncu CSV, a CSV of instruction counts or a trace folder, and attaches its features to
 * the profile as described in sampling/profile/attach.h. p_name is the profile's name in messages. */
int ingest_features(const char *path, const struct ingest_options *options, struct profile *p, const char *p_name,
                    struct err *e);
/* Reads another profile of the same launches; its values become a response, named after the file. */
int ingest_response(const char *path, const struct ingest_options *options, struct profile *p, struct err *e);

#endif
