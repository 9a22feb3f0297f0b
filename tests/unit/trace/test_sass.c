#include "tests/harness/check.h"

#include "simcore/trace/sass.h"

static void widths_follow_the_opcode(void **state)
{
    static const struct {
        const char *opcode;
        unsigned printed, bytes;
    } rows[] = {
        {"LDG.E.SYS", 4, 4},
        {"LDG.E.64", 8, 8},
        {"LDG.E.U8", 1, 1},
        {"LDG.E.S8", 4, 1},
        {"LDG.E.S16", 4, 2},
        {"LDG.E.U16.CONSTANT", 2, 2},
        {"LDS.U.128", 16, 16},
        {"LDG.E.128.CONSTANT.SYS", 16, 16},
        {"LDGSTS.E.BYPASS.LTC128B.128", 16, 16},
        {"LDSM.16.M88.4", 2, 16},
        {"LDSM.16.MT88.2", 2, 16},
        {"RED.E.ADD.F32.FTZ.RN", 4, 4},
        {"RED.E.ADD.F64.RN.STRONG.GPU", 4, 8},
        {"ATOMG.E.ADD.F16x2.RN", 4, 4},
        {"ATOM.E.ADD.S32", 4, 4},
        {"ATOMS.CAS.64", 8, 8},
        {"STL", 4, 4},
        {"FOREIGN", 12, 12},
        {"FOREIGN", 9999, 4},
        {"LDG.", 4, 4},
        {"", 4, 4},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++)
        if (sass_access_width(rows[i].opcode, rows[i].printed) != rows[i].bytes)
            fail_msg("%s: got %u", rows[i].opcode, sass_access_width(rows[i].opcode, rows[i].printed));
}

/* First the recorded operands (dst -1: none), then the expected number of registers of the destination and of
 * each source. */
static void register_groups_follow_the_opcode(void **state)
{
    static const struct {
        const char *opcode;
        int dst;
        uint8_t sources, src[4];
        uint8_t dst_regs, src_regs[4];
    } rows[] = {
        {"LDG.E.SYS", 4, 1, {2}, 1, {2}},
        {"LDG.E.128", 4, 1, {2}, 4, {2}},
        {"LDG.128", 4, 1, {2}, 4, {1}},
        {"LDS.64", 4, 1, {2}, 2, {1}},
        {"LDS.U8", 4, 1, {2}, 1, {1}},
        {"LDC.64", 4, 1, {2}, 2, {1}},
        {"LDSM.16.M88.4", 4, 1, {2}, 4, {1}},
        {"LDSM.16.M88", 4, 1, {2}, 1, {1}},
        {"STG.E.64", -1, 2, {2, 4}, 0, {2, 2}},
        {"STG.E.128", -1, 1, {4}, 0, {4}},
        {"STS.128", -1, 2, {2, 4}, 0, {1, 4}},
        {"LDGSTS.E.128", -1, 2, {5, 2}, 0, {1, 2}},
        {"ATOMS.CAS.64", 8, 3, {2, 4, 6}, 2, {1, 2, 2}},
        {"RED.E.ADD.F64", -1, 2, {2, 4}, 0, {2, 2}},
        {"IMAD", 4, 3, {5, 6, 7}, 1, {1, 1, 1}},
        {"IMAD.WIDE", 4, 3, {5, 6, 8}, 2, {1, 1, 2}},
        {"IMAD.WIDE.U32", 4, 2, {5, 6}, 2, {1, 1}},
        {"DFMA", 4, 3, {6, 8, 10}, 2, {2, 2, 2}},
        {"DSETP.GT.AND", -1, 2, {6, 8}, 0, {2, 2}},
        {"CS2R", 4, 0, {0}, 2, {0}},
        {"CS2R.32", 4, 0, {0}, 1, {0}},
        {"F2F.F64.F32", 4, 1, {3}, 2, {1}},
        {"F2F.F32.F64", 4, 1, {6}, 1, {2}},
        {"I2F.F64", 4, 1, {3}, 2, {1}},
        {"I2F.S64", 4, 1, {6}, 1, {2}},
        {"F2I.S64.F64.TRUNC", 4, 1, {6}, 2, {2}},
        {"F2I.TRUNC.NTZ", 4, 1, {6}, 1, {1}},
        {"FRND.F64.FLOOR", 4, 1, {6}, 2, {2}},
        {"HMMA.884.F32.F32.STEP0", 8, 3, {4, 6, 8}, 2, {2, 2, 2}},
        {"HMMA.1688.F32", 8, 3, {4, 6, 8}, 4, {2, 1, 4}},
        {"HMMA.1688.F16", 8, 3, {4, 6, 8}, 2, {2, 1, 2}},
        {"HMMA.1688.F32.TF32", 8, 3, {4, 6, 8}, 4, {4, 2, 4}},
        {"HMMA.16816.F32", 8, 3, {4, 6, 8}, 4, {4, 2, 4}},
        {"HMMA.16816.F32.BF16", 8, 3, {4, 6, 8}, 4, {4, 2, 4}},
        {"HMMA.SP.16832.F32", 8, 3, {4, 6, 8}, 4, {4, 4, 4}},
        {"IMMA.8816.S8.S8", 8, 3, {4, 6, 8}, 2, {1, 1, 2}},
        {"IMMA.16832.S8.S8", 8, 3, {4, 6, 8}, 4, {4, 2, 4}},
        {"IMMA.8832.S4.S4", 8, 3, {4, 6, 8}, 2, {1, 1, 2}},
        {"DMMA.884", 8, 3, {4, 6, 8}, 4, {2, 2, 4}},
        {"HMMA.99999", 8, 3, {4, 6, 8}, 1, {1, 1, 1}},
        {"FFMA", 4, 3, {5, 6, 7}, 1, {1, 1, 1}},
        {"LDG.E.128", 253, 1, {2}, 2, {2}}, /* a group cannot go beyond R254 */
        {"LDG.E.128", 255, 1, {2}, 1, {2}}, /* RZ is not a group */
        {"STG.E.64", -1, 2, {2, 255}, 0, {2, 1}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct trace_inst x = {.dst_count = rows[i].dst >= 0,
                               .dst = (uint8_t)(rows[i].dst >= 0 ? rows[i].dst : 0),
                               .src_count = rows[i].sources};

        memcpy(x.src, rows[i].src, sizeof rows[i].src);
        sass_complete(rows[i].opcode, &x);
        if (x.dst_regs != rows[i].dst_regs || memcmp(x.src_regs, rows[i].src_regs, rows[i].sources) != 0)
            fail_msg("row %zu, %s: dst %u, src %u %u %u", i, rows[i].opcode, x.dst_regs, x.src_regs[0],
                     x.src_regs[1], x.src_regs[2]);
    }
}

static void lost_destinations_come_back(void **state)
{
    static const struct {
        const char *opcode;
        uint8_t sources, src[4];
        int dst;
        uint8_t left, rest[3];
    } rows[] = {
        {"SHFL.IDX", 4, {5, 4, 6, 7}, 5, 3, {4, 6, 7}},
        {"ATOMG.E.ADD.STRONG.GPU", 3, {7, 2, 5}, 7, 2, {2, 5}},
        {"ATOM.E.CAS", 3, {7, 2, 5}, 7, 2, {2, 5}},
        {"MATCH.ALL", 2, {3, 2}, 3, 1, {2}},
        {"LOP3.LUT", 3, {255, 4, 5}, 255, 2, {4, 5}},
        {"ISETP.GE.AND", 2, {3, 4}, -1, 2, {3, 4}},
        {"FSETP.GT.AND", 2, {3, 4}, -1, 2, {3, 4}},
        {"STG.E", 2, {2, 4}, -1, 2, {2, 4}},
        {"RED.E.ADD", 2, {2, 4}, -1, 2, {2, 4}},
        {"R2P", 1, {4}, -1, 1, {4}},
        {"SHFL.IDX", 0, {0}, -1, 0, {0}},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct trace_inst x = {.src_count = rows[i].sources};
        struct sass_repair r;

        memcpy(x.src, rows[i].src, sizeof rows[i].src);
        r = sass_complete(rows[i].opcode, &x);
        assert_int_equal(r.destination, rows[i].dst >= 0);
        assert_int_equal(x.dst_count, rows[i].dst >= 0);
        if (rows[i].dst >= 0)
            assert_int_equal(x.dst, rows[i].dst);
        assert_int_equal(x.src_count, rows[i].left);
        assert_memory_equal(x.src, rows[i].rest, rows[i].left);
    }
}

static void a_destination_that_was_recorded_stays(void **state)
{
    struct trace_inst x = {.dst_count = 1, .dst = 9, .src_count = 1, .src = {4}};

    (void)state;
    assert_false(sass_complete("LOP3.LUT", &x).destination);
    assert_int_equal(x.dst, 9);
    assert_int_equal(x.src_count, 1);
}

static void documented_opcodes_are_known(void **state)
{
    static const char *const yes[] = {"LDG.E.SYS", "ACQBULK",  "YIELD",    "HMMA.884.F32.F32.STEP0",
                                      "UISETP.GE", "XMAD.MRG", "VOTE_VTG", "HADD2_32I"};
    static const char *const no[] = {"", ".E", "LD G", "LDGX", "XYZZY", "ldg", "ZZZ", "A"};

    (void)state;
    for (size_t i = 0; i < sizeof yes / sizeof *yes; i++)
        assert_true(sass_opcode_known(yes[i]));
    for (size_t i = 0; i < sizeof no / sizeof *no; i++)
        assert_false(sass_opcode_known(no[i]));
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(widths_follow_the_opcode),     cmocka_unit_test(register_groups_follow_the_opcode),
        cmocka_unit_test(lost_destinations_come_back),  cmocka_unit_test(a_destination_that_was_recorded_stays),
        cmocka_unit_test(documented_opcodes_are_known),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
