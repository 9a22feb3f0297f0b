/* simcore/sm/isa_since.c: the architecture that introduced each instruction. Source: the instruction set tables of
 * NVIDIA's CUDA Binary Utilities 13 (Volta to Blackwell). A mnemonic is in all tables from the given one on. */
#include <string.h>

#include "simcore/sm/opcode_table.h"

struct since {
    const char *name;
    uint32_t capability; /* times ten */
    bool begins;         /* also applies to mnemonics that begin with this one */
};

static const struct since sinces[] = {
    {"HMMA", 70, false},      {"IMMA", 72, false},    {"BMMA", 75, false},          {"LDSM", 75, false},
    {"MOVM", 75, false},      {"DMMA", 80, false},    {"REDUX", 80, false},         {"LDGSTS", 80, false},
    {"LDGDEPBAR", 80, false}, {"ARRIVES", 80, false}, {"HGMMA", 90, false},         {"IGMMA", 90, false},
    {"QGMMA", 90, false},     {"BGMMA", 90, false},   {"WARPGROUP", 90, true},      {"UTMA", 90, true},
    {"UBLK", 90, true},       {"SYNCS", 90, false},   {"UCGABAR_", 90, true},       {"STSM", 90, false},
    {"STAS", 90, false},      {"ACQBULK", 90, false}, {"ENDCOLLECTIVE", 90, false}, {"CGAERRBAR", 90, false},
    {"ELECT", 90, false},     {"UTC", 100, true},     {"LDTM", 100, false},         {"STTM", 100, false},
    {"LDT", 100, false},      {"STT", 100, false},
};

uint32_t opcode_since(const char *opcode)
{
    size_t n = strcspn(opcode, ".");

    for (size_t i = 0; i < sizeof sinces / sizeof *sinces; i++) {
        size_t length = strlen(sinces[i].name);

        if (length <= n && strncmp(opcode, sinces[i].name, length) == 0 && (length == n || sinces[i].begins))
            return sinces[i].capability;
    }
    return 0;
}
