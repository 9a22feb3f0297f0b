/* A range of CTAs of a launch, from text and from a .vtrace file. */
#include <unistd.h>

#include "simcore/trace/cta_range.h"
#include "simcore/trace/vtrace.h"
#include "tests/unit/trace/made_source.h"

enum { CTAS = 9 };
static char folder[64], text[96], packed[96];

static void fill(struct cta_store *c, uint64_t index)
{
    cta_store_begin_warp(c, 0);
    add_run(c, 1, UINT32_MAX, 0x10000 * index, 4);
    cta_store_end_warp(c, 0);
}

static int make_folder(void **state)
{
    struct vtrace_writer *w;
    struct made_source m;
    struct err e;
    FILE *f;

    (void)state;
    snprintf(folder, sizeof folder, "/tmp/test-cta-range-XXXXXX");
    if (!mkdtemp(folder))
        return -1;
    snprintf(text, sizeof text, "%s/kernel-1.traceg", folder);
    snprintf(packed, sizeof packed, "%s/run.vtrace", folder);
    f = fopen(text, "w");
    fprintf(f,
            "-kernel name = k\n-kernel id = 1\n-grid dim = (%d,1,1)\n-block dim = (32,1,1)\n-nregs = 8\n"
            "-accelsim tracer version = 5\n#traces\n",
            CTAS);
    for (int i = 0; i < CTAS; i++)
        fprintf(f,
                "#BEGIN_TB\nthread block = %d,0,0\nwarp = 0\ninsts = 1\n%04x ffffffff 1 R4 LDG.E 1 R2 4 1 0x%x0000 "
                "4 0 \n"
                "#END_TB\n",
                i, i * 16, i);
    fclose(f);
    CHECK_OK(vtrace_writer_new(packed, NULL, &w, &e), &e);
    make_source(&m, CTAS, 1, 1, 32, fill);
    CHECK_OK(vtrace_writer_add(w, &m.source, &e), &e);
    inst_source_release(&m.source);
    CHECK_OK(vtrace_writer_finish(w, &e), &e);
    vtrace_writer_release(w);
    return 0;
}

static int remove_folder(void **state)
{
    (void)state;
    unlink(text);
    unlink(packed);
    return rmdir(folder);
}

static struct trace_place place(bool is_packed)
{
    return (struct trace_place){.format = is_packed ? TRACE_VTRACE : TRACE_ACCEL_SIM,
                                .path = is_packed ? packed : text,
                                .shown = is_packed ? packed : text};
}

static void a_range_gives_its_ctas_and_no_others(void **state)
{
    static const struct {
        struct cta_range range;
        uint64_t first, count;
    } cases[] = {{{0, 0}, 0, CTAS}, {{0, 3}, 0, 3}, {{4, 2}, 4, 2}, {{7, 0}, 7, 2}, {{8, 100}, 8, 1}};

    (void)state;
    for (size_t i = 0; i < 2 * sizeof cases / sizeof *cases; i++) {
        const struct trace_place p = place(i % 2);
        struct inst_source *s;
        struct cta_trace *cta;
        struct err e;

        CHECK_OK(trace_file_open_range(&p, &cases[i / 2].range, &s, &e), &e);
        assert_int_equal(s->info.grid[0], CTAS);
        for (uint64_t k = 0; k < cases[i / 2].count; k++) {
            struct lane_addresses a;

            assert_int_equal(inst_source_next_cta(s, &cta, &e), 1);
            assert_int_equal(cta->id[0], cases[i / 2].first + k);
            assert_true(cta->warps[0].insts[0].inst < s->inst_count);
            cta_addresses(cta, cta->warps[0].insts[0].address, &a);
            assert_int_equal(a.base, 0x10000 * (cases[i / 2].first + k));
            inst_source_release_cta(s, cta);
        }
        assert_int_equal(inst_source_next_cta(s, &cta, &e), 0);
        inst_source_release(s);
    }
}

static void a_range_that_is_not_there_is_refused(void **state)
{
    const struct cta_range beyond = {CTAS, 1};
    struct inst_source *s;
    struct err e;

    (void)state;
    for (int i = 0; i < 2; i++) {
        const struct trace_place p = place(i);

        CHECK_FAILS(trace_file_open_range(&p, &beyond, &s, &e), &e, ERR_NOT_FOUND, "has no CTA 9: it holds 9");
        assert_null(s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_range_gives_its_ctas_and_no_others),
        cmocka_unit_test(a_range_that_is_not_there_is_refused),
    };

    return cmocka_run_group_tests(tests, make_folder, remove_folder);
}
