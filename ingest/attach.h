/* ingest/attach.h: files beside a profile: features, and other profiles of the same launches. */
#ifndef VIVACE_INGEST_ATTACH_H
#define VIVACE_INGEST_ATTACH_H

#include "ingest/ingest.h"

/* Reads a features file, an ncu CSV, a CSV of instruction counts or a trace folder, and attaches what it holds to
 * the profile, as sampling/attach.h says. p_name is what messages call the profile. */
int ingest_features(const char *path, const struct ingest_options *options, struct profile *p, const char *p_name,
                    struct err *e);
/* Reads another profile of the same launches; its values become a response, named after the file. */
int ingest_response(const char *path, const struct ingest_options *options, struct profile *p, struct err *e);

#endif
