/* simcore/sm/opcode_table.c: the table of SASS mnemonics. Source: NVIDIA's cuobjdump manual (Maxwell to Blackwell).
 */
#include <string.h>

#include "simcore/sm/opcode_internal.h"

struct row {
    const char *name;
    uint8_t action, unit, space, flags, mix;
};

enum { WP = OP_WRITES_PREDICATE, RP = OP_READS_PREDICATE, GD = OP_GUARDED };
#define ALU(name, class_, mix_, flags_)                                                                            \
    {                                                                                                              \
        name, ACT_COMPUTE, CLASS_##class_, SPACE_NONE, flags_, MIX_##mix_                                          \
    }
#define MEM(name, action_, space_, mix_)                                                                           \
    {                                                                                                              \
        name, ACT_##action_, CLASS_INT, SPACE_##space_, 0, MIX_##mix_                                              \
    }
#define DOES(name, action_, mix_, flags_)                                                                          \
    {                                                                                                              \
        name, ACT_##action_, CLASS_INT, SPACE_NONE, flags_, MIX_##mix_                                             \
    }

/* Sorted by name for binary search; a test checks the order. */
static const struct row rows[] = {
    DOES("ACQBULK", NOTHING, SYNC, 0),
    DOES("ACQSHMINIT", NOTHING, SYNC, 0),
    DOES("ARRIVES", COMMIT, SYNC, OP_FIELDS),
    MEM("ATOM", ATOMIC, GENERIC, ATOMIC),
    MEM("ATOMG", ATOMIC, GLOBAL, ATOMIC),
    MEM("ATOMS", ATOMIC, SHARED, ATOMIC),
    ALU("B2R", SPECIAL, OTHER, 0),
    DOES("BAR", BARRIER, SYNC, OP_FIELDS),
    ALU("BFE", INT, INT, 0),
    ALU("BFI", INT, INT, 0),
    DOES("BGMMA", TENSOR, TENSOR, OP_WARP_GROUP),
    DOES("BMMA", TENSOR, TENSOR, 0),
    DOES("BMOV", NOTHING, CONTROL, 0),
    ALU("BMSK", INT, INT, 0),
    DOES("BPT", NOTHING, CONTROL, 0),
    DOES("BRA", BRANCH, CONTROL, GD),
    DOES("BREAK", NOTHING, CONTROL, GD),
    ALU("BREV", BITCOUNT, SFU, 0),
    DOES("BRK", BRANCH, CONTROL, GD),
    DOES("BRX", BRANCH, CONTROL, GD),
    DOES("BRXU", BRANCH, CONTROL, GD),
    DOES("BSSY", NOTHING, CONTROL, 0),
    DOES("BSYNC", BRANCH, CONTROL, 0),
    DOES("CAL", BRANCH, CONTROL, 0),
    DOES("CALL", BRANCH, CONTROL, 0),
    DOES("CCTL", NOTHING, OTHER, 0),
    DOES("CCTLL", NOTHING, OTHER, 0),
    DOES("CCTLT", NOTHING, OTHER, 0),
    DOES("CGAERRBAR", NOTHING, SYNC, 0),
    DOES("CONT", BRANCH, CONTROL, GD),
    ALU("CREDUX", BITCOUNT, UNIFORM, 0),
    ALU("CS2R", INT, INT, 0),
    ALU("CSET", INT, CONTROL, WP),
    ALU("CSETP", INT, CONTROL, WP),
    ALU("CSMTEST", INT, CONTROL, WP),
    ALU("DADD", FP64, FP64, 0),
    DOES("DEPBAR", WAIT_GROUP, SYNC, 0),
    ALU("DFMA", FP64, FP64, 0),
    DOES("DMMA", TENSOR, TENSOR, 0),
    ALU("DMNMX", FP64, FP64, RP),
    ALU("DMUL", FP64, FP64, 0),
    ALU("DSET", FP64, FP64, WP),
    ALU("DSETP", FP64, FP64, WP),
    DOES("ELECT", NOTHING, CONTROL, WP),
    DOES("ENDCOLLECTIVE", NOTHING, CONTROL, 0),
    DOES("ERRBAR", NOTHING, SYNC, 0),
    DOES("EXIT", NOTHING, CONTROL, GD),
    ALU("F2F", CONVERT, SFU, 0),
    ALU("F2FP", INT, INT, 0),
    ALU("F2I", CONVERT, SFU, 0),
    ALU("F2IP", INT, INT, 0),
    ALU("FADD", FP32, FP32, 0),
    ALU("FADD2", FP32, FP32, 0),
    ALU("FADD32I", FP32, FP32, 0),
    ALU("FCHK", FP32, FP32, WP),
    ALU("FCMP", FP32, FP32, 0),
    DOES("FENCE", FENCE, SYNC, 0),
    ALU("FFMA", FP32, FP32, 0),
    ALU("FFMA2", FP32, FP32, 0),
    ALU("FFMA32I", FP32, FP32, 0),
    ALU("FLO", BITCOUNT, SFU, 0),
    ALU("FMNMX", INT, FP32, 0),
    ALU("FMNMX3", INT, FP32, 0),
    ALU("FMUL", FP32, FP32, 0),
    ALU("FMUL2", FP32, FP32, 0),
    ALU("FMUL32I", FP32, FP32, 0),
    ALU("FRND", CONVERT, SFU, 0),
    ALU("FSEL", INT, FP32, RP),
    ALU("FSET", INT, FP32, WP),
    ALU("FSETP", INT, FP32, WP),
    ALU("FSWZ", FP32, FP32, 0),
    ALU("FSWZADD", FP32, FP32, 0),
    ALU("GETLMEMBASE", SPECIAL, OTHER, 0),
    ALU("HADD2", FP16, FP16, 0),
    ALU("HADD2_32I", FP16, FP16, 0),
    ALU("HFMA2", FP16, FP16, 0),
    ALU("HFMA2_32I", FP16, FP16, 0),
    DOES("HGMMA", TENSOR, TENSOR, OP_WARP_GROUP),
    DOES("HMMA", TENSOR, TENSOR, 0),
    ALU("HMNMX2", FP16, FP16, 0),
    ALU("HMUL2", FP16, FP16, 0),
    ALU("HMUL2_32I", FP16, FP16, 0),
    ALU("HSET2", FP16, FP16, WP),
    ALU("HSETP2", FP16, FP16, WP),
    ALU("I2F", CONVERT, SFU, 0),
    ALU("I2FP", INT, INT, 0),
    ALU("I2I", CONVERT, SFU, 0),
    ALU("I2IP", INT, INT, 0),
    ALU("IABS", INT, INT, 0),
    ALU("IADD", INT, INT, 0),
    ALU("IADD3", INT, INT, 0),
    ALU("IADD32I", INT, INT, 0),
    ALU("ICMP", INT, INT, 0),
    ALU("IDP", IMAD, INT, 0),
    ALU("IDP4A", IMAD, INT, 0),
    DOES("IGMMA", TENSOR, TENSOR, OP_WARP_GROUP),
    ALU("IMAD", IMAD, INT, 0),
    ALU("IMAD32I", IMAD, INT, 0),
    ALU("IMADSP", IMAD, INT, 0),
    DOES("IMMA", TENSOR, TENSOR, 0),
    ALU("IMNMX", INT, INT, 0),
    ALU("IMUL", IMAD, INT, 0),
    ALU("IMUL32I", IMAD, INT, 0),
    ALU("ISAD", IMAD, INT, 0),
    ALU("ISCADD", INT, INT, 0),
    ALU("ISCADD32I", INT, INT, 0),
    ALU("ISET", INT, INT, WP),
    ALU("ISETP", INT, INT, WP),
    ALU("ISUB", INT, INT, 0),
    DOES("JCAL", BRANCH, CONTROL, GD),
    DOES("JMP", BRANCH, CONTROL, GD),
    DOES("JMX", BRANCH, CONTROL, GD),
    DOES("JMXU", BRANCH, CONTROL, GD),
    DOES("KILL", NOTHING, CONTROL, GD),
    MEM("LD", LOAD, GENERIC, LOAD),
    DOES("LDC", CONSTANT, CONSTANT, 0),
    DOES("LDCU", CONSTANT, CONSTANT, 0),
    MEM("LDG", LOAD, GLOBAL, LOAD),
    DOES("LDGDEPBAR", COMMIT, SYNC, 0),
    MEM("LDGMC", REDUCTION, GLOBAL, ATOMIC),
    MEM("LDGSTS", ASYNC_COPY, GLOBAL, LOAD),
    MEM("LDL", LOAD, LOCAL, LOAD),
    MEM("LDS", LOAD, SHARED, SHARED),
    {"LDSM", ACT_LOAD, CLASS_INT, SPACE_SHARED, OP_MATRIX, MIX_SHARED},
    DOES("LDTM", TENSOR_MEMORY, TENSOR, 0),
    ALU("LEA", INT, INT, 0),
    ALU("LEPC", INT, CONTROL, 0),
    ALU("LOP", INT, INT, 0),
    ALU("LOP3", INT, INT, 0),
    ALU("LOP32I", INT, INT, 0),
    ALU("MATCH", VOTE, CONTROL, 0),
    DOES("MEMBAR", FENCE, SYNC, 0),
    ALU("MOV", INT, INT, 0),
    ALU("MOV32I", INT, INT, 0),
    ALU("MOVM", SHUFFLE, INT, 0),
    ALU("MUFU", SFU, SFU, 0),
    ALU("NANOSLEEP", BRANCH, CONTROL, 0),
    DOES("NOP", NOTHING, CONTROL, 0),
    DOES("OMMA", TENSOR, TENSOR, 0),
    ALU("P2R", INT, CONTROL, RP),
    DOES("PBK", NOTHING, CONTROL, 0),
    DOES("PCNT", NOTHING, CONTROL, 0),
    DOES("PEXIT", NOTHING, CONTROL, 0),
    DOES("PLONGJMP", BRANCH, CONTROL, GD),
    ALU("PLOP3", INT, CONTROL, WP | RP),
    DOES("PMTRIG", NOTHING, CONTROL, 0),
    ALU("POPC", BITCOUNT, SFU, 0),
    DOES("PREEXIT", NOTHING, CONTROL, 0),
    DOES("PRET", NOTHING, CONTROL, 0),
    ALU("PRMT", INT, INT, 0),
    ALU("PSET", INT, CONTROL, WP | RP),
    ALU("PSETP", INT, CONTROL, WP | RP),
    DOES("QGMMA", TENSOR, TENSOR, OP_WARP_GROUP),
    DOES("QMMA", TENSOR, TENSOR, 0),
    ALU("QSPC", INT, CONTROL, WP),
    ALU("R2B", SPECIAL, OTHER, 0),
    ALU("R2P", INT, CONTROL, WP),
    ALU("R2UR", UNIFORM, UNIFORM, 0),
    MEM("RED", REDUCTION, GENERIC, ATOMIC),
    {"REDAS", ACT_REDUCTION, CLASS_INT, SPACE_SHARED, OP_FIELDS, MIX_ATOMIC},
    MEM("REDG", REDUCTION, GLOBAL, ATOMIC),
    MEM("REDS", REDUCTION, SHARED, ATOMIC),
    ALU("REDUX", BITCOUNT, UNIFORM, 0),
    DOES("RET", BRANCH, CONTROL, GD),
    DOES("RPCMOV", NOTHING, CONTROL, 0),
    ALU("RRO", FP32, FP32, 0),
    DOES("RTT", BRANCH, CONTROL, 0),
    ALU("S2R", SPECIAL, OTHER, 0),
    ALU("S2UR", SPECIAL, UNIFORM, 0),
    ALU("SEL", INT, INT, RP),
    DOES("SETCTAID", NOTHING, CONTROL, 0),
    DOES("SETLMEMBASE", NOTHING, CONTROL, 0),
    ALU("SETMAXREG", BRANCH, CONTROL, 0),
    DOES("SETMAXREGS", NOTHING, CONTROL, 0),
    ALU("SGXT", INT, INT, 0),
    ALU("SHF", INT, INT, 0),
    DOES("SHFL", SHUFFLE, OTHER, WP),
    ALU("SHL", INT, INT, 0),
    ALU("SHR", INT, INT, 0),
    DOES("SSY", NOTHING, CONTROL, 0),
    MEM("ST", STORE, GENERIC, STORE),
    {"STAS", ACT_STORE, CLASS_INT, SPACE_SHARED, OP_FIELDS, MIX_SHARED},
    MEM("STG", STORE, GLOBAL, STORE),
    MEM("STL", STORE, LOCAL, STORE),
    MEM("STS", STORE, SHARED, SHARED),
    {"STSM", ACT_STORE, CLASS_INT, SPACE_SHARED, OP_MATRIX, MIX_SHARED},
    DOES("STTM", TENSOR_MEMORY, TENSOR, 0),
    DOES("SUATOM", TEXTURE, TEXTURE, 0),
    DOES("SULD", TEXTURE, TEXTURE, 0),
    DOES("SUQUERY", TEXTURE, TEXTURE, 0),
    DOES("SURED", TEXTURE, TEXTURE, 0),
    DOES("SUST", TEXTURE, TEXTURE, 0),
    DOES("SYNC", BRANCH, CONTROL, 0),
    DOES("SYNCS", SYNCS, SYNC, WP | OP_FIELDS),
    DOES("TEX", TEXTURE, TEXTURE, 0),
    DOES("TEXS", TEXTURE, TEXTURE, 0),
    DOES("TLD", TEXTURE, TEXTURE, 0),
    DOES("TLD4", TEXTURE, TEXTURE, 0),
    DOES("TLD4S", TEXTURE, TEXTURE, 0),
    DOES("TLDS", TEXTURE, TEXTURE, 0),
    DOES("TMML", TEXTURE, TEXTURE, 0),
    DOES("TXA", TEXTURE, TEXTURE, 0),
    DOES("TXD", TEXTURE, TEXTURE, 0),
    DOES("TXQ", TEXTURE, TEXTURE, 0),
    DOES("UBLKCP", BULK_COPY, LOAD, OP_FIELDS),
    DOES("UBLKPF", BULK_COPY, LOAD, 0),
    DOES("UBLKRED", BULK_COPY, STORE, OP_FIELDS | OP_REDUCES),
    ALU("UBMSK", UNIFORM, UNIFORM, 0),
    ALU("UBREV", UNIFORM, UNIFORM, 0),
    DOES("UCGABAR_ARV", CLUSTER_ARRIVE, SYNC, 0),
    DOES("UCGABAR_WAIT", CLUSTER_WAIT, SYNC, 0),
    ALU("UCLEA", UNIFORM, UNIFORM, 0),
    ALU("UF2F", UNIFORM, UNIFORM, 0),
    ALU("UF2FP", UNIFORM, UNIFORM, 0),
    ALU("UF2I", UNIFORM, UNIFORM, 0),
    ALU("UFADD", UNIFORM, UNIFORM, 0),
    ALU("UFFMA", UNIFORM, UNIFORM, 0),
    ALU("UFLO", UNIFORM, UNIFORM, 0),
    ALU("UFMNMX", UNIFORM, UNIFORM, 0),
    ALU("UFMUL", UNIFORM, UNIFORM, 0),
    ALU("UFSEL", UNIFORM, UNIFORM, 0),
    ALU("UFSETP", UNIFORM, UNIFORM, WP),
    ALU("UI2F", UNIFORM, UNIFORM, 0),
    ALU("UIADD3", UNIFORM, UNIFORM, 0),
    ALU("UIADD32I", UNIFORM, UNIFORM, 0),
    ALU("UIMAD", UNIFORM, UNIFORM, 0),
    ALU("UIMAD32I", UNIFORM, UNIFORM, 0),
    ALU("UIMNMX", UNIFORM, UNIFORM, 0),
    ALU("UISCADD", UNIFORM, UNIFORM, 0),
    ALU("UISETP", UNIFORM, UNIFORM, WP),
    DOES("ULDC", CONSTANT, CONSTANT, 0),
    ALU("ULEA", UNIFORM, UNIFORM, 0),
    ALU("ULEPC", UNIFORM, UNIFORM, 0),
    ALU("ULOP", UNIFORM, UNIFORM, 0),
    ALU("ULOP3", UNIFORM, UNIFORM, 0),
    ALU("ULOP32I", UNIFORM, UNIFORM, 0),
    ALU("UMOV", UNIFORM, UNIFORM, 0),
    ALU("UMOV32I", UNIFORM, UNIFORM, 0),
    ALU("UP2UR", UNIFORM, UNIFORM, 0),
    ALU("UPLOP3", UNIFORM, UNIFORM, WP),
    ALU("UPOPC", UNIFORM, UNIFORM, 0),
    ALU("UPRMT", UNIFORM, UNIFORM, 0),
    ALU("UPSETP", UNIFORM, UNIFORM, WP),
    ALU("UR2UP", UNIFORM, UNIFORM, WP),
    ALU("UR2UR", UNIFORM, UNIFORM, 0),
    ALU("US2UR", UNIFORM, UNIFORM, 0),
    ALU("USEL", UNIFORM, UNIFORM, 0),
    DOES("USETMAXREG", NOTHING, CONTROL, 0),
    ALU("USGXT", UNIFORM, UNIFORM, 0),
    ALU("USHF", UNIFORM, UNIFORM, 0),
    ALU("USHL", UNIFORM, UNIFORM, 0),
    ALU("USHR", UNIFORM, UNIFORM, 0),
    DOES("UTCATOMSWS", NOTHING, TENSOR, 0),
    DOES("UTCBAR", NOTHING, SYNC, 0),
    DOES("UTCCP", NOTHING, TENSOR, 0),
    DOES("UTCHMMA", TENSOR, TENSOR, OP_WARP_GROUP),
    DOES("UTCIMMA", TENSOR, TENSOR, OP_WARP_GROUP),
    DOES("UTCOMMA", TENSOR, TENSOR, OP_WARP_GROUP),
    DOES("UTCQMMA", TENSOR, TENSOR, OP_WARP_GROUP),
    DOES("UTCSHIFT", NOTHING, TENSOR, 0),
    DOES("UTMACCTL", NOTHING, OTHER, 0),
    DOES("UTMACMDFLUSH", COMMIT, SYNC, 0),
    DOES("UTMALDG", BULK_COPY, LOAD, OP_FIELDS),
    DOES("UTMAPF", BULK_COPY, LOAD, 0),
    DOES("UTMAREDG", BULK_COPY, STORE, OP_FIELDS | OP_REDUCES),
    DOES("UTMASTG", BULK_COPY, STORE, OP_FIELDS),
    ALU("UVIADD", UNIFORM, UNIFORM, 0),
    ALU("UVIMNMX", UNIFORM, UNIFORM, 0),
    ALU("VABSDIFF", INT, INT, 0),
    ALU("VABSDIFF4", INT, INT, 0),
    ALU("VADD", INT, INT, 0),
    ALU("VHMNMX", FP16, FP16, 0),
    ALU("VIADD", INT, INT, 0),
    ALU("VIADDMNMX", INT, INT, RP),
    ALU("VIMNMX", INT, INT, RP),
    ALU("VIMNMX3", INT, INT, RP),
    ALU("VMNMX", INT, INT, 0),
    ALU("VOTE", VOTE, CONTROL, WP | RP),
    ALU("VOTEU", VOTE, UNIFORM, RP),
    ALU("VOTE_VTG", VOTE, CONTROL, WP | RP),
    DOES("WARPGROUP", WAIT_TENSOR, SYNC, 0),
    DOES("WARPGROUPSET", NOTHING, SYNC, 0),
    DOES("WARPSYNC", NOTHING, CONTROL, 0),
    ALU("XMAD", IMAD, INT, 0),
    DOES("YIELD", NOTHING, CONTROL, 0),
};
enum { ROW_COUNT = sizeof rows / sizeof *rows };

/* Classes of unknown opcodes by their first letters. The first match counts. */
static const struct row prefixes[] = {
    DOES("UTMA", BULK_COPY, LOAD, 0),
    DOES("UTC", NOTHING, TENSOR, 0),
    ALU("U", UNIFORM, UNIFORM, 0),
    MEM("LDS", LOAD, SHARED, SHARED),
    MEM("LDL", LOAD, LOCAL, LOAD),
    MEM("LD", LOAD, GENERIC, LOAD),
    MEM("STS", STORE, SHARED, SHARED),
    MEM("STL", STORE, LOCAL, STORE),
    MEM("ST", STORE, GENERIC, STORE),
    MEM("ATOMS", ATOMIC, SHARED, ATOMIC),
    MEM("ATOM", ATOMIC, GENERIC, ATOMIC),
    MEM("RED", REDUCTION, GENERIC, ATOMIC),
    DOES("BAR", BARRIER, SYNC, OP_FIELDS),
    DOES("BR", BRANCH, CONTROL, GD),
    DOES("J", BRANCH, CONTROL, GD),
    ALU("H", FP16, FP16, 0),
    ALU("D", FP64, FP64, 0),
    ALU("F", FP32, FP32, 0),
    DOES("TX", TEXTURE, TEXTURE, 0),
    DOES("TL", TEXTURE, TEXTURE, 0),
    DOES("SU", TEXTURE, TEXTURE, 0),
};

static int row_compare(const char *name, size_t n, const char *row)
{
    int c = strncmp(name, row, n);

    return c ? c : row[n] ? -1 : 0;
}

static const struct row *find_row(const char *name, size_t n)
{
    size_t low = 0, high = ROW_COUNT;

    while (low < high) {
        size_t middle = (low + high) / 2;
        int c = row_compare(name, n, rows[middle].name);

        if (!c)
            return &rows[middle];
        if (c < 0)
            high = middle;
        else
            low = middle + 1;
    }
    return NULL;
}

static const struct row *guess_row(const char *name, size_t n)
{
    static const struct row integer = ALU("", INT, OTHER, 0);

    for (size_t i = 0; i < sizeof prefixes / sizeof *prefixes; i++) {
        size_t length = strlen(prefixes[i].name);

        if (n >= length && strncmp(name, prefixes[i].name, length) == 0)
            return &prefixes[i];
    }
    return &integer;
}

static bool has_64_bits(const char *modifiers)
{
    return opcode_has(modifiers, "F64") || opcode_has(modifiers, "S64") || opcode_has(modifiers, "U64");
}

void opcode_classify(const char *text, const struct gpu_design *d, struct op_info *out)
{
    size_t n = strcspn(text, ".");
    const char *modifiers = text + n;
    const struct row *row = find_row(text, n);

    memset(out, 0, sizeof *out);
    out->known = row != NULL;
    out->typed = true;
    if (!row)
        row = guess_row(text, n);
    out->action = row->action;
    out->unit = row->unit;
    out->space = row->space;
    out->flags = row->flags;
    out->mix = row->mix;
    if (out->action == ACT_TENSOR)
        opcode_classify_tensor(text, modifiers, d, out);
    if (opcode_has(modifiers, "X") || opcode_has(modifiers, "EX"))
        out->flags |= OP_READS_PREDICATE; /* reads the carry flag */
    if (opcode_has(modifiers, "STRONG") && (opcode_has(modifiers, "GPU") || opcode_has(modifiers, "SYS")))
        out->flags |= OP_BYPASS_L1;
    if (row->action == ACT_LOAD && !d->l1_caches_global && row->space != SPACE_SHARED &&
        row->space != SPACE_LOCAL && !opcode_has(modifiers, "CA") && !opcode_has(modifiers, "CI") &&
        !opcode_has(modifiers, "CONSTANT"))
        out->flags |= OP_BYPASS_L1;
    if (row->action == ACT_ATOMIC && row->space == SPACE_SHARED && opcode_has(modifiers, "POPC"))
        out->flags |= OP_COUNTS;
    if (row->action == ACT_BULK_COPY && strncmp(modifiers, ".G.S", 4) == 0)
        out->mix = MIX_STORE;
    if (row->action == ACT_BARRIER && opcode_has(modifiers, "ARV"))
        out->action = ACT_ARRIVE;
    if (strncmp(text, "CCTL", n) == 0 && n == 4 && opcode_has(modifiers, "IVALL"))
        out->action = ACT_INVALIDATE;
    if (strncmp(text, "WARPGROUP", n) == 0 && n == 9 && !opcode_has(modifiers, "DEPBAR"))
        out->action = ACT_NOTHING;
    if (strncmp(text, "HFMA2", n) == 0 && n == 5 && opcode_has(modifiers, "MMA"))
        out->unit = CLASS_FP16; /* a plain HFMA2 uses its own pipe, beside the tensor unit */
    /* Conversions from and to 64 bits are at most as fast as FP64 (CUDA guide, arithmetic throughput). */
    if (row->action == ACT_COMPUTE && row->unit == CLASS_CONVERT && has_64_bits(modifiers) &&
        d->unit[CLASS_FP64].rate < d->unit[CLASS_CONVERT].rate)
        out->unit = CLASS_FP64;
}
