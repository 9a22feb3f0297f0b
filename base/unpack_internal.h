/* base/unpack_internal.h: what the decoders of base/unpack.c share. Not for other files. */
#ifndef VIVACE_BASE_UNPACK_INTERNAL_H
#define VIVACE_BASE_UNPACK_INTERNAL_H

#include "base/unpack.h"

/* Reads until at least one byte of input is available. Returns 1; 0 at the end of the file; -1 on error. */
int unpack_need_input(struct unpack *u, struct err *e);
int unpack_ends_in_the_middle(struct unpack *u, struct err *e);       /* -1, ERR_INVALID */
int unpack_damaged(struct unpack *u, const char *why, struct err *e); /* -1, ERR_INVALID */

/* The one file of a ZIP archive. As unpack_read(). */
ssize_t unpack_zip_read(struct unpack *u, void *out, size_t n, struct err *e);

#endif
