/* ptx/decode/decode_fault.c: error messages: why and where a function cannot be decoded. */
#include <stdarg.h>
#include <stdio.h>

#include "base/text.h"
#include "ptx/decode/decode_internal.h"

int decode_fault(struct decoder *d, enum err_code code, const struct ptx_place *at, const char *format, ...)
{
    char text[360];
    va_list ap;

    va_start(ap, format);
    vsnprintf(text, sizeof text, format, ap);
    va_end(ap);
    text_sanitize(text);
    return err_set(d->e, code, "%s:%u:%u: %s", d->m->label, at->line, at->column, text);
}

int decode_unsupported(struct decoder *d)
{
    return decode_fault(d, ERR_UNSUPPORTED, &d->i->place, "not supported: %s%s", d->i->opcode, d->i->suffix);
}
