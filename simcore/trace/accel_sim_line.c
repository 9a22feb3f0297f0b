#include "simcore/trace/accel_sim_line.h"

#include <string.h>

#define OPCODE_BYTES_MAX 128
#define SOURCES_MAX      32 /* more than any SASS instruction has; 8 are kept */

/* --- scanners --- */

static inline bool is_blank(char c)
{
    return c == ' ' || c == '\t' || c == '\r';
}

static inline bool is_digit(char c)
{
    return c >= '0' && c <= '9';
}

const char *scan_blanks(const char *p)
{
    while (is_blank(*p))
        p++;
    return p;
}

const char *scan_decimal(const char *p, uint64_t *out)
{
    uint64_t x = 0;

    if (!is_digit(*p))
        return NULL;
    for (; is_digit(*p); p++) {
        unsigned digit = (unsigned)(*p - '0');

        if (x > (UINT64_MAX - digit) / 10)
            return NULL;
        x = x * 10 + digit;
    }
    *out = x;
    return p;
}

const char *scan_signed(const char *p, int64_t *out)
{
    bool negative = *p == '-';
    uint64_t x;

    p = scan_decimal(p + negative, &x);
    if (!p || x > (uint64_t)INT64_MAX)
        return NULL;
    *out = negative ? -(int64_t)x : (int64_t)x;
    return p;
}

/* 1 + the value of a hexadecimal digit; 0: it is none. */
static const uint8_t hex_value[256] = {
    ['0'] = 1,  ['1'] = 2,  ['2'] = 3,  ['3'] = 4,  ['4'] = 5,  ['5'] = 6,  ['6'] = 7,  ['7'] = 8,
    ['8'] = 9,  ['9'] = 10, ['a'] = 11, ['b'] = 12, ['c'] = 13, ['d'] = 14, ['e'] = 15, ['f'] = 16,
    ['A'] = 11, ['B'] = 12, ['C'] = 13, ['D'] = 14, ['E'] = 15, ['F'] = 16,
};

const char *scan_hex(const char *p, unsigned digits_max, uint64_t *out)
{
    uint64_t x = 0;
    unsigned digits = 0, value;

    for (; (value = hex_value[(unsigned char)*p]) != 0; p++) {
        if (++digits > digits_max)
            return NULL;
        x = x << 4 | (value - 1);
    }
    *out = x;
    return digits ? p : NULL;
}

const char *scan_field(const char *line, const char *word)
{
    size_t n = strlen(word);
    const char *p;

    if (strncmp(line, word, n) != 0)
        return NULL;
    p = scan_blanks(line + n);
    return *p == '=' ? scan_blanks(p + 1) : NULL;
}

bool line_is_blank(const char *p, size_t n)
{
    for (size_t i = 0; i < n; i++)
        if (!is_blank(p[i]))
            return false;
    return true;
}

/* --- addresses --- */

/* The n lane addresses in `listed`, in lane order, go to the lanes of the mask. */
static void to_lanes(uint32_t mask, const uint64_t *listed, struct address_set *out)
{
    out->is_list = true;
    out->base = listed[0];
    out->stride = 0;
    for (unsigned i = 0; mask; mask &= mask - 1)
        out->lanes[__builtin_ctz(mask)] = listed[i++];
}

static const char *scan_listed(const char *p, uint32_t mask, struct address_set *out)
{
    uint64_t listed[WARP_LANES] = {0};
    unsigned active = (unsigned)__builtin_popcount(mask), n = 0;

    for (; p[0] == '0' && p[1] == 'x'; p = scan_blanks(p)) {
        uint64_t x;

        p = scan_hex(p + 2, 16, &x);
        if (!p)
            return NULL;
        if (n < WARP_LANES)
            listed[n] = x;
        n++;
    }
    if (n < active)
        return NULL;
    if (active == 0)
        return p;
    if (n == WARP_LANES) /* version 1 lists all active lanes, of which the mask is a part */
        to_lanes(UINT32_MAX, listed, out);
    else
        to_lanes(mask, listed, out);
    out->base = n == WARP_LANES ? listed[__builtin_ctz(mask)] : listed[0];
    if (active == 1)
        out->is_list = false;
    return p;
}

static const char *scan_base(const char *p, uint64_t *out)
{
    if (p[0] != '0' || p[1] != 'x')
        return NULL;
    p = scan_hex(p + 2, 16, out);
    return p ? scan_blanks(p) : NULL;
}

static const char *scan_stride(const char *p, uint32_t mask, struct address_set *out)
{
    uint32_t run;
    unsigned first;

    p = scan_base(p, &out->base);
    if (!p || !(p = scan_signed(p, &out->stride)))
        return NULL;
    if (mask == 0)
        return scan_blanks(p);
    first = (unsigned)__builtin_ctz(mask);
    run = mask >> first;
    out->is_list = (run & (run + 1)) != 0; /* a hole: no run of lanes */
    if (out->is_list)
        for (unsigned lane = first; lane < WARP_LANES; lane++)
            out->lanes[lane] = out->base + (uint64_t)out->stride * (lane - first);
    return scan_blanks(p);
}

static const char *scan_deltas(const char *p, uint32_t mask, struct address_set *out)
{
    uint64_t address;

    out->is_list = false;
    out->stride = 0;
    if (mask == 0 && *p != '0')
        return p;
    p = scan_base(p, &address);
    if (!p)
        return NULL;
    out->base = address;
    if ((mask & (mask - 1)) == 0)
        return p;
    out->is_list = true;
    out->lanes[__builtin_ctz(mask)] = address;
    for (uint32_t rest = mask & (mask - 1); rest; rest &= rest - 1) {
        int64_t delta;

        p = scan_signed(p, &delta);
        if (!p || !(is_blank(*p) || *p == '\n' || *p == '\0'))
            return NULL;
        p = scan_blanks(p);
        address += (uint64_t)delta;
        out->lanes[__builtin_ctz(rest)] = address;
    }
    return p;
}

/* From the address mode on; NULL: these are not the addresses of that many lanes. */
static const char *scan_addresses(const char *p, uint32_t mask, struct address_set *out)
{
    out->is_list = false;
    out->stride = 0;
    if (p[0] == '0' && p[1] == 'x') /* before there were modes */
        return scan_listed(p, mask, out);
    if (p[0] < '0' || p[0] > '2' || !is_blank(p[1]))
        return p[0] == '\n' && mask == 0 ? p : NULL;
    switch (p[0]) {
    case '0': return scan_listed(scan_blanks(p + 1), mask, out);
    case '1': return scan_stride(scan_blanks(p + 1), mask, out);
    default: return scan_deltas(scan_blanks(p + 1), mask, out);
    }
}

/* --- one line that looks like an instruction seen before --- */

static inline const char *scan_mask(const char *p, uint32_t *out)
{
    uint32_t x = 0;

    if (memcmp(p, "ffffffff", 8) == 0) {
        *out = UINT32_MAX;
        return p + 8;
    }
    for (int i = 0; i < 8; i++) {
        unsigned value = hex_value[(unsigned char)p[i]];

        if (value == 0)
            return NULL;
        x = x << 4 | (value - 1);
    }
    *out = x;
    return p + 8;
}

const char *inst_line_match(const char *p, const struct inst_table *t, uint32_t candidate, uint32_t *mask,
                            bool *has_addresses, struct address_set *addresses)
{
    const struct inst_key *k = &t->keys[candidate];
    const struct trace_inst *i = &t->insts[candidate];
    const char *text = t->texts + k->text;
    bool immediate;

    if (!k->fast || memcmp(p, text, k->before) != 0 || !(p = scan_mask(p + k->before, mask)) ||
        memcmp(p, text + k->before, k->after) != 0)
        return NULL;
    p += k->after;
    *has_addresses = k->has_addresses && *mask != 0;
    if (!k->has_addresses)
        return p; /* the newline was part of `after` */
    p = scan_addresses(p, *mask, addresses);
    if (!p)
        return NULL;
    immediate = *p == '-' || is_digit(*p);
    if (immediate) {
        int64_t x;

        p = scan_signed(p, &x);
        if (!p || x != i->immediate)
            return NULL;
        p = scan_blanks(p);
    }
    return immediate == i->has_immediate && *p == '\n' ? p + 1 : NULL;
}

/* --- any line --- */

static int wrong(struct err *e, const char *what)
{
    return err_set(e, ERR_INVALID, "%s", what);
}

/* A number behind blanks that is a whole word. NULL with *e filled. */
static const char *take_word_decimal(const char *p, uint64_t most, const char *what, uint64_t *out, struct err *e)
{
    const char *end = scan_decimal(scan_blanks(p), out);

    if (!end || *out > most || !(is_blank(*end) || *end == '\n' || *end == '\0')) {
        err_set(e, ERR_INVALID, "the %s is missing or is no number up to %llu", what, (unsigned long long)most);
        return NULL;
    }
    return end;
}

static const char *take_register(const char *p, uint8_t *out, struct err *e)
{
    uint64_t x;
    const char *end;

    p = scan_blanks(p);
    end = *p == 'R' ? scan_decimal(p + 1, &x) : NULL;
    if (!end || x > REG_ZERO || !(is_blank(*end) || *end == '\n' || *end == '\0')) {
        wrong(e, "where a register should stand there is something else");
        return NULL;
    }
    *out = (uint8_t)x;
    return end;
}

static const char *take_prefix(const char *p, struct inst_line *out, struct err *e)
{
    static const char *const names[] = {"block's x", "block's y", "block's z", "warp number"};

    for (int i = 0; i < 4; i++) {
        uint64_t x;

        p = take_word_decimal(p, UINT32_MAX, names[i], &x, e);
        if (!p)
            return NULL;
        if (i < 3)
            out->cta[i] = (uint32_t)x;
        else
            out->warp = (uint32_t)x;
    }
    return scan_blanks(p);
}

/* PC and mask, with the line number before them. */
static const char *take_pc_and_mask(const char *p, struct line_format f, struct inst_text *x, uint32_t *mask,
                                    struct err *e)
{
    uint64_t number;
    const char *end;

    x->before = p;
    if (f.lineinfo && !(p = take_word_decimal(p, UINT32_MAX, "source line number", &number, e)))
        return NULL;
    p = scan_hex(scan_blanks(p), 8, &number);
    if (!p || !is_blank(*p)) {
        wrong(e, "the program counter is missing or is not hexadecimal");
        return NULL;
    }
    x->inst.pc = (uint32_t)number;
    p = scan_blanks(p);
    x->before_bytes = (size_t)(p - x->before);
    end = scan_hex(p, 8, &number);
    if (!end || !is_blank(*end)) {
        wrong(e, "the mask is missing or is not eight hexadecimal digits");
        return NULL;
    }
    *mask = (uint32_t)number;
    x->fast = end - p == 8;
    x->after = end;
    return end;
}

static const char *take_opcode(const char *p, struct inst_text *x, struct err *e)
{
    p = scan_blanks(p);
    x->opcode = p;
    while (*p > ' ' && *p < 0x7f)
        p++;
    x->opcode_bytes = (size_t)(p - x->opcode);
    if (x->opcode_bytes == 0 || x->opcode_bytes > OPCODE_BYTES_MAX || !is_blank(*p)) {
        wrong(e, "the opcode is missing or is no text");
        return NULL;
    }
    return p;
}

static const char *take_operands(const char *p, struct inst_text *x, struct err *e)
{
    uint64_t count, width;

    if (!(p = take_word_decimal(p, 1, "number of destinations", &count, e)))
        return NULL;
    x->inst.dst_count = (uint8_t)count;
    if (count && !(p = take_register(p, &x->inst.dst, e)))
        return NULL;
    if (!(p = take_opcode(p, x, e)) || !(p = take_word_decimal(p, SOURCES_MAX, "number of sources", &count, e)))
        return NULL;
    for (uint64_t s = 0; s < count; s++) {
        uint8_t reg;

        if (!(p = take_register(p, &reg, e)))
            return NULL;
        if (x->inst.src_count < INST_MAX_SRC)
            x->inst.src[x->inst.src_count++] = reg;
    }
    if (!(p = take_word_decimal(p, UINT16_MAX, "access width", &width, e)))
        return NULL;
    x->printed_width = (unsigned)width;
    return p;
}

static int take_immediate(const char *p, struct inst_text *x, struct err *e)
{
    p = scan_blanks(p);
    if (*p == '\n' || *p == '\0')
        return 0;
    if (!(p = scan_signed(p, &x->inst.immediate)) || !(is_blank(*p) || *p == '\n' || *p == '\0'))
        return wrong(e, "the immediate is no number");
    x->inst.has_immediate = true;
    return 0;
}

int inst_line_parse(const char *p, size_t n, struct line_format f, struct inst_table *t, struct inst_line *out,
                    struct err *e)
{
    struct inst_text x = {0};
    const char *end = p + n;

    if (memchr(p, '\0', n))
        return wrong(e, "there is a NUL byte in it");
    p = scan_blanks(p);
    if (f.prefix && !(p = take_prefix(p, out, e)))
        return -1;
    if (!(p = take_pc_and_mask(p, f, &x, &out->mask, e)) || !(p = take_operands(p, &x, e)))
        return -1;
    if (x.printed_width) {
        p = scan_blanks(p);
        x.after_bytes = (size_t)(p - x.after);
        p = scan_addresses(p, out->mask, &out->addresses);
        if (!p)
            return err_set(e, ERR_INVALID, "the address list is not that of the %d lanes of the mask %08x",
                           __builtin_popcount(out->mask), out->mask);
    } else {
        x.after_bytes = (size_t)(end - x.after) + (*end == '\n');
        x.fast = x.fast && *end == '\n';
    }
    if (take_immediate(p, &x, e) < 0)
        return -1;
    out->has_addresses = x.printed_width != 0 && out->mask != 0;
    out->inst = inst_table_intern(t, &x, e);
    return out->inst == INST_NONE ? -1 : 0;
}
