#include "base/csv_cell.h"

#include <ctype.h>
#include <string.h>

/* True of "-1.5e-3" or "+7": a sign, digits with at most one point, an exponent. */
static bool is_number(const char *s)
{
    size_t digits;

    s += *s == '+' || *s == '-';
    digits = strspn(s, "0123456789");
    s += digits;
    if (*s == '.') {
        s++;
        digits += strspn(s, "0123456789");
        s += strspn(s, "0123456789");
    }
    if (digits == 0)
        return false;
    if (*s == 'e' || *s == 'E') {
        s++;
        s += *s == '+' || *s == '-';
        if (!isdigit((unsigned char)*s))
            return false;
        s += strspn(s, "0123456789");
    }
    return *s == '\0';
}

void csv_add_cell(struct strbuf *b, const char *s)
{
    struct strbuf text = STRBUF_INIT;

    if (!*s || !strchr("=+-@\t\r", *s) || is_number(s)) {
        strbuf_add_csv(b, s);
        return;
    }
    strbuf_addc(&text, '\'');
    strbuf_adds(&text, s);
    strbuf_add_csv(b, text.failed ? "" : text.text);
    b->failed = b->failed || text.failed;
    strbuf_release(&text);
}
