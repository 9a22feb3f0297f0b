#include <stdio.h>
#include <string.h>

#include "base/text.h"
#include "simcore/trace/macsim_internal.h"

#define LINE_BYTES UINT64_C(128) /* line size that the tracer assumes */
/* if an access has at least this number of lines, the tracer records lanes instead of lines */
#define SCATTERED_LINES 32

/* --- bytes --- */

static uint16_t get16(const uint8_t *p)
{
    return (uint16_t)(p[0] | p[1] << 8);
}

static uint32_t get32(const uint8_t *p)
{
    return get16(p) | (uint32_t)get16(p + 2) << 16;
}

static uint64_t get64(const uint8_t *p)
{
    return get32(p) | (uint64_t)get32(p + 4) << 32;
}

void macsim_record_parse(const uint8_t b[MACSIM_RECORD_BYTES], struct macsim_record *out)
{
    *out = (struct macsim_record){.opcode = b[0],
                                  .reads = b[4] < 4 ? b[4] : 4, /* the count can exceed the four fields */
                                  .writes = b[5] < 4 ? b[5] : 4,
                                  .mask = get32(b + 24),
                                  .pc = get64(b + 32),
                                  .address = get64(b + 48),
                                  .access_bytes = b[56]};
    for (size_t i = 0; i < 4; i++) {
        out->src[i] = get16(b + 6 + 2 * i);
        out->dst[i] = get16(b + 14 + 2 * i);
    }
}

/* --- opcodes --- */

/* In the tracer's order: the index is the opcode number in a record (source: docs/formats/macsim.md). */
static const char *const opcodes[] = {
    "FADD",      "FADD32I",     "FCHK",        "FFMA32I",   "FFMA",     "FMNMX",     "FMUL",      "FMUL32I",
    "FSEL",      "FSET",        "FSETP",       "FSWZADD",   "MUFU",     "HADD2",     "HADD2_32I", "HFMA2",
    "HFMA2_32I", "HMMA",        "HMUL2",       "HMUL2_32I", "HSET2",    "HSETP2",    "DADD",      "DFMA",
    "DMUL",      "DSETP",       "BMMA",        "BMSK",      "BREV",     "FLO",       "IABS",      "IADD",
    "IADD3",     "IADD32I",     "IDP",         "IDP4A",     "IMAD",     "IMMA",      "IMNMX",     "IMUL",
    "IMUL32I",   "ISCADD",      "ISCADD32I",   "ISETP",     "LEA",      "LOP",       "LOP3",      "LOP32I",
    "POPC",      "SHF",         "SHL",         "SHR",       "VABSDIFF", "VABSDIFF4", "F2F",       "F2I",
    "I2F",       "I2I",         "I2IP",        "FRND",      "MOV",      "MOV32I",    "MOVM",      "PRMT",
    "SEL",       "SGXT",        "SHFL",        "PLOP3",     "PSETP",    "P2R",       "R2P",       "LD",
    "LDC",       "LDG",         "LDL",         "LDS",       "LDSM",     "ST",        "STG",       "STL",
    "STS",       "MATCH",       "QSPC",        "ATOM",      "ATOMS",    "ATOMG",     "RED",       "CCTL",
    "CCTLL",     "ERRBAR",      "MEMBAR",      "CCTLT",     "R2UR",     "S2UR",      "UBMSK",     "UBREV",
    "UCLEA",     "UFLO",        "UIADD3",      "UIADD3_64", "UIMAD",    "UISETP",    "ULDC",      "ULEA",
    "ULOP",      "ULOP3",       "ULOP32I",     "UMOV",      "UP2UR",    "UPLOP3",    "UPOPC",     "UPRMT",
    "UPSETP",    "UR2UP",       "USEL",        "USGXT",     "USHF",     "USHL",      "USHR",      "VOTEU",
    "TEX",       "TLD",         "TLD4",        "TMML",      "TXD",      "TXQ",       "SUATOM",    "SULD",
    "SURED",     "SUST",        "BMOV",        "BPT",       "BRA",      "BREAK",     "BRX",       "BRXU",
    "BSSY",      "BSYNC",       "CALL",        "EXIT",      "JMP",      "JMX",       "JMXU",      "KILL",
    "NANOSLEEP", "RET",         "RPCMOV",      "RTT",       "WARPSYNC", "YIELD",     "B2R",       "BAR",
    "CS2R",      "DEPBAR",      "GETLMEMBASE", "LEPC",      "NOP",      "PMTRIG",    "R2B",       "S2R",
    "SETCTAID",  "SETLMEMBASE", "VOTE",
};

const char *macsim_opcode(uint8_t opcode)
{
    return opcode < sizeof opcodes / sizeof *opcodes ? opcodes[opcode] : NULL;
}

static bool is_one_of(const char *name, const char *const *names)
{
    for (; *names; names++)
        if (strcmp(name, *names) == 0)
            return true;
    return false;
}

/* The tracer records the addresses of these opcodes. LDC accesses a constant bank and has no memory address. */
bool macsim_has_address(const struct macsim_record *r)
{
    static const char *const names[] = {"LD", "LDG", "LDL", "LDS", "LDSM", "ST", "STG", "STL", "STS", NULL};
    const char *name = macsim_opcode(r->opcode);

    return name && is_one_of(name, names);
}

/* The same instruction cannot execute twice without a branch between, so a repeated record belongs to the same
 * execution. */
bool macsim_is_child(const struct macsim_record *a, const struct macsim_record *b)
{
    const char *name = macsim_opcode(a->opcode);

    return b->pc == a->pc && b->opcode == a->opcode && b->mask == a->mask &&
           (macsim_has_address(a) || (name && strcmp(name, "LDC") == 0));
}

/* --- operands --- */

static void drop_sources(struct trace_inst *i, unsigned first, unsigned last)
{
    if (i->src_count < first + last)
        first = i->src_count, last = 0;
    memmove(i->src, i->src + first, i->src_count - first);
    i->src_count = (uint8_t)(i->src_count - first - last);
}

/* Records hold bare register numbers. The opcode decides whether a number is a register, a uniform register or a
 * predicate. */
static bool keep_registers(const char *name, struct trace_inst *i)
{
    static const char *const sets_predicates[] = {"FSETP", "ISETP", "DSETP", "HSETP2", NULL};
    static const char *const predicate_first[] = {"SHFL", "ATOM", "ATOMG", NULL};
    static const char *const predicate_last[] = {"SEL", "FSEL", "FMNMX", "IMNMX", "LOP3", "FSET", "HSET2", NULL};
    static const char *const no_registers[] = {"PSETP", "PLOP3", "VOTEU", "S2UR", NULL};
    static const char *const writes_none[] = {"R2UR", "R2P", "R2B", NULL};
    unsigned before = i->dst_count + i->src_count;

    if (is_one_of(name, sets_predicates)) { /* Pd, Pd2, Ra, Rb, Pc */
        i->dst_count = 0;
        drop_sources(i, 1, 1);
    } else if (is_one_of(name, predicate_first)) {
        /* The first operand is a predicate. The destination register after it is recorded as the first source;
         * sass_complete() moves the register. */
        i->dst_count = 0;
    } else if (is_one_of(name, predicate_last)) {
        drop_sources(i, 0, 1);
    } else if (is_one_of(name, writes_none)) {
        i->dst_count = 0;
    } else if (name[0] == 'U' || is_one_of(name, no_registers)) {
        i->dst_count = i->src_count = 0;
    }
    return i->dst_count + i->src_count != before;
}

/* The tracer omits modifiers. The width modifier is restored, because register groups depend on it. */
static const char *width_modifier(unsigned width)
{
    switch (width) {
    case 1: return ".U8";
    case 2: return ".U16";
    case 8: return ".64";
    case 16: return ".128";
    default: return "";
    }
}

uint32_t macsim_intern(struct inst_table *t, const struct macsim_record *r, unsigned width, uint64_t code_base,
                       bool *dropped, struct err *e)
{
    const char *name = macsim_opcode(r->opcode);
    struct inst_text x = {.inst = {.pc = (uint32_t)(r->pc - code_base)}};
    struct macsim_record key = *r;
    char text[32];

    x.inst.dst_count = r->writes > 0;
    x.inst.dst = (uint8_t)(r->dst[0] < REG_ZERO ? r->dst[0] : REG_ZERO);
    x.inst.src_count = r->reads;
    for (int i = 0; i < r->reads; i++)
        x.inst.src[i] = (uint8_t)(r->src[i] < REG_ZERO ? r->src[i] : REG_ZERO);
    *dropped = name && keep_registers(name, &x.inst);
    if (name)
        snprintf(text, sizeof text, "%s%s", name, macsim_has_address(r) ? width_modifier(width) : "");
    else
        snprintf(text, sizeof text, "OPCODE_%u", r->opcode);
    x.opcode = text;
    x.opcode_bytes = strlen(text);
    x.printed_width = macsim_has_address(r) ? width : 0;
    key.access_bytes = (uint8_t)width;
    key.mask = 0;
    key.address = 0;
    x.before = (const char *)&key;
    x.before_bytes = sizeof key;
    x.after = "";
    return inst_table_intern(t, &x, e);
}

/* --- addresses --- */

static bool evenly_apart(const uint64_t *lines, unsigned n)
{
    for (unsigned i = 1; i < n; i++)
        if (lines[i] - lines[i - 1] != LINE_BYTES && lines[i] - lines[i - 1] != 2 * LINE_BYTES)
            return false;
    return true;
}

/* The distance of neighbouring lanes if the first and the last lane are span to span + 127 bytes apart. */
static uint64_t stride_of(uint64_t span, unsigned lanes_between, unsigned width)
{
    uint64_t least = (span + lanes_between - 1) / lanes_between, most = (span + LINE_BYTES - 1) / lanes_between;
    uint64_t power = width;

    while (power < least)
        power *= 2;
    if (power <= most)
        return power;
    return most < width ? width : most / width * width;
}

static void spread(uint32_t mask, uint64_t first, uint64_t stride, struct address_set *out)
{
    unsigned begin = (unsigned)__builtin_ctz(mask);
    uint32_t run = mask >> begin;

    *out = (struct address_set){.is_list = (run & (run + 1)) != 0, .base = first, .stride = (int64_t)stride};
    if (!out->is_list)
        return;
    for (uint32_t left = mask; left; left &= left - 1) {
        unsigned lane = (unsigned)__builtin_ctz(left);

        out->lanes[lane] = first + (lane - begin) * stride;
    }
    out->stride = 0;
}

/* For a scattered access: assigns the addresses of the other lanes in order. The tracer omits one of them. */
static void scatter(uint32_t mask, uint64_t first, const uint64_t *lanes, unsigned n, struct address_set *out)
{
    unsigned next = 0;

    *out = (struct address_set){.is_list = true, .base = first};
    out->lanes[__builtin_ctz(mask)] = first;
    for (uint32_t left = mask & (mask - 1); left; left &= left - 1)
        out->lanes[__builtin_ctz(left)] = next < n ? lanes[next++] : first;
}

void macsim_lanes(uint32_t mask, uint64_t first, const uint64_t *lines, unsigned n, unsigned width,
                  struct address_set *out)
{
    unsigned between = mask ? 31 - (unsigned)__builtin_clz(mask) - (unsigned)__builtin_ctz(mask) : 0;
    uint64_t stride = width, lowest;

    *out = (struct address_set){.base = first};
    if (between == 0)
        return;
    if (n == 0) { /* the access has only one line; contiguous lanes are the most frequent case */
        spread(mask, first, stride, out);
        return;
    }
    if (n + 1 >= SCATTERED_LINES || !evenly_apart(lines, n)) {
        scatter(mask, first, lines, n, out);
        return;
    }
    lowest = lines[0] - LINE_BYTES;
    stride = stride_of(lines[n - 1] + LINE_BYTES - lowest, between, width);
    spread(mask, first, first > lowest + LINE_BYTES ? 0 - stride : stride, out);
}
