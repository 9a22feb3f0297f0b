/* Control words from disassemblies: the layouts of both tools, real encodings, and text that is not a
 * disassembly. */
#include "simcore/trace/sass_control.h"
#include "tests/unit/trace/texts.h"

/* Encodings by ptxas 13.0 for sm_80 (a load, an FFMA that waits for it, a store, EXIT), in the layout of each
 * tool. */
#define CUOBJDUMP                                                                                                  \
    "\tcode for sm_80\n\t\tFunction : _Z1kPf\n\t.headerflags\t@\"EF_CUDA_SM80\"\n"                                 \
    "        /*0000*/                   MOV R1, c[0x0][0x28] ;      /* 0x00000a0000017a02 */\n"                    \
    "                                                               /* 0x000fe40000000f00 */\n"                    \
    "        /*0010*/                   S2R R4, SR_CTAID.X ;        /* 0x0000000000047919 */\n"                    \
    "                                                               /* 0x000e280000002500 */\n"                    \
    "        /*0020*/              @!P0 LDG.E R7, [R4.64] ;         /* 0x0000000404077981 */\n"                    \
    "                                                               /* 0x000ea8000c1e1900 */\n"                    \
    "        /*0030*/                   FFMA R7, R0, R7, 1 ;        /* 0x3f80000000077423 */\n"                    \
    "                                                               /* 0x004fca0000000007 */\n"
#define NVDISASM                                                                                                   \
    "\t.section\t.text._Z1kPf,\"ax\",@progbits\n.text._Z1kPf:\n"                                                   \
    "        /*0000*/                   MOV R1, c[0x0][0x28] ;  /* 0x00000a0000017a02 */\n"                        \
    "                                                           /* 0x000fe40000000f00 */\n.L_x_0:\n"               \
    "        /*0010*/                   S2R R4, SR_CTAID.X ;    /* 0x0000000000047919 */\n"                        \
    "                                                           /* 0x000e280000002500 */\n"                        \
    "        /*0020*/                   LDG.E R7, [R4.64] ;     /* 0x0000000404077981 */\n"                        \
    "                                                           /* 0x000ea8000c1e1900 */\n"                        \
    "        /*0030*/                   FFMA R7, R0, R7, 1 ;    /* 0x3f80000000077423 */\n"                        \
    "                                                           /* 0x004fca0000000007 */\n"

static int read_disassembly(const char *text, struct sass_control **out, struct err *e)
{
    struct text_input in = {text, strlen(text)};
    struct stream *s;
    int ret;

    CHECK_OK(stream_open_fn(text_read, &in, "k.sass", &s, e), e);
    ret = sass_control_read(s, out, e);
    stream_close(s);
    return ret;
}

static unsigned field(uint32_t control, unsigned shift, unsigned bits)
{
    return control >> shift & ((1u << bits) - 1);
}

static void fields_lie_where_the_header_says(void **state)
{
    uint32_t load = sass_control_word(0x000ea8000c1e1900), sum = sass_control_word(0x004fca0000000007);

    (void)state;
    assert_true(load & CONTROL_KNOWN);
    assert_int_equal(field(load, CONTROL_STALL_SHIFT, 4), 4);
    assert_int_equal(field(load, CONTROL_YIELD_SHIFT, 1), 1);
    assert_int_equal(field(load, CONTROL_WRITE_BARRIER_SHIFT, 3), 2); /* released when R7 is written */
    assert_int_equal(field(load, CONTROL_READ_BARRIER_SHIFT, 3), 7);
    assert_int_equal(field(load, CONTROL_WAIT_SHIFT, 6), 0);
    assert_int_equal(field(sum, CONTROL_STALL_SHIFT, 4), 5);
    assert_int_equal(field(sum, CONTROL_YIELD_SHIFT, 1), 0);
    assert_int_equal(field(sum, CONTROL_WRITE_BARRIER_SHIFT, 3), 7);
    assert_int_equal(field(sum, CONTROL_WAIT_SHIFT, 6), 4); /* waits for barrier 2 */
    assert_int_equal(field(sass_control_word(UINT64_C(0x5) << 58), CONTROL_REUSE_SHIFT, 4), 5);
}

#define TRACE(name, load)                                                                                          \
    "-kernel name = " name "\n-kernel id = 1\n-grid dim = (1,1,1)\n-block dim = (32,1,1)\n"                        \
    "-accelsim tracer version = 5\n#traces\n" CTA("0")                                                             \
        WARP("0", "4") "0000 ffffffff 1 R1 MOV 0 0 0\n0020 ffffffff 1 R7 " load " 1 R4 4 1 0x100 4 0\n"            \
                       "0030 ffffffff 1 R7 FFMA 2 R0 R7 0 0\n0990 ffffffff 0 EXIT 0 0 0\n" END_CTA

/* Reads TRACE with control words. */
static struct sass_control_match read_with(const char *trace, const char *disassembly, uint32_t control[4])
{
    struct sass_control_match match;
    struct sass_control *c;
    struct text_input in;
    struct inst_source *s;
    struct cta_trace *cta;
    struct err e;

    CHECK_OK(read_disassembly(disassembly, &c, &e), &e);
    assert_int_equal(sass_control_functions(c), 1);
    CHECK_OK(open_bytes(&in, trace, strlen(trace), &s, &e), &e);
    CHECK_OK(sass_control_source(s, c, &match, &s, &e), &e);
    assert_int_equal(inst_source_next_cta(s, &cta, &e), 1);
    for (int i = 0; i < 4; i++)
        control[i] = s->insts[cta->warps[0].insts[i].inst].control;
    inst_source_release_cta(s, cta);
    assert_int_equal(inst_source_next_cta(s, &cta, &e), 0);
    inst_source_release(s);
    sass_control_free(c);
    return match;
}

static void both_layouts_give_each_instruction_its_word(void **state)
{
    static const char *const texts[] = {CUOBJDUMP, NVDISASM};

    (void)state;
    for (int i = 0; i < 2; i++) {
        uint32_t control[4];
        struct sass_control_match m = read_with(TRACE("_Z1kPf", "LDG.E.SYS"), texts[i], control);

        assert_true(m.function && m.known == 3 && m.missing == 1 && m.mismatch == 0);
        assert_int_equal(control[0], sass_control_word(0x000fe40000000f00));
        assert_int_equal(control[1], sass_control_word(0x000ea8000c1e1900));
        assert_int_equal(control[2], sass_control_word(0x004fca0000000007));
        assert_int_equal(control[3], 0); /* the disassembly has no such PC */
    }
}

static void what_does_not_fit_stays_unknown(void **state)
{
    uint32_t control[4];
    struct sass_control_match m = read_with(TRACE("_Z1kPf", "LDGSTS.E"), CUOBJDUMP, control);

    (void)state;
    assert_true(m.known == 2 && m.mismatch == 1 && control[1] == 0); /* LDG and LDGSTS differ */
    m = read_with(TRACE("_Z5otherPf", "LDG.E"), CUOBJDUMP, control);
    assert_true(!m.function && m.known == 0 && control[0] == 0);
}

static void what_is_no_disassembly_is_refused(void **state)
{
    static const struct {
        const char *text;
        enum err_code code;
        const char *says;
    } cases[] = {
        {"", ERR_INVALID, "contains no instruction"},
        {"\t\tFunction : f\n nothing\n", ERR_INVALID, "contains no instruction"},
        {"\t\tFunction : f\n /*0000*/ MOV R1, R2 ;\n", ERR_INVALID, "line 2: there is no encoding"},
        /* Pascal: 64 bits per instruction */
        {"\t\tFunction : f\n /*0008*/ MOV R1, c[0x0][0x20]; /* 0x4c98078000870001 */\n /*0010*/ NOP; /* "
         "0x50b0000000070f00 */\n",
         ERR_UNSUPPORTED, "no second half"},
    };
    struct sass_control *c;
    struct err e;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        CHECK_FAILS(read_disassembly(cases[i].text, &c, &e), &e, cases[i].code, cases[i].says);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(fields_lie_where_the_header_says),
        cmocka_unit_test(both_layouts_give_each_instruction_its_word),
        cmocka_unit_test(what_does_not_fit_stays_unknown),
        cmocka_unit_test(what_is_no_disassembly_is_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
