/* Copies of tensor boxes, compared with the definition element by element: positions, elements beyond the edges,
 * sums into a tensor, one box for several CTAs, and errors. */
#include "ptx/memory/tensor_map.h"
#include "tests/unit/ptx/engine.h"

enum { TENSOR_BYTES = 8192, BOX_BYTES = 4096, MAP_AT = 0, IN_AT = 256, OUT_AT = IN_AT + TENSOR_BYTES };

static struct err last;

/* One warp. The coordinates of the box are the words from p + 128 on. The box's 4096 bytes of shared memory are
 * copied to `out`. */
#define HEAD                                                                                                       \
    ".visible .entry k(.param .u64 p)\n{\n.shared .align 1024 .b8 s[4096];\n.shared .align 8 .b64 bar;\n"          \
    ".reg .b32 %r<16>;\n.reg .b64 %d<8>;\n.reg .pred %p<4>;\nld.param.u64 %d0, [p];\n"                             \
    "ld.global.v4.u32 {%r0,%r1,%r2,%r3}, [%d0+128];\nld.global.v2.u32 {%r4,%r5}, [%d0+144];\n"                     \
    "mov.u32 %r6, s;\nmov.u32 %r7, bar;\nmov.u32 %r8, %tid.x;\nsetp.eq.u32 %p0, %r8, 0;\n"                         \
    "@%p0 mbarrier.init.shared.b64 [%r7], 1;\nbar.sync 0;\n"
#define WAIT                                                                                                       \
    "W:\nmbarrier.try_wait.parity.shared.b64 %p1, [%r7], 0;\n@!%p1 bra W;\n"                                       \
    "mov.u32 %r10, 0;\nL:\nmad.lo.u32 %r11, %r8, 4, %r10;\nadd.u32 %r12, %r6, %r11;\nld.shared.u32 %r13, "         \
    "[%r12];\n"                                                                                                    \
    "cvt.u64.u32 %d1, %r11;\nadd.u64 %d1, %d1, %d0;\nst.global.u32 [%d1+8448], %r13;\n"                            \
    "add.u32 %r10, %r10, 128;\nsetp.lt.u32 %p1, %r10, 4096;\n@%p1 bra L;\nret;\n}\n"
#define LOAD(rank, at)                                                                                             \
    "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%r7], %r5;\n"                                                   \
    "@%p0 cp.async.bulk.tensor." rank                                                                              \
    ".shared::cluster.global.tile.mbarrier::complete_tx::bytes [%r6], [%d0, {" at "}], [%r7];\n"

struct tile {
    struct ptx_tensor_map map;
    int32_t at[PTX_TENSOR_DIMS];
};

static const char *const loads[] = {HEAD LOAD("1d", "%r0") WAIT, HEAD LOAD("2d", "%r0,%r1") WAIT,
                                    HEAD LOAD("3d", "%r0,%r1,%r2") WAIT, HEAD LOAD("4d", "%r0,%r1,%r2,%r3") WAIT,
                                    HEAD LOAD("5d", "%r0,%r1,%r2,%r3,%r4") WAIT};
/* Rank, type, swizzle; sizes, strides, box, element strides, coordinates. */
static const struct tile tiles[] = {
    {{0, 1, PTX_TENSOR_U8, 0, false, {100}, {0}, {32}, {1}}, {7}},
    {{0, 1, PTX_TENSOR_F64, 0, true, {20}, {0}, {8}, {1}}, {-3}},
    {{0, 2, PTX_TENSOR_S32, 0, false, {20, 9}, {0, 80}, {8, 4}, {1, 1}}, {16, -2}},
    {{0, 2, PTX_TENSOR_F16, PTX_TENSOR_SWIZZLE_128, false, {80, 30}, {0, 160}, {64, 24}, {1, 1}}, {8, 3}},
    {{0, 2, PTX_TENSOR_F16, PTX_TENSOR_SWIZZLE_128, true, {80, 30}, {0, 192}, {16, 8}, {1, 1}}, {72, 26}},
    {{0, 2, PTX_TENSOR_BF16, PTX_TENSOR_SWIZZLE_64, false, {64, 40}, {0, 128}, {32, 32}, {1, 1}}, {-8, 20}},
    {{0, 2, PTX_TENSOR_U8, PTX_TENSOR_SWIZZLE_32, false, {64, 64}, {0, 64}, {32, 33}, {1, 1}}, {16, 8}},
    {{0, 3, PTX_TENSOR_F32, 0, false, {8, 6, 10}, {0, 48, 320}, {4, 5, 6}, {1, 2, 3}}, {2, 1, -3}},
    {{0, 4, PTX_TENSOR_U16, 0, false, {16, 4, 3, 5}, {0, 32, 128, 400}, {8, 3, 2, 4}, {1, 1, 1, 2}}, {4, 2, 1, 0}},
    {{0,
      5,
      PTX_TENSOR_U32,
      PTX_TENSOR_SWIZZLE_32,
      false,
      {8, 3, 3, 3, 3},
      {0, 32, 96, 288, 864},
      {4, 2, 2, 2, 2},
      {1, 1, 1, 1, 1}},
     {4, 1, 2, -1, 0}},
};

static uint32_t rows_of(const struct ptx_tensor_map *m)
{
    uint32_t n = 1;

    for (uint32_t k = 1; k < m->rank; k++)
        n *= (m->box[k] + m->steps[k] - 1) / m->steps[k];
    return n;
}

static uint32_t size_of(const struct ptx_tensor_map *m)
{
    static const uint8_t sizes[] = {1, 2, 4, 4, 8, 8, 2, 4, 8, 2, 4, 4, 4};

    return sizes[m->type];
}

/* Offset in the tensor of element `number` of the box, in order; -1: beyond the edges. */
static int64_t offset_of(const struct tile *t, uint32_t number)
{
    int64_t at = 0;

    for (uint32_t k = 0; k < t->map.rank; k++) {
        uint32_t step = k ? t->map.steps[k] : 1, n = (t->map.box[k] + step - 1) / step;
        int64_t c = t->at[k] + (int64_t)(number % n) * step;

        number /= n;
        if (c < 0 || c >= (int64_t)t->map.dims[k])
            return -1;
        at += c * (int64_t)(k ? t->map.strides[k] : size_of(&t->map));
    }
    return at;
}

/* Offset in shared memory of byte b of element `number`. Rows follow one another. With swizzling, rows are as long
 * as the pattern, and the 16-byte chunks of each 128 bytes are permuted. */
static uint32_t place_of(const struct ptx_tensor_map *m, uint32_t number, uint32_t b)
{
    uint32_t size = size_of(m), row = number / m->box[0], in_row = number % m->box[0] * size + b;
    uint32_t pattern = 16u << m->swizzle, at = row * (m->swizzle ? pattern : m->box[0] * size) + in_row;
    uint32_t piece = at / 16 % 8, stretch = at / 128 % 8;

    return at / 128 * 128 + (piece ^ (stretch & (pattern / 16 - 1))) * 16 + at % 16;
}

static struct bench *open_tile(const char *text, const struct tile *t, uint64_t *address)
{
    struct bench *b = bench_open(text);
    struct ptx_tensor_map m = t->map;
    uint8_t *bytes;
    struct err e;

    *address = bench_alloc(b, OUT_AT + BOX_BYTES);
    bytes = (uint8_t *)bench_words(b, *address);
    m.address = *address + IN_AT;
    CHECK_OK(ptx_tensor_map_pack(&m, bytes + MAP_AT, &e), &e);
    memcpy(bytes + 128, t->at, sizeof t->at);
    *(uint32_t *)(void *)(bytes + 148) = rows_of(&m) * m.box[0] * size_of(&m);
    for (uint32_t k = 0; k < TENSOR_BYTES; k++)
        bytes[IN_AT + k] = (uint8_t)(k * 7 + k / 256 * 13 + 1);
    return b;
}

static void boxes_arrive(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof tiles / sizeof *tiles; k++) {
        const struct tile *t = &tiles[k];
        uint32_t size = size_of(&t->map), count = rows_of(&t->map) * t->map.box[0];
        static const uint8_t nan16[2] = {0xff, 0x7f}, nan64[8] = {0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x7f},
                             zero[8] = {0};
        const uint8_t *bytes, *beyond = !t->map.fill_nan ? zero : size == 2 ? nan16 : nan64;
        uint64_t address;
        struct bench *b = open_tile(loads[t->map.rank - 1], t, &address);

        CHECK_OK(bench_run(b, "k", 1, 32, &address, 1, &last), &last);
        bytes = (const uint8_t *)bench_words(b, address);
        for (uint32_t n = 0; n < count; n++)
            for (uint32_t i = 0; i < size; i++) {
                int64_t from = offset_of(t, n);
                uint8_t got = bytes[OUT_AT + place_of(&t->map, n, i)], want;

                want = from < 0 ? beyond[i] : bytes[IN_AT + from + i];
                if (got != want)
                    fail_msg("tile %zu, element %u, byte %u: %02x, not %02x", k, n, i, got, want);
            }
        bench_close(b);
    }
}

/* Copies in and out again: a zeroed tensor then contains the box and nothing else. */
static void boxes_go_back(void **state)
{
    static const char text[] =
        HEAD LOAD("2d", "%r0,%r1") "W:\nmbarrier.try_wait.parity.shared.b64 %p1, [%r7], 0;\n@!%p1 bra W;\n"
                                   "mov.u64 %d2, out;\nfence.proxy.async.shared::cta;\n@%p0 "
                                   "cp.async.bulk.tensor.2d.global.shared::cta.tile.bulk_group [%d2, {%r0, %r1}], "
                                   "[%r6];\ncp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nret;\n}\n";
    struct strbuf s = STRBUF_INIT;

    (void)state;
    strbuf_addf(&s, ".visible .global .align 128 .b8 out[128];\n%s", text);
    for (size_t k = 0; k < sizeof tiles / sizeof *tiles; k++) {
        const struct tile *t = &tiles[k];
        struct ptx_tensor_map m = t->map;
        uint64_t address, map, n, copy;
        uint8_t want[TENSOR_BYTES] = {0};
        const uint8_t *in, *out;
        struct bench *b;

        if (t->map.rank != 2)
            continue;
        b = open_tile(s.text, t, &address);
        copy = m.address = bench_alloc(b, TENSOR_BYTES);
        CHECK_OK(ptx_program_symbol(b->program, b->module, "out", &map, &n, &last), &last);
        CHECK_OK(ptx_tensor_map_pack(&m, (uint8_t *)bench_words(b, map), &last), &last);
        CHECK_OK(bench_run(b, "k", 1, 32, &address, 1, &last), &last);
        in = (const uint8_t *)bench_words(b, address) + IN_AT;
        out = (const uint8_t *)bench_words(b, copy);
        for (uint32_t i = 0; i < rows_of(&m) * m.box[0]; i++)
            if (offset_of(t, i) >= 0)
                memcpy(want + offset_of(t, i), in + offset_of(t, i), size_of(&m));
        assert_memory_equal(out, want, TENSOR_BYTES);
        bench_close(b);
    }
    strbuf_release(&s);
}

/* Three CTAs each add a box of ones to a tensor of floats. Two boxes overlap, and one is partly outside. */
static void boxes_are_added(void **state)
{
    static const char text[] =
        HEAD "mov.u32 %r9, 0x3f800000;\nmad.lo.u32 %r10, %r8, 4, %r6;\nst.shared.u32 [%r10], %r9;\n"
             "fence.proxy.async.shared::cta;\nbar.sync 0;\nmov.u32 %r11, %ctaid.x;\nmul.lo.u32 %r11, %r11, 2;\n"
             "@%p0 cp.reduce.async.bulk.tensor.2d.global.shared::cta.add.tile.bulk_group [%d0, {%r11, 1}], [%r6];\n"
             "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nret;\n}\n";
    const struct tile t = {{0, 2, PTX_TENSOR_F32, 0, false, {7, 6}, {0, 32}, {4, 8}, {1, 1}}, {0}};
    uint64_t address;
    struct bench *b = open_tile(text, &t, &address);
    float *x = (float *)(void *)(bench_words(b, address) + IN_AT / 4);

    (void)state;
    for (int k = 0; k < 8 * 6; k++)
        x[k] = (float)k;
    CHECK_OK(bench_run(b, "k", 3, 32, &address, 1, &last), &last);
    for (int y = 0; y < 6; y++)
        for (int c = 0; c < 8; c++) {
            int covered = c >= 7 || y < 1 ? 0 : (c < 4) + (c >= 2 && c < 6) + (c >= 4);

            assert_true(x[y * 8 + c] == (float)(y * 8 + c + covered));
        }
    bench_close(b);
}

/* Thread 0 of CTA 0 copies a box to CTAs 0 and 2 of its cluster. Each of them waits at its own barrier. */
static void one_box_for_many(void **state)
{
    static const char text[] = HEAD
        "mov.u32 %r9, %cluster_ctarank;\nmov.u32 %r14, 0;\n.reg .b16 %h;\nmov.u16 %h, 5;\n"
        "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%r7], 128;\nbarrier.cluster.arrive;\n"
        "barrier.cluster.wait;\nsetp.eq.and.u32 %p2, %r9, 0, %p0;\n@%p2 cp.async.bulk.tensor.2d.shared::cluster"
        ".global.tile.mbarrier::complete_tx::bytes.multicast::cluster [%r6], [%d0, {0, 1}], [%r7], %h;\n"
        "and.b32 %r10, %r9, 1;\nsetp.eq.u32 %p3, %r10, 1;\n@%p3 bra DONE;\n"
        "W:\nmbarrier.try_wait.parity.shared.b64 %p1, [%r7], 0;\n@!%p1 bra W;\n"
        "mad.lo.u32 %r11, %r8, 4, %r6;\nld.shared.u32 %r14, [%r11];\n"
        "DONE:\nbarrier.cluster.arrive;\nbarrier.cluster.wait;\nmad.lo.u32 %r12, %r9, 32, %r8;\n"
        "mad.wide.u32 %d1, %r12, 4, %d0;\nst.global.u32 [%d1+8448], %r14;\nret;\n}\n";
    const struct tile t = {{0, 2, PTX_TENSOR_U32, 0, false, {8, 8}, {0, 32}, {8, 4}, {1, 1}}, {0}};
    uint64_t address;
    struct bench *b = open_tile(text, &t, &address);
    struct ptx_launch l = {.module = b->module,
                           .grid = {4, 1, 1},
                           .block = {32, 1, 1},
                           .cluster = {4, 1, 1},
                           .params = &address,
                           .param_bytes = 8};
    const uint32_t *words = bench_words(b, address);

    (void)state;
    l.function = ptx_find_function(ptx_program_module(b->program, b->module), "k");
    CHECK_OK(ptx_launch_run(b->program, &l, &b->options, &b->stats, &last), &last);
    for (uint32_t k = 0; k < 128; k++)
        assert_int_equal(words[OUT_AT / 4 + k], k / 32 % 2 ? 0 : words[IN_AT / 4 + 8 + k % 32]);
    bench_close(b);
}

/* Reduces one array into another: in global memory, and in shared memory with a barrier. */
static void blocks_are_reduced(void **state)
{
    static const char text[] =
        HEAD "mov.u32 %r9, %ctaid.x;\nmad.lo.u32 %r9, %r9, 100, %r8;\nmad.lo.u32 %r10, %r8, 4, %r6;\n"
             "st.shared.u32 [%r10], %r9;\nst.shared.u32 [%r10+256], 3;\nbar.sync 0;\n"
             "@%p0 mbarrier.arrive.expect_tx.shared.b64 _, [%r7], 128;\n@%p0 cp.reduce.async.bulk.shared::cluster."
             "shared::cta.mbarrier::complete_tx::bytes.add.u32 [%r6+256], [%r6], 128, [%r7];\n"
             "W:\nmbarrier.try_wait.parity.shared.b64 %p1, [%r7], 0;\n@!%p1 bra W;\n"
             "@%p0 cp.reduce.async.bulk.global.shared::cta.bulk_group.max.s32 [%d0+256], [%r6+256], 128;\n"
             "@%p0 cp.reduce.async.bulk.global.shared::cta.bulk_group.add.u64 [%d0+512], [%r6+256], 64;\n"
             "cp.async.bulk.commit_group;\ncp.async.bulk.wait_group 0;\nret;\n}\n";
    const struct tile t = {{0, 1, PTX_TENSOR_U32, 0, false, {8}, {0}, {8}, {1}}, {0}};
    uint64_t address, sums[8];
    struct bench *b = open_tile(text, &t, &address);
    uint32_t *words = bench_words(b, address);

    (void)state;
    for (uint32_t k = 0; k < 128; k++)
        words[64 + k] = k == 5 ? 1000 : 0;
    CHECK_OK(bench_run(b, "k", 2, 32, &address, 1, &last), &last);
    for (uint32_t k = 0; k < 32; k++)
        assert_int_equal(words[64 + k], k == 5 ? 1000 : 103 + k);
    memcpy(sums, words + 128, sizeof sums);
    for (uint64_t k = 0; k < 8; k++)
        assert_true(sums[k] == (3 + 2 * k + ((4 + 2 * k) << 32)) + (103 + 2 * k + ((104 + 2 * k) << 32)));
    bench_close(b);
}

static void faults_are_reported(void **state)
{
    static const struct {
        const char *text, *want;
        uint64_t far; /* offset added to the tensor's address */
    } cases[] = {
        {HEAD LOAD("1d", "%r0") WAIT, "1 coordinates, and the tensor has 2 dimensions", 0},
        {HEAD "add.u64 %d0, %d0, 256;\n" LOAD("2d", "%r0,%r1") WAIT, "not a tensor map of cuTensorMapEncodeTiled",
         0},
        {HEAD "add.u32 %r6, %r6, 16;\n" LOAD("2d", "%r0,%r1") WAIT, "not aligned to 128", 0},
        {HEAD "add.u32 %r6, %r6, 8192;\n" LOAD("2d", "%r0,%r1") WAIT, "writes 640 bytes at shared address", 0},
        {HEAD LOAD("2d", "%r0,%r1") WAIT, "reads 64 bytes at 0x", 1 << 20},
        {HEAD "@%p0 cp.reduce.async.bulk.tensor.2d.global.shared::cta.and.tile.bulk_group [%d0, {0, 0}], [%r6];\n"
              "ret;\n}\n",
         "this reduction does not support", 0},
    };
    struct tile t = {{0, 2, PTX_TENSOR_F32, 0, false, {16, 16}, {0, 64}, {16, 10}, {1, 1}}, {0}};

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        uint64_t address;
        struct bench *b = open_tile(cases[k].text, &t, &address);
        struct ptx_tensor_map m = t.map;

        m.address = address + IN_AT + cases[k].far;
        CHECK_OK(ptx_tensor_map_pack(&m, (uint8_t *)bench_words(b, address), &last), &last);
        if (bench_run(b, "k", 1, 32, &address, 1, &last) == 0 || !strstr(last.text, cases[k].want))
            fail_msg("case %zu: %s", k, last.text);
        bench_close(b);
    }
}

/* 256^4 rows exceed a 32-bit count. */
static void a_box_of_too_much_is_reported(void **state)
{
    struct tile t = {{0,
                      5,
                      PTX_TENSOR_U8,
                      0,
                      false,
                      {16, 4, 4, 4, 4},
                      {0, 16, 64, 256, 1024},
                      {16, 256, 256, 256, 256},
                      {1, 1, 1, 1, 1}},
                     {0}};
    uint64_t address;
    struct bench *b = open_tile(loads[4], &t, &address);

    (void)state;
    assert_int_equal(bench_run(b, "k", 1, 32, &address, 1, &last), -1);
    assert_non_null(strstr(last.text, "the box has 68719476736 bytes"));
    bench_close(b);
}

static void maps_are_checked(void **state)
{
    static const struct {
        struct ptx_tensor_map map;
        const char *want;
    } cases[] = {
        {{0, 0, PTX_TENSOR_F32, 0, false, {0}, {0}, {0}, {0}}, "the tensor has 0 dimensions"},
        {{0, 6, PTX_TENSOR_F32, 0, false, {0}, {0}, {0}, {0}}, "the tensor has 6 dimensions"},
        {{8, 1, PTX_TENSOR_F32, 0, false, {8}, {0}, {8}, {1}}, "address 0x8 is not a multiple"},
        {{0, 1, PTX_TENSOR_F32, 0, false, {0}, {0}, {8}, {1}}, "dimension 0 has 0 elements"},
        {{0, 1, PTX_TENSOR_F32, 0, false, {8}, {0}, {257}, {1}}, "the box has 257 elements"},
        {{0, 1, PTX_TENSOR_F32, 0, false, {8}, {0}, {3}, {1}}, "rows of a box have 12 bytes"},
        {{0, 2, PTX_TENSOR_F32, 0, false, {8, 8}, {0, 24}, {4, 4}, {1, 1}}, "the stride is 24 bytes"},
        {{0, 2, PTX_TENSOR_F32, 0, false, {8, 8}, {0, 32}, {4, 4}, {1, 9}}, "the step is 9"},
        {{0, 1, PTX_TENSOR_U32, 0, true, {8}, {0}, {8}, {1}}, "only floats"},
        {{0, 1, PTX_TENSOR_F32, PTX_TENSOR_SWIZZLE_32, false, {64}, {0}, {64}, {1}},
         "more than the 32 of the swizzle pattern"},
    };
    uint8_t bytes[PTX_TENSOR_MAP_BYTES];

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        assert_int_equal(ptx_tensor_map_pack(&cases[k].map, bytes, &last), -1);
        if (!strstr(last.text, cases[k].want))
            fail_msg("%s", last.text);
    }
}

static void what_is_not_there_is_reported_at_load(void **state)
{
    struct bench *b =
        bench_open(".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<8>;\n.reg .b64 %d<2>;\n.reg .b16 %h<2>;\n"
                   "cp.async.bulk.tensor.3d.shared::cluster.global.im2col.mbarrier::complete_tx::bytes [%r0], "
                   "[%d0, {%r1,%r2,%r3}], [%r4], {%h0};\nret;\n}\n");

    (void)state;
    assert_int_equal(bench_run(b, "k", 1, 32, NULL, 0, &last), -1);
    assert_non_null(strstr(last.text, "t.ptx:9:1: not supported: cp.async.bulk.tensor.3d"));
    bench_close(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(boxes_arrive),
        cmocka_unit_test(boxes_go_back),
        cmocka_unit_test(boxes_are_added),
        cmocka_unit_test(one_box_for_many),
        cmocka_unit_test(blocks_are_reduced),
        cmocka_unit_test(faults_are_reported),
        cmocka_unit_test(a_box_of_too_much_is_reported),
        cmocka_unit_test(maps_are_checked),
        cmocka_unit_test(what_is_not_there_is_reported_at_load),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
