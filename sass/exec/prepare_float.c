/* sass/exec/prepare_float.c: operations that are forms of the PTX executor: the form's name from the modifiers. */
#include <stdio.h>
#include <string.h>

#include "sass/exec/prepare.h"

enum { FORM_NAME = 64 };

static void set_form(struct preparing *p, const char *name, uint8_t signs)
{
    p->op->form = ptx_form_find(name);
    p->op->signs = signs;
    if (!p->op->form)
        refuse_inst(p, "its modifiers are not executed together");
}

static const char *rounding(struct preparing *p)
{
    static const char *const names[] = {"RM", "RP", "RZ", NULL};
    static const char *const forms[] = {".rm", ".rp", ".rz"};
    int k = take_one_of(p, names);

    return k < 0 ? ".rn" : forms[k];
}

/* The PTX opcode of an operation. */
static const char *opcode(const struct preparing *p)
{
    static const struct {
        const char *name, *opcode;
    } all[] = {{"FADD", "add"},    {"FMUL", "mul"},  {"FFMA", "fma"},   {"DADD", "add"},   {"DMUL", "mul"},
               {"DFMA", "fma"},    {"HADD2", "add"}, {"HMUL2", "mul"},  {"HFMA2", "fma"},  {"HFMA2.MMA", "fma"},
               {"BREV", "brev"},   {"POPC", "popc"}, {"UBREV", "brev"}, {"UPOPC", "popc"}, {"SGXT", "szext"},
               {"USGXT", "szext"}, {"BMSK", "bmsk"}, {"UBMSK", "bmsk"}};

    for (size_t k = 0; k < sizeof all / sizeof *all; k++)
        if (strcmp(all[k].name, p->x->name) == 0)
            return all[k].opcode;
    return "";
}

void prepare_f32(struct preparing *p)
{
    const char *round = rounding(p), *ftz = take_modifier(p, "FTZ") ? ".ftz" : "";
    char name[FORM_NAME];

    snprintf(name, sizeof name, "%s%s%s%s.f32", opcode(p), round, ftz, take_modifier(p, "SAT") ? ".sat" : "");
    set_form(p, name, SIGNS_FLOAT);
}

void prepare_f64(struct preparing *p)
{
    char name[FORM_NAME];

    snprintf(name, sizeof name, "%s%s.f64", opcode(p), rounding(p));
    set_form(p, name, SIGNS_FLOAT);
}

void prepare_half(struct preparing *p)
{
    bool bf16 = take_modifier(p, "BF16_V2");
    const char *ftz = take_modifier(p, "FTZ") ? ".ftz" : "", *sat = take_modifier(p, "SAT") ? ".sat" : "";
    char name[FORM_NAME];

    snprintf(name, sizeof name, "%s.rn%s%s%s.%s", opcode(p), ftz, sat, take_modifier(p, "RELU") ? ".relu" : "",
             bf16 ? "bf16x2" : "f16x2");
    set_form(p, name, SIGNS_PAIR);
}

void prepare_add_half(struct preparing *p)
{
    enum { ADD_HALVES = 3 }; /* of do_mufu */

    if (!take_modifier(p, "F32")) {
        prepare_half(p);
        return;
    }
    p->op->run = do_mufu;
    p->op->type = ADD_HALVES;
}

void prepare_fmnmx(struct preparing *p)
{
    const char *ftz = take_modifier(p, "FTZ") ? ".ftz" : "", *nan = take_modifier(p, "NAN") ? ".NaN" : "";
    char name[FORM_NAME];

    snprintf(name, sizeof name, "max%s%s.f32", ftz, nan);
    p->op->other = ptx_form_find(name);
    snprintf(name, sizeof name, "min%s%s.f32", ftz, nan);
    set_form(p, name, SIGNS_FLOAT);
    if (!p->op->other)
        refuse_inst(p, "its modifiers are not executed together");
}

static void take_relation(struct preparing *p)
{
    static const char *const relations[] = {"F",   "LT",  "EQ",  "LE",  "GT",  "NE",  "GE", "NUM", "NAN",
                                            "LTU", "EQU", "LEU", "GTU", "NEU", "GEU", "T",  NULL};
    static const char *const combined[] = {"AND", "OR", "XOR", NULL};
    int how = take_one_of(p, combined), what = take_one_of(p, relations);

    p->op->type = (uint8_t)(how < 0 ? 0 : how);
    p->op->what = (uint8_t)(what < 0 ? 0 : what);
}

void prepare_compare_float(struct preparing *p)
{
    p->op->wrap = take_modifier(p, "FTZ");
    take_relation(p);
}

void prepare_compare_half(struct preparing *p)
{
    p->op->bytes = take_modifier(p, "BF16_V2");
    p->op->high = take_modifier(p, "H_AND");
    take_relation(p);
}

void prepare_fsel(struct preparing *p)
{
    p->op->wrap = take_modifier(p, "FTZ");
}

/* --- conversions: the type of the result comes first --- */

/* ".F32" -> "f32"; after the first type comes the second. */
static const char *take_type(struct preparing *p)
{
    static const char *const names[] = {"F16", "F32", "F64", "U8",  "U16", "U32",
                                        "U64", "S8",  "S16", "S32", "S64", NULL};
    static const char *const forms[] = {"f16", "f32", "f64", "u8", "u16", "u32", "u64", "s8", "s16", "s32", "s64"};

    for (uint32_t k = 0; k < p->modifier_count; k++)
        for (int i = 0; names[i] && !p->taken[k]; i++)
            if (p->lengths[k] == strlen(names[i]) && memcmp(p->modifiers[k], names[i], p->lengths[k]) == 0) {
                p->taken[k] = true;
                return forms[i];
            }
    return "";
}

static const char *rounding_to_integer(struct preparing *p)
{
    static const char *const names[] = {"FLOOR", "CEIL", "TRUNC", NULL};
    static const char *const forms[] = {".rmi", ".rpi", ".rzi"};
    int k = take_one_of(p, names);

    return k < 0 ? ".rni" : forms[k];
}

void prepare_f2f(struct preparing *p)
{
    const char *ftz = take_modifier(p, "FTZ") ? ".ftz" : "", *to = take_type(p), *from = take_type(p);
    const char *round = rounding(p);
    char name[FORM_NAME];

    snprintf(name, sizeof name, "cvt%s%s.%s.%s", strcmp(to, from) > 0 ? "" : round, ftz, to, from);
    set_form(p, name, SIGNS_FLOAT);
}

void prepare_f2i(struct preparing *p)
{
    const char *ftz = take_modifier(p, "FTZ") ? ".ftz" : "", *to = take_type(p), *from = take_type(p);
    const char *round = rounding_to_integer(p);
    char name[FORM_NAME];

    (void)take_modifier(p, "NTZ");
    p->op->is_signed = *to == 's';
    snprintf(name, sizeof name, "cvt%s%s.%s.%s", round, ftz, to, from);
    set_form(p, name, SIGNS_FLOAT);
}

void prepare_i2f(struct preparing *p)
{
    const char *to = take_type(p), *from = take_type(p), *round = rounding(p);
    char name[FORM_NAME];

    snprintf(name, sizeof name, "cvt%s.%s.%s", round, to, from);
    set_form(p, name, SIGNS_INTEGER);
}

void prepare_frnd(struct preparing *p)
{
    const char *ftz = take_modifier(p, "FTZ") ? ".ftz" : "", *to = take_type(p), *from = take_type(p);
    char name[FORM_NAME];

    snprintf(name, sizeof name, "cvt%s%s.%s.%s", rounding_to_integer(p), ftz, to, from);
    set_form(p, name, SIGNS_FLOAT);
}

void prepare_f2fp(struct preparing *p)
{
    const char *to = take_modifier(p, "BF16") ? "bf16x2" : take_modifier(p, "F16") ? "f16x2" : "";
    const char *round = take_modifier(p, "RZ") ? ".rz" : ".rn", *relu = take_modifier(p, "RELU") ? ".relu" : "";
    char name[FORM_NAME];

    (void)take_modifier(p, "F32");
    (void)take_modifier(p, "PACK_AB");
    snprintf(name, sizeof name, "cvt%s%s.%s.f32", round, relu, to);
    set_form(p, name, SIGNS_FLOAT);
}

void prepare_mufu(struct preparing *p)
{
    enum { TURNS = 1, HIGH = 2 };
    static const char *const names[] = {"COS",    "SIN",    "EX2",  "LG2",  "RCP", "RSQ",
                                        "RCP64H", "RSQ64H", "SQRT", "TANH", NULL};
    static const char *const forms[] = {"cos.approx.f32",     "sin.approx.f32",       "ex2.approx.ftz.f32",
                                        "lg2.approx.ftz.f32", "rcp.approx.ftz.f32",   "rsqrt.approx.ftz.f32",
                                        "rcp.approx.ftz.f64", "rsqrt.approx.ftz.f64", "sqrt.approx.ftz.f32",
                                        "tanh.approx.f32"};
    static const uint8_t types[] = {TURNS, TURNS, 0, 0, 0, 0, HIGH, HIGH, 0, 0};
    int k = take_one_of(p, names);

    if (k < 0)
        return;
    p->op->type = types[k];
    if (types[k] == 0)
        p->op->run = do_form;
    set_form(p, forms[k], SIGNS_FLOAT);
}

/* --- bits --- */

void prepare_prmt(struct preparing *p)
{
    static const char *const names[] = {"F4E", "B4E", "RC8", "ECL", "ECR", "RC16", NULL};
    static const char *const forms[] = {"prmt.f4e.b32", "prmt.b4e.b32", "prmt.rc8.b32",
                                        "prmt.ecl.b32", "prmt.ecr.b32", "prmt.rc16.b32"};
    int k = take_one_of(p, names);
    struct sass_source selector = p->op->src[1];

    p->op->src[1] = p->op->src[2];
    p->op->src[2] = selector;
    set_form(p, k < 0 ? "prmt.b32" : forms[k], SIGNS_INTEGER);
}

void prepare_bits(struct preparing *p)
{
    const char *how = opcode(p), *wrap = take_modifier(p, "W") ? ".wrap" : ".clamp";
    bool is_unsigned = take_modifier(p, "U32"), plain = *how == 'p' || strcmp(how, "brev") == 0;
    char name[FORM_NAME];

    snprintf(name, sizeof name, "%s%s.%s", how, plain ? "" : wrap,
             *how != 's'   ? "b32"
             : is_unsigned ? "u32"
                           : "s32");
    set_form(p, name, SIGNS_INTEGER);
}
