/* server/domain/import/profile_file.h: the scratch file that carries a profile from the import process to the
 * server: facts, report, kernel table, chunks, features. It has one version and is never kept. The reader trusts
 * nothing, because a hostile input file may have taken over the process that wrote it. */
#ifndef VIVACE_SERVER_PROFILE_FILE_H
#define VIVACE_SERVER_PROFILE_FILE_H

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#include "base/err.h"
#include "base/strbuf.h"
#include "sampling/profile/profile.h"
#include "server/domain/import/feature_text.h"
#include "server/store/repo/profile_rows.h"

void kernel_facts_release(struct kernel_facts *k);

int profile_file_write(const char *path, const struct profile *p, const char *report_json, struct err *e);

struct profile_file; /* opaque: a file that is read from start to end */
int profile_file_open(const char *path, struct profile_file **out, struct err *e);
const struct profile_facts *profile_file_facts(const struct profile_file *f);
const char *profile_file_report(const struct profile_file *f); /* JSON */
const struct strbuf *profile_file_tables(const struct profile_file *f);
int profile_file_kernel(struct profile_file *f, struct kernel_facts *out, struct err *e); /* 1; 0: no more */
int profile_file_chunk(struct profile_file *f, struct strbuf *out, struct err *e);        /* 1; 0: no more */
/* Call after the last chunk. 1: read; 0: there are no features. The bytes are those of
 * server/domain/import/feature_codec.h. */
int profile_file_features(struct profile_file *f, struct strbuf *out, struct err *e);
void profile_file_close(struct profile_file *f);
/* Reads the whole file. The caller initializes *out, which is filled only on 0. ERR_TOO_LARGE: more than
 * rows_max rows. */
int profile_file_load(const char *path, uint64_t rows_max, struct profile *out, struct err *e);

#endif
