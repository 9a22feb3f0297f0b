/* Code of one architecture on a design of another: which cases give a warning and which are refused. */
#include "simcore/sm/opcode_table.h"
#include "tests/unit/simcore/hand_source.h"

static void architectures(void **state)
{
    static const struct {
        uint32_t code;
        const char *design;
        int foreign;
    } rows[] = {{0, "v100", 0},  {70, "v100", 0}, {75, "v100", 1}, {70, "rtx2060", 0}, {80, "rtx3070", 0},
                {86, "a100", 1}, {80, "h100", 1}, {90, "h200", 0}, {90, "v100", 1},    {120, "b200", 1}};

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        const struct kernel_info k = {.binary_version = rows[i].code};
        struct gpu_design *d = hand_design(rows[i].design, NULL);
        char text[FOREIGN_TEXT_BYTES], sm[16];

        assert_int_equal(design_is_foreign(d, &k, text), rows[i].foreign);
        snprintf(sm, sizeof sm, "sm_%u", rows[i].code);
        if (rows[i].foreign) {
            assert_non_null(strstr(text, sm));
            assert_non_null(strstr(text, rows[i].design));
        }
        design_free(d);
    }
}

static void opcodes(void **state)
{
    (void)state;
    assert_int_equal(opcode_since("FFMA"), 0);
    assert_int_equal(opcode_since("HMMA.16816.F32"), 70);
    assert_int_equal(opcode_since("HGMMA.64x64x16.F32"), 90);
    assert_int_equal(opcode_since("UTMALDG.2D"), 90);
    assert_int_equal(opcode_since("UBLKCP.S.G"), 90);
    assert_int_equal(opcode_since("UTCHMMA"), 100);
    assert_int_equal(opcode_since("LDG.E"), 0);
    assert_int_equal(opcode_since("LDGSTS.E.BYPASS.128"), 80);
    assert_int_equal(opcode_since("LDTM.x32"), 100);
    assert_int_equal(opcode_since("LDTMX"), 0);
}

static int run_gmma(const char *design, bool native_only, struct err *e)
{
    const struct sim_options o = {.native_only = native_only};
    struct gpu_design *d = hand_design(design, NULL);
    struct sim_result r;
    struct hand h;
    int ret;

    hand_init(&h, 1, 128);
    hand_add(&h, "FFMA", 4, 4, 5, 6);
    hand_add(&h, "HGMMA.64x64x16.F32", 24, 4, 8, -1);
    ret = simulate(d, &h.base, &o, &r, e);
    if (ret == 0)
        sim_result_release(&r);
    inst_source_release(&h.base);
    design_free(d);
    return ret;
}

static void what_the_gpu_does_not_have_is_refused(void **state)
{
    struct err e;

    (void)state;
    assert_int_equal(run_gmma("v100", true, &e), -1);
    assert_int_equal(e.code, ERR_INVALID);
    assert_non_null(strstr(e.text, "HGMMA.64x64x16.F32"));
    assert_non_null(strstr(e.text, "sm_70"));
    assert_non_null(strstr(e.hint, "--allow-foreign-isa"));
    CHECK_OK(run_gmma("v100", false, &e), &e);
    CHECK_OK(run_gmma("h100", true, &e), &e);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(architectures), cmocka_unit_test(opcodes),
                                       cmocka_unit_test(what_the_gpu_does_not_have_is_refused)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
