#include "tests/unit/trace/texts.h"

static const char version_5[] = HEADER("5") CTA("0")
    WARP("0", "7") "0000 ffffffff 1 R1 IMAD.MOV.U32 2 R255 R255 0 0 \n"
                   "0010 ffffffff 1 R4 LDG.E.128.SYS 1 R2 16 1 0x7f4000000000 -16 0 \n"
                   "0020 0000000f 0 STG.E 2 R2 R4 4 2 0x7f4000000000 4 8 -12 0 \n"
                   "0030 00000001 0 SHFL.IDX 4 R5 R4 R6 R7 0 0 \n"
                   "0040 00000000 1 R8 LDG.E 1 R2 4 1 0x0 4 0 \n"
                   "0050 ffffffff 0 DEPBAR.LE 0 0 -3 \n"
                   "0060 ffffffff 0 EXIT 0 0 0 \n"
                   "\n" WARP("1", "0") END_CTA CTA("1") WARP("1", "1") "0060 ffffffff 0 EXIT 0 0 0 \n" END_CTA;

static void a_cta_has_its_warps_and_instructions(void **state)
{
    struct one_cta o;

    (void)state;
    read_one(&o, version_5);
    assert_string_equal(o.s->info.name, "_Z1kPf");
    assert_true(o.s->info.id == 3 && o.s->info.grid[0] == 2 && o.s->info.block[0] == 64);
    assert_true(o.s->info.shared_bytes == 16 && o.s->info.registers == 12 && o.s->info.binary_version == 80);
    assert_int_equal(o.cta->warp_count, 2);
    assert_int_equal(o.cta->warps[0].count, 7);
    assert_int_equal(o.cta->warps[1].count, 0);
    assert_string_equal(opcode_at(&o, 0, 1), "LDG.E.128.SYS");
    assert_int_equal(inst_at(&o, 0, 1)->pc, 0x10);
    assert_int_equal(inst_at(&o, 0, 1)->width, 16);
    assert_int_equal(inst_at(&o, 0, 1)->dst_regs, 4);
    assert_int_equal(inst_at(&o, 0, 3)->dst, 5); /* the destination of SHFL, which the trace lacks */
    assert_true(inst_at(&o, 0, 5)->has_immediate && inst_at(&o, 0, 5)->immediate == -3);
    assert_true(o.s->repairs.destination_from_source == 1 && o.s->repairs.register_group == 3);
    close_one(&o);
}

static void each_address_mode_gives_the_lanes_their_addresses(void **state)
{
    const struct warp_inst *w;
    struct one_cta o;

    (void)state;
    read_one(&o, version_5);
    w = o.cta->warps[0].insts;
    assert_true(lane_address(o.cta, &w[1], 0) == 0x7f4000000000);
    assert_true(lane_address(o.cta, &w[1], 31) == 0x7f4000000000 - 31 * 16);
    assert_true(lane_address(o.cta, &w[2], 0) == 0x7f4000000000);
    assert_true(lane_address(o.cta, &w[2], 1) == 0x7f4000000004);
    assert_true(lane_address(o.cta, &w[2], 2) == 0x7f400000000c);
    assert_true(lane_address(o.cta, &w[2], 3) == 0x7f4000000000);
    assert_true(w[4].address == UINT32_MAX); /* no active lane, so no address */
    assert_true(w[3].address == UINT32_MAX && w[0].address == UINT32_MAX);
    close_one(&o);
}

static void addresses_in_their_rarer_forms(void **state)
{
    static const char text[] = HEADER("5") CTA("0")
        WARP("0", "6") "0000 00000010 1 R4 LDG.E 1 R2 4 2 0x100 0 \n" /* one lane: no differences */
                       /* a stride across an inactive lane */
                       "0010 00000500 1 R4 LDG.E 1 R2 4 1 0x100 8 0 \n"
                       "0020 00000500 1 R4 LDG.E 1 R2 4 0 0x100 0x900 0 \n"         /* a list */
                       "0030 00000500 1 R4 LDG.E 1 R2 4 2 0x100 2048 \n"            /* no immediate */
                       "0040 00000006 1 R4 LDL 1 R2 4 2 0xfffffffffffffff0 32 0 \n" /* beyond the end of memory */
                       "0050 00000000 1 R4 LDG.E 1 R2 4 2 0x0 0 \n" END_CTA;
    const struct warp_inst *w;
    struct one_cta o;

    (void)state;
    read_one(&o, text);
    w = o.cta->warps[0].insts;
    assert_true(lane_address(o.cta, &w[0], 4) == 0x100);
    assert_true(lane_address(o.cta, &w[1], 8) == 0x100 && lane_address(o.cta, &w[1], 10) == 0x110);
    assert_true(lane_address(o.cta, &w[2], 8) == 0x100 && lane_address(o.cta, &w[2], 10) == 0x900);
    assert_true(lane_address(o.cta, &w[3], 8) == 0x100 && lane_address(o.cta, &w[3], 10) == 0x900);
    assert_true(lane_address(o.cta, &w[4], 1) == 0xfffffffffffffff0 && lane_address(o.cta, &w[4], 2) == 0x10);
    assert_true(w[5].address == UINT32_MAX);
    close_one(&o);
}

static void old_versions_have_a_prefix_and_listed_addresses(void **state)
{
    static const char body[] = CTA("0")
        WARP("0", "4") "0 0 0 0 0000 00000005 1 R2 LDG.E 1 R4 4 0 0x10 0x20 \n"
                       "0 0 0 0 0010 00000005 1 R2 LDG.E 1 R4 4 0x10 0x20 \n" /* versions without address modes */
                       /* more addresses than the mask has active lanes */
                       "0 0 0 0 0020 00000005 1 R2 LDG.E 1 R4 4 0 "
                       "0x0 0x1 0x2 0x3 0x4 0x5 0x6 0x7 0x8 0x9 0xa 0xb 0xc 0xd 0xe 0xf 0x10 0x11 0x12 0x13 0x14 "
                       "0x15 0x16 0x17 "
                       "0x18 0x19 0x1a 0x1b 0x1c 0x1d 0x1e 0x1f \n"
                       "0 0 0 0 0000 00000005 1 R2 LDG.E 1 R4 4 0 0x30 0x40 \n" END_CTA;
    static const char *const headers[] = {
        "-grid dim = (1,1,1)\n-block dim = (32,1,1)\n#traces\n", /* no version, and an incomplete header */
        "-grid dim = (1,1,1)\n-accelsim tracer version = 1.2\n-block dim = (32,1,1)\n#traces\n",
    };

    (void)state;
    for (size_t i = 0; i < sizeof headers / sizeof *headers; i++) {
        struct strbuf text = STRBUF_INIT;
        const struct warp_inst *w;
        struct one_cta o;

        strbuf_addf(&text, "%s%s", headers[i], body);
        read_one(&o, text.text);
        w = o.cta->warps[0].insts;
        assert_int_equal(o.cta->warps[0].count, 4);
        assert_true(lane_address(o.cta, &w[0], 0) == 0x10 && lane_address(o.cta, &w[0], 2) == 0x20);
        assert_true(lane_address(o.cta, &w[1], 0) == 0x10 && lane_address(o.cta, &w[1], 2) == 0x20);
        assert_true(lane_address(o.cta, &w[2], 0) == 0 && lane_address(o.cta, &w[2], 2) == 2);
        assert_true(lane_address(o.cta, &w[3], 0) == 0x30);
        assert_int_equal(w[0].inst, w[3].inst);
        assert_string_equal(o.s->info.name, "");
        assert_int_equal(o.s->info.registers, 1);
        close_one(&o);
        strbuf_release(&text);
    }
}

static void line_numbers_stand_before_the_pc(void **state)
{
    static const char text[] = "-enable lineinfo = 1\n" HEADER("4") CTA("0")
        WARP("0", "3") "17 0000 ffffffff 1 R1 MOV 0 0 \n17 0008 ffffffff 0 EXIT 0 0 \n17 0000 ffffffff 1 R1 MOV 0 "
                       "0 \n" END_CTA;
    struct one_cta o;

    (void)state;
    read_one(&o, text);
    assert_int_equal(inst_at(&o, 0, 0)->pc, 0);
    assert_int_equal(inst_at(&o, 0, 1)->pc, 8);
    assert_int_equal(o.s->inst_count, 2);
    close_one(&o);
}

/* Other white space, line ends of another system, no white space at the end: the result is the same. */
static void texts_are_read_with_other_blanks(void **state)
{
    static const char text[] =
        "\n-kernel name=k\r\n  \n-grid dim=( 1 , 1 ,1 ) \n-unknown = 1\n-block dim  =  (32,1,1)\n#BEGIN_TB\n"
        "thread block=0 , 0,0\r\nwarp=0\r\ninsts  =  3\r\n"
        "0000 ffffffff 1 R1 MOV 0 0\r\n  0000\tffffffff  1 R1  MOV 0 0 \n\n\n0010 1f 1 R2 LDG.E 1 R4 4 1 0x10 "
        "4\n#END_TB";
    struct strbuf t = STRBUF_INIT;
    struct one_cta o;

    (void)state;
    strbuf_addf(&t, "-accelsim tracer version = 3\n%s", text);
    read_one(&o, t.text);
    assert_string_equal(o.s->info.name, "k");
    assert_int_equal(o.cta->warps[0].count, 3);
    assert_string_equal(opcode_at(&o, 0, 1), "MOV");
    assert_int_equal(o.cta->warps[0].insts[2].mask, 0x1f);
    assert_true(lane_address(o.cta, &o.cta->warps[0].insts[2], 4) == 0x20);
    close_one(&o);
    strbuf_release(&t);
}

static void equal_lines_are_one_static_instruction(void **state)
{
    static const char text[] =
        HEADER("5") CTA("0") WARP("0", "5") "0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x100 4 0 \n"
                                            "0000 0000ffff 1 R4 LDG.E 1 R2 4 1 0x200 4 0 \n"
                                            "0000 0000ffff 1 R4 LDG.E 1 R2 4 1 0x200 4 7 \n" /* another immediate */
                                            "0000 0000ffff 1 R5 LDG.E 1 R2 4 1 0x200 4 0 \n" /* another register */
                                            "0010 0000ffff 1 R4 LDG.E 1 R2 4 1 0x200 4 0 \n" /* another PC */
        END_CTA;
    const struct warp_inst *w;
    struct one_cta o;

    (void)state;
    read_one(&o, text);
    w = o.cta->warps[0].insts;
    assert_int_equal(w[0].inst, w[1].inst);
    assert_int_equal(o.s->inst_count, 4);
    assert_int_equal(o.s->opcode_count, 1);
    close_one(&o);
}

static void what_the_grid_has_more_than_the_file_is_counted(void **state)
{
    static const char text[] = HEADER("5") CTA("1") WARP("0", "0") END_CTA;
    struct text_input in;
    struct inst_source *s;
    struct cta_trace *cta;
    struct err e;

    (void)state;
    CHECK_OK(open_bytes(&in, text, strlen(text), &s, &e), &e);
    assert_int_equal(inst_source_next_cta(s, &cta, &e), 1);
    assert_int_equal(cta->id[0], 1);
    inst_source_release_cta(s, cta);
    assert_int_equal(inst_source_next_cta(s, &cta, &e), 0);
    assert_int_equal(inst_source_next_cta(s, &cta, &e), 0);
    assert_true(s->repairs.empty_ctas == 1);
    inst_source_release(s);
}

/* Several CTAs can be held at once. Released CTAs are reused. */
static void held_ctas_keep_their_content(void **state)
{
    struct text_input in;
    struct inst_source *s;
    struct cta_trace *a, *b;
    struct err e;

    (void)state;
    CHECK_OK(open_bytes(&in, version_5, strlen(version_5), &s, &e), &e);
    assert_int_equal(inst_source_next_cta(s, &a, &e), 1);
    assert_int_equal(inst_source_next_cta(s, &b, &e), 1);
    assert_ptr_not_equal(a, b);
    assert_int_equal(a->warps[0].count, 7);
    assert_int_equal(a->warps[0].insts[6].inst, b->warps[1].insts[0].inst);
    assert_true(a->index == 0 && b->index == 1 && a->id[0] == 0 && b->id[0] == 1);
    assert_int_equal(b->warps[0].count, 0);
    inst_source_release_cta(s, b);
    inst_source_release_cta(s, a);
    inst_source_release(s);
}

static void raw_traces_are_grouped(void **state)
{
    static const char text[] = HEADER("3") "1 0 0 1 0000 ffffffff 1 R1 MOV 0 0 \n"
                                           "0 0 0 1 0000 ffffffff 1 R1 MOV 0 0 \n"
                                           "0 0 0 0 0000 ffffffff 1 R1 MOV 0 0 \n"
                                           "0 0 0 1 0010 00000003 0 LDGSTS.E.BYPASS.128 2 R5 R2 16 1 0x10 16 \n"
                                           "0 0 0 0 0010 00000003 0 LDGSTS.E.BYPASS.128 2 R5 R2 16 1 0x20 16 \n"
                                           "0 0 0 1 0010 00000003 0 LDGSTS.E.BYPASS.128 2 R5 R2 16 1 0x7f10 16 \n"
                                           "0 0 0 0 0010 00000003 0 LDGSTS.E.BYPASS.128 2 R5 R2 16 1 0x7f20 16 \n"
                                           "0 0 0 1 0020 ffffffff 0 EXIT 0 0 \n";
    struct trace_counts counts;
    uint64_t instructions;
    struct one_cta o;
    struct err e;

    (void)state;
    read_one(&o, text);
    assert_int_equal(o.cta->id[0], 0);
    assert_int_equal(o.cta->warps[0].count, 2);
    assert_int_equal(o.cta->warps[1].count, 3);
    assert_true(lane_address(o.cta, &o.cta->warps[1].insts[1], 1) == 0x7f20); /* global address of the pair */
    assert_string_equal(opcode_at(&o, 1, 2), "EXIT");
    close_one(&o);
    CHECK_OK(read_text(text, strlen(text), &instructions, &e), &e);
    assert_true(instructions == 6);
    CHECK_OK(count_text(text, strlen(text), &counts, &e), &e);
    assert_true(counts.warp_instructions == 6 && counts.ctas == 2 && counts.warps == 3);
}

static void counting_agrees_with_reading(void **state)
{
    struct trace_counts counts;
    uint64_t instructions;
    struct err e;

    (void)state;
    CHECK_OK(count_text(version_5, strlen(version_5), &counts, &e), &e);
    CHECK_OK(read_text(version_5, strlen(version_5), &instructions, &e), &e);
    assert_true(instructions == 8 && counts.warp_instructions == 8 && counts.ctas == 2 && counts.warps == 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_cta_has_its_warps_and_instructions),
        cmocka_unit_test(each_address_mode_gives_the_lanes_their_addresses),
        cmocka_unit_test(addresses_in_their_rarer_forms),
        cmocka_unit_test(old_versions_have_a_prefix_and_listed_addresses),
        cmocka_unit_test(line_numbers_stand_before_the_pc),
        cmocka_unit_test(texts_are_read_with_other_blanks),
        cmocka_unit_test(equal_lines_are_one_static_instruction),
        cmocka_unit_test(what_the_grid_has_more_than_the_file_is_counted),
        cmocka_unit_test(held_ctas_keep_their_content),
        cmocka_unit_test(raw_traces_are_grouped),
        cmocka_unit_test(counting_agrees_with_reading),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
