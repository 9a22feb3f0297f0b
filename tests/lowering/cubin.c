/* tests/lowering/cubin.c: machine code on the main path, counted by class. */
#include "tests/lowering/cubin.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sass/cubin.h"
#include "tests/lowering/reach.h"

const char *const inst_class_names[CLASS_COUNT] = {"float",        "integer", "load",    "store",  "shared_load",
                                                   "shared_store", "atomic",  "control", "tensor", "other"};

enum { FUNCTIONS_MAX = 64 };

/* The operation, in the low 9 bits, and the name before the first dot. */
static const struct operation {
    uint16_t code;
    uint8_t class;
    const char *name;
} operations[] = {
    {0x002, CLASS_INTEGER, "MOV"},       {0x003, CLASS_INTEGER, "P2R"},    {0x004, CLASS_INTEGER, "R2P"},
    {0x005, CLASS_INTEGER, "CS2R"},      {0x006, CLASS_OTHER, "VOTE"},     {0x007, CLASS_INTEGER, "SEL"},
    {0x008, CLASS_FLOAT, "FSEL"},        {0x009, CLASS_FLOAT, "FMNMX"},    {0x00a, CLASS_FLOAT, "FSET"},
    {0x00b, CLASS_FLOAT, "FSETP"},       {0x00c, CLASS_INTEGER, "ISETP"},  {0x010, CLASS_INTEGER, "IADD3"},
    {0x011, CLASS_INTEGER, "LEA"},       {0x012, CLASS_INTEGER, "LOP3"},   {0x013, CLASS_INTEGER, "IABS"},
    {0x014, CLASS_INTEGER, "VABSDIFF"},  {0x016, CLASS_INTEGER, "PRMT"},   {0x017, CLASS_INTEGER, "IMNMX"},
    {0x019, CLASS_INTEGER, "SHF"},       {0x01a, CLASS_INTEGER, "SGXT"},   {0x01b, CLASS_INTEGER, "BMSK"},
    {0x01c, CLASS_INTEGER, "PLOP3"},     {0x020, CLASS_FLOAT, "FMUL"},     {0x021, CLASS_FLOAT, "FADD"},
    {0x023, CLASS_FLOAT, "FFMA"},        {0x024, CLASS_INTEGER, "IMAD"},   {0x025, CLASS_INTEGER, "IMAD"},
    {0x026, CLASS_INTEGER, "IDP"},       {0x027, CLASS_INTEGER, "IMAD"},   {0x028, CLASS_FLOAT, "DMUL"},
    {0x029, CLASS_FLOAT, "DADD"},        {0x02a, CLASS_FLOAT, "DSETP"},    {0x02b, CLASS_FLOAT, "DFMA"},
    {0x02f, CLASS_INTEGER, "VIADDMNMX"}, {0x030, CLASS_FLOAT, "HADD2"},    {0x031, CLASS_FLOAT, "HFMA2"},
    {0x032, CLASS_FLOAT, "HMUL2"},       {0x034, CLASS_FLOAT, "HSETP2"},   {0x035, CLASS_FLOAT, "HFMA2"},
    {0x037, CLASS_TENSOR, "IMMA"},       {0x03c, CLASS_TENSOR, "HMMA"},    {0x03f, CLASS_TENSOR, "DMMA"},
    {0x03e, CLASS_OTHER, "F2FP"},        {0x036, CLASS_INTEGER, "VIADD"},  {0x045, CLASS_OTHER, "I2FP"},
    {0x048, CLASS_INTEGER, "VIMNMX"},    {0x082, CLASS_INTEGER, "UMOV"},   {0x086, CLASS_INTEGER, "VOTEU"},
    {0x087, CLASS_INTEGER, "USEL"},      {0x08c, CLASS_INTEGER, "UISETP"}, {0x090, CLASS_INTEGER, "UIADD3"},
    {0x091, CLASS_INTEGER, "ULEA"},      {0x092, CLASS_INTEGER, "ULOP3"},  {0x099, CLASS_INTEGER, "USHF"},
    {0x09c, CLASS_INTEGER, "UPLOP3"},    {0x0a4, CLASS_INTEGER, "UIMAD"},  {0x0a5, CLASS_INTEGER, "UIMAD"},
    {0x0b9, CLASS_OTHER, "ULDC"},        {0x100, CLASS_OTHER, "FLO"},      {0x101, CLASS_OTHER, "BREV"},
    {0x102, CLASS_OTHER, "FCHK"},        {0x104, CLASS_OTHER, "F2F"},      {0x105, CLASS_OTHER, "F2I"},
    {0x106, CLASS_OTHER, "I2F"},         {0x107, CLASS_OTHER, "FRND"},     {0x108, CLASS_OTHER, "MUFU"},
    {0x109, CLASS_OTHER, "POPC"},        {0x110, CLASS_OTHER, "F2F"},      {0x111, CLASS_OTHER, "F2I"},
    {0x112, CLASS_OTHER, "I2F"},         {0x119, CLASS_OTHER, "S2R"},      {0x11d, CLASS_CONTROL, "BAR"},
    {0x141, CLASS_CONTROL, "BSYNC"},     {0x144, CLASS_CONTROL, "CALL"},   {0x145, CLASS_CONTROL, "BSSY"},
    {0x155, CLASS_CONTROL, "BMOV"},      {0x146, CLASS_CONTROL, "YIELD"},  {0x147, CLASS_CONTROL, "BRA"},
    {0x148, CLASS_CONTROL, "WARPSYNC"},  {0x149, CLASS_CONTROL, "BRX"},    {0x14d, CLASS_CONTROL, "EXIT"},
    {0x150, CLASS_CONTROL, "RET"},       {0x180, CLASS_LOAD, "LD"},        {0x181, CLASS_LOAD, "LDG"},
    {0x182, CLASS_OTHER, "LDC"},         {0x183, CLASS_LOAD, "LDL"},       {0x184, CLASS_SHARED_LOAD, "LDS"},
    {0x185, CLASS_STORE, "ST"},          {0x186, CLASS_STORE, "STG"},      {0x187, CLASS_STORE, "STL"},
    {0x188, CLASS_SHARED_STORE, "STS"},  {0x189, CLASS_OTHER, "SHFL"},     {0x18a, CLASS_ATOMIC, "ATOM"},
    {0x18b, CLASS_ATOMIC, "ATOM"},       {0x18c, CLASS_ATOMIC, "ATOMS"},   {0x18d, CLASS_ATOMIC, "ATOMS"},
    {0x18e, CLASS_ATOMIC, "RED"},        {0x192, CLASS_CONTROL, "MEMBAR"}, {0x1a8, CLASS_ATOMIC, "ATOMG"},
    {0x1a9, CLASS_ATOMIC, "ATOMG"},      {0x1c2, CLASS_INTEGER, "R2UR"},   {0x1c3, CLASS_OTHER, "S2UR"},
    {0x03b, CLASS_SHARED_LOAD, "LDSM"},
};

static void add(struct inst_counts *c, uint8_t class, uint32_t width)
{
    c->instructions++;
    c->of[class]++;
    if (class == CLASS_SHARED_LOAD)
        c->shared_loads[width]++;
}

void inst_count_words(struct inst_counts *c, const uint64_t word[2])
{
    uint32_t size = word[1] >> 9 & 7; /* 4, 5, 6: 4, 8, 16 bytes; less: bytes and halves */
    uint8_t class = CLASS_OTHER;

    for (size_t k = 0; k < sizeof operations / sizeof *operations; k++)
        if (operations[k].code == inst_operation(word))
            class = operations[k].class;
    add(c, class, size == 6 ? 2 : size == 5);
}

void inst_count_text(struct inst_counts *c, const char *opcode)
{
    size_t n = strcspn(opcode, ".");
    uint8_t class = CLASS_OTHER;

    for (size_t k = 0; k < sizeof operations / sizeof *operations; k++)
        if (strlen(operations[k].name) == n && strncmp(operations[k].name, opcode, n) == 0)
            class = operations[k].class;
    add(c, class, strstr(opcode, ".128") ? 2 : strstr(opcode, ".64") != NULL);
}

/* ptxas names its own subroutines $__internal_...; these compute what the code before the call does not: denormal
 * numbers, and results that may not be normal. */
static bool is_rare_name(const char *name)
{
    return strncmp(name, "$__internal_", 12) == 0 &&
           (strstr(name, "slowpath") || strstr(name, "mediumpath") || strstr(name, "_full"));
}

/* Collects the functions inside of the kernel's code: the program's own ($kernel$name) and rare subroutines of
 * ptxas. Other subroutines of ptxas are reached by their calls. */
static uint32_t functions_of(const struct cubin_function *f, struct reach_function out[static FUNCTIONS_MAX])
{
    uint32_t count = 0;

    for (size_t k = 0; k < f->label_count && count < FUNCTIONS_MAX; k++) {
        const struct cubin_label *x = &f->labels[k];

        if (is_rare_name(x->name) || x->name[1] != '_')
            out[count++] = (struct reach_function){
                (uint32_t)(x->at / INST_BYTES), (uint32_t)((x->at + x->bytes) / INST_BYTES), is_rare_name(x->name)};
    }
    return count;
}

/* The code without its end: a branch to itself between NOPs. */
static uint32_t without_padding(const uint64_t (*words)[2], uint64_t count)
{
    while (count && inst_operation(words[count - 1]) == OP_NOP)
        count--;
    count -= count && inst_operation(words[count - 1]) == OP_BRA;
    while (count && inst_operation(words[count - 1]) == OP_NOP)
        count--;
    return (uint32_t)count;
}

static int count_function(const struct cubin_function *f, uint32_t arch, struct inst_counts *out, struct err *e)
{
    struct reach_function functions[FUNCTIONS_MAX];
    struct reach_code code = {.arch = arch, .functions = functions};
    uint64_t(*words)[2] = mem_zalloc(f->code_bytes / INST_BYTES + 1, sizeof *words, e);
    bool *on_path = words ? mem_zalloc(f->code_bytes / INST_BYTES + 1, sizeof *on_path, e) : NULL;
    int ret = -1;

    if (on_path) {
        memcpy(words, f->code, f->code_bytes);
        code.words = (const uint64_t(*)[2])words;
        code.count = without_padding(code.words, f->code_bytes / INST_BYTES);
        code.function_count = functions_of(f, functions);
        ret = reach_main_path(&code, on_path, e);
    }
    for (uint32_t k = 0; ret == 0 && k < code.count; k++)
        if (on_path[k])
            inst_count_words(out, words[k]);
    out->registers = f->registers;
    free(words);
    free(on_path);
    return ret;
}

int cubin_count(const uint8_t *file, size_t n, const char *kernel, uint32_t arch, struct inst_counts *out,
                struct err *e)
{
    const struct cubin_function *f;
    struct cubin c;
    int ret;

    *out = (struct inst_counts){0};
    if (cubin_read(file, n, &c, e) != 0)
        return -1;
    f = cubin_find(&c, kernel);
    ret = f ? count_function(f, arch, out, e)
            : err_set(e, ERR_NOT_FOUND, "the cubin has no code of kernel %s", kernel);
    cubin_release(&c);
    return ret;
}
