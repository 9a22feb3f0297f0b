/* sass/decode.c: reads an instruction by the tokens of its row. Bits that were read are marked; the others are
 * unexplained. */
#include "sass/decode.h"

#include <stdlib.h>
#include <string.h>

#include "base/assert.h"
#include "sass/table.h"

const char *const sass_class_names[SASS_CLASS_COUNT] = {
    "float", "integer", "load", "store", "shared_load", "shared_store", "atomic", "control", "tensor", "other"};

enum {
    ARCH_MIN = 70,
    ARCH_MAX = 90,
    ARCH_DISTANCE_IN_TWO_PARTS = 90,
    ARCH_DESCRIPTORS = 80,
    INST_BYTES = 16,
    DISTANCE_UNIT = 4
};
/* Places of the three sources of most operations: registers, and their sign, absolute value and halves. */
enum {
    PLACE_D = 16,
    PLACE_A = 24,
    PLACE_B = 32,
    PLACE_C = 64,
    BIT_UNIFORM = 91,
    BIT_WIDE = 90,
    BIT_ATOMIC_WIDE = 70,
    BIT_ATOMIC_DESCRIPTOR = 71
};

struct reader {
    struct sass_inst *out;
    uint64_t taken[2];
    uint32_t form, arch;
    bool unnamed; /* a value without a name, or modifiers that are not known */
};

static uint64_t bits_of(const uint64_t words[2], uint32_t at, uint32_t n)
{
    uint64_t low = at < 64 ? words[0] >> at : words[1] >> (at - 64);

    if (at < 64 && at + n > 64)
        low |= words[1] << (64 - at);
    return n == 64 ? low : low & ((1ull << n) - 1);
}

static uint64_t take(struct reader *r, uint32_t at, uint32_t n)
{
    ASSERT(n >= 1 && n <= 64 && at + n <= 128);
    for (uint32_t k = at; k < at + n; k++)
        r->taken[k / 64] |= 1ull << k % 64;
    return bits_of(r->out->words, at, n);
}

static int64_t take_signed(struct reader *r, uint32_t at, uint32_t n)
{
    uint64_t v = take(r, at, n);

    return (int64_t)(v << (64 - n)) >> (64 - n);
}

/* --- modifiers --- */

static void add_modifier(struct reader *r, const char *name, size_t n)
{
    char *to = r->out->modifiers;
    size_t length = strlen(to);

    if (n == 0)
        return;
    ASSERT(length + n + 2 <= SASS_MODIFIERS_BYTES);
    to[length] = '.';
    memcpy(to + length + 1, name, n);
    to[length + 1 + n] = 0;
}

/* high: ",BIT", the position of the highest bit if it is not adjacent to the others; or NULL. */
static uint64_t take_value(struct reader *r, uint32_t at, uint32_t n, const char *high)
{
    if (!high)
        return take(r, at, n);
    return take(r, at, n - 1) | take(r, (uint32_t)atoi(high + 1), 1) << (n - 1);
}

/* A token "NAME@BIT" of a row; "&N" after it: only where bit N is set. */
static void read_modifier(struct reader *r, const char *token, size_t n)
{
    const char *sign = memchr(token, '@', n), *only = memchr(token, '&', n);
    bool inverted = *token == '!', shown = !only || take(r, (uint32_t)atoi(only + 1), 1);
    uint32_t at = sign ? (uint32_t)atoi(sign + 1) : 0;
    size_t length = sign ? (size_t)(sign - token) : 0;
    const struct sass_list *list = sign ? sass_list_find(token, length) : NULL;

    if (!sign) { /* "?" */
        r->unnamed = true;
    } else if (list) {
        const char *value = list->values[take_value(r, at, list->bits, memchr(sign, ',', n - length))];

        if (shown && !value)
            r->unnamed = true;
        else if (shown)
            add_modifier(r, value, strlen(value));
    } else if (take(r, at, 1) != inverted) {
        add_modifier(r, token + inverted, length - inverted);
    }
}

/* --- operands --- */

static void add_operand(struct reader *r, const struct sass_operand *x)
{
    ASSERT(r->out->operand_count < SASS_OPERANDS_MAX);
    r->out->operands[r->out->operand_count++] = *x;
}

static void read_register(struct reader *r, uint32_t at, bool uniform, struct sass_operand *x)
{
    *x = (struct sass_operand){.kind = uniform ? SASS_UNIFORM : SASS_REGISTER, .index = (uint16_t)take(r, at, 8)};
}

static void read_complement(struct reader *r, uint32_t at, struct sass_operand *x)
{
    *x = (struct sass_operand){.kind = SASS_UNIFORM, .index = (uint16_t)take(r, at, 6)};
    x->inverted = take(r, at + 6, 1);
}

/* The field at bit 32, which depends on the form. */
static void read_second(struct reader *r, bool uniform, struct sass_operand *x)
{
    switch (r->form) {
    case 2:
    case 4: *x = (struct sass_operand){.kind = SASS_NUMBER, .value = (int64_t)take(r, PLACE_B, 32)}; break;
    case 3:
    case 5:
        *x = (struct sass_operand){.kind = SASS_CONSTANT,
                                   .index = SASS_RZ,
                                   .value = (int64_t)take(r, 38, 16),
                                   .bank = (uint8_t)take(r, 54, 5)};
        break;
    case 6:
    case 7:
        read_register(r, PLACE_B, true, x);
        (void)take(r, BIT_UNIFORM, 1);
        break;
    default: read_register(r, PLACE_B, uniform, x); break;
    }
}

/* Bits of a source's sign, absolute value and halves, by operand position. For f16 pairs the bits of the third
 * source are elsewhere. */
static void read_source_modifiers(struct reader *r, uint32_t place, const char *flags, size_t n,
                                  struct sass_operand *x)
{
    bool halves = memchr(flags, 'h', n), number = x->kind == SASS_NUMBER;
    uint32_t sign = place == PLACE_A ? 72 : place == PLACE_B ? 63 : halves ? 84 : 75;
    uint32_t absolute = place == PLACE_A ? 73 : place == PLACE_B ? 62 : halves ? 83 : 74;
    uint32_t half = place == PLACE_A ? 74 : place == PLACE_B ? 60 : 81;

    if (number) /* 32 bits leave no room */
        return;
    if (memchr(flags, '-', n))
        x->negated = take(r, sign, 1);
    if (memchr(flags, '~', n))
        x->inverted = take(r, sign, 1);
    if (memchr(flags, '|', n))
        x->absolute = take(r, absolute, 1);
    if (halves)
        x->half = (uint8_t)take(r, half, 2);
    r->unnamed |= x->half == 1;
}

/* Tokens A, B, C, S and their flags. */
static void read_source(struct reader *r, const char *token, size_t n, bool uniform, struct sass_operand *x)
{
    bool third_at_32 = r->form == 2 || r->form == 3 || r->form == 7;
    uint32_t place = PLACE_B;

    if (*token == 'A')
        place = PLACE_A;
    else if ((*token == 'B' && third_at_32) || (*token == 'C' && !third_at_32))
        place = PLACE_C;
    if (place == PLACE_B)
        read_second(r, uniform, x);
    else
        read_register(r, place, uniform, x);
    read_source_modifiers(r, place, token + 1, n - 1, x);
}

static void read_predicate(struct reader *r, uint32_t at, bool uniform, bool has_not, struct sass_operand *x)
{
    *x = (struct sass_operand){.kind = uniform ? SASS_UNIFORM_PREDICATE : SASS_PREDICATE,
                               .index = (uint16_t)take(r, at, 3)};
    x->negated = has_not && take(r, at + 3, 1);
}

/* A uniform register in addition to that of the address. Without one, bit 72 says that the address has 64 bits.
 * From sm_80 on, accesses of global memory have a descriptor in it, atomic ones where bit 71 says so; ptxas loads
 * it from c[0x0]. */
static void read_uniform_part(struct reader *r, bool second, bool reduction, bool atomic, struct sass_operand *x)
{
    x->uniform = (uint8_t)take(r, second ? PLACE_C : PLACE_B, 6);
    (void)take(r, BIT_UNIFORM, 1);
    x->wide = take(r, atomic ? BIT_ATOMIC_WIDE : BIT_WIDE, 1);
    x->short_index = !x->wide;
    x->described = reduction || atomic ? take(r, BIT_ATOMIC_DESCRIPTOR, 1) : r->arch >= ARCH_DESCRIPTORS;
}

/* table.h explains the letters of the token. */
static void read_address(struct reader *r, const char *token, size_t n, struct sass_operand *x)
{
    bool uniform = r->form == 4 && *token != 'w' && bits_of(r->out->words, BIT_UNIFORM, 1);
    bool long_offset = *token == 'w' || (*token == 'v' && !uniform);
    bool global = *token != 'm', second = memchr(token, 's', n);

    *x = (struct sass_operand){.kind = SASS_ADDRESS,
                               .index = (uint16_t)take(r, PLACE_A, 8),
                               .uniform = SASS_URZ,
                               .wide = global && bits_of(r->out->words, 72, 1),
                               .value = long_offset ? take_signed(r, 32, 32) : take_signed(r, 40, 24)};
    if (uniform && global) {
        read_uniform_part(r, second, memchr(token, 'r', n), memchr(token, 'a', n), x);
    } else if (uniform) {
        x->uniform = (uint8_t)take(r, second ? PLACE_C : PLACE_B, 6);
        (void)take(r, BIT_UNIFORM, 1);
    }
    if (memchr(token, 'x', n))
        x->scale = (uint8_t)(take(r, 78, 2) ? take(r, 78, 2) + 1 : 0);
}

/* The two addresses of LDGSTS. Source: kernels that differ in one offset or size of cp.async, ptxas 13.0. */
static void read_copy_address(struct reader *r, bool shared, struct sass_operand *x)
{
    *x = (struct sass_operand){.kind = SASS_ADDRESS, .uniform = SASS_URZ};
    x->index = (uint16_t)take(r, shared ? PLACE_D : PLACE_A, 8);
    x->value = shared ? take_signed(r, 44, 20) : take_signed(r, 32, 12);
    if (shared)
        return;
    x->uniform = (uint8_t)take(r, PLACE_C, 6);
    x->wide = take(r, BIT_ATOMIC_WIDE, 1);
    x->described = take(r, BIT_UNIFORM, 1);
}

static void read_constant(struct reader *r, bool indexed, struct sass_operand *x)
{
    *x = (struct sass_operand){.kind = SASS_CONSTANT,
                               .bank = (uint8_t)take(r, 54, 5),
                               .value = indexed ? take_signed(r, 38, 16) : (int64_t)take(r, 38, 16),
                               .index = indexed ? (uint16_t)take(r, PLACE_A, 8) : SASS_RZ};
}

/* A distance from the next instruction, or from `base`, in units of 4 bytes. */
static void read_distance(struct reader *r, uint32_t at, uint32_t n, uint64_t base, struct sass_operand *x)
{
    int64_t distance = take_signed(r, at, n);

    if (n == 48 && r->arch >= ARCH_DISTANCE_IN_TWO_PARTS)
        distance = (int64_t)((uint64_t)distance << 8 | take(r, PLACE_D, 8));
    *x = (struct sass_operand){.kind = SASS_TARGET, .value = (int64_t)(base + (uint64_t)distance * DISTANCE_UNIT)};
}

static void read_target(struct reader *r, const char *token, size_t n, struct sass_operand *x)
{
    const char *absolute = memchr(token, '/', n);
    bool relative = !absolute || !take(r, (uint32_t)atoi(absolute + 1), 1);

    read_distance(r, (uint32_t)atoi(token + 1), *token == 'T' ? 48 : 30,
                  relative ? r->out->address + INST_BYTES : 0, x);
}

static void read_number(struct reader *r, const char *token, struct sass_operand *x)
{
    char *end;
    uint32_t at = (uint32_t)strtoul(token, &end, 10), n = (uint32_t)strtoul(end + 1, NULL, 10);

    *x = (struct sass_operand){.kind = SASS_NUMBER,
                               .value = *end == '-' ? take_signed(r, at, n) : (int64_t)take(r, at, n)};
}

/* The truth table of PLOP3's first result is in two parts; the second's is at bit 16. */
static void read_tables(struct reader *r)
{
    struct sass_operand x = {.kind = SASS_NUMBER, .value = (int64_t)(take(r, 64, 3) | take(r, 72, 5) << 3)};

    add_operand(r, &x);
    x.value = (int64_t)take(r, PLACE_D, 8);
    add_operand(r, &x);
}

static uint32_t place_of(char letter)
{
    return letter == 'd' ? PLACE_D : letter == 'a' ? PLACE_A : letter == 'b' ? PLACE_B : PLACE_C;
}

/* Reads the operand of a token without its conditions. False: the token has added its operands itself. */
static bool read_token(struct reader *r, const char *token, size_t n, struct sass_operand *x)
{
    bool uniform = *token == 'U' && n > 1;

    if (uniform && token[1] >= 'a' && token[1] <= 'd') {
        read_register(r, place_of(token[1]), true, x);
        return true;
    }
    token += uniform;
    n -= uniform;
    switch (*token) {
    case 'R': read_register(r, place_of(token[1]), false, x); break;
    case 'A':
    case 'B':
    case 'C':
    case 'S': read_source(r, token, n, uniform, x); break;
    case 'P': read_predicate(r, (uint32_t)atoi(token + 1), uniform, false, x); break;
    case 'q': read_predicate(r, (uint32_t)atoi(token + 1), take(r, 67, 1), true, x); break;
    case 'i': read_number(r, token + 1, x); break;
    case 'b':
        *x = (struct sass_operand){.kind = SASS_BARRIER, .index = (uint16_t)take(r, (uint32_t)atoi(token + 1), 4)};
        break;
    case 's':
        *x = (struct sass_operand){.kind = SASS_SPECIAL, .index = (uint16_t)take(r, (uint32_t)atoi(token + 2), 8)};
        r->unnamed |= !sass_special_name(x->index);
        break;
    case 'u': read_complement(r, (uint32_t)atoi(token + 1), x); break;
    case 'J': read_distance(r, (uint32_t)atoi(token + 1), 48, 0, x); break;
    case 't':
    case 'T': read_target(r, token, n, x); break;
    case 'c': read_constant(r, n == 1, x); break;
    case 'j':
    case 'k': read_copy_address(r, *token == 'j', x); break;
    case 'g':
    case 'v':
    case 'w':
    case 'm': read_address(r, token, n, x); break;
    case 'l': read_tables(r); return false;
    case 'p':
        if (n >= 2 && token[1] == 'r')
            *x = (struct sass_operand){.kind = SASS_ALL_PREDICATES};
        else
            read_predicate(r, (uint32_t)atoi(token + 1), uniform, true, x);
        break;
    default: ASSERT(!"a token of the table is unknown");
    }
    return true;
}

/* Predicates compare with their "not" bit. */
static int64_t value_of(const struct sass_operand *x)
{
    bool predicate = x->kind == SASS_PREDICATE || x->kind == SASS_UNIFORM_PREDICATE;

    if (x->kind == SASS_REGISTER)
        return x->index;
    return predicate ? (int64_t)(x->index | (x->negated ? 8u : 0u)) : x->value;
}

static void read_operand(struct reader *r, const char *token, size_t n)
{
    const char *hidden = memchr(token, '?', n), *only = memchr(token, '&', n);
    size_t length = hidden ? (size_t)(hidden - token) : only ? (size_t)(only - token) : n;
    struct sass_operand x;

    if (!read_token(r, token, length, &x))
        return;
    if (hidden && (hidden + 1 == token + n || value_of(&x) == atoi(hidden + 1)))
        return;
    if (only && !take(r, (uint32_t)atoi(only + 1), 1))
        return;
    add_operand(r, &x);
}

static void each_token(struct reader *r, const char *tokens, void (*read)(struct reader *, const char *, size_t))
{
    while (*tokens) {
        size_t n = strcspn(tokens, " ");

        if (n)
            read(r, tokens, n);
        tokens += n + (tokens[n] == ' ');
    }
}

/* --- rows --- */

static const struct sass_row *row_of(uint32_t operation, uint32_t form, uint32_t arch)
{
    for (size_t k = 0; k < sass_row_count; k++) {
        const struct sass_row *row = &sass_rows[k];

        if (row->operation == operation && row->forms >> form & 1 && arch >= row->arch_min && arch <= row->arch_max)
            return row;
    }
    return NULL;
}

bool sass_can_decode(uint32_t arch)
{
    return arch >= ARCH_MIN && arch <= ARCH_MAX;
}

static void read_control(struct reader *r, struct sass_control *c)
{
    c->stall = (uint8_t)take(r, 105, 4);
    c->yield = (uint8_t)take(r, 109, 1);
    c->write_barrier = (uint8_t)take(r, 110, 3);
    c->read_barrier = (uint8_t)take(r, 113, 3);
    c->wait_mask = (uint8_t)take(r, 116, 6);
    c->reuse = (uint8_t)take(r, 122, 4);
}

/* Operations of the uniform datapath: their guard is a uniform predicate, and bit 91 is set. */
static bool is_uniform_operation(uint32_t operation)
{
    return operation >= 0x080 && operation < 0x0c0;
}

void sass_decode(const uint64_t words[2], uint32_t arch, uint64_t address, struct sass_inst *out)
{
    struct reader r = {.out = out, .arch = arch, .form = (uint32_t)(words[0] >> 9 & 7)};
    const struct sass_row *row = row_of(words[0] & 0x1ff, r.form, arch);

    *out = (struct sass_inst){.class = SASS_OTHER, .address = address, .words = {words[0], words[1]}};
    (void)take(&r, 0, 12);
    read_predicate(&r, 12, row && is_uniform_operation(row->operation), true, &out->guard);
    read_control(&r, &out->control);
    if (row) {
        out->name = row->name;
        out->class = row->class;
        each_token(&r, row->modifiers, read_modifier);
        each_token(&r, row->operands, read_operand);
        if (is_uniform_operation(row->operation))
            (void)take(&r, BIT_UNIFORM, 1);
    }
    for (int k = 0; k < 2; k++)
        out->unexplained[k] = words[k] & ~r.taken[k];
    if (row)
        out->state = r.unnamed || out->unexplained[0] || out->unexplained[1] ? SASS_PARTLY : SASS_DECODED;
}

enum sass_class sass_class_of_operation(uint32_t operation)
{
    for (size_t k = 0; k < sass_row_count; k++)
        if (sass_rows[k].operation == operation)
            return sass_rows[k].class;
    return SASS_OTHER;
}

enum sass_class sass_class_of_name(const char *name, size_t n)
{
    for (size_t k = 0; k < sass_row_count; k++)
        if (strcspn(sass_rows[k].name, ".") == n && memcmp(sass_rows[k].name, name, n) == 0)
            return sass_rows[k].class;
    return SASS_OTHER;
}
