/* A source that a thread reads ahead gives the same as the source itself: CTAs, tables, repairs, errors. */
#include "simcore/trace/read_ahead.h"
#include "tests/unit/trace/texts.h"

#define CTAS      200
#define CTAS_TEXT "200"

/* A kernel in which every CTA has new instructions, so that the tables grow during the whole read. */
static char *many_ctas(size_t *bytes, int broken_at)
{
    struct strbuf b = STRBUF_INIT;

    strbuf_adds(&b, "-kernel name = grows\n-kernel id = 1\n-grid dim = (" CTAS_TEXT ",1,1)\n-block dim = (64,1,1)\n"
                    "-nregs = 8\n-binary version = 70\n-accelsim tracer version = 5\n#traces format = x\n");
    for (int c = 0; c < CTAS; c++) {
        strbuf_addf(&b, "#BEGIN_TB\nthread block = %d,0,0\n", c);
        for (int w = 0; w < 2; w++) {
            strbuf_addf(&b, "warp = %d\ninsts = 4\n", w);
            strbuf_adds(&b, "0000 ffffffff 1 R1 MOV 0 0 0 \n");
            strbuf_addf(&b, "%04x ffffffff 1 R4 LDG.E 1 R2 4 1 0x7f%06x00 4 0 \n", 16 + c / 3 * 16, c);
            strbuf_addf(&b, "%04x 0000000f 0 SHFL.N%d 2 R5 R4 0 0 \n", 0x8000 + c / 5 * 16, c / 5);
            strbuf_adds(&b, c == broken_at && w ? "0020 what\n" : "0020 ffffffff 0 EXIT 0 0 0 \n");
        }
        strbuf_adds(&b, "#END_TB\n");
    }
    *bytes = b.length;
    return strbuf_detach(&b);
}

/* Hash of everything in a CTA, including opcode texts and addresses. */
static uint64_t look(const struct inst_source *s, const struct cta_trace *cta)
{
    uint64_t sum = cta->index * 31 + cta->id[0];

    for (uint32_t w = 0; w < cta->warp_count; w++)
        for (uint32_t i = 0; i < cta->warps[w].count; i++) {
            const struct warp_inst *x = &cta->warps[w].insts[i];
            const struct trace_inst *t = &s->insts[x->inst];
            const char *opcode = s->opcodes[t->opcode];

            assert_true(x->inst < s->inst_count && t->opcode < s->opcode_count);
            sum = sum * 31 + t->pc + x->mask + t->dst;
            for (; *opcode; opcode++)
                sum = sum * 31 + (unsigned char)*opcode;
            if (x->address != UINT32_MAX)
                sum = sum * 31 + lane_address(cta, x, 0);
        }
    return sum * 31 + s->repairs.destination_from_source;
}

struct seen {
    uint64_t sum;
    int ctas, end;
    struct err e;
};

/* Reads all CTAs, with `hold` CTAs held at a time as in a GPU. They are released in another order than they were
 * read. */
static struct seen read_all(struct inst_source *s, int hold)
{
    struct cta_trace *held[64], *cta;
    struct seen seen = {0};
    int n = 0;

    assert_true(hold < 64);
    while ((seen.end = inst_source_next_cta(s, &cta, &seen.e)) > 0) {
        seen.sum = seen.sum * 1099511628211u + look(s, cta);
        seen.ctas++;
        held[n++] = cta;
        if (n > hold) {
            int k = seen.ctas * 7 % n;

            look(s, held[k]);
            inst_source_release_cta(s, held[k]);
            held[k] = held[--n];
        }
    }
    while (n)
        inst_source_release_cta(s, held[--n]);
    return seen;
}

static struct seen read_text_by(const char *text, size_t bytes, bool ahead, uint64_t after, int hold)
{
    struct text_input in;
    struct inst_source *s;
    struct seen seen;
    struct err e;

    CHECK_OK(open_bytes(&in, text, bytes, &s, &e), &e);
    if (ahead)
        CHECK_OK(inst_source_read_ahead_after(s, after, &s, &e), &e);
    seen = read_all(s, hold);
    if (seen.end == 0)
        assert_int_equal(inst_source_next_cta(s, &(struct cta_trace *){NULL}, &e), 0); /* it stays at the end */
    inst_source_release(s);
    return seen;
}

static void what_is_read_does_not_depend_on_the_thread(void **state)
{
    static const uint64_t after[] = {0, 1, 500, 1599, 1600, 1000000};
    size_t bytes;
    char *text = many_ctas(&bytes, -1);
    struct seen plain = read_text_by(text, bytes, false, 0, 10);

    (void)state;
    assert_int_equal(plain.ctas, CTAS);
    for (size_t i = 0; i < sizeof after / sizeof *after; i++)
        for (int hold = 0; hold < 64; hold += 21) {
            struct seen threaded = read_text_by(text, bytes, true, after[i], hold);

            assert_int_equal(threaded.end, 0);
            assert_int_equal(threaded.ctas, CTAS);
            assert_true(threaded.sum == plain.sum);
        }
    free(text);
}

static void an_error_comes_in_its_place(void **state)
{
    size_t bytes;
    char *text = many_ctas(&bytes, 150);
    struct seen plain = read_text_by(text, bytes, false, 0, 3), threaded = read_text_by(text, bytes, true, 0, 3);

    (void)state;
    assert_int_equal(plain.end, -1);
    assert_int_equal(plain.ctas, 150);
    assert_int_equal(threaded.end, -1);
    assert_int_equal(threaded.ctas, 150);
    assert_true(threaded.sum == plain.sum);
    assert_int_equal(threaded.e.code, plain.e.code);
    assert_string_equal(threaded.e.text, plain.e.text);
    free(text);
}

static void stopping_early_joins_the_thread(void **state)
{
    size_t bytes;
    char *text = many_ctas(&bytes, -1);

    (void)state;
    for (int taken = 0; taken < 100; taken += 9) {
        struct text_input in;
        struct inst_source *s;
        struct cta_trace *cta;
        struct err e;

        CHECK_OK(open_bytes(&in, text, bytes, &s, &e), &e);
        CHECK_OK(inst_source_read_ahead_after(s, 0, &s, &e), &e);
        for (int i = 0; i < taken; i++) {
            assert_int_equal(inst_source_next_cta(s, &cta, &e), 1);
            inst_source_release_cta(s, cta);
        }
        /* some CTAs were read ahead and never requested: the sanitizer would report a leak */
        inst_source_release(s);
    }
    free(text);
}

static void the_kernel_is_described_before_anything_is_read(void **state)
{
    size_t bytes;
    char *text = many_ctas(&bytes, -1);
    struct text_input in;
    struct inst_source *s;
    struct err e;

    (void)state;
    CHECK_OK(open_bytes(&in, text, bytes, &s, &e), &e);
    CHECK_OK(inst_source_read_ahead(s, &s, &e), &e);
    assert_string_equal(s->info.name, "grows");
    assert_int_equal(s->info.grid[0], CTAS);
    inst_source_release(s);
    free(text);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(what_is_read_does_not_depend_on_the_thread),
        cmocka_unit_test(an_error_comes_in_its_place),
        cmocka_unit_test(stopping_early_joins_the_thread),
        cmocka_unit_test(the_kernel_is_described_before_anything_is_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
