#include "tests/unit/trace/texts.h"

#include <sys/resource.h>

#define GOOD_WARP   WARP("0", "1") "0000 ffffffff 0 EXIT 0 0 0 \n"
#define ONE(line)   HEADER("5") CTA("0") WARP("0", "1") line "\n" END_CTA
#define HEAD(lines) lines "-block dim = (32,1,1)\n-grid dim = (1,1,1)\n#traces\n"

static void damage_is_named_with_its_line(void **state)
{
    static const struct {
        const char *text, *part;
    } rows[] = {
        {"", "ends inside the header"},
        {"#!/bin/sh\n", "does not say the grid dimensions"},
        {HEADER("5"), "contains no CTA"},
        {"hello\n", "k.traceg: line 1 does not belong to the header"},
        {"-grid dim = (1,1,1)\n#traces\n", "does not say the block dimensions"},
        {HEAD("-grid dim = (1,1)\n"), "line 1: the header's \"grid dim\""},
        {HEAD("-grid dim = (1,1,4294967296)\n"), "line 1: the header's \"grid dim\""},
        {HEAD("-shmem = -1\n"), "line 1: the header's \"shmem\""},
        {HEAD("-kernel id = 99999999999999999999999\n"), "the header's \"kernel id\""},
        {HEAD("-shmem base_addr = 0x\n"), "the header's \"shmem base_addr\""},
        {HEAD("-enable lineinfo = 2\n"), "the header's \"enable lineinfo\""},
        {"-grid dim = (1,70000,1)\n-block dim = (1,1,1)\n#\n", "no GPU has a grid of (1,70000,1)"},
        {"-grid dim = (1,0,1)\n-block dim = (1,1,1)\n#\n", "no GPU has a grid"},
        {"-grid dim = (1,1,1)\n-block dim = (1024,1024,1024)\n#\n", "no GPU has a block"},
        {"-grid dim = (1,1,1)\n-block dim = (2000000000,2000000000,2)\n#\n", "no GPU has a block"},
        {HEADER("5") CTA("2") GOOD_WARP END_CTA, "line 14: CTA 2,0,0 is outside of the grid (2,1,1)"},
        {HEADER("5") CTA("x") GOOD_WARP END_CTA, "`thread block` is not followed by three numbers"},
        {HEADER("5") CTA("0") GOOD_WARP END_CTA CTA("1") GOOD_WARP END_CTA CTA("0") GOOD_WARP END_CTA,
         "more CTAs than the grid has"},
        {HEADER("5") CTA("0") WARP("2", "0") END_CTA, "line 16: warp 2 in a CTA of 2 warps"},
        {HEADER("5") CTA("0") WARP("99999999999", "0") END_CTA, "in a CTA of 2 warps"},
        {HEADER("5") CTA("0") GOOD_WARP GOOD_WARP END_CTA, "for the second time"},
        {HEADER("5") CTA("0") "warp = 0\n0000 ffffffff 0 EXIT 0 0 0\n" END_CTA, "`insts = N` must follow"},
        {HEADER("5") CTA("0") WARP("0", "many") END_CTA, "`insts = N` must follow"},
        {HEADER("5") CTA("0") CTA("1") GOOD_WARP END_CTA, "before the previous CTA has ended"},
        {HEADER("5") "#BEGIN_TB\n" GOOD_WARP END_CTA, "must begin with `thread block = x,y,z`"},
        {HEADER("5") "#BEGIN_TB\n#END_TB\n", "without `thread block"},
        {HEADER("5") CTA("0") GOOD_WARP END_CTA "junk\n", "between CTAs there must be nothing else"},
        {HEADER("5") CTA("0") WARP("0", "2") "0000 ffffffff 0 EXIT 0 0 0\n" END_CTA,
         "line 20: warp 0 of CTA 0,0,0 has 1 instructions where `insts` says 2"},
        {HEADER("5") CTA("0") WARP("0", "1") "0000 ffffffff 0 EXIT 0 0 0\n0010 ffffffff 0 EXIT 0 0 0\n" END_CTA,
         "line 19: the warp has more instructions than its `insts` says"},
        {HEADER("5") CTA("0") WARP("0", "18446744073709551615") "0000 ffffffff 0 EXIT 0 0 0\n" END_CTA,
         "1 instructions where `insts` says 18446744073709551615"},
        {ONE("0000 ffffffff 1 R4 LDG.E 1 R2 4 2 0x100 4 4"), "line 18: the address list does not fit the 32 lanes"},
        {ONE("0000 ffffffff 1 R4 LDG.E 1 R2 4 0 0x100 0x200"), "the address list"},
        {ONE("0000 ffffffff 1 R4 LDG.E 1 R2 4 3 0x100 4"), "the address list"},
        {ONE("0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x11112222333344445 4"), "the address list"},
        {ONE("0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x100 99999999999999999999"), "the address list"},
        {ONE("0000 ffffffff 1 R4 LDG.E 1 R2 4"), "the address list"},
        {ONE("0000 ffffffff 1 R4 LDG.E 1 R2 70000 1 0x100 4"), "access width"},
        {ONE("0000 fffffffff 1 R4 MOV 0 0 0"), "the mask"},
        {ONE("0000"), "program counter"},
        {ONE("123456789 ffffffff 1 R4 MOV 0 0 0"), "program counter"},
        {ONE("0000 ffffffff 2 R4 R5 MOV 0 0 0"), "number of destinations"},
        {ONE("0000 ffffffff 1 R256 MOV 0 0 0"), "register"},
        {ONE("0000 ffffffff 1 P0 MOV 0 0 0"), "register"},
        {ONE("0000 ffffffff 0 MOV 99999999999999999999 0 0"), "number of sources"},
        {ONE("0000 ffffffff 0 MOV 3 R1 R2 0 0"), "register"},
        {ONE("0000 ffffffff 0 EXIT 0 0 x"), "immediate"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        uint64_t n;
        struct err e;

        if (read_text(rows[i].text, strlen(rows[i].text), &n, &e) >= 0)
            fail_msg("row %zu should fail with \"%s\"", i, rows[i].part);
        if (e.code != ERR_INVALID || !strstr(e.text, rows[i].part) || strncmp(e.text, "k.traceg", 8) != 0)
            fail_msg("row %zu: got %s \"%s\", want \"%s\"", i, err_name(e.code), e.text, rows[i].part);
    }
}

static const char sound[] = HEADER("5") CTA("0")
    WARP("0", "2") "0000 ffffffff 1 R4 LDG.E 1 R2 4 1 0x100 4 0 \n0010 ffffffff 0 EXIT 0 0 0 \n" WARP(
        "1", "1") "0010 ffffffff 0 EXIT 0 0 0 \n" END_CTA CTA("1") GOOD_WARP END_CTA;

/* A truncated file is an error, except between CTAs, because a CTA may be missing. */
static void a_file_cut_anywhere_is_an_error(void **state)
{
    size_t whole = (size_t)(strstr(sound, "#END_TB") - sound) + strlen("#END_TB");

    (void)state;
    for (size_t keep = 0; keep < strlen(sound) - 3; keep++) { /* the last three bytes are line ends */
        bool fine = keep >= whole && keep <= whole + 2;
        struct trace_counts counts;
        uint64_t n;
        struct err e;
        int ret = read_text(sound, keep, &n, &e);

        if ((ret >= 0) != fine)
            fail_msg("cut at %zu: %s", keep, ret < 0 ? e.text : "no error");
        ret = count_text(sound, keep, &counts, &e);
        if ((ret >= 0) != fine)
            fail_msg("counting, cut at %zu: %s", keep, ret < 0 ? e.text : "no error");
    }
}

static void traces_of_newer_tracers_are_refused(void **state)
{
    static const struct {
        const char *text, *part;
    } rows[] = {
        {HEADER("7"), "tracer of version 7, newer than 6"},
        {HEADER("4294967295"), "tracer of version 4294967295, newer than 6"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof rows / sizeof *rows; i++) {
        struct trace_counts counts;
        uint64_t n;
        struct err e;

        CHECK_FAILS(read_text(rows[i].text, strlen(rows[i].text), &n, &e), &e, ERR_UNSUPPORTED, rows[i].part);
        CHECK_FAILS(count_text(rows[i].text, strlen(rows[i].text), &counts, &e), &e, ERR_UNSUPPORTED, rows[i].part);
    }
}

static void a_cut_says_in_which_warp(void **state)
{
    const char *second = strstr(sound, WARP("1", "1"));
    uint64_t n;
    struct err e;

    (void)state;
    CHECK_FAILS(read_text(sound, (size_t)(second - sound) + 20, &n, &e), &e, ERR_INVALID,
                "k.traceg ends inside warp 1 of CTA 0,0,0");
    CHECK_FAILS(read_text(sound, (size_t)(second - sound) + 30, &n, &e), &e, ERR_INVALID,
                "k.traceg ends inside warp 1 of CTA 0,0,0");
    assert_true(e.hint[0]);
}

static void nul_bytes_are_damage(void **state)
{
    (void)state;
    for (size_t at = strlen(HEADER("5")); at < strlen(sound); at++) {
        char text[sizeof sound];
        uint64_t n;
        struct err e;

        memcpy(text, sound, sizeof sound);
        if (text[at] == '\n' || text[at] == ' ')
            continue;
        text[at] = '\0';
        if (read_text(text, strlen(sound), &n, &e) >= 0)
            fail_msg("a NUL at %zu passed", at);
    }
}

/* A header, then a gigabyte without a line end, from a sparse file. */
static void an_endless_line_is_refused_quickly(void **state)
{
    static const char *const starts[] = {"", HEADER("5"), HEADER("5") CTA("0") WARP("0", "1")};

    (void)state;
    for (size_t i = 0; i < sizeof starts / sizeof *starts; i++) {
        char path[] = "/tmp/vivace-test-XXXXXX";
        int fd = mkstemp(path);
        struct rusage before, after;
        struct inst_source *s;
        struct cta_trace *cta;
        struct err e;
        int got;

        assert_true(fd >= 0 && write(fd, starts[i], strlen(starts[i])) == (ssize_t)strlen(starts[i]));
        assert_int_equal(ftruncate(fd, 1 << 30), 0);
        close(fd);
        getrusage(RUSAGE_SELF, &before);
        got = accel_sim_open_path(path, &s, &e);
        if (got == 0) {
            got = inst_source_next_cta(s, &cta, &e);
            inst_source_release(s);
        }
        CHECK_FAILS(got, &e, ERR_INVALID, "is longer than 1048576 bytes");
        getrusage(RUSAGE_SELF, &after);
        assert_true(after.ru_maxrss - before.ru_maxrss < 32 << 10); /* KiB */
        unlink(path);
    }
}

static void more_kinds_of_instructions_than_code_has_are_refused(void **state)
{
    struct strbuf text = STRBUF_INIT;
    uint64_t n;
    struct err e;

    (void)state;
    strbuf_adds(&text, HEADER("5") CTA("0") WARP("0", "1048577"));
    for (unsigned i = 0; i <= 1048576; i++)
        strbuf_addf(&text, "%04x 0000ffff 0 EXIT 0 0 0\n", i);
    CHECK_FAILS(read_text(text.text, text.length, &n, &e), &e, ERR_TOO_LARGE, "1048576 different instructions");
    strbuf_release(&text);
}

static void a_tolerant_reader_takes_warps_as_they_are(void **state)
{
    static const char text[] = HEADER("5") CTA("0")
        WARP("0", "3") "0000 ffffffff 0 NOP 0 0 0\n" WARP("1", "0") "0000 ffffffff 0 NOP 0 0 0\n"
                                                                    "0010 ffffffff 0 EXIT 0 0 0\n" END_CTA CTA("1")
                                                                        GOOD_WARP END_CTA;
    struct text_input in;
    struct inst_source *s;
    struct cta_trace *cta;
    struct err e;
    int got;

    (void)state;
    CHECK_OK(open_bytes(&in, text, strlen(text), &s, &e), &e);
    accel_sim_tolerate(s);
    got = inst_source_next_cta(s, &cta, &e);
    CHECK_OK(got, &e);
    assert_true(cta->warps[0].count == 1 && cta->warps[1].count == 2);
    inst_source_release_cta(s, cta);
    assert_int_equal(inst_source_next_cta(s, &cta, &e), 1);
    inst_source_release_cta(s, cta);
    assert_true(s->repairs.damaged_warps == 2);
    inst_source_release(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(damage_is_named_with_its_line),
        cmocka_unit_test(traces_of_newer_tracers_are_refused),
        cmocka_unit_test(a_file_cut_anywhere_is_an_error),
        cmocka_unit_test(a_cut_says_in_which_warp),
        cmocka_unit_test(nul_bytes_are_damage),
        cmocka_unit_test(an_endless_line_is_refused_quickly),
        cmocka_unit_test(more_kinds_of_instructions_than_code_has_are_refused),
        cmocka_unit_test(a_tolerant_reader_takes_warps_as_they_are),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
