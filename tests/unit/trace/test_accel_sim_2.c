/* Traces of Accel-Sim 2.0: grouped text, raw and .tracez. */
#include "tests/unit/trace/texts.h"

#include <stdlib.h>
#include <zstd.h>

#include "simcore/trace/bundle.h"
#include "simcore/trace/fields.h"
#include "tests/unit/trace/same_source.h"

#define HEADER_2                                                                                                   \
    "-kernel name = k\n-kernel id = 1\n-grid dim = (2,1,1)\n-block dim = (32,1,1)\n-shmem = 2048\n-nregs = 40\n"   \
    "-binary version = 90\n-shmem base_addr = 0x00007f5c00000000\n-accelsim tracer version = 6\n"                  \
    "-enable lineinfo = 0\n\n#traces format = immediate1 immediate2 Val|NoVal\n\n"
#define CTA_2(x, cluster, rank)                                                                                    \
    "#BEGIN_TB\n\nthread block = " x ",0,0\ncluster id = " cluster ",0,0\ncluster cta = " rank                     \
    ",0,0\ncluster rank = " rank "\n\n"
#define EXIT_2 "0400 ffffffff 0 EXIT 0 0 0 0 NoVal \n"
#define WAIT_2                                                                                                     \
    "00c0 ffffffff 0 SYNCS.PHASECHK.TRANS64.TRYWAIT 2 R255 R7 4 1 0x7f5c00000408 0 0 0 Val 1 00000000 1 00000001 " \
    "\n"
#define BRANCH_2 "00d0 ffffffff 0 BRA 0 0 -32 0 NoVal \n"

/* --- lines --- */

static void check_fields(const struct one_cta *o, uint32_t i, uint32_t count, const uint64_t *want)
{
    const struct warp_inst *w = &o->cta->warps[0].insts[i];
    uint64_t field[WARP_LANES];

    assert_int_equal(inst_at(o, 0, i)->width, FIELDS_WIDTH);
    assert_int_equal(fields_of(o->cta, w, field), count);
    for (uint32_t k = 0; k < count; k++)
        if (field[k] != want[k])
            fail_msg("field %u of instruction %u is %#llx, not %#llx", k, i, (unsigned long long)field[k],
                     (unsigned long long)want[k]);
}

static void registers_of_all_kinds_keep_their_places(void **state)
{
    static const char text[] = HEADER_2 CTA_2("0", "0", "0")
        WARP("0", "6") "0000 ffffffff 1 UR4 UMOV 0 0 -7 0 NoVal \n"
                       "0010 ffffffff 1 P0 ISETP.NE.AND 2 R1 UP1 0 0 0 NoVal \n"
                       "0020 ffffffff 1 R9 SEL 3 R1 R2 P0 0 0 0 NoVal \n"
                       "0030 ffffffff 1 R32 IMAD.WIDE.U32 3 R1 UR63 R4 0 4294967295 -9223372036854775808 NoVal \n"
                       "0040 ffffffff 1 R24 HGMMA.64x128x16.F32.BF16 2 R24 UR8 1 0 0 0 Val 1 00000000 1 00000000 1 "
                       "40004000 \n" EXIT_2 END_CTA;
    struct one_cta o;

    (void)state;
    read_one(&o, text);
    assert_int_equal(o.cta->warps[0].count, 6);
    assert_int_equal(inst_at(&o, 0, 0)->dst_count, 0);
    assert_true(inst_at(&o, 0, 0)->has_immediate && inst_at(&o, 0, 0)->immediate == -7);
    assert_int_equal(inst_at(&o, 0, 0)->other_dst, 1 + OTHER_UNIFORM + 4);
    assert_int_equal(inst_at(&o, 0, 1)->dst_count, 0);
    assert_int_equal(inst_at(&o, 0, 1)->other_dst, 1 + OTHER_PREDICATE);
    assert_true(inst_at(&o, 0, 1)->other_src[0] == 0 &&
                inst_at(&o, 0, 1)->other_src[1] == 1 + OTHER_UNIFORM_PREDICATE + 1);
    assert_true(inst_at(&o, 0, 1)->src[0] == 1 && inst_at(&o, 0, 1)->src[1] == REG_ZERO);
    assert_true(inst_at(&o, 0, 2)->dst == 9 && inst_at(&o, 0, 2)->src[1] == 2 &&
                inst_at(&o, 0, 2)->src[2] == REG_ZERO);
    assert_int_equal(inst_at(&o, 0, 3)->src_regs[2], 2); /* the third operand of IMAD.WIDE is a pair */
    assert_true(inst_at(&o, 0, 3)->immediate == 4294967295);
    assert_int_equal(inst_at(&o, 0, 3)->other_src[1], 0); /* URZ */
    assert_int_equal(inst_at(&o, 0, 3)->group, GROUP_UNKNOWN);
    assert_int_equal(inst_at(&o, 0, 4)->group, GROUP_COMMITS);
    assert_int_equal(inst_at(&o, 0, 4)->src[1], REG_ZERO);
    close_one(&o);
}

static void barriers_of_shared_memory_say_what_is_done_to_them(void **state)
{
    static const char text[] = HEADER_2 CTA_2("0", "0", "0") WARP(
        "0",
        "8") "0000 00000001 1 UR63 SYNCS.EXCH.64 2 R255 UR8 8 2 0x7f5c00000420 0 0 Val 1 00000000 1 00000000 1 "
             "7fffe000001ffff8 \n"
             "0010 00000001 1 R63 SYNCS.ARRIVE.TRANS64 2 R255 R9 4 2 0x7f5c00000400 0 0 Val 1 00000000 1 00000000 "
             "1 00000800 \n"
             "0020 00000003 0 SYNCS.ARRIVE.TRANS64.RED.A1T0 2 R3 R255 4 1 0x7f5c00000420 0 0 0 Val 1 00000000 1 "
             "00000000 \n"
             "0030 00000001 0 SYNCS.ARRIVE.TRANS64.RED.A1T0 2 R3 R255 4 2 0x7f5c01000420 0 0 Val 1 00000000 1 "
             "00000000 \n"
             "0040 00000001 0 SYNCS.ARRIVE.TRANS64.A0TX 2 R3 R4 4 2 0x7f5c00000400 0 0 Val 1 00000000 1 00000010 \n"
             "0050 00000000 0 SYNCS.ARRIVE.TRANS64.A1T0 2 R3 R4 4 1 0x0 0 0 0 Val 1 00000000 1 00000010 \n" WAIT_2
                 EXIT_2 END_CTA;
    struct one_cta o;

    (void)state;
    read_one(&o, text);
    assert_int_equal(o.cta->warps[0].count, 8);
    check_fields(&o, 0, BARRIER_FIELDS, (uint64_t[]){0x420, 1, BARRIER_INIT, 4, 0});
    check_fields(&o, 1, BARRIER_FIELDS, (uint64_t[]){0x400, 1, BARRIER_ARRIVE, 1, 0x800});
    check_fields(&o, 2, BARRIER_FIELDS, (uint64_t[]){0x420, 3, BARRIER_ARRIVE, 2, 0});
    check_fields(&o, 3, BARRIER_FIELDS, (uint64_t[]){0x420 + (2ull << FIELDS_RANK_SHIFT), 1, BARRIER_ARRIVE, 1, 0});
    check_fields(&o, 4, BARRIER_FIELDS, (uint64_t[]){0x400, 1, BARRIER_ARRIVE, 0, (uint64_t)-0x10});
    assert_true(o.cta->warps[0].insts[5].mask == 0 && o.cta->warps[0].insts[5].address == UINT32_MAX);
    check_fields(&o, 6, BARRIER_FIELDS, (uint64_t[]){0x408, UINT32_MAX, BARRIER_WAIT, 1, 0});
    close_one(&o);
}

static void copies_by_descriptor_are_rows(void **state)
{
    static const char text[] = HEADER_2 CTA_2("0", "0", "0")
        WARP("0", "6") "00f0 ffffffff 0 UTMALDG.2D 0 16 0x00000400 0 128 0 4 0x7f5b04000000 8 16 16 16 8080 16 16 "
                       "16 -81985529216486896 3 NoVal \n"
                       "0100 ffffffff 0 UTMALDG.3D.MULTICAST 0 16 0x00000400 1 0x0003 96 0 4 0x7f5b04000000 6 16 "
                       "100 200 16 16 0 0 NoVal \n"
                       "0110 00000000 0 UTMALDG.2D 0 0 0x0 0 0 0 4 0x0 0 0 0 NoVal \n"
                       "0120 00000001 0 UTMASTG.2D 0 16 0x00000000 0 16 0 4 0x0 1 0 0 NoVal \n"
                       "0130 00000001 0 UTMAPF.2D 0 16 0x00000000 0 16 0 3 2 0x7f5b04000000 0x7f5b04000010 0 0 "
                       "NoVal \n" EXIT_2 END_CTA;
    struct one_cta o;

    (void)state;
    read_one(&o, text);
    assert_int_equal(o.cta->warps[0].count, 6 + 2);
    check_fields(&o, 0, COPY_FIELDS, (uint64_t[]){0x7f5b04000000, UINT32_MAX, 64, 2, 8128, 128, 0x401, 0, 0});
    /* rows of 32, 16 and 48 bytes */
    check_fields(&o, 1, COPY_FIELDS, (uint64_t[]){0x7f5b04000000, UINT32_MAX, 32, 1, 0, 32, 0x401, 3, 1});
    check_fields(&o, 2, COPY_FIELDS, (uint64_t[]){0x7f5b04000074, UINT32_MAX, 16, 1, 0, 16, 0x401, 3, 1});
    check_fields(&o, 3, COPY_FIELDS, (uint64_t[]){0x7f5b0400013c, UINT32_MAX, 48, 1, 0, 48, 0x401, 3, 0});
    assert_int_equal(o.cta->warps[0].insts[4].mask, 0);
    check_fields(&o, 5, COPY_FIELDS, (uint64_t[]){0, 1, 0, 0, 0, 16, 0, 0, 0}); /* the tracer lost its address */
    assert_int_equal(o.cta->warps[0].insts[6].address, UINT32_MAX);             /* a prefetch */
    close_one(&o);
}

static void version_5_has_no_values(void **state)
{
    static const char text[] =
        "-grid dim = (1,1,1)\n-block dim = (32,1,1)\n-accelsim tracer version = 5\n-enable lineinfo = 1\n"
        "#traces format = immediate1 immediate2\n" CTA("0")
            WARP("0", "5") "7 0000 ffffffff 1 UR4 UMOV 0 0 5 0 \n"
                           "0000 ffffffff 0 REPLAY_START 0 0 0 0\n"
                           "8 0010 ffffffff 0 BAR.SYNC 0 0 2 128 \n"
                           "0000 ffffffff 0 REPLAY_END 0 0 0 0\n"
                           "9 0020 ffffffff 0 EXIT 0 0 0 0 \n" END_CTA;
    struct one_cta o;

    (void)state;
    read_one(&o, text);
    assert_int_equal(o.cta->warps[0].count, 3);
    assert_int_equal(inst_at(&o, 0, 1)->immediate, 128);
    close_one(&o);
}

/* --- polls --- */

static void make_polls(struct strbuf *b, unsigned polls)
{
    strbuf_adds(b, HEADER_2 CTA_2("0", "0", "0"));
    strbuf_addf(b, "warp = 0\ninsts = %u\n", 2 * polls + 1);
    for (unsigned i = 0; i < polls; i++)
        strbuf_adds(b, WAIT_2 BRANCH_2);
    strbuf_adds(b, EXIT_2 END_CTA);
}

static void how_often_a_loop_polled_does_not_matter(void **state)
{
    static const unsigned polls[] = {64, 10000};

    (void)state;
    for (size_t i = 0; i < sizeof polls / sizeof *polls; i++) {
        struct strbuf once = STRBUF_INIT, often = STRBUF_INIT;
        struct text_input in[2];
        struct inst_source *s, *t;
        struct err e;

        make_polls(&once, 1);
        make_polls(&often, polls[i]);
        CHECK_OK(open_bytes(&in[0], once.text, once.length, &s, &e), &e);
        CHECK_OK(open_bytes(&in[1], often.text, often.length, &t, &e), &e);
        assert_int_equal(t->repairs.polls, 2 * (polls[i] - 1));
        t->repairs.polls = 0;
        assert_int_equal(check_same_source(s, t), 3);
        inst_source_release(s);
        inst_source_release(t);
        strbuf_release(&once);
        strbuf_release(&often);
    }
}

static void a_wait_with_work_behind_it_is_no_poll(void **state)
{
    static const char text[] = HEADER_2 CTA_2("0", "0", "0") WARP("0", "4") WAIT_2
        "0030 00000001 1 R4 LDG.E 1 R2 4 2 0x100 0 0 NoVal \n" WAIT_2 EXIT_2 END_CTA;
    struct one_cta o;

    (void)state;
    read_one(&o, text);
    assert_int_equal(o.cta->warps[0].count, 4);
    assert_int_equal(o.s->repairs.polls, 0);
    close_one(&o);
}

/* --- clusters --- */

static void ctas_of_a_cluster_are_counted(void **state)
{
    static const char two[] = HEADER_2 CTA_2("0", "0", "0") WARP("0", "1") EXIT_2 END_CTA CTA_2("1", "0", "1")
        WARP("0", "1") EXIT_2 END_CTA;
    static const char apart[] = HEADER_2 CTA_2("0", "0", "0") WARP("0", "1") EXIT_2 END_CTA CTA_2("1", "1", "0")
        WARP("0", "1") EXIT_2 END_CTA;
    struct one_cta o;

    (void)state;
    read_one(&o, two);
    assert_int_equal(o.s->info.cluster, 2);
    close_one(&o);
    read_one(&o, apart);
    assert_int_equal(o.s->info.cluster, 0);
    close_one(&o);
}

/* --- .tracez --- */

static void put_u32(struct strbuf *b, uint32_t x)
{
    strbuf_add(b, &x, 4);
}

static void put_u64(struct strbuf *b, uint64_t x)
{
    strbuf_add(b, &x, 8);
}

static void put_chunk(struct strbuf *b, const char *lines)
{
    char frame[4096];
    size_t n = ZSTD_compress(frame, sizeof frame, lines, strlen(lines), 3);

    assert_false(ZSTD_isError(n));
    put_u32(b, (uint32_t)n);
    strbuf_add(b, frame, n);
}

/* One warp of two chunks and one warp without instructions, in two CTAs. */
static void make_tracez(struct strbuf *b)
{
    size_t first, second, footer;

    strbuf_adds(b, HEADER_2);
    strbuf_addc(b, '\0');
    put_u32(b, 0);
    put_u32(b, 2);
    first = b->length;
    put_u32(b, 3);
    put_u32(b, 2);
    put_chunk(b, "0000 ffffffff 1 R1 LDC 0 0 0 0 NoVal \n0010 0000000f 1 R4 LDG.E 1 R2 4 1 0x100 4 0 0 NoVal ");
    put_chunk(b, "0400 ffffffff 0 EXIT 0 0 0 0 NoVal ");
    second = b->length;
    put_u32(b, 0);
    put_u32(b, 0);
    footer = b->length;
    put_u32(b, 2);
    for (uint32_t cta = 0; cta < 2; cta++) {
        const uint32_t numbers[11] = {cta, 0, 0, cta, 0, 0, 0, 0, 0, 0, 1};

        for (int i = 0; i < 11; i++)
            put_u32(b, numbers[i]);
        put_u32(b, cta ? 0 : 3);
        put_u32(b, cta ? 0 : 2);
        put_u64(b, cta ? second : first);
        if (!cta) {
            put_u32(b, 2);
            put_u32(b, 1);
        }
    }
    put_u64(b, footer);
}

static void a_tracez_is_the_text_that_it_was_made_of(void **state)
{
    static const char text[] = HEADER_2 CTA_2("0", "0", "0") WARP(
        "0",
        "3") "0000 ffffffff 1 R1 LDC 0 0 0 0 NoVal \n0010 0000000f 1 R4 LDG.E 1 R2 4 1 0x100 4 0 0 NoVal \n" EXIT_2
        END_CTA CTA_2("1", "1", "0") WARP("0", "0") END_CTA;
    struct strbuf packed = STRBUF_INIT;
    struct text_input in[2];
    struct inst_source *s, *t;
    struct err e;

    (void)state;
    make_tracez(&packed);
    CHECK_OK(open_bytes(&in[0], text, strlen(text), &s, &e), &e);
    CHECK_OK(open_bytes(&in[1], packed.text, packed.length, &t, &e), &e);
    assert_int_equal(check_same_source(s, t), 3);
    inst_source_release(s);
    inst_source_release(t);
    strbuf_release(&packed);
}

/* Reads all CTAs. 0; -1 with *e filled. */
static int read_all(const char *bytes, size_t n, struct err *e)
{
    struct text_input in;
    struct inst_source *s;
    struct cta_trace *cta;
    int got;

    if (open_bytes(&in, bytes, n, &s, e) < 0)
        return -1;
    while ((got = inst_source_next_cta(s, &cta, e)) > 0)
        inst_source_release_cta(s, cta);
    inst_source_release(s);
    return got;
}

static void damaged_tracez_files_are_refused(void **state)
{
    struct strbuf packed = STRBUF_INIT;
    struct err e;
    size_t body;

    (void)state;
    make_tracez(&packed);
    body = strlen(packed.text) + 1;
    CHECK_OK(read_all(packed.text, packed.length, &e), &e);
    for (size_t n = body; n < packed.length; n++)
        if (read_all(packed.text, n, &e) == 0)
            fail_msg("cut at byte %zu of %zu: no error", n, packed.length);
    for (size_t i = body; i < packed.length; i++) { /* each byte in turn gives an error or valid content */
        packed.text[i] ^= 0x55;
        if (read_all(packed.text, packed.length, &e) < 0)
            assert_true(e.text[0] != '\0');
        packed.text[i] ^= 0x55;
    }
    strbuf_release(&packed);
}

static void wrong_lines_say_what_is_wrong(void **state)
{
    static const struct {
        const char *text, *part;
    } rows[] = {
        {HEADER_2 CTA_2("0", "0", "0") WARP("0", "1") "0000 ffffffff 1 R1 LDC 0 0 0 NoVal \n" END_CTA,
         "line 23: an immediate is missing"},
        {HEADER_2 CTA_2("0", "0", "0") WARP("0", "1") "0000 ffffffff 1 R1 LDC 0 0 0 0 Maybe \n" END_CTA,
         "expected Val or NoVal"},
        {HEADER_2 CTA_2("0", "0", "0") WARP("0", "1") "0000 ffffffff 0 BAR.SYNC 1 R1 0 0 0 Val 7 0 \n" END_CTA,
         "a register value is missing"},
        {HEADER_2 CTA_2("0", "0", "0") WARP("0", "1") "0000 ffffffff 0 UTMALDG.2D 0 16 12 NoVal \n" END_CTA,
         "not that of a copy by descriptor"},
        {HEADER_2 CTA_2("0", "0", "16") WARP("0", "1") EXIT_2 END_CTA, "`cluster rank` is not a number below 16"},
        {HEADER_2 CTA_2("0", "0", "1") WARP("0", "1") EXIT_2 END_CTA CTA_2("1", "1", "1") WARP("0", "1")
             EXIT_2 END_CTA,
         "has rank 1 of its cluster"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct err e;
        int ret = read_all(rows[i].text, strlen(rows[i].text), &e);

        if (ret == 0 || !strstr(e.text, rows[i].part))
            fail_msg("row %zu: %s", i, ret == 0 ? "no error" : e.text);
    }
}

/* --- files of Accel-Sim's own tools --- */

struct pair {
    struct bundle a, b;
};

static void check_same_files(const char *left, const char *right)
{
    struct pair p;
    struct err e;

    CHECK_OK(bundle_open(left, NULL, NULL, &p.a, &e), &e);
    CHECK_OK(bundle_open(right, NULL, NULL, &p.b, &e), &e);
    assert_int_equal(p.a.count, p.b.count);
    for (size_t i = 0; i < p.a.count; i++) {
        struct trace_place x = bundle_place(&p.a.kernels[i]), y = bundle_place(&p.b.kernels[i]);
        struct inst_source *s, *t;

        CHECK_OK(trace_file_open(&x, &s, &e), &e);
        CHECK_OK(trace_file_open(&y, &t, &e), &e);
        check_same_source(s, t);
        inst_source_release(s);
        inst_source_release(t);
    }
    bundle_close(&p.a);
    bundle_close(&p.b);
}

static void check_case(const char *name, uint64_t ctas, uint64_t warps, uint64_t instructions,
                       bool raw_has_all_warps)
{
    static const char *const forms[] = {"text", "tracez", "raw"};
    char path[3][256];
    struct err e;

    for (size_t f = 0; f < 3; f++) {
        struct trace_counts sum = {0};
        struct bundle b;
        char relative[128];

        snprintf(relative, sizeof relative, "traces/accel-sim-2/%s/%s", name, forms[f]);
        snprintf(path[f], sizeof path[f], "%s", shared_data(relative));
        CHECK_OK(bundle_open(path[f], NULL, NULL, &b, &e), &e);
        for (size_t i = 0; i < b.count; i++) {
            struct trace_place p = bundle_place(&b.kernels[i]);
            struct trace_counts counts;
            struct kernel_info info;
            uint64_t bytes;

            CHECK_OK(trace_file_count(&p, &info, &counts, &bytes, &e), &e);
            kernel_info_release(&info);
            sum.ctas += counts.ctas;
            sum.warps += counts.warps;
            sum.warp_instructions += counts.warp_instructions;
        }
        bundle_close(&b);
        assert_int_equal(sum.warp_instructions, instructions);
        assert_int_equal(sum.ctas, ctas);
        if (f < 2 || raw_has_all_warps)
            assert_int_equal(sum.warps, warps);
    }
    check_same_files(path[0], path[1]);
    check_same_files(path[0], path[2]);
}

/* The numbers of their README. */
static void recorded_cases_are_the_same_in_all_forms(void **state)
{
    (void)state;
    check_case("first-steps", 13, 61, 998, false);
    check_case("hopper-gemm", 10, 58, 2206, true);
    check_case("long-warps", 2, 4, 24156, true);
}

/* A load of global memory in a polling region is marked, also in a .vtrace. */
static void a_load_in_a_region_is_a_poll(void **state)
{
    static const char text[] = HEADER_2 CTA_2("0", "0", "0")
        WARP("0", "6") "0000 ffffffff 0 REPLAY_START 0 0 0 0\n"
                       "0010 00000001 1 R4 LDG.E.STRONG.GPU 1 R2 4 2 0x7f0000001000 0 0 NoVal \n"
                       "0020 00000001 1 P0 ISETP.NE.AND 2 R4 R255 0 0 0 NoVal \n"
                       "0000 ffffffff 0 REPLAY_END 0 0 0 0\n"
                       "0030 00000001 1 R6 LDG.E 1 R2 4 2 0x7f0000001000 0 0 NoVal \n" EXIT_2 END_CTA;
    struct one_cta o;

    (void)state;
    read_one(&o, text);
    assert_int_equal(o.cta->warps[0].count, 4);
    assert_int_equal(inst_at(&o, 0, 0)->control, CONTROL_POLL);
    assert_int_equal(inst_at(&o, 0, 1)->control, 0);
    assert_int_equal(inst_at(&o, 0, 2)->control, 0);
    close_one(&o);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(registers_of_all_kinds_keep_their_places),
        cmocka_unit_test(barriers_of_shared_memory_say_what_is_done_to_them),
        cmocka_unit_test(copies_by_descriptor_are_rows),
        cmocka_unit_test(version_5_has_no_values),
        cmocka_unit_test(how_often_a_loop_polled_does_not_matter),
        cmocka_unit_test(a_wait_with_work_behind_it_is_no_poll),
        cmocka_unit_test(ctas_of_a_cluster_are_counted),
        cmocka_unit_test(a_tracez_is_the_text_that_it_was_made_of),
        cmocka_unit_test(damaged_tracez_files_are_refused),
        cmocka_unit_test(wrong_lines_say_what_is_wrong),
        cmocka_unit_test(a_load_in_a_region_is_a_poll),
        cmocka_unit_test(recorded_cases_are_the_same_in_all_forms),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
