#include "simcore/trace/sass.h"

#include <stdlib.h>
#include <string.h>

/* First parts of the SASS opcodes of Kepler to Hopper, sorted. Source: NVIDIA, "CUDA Binary Utilities", chapter
 * "Instruction Set Reference", the tables of each architecture. */
static const char *const known[] = {
    "ACQBULK",   "ARRIVES",      "ATOM",          "ATOMG",        "ATOMS",
    "B2R",       "BAR",          "BFE",           "BFI",          "BGMMA",
    "BMMA",      "BMOV",         "BMSK",          "BPT",          "BRA",
    "BREAK",     "BREV",         "BRK",           "BRX",          "BRXU",
    "BSSY",      "BSYNC",        "CAL",           "CALL",         "CCTL",
    "CCTLL",     "CCTLT",        "CGAERRBAR",     "CONT",         "CS2R",
    "CSET",      "CSETP",        "CSMTEST",       "DADD",         "DEPBAR",
    "DFMA",      "DMMA",         "DMNMX",         "DMUL",         "DSET",
    "DSETP",     "ELECT",        "ENDCOLLECTIVE", "ERRBAR",       "EXIT",
    "F2F",       "F2FP",         "F2I",           "F2IP",         "FADD",
    "FADD32I",   "FCHK",         "FCMP",          "FENCE",        "FFMA",
    "FFMA32I",   "FLO",          "FMNMX",         "FMUL",         "FMUL32I",
    "FRND",      "FSEL",         "FSET",          "FSETP",        "FSWZ",
    "FSWZADD",   "GETLMEMBASE",  "HADD2",         "HADD2_32I",    "HFMA2",
    "HFMA2_32I", "HGMMA",        "HMMA",          "HMNMX2",       "HMUL2",
    "HMUL2_32I", "HSET2",        "HSETP2",        "I2F",          "I2FP",
    "I2I",       "I2IP",         "IABS",          "IADD",         "IADD3",
    "IADD32I",   "ICMP",         "IDE",           "IDP",          "IDP4A",
    "IGMMA",     "IMAD",         "IMAD32I",       "IMADSP",       "IMMA",
    "IMNMX",     "IMUL",         "IMUL32I",       "ISAD",         "ISCADD",
    "ISCADD32I", "ISET",         "ISETP",         "ISUB",         "JCAL",
    "JMP",       "JMX",          "JMXU",          "KILL",         "LD",
    "LDC",       "LDG",          "LDGDEPBAR",     "LDGMC",        "LDGSTS",
    "LDL",       "LDS",          "LDSM",          "LEA",          "LEPC",
    "LOP",       "LOP3",         "LOP32I",        "MATCH",        "MEMBAR",
    "MOV",       "MOV32I",       "MOVM",          "MUFU",         "NANOSLEEP",
    "NOP",       "P2R",          "PBK",           "PCNT",         "PEXIT",
    "PLONGJMP",  "PLOP3",        "PMTRIG",        "POPC",         "PREEXIT",
    "PRET",      "PRMT",         "PSET",          "PSETP",        "QGMMA",
    "QSPC",      "R2B",          "R2P",           "R2UR",         "RED",
    "REDAS",     "REDUX",        "RET",           "RPCMOV",       "RRO",
    "RTT",       "S2R",          "S2UR",          "SAM",          "SEL",
    "SETCTAID",  "SETLMEMBASE",  "SGXT",          "SHF",          "SHFL",
    "SHL",       "SHR",          "SSY",           "ST",           "STAS",
    "STG",       "STL",          "STS",           "STSM",         "SUATOM",
    "SULD",      "SUQUERY",      "SURED",         "SUST",         "SYNC",
    "SYNCS",     "TEX",          "TEXS",          "TLD",          "TLD4",
    "TLD4S",     "TLDS",         "TMML",          "TXA",          "TXD",
    "TXQ",       "UBLKCP",       "UBLKPF",        "UBLKRED",      "UBMSK",
    "UBREV",     "UCGABAR_ARV",  "UCGABAR_WAIT",  "UCLEA",        "UF2FP",
    "UFLO",      "UIADD3",       "UIMAD",         "UISETP",       "ULDC",
    "ULEA",      "ULOP",         "ULOP3",         "ULOP32I",      "UMOV",
    "UP2UR",     "UPLOP3",       "UPOPC",         "UPRMT",        "UPSETP",
    "UR2UP",     "USEL",         "USETMAXREG",    "USGXT",        "USHF",
    "USHL",      "USHR",         "UTMACCTL",      "UTMACMDFLUSH", "UTMALDG",
    "UTMAPF",    "UTMAREDG",     "UTMASTG",       "VABSDIFF",     "VABSDIFF4",
    "VADD",      "VHMNMX",       "VIADD",         "VIADDMNMX",    "VIMNMX",
    "VIMNMX3",   "VMNMX",        "VOTE",          "VOTEU",        "VOTE_VTG",
    "WARPGROUP", "WARPGROUPSET", "WARPSYNC",      "XMAD",         "YIELD",
};

struct name {
    const char *text;
    size_t n;
};

static int compare(const void *key, const void *item)
{
    const struct name *k = key;
    const char *s = *(const char *const *)item;
    int order = strncmp(k->text, s, k->n);

    return order ? order : s[k->n] ? -1 : 0;
}

bool sass_opcode_known(const char *opcode)
{
    struct name key = {opcode, strcspn(opcode, ".")};

    return key.n > 0 && bsearch(&key, known, sizeof known / sizeof *known, sizeof *known, compare) != NULL;
}
