/* wgmma compared with plain loops. The test writes the matrices to shared memory in each layout of the manual,
 * and reads the sums from the registers that the manual specifies. All values are small integers, so sums are
 * exact. */
#include "base/rng.h"
#include "tests/unit/ptx/engine.h"

enum { M = 64, THREADS = 128, A_AT = 0, B_AT = 16384, SHARED = 32768, N_MAX = 64, K_MAX = 32 };

struct shape {
    const char *d, *a, *b; /* types */
    uint32_t n, swizzle;   /* swizzle in bytes; 16: none */
    bool a_turned, b_turned, a_in_registers;
    int scale_a, scale_b;
    bool adds;
};

struct sides {
    int a[M][K_MAX], b[N_MAX][K_MAX], d[M][N_MAX];
};

/* --- numbers as bits --- */

static uint32_t bytes_of(const char *type)
{
    return strcmp(type, "f16") == 0 || strcmp(type, "bf16") == 0   ? 2
           : strcmp(type, "tf32") == 0 || strcmp(type, "f32") == 0 ? 4
           : strcmp(type, "s32") == 0                              ? 4
                                                                   : 1;
}

/* Encodes -15 to 15 by hand: sign, exponent, mantissa. */
static uint32_t encode(const char *type, int v)
{
    static const struct {
        const char *type;
        uint32_t bits, bias, mantissa;
    } kinds[] = {{"f16", 16, 15, 10},  {"bf16", 16, 127, 7}, {"tf32", 32, 127, 23},
                 {"f32", 32, 127, 23}, {"e4m3", 8, 7, 3},    {"e5m2", 8, 15, 2}};
    uint32_t magnitude = (uint32_t)abs(v), exponent = 0;

    for (size_t k = 0; k < sizeof kinds / sizeof *kinds; k++) {
        if (strcmp(type, kinds[k].type) != 0)
            continue;
        while (magnitude >> exponent > 1)
            exponent++;
        if (!magnitude)
            return 0;
        return (v < 0 ? 1u << (kinds[k].bits - 1) : 0) | (exponent + kinds[k].bias) << kinds[k].mantissa |
               ((magnitude << kinds[k].mantissa >> exponent) & ((1u << kinds[k].mantissa) - 1));
    }
    return (uint32_t)v & (strcmp(type, "s32") == 0 ? UINT32_MAX : 0xff);
}

/* --- layouts --- */

/* Strides of the descriptor: *leading is the one along k without swizzling, or along rows with it. */
static void strides_of(const struct shape *s, bool turned, uint32_t rows, uint32_t *leading, uint32_t *stride)
{
    if (!turned && s->swizzle == 16) { /* core matrices of 128 bytes: both halves of k, then the next eight rows */
        *leading = 128;
        *stride = 256;
    } else if (!turned) {
        *leading = 16;
        *stride = 8 * s->swizzle;
    } else if (s->swizzle == 16) { /* groups of eight rows; the second half of k comes after all of them */
        *stride = 128;
        *leading = rows / 8 * 128;
    } else {
        *leading = 2 * 8 * s->swizzle; /* both halves of k, then the next rows */
        *stride = 8 * s->swizzle;
    }
}

static uint32_t place(const struct shape *s, bool turned, uint32_t rows, uint32_t bytes, uint32_t i, uint32_t k)
{
    uint32_t leading, stride, piece, phase, kb = k * bytes, wide = s->swizzle / bytes;

    strides_of(s, turned, rows, &leading, &stride);
    if (!turned && s->swizzle == 16)
        return i / 8 * stride + kb / 16 * leading + i % 8 * 16 + kb % 16;
    if (turned && s->swizzle == 16)
        return i / 8 * stride + k / 8 * leading + k % 8 * 16 + i % 8 * bytes;
    phase = (turned ? k % 8 : i % 8) / (128 / s->swizzle);
    if (!turned) {
        piece = (kb / 16) ^ phase;
        return i / 8 * stride + i % 8 * s->swizzle + piece * 16 + kb % 16;
    }
    piece = (i % wide / 8) ^ phase;
    return i / wide * leading + k / 8 * stride + k % 8 * s->swizzle + piece * 16 + i % 8 * bytes;
}

static uint64_t descriptor(const struct shape *s, bool turned, uint32_t rows, uint32_t at)
{
    uint32_t leading, stride;
    uint64_t mode = s->swizzle == 128 ? 1 : s->swizzle == 64 ? 2 : s->swizzle == 32 ? 3 : 0;

    strides_of(s, turned, rows, &leading, &stride);
    return (uint64_t)(at / 16) | (uint64_t)(leading / 16) << 16 | (uint64_t)(stride / 16) << 32 | mode << 62;
}

static void put(uint8_t *to, uint32_t bytes, uint32_t bits)
{
    memcpy(to, &bits, bytes); /* little-endian */
}

/* --- a kernel --- */

/* Input: SHARED bytes, then A's four registers per thread, then its sums. Output: the sums. */
static char *kernel_of(const struct shape *s, uint32_t k, uint32_t sums)
{
    struct strbuf b = STRBUF_INIT;
    uint32_t each = 4 + sums;

    strbuf_addf(&b,
                ".version 8.0\n.target sm_90a\n.address_size 64\n.extern .shared .align 1024 .b8 s[];\n"
                ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .b32 %%d<%u>, %%a<4>, %%r<8>;\n"
                ".reg .b64 %%q<8>;\n.reg .pred %%p<2>;\nld.param.u64 %%q0, [in];\nld.param.u64 %%q1, [out];\n"
                "mov.u32 %%r0, %%tid.x;\nmov.u32 %%r1, 0;\nmov.u32 %%r2, s;\n"
                "COPY: mad.lo.u32 %%r3, %%r1, %u, %%r0;\nmul.wide.u32 %%q2, %%r3, 4;\nadd.u64 %%q2, %%q2, %%q0;\n"
                "ld.global.u32 %%r4, [%%q2];\nmad.lo.u32 %%r5, %%r3, 4, %%r2;\nst.shared.u32 [%%r5], %%r4;\n"
                "add.u32 %%r1, %%r1, 1;\nsetp.lt.u32 %%p0, %%r1, %u;\n@%%p0 bra COPY;\nbar.sync 0;\n"
                "mad.wide.u32 %%q2, %%r0, %u, %%q0;\nmad.wide.u32 %%q3, %%r0, %u, %%q1;\n",
                sums, THREADS, SHARED / 4 / THREADS, 4 * each, 4 * sums);
    for (uint32_t r = 0; r < 4; r++)
        strbuf_addf(&b, "ld.global.u32 %%a%u, [%%q2+%u];\n", r, SHARED + 4 * r);
    for (uint32_t r = 0; r < sums; r++)
        strbuf_addf(&b, "ld.global.u32 %%d%u, [%%q2+%u];\n", r, SHARED + 16 + 4 * r);
    strbuf_addf(
        &b,
        "mov.u64 %%q4, 0x%llx;\nmov.u64 %%q5, 0x%llx;\nsetp.%s.u32 %%p1, %%r0, %%r0;\nwgmma.fence.sync.aligned;\n",
        (unsigned long long)descriptor(s, s->a_turned, M, A_AT),
        (unsigned long long)descriptor(s, s->b_turned, s->n, B_AT), s->adds ? "eq" : "ne");
    strbuf_addf(&b, "wgmma.mma_async.sync.aligned.m64n%uk%u.%s.%s.%s {", s->n, k, s->d, s->a, s->b);
    for (uint32_t r = 0; r < sums; r++)
        strbuf_addf(&b, "%s%%d%u", r ? ", " : "", r);
    strbuf_addf(&b, "}, %s, %%q5, %%p1", s->a_in_registers ? "{%a0, %a1, %a2, %a3}" : "%q4");
    if (strcmp(s->d, "s32") != 0)
        strbuf_addf(&b, ", %d, %d", s->scale_a, s->scale_b);
    if (bytes_of(s->a) == 2 && !s->a_in_registers)
        strbuf_addf(&b, ", %d", s->a_turned);
    if (bytes_of(s->a) == 2)
        strbuf_addf(&b, ", %d", s->b_turned);
    strbuf_adds(&b, ";\nwgmma.commit_group.sync.aligned;\nwgmma.wait_group.sync.aligned 0;\n");
    for (uint32_t r = 0; r < sums; r++)
        strbuf_addf(&b, "st.global.u32 [%%q3+%u], %%d%u;\n", 4 * r, r);
    strbuf_adds(&b, "ret;\n}\n");
    return strbuf_detach(&b);
}

/* Row and column of the sum in half h of register r of thread t. */
static void sum_at(bool packed, uint32_t t, uint32_t r, uint32_t h, uint32_t *row, uint32_t *column)
{
    uint32_t pair = packed ? r : r / 2, within = packed ? h : r % 2;

    *row = t / 32 * 16 + t % 32 / 4 + pair % 2 * 8;
    *column = pair / 2 * 8 + t % 4 * 2 + within;
}

static void fill(const struct shape *s, uint32_t k, struct sides *x, uint8_t *in, struct rng *rng)
{
    uint32_t bytes = bytes_of(s->a), sums = s->n / (strcmp(s->d, "f16") == 0 ? 4 : 2), each = 4 + sums;
    bool packed = strcmp(s->d, "f16") == 0;
    int low = s->a[0] == 'u' ? 0 : -3;

    memset(in, 0, SHARED + (size_t)THREADS * each * 4);
    for (uint32_t j = 0; j < k; j++) {
        for (uint32_t i = 0; i < M; i++) {
            x->a[i][j] = (int)rng_below(rng, 7) + low;
            if (!s->a_in_registers)
                put(in + A_AT + place(s, s->a_turned, M, bytes, i, j), bytes, encode(s->a, x->a[i][j]));
        }
        for (uint32_t i = 0; i < s->n; i++) {
            x->b[i][j] = (int)rng_below(rng, 7) + (s->b[0] == 'u' ? 0 : -3);
            put(in + B_AT + place(s, s->b_turned, s->n, bytes, i, j), bytes, encode(s->b, x->b[i][j]));
        }
    }
    for (uint32_t t = 0; t < THREADS; t++) {
        uint8_t *own = in + SHARED + (size_t)t * each * 4;

        for (uint32_t r = 0; r < 4; r++)
            for (uint32_t e = 0; e < 4 / bytes; e++)
                put(&own[4 * r + e * bytes], bytes,
                    encode(s->a, x->a[t / 32 * 16 + t % 32 / 4 + r % 2 * 8]
                                     [t % 4 * (4 / bytes) + e + r / 2 * (16 / bytes)]));
        for (uint32_t r = 0; r < sums; r++)
            for (uint32_t h = 0; h < (packed ? 2 : 1); h++) {
                uint32_t row, column;

                sum_at(packed, t, r, h, &row, &column);
                x->d[row][column] = (int)rng_below(rng, 9) - 4;
                put(&own[16 + 4 * r + 2 * h], packed ? 2 : 4, encode(s->d, x->d[row][column]));
            }
    }
}

static int wanted(const struct shape *s, const struct sides *x, uint32_t k, uint32_t row, uint32_t column)
{
    int sum = s->adds ? x->d[row][column] : 0;

    for (uint32_t j = 0; j < k; j++)
        sum += s->scale_a * s->scale_b * x->a[row][j] * x->b[column][j];
    return sum;
}

static void check_shape(const struct shape *s, struct rng *rng)
{
    bool packed = strcmp(s->d, "f16") == 0;
    uint32_t k = 32 / bytes_of(s->a), sums = s->n / (packed ? 4 : 2), each = 4 + sums;
    char *text = kernel_of(s, k, sums);
    struct bench *b = calloc(1, sizeof *b);
    struct sides *x = calloc(1, sizeof *x);
    uint64_t params[2];
    struct ptx_launch l = {.grid = {1, 1, 1}, .block = {THREADS, 1, 1}, .shared_bytes = SHARED, .param_bytes = 16};
    struct err e;

    b->memory = device_memory_new(64 << 20, &e);
    b->program = ptx_program_new(b->memory, &e);
    bench_load(b, text);
    params[0] = bench_alloc(b, SHARED + (uint64_t)THREADS * each * 4);
    params[1] = bench_alloc(b, (uint64_t)THREADS * sums * 4);
    fill(s, k, x, (uint8_t *)bench_words(b, params[0]), rng);
    l.module = b->module;
    l.params = params;
    if (ptx_launch_run(b->program, &l, &b->options, &b->stats, &e) != 0)
        fail_msg("%s\n%s", e.text, text);
    for (uint32_t t = 0; t < THREADS; t++)
        for (uint32_t r = 0; r < sums; r++)
            for (uint32_t h = 0; h < (packed ? 2 : 1); h++) {
                uint32_t row, column, got = bench_words(b, params[1])[t * sums + r];

                sum_at(packed, t, r, h, &row, &column);
                got = packed ? got >> 16 * h & 0xffff : got;
                if (got != encode(s->d, wanted(s, x, k, row, column)))
                    fail_msg("%s.%s.%s n %u, pattern %u: sum %u, %u is %x, not %x", s->d, s->a, s->b, s->n,
                             s->swizzle, row, column, got, encode(s->d, wanted(s, x, k, row, column)));
            }
    bench_close(b);
    free(x);
    free(text);
}

static void products_of_every_type_and_layout(void **state)
{
    static const char *const types[][3] = {
        {"f32", "f16", "f16"},   {"f16", "f16", "f16"},   {"f32", "bf16", "bf16"}, {"f32", "tf32", "tf32"},
        {"f32", "e4m3", "e5m2"}, {"f16", "e5m2", "e4m3"}, {"s32", "s8", "u8"},     {"s32", "u8", "u8"}};
    static const uint32_t swizzles[] = {16, 32, 64, 128};
    struct rng rng;

    (void)state;
    rng_init(&rng, 3, 0, RNG_TEST);
    for (size_t t = 0; t < sizeof types / sizeof *types; t++)
        for (uint32_t p = 0; p < 4; p++)
            for (uint32_t v = 0; v < 4; v++) {
                bool halves = bytes_of(types[t][1]) == 2, whole = types[t][0][0] == 's';
                struct shape s = {.d = types[t][0],
                                  .a = types[t][1],
                                  .b = types[t][2],
                                  .n = v % 2 ? 64 : 16 + 48 * (swizzles[p] == 128),
                                  .swizzle = swizzles[p],
                                  .a_turned = halves && v == 1,
                                  .b_turned = halves && (v == 1 || v == 2),
                                  .a_in_registers = v == 2,
                                  .scale_a = whole || v != 3 ? 1 : -1,
                                  .scale_b = whole || v != 2 ? 1 : -1,
                                  .adds = v != 0};

                check_shape(&s, &rng);
            }
}

static void what_cannot_run_is_reported(void **state)
{
    static const struct {
        const char *line, *want;
    } cases[] = {
        {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r0, %r1, %r2}, %q0, %q0, %p0, 1, 1, 0, 0;",
         "needs 4 registers here, not 3"},
        {"wgmma.mma_async.sync.aligned.m64n8k8.f32.f16.f16 {%r0, %r1, %r2, %r3}, %q0, %q0, %p0, 1, 1, 0, 0;",
         "not supported"},
        {"wgmma.mma_async.sp.sync.aligned.m64n8k32.f32.f16.f16 {%r0, %r1, %r2, %r3}, %q0, %q0, %r0, 0, %p0, 1, 1, "
         "0, "
         "0;",
         "not supported"},
        {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r0, %r1, %r2, %r3}, %q0, %q0, %p0, 2, 1, 0, 0;",
         "a scale must be 1 or -1"},
        {"wgmma.mma_async.sync.aligned.m64n8k16.f32.f16.f16 {%r0, %r1, %r2, %r3}, %q0, %q0, %p0, 1, 1, 0, 0;",
         "bytes at shared address 0x"},
    };

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++) {
        struct strbuf s = STRBUF_INIT;
        uint64_t none[2] = {0, 0};
        struct bench *b;
        struct err e;

        strbuf_addf(
            &s,
            ".visible .entry k(.param .u64 in, .param .u64 out)\n{\n.reg .b32 %%r<4>; .reg .b64 %%q<2>; .reg "
            ".pred %%p<1>;\n%s\nret;\n}\n",
            cases[k].line);
        b = bench_open(s.text);
        assert_int_equal(bench_run(b, "k", 1, 128, none, 2, &e), -1);
        if (!strstr(e.text, cases[k].want))
            fail_msg("%s", e.text);
        bench_close(b);
        strbuf_release(&s);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(products_of_every_type_and_layout),
        cmocka_unit_test(what_cannot_run_is_reported),
    };

    return cmocka_run_group_tests_name("wgmma", tests, NULL, NULL);
}
