#include "simcore/trace/accel_sim_fields.h"

#include <string.h>

#include "base/array.h"

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
    if (!p || x > (uint64_t)INT64_MAX + negative)
        return NULL;
    *out = (int64_t)(negative ? 0 - x : x);
    return p;
}

/* 1 + the value of a hexadecimal digit; 0: not a digit. */
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

/* Assigns the n addresses in `listed`, which are in lane order, to the lanes of the mask. */
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
    if (n == WARP_LANES) /* version 1 lists all active lanes; the mask is a subset of them */
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
    out->is_list = (run & (run + 1)) != 0; /* the mask has gaps, so the lanes are not one run */
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

/* Parses the address mode and the addresses after it. NULL: the text does not have one address for each active
 * lane.
 */
static const char *scan_addresses(const char *p, uint32_t mask, struct address_set *out)
{
    out->is_list = false;
    out->stride = 0;
    if (p[0] == '0' && p[1] == 'x') /* the older format, without address modes */
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

/* Chooses the immediate that counts. For BAR it is the number of threads, if given; older traces omit the barrier
 * number. For other instructions it is the first one, or the second if only the second is not 0. */
static int64_t choose_immediate(int64_t first, int64_t second, bool barrier)
{
    return barrier ? (second ? second : first) : (first ? first : second);
}

static bool is_barrier(const char *opcode, size_t n)
{
    return n >= 3 && memcmp(opcode, "BAR", 3) == 0 && (n == 3 || opcode[3] == '.');
}

/* Two immediates whose values are ignored (an instruction with a relevant immediate is parsed in full), then NoVal
 * or nothing. */
static const char *match_tail(const char *p, const struct trace_inst *i)
{
    if (i->has_immediate || memcmp(p, "0 0 ", 4) != 0)
        return NULL;
    p += 4;
    if (memcmp(p, "NoVal \n", 7) == 0)
        return p + 7;
    return *p == '\n' ? p + 1 : NULL;
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
        return p; /* `after` includes the newline */
    if (k->fields)
        return NULL; /* the fields must be parsed in full */
    p = scan_addresses(p, *mask, addresses);
    if (!p)
        return NULL;
    if (k->second)
        return match_tail(p, i);
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

/* Temporary buffers for the parts of one line. */
struct parse {
    struct line_records *records;
    struct line_values values;
};

static int wrong(struct err *e, const char *what)
{
    return err_set(e, ERR_INVALID, "%s", what);
}

/* A decimal number after blanks that ends at a blank or the line's end. NULL with *e filled. */
static const char *take_word_decimal(const char *p, uint64_t most, const char *what, uint64_t *out, struct err *e)
{
    const char *end = scan_decimal(scan_blanks(p), out);

    if (!end || *out > most || !(is_blank(*end) || *end == '\n' || *end == '\0')) {
        err_set(e, ERR_INVALID, "the %s is missing or is not a number up to %llu", what, (unsigned long long)most);
        return NULL;
    }
    return end;
}

/* A predicate or uniform register as in trace_inst.other_src. 0: URZ, PT, or a number that no GPU has. */
static uint8_t other_register(bool uniform, bool predicate, uint64_t number)
{
    if (number > (predicate ? 6 : 62))
        return 0;
    return (uint8_t)(1 + number +
                     (!predicate ? OTHER_UNIFORM
                      : uniform  ? OTHER_UNIFORM_PREDICATE
                                 : OTHER_PREDICATE));
}

/* A predicate or uniform register (Accel-Sim 2.0) counts as RZ, so that it keeps its operand position; *other says
 * which one it is. */
static const char *take_register(const char *p, const struct line_format *f, bool *general, uint8_t *out,
                                 uint8_t *other, struct err *e)
{
    uint64_t x;
    const char *end;
    bool uniform, predicate;

    p = scan_blanks(p);
    *general = *p == 'R';
    uniform = f->second && *p == 'U';
    p += uniform;
    predicate = *p == 'P';
    end = *p == 'R' || (f->second && *p == 'P') ? scan_decimal(p + 1, &x) : NULL;
    if (!end || x > REG_ZERO || !(is_blank(*end) || *end == '\n' || *end == '\0')) {
        wrong(e, "expected a register");
        return NULL;
    }
    *out = *general ? (uint8_t)x : REG_ZERO;
    *other = *general ? 0 : other_register(uniform, predicate, x);
    return end;
}

static const char *take_prefix(const char *p, uint32_t numbers, struct inst_line *out, struct err *e)
{
    static const char *const names[PREFIX_NUMBERS_2] = {"block's x",
                                                        "block's y",
                                                        "block's z",
                                                        "warp number",
                                                        "cluster's x",
                                                        "cluster's y",
                                                        "cluster's z",
                                                        "block's x in a cluster",
                                                        "block's y in a cluster",
                                                        "block's z in a cluster",
                                                        "cluster rank"};

    for (uint32_t i = 0; i < numbers; i++) {
        uint64_t x;

        p = take_word_decimal(p, UINT32_MAX, names[i], &x, e);
        if (!p)
            return NULL;
        if (i < 3)
            out->cta[i] = (uint32_t)x;
        else if (i == 3)
            out->warp = (uint32_t)x;
        else if (i < 7)
            out->cluster[i - 4] = (uint32_t)x;
        else if (i == 10)
            out->rank = (uint32_t)x;
    }
    return scan_blanks(p);
}

/* Parses PC and mask, and the line number before them if there is one. */
static const char *take_pc_and_mask(const char *p, const struct line_format *f, struct inst_text *x, uint32_t *mask,
                                    struct err *e)
{
    uint64_t number;
    const char *end;

    x->before = p;
    if (f->lineinfo && !(p = take_word_decimal(p, UINT32_MAX, "source line number", &number, e)))
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
        wrong(e, "the opcode is missing or is not a text");
        return NULL;
    }
    return p;
}

/* "HGMMA..." and similar opcodes state whether they end a group. */
static const char *take_commit(const char *p, struct inst_text *x, struct err *e)
{
    uint64_t commit;

    if (!memmem(x->opcode, x->opcode_bytes, "GMMA", 4))
        return p;
    p = take_word_decimal(p, 1, "commit flag", &commit, e);
    if (p)
        x->inst.group = commit ? GROUP_COMMITS : GROUP_OPEN;
    return p;
}

static const char *take_operands(const char *p, const struct line_format *f, struct inst_text *x, struct err *e)
{
    uint64_t count, width;
    bool general = true;

    if (!(p = take_word_decimal(p, 1, "number of destinations", &count, e)))
        return NULL;
    x->printed_destinations = (uint32_t)count;
    if (count && !(p = take_register(p, f, &general, &x->inst.dst, &x->inst.other_dst, e)))
        return NULL;
    x->inst.dst_count = (uint8_t)(general ? count : 0);
    if (!(p = take_opcode(p, x, e)) || !(p = take_word_decimal(p, SOURCES_MAX, "number of sources", &count, e)))
        return NULL;
    for (uint64_t s = 0; s < count; s++) {
        uint8_t reg, other;

        if (!(p = take_register(p, f, &general, &reg, &other, e)))
            return NULL;
        if (x->inst.src_count == INST_MAX_SRC)
            continue;
        x->inst.other_src[x->inst.src_count] = other;
        x->inst.src[x->inst.src_count++] = reg;
    }
    if (f->second && !(p = take_commit(p, x, e)))
        return NULL;
    if (f->second && opcode_is_bulk_copy(x->opcode, x->opcode_bytes))
        return p; /* the memory field of a bulk copy has another form */
    if (!(p = take_word_decimal(p, UINT16_MAX, "access width", &width, e)))
        return NULL;
    x->printed_width = (unsigned)width;
    return p;
}

static int wrong_addresses(uint32_t mask, struct err *e)
{
    return err_set(e, ERR_INVALID, "the address list does not fit the %d lanes of the mask %08x",
                   __builtin_popcount(mask), mask);
}

static int take_immediate(const char *p, struct inst_text *x, struct err *e)
{
    p = scan_blanks(p);
    if (*p == '\n' || *p == '\0')
        return 0;
    if (!(p = scan_signed(p, &x->inst.immediate)) || !(is_blank(*p) || *p == '\n' || *p == '\0'))
        return wrong(e, "the immediate is not a number");
    x->inst.has_immediate = true;
    return 0;
}

/* --- the end of a line of Accel-Sim 2.0 --- */

static bool word_ends(const char *p)
{
    return is_blank(*p) || *p == '\n' || *p == '\0';
}

static const char *take_signed(const char *p, int64_t *out)
{
    p = scan_signed(scan_blanks(p), out);
    return p && word_ends(p) ? p : NULL;
}

/* Parses "1 <hex>" or "32" and 32 values. NULL: neither. */
static const char *take_value_group(const char *p, uint64_t out[WARP_LANES])
{
    uint64_t count;

    p = scan_decimal(p, &count);
    if (!p || (count != 1 && count != WARP_LANES))
        return NULL;
    for (uint64_t i = 0; i < count; i++)
        if (!(p = scan_hex(scan_blanks(p), 16, &out[i])) || !word_ends(p))
            return NULL;
    for (uint64_t i = count; i < WARP_LANES; i++)
        out[i] = out[0];
    return p;
}

/* Parses "NoVal", "Val" with value groups, or nothing, up to the end of the line. */
static int take_values(const char *p, struct line_values *v, struct err *e)
{
    v->recorded = false;
    v->groups = 0;
    p = scan_blanks(p);
    if (strncmp(p, "NoVal", 5) == 0) {
        p = scan_blanks(p + 5);
    } else if (strncmp(p, "Val", 3) == 0 && word_ends(p + 3)) {
        v->recorded = true;
        for (p = scan_blanks(p + 3); is_digit(*p) && v->groups < VALUE_GROUPS_MAX; p = scan_blanks(p)) {
            p = take_value_group(p, v->value[v->groups++]);
            if (!p)
                return wrong(e, "a register value is missing or is not a number");
        }
    }
    return *p == '\n' || *p == '\0' ? 0 : wrong(e, "expected Val or NoVal after the immediates");
}

static int take_end(const char *p, struct inst_text *x, struct line_values *v, struct err *e)
{
    /* for DEPBAR an immediate of 0 is valid: no group may be pending */
    bool counts = memmem(x->opcode, x->opcode_bytes, "DEPBAR", 6) != NULL;
    int64_t first, second;

    if (!(p = take_signed(p, &first)) || !(p = take_signed(p, &second)))
        return wrong(e, "an immediate is missing or is not a number");
    x->inst.immediate = choose_immediate(first, second, is_barrier(x->opcode, x->opcode_bytes));
    x->inst.has_immediate = counts || x->inst.immediate != 0;
    return take_values(p, v, e);
}

/* Returns the end of the numbers: the position of "Val", of "NoVal" or of the line's end. */
static const char *numbers_end(const char *p)
{
    while (*p != '\n' && *p != '\0' && *p != 'N' && *p != 'V')
        p++;
    return p;
}

/* The number of words before `end`. */
static uint32_t words_before(const char *p, const char *end)
{
    uint32_t n = 0;

    for (p = scan_blanks(p); p < end; p = scan_blanks(p)) {
        n++;
        while (p < end && !is_blank(*p))
            p++;
    }
    return n;
}

/* Parses the element addresses after their mode. The tracer's count can include elements out of bounds, so the
 * number of words minus the two immediates is used. If the mode stores only one address, the tracer has lost it and
 * wrote 0.
 */
static const char *take_elements(const char *p, uint64_t mode, struct line_records *buffer, struct bulk_copy *c,
                                 struct err *e)
{
    uint64_t count, base = 0;
    uint32_t words;
    void *list;

    p = scan_blanks(p);
    if (mode == 4 && (!(p = scan_base(p, &base))))
        return NULL;
    if (!(p = scan_decimal(scan_blanks(p), &count)) || !word_ends(p))
        return NULL;
    words = words_before(p, numbers_end(p));
    if (words < 2)
        return NULL;
    c->count = words - 2 + (mode == 4 && count > 0);
    list = buffer->values;
    if (array_reserve(&list, &buffer->capacity, c->count + 1, sizeof *buffer->values, e) < 0)
        return NULL;
    buffer->values = list;
    for (uint32_t i = 0; i < c->count; i++) {
        int64_t step = 0;

        if (mode == 3 && !(p = scan_base(scan_blanks(p), &base)))
            return NULL;
        if (mode == 4 && i > 0 && !(p = take_signed(p, &step)))
            return NULL;
        base += (uint64_t)step;
        buffer->values[i] = base;
    }
    c->addresses = buffer->values;
    if (c->count == 1 && base == 0)
        c->count = 0;
    return p;
}

/* Parses: size mbar multicast [mask] bytes oob, then mode and addresses. */
static const char *take_bulk_copy(const char *p, struct line_records *buffer, struct bulk_copy *c, struct err *e)
{
    uint64_t multicast, oob, mode;

    if (!(p = take_word_decimal(p, UINT32_MAX, "element size", &c->element, e)))
        return NULL;
    if (!(p = scan_base(scan_blanks(p), &c->barrier)) || !(p = scan_decimal(p, &multicast)) ||
        (multicast && !(p = scan_base(scan_blanks(p), &c->ctas))) ||
        !(p = scan_decimal(scan_blanks(p), &c->bytes)) || !(p = scan_decimal(scan_blanks(p), &oob)) ||
        !(p = scan_decimal(scan_blanks(p), &mode)) || (mode != 3 && mode != 4) ||
        !(p = take_elements(p, mode, buffer, c, e))) {
        wrong(e, "the memory field is not that of a copy by descriptor");
        return NULL;
    }
    return p;
}

/* Parses a line with fields instead of addresses, from the memory field on. */
static int parse_bulk_copy(const char *p, const struct line_format *f, struct inst_text *x, struct parse *s,
                           struct inst_line *out, struct err *e)
{
    static const char *const prefetches[] = {"UTMAPF", "UBLKPF"};
    struct bulk_copy c = {0};
    struct line_records elements = {0};
    int ret = 0;

    x->after_bytes = (size_t)(p - x->after);
    x->fast = false;
    p = take_bulk_copy(p, &elements, &c, e);
    if (!p || take_end(p, x, &s->values, e) < 0)
        ret = -1;
    x->inst.immediate = 0; /* the tracer does not write it */
    x->inst.has_immediate = false;
    x->fields = true;
    for (size_t i = 0; i < sizeof prefetches / sizeof *prefetches; i++)
        x->fields = x->fields && !memmem(x->opcode, x->opcode_bytes, prefetches[i], 6);
    if (ret == 0 && x->fields && out->mask)
        ret = fields_of_copy(&c, out->mask, f, s->records, e);
    line_records_release(&elements);
    return ret;
}

static int parse_second(const char *p, const struct line_format *f, struct inst_text *x, struct parse *s,
                        struct inst_line *out, struct err *e)
{
    const char *end;

    if (opcode_is_bulk_copy(x->opcode, x->opcode_bytes))
        return parse_bulk_copy(p, f, x, s, out, e);
    if (x->printed_width) {
        p = scan_blanks(p);
        x->after_bytes = (size_t)(p - x->after);
        p = scan_addresses(p, out->mask, &out->addresses);
        if (!p)
            return wrong_addresses(out->mask, e);
    }
    if (take_end(p, x, &s->values, e) < 0)
        return -1;
    if (x->printed_width && s->values.recorded && opcode_is_barrier(x->opcode, x->opcode_bytes)) {
        x->fields = true;
        x->fast = false;
        return out->mask ? fields_of_barrier(x->opcode, x->opcode_bytes, out->mask, &out->addresses, &s->values,
                                             x->printed_destinations + 1, f, s->records, e)
                         : 0;
    }
    if (x->printed_width)
        return 0;
    end = p + strcspn(p, s->values.recorded ? "V\n" : "\n");
    x->after_bytes = (size_t)(end - x->after) + (*end == '\n');
    x->fast = x->fast && *end == '\n';
    return 0;
}

static bool is_opcode(const struct inst_text *x, const char *name)
{
    return x->opcode_bytes == strlen(name) && memcmp(x->opcode, name, x->opcode_bytes) == 0;
}

/* The markers around a polling region, of which one iteration is recorded. A wait for a barrier in the region
 * blocks in the simulation until its condition holds. A load in the region polls (polls.h). */
static bool take_marker(const struct inst_text *x, struct inst_line *out)
{
    out->region = is_opcode(x, "REPLAY_START");
    out->marker = out->region || is_opcode(x, "REPLAY_END");
    return out->marker;
}

/* Markers have no line number, even if all other lines have one. */
static bool line_is_marker(const char *p, size_t n)
{
    return n < 200 && memmem(p, n, " REPLAY_", 8) != NULL;
}

int inst_line_parse(const char *p, size_t n, const struct line_format *f, struct inst_table *t,
                    struct line_records *records, struct inst_line *out, struct err *e)
{
    struct line_format own = *f;
    struct inst_text x = {.second = f->second};
    struct parse s;
    const char *end = p + n;

    if (memchr(p, '\0', n))
        return wrong(e, "the line contains a NUL byte");
    s.records = records;
    s.values.recorded = false;
    s.values.groups = 0;
    records->count = 0;
    out->marker = false;
    memset(out->cluster, 0, sizeof out->cluster);
    out->rank = 0;
    own.lineinfo = f->lineinfo && !(f->second && line_is_marker(p, n));
    p = scan_blanks(p);
    if (f->prefix && !(p = take_prefix(p, f->prefix, out, e)))
        return -1;
    if (!(p = take_pc_and_mask(p, &own, &x, &out->mask, e)) || !(p = take_operands(p, &own, &x, e)))
        return -1;
    if (f->second && take_marker(&x, out))
        return 0;
    if (f->second) {
        if (parse_second(p, f, &x, &s, out, e) < 0)
            return -1;
    } else {
        if (x.printed_width) {
            p = scan_blanks(p);
            x.after_bytes = (size_t)(p - x.after);
            p = scan_addresses(p, out->mask, &out->addresses);
            if (!p)
                return wrong_addresses(out->mask, e);
        } else {
            x.after_bytes = (size_t)(end - x.after) + (*end == '\n');
            x.fast = x.fast && *end == '\n';
        }
        if (take_immediate(p, &x, e) < 0)
            return -1;
    }
    out->has_addresses = x.printed_width != 0 && out->mask != 0 && !x.fields;
    out->inst = inst_table_intern(t, &x, e);
    return out->inst == INST_NONE ? -1 : 0;
}
