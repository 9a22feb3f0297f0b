/* mma and mma.sp compared with plain loops. Fragments are filled element by element as the PTX manual numbers
 * them. */
#include "tests/unit/ptx/ops/matrix.h"

/* --- fragments: value i of a lane, as PTX ISA 9.0 numbers them in 9.7.14.5 --- */

struct spot {
    uint32_t row, column;
};

static struct spot spot_of(const struct product *p, int part, uint32_t bits, uint32_t lane, uint32_t i)
{
    uint32_t group = lane >> 2, in_group = lane % 4, packed = bits == 64 ? 1 : 32 / bits;
    uint32_t near = in_group * packed + i % packed;

    if (part == 'a' && p->m == 16)
        return (struct spot){(i / packed) % 2 == 0 ? group : group + 8, near + i / (2 * packed) * 4 * packed};
    if (part == 'a')
        return (struct spot){group, near + i / packed * 4 * packed};
    if (part == 'b')
        return (struct spot){near + i / packed * 4 * packed, group};
    return (struct spot){i < 2 ? group : group + 8, in_group * 2 + (i & 1)};
}

/* mma.m8n8k4 of f16 */
static struct spot spot_of_quad(int part, bool a_column, bool b_row, uint32_t bits, uint32_t lane, uint32_t i)
{
    uint32_t low = lane % 4, upper = lane < 16 ? 0 : 4;

    if (part == 'a')
        return a_column ? (struct spot){i % 4 + upper, low} : (struct spot){low + upper, i};
    if (part == 'b')
        return b_row ? (struct spot){low, i + upper} : (struct spot){i, low + upper};
    if (bits == 16)
        return (struct spot){low + upper, i};
    return (struct spot){(lane & 1) + (i & 2) + upper, (i & 4) + (lane & 2) + (i & 1)};
}

static uint32_t values_of(const struct product *p, int part)
{
    return (part == 'a' ? p->m * p->k : part == 'b' ? p->k * p->n : p->m * p->n) / PTX_LANES;
}

/* --- kernels --- */

/* Number of registers of a fragment, and the PTX constraint for one. */
static uint32_t registers_of(uint32_t values, uint32_t bits)
{
    return bits == 64 ? values : (values * bits + 31) / 32;
}

static void add_moves(struct strbuf *s, const char *name, const char *type, uint32_t count, uint32_t at, bool store)
{
    uint32_t bytes = strcmp(type, "f64") == 0 ? 8 : 4;

    for (uint32_t r = 0; r < count; r++)
        if (store)
            strbuf_addf(s, "st.global.%s [%%rd1+%u], %%%s%u;\n", register_type(type), at + r * bytes, name, r);
        else
            strbuf_addf(s, "ld.global.%s %%%s%u, [%%rd1+%u];\n", register_type(type), name, r, at + r * bytes);
}

/* Each lane's fragments are in memory in the order A, B, C, D. */
static void kernel_of(struct strbuf *s, const char *inst, const struct product *p, const uint32_t count[4],
                      const char *rest)
{
    static const char *const names[] = {"fa", "fb", "fc", "fd"};
    const char *types[] = {p->a, p->b, p->c, p->d};

    strbuf_adds(s, ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<8>;\n.reg .b64 %rd<4>;\n");
    for (int part = 0; part < 4; part++)
        strbuf_addf(s, ".reg .%s %%%s<%u>;\n", register_type(types[part]), names[part], count[part]);
    strbuf_addf(s, "ld.param.u64 %%rd0, [p];\nmov.u32 %%r0, %%tid.x;\nmad.wide.u32 %%rd1, %%r0, %d, %%rd0;\n",
                LANE_STRIDE);
    strbuf_addf(s, "ld.global.b32 %%r1, [%%rd1+%d];\n", LANE_BYTES);
    for (int part = 0; part < 3; part++)
        add_moves(s, names[part], types[part], count[part], (uint32_t)part * PART_BYTES, false);
    strbuf_addf(s, "%s ", inst);
    for (int part = 3; part >= 0; part = part == 3 ? 0 : part == 2 ? -1 : part + 1) {
        add_list(s, names[part], count[part]);
        strbuf_adds(s, part == 2 ? "" : ", ");
    }
    strbuf_addf(s, "%s;\n", rest);
    add_moves(s, names[3], p->d, count[3], 3 * PART_BYTES, true);
    strbuf_adds(s, "ret;\n}\n");
}

static void instruction_of(char *out, size_t room, const struct product *p)
{
    snprintf(out, room, "mma.sync.aligned.m%un%uk%u%s.%s.%s.%s.%s%s", p->m, p->n, p->k, p->before, p->d, p->a, p->b,
             p->c, p->after);
}

/* --- dense products --- */

static void check_product(const struct product *p)
{
    const char *types[] = {p->a, p->b, p->c, p->d}, parts[] = "abcd";
    struct strbuf text = STRBUF_INIT;
    struct numbers *x = calloc(1, sizeof *x);
    uint32_t count[4], lane_bytes = LANE_STRIDE;
    char inst[120];
    uint64_t address;
    struct bench *b;
    uint8_t *bytes;
    struct err e;

    fill(p, x, p->k + p->m);
    multiply(p, x);
    for (int part = 0; part < 4; part++)
        count[part] = registers_of(values_of(p, parts[part]), format_of(types[part])->bits);
    instruction_of(inst, sizeof inst, p);
    kernel_of(&text, inst, p, count, "");
    b = bench_open(text.text);
    address = bench_alloc(b, (uint64_t)lane_bytes * PTX_LANES);
    bytes = (uint8_t *)bench_words(b, address);
    for (uint32_t l = 0; l < PTX_LANES; l++)
        for (int part = 0; part < 3; part++) {
            const struct format *f = format_of(types[part]);

            for (uint32_t i = 0; i < values_of(p, parts[part]); i++) {
                struct spot at = spot_of(p, parts[part], f->bits, l, i);
                int64_t v = part == 0   ? x->a[at.row * p->k + at.column]
                            : part == 1 ? x->b[at.row * p->n + at.column]
                                        : x->c[at.row * p->n + at.column];

                put_bits(bytes + l * lane_bytes + part * PART_BYTES, i, f->bits, encode(f, v));
            }
        }
    CHECK_OK(bench_run(b, "k", 1, 32, &address, 1, &e), &e);
    for (uint32_t l = 0; l < PTX_LANES; l++)
        for (uint32_t i = 0; i < values_of(p, 'd'); i++) {
            const struct format *f = format_of(p->d);
            struct spot at = spot_of(p, 'd', f->bits, l, i);
            uint64_t want = encode(f, x->d[at.row * p->n + at.column]);
            uint64_t have = get_bits(bytes + l * lane_bytes + 3 * PART_BYTES, i, f->bits);

            if (have != want)
                fail_msg("%s: row %u, column %u: %#llx, not %#llx", inst, at.row, at.column,
                         (unsigned long long)have, (unsigned long long)want);
        }
    bench_close(b);
    strbuf_release(&text);
    free(x);
}

static const struct product products[] = {
    {"f32", "f16", "f16", "f32", 16, 8, 16, ".row.col", "", 100},
    {"f16", "f16", "f16", "f16", 16, 8, 16, ".row.col", "", 100},
    {"f32", "f16", "f16", "f32", 16, 8, 8, ".row.col", "", 100},
    {"f16", "f16", "f16", "f16", 16, 8, 8, ".row.col", "", 100},
    {"f32", "bf16", "bf16", "f32", 16, 8, 16, ".row.col", "", 100},
    {"f32", "bf16", "bf16", "f32", 16, 8, 8, ".row.col", "", 100},
    {"f32", "tf32", "tf32", "f32", 16, 8, 4, ".row.col", "", 100},
    {"f32", "tf32", "tf32", "f32", 16, 8, 8, ".row.col", "", 100},
    {"f64", "f64", "f64", "f64", 8, 8, 4, ".row.col.rn", "", 100},
    {"f64", "f64", "f64", "f64", 16, 8, 4, ".row.col", "", 100},
    {"f64", "f64", "f64", "f64", 16, 8, 8, ".row.col", "", 100},
    {"f64", "f64", "f64", "f64", 16, 8, 16, ".row.col", "", 100},
    {"f32", "e4m3", "e4m3", "f32", 16, 8, 32, ".row.col", "", 100},
    {"f32", "e5m2", "e4m3", "f32", 16, 8, 32, ".row.col", "", 100},
    {"f16", "e4m3", "e5m2", "f16", 16, 8, 32, ".row.col", "", 100},
    {"f32", "e4m3", "e4m3", "f32", 16, 8, 16, ".row.col", "", 100},
    {"s32", "s8", "s8", "s32", 8, 8, 16, ".row.col", "", 2000000000},
    {"s32", "u8", "s8", "s32", 16, 8, 16, ".row.col", "", 2000000000},
    {"s32", "s8", "u8", "s32", 16, 8, 32, ".row.col", "", INT32_MAX},
    {"s32", "u8", "u8", "s32", 16, 8, 32, ".row.col.satfinite", "", INT32_MAX},
    {"s32", "s4", "s4", "s32", 8, 8, 32, ".row.col.satfinite", "", INT32_MAX},
    {"s32", "u4", "s4", "s32", 16, 8, 32, ".row.col", "", 1000},
    {"s32", "s4", "u4", "s32", 16, 8, 64, ".row.col", "", 1000},
    {"s32", "b1", "b1", "s32", 8, 8, 128, ".row.col", ".xor.popc", 1000},
    {"s32", "b1", "b1", "s32", 16, 8, 128, ".row.col", ".and.popc", 1000},
    {"s32", "b1", "b1", "s32", 16, 8, 256, ".row.col", ".xor.popc", 1000},
};

static void test_products(void **state)
{
    (void)state;
    for (size_t k = 0; k < sizeof products / sizeof *products; k++)
        check_product(&products[k]);
}

/* --- m8n8k4 of f16: four products in one --- */

static void check_quads(const char *d, const char *c, bool a_column, bool b_row)
{
    const struct product p = {d, "f16", "f16", c, 8, 8, 4, "", "", 100};
    const char *types[] = {p.a, p.b, p.c, p.d};
    uint32_t values[] = {4, 4, 8, 8}, count[4], lane_bytes = LANE_STRIDE;
    struct numbers *x = calloc(4, sizeof *x);
    struct strbuf text = STRBUF_INIT;
    char inst[120];
    uint64_t address;
    struct bench *b;
    uint8_t *bytes;
    struct err e;

    snprintf(inst, sizeof inst, "mma.sync.aligned.m8n8k4.%s.%s.%s.f16.f16.%s", a_column ? "col" : "row",
             b_row ? "row" : "col", d, c);
    for (int part = 0; part < 4; part++)
        count[part] = registers_of(values[part], format_of(types[part])->bits);
    kernel_of(&text, inst, &p, count, "");
    b = bench_open(text.text);
    address = bench_alloc(b, (uint64_t)lane_bytes * PTX_LANES);
    bytes = (uint8_t *)bench_words(b, address);
    for (uint32_t q = 0; q < 4; q++) {
        fill(&p, &x[q], q);
        multiply(&p, &x[q]);
    }
    for (uint32_t l = 0; l < PTX_LANES; l++)
        for (int part = 0; part < 3; part++)
            for (uint32_t i = 0; i < values[part]; i++) {
                const struct format *f = format_of(types[part]);
                struct spot at = spot_of_quad("abcd"[part], a_column, b_row, f -> bits, l, i);
                const struct numbers *q = &x[l % 16 / 4];
                int64_t v = part == 0   ? q->a[at.row * 4 + at.column]
                            : part == 1 ? q->b[at.row * 8 + at.column]
                                        : q->c[at.row * 8 + at.column];

                put_bits(bytes + l * lane_bytes + part * PART_BYTES, i, f->bits, encode(f, v));
            }
    CHECK_OK(bench_run(b, "k", 1, 32, &address, 1, &e), &e);
    for (uint32_t l = 0; l < PTX_LANES; l++)
        for (uint32_t i = 0; i < 8; i++) {
            const struct format *f = format_of(d);
            struct spot at = spot_of_quad('d', a_column, b_row, f->bits, l, i);

            assert_int_equal(get_bits(bytes + l * lane_bytes + 3 * PART_BYTES, i, f->bits),
                             encode(f, x[l % 16 / 4].d[at.row * 8 + at.column]));
        }
    bench_close(b);
    strbuf_release(&text);
    free(x);
}

static void test_quads(void **state)
{
    (void)state;
    check_quads("f32", "f32", false, false);
    check_quads("f32", "f32", true, true);
    check_quads("f16", "f16", false, true);
    check_quads("f16", "f16", true, false);
    check_quads("f32", "f16", false, false);
}

/* --- sparse products: half of A is stored, and metadata give the positions --- */

/* Metadata of a row in its lane: 9.7.14.6.1 */
static void put_metadata(uint32_t word[PTX_LANES], uint32_t bits, uint32_t selector, bool small, uint32_t row,
                         uint64_t which)
{
    uint32_t quad = row % 8 * 4, down = row / 8;

    if (small) { /* complete words: row g, then row g + 8 */
        for (uint32_t h = 0; h < bits / 32; h++)
            word[quad + (bits == 32 ? selector * 2 : 0) + 2 * h + down] = (uint32_t)(which >> 32 * h);
        return;
    }
    for (uint32_t h = 0; h < bits / 16; h++)
        word[quad + (bits == 32 ? selector * 2 : selector) + h] |= (uint32_t)(which >> 16 * h & 0xffff)
                                                                   << 16 * down;
}

/* Makes A sparse. Writes the kept elements to `stored` (m x k / 2) and returns their metadata. */
static void thin_out(const struct product *p, struct numbers *x, int64_t *stored, uint32_t selector,
                     uint32_t word[PTX_LANES])
{
    uint32_t bits = format_of(p->a)->bits, width = bits == 4 ? 2 : 1;
    bool one = strcmp(p->a, "tf32") == 0;
    uint32_t group = one ? 2 : 4 * width, metadata = one ? 2 * p->k : p->k / width;
    struct rng g;

    rng_init(&g, p->k, 2, RNG_TEST);
    for (uint32_t i = 0; i < p->m; i++) {
        uint64_t which = 0;

        for (uint32_t c = 0; c < p->k / group; c++) {
            uint32_t first = (uint32_t)(rng_u64(&g) % 3),
                     second = first + 1 + (uint32_t)(rng_u64(&g) % (3 - first));
            int64_t *values = &x->a[i * p->k + c * group];

            if (one) {
                first = first > 0;
                which |= (uint64_t)(first ? 0xe : 0x4) << 4 * c;
                values[!first] = 0;
                stored[i * p->k / 2 + c] = values[first];
                continue;
            }
            which |= (uint64_t)(first | second << 2) << 4 * c;
            for (uint32_t k = 0; k < group; k++) {
                uint32_t slot = k / width;

                if (slot != first && slot != second)
                    values[k] = 0;
                else
                    stored[i * p->k / 2 + c * group / 2 + (slot == second) * width + k % width] = values[k];
            }
        }
        put_metadata(word, metadata, selector, bits <= 8, i, which);
    }
}

static void check_sparse(const struct product *p, uint32_t selector)
{
    const char *types[] = {p->a, p->b, p->c, p->d}, parts[] = "abcd";
    const struct product half = {p->d, p->a, p->b, p->c, p->m, p->n, p->k / 2, "", "", 0};
    struct numbers *x = calloc(1, sizeof *x);
    int64_t *stored = calloc(p->m * p->k, sizeof *stored);
    struct strbuf text = STRBUF_INIT;
    uint32_t count[4], word[PTX_LANES] = {0}, lane_bytes = LANE_STRIDE;
    char inst[120], rest[20];
    uint64_t address;
    struct bench *b;
    uint8_t *bytes;
    struct err e;

    fill(p, x, p->k);
    thin_out(p, x, stored, selector, word);
    multiply(p, x);
    for (int part = 0; part < 4; part++)
        count[part] = registers_of(values_of(part ? p : &half, parts[part]), format_of(types[part])->bits);
    snprintf(inst, sizeof inst, "mma.sp::ordered_metadata.sync.aligned.m16n8k%u.row.col.%s.%s.%s.%s", p->k, p->d,
             p->a, p->b, p->c);
    snprintf(rest, sizeof rest, ", %%r1, 0x%x", selector);
    kernel_of(&text, inst, p, count, rest);
    b = bench_open(text.text);
    address = bench_alloc(b, (uint64_t)lane_bytes * PTX_LANES);
    bytes = (uint8_t *)bench_words(b, address);
    for (uint32_t l = 0; l < PTX_LANES; l++) {
        memcpy(bytes + l * lane_bytes + LANE_BYTES, &word[l], 4);
        for (int part = 0; part < 3; part++)
            for (uint32_t i = 0; i < values_of(part ? p : &half, parts[part]); i++) {
                const struct format *f = format_of(types[part]);
                struct spot at = spot_of(p, parts[part], f->bits, l, i);
                int64_t v = part == 0   ? stored[at.row * half.k + at.column]
                            : part == 1 ? x->b[at.row * p->n + at.column]
                                        : x->c[at.row * p->n + at.column];

                put_bits(bytes + l * lane_bytes + part * PART_BYTES, i, f->bits, encode(f, v));
            }
    }
    CHECK_OK(bench_run(b, "k", 1, 32, &address, 1, &e), &e);
    for (uint32_t l = 0; l < PTX_LANES; l++)
        for (uint32_t i = 0; i < 4; i++) {
            struct spot at = spot_of(p, 'd', 32, l, i);
            uint64_t have = get_bits(bytes + l * lane_bytes + 3 * PART_BYTES, i, 32);

            if (have != encode(format_of(p->d), x->d[at.row * p->n + at.column]))
                fail_msg("%s: row %u, column %u", inst, at.row, at.column);
        }
    bench_close(b);
    strbuf_release(&text);
    free(stored);
    free(x);
}

static void test_sparse(void **state)
{
    static const struct product all[] = {{"f32", "f16", "f16", "f32", 16, 8, 16, "", "", 100},
                                         {"f32", "f16", "f16", "f32", 16, 8, 32, "", "", 100},
                                         {"f32", "bf16", "bf16", "f32", 16, 8, 32, "", "", 100},
                                         {"f32", "tf32", "tf32", "f32", 16, 8, 8, "", "", 100},
                                         {"f32", "tf32", "tf32", "f32", 16, 8, 16, "", "", 100},
                                         {"s32", "s8", "u8", "s32", 16, 8, 32, "", "", 100},
                                         {"s32", "s8", "s8", "s32", 16, 8, 64, "", "", 100},
                                         {"s32", "u4", "s4", "s32", 16, 8, 64, "", "", 100},
                                         {"s32", "s4", "s4", "s32", 16, 8, 128, "", "", 100},
                                         {"f32", "e4m3", "e5m2", "f32", 16, 8, 64, "", "", 100},
                                         {"f32", "e5m2", "e5m2", "f32", 16, 8, 64, "", "", 100}};

    (void)state;
    for (size_t k = 0; k < sizeof all / sizeof *all; k++) {
        check_sparse(&all[k], 0);
        if (k < 6 || k == 7) /* the largest k use all of their metadata */
            check_sparse(&all[k], 1);
    }
}

/* --- other cases --- */

/* Lanes that arrive one after another execute it together. */
static void test_diverged(void **state)
{
    static const char text[] =
        ".visible .entry k(.param .u64 p)\n{\n.reg .b32 %r<8>;\n.reg .f64 %d<8>;\n.reg .b64 %rd<4>;\n.reg .pred "
        "%p;\n"
        "ld.param.u64 %rd0, [p];\nmov.u32 %r0, %tid.x;\nand.b32 %r1, %r0, 1;\nsetp.eq.u32 %p, %r1, 0;\n"
        "mov.f64 %d0, 0d3FF0000000000000;\n@%p bra EVEN;\nmov.f64 %d0, 0d4000000000000000;\nbra MEET;\nEVEN:\n"
        "nanosleep.u32 100;\nMEET:\nmma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%d2,%d3}, {%d0}, {%d0}, "
        "{0d0000000000000000, 0d0000000000000000};\n"
        "mad.wide.u32 %rd1, %r0, 8, %rd0;\nst.global.f64 [%rd1], %d2;\nret;\n}\n";
    struct bench *b = bench_open(text);
    uint64_t address = bench_alloc(b, 256);
    double *out = (double *)bench_words(b, address);
    struct err e;

    (void)state;
    CHECK_OK(bench_run(b, "k", 1, 32, &address, 1, &e), &e);
    for (int l = 0; l < 32; l++)
        assert_true(out[l] == 1 + 4 + 1 + 4);
    bench_close(b);
}

/* Four terms of 2^-60 added to 1 or -1: each step of the chain is rounded, by one ulp or not at all. */
static void test_rounding(void **state)
{
    static const struct {
        const char *name;
        uint64_t of_1, of_minus_1;
    } want[] = {{"mma.sync.aligned.m8n8k4.row.col", 0x3ff0000000000000, 0xbff0000000000000},
                {"mma.sync.aligned.m8n8k4.row.col.rn", 0x3ff0000000000000, 0xbff0000000000000},
                {"mma.sync.aligned.m8n8k4.row.col.rz", 0x3ff0000000000000, 0xbfeffffffffffffc},
                {"mma.sync.aligned.m8n8k4.row.col.rm", 0x3ff0000000000000, 0xbff0000000000000},
                {"mma.sync.aligned.m8n8k4.row.col.rp", 0x3ff0000000000004, 0xbfeffffffffffffc},
                {"wmma.mma.sync.aligned.row.col.m8n8k4", 0x3ff0000000000000, 0xbff0000000000000},
                {"wmma.mma.sync.aligned.row.col.m8n8k4.rn", 0x3ff0000000000000, 0xbff0000000000000},
                {"wmma.mma.sync.aligned.row.col.m8n8k4.rz", 0x3ff0000000000000, 0xbfeffffffffffffc},
                {"wmma.mma.sync.aligned.row.col.m8n8k4.rm", 0x3ff0000000000000, 0xbff0000000000000},
                {"wmma.mma.sync.aligned.row.col.m8n8k4.rp", 0x3ff0000000000004, 0xbfeffffffffffffc}};

    (void)state;
    for (size_t k = 0; k < sizeof want / sizeof *want; k++) {
        struct strbuf text = STRBUF_INIT;
        struct bench *b;
        uint64_t address, out[2];
        struct err e;

        strbuf_addf(
            &text,
            ".visible .entry k(.param .u64 p)\n{\n.reg .f64 %%d<4>;\n.reg .b64 %%rd;\nld.param.u64 %%rd, [p];\n"
            "%s.f64.f64.f64.f64 {%%d2,%%d3}, {0d3FF0000000000000}, {0d3C30000000000000}, "
            "{0d3FF0000000000000, 0dBFF0000000000000};\nst.global.v2.f64 [%%rd], {%%d2,%%d3};\nret;\n}\n",
            want[k].name);
        b = bench_open(text.text);
        address = bench_alloc(b, sizeof out);
        CHECK_OK(bench_run(b, "k", 1, 32, &address, 1, &e), &e);
        memcpy(out, bench_words(b, address), sizeof out);
        assert_int_equal(out[0], want[k].of_1);
        assert_int_equal(out[1], want[k].of_minus_1);
        bench_close(b);
        strbuf_release(&text);
    }
}

static void refused(const char *line, const char *want)
{
    struct strbuf text = STRBUF_INIT;
    struct ptx_module *m;
    struct ptx_code *c = NULL;
    struct err e;

    strbuf_addf(&text,
                PTX_HEAD
                ".visible .entry k()\n{\n.reg .b32 %%r<16>;\n.reg .f32 %%f<8>; .reg .f64 %%d<8>;\n%s\nret;\n}\n",
                line);
    CHECK_OK(ptx_parse(text.text, text.length, "t.ptx", &m, &e), &e);
    assert_int_equal(ptx_decode(m, 0, &c, &e), -1);
    if (!strstr(e.text, want))
        fail_msg("%s", e.text);
    ptx_code_free(c);
    ptx_module_free(m);
    strbuf_release(&text);
}

static void test_faults(void **state)
{
    (void)state;
    refused("mma.sync.aligned.m16n8k64.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2,%r3}, {%r4,%r5}, "
            "{%f0,%f1,%f2,%f3};",
            "t.ptx:8:1: not supported: mma.sync.aligned.m16n8k64");
    refused("mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1,%r2}, {%r4,%r5}, "
            "{%f0,%f1,%f2,%f3};",
            "needs 4 registers here, not 3");
    refused("mma.sync.aligned.m16n8k32.row.col.kind::f8f6f4.f32.e4m3.e4m3.f32 {%f0,%f1,%f2,%f3}, "
            "{%r0,%r1,%r2,%r3}, {%r4,%r5}, {%f0,%f1,%f2,%f3};",
            "not supported: mma.sync");
    refused("mma.sync.aligned.m16n8k8.row.col.rz.f32.f16.f16.f32 {%f0,%f1,%f2,%f3}, {%r0,%r1}, {%r4}, "
            "{%f0,%f1,%f2,%f3};",
            "not supported: mma.sync");
    refused("mma.sync.aligned.m8n8k4.row.col.rn.rz.f64.f64.f64.f64 {%d0,%d1}, {%d2}, {%d3}, {%d4,%d5};",
            "not supported: mma.sync");
    refused("wmma.mma.sync.aligned.row.col.m8n8k4.rz.rm.f64.f64.f64.f64 {%d0,%d1}, {%d2}, {%d3}, {%d4,%d5};",
            "not supported: wmma.mma");
    refused("wmma.mma.sync.aligned.row.col.m16n16k16.rn.f32.f32 {%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7}, "
            "{%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, "
            "{%f0,%f1,%f2,%f3,%f4,%f5,%f6,%f7};",
            "not supported: wmma.mma");
    refused("ldmatrix.sync.aligned.m16n16.x1.shared.b8 {%r0}, [%r1];", "not supported: ldmatrix");
    refused("wmma.load.a.sync.aligned.row.m16n16k32.f16 {%r0,%r1,%r2,%r3,%r4,%r5,%r6,%r7}, [%r1], 8;",
            "not supported: wmma.load");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(test_products), cmocka_unit_test(test_quads),    cmocka_unit_test(test_sparse),
        cmocka_unit_test(test_diverged), cmocka_unit_test(test_rounding), cmocka_unit_test(test_faults),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
