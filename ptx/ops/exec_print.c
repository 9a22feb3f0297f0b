/* ptx/ops/exec_print.c: printf of kernels. Formats text as C does, keeps it until the launch ends, and passes it
 * on in order of CTA, warp and lane.
 *
 * Arguments are packed with natural alignment and promoted as in C: int and unsigned have 4 bytes; double, long
 * and pointers have 8. */
#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ptx/warp/launch.h"
#include "ptx/warp/warp.h"

enum { WIDTH_MAX = 4000 }; /* characters of one field */

struct printing {
    struct ptx_warp *w;
    uint32_t lane;
    uint64_t format, args; /* generic addresses of the next character and the next argument */
    struct strbuf *out;
    int32_t count;
    bool bad; /* an address was not readable */
};

static char next_char(struct printing *p)
{
    char c = '\0';

    if (ptx_generic_read(p->w, p->lane, p->format++, &c, 1))
        p->bad = true;
    return p->bad ? '\0' : c;
}

static uint64_t next_value(struct printing *p, uint32_t bytes)
{
    uint64_t value = 0;

    p->args = (p->args + bytes - 1) & ~(uint64_t)(bytes - 1);
    if (ptx_generic_read(p->w, p->lane, p->args, &value, bytes))
        p->bad = true;
    p->args += bytes;
    return value;
}

/* One field: flags, width and precision for the host's printf. */
struct field {
    char flags[8];
    int width, precision; /* -1: not given */
    bool wide;            /* l, ll, z, j, t */
    char conversion;
};

static int read_number(struct printing *p, char *c)
{
    int64_t n = 0;

    if (*c == '*') {
        *c = next_char(p);
        n = (int32_t)next_value(p, 4);
    } else {
        for (; isdigit((unsigned char)*c); *c = next_char(p))
            n = n < WIDTH_MAX ? n * 10 + (*c - '0') : WIDTH_MAX;
    }
    return n > WIDTH_MAX ? WIDTH_MAX : n < -WIDTH_MAX ? -WIDTH_MAX : (int)n;
}

static void read_field(struct printing *p, struct field *f)
{
    char c = next_char(p);
    size_t flags = 0;

    *f = (struct field){.width = -1, .precision = -1};
    for (; c && strchr("-+ #0", c); c = next_char(p))
        if (!strchr(f->flags, c))
            f->flags[flags++] = c;
    if (isdigit((unsigned char)c) || c == '*')
        f->width = read_number(p, &c);
    if (f->width < -1) {
        f->width = -f->width;
        if (!strchr(f->flags, '-'))
            f->flags[flags++] = '-';
    }
    if (c == '.') {
        c = next_char(p);
        f->precision = read_number(p, &c);
        f->precision = f->precision < 0 ? -1 : f->precision;
    }
    for (; c && strchr("hlzjtL", c); c = next_char(p))
        f->wide = f->wide || (c != 'h' && c != 'L');
    f->conversion = c;
}

/* The host's format of the field: "%-08.3" and `tail`. */
static void host_format(const struct field *f, const char *tail, char out[40])
{
    char width[12] = "", precision[13] = "";

    if (f->width >= 0)
        snprintf(width, sizeof width, "%d", f->width);
    if (f->precision >= 0)
        snprintf(precision, sizeof precision, ".%d", f->precision);
    snprintf(out, 40, "%%%s%s%s%s", f->flags, width, precision, tail);
}

static void add_text(struct printing *p, const char *format, uint64_t address)
{
    struct strbuf text = STRBUF_INIT;
    char c = '\0', field[WIDTH_MAX + 1];

    while (text.length < WIDTH_MAX && !ptx_generic_read(p->w, p->lane, address + text.length, &c, 1) && c)
        strbuf_addc(&text, c);
    snprintf(field, sizeof field, format, address ? text.text : "(null)");
    strbuf_adds(p->out, field);
    strbuf_release(&text);
}

static void add_field(struct printing *p, const struct field *f)
{
    char format[40], text[WIDTH_MAX + 400]; /* 400: the longest double has 309 digits before the decimal point */
    char tail[4] = {f->conversion, '\0'};
    uint64_t bits;
    double real;

    text[0] = '\0';
    p->count++;
    if (strchr("diouxXc", f->conversion)) {
        bool is_signed = strchr("di", f->conversion) != NULL;

        bits = next_value(p, f->wide ? 8 : 4);
        if (f->conversion != 'c')
            memcpy(tail, (char[]){'l', 'l', f->conversion, '\0'}, 4);
        host_format(f, tail, format);
        if (f->conversion == 'c')
            snprintf(text, sizeof text, format, (int)bits);
        else
            snprintf(text, sizeof text, format,
                     is_signed && !f->wide ? (unsigned long long)(int32_t)bits : (unsigned long long)bits);
    } else if (strchr("eEfFgGaA", f->conversion)) {
        bits = next_value(p, 8);
        memcpy(&real, &bits, sizeof real);
        host_format(f, tail, format);
        snprintf(text, sizeof text, format, real);
    } else if (f->conversion == 'p') {
        snprintf(text, sizeof text, "0x%llx", (unsigned long long)next_value(p, 8));
    } else if (f->conversion == 's') {
        host_format(f, tail, format);
        add_text(p, format, next_value(p, 8));
    }
    strbuf_adds(p->out, text);
}

static int format_all(struct printing *p)
{
    for (char c; (c = next_char(p)) != '\0';) {
        struct field f;

        if (c != '%') {
            strbuf_addc(p->out, c);
            continue;
        }
        read_field(p, &f);
        if (f.conversion == '%')
            strbuf_addc(p->out, '%');
        else if (f.conversion && strchr("diouxXceEfFgGaAps", f.conversion))
            add_field(p, &f);
        else
            return ptx_fault(p->w, 1u << p->lane, "printf with an unknown conversion %%%c",
                             f.conversion ? f.conversion : '?');
    }
    if (p->bad)
        return ptx_fault(p->w, 1u << p->lane, "printf reads its format or arguments outside of allocated memory");
    return 0;
}

int ptx_print_call(struct ptx_warp *w, uint32_t lane, uint64_t format, uint64_t args, int32_t *count)
{
    struct ptx_prints *all = &w->cta->run->prints;
    struct printing p = {.w = w, .lane = lane, .format = format, .args = args, .out = &all->text};
    size_t at = all->text.length;

    if (array_reserve((void **)&all->calls, &all->capacity, all->count + 1, sizeof *all->calls, w->cta->e) ||
        format_all(&p))
        return -1;
    if (all->text.failed)
        return err_no_memory(w->cta->e);
    if (all->text.length + all->count * sizeof *all->calls > PTX_PRINT_MAX)
        return ptx_fault(w, 1u << lane, "the kernel prints more than %d bytes (%zu for each call, plus its text)",
                         PTX_PRINT_MAX, sizeof *all->calls);
    all->calls[all->count++] = (struct ptx_printed){w->cta->linear, w->id, lane, at, all->text.length - at};
    *count = p.count;
    return 0;
}

/* Calls of one lane keep their order, which is the order of their texts. */
static int by_lane(const void *a, const void *b)
{
    const struct ptx_printed *x = a, *y = b;

    if (x->cta != y->cta)
        return x->cta < y->cta ? -1 : 1;
    if (x->warp != y->warp)
        return x->warp < y->warp ? -1 : 1;
    if (x->lane != y->lane)
        return x->lane < y->lane ? -1 : 1;
    return x->at < y->at ? -1 : x->at > y->at;
}

void ptx_prints_hand_over(struct ptx_run *r)
{
    if (r->printed)
        return;
    r->printed = true;
    if (r->prints.count)
        qsort(r->prints.calls, r->prints.count, sizeof *r->prints.calls, by_lane);
    for (size_t k = 0; r->options.print && k < r->prints.count; k++)
        r->options.print(r->options.print_ctx, r->prints.text.text + r->prints.calls[k].at,
                         r->prints.calls[k].length);
}
