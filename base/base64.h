/* base/base64.h: bytes inside JSON (RFC 4648, with padding). */
#ifndef VIVACE_BASE_BASE64_H
#define VIVACE_BASE_BASE64_H

#include <stddef.h>

#include "base/err.h"

/* The caller frees; NULL when memory ran out. */
char *base64_encode(const void *bytes, size_t n, struct err *e);
/* *bytes is malloc'ed, the caller frees it. ERR_INVALID where the text is not base64. */
int base64_decode(const char *text, void **bytes, size_t *n, struct err *e);

#endif
