/* base/text_decode.h: text as UTF-8 with "\n" line ends, from what other programs write: UTF-16 with a byte order
 * mark (RFC 2781), and text whose only line end is "\r" (Mac OS before version 10). Anything else passes unchanged.
 */
#ifndef VIVACE_BASE_TEXT_DECODE_H
#define VIVACE_BASE_TEXT_DECODE_H

#include <stdbool.h>

#include "base/unpack.h"

enum text_kind { TEXT_UNCHANGED, TEXT_UTF16_LITTLE, TEXT_UTF16_BIG, TEXT_RETURN_ENDS };

struct text_decode {
    enum text_kind kind;
    unsigned char *bytes; /* of the source, not yet decoded: bytes[at .. end) */
    size_t at, end;
    bool ended;            /* the source has no more bytes */
    unsigned char left[4]; /* decoded, not yet returned: the first left_count bytes */
    unsigned left_count;
};

/* Reads the first bytes of the source and decides what they are. If these bytes are damaged, text_decode_read()
 * reports it. The caller zeroes *t first, and calls text_decode_end() also after an error. */
int text_decode_begin(struct text_decode *t, struct unpack *from, struct err *e);
/* Up to n bytes of UTF-8; 0 at the end; -1 on error. */
ssize_t text_decode_read(struct text_decode *t, struct unpack *from, void *out, size_t n, struct err *e);
void text_decode_end(struct text_decode *t);

#endif
