/* server/access/share_sentence.h: the farm's sentences about a run, with the names in them replaced. */
#ifndef VIVACE_SERVER_SHARE_SENTENCE_H
#define VIVACE_SERVER_SHARE_SENTENCE_H

#include <stddef.h>

#include "base/strbuf.h"

/* Writes what stands in place of a name of n bytes. */
typedef void (*share_name_fn)(void *ctx, const char *name, size_t n, struct strbuf *out);
/* 1: *out is the sentence with each name in it handed to `label`; 0: it is none of those that the farm is known to
 * write, so what in it is a name cannot be told; -1. */
int share_sentence(const char *sentence, share_name_fn label, void *ctx, struct strbuf *out,
                   struct err *e) MUST_CHECK;

#endif
