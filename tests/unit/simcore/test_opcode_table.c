/* The unit and type of each mnemonic; rates of tensor shapes, computed by hand. */
#include "simcore/sm/opcode_table.h"
#include "tests/unit/simcore/hand_source.h"

static struct gpu_design *v100, *a100, *h100, *ada, *b200, *pascal;

static void families_are_classed(void **state)
{
    static const struct {
        const char *opcode;
        uint8_t action, unit, space, mix;
    } cases[] = {
        {"FFMA.FTZ", ACT_COMPUTE, CLASS_FP32, SPACE_NONE, MIX_FP32},
        {"IMAD.MOV.U32", ACT_COMPUTE, CLASS_IMAD, SPACE_NONE, MIX_INT},
        {"IADD3.X", ACT_COMPUTE, CLASS_INT, SPACE_NONE, MIX_INT},
        {"XMAD.MRG", ACT_COMPUTE, CLASS_IMAD, SPACE_NONE, MIX_INT},
        {"MUFU.RSQ", ACT_COMPUTE, CLASS_SFU, SPACE_NONE, MIX_SFU},
        {"POPC", ACT_COMPUTE, CLASS_BITCOUNT, SPACE_NONE, MIX_SFU},
        {"I2F.F64", ACT_COMPUTE, CLASS_CONVERT, SPACE_NONE, MIX_SFU},
        {"HFMA2.MMA", ACT_COMPUTE, CLASS_FP16, SPACE_NONE, MIX_FP16},
        {"DSETP.GT.AND", ACT_COMPUTE, CLASS_FP64, SPACE_NONE, MIX_FP64},
        {"UIADD3", ACT_COMPUTE, CLASS_UNIFORM, SPACE_NONE, MIX_UNIFORM},
        {"LDG.E.128.CONSTANT.SYS", ACT_LOAD, CLASS_INT, SPACE_GLOBAL, MIX_LOAD},
        {"LDSM.16.M88.4", ACT_LOAD, CLASS_INT, SPACE_SHARED, MIX_SHARED},
        {"LD.E", ACT_LOAD, CLASS_INT, SPACE_GENERIC, MIX_LOAD},
        {"STL", ACT_STORE, CLASS_INT, SPACE_LOCAL, MIX_STORE},
        {"ATOMS.POPC.INC.32", ACT_ATOMIC, CLASS_INT, SPACE_SHARED, MIX_ATOMIC},
        {"RED.E.ADD.STRONG.GPU", ACT_REDUCTION, CLASS_INT, SPACE_GENERIC, MIX_ATOMIC},
        {"LDGSTS.E.BYPASS.LTC128B.128", ACT_ASYNC_COPY, CLASS_INT, SPACE_GLOBAL, MIX_LOAD},
        {"LDGDEPBAR", ACT_COMMIT, CLASS_INT, SPACE_NONE, MIX_SYNC},
        {"DEPBAR.LE", ACT_WAIT_GROUP, CLASS_INT, SPACE_NONE, MIX_SYNC},
        {"WARPGROUP.DEPBAR.LE", ACT_WAIT_TENSOR, CLASS_INT, SPACE_NONE, MIX_SYNC},
        {"WARPGROUP.ARRIVE", ACT_NOTHING, CLASS_INT, SPACE_NONE, MIX_SYNC},
        {"BAR.SYNC.DEFER_BLOCKING", ACT_BARRIER, CLASS_INT, SPACE_NONE, MIX_SYNC},
        {"BAR.ARV", ACT_ARRIVE, CLASS_INT, SPACE_NONE, MIX_SYNC},
        {"CCTL.IVALL", ACT_INVALIDATE, CLASS_INT, SPACE_NONE, MIX_OTHER},
        {"CCTL.PF2", ACT_NOTHING, CLASS_INT, SPACE_NONE, MIX_OTHER},
        {"LDC.64", ACT_CONSTANT, CLASS_INT, SPACE_NONE, MIX_CONSTANT},
        {"ULDC.64", ACT_CONSTANT, CLASS_INT, SPACE_NONE, MIX_CONSTANT},
        {"VOTE_VTG", ACT_COMPUTE, CLASS_VOTE, SPACE_NONE, MIX_CONTROL},
        {"TEX.SCR.LL", ACT_TEXTURE, CLASS_INT, SPACE_NONE, MIX_TEXTURE},
        {"EXIT", ACT_NOTHING, CLASS_INT, SPACE_NONE, MIX_CONTROL},
        {"HGMMA.64x128x16.F32.BF16", ACT_TENSOR, CLASS_INT, SPACE_NONE, MIX_TENSOR},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct op_info got;

        opcode_classify(cases[i].opcode, v100, &got);
        if (!got.known || got.action != cases[i].action || got.unit != cases[i].unit ||
            got.space != cases[i].space || got.mix != cases[i].mix)
            fail_msg("%s: known %d, action %u, unit %u, space %u, mix %u", cases[i].opcode, got.known, got.action,
                     got.unit, got.space, got.mix);
    }
}

/* Conversions from and to 64 bit are slow where FP64 is slow. Elsewhere the conversion unit limits them. */
static void conversions_of_64_bits(void **state)
{
    static const struct {
        const char *design, *opcode;
        uint8_t unit;
    } cases[] = {{"rtx3080", "I2F.F64", CLASS_FP64},
                 {"rtx3080", "F2F.F64.F32", CLASS_FP64},
                 {"rtx3080", "F2I.S64.TRUNC", CLASS_FP64},
                 {"rtx3080", "I2F.RP", CLASS_CONVERT},
                 {"h100", "I2F.F64", CLASS_CONVERT}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct gpu_design *d = hand_design(cases[i].design, NULL);
        struct op_info got;

        opcode_classify(cases[i].opcode, d, &got);
        assert_int_equal(got.unit, cases[i].unit);
        design_free(d);
    }
}

/* Finds every opcode of accel-sim traces from Kepler to Ampere and of Hopper, although the table stores shortened
 * names. */
static void every_listed_opcode_is_known(void **state)
{
    static const char all[] =
        "FADD FMUL FFMA FADD32I FMUL32I FFMA32I FMNMX FSEL FSET FSETP FCHK FSWZADD RRO FCMP FSWZ MUFU HADD2 HMUL2 "
        "HFMA2 HADD2_32I "
        "HMUL2_32I HFMA2_32I HSET2 HSETP2 HMNMX2 DADD DMUL DFMA DSETP DMNMX DSET HMMA IMMA BMMA DMMA IADD IADD3 "
        "IMAD IMUL ISCADD LEA "
        "LOP LOP3 SHF SHL SHR ISETP IMNMX IABS IDP IDP4A BMSK BREV FLO POPC VABSDIFF VABSDIFF4 XMAD BFE BFI ICMP "
        "IMADSP ISET VADD "
        "VMNMX ISUB ISAD F2F F2I I2F I2I I2IP FRND F2FP I2FP F2IP MOV MOV32I PRMT SEL SGXT SHFL MOVM PLOP3 PSETP "
        "P2R R2P CSET CSETP "
        "PSET LD LDG LDL LDS LDSM LDGSTS ST STG STL STS ATOM ATOMG RED ATOMS LDC MEMBAR CCTL CCTLL CCTLT ERRBAR "
        "MATCH QSPC TEX TLD "
        "TLD4 TMML TXD TXQ SULD SUST SUATOM SURED SUQUERY BRA BRX BMOV BPT BREAK BSSY BSYNC CALL RET JMP JMX "
        "RPCMOV RTT WARPSYNC "
        "YIELD NANOSLEEP BRXU JMXU KILL EXIT BAR R2UR S2UR VOTEU REDUX LDGDEPBAR DEPBAR B2R CS2R CSMTEST "
        "GETLMEMBASE LEPC NOP PMTRIG "
        "R2B S2R SETCTAID SETLMEMBASE VOTE VOTE_VTG ULDC HGMMA IGMMA QGMMA WARPGROUP SYNCS UTMALDG UTMASTG FENCE "
        "ELECT VIADD "
        "BGMMA LDGMC PLONGJMP REDAS TXA USETMAXREG UTMACCTL UTMACMDFLUSH UTMAPF UTMAREDG VHMNMX LDTM STTM UTCHMMA "
        "UTCBAR "
        "VIADDMNMX VIMNMX UCGABAR_ARV UCGABAR_WAIT STSM STAS REDG ARRIVES SSY SYNC PBK CAL IADD32I LOP32I";
    char name[32];
    const char *p = all;

    (void)state;
    while (*p) {
        size_t n = strcspn(p, " ");
        struct op_info got;

        snprintf(name, sizeof name, "%.*s", (int)n, p);
        opcode_classify(name, v100, &got);
        if (!got.known)
            fail_msg("%s is not in the table", name);
        p += n + (p[n] == ' ');
    }
}

static void tensor_rates_by_hand(void **state)
{
    static const struct {
        const char *opcode;
        struct gpu_design *const *gpu;
        uint32_t want; /* multiply-adds of the warp's instruction / rate of a sub-core */
        bool typed;
    } cases[] = {
        {"HMMA.884.F32.F32.STEP2", &v100, 256 / 128, true},
        {"HMMA.16816.F32", &a100, 2048 / 256, true},
        {"HMMA.1688.F32.TF32", &a100, 1024 / 128, true},
        {"IMMA.16832.S8.S8", &a100, 4096 / 512, true},
        {"IMMA.16864.S4.S4", &a100, 8192 / 1024, true},
        {"DMMA.884", &a100, 256 / 16, true},
        {"DMMA.884", &v100, 256 / 128, false},
        {"HGMMA.64x256x16.F32.BF16", &h100, 16 * 256 * 16 / 512, true},
        {"QGMMA.64x256x32.F32.E4M3.E4M3", &h100, 16 * 256 * 32 / 1024, true},
        {"HGMMA.64x128x8.F32.TF32", &h100, 16 * 128 * 8 / 256, true},
        {"HMMA.what", &a100, 2048 / 256, true},
        /* Volta: a product with 16-bit sums has half the steps, each with twice the work. */
        {"HMMA.884.F16.F16.STEP1", &v100, 512 / 128, true},
        {"HMMA.SP.16832.F32", &a100, 2048 / 256, true},
        {"HMMA.16816.F32", &ada, 2048 / 64, true},
        {"HMMA.16816.F16", &ada, 2048 / 128, true},
        {"UTCHMMA.2CTA", &b200, 128 * 256 * 16 / 4096, true},
        {"UTCQMMA", &b200, 128 * 256 * 16 / 8192, true},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct op_info got;

        opcode_classify(cases[i].opcode, *cases[i].gpu, &got);
        if (got.tensor_interval != cases[i].want || got.typed != cases[i].typed)
            fail_msg("%s: interval %u, typed %d, want %u", cases[i].opcode, got.tensor_interval, got.typed,
                     cases[i].want);
    }
}

/* A unit with half rate for 32-bit sums has its result as early as at full rate, or when it is free again. */
static void tensor_latencies_by_hand(void **state)
{
    static const struct {
        const char *opcode;
        struct gpu_design *const *gpu;
        uint32_t want;
    } cases[] = {
        {"HMMA.16816.F32", &a100, 8 + 17}, {"HMMA.16816.F16", &ada, 16 + 9},     {"HMMA.16816.F32", &ada, 32 + 1},
        {"HMMA.1688.F32", &ada, 16 + 1},   {"HMMA.1688.F32.TF32", &ada, 32 + 1}, {"IMMA.16832.S8.S8", &ada, 16 + 9},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct op_info got;

        opcode_classify(cases[i].opcode, *cases[i].gpu, &got);
        if (got.tensor_latency != cases[i].want)
            fail_msg("%s: latency %u, want %u", cases[i].opcode, got.tensor_latency, cases[i].want);
    }
}

static void pascal_loads_pass_l1_by_unless_they_ask(void **state)
{
    static const struct {
        const char *opcode;
        bool bypass;
    } cases[] = {{"LDG.E", true}, {"LD.E", true},   {"LDG.E.CI", false},         {"LDG.E.CA", false},
                 {"LDL", false},  {"LDS.U", false}, {"LDG.E.64.CONSTANT", false}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct op_info got;

        opcode_classify(cases[i].opcode, pascal, &got);
        assert_int_equal(!!(got.flags & OP_BYPASS_L1), cases[i].bypass);
        opcode_classify(cases[i].opcode, v100, &got);
        assert_false(got.flags & OP_BYPASS_L1);
    }
}

static void what_is_unknown_goes_by_its_first_letters(void **state)
{
    static const struct {
        const char *opcode;
        uint8_t action, unit;
    } cases[] = {
        {"UFOO", ACT_COMPUTE, CLASS_UNIFORM}, {"LDXY.E", ACT_LOAD, CLASS_INT},    {"STXY", ACT_STORE, CLASS_INT},
        {"FNEW3", ACT_COMPUTE, CLASS_FP32},   {"HNEW2", ACT_COMPUTE, CLASS_FP16}, {"QUUX", ACT_COMPUTE, CLASS_INT},
        {"", ACT_COMPUTE, CLASS_INT},         {".X", ACT_COMPUTE, CLASS_INT},     {"ATOMX", ACT_ATOMIC, CLASS_INT},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct op_info got;

        opcode_classify(cases[i].opcode, v100, &got);
        assert_false(got.known);
        assert_int_equal(got.action, cases[i].action);
        if (got.action == ACT_COMPUTE)
            assert_int_equal(got.unit, cases[i].unit);
    }
}

static int set_up(void **state)
{
    (void)state;
    v100 = hand_design("v100", NULL);
    a100 = hand_design("a100", NULL);
    h100 = hand_design("h100", NULL);
    ada = hand_design("rtx4090", NULL);
    b200 = hand_design("b200", NULL);
    pascal = hand_design("gtx1080ti", NULL);
    return 0;
}

static int tear_down(void **state)
{
    (void)state;
    design_free(v100);
    design_free(a100);
    design_free(h100);
    design_free(ada);
    design_free(b200);
    design_free(pascal);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(families_are_classed),
        cmocka_unit_test(conversions_of_64_bits),
        cmocka_unit_test(every_listed_opcode_is_known),
        cmocka_unit_test(tensor_rates_by_hand),
        cmocka_unit_test(tensor_latencies_by_hand),
        cmocka_unit_test(pascal_loads_pass_l1_by_unless_they_ask),
        cmocka_unit_test(what_is_unknown_goes_by_its_first_letters),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
