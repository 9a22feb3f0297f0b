/* Recorded traces, read completely. The expected counts come from counting lines, not from this reader. */
#include "tests/unit/trace/texts.h"

#include "base/archive.h"
#include "base/hash.h"
#include "simcore/trace/bundle.h"

struct totals {
    uint64_t kernels, instructions, counted;
    struct trace_repairs repairs;
};

static ssize_t read_on(void *ctx, void *buffer, size_t n, struct err *e)
{
    return stream_read(ctx, buffer, n, e);
}

static int read_visit(void *ctx, const struct bundle_entry *entry, struct stream *s, struct err *e)
{
    struct totals *t = ctx;
    struct inst_source *source;
    struct cta_trace *cta;
    struct stream *own;
    int got;

    (void)entry;
    if (stream_open_fn(read_on, s, stream_name(s), &own, e) < 0 || accel_sim_open(own, &source, e) < 0)
        return -1;
    while ((got = inst_source_next_cta(source, &cta, e)) > 0) {
        for (uint32_t w = 0; w < cta->warp_count; w++)
            t->instructions += cta->warps[w].count;
        inst_source_release_cta(source, cta);
    }
    t->kernels++;
    t->repairs.empty_ctas += source->repairs.empty_ctas;
    t->repairs.damaged_warps += source->repairs.damaged_warps;
    inst_source_release(source);
    return got;
}

static int count_visit(void *ctx, const struct bundle_entry *entry, struct stream *s, struct err *e)
{
    struct totals *t = ctx;
    struct trace_counts counts;
    struct kernel_info k;

    (void)entry;
    if (accel_sim_read_info(s, &k, e) < 0)
        return -1;
    kernel_info_release(&k);
    if (accel_sim_count(s, &k, &counts, e) < 0)
        return -1;
    t->counted += counts.warp_instructions;
    return 0;
}

static void check_totals(const char *name, uint64_t kernels, uint64_t instructions)
{
    const char *path = shared_data(name);
    struct totals t = {0};
    struct err e;

    CHECK_OK(bundle_walk(path, read_visit, &t, &e), &e);
    assert_int_equal(t.kernels, kernels);
    assert_int_equal(t.instructions, instructions);
    assert_int_equal(t.repairs.empty_ctas, 0);
}

static void pytorch_has_6306141_warp_instructions(void **state)
{
    struct totals t = {0};
    struct err e;

    (void)state;
    check_totals("traces/pytorch-sgd-v100.tar.zst", 1101, 6306141);
    CHECK_OK(bundle_walk(shared_data("traces/pytorch-sgd-v100.tar.zst"), count_visit, &t, &e), &e);
    assert_int_equal(t.counted, 6306141);
}

static void rodinia_bfs_has_159509(void **state)
{
    (void)state;
    check_totals("traces/rodinia-bfs-sm80.tar.zst", 16, 159509);
}

static void version_5_and_pascal_are_read(void **state)
{
    (void)state;
    check_totals("traces/vectoradd-sm80-v5.tar.zst", 1, 26601);
    check_totals("traces/matmul-pascal-v4.tar.zst", 1, 4416);
}

/* --- raw and grouped --- */

static void add_number(struct strbuf *b, uint64_t x)
{
    strbuf_add(b, &x, sizeof x);
}

static void add_inst(struct strbuf *b, const struct inst_source *s, const struct cta_trace *cta,
                     const struct warp_inst *w)
{
    const struct trace_inst *i = &s->insts[w->inst];
    struct lane_addresses a;

    strbuf_adds(b, s->opcodes[i->opcode]);
    add_number(b, w->mask);
    add_number(b, i->pc | (uint64_t)i->width << 32);
    add_number(b, i->dst | (uint64_t)i->dst_regs << 8 | (uint64_t)i->src_count << 16);
    strbuf_add(b, i->src, i->src_count);
    strbuf_add(b, i->src_regs, i->src_count);
    if (w->address == UINT32_MAX)
        return;
    cta_addresses(cta, w->address, &a);
    for (uint32_t mask = w->mask; mask; mask &= mask - 1)
        add_number(b, lane_address(cta, w, (unsigned)__builtin_ctz(mask)));
}

/* A hash of each kernel's content, by the file name before ".trace". */
struct contents {
    char names[6][64], hashes[6][SHA256_HEX];
    size_t count;
};

static int digest(struct archive *a, const struct archive_member *m, struct contents *c, struct err *e)
{
    struct strbuf b = STRBUF_INIT;
    struct inst_source *s;
    struct cta_trace *cta;
    struct stream *content;
    int got, ret;

    if (archive_member_stream(a, &content, e) < 0 || accel_sim_open(content, &s, e) < 0)
        return -1;
    while ((got = inst_source_next_cta(s, &cta, e)) > 0) {
        for (int i = 0; i < 3; i++)
            add_number(&b, cta->id[i]);
        for (uint32_t w = 0; w < cta->warp_count; w++) {
            add_number(&b, cta->warps[w].count);
            for (uint32_t i = 0; i < cta->warps[w].count; i++)
                add_inst(&b, s, cta, &cta->warps[w].insts[i]);
        }
        inst_source_release_cta(s, cta);
    }
    inst_source_release(s);
    snprintf(c->names[c->count], sizeof c->names[0], "%.*s", (int)strcspn(m->name, "."), m->name);
    ret = got < 0 || b.failed || b.length == 0 ? -1 : sha256_bytes(b.text, b.length, c->hashes[c->count++], e);
    strbuf_release(&b);
    return ret;
}

static void raw_and_grouped_files_say_the_same(void **state)
{
    struct contents c = {.count = 0};
    struct archive *a;
    struct archive_member m;
    struct err e;
    size_t pairs = 0;

    (void)state;
    CHECK_OK(archive_open(shared_data("traces/raw-tracer-output-v100.tar.zst"), &a, &e), &e);
    while (archive_next(a, &m, &e) > 0)
        CHECK_OK(digest(a, &m, &c, &e), &e);
    archive_close(a);
    for (size_t i = 0; i < c.count; i++)
        for (size_t k = i + 1; k < c.count; k++)
            if (strcmp(c.names[i], c.names[k]) == 0) {
                assert_string_equal(c.hashes[i], c.hashes[k]);
                pairs++;
            }
    assert_int_equal(pairs, 3);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(pytorch_has_6306141_warp_instructions),
        cmocka_unit_test(rodinia_bfs_has_159509),
        cmocka_unit_test(version_5_and_pascal_are_read),
        cmocka_unit_test(raw_and_grouped_files_say_the_same),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
