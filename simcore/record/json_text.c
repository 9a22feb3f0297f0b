#include "simcore/record/json_text.h"

void json_text_add(struct strbuf *b, const char *s)
{
    strbuf_addc(b, '"');
    for (; *s; s++) {
        if (*s == '"' || *s == '\\')
            strbuf_addc(b, '\\');
        if ((unsigned char)*s < 0x20)
            strbuf_addf(b, "\\u%04x", (unsigned)(unsigned char)*s);
        else
            strbuf_addc(b, *s);
    }
    strbuf_addc(b, '"');
}
