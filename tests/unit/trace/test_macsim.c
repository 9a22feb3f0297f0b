/* Folders of MacSim's tracer, built here: which parts are read, which are reconstructed, and which are refused. */
#include "tests/harness/folder.h"
#include "tests/unit/trace/texts.h"

#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

#include <zlib.h>

#include "simcore/trace/bundle.h"

/* Opcode numbers in records. */
enum { FADD = 0, ISETP = 43, SEL = 64, SHFL = 66, LDG = 73, LDC = 72, LDS = 75, STG = 78, UIADD3 = 98, EXIT = 139 };

/* --- writing --- */

struct rec {
    uint8_t opcode, writes, reads;
    uint16_t dst, src[4];
    uint32_t mask;
    uint64_t pc, address;
    uint8_t bytes;
};

static void put_number(uint8_t *to, uint64_t x, int bytes)
{
    for (int i = 0; i < bytes; i++)
        to[i] = (uint8_t)(x >> 8 * i);
}

/* Encodes a record as in docs/formats/macsim.md. */
static void encode(const struct rec *r, uint8_t b[64])
{
    memset(b, 0, 64);
    b[0] = r->opcode;
    b[4] = r->reads;
    b[5] = r->writes;
    for (int i = 0; i < 4; i++)
        put_number(b + 6 + 2 * i, r->src[i], 2);
    put_number(b + 14, r->dst, 2);
    b[22] = 16;
    put_number(b + 24, r->mask, 4);
    put_number(b + 32, r->pc, 8);
    put_number(b + 48, r->address, 8);
    b[56] = r->bytes;
}

static void put_records(const char *name, const struct rec *r, size_t n, size_t cut, bool compressed)
{
    uint8_t bytes[64 * 64];
    const char *path = in_folder(name);

    assert_true(n <= 64);
    for (size_t i = 0; i < n; i++)
        encode(&r[i], bytes + 64 * i);
    if (compressed) {
        gzFile f = gzopen(path, "wb");

        assert_int_equal(gzwrite(f, bytes, (unsigned)(64 * n - cut)), 64 * n - cut);
        gzclose(f);
    } else {
        FILE *f = fopen(path, "wb");

        assert_int_equal(fwrite(bytes, 1, 64 * n - cut, f), 64 * n - cut);
        fclose(f);
    }
}

#define PC 0x7f00001000u
static const struct rec simple[] = {
    {.opcode = LDG, .writes = 1, .dst = 4, .mask = UINT32_MAX, .pc = PC, .address = 0x1000, .bytes = 4},
    {.opcode = FADD, .writes = 1, .reads = 2, .dst = 5, .src = {4, 255}, .mask = UINT32_MAX, .pc = PC + 16},
    {.opcode = EXIT, .mask = UINT32_MAX, .pc = PC + 32},
};
#define NAMES                                                                                                      \
    "Kernel0 name: add(float*, int)\n  Grid size: (2, 1, 1), Block size: (64, 1, 1), maxBlockPerCore: 16, # of "   \
    "regs: 12, static shared mem: 8, dynamic shared mem: 16\n"                                                     \
    "Kernel1 name: other(int)\n  Grid size: (1, 1, 1), Block size: (32, 1, 1), maxBlockPerCore: 16, # of "         \
    "regs: 9, static shared mem: 0, dynamic shared mem: 0\n"

/* Two launches. In the first one, the warps of the second CTA had slots 5 and 9 of their SM. */
static void put_two_launches(void)
{
    mkdir(in_folder("Kernel0"), 0700);
    mkdir(in_folder("Kernel1"), 0700);
    put("kernel_config.txt", "nvbit\n14\n-1\n./Kernel0/trace.txt\n./Kernel1/trace.txt\n");
    put("kernel_names.txt", NAMES);
    put("Kernel0/trace.txt", "nvbit\n14\n16\n4\n0 0\n1 0\n65541 0\n65545 0\n");
    put("Kernel0/trace_info.txt", "0 3\n1 3\n65541 3\n65545 3\n");
    put_records("Kernel0/trace_0.raw", simple, 3, 0, true);
    put_records("Kernel0/trace_1.raw", simple, 3, 0, true);
    put_records("Kernel0/trace_65541.raw", simple, 3, 0, true);
    put_records("Kernel0/bin_trace_65545.raw", simple, 3, 0, false);
    put("Kernel1/trace.txt", "nvbit\n14\n16\n1\n0 0\n");
    put_records("Kernel1/trace_0.raw", simple, 3, 0, true);
}

/* --- reading --- */

static int open_kernel(const char *path, struct inst_source **out, struct err *e)
{
    return trace_file_open_path(in_folder(path), out, e);
}

/* Opens one launch of one warp with these records and reads its CTA. */
static struct inst_source *open_records(const struct rec *r, size_t n, struct cta_trace **cta)
{
    struct inst_source *s;
    struct err e;

    mkdir(in_folder("Kernel7"), 0700);
    put("Kernel7/trace.txt", "nvbit\n14\n16\n1\n0 0\n");
    put_records("Kernel7/trace_0.raw", r, n, 0, true);
    CHECK_OK(open_kernel("Kernel7/trace.txt", &s, &e), &e);
    CHECK_OK(inst_source_next_cta(s, cta, &e), &e);
    assert_non_null(*cta);
    return s;
}

static void close_records(struct inst_source *s, struct cta_trace *cta)
{
    inst_source_release_cta(s, cta);
    inst_source_release(s);
}

static void a_folder_is_a_set_of_launches(void **state)
{
    struct bundle b;
    struct err e;

    (void)state;
    put_two_launches();
    assert_int_equal(bundle_recognise(folder, &e), 1);
    CHECK_OK(bundle_open(folder, NULL, NULL, &b, &e), &e);
    assert_int_equal(b.count, 2);
    assert_string_equal(b.kernels[0].label, "Kernel0/trace.txt");
    assert_true(b.kernels[0].id == 1 && b.kernels[1].id == 2 && b.kernels[1].order == 1);
    assert_true(b.kernels[1].format == TRACE_MACSIM);
    bundle_close(&b);
}

static void a_launch_has_its_shape_and_its_warps(void **state)
{
    struct inst_source *s;
    struct cta_trace *cta;
    struct err e;

    (void)state;
    put_two_launches();
    CHECK_OK(open_kernel("Kernel0/trace.txt", &s, &e), &e);
    assert_string_equal(s->info.name, "add(float*, int)");
    assert_true(s->info.grid[0] == 2 && s->info.block[0] == 64 && s->info.registers == 12);
    assert_int_equal(s->info.shared_bytes, 24);
    for (uint32_t c = 0; c < 2; c++) {
        assert_int_equal(inst_source_next_cta(s, &cta, &e), 1);
        assert_true(cta->id[0] == c && cta->warp_count == 2);
        for (int w = 0; w < 2; w++) { /* slots 5 and 9 are warps 0 and 1 */
            assert_int_equal(cta->warps[w].count, 3);
            assert_int_equal(s->insts[cta->warps[w].insts[1].inst].pc, 16);
        }
        inst_source_release_cta(s, cta);
    }
    assert_int_equal(inst_source_next_cta(s, &cta, &e), 0);
    assert_int_equal(s->inst_count, 3);
    assert_true(s->repairs.lane_addresses == 4 && s->repairs.empty_ctas == 0);
    inst_source_release(s);
}

static void without_names_the_shape_is_that_of_the_warps(void **state)
{
    struct inst_source *s;
    struct err e;

    (void)state;
    put_two_launches();
    assert_int_equal(unlink(in_folder("kernel_names.txt")), 0);
    CHECK_OK(open_kernel("Kernel0/trace.txt", &s, &e), &e);
    assert_string_equal(s->info.name, "Kernel0");
    assert_true(s->info.grid[0] == 2 && s->info.block[0] == 64);
    inst_source_release(s);
}

static void operands_that_are_no_registers_are_taken_out(void **state)
{
    static const struct rec r[] = {
        /* ISETP P0, PT, R2, R3, PT */
        {.opcode = ISETP, .writes = 1, .reads = 4, .dst = 0, .src = {7, 2, 3, 7}, .mask = 1, .pc = PC},
        /* SHFL PT, R5, R4, R6 */
        {.opcode = SHFL, .writes = 1, .reads = 3, .dst = 7, .src = {5, 4, 6}, .mask = 1, .pc = PC + 16},
        /* SEL R1, R2, R3, P0 */
        {.opcode = SEL, .writes = 1, .reads = 3, .dst = 1, .src = {2, 3, 0}, .mask = 1, .pc = PC + 32},
        /* UIADD3 UR4, UR5, UR6 */
        {.opcode = UIADD3, .writes = 1, .reads = 2, .dst = 4, .src = {5, 6}, .mask = 1, .pc = PC + 48},
        {.opcode = 255, .writes = 1, .reads = 5, .dst = 9, .src = {1, 2, 3, 4}, .mask = 1, .pc = PC + 64},
    };
    struct cta_trace *cta;
    struct inst_source *s = open_records(r, 5, &cta);

    (void)state;
    assert_true(s->insts[0].dst_count == 0 && s->insts[0].src_count == 2);
    assert_true(s->insts[0].src[0] == 2 && s->insts[0].src[1] == 3);
    assert_true(s->insts[1].dst_count == 1 && s->insts[1].dst == 5 && s->insts[1].src_count == 2);
    assert_true(s->insts[1].src[0] == 4 && s->insts[1].src[1] == 6);
    assert_true(s->insts[2].dst == 1 && s->insts[2].src_count == 2 && s->insts[2].src[1] == 3);
    assert_true(s->insts[3].dst_count == 0 && s->insts[3].src_count == 0);
    assert_true(s->insts[4].dst == 9 && s->insts[4].src_count == 4);
    assert_string_equal(s->opcodes[s->insts[4].opcode], "OPCODE_255");
    assert_true(s->repairs.operand_kind == 4 && s->repairs.destination_from_source == 1);
    close_records(s, cta);
}

static void lanes_lie_side_by_side_within_a_line_or_two(void **state)
{
    static const struct rec r[] = {
        {.opcode = LDG, .writes = 1, .dst = 4, .mask = UINT32_MAX, .pc = PC, .address = 0x1000, .bytes = 8},
        {.opcode = STG, .reads = 1, .src = {4}, .mask = 0xf0, .pc = PC + 16, .address = 0x2000, .bytes = 4},
        {.opcode = LDC, .writes = 1, .dst = 4, .mask = UINT32_MAX, .pc = PC + 32, .address = 0x3000, .bytes = 8},
    };
    struct cta_trace *cta;
    struct inst_source *s = open_records(r, 3, &cta);
    const struct warp_inst *w = cta->warps[0].insts;

    (void)state;
    assert_string_equal(s->opcodes[s->insts[0].opcode], "LDG.64");
    assert_true(s->insts[0].width == 8 && s->insts[0].dst_regs == 2);
    assert_true(lane_address(cta, &w[0], 0) == 0x1000 && lane_address(cta, &w[0], 31) == 0x1000 + 31 * 8);
    assert_true(lane_address(cta, &w[1], 4) == 0x2000 && lane_address(cta, &w[1], 7) == 0x200c);
    assert_true(w[2].address == UINT32_MAX && s->insts[2].width == 0); /* a constant bank has no address */
    close_records(s, cta);
}

/* An access of 32 lanes, `stride` bytes apart, as the tracer records it (docs/formats/macsim.md). */
static size_t record_strided(struct rec *out, uint64_t first, int64_t stride, uint8_t bytes)
{
    uint64_t low = stride < 0 ? first + 31 * (uint64_t)stride : first, high = first + 31 * (uint64_t)stride;
    uint64_t lines = ((stride < 0 ? first : high) - low) / 128;
    const struct rec one = {.opcode = LDG, .writes = 1, .dst = 4, .mask = UINT32_MAX, .pc = PC, .bytes = bytes};
    size_t n = 0;

    lines = lines > 32 ? 32 : lines;
    out[n] = one;
    out[n].bytes = (uint8_t)(bytes * (lines ? lines : 1));
    out[n++].address = first;
    for (uint64_t i = 1; i < lines; i++) {
        if (lines == 32 && stride < 0 && i == 31)
            continue; /* the lowest address is omitted */
        out[n] = one;
        out[n++].address = lines == 32 ? first + i * (uint64_t)stride : low + 128 * i;
    }
    return n;
}

static void strides_come_back_from_the_lines(void **state)
{
    static const struct {
        int64_t stride;
        uint8_t bytes;
    } cases[] = {{4, 4}, {8, 8}, {16, 16}, {32, 4}, {64, 4}, {128, 4}, {256, 8}, {4096, 4}, {-16, 16}, {-64, 8}};
    struct rec r[64];

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n = record_strided(r, 0x100000, cases[i].stride, cases[i].bytes);
        struct cta_trace *cta;
        struct inst_source *s = open_records(r, n, &cta);

        assert_int_equal(cta->warps[0].count, 1); /* additional lines are not separate instructions */
        assert_int_equal(s->insts[0].width, cases[i].bytes);
        for (unsigned lane = 0; lane < 31; lane++) {
            uint64_t want = 0x100000 + lane * (uint64_t)cases[i].stride,
                     got = lane_address(cta, cta->warps[0].insts, lane);

            if (got != want)
                fail_msg("stride %lld, lane %u: 0x%llx instead of 0x%llx", (long long)cases[i].stride, lane,
                         (unsigned long long)got, (unsigned long long)want);
        }
        close_records(s, cta);
    }
}

static void scattered_lanes_keep_their_addresses(void **state)
{
    struct rec r[32];
    struct cta_trace *cta;
    struct inst_source *s;

    (void)state;
    for (unsigned i = 0; i < 32; i++)
        r[i] = (struct rec){.opcode = LDG,
                            .mask = UINT32_MAX,
                            .pc = PC,
                            .bytes = 4,
                            .address = i ? 0x100000 + i * 7919 % 97 * 512 : 0x1000};
    r[0].bytes = 128;
    s = open_records(r, 32, &cta);
    for (unsigned lane = 0; lane < 32; lane++)
        assert_true(lane_address(cta, cta->warps[0].insts, lane) == r[lane].address);
    close_records(s, cta);
}

/* Reads the whole launch. 0 or -1. */
static int read_kernel(const char *path, struct err *e)
{
    struct inst_source *s;
    struct cta_trace *cta;
    int got;

    if (open_kernel(path, &s, e) < 0)
        return -1;
    while ((got = inst_source_next_cta(s, &cta, e)) > 0)
        inst_source_release_cta(s, cta);
    inst_source_release(s);
    return got;
}

static void damage_is_said(void **state)
{
    static const struct {
        const char *name, *text;
        enum err_code code;
        const char *says;
    } cases[] = {
        {"Kernel0/trace.txt", "nvbit\n13\n16\n1\n0 0\n", ERR_UNSUPPORTED, "version 13"},
        {"Kernel0/trace.txt", "nvbit\n14\n16\n2\n0 0\n", ERR_INVALID, "lists 1 warps where it says 2"},
        {"Kernel0/trace.txt", "nvbit\n14\n16\n2\n0 0\n0 0\n", ERR_INVALID, "is listed twice"},
        {"Kernel0/trace.txt", "nvbit\n14\n16\n1\n0 zero\n", ERR_INVALID, "line 5"},
        {"Kernel0/trace.txt", "nvbit\n14\n16\n1\n131072 0\n", ERR_INVALID, "outside of the grid (2,1,1)"},
        {"Kernel0/trace.txt", "nvbit\n14\n16\n3\n0 0\n1 0\n2 0\n", ERR_INVALID, "more warps than the 2"},
        {"Kernel0/trace.txt", "nvbit\n14\n16\n2\n0 0\n6 0\n", ERR_NOT_FOUND, "trace_6.raw"},
        {"Kernel0/trace_info.txt", "0 4\n", ERR_INVALID, "3 records where trace_info.txt says 4"},
        {"Kernel0/trace_info.txt", "77 4\n", ERR_INVALID, "warp 77 is not in trace.txt"},
        {"kernel_names.txt", "Kernel0 name: k\n  Grid: 1\n", ERR_INVALID, "grid and block size"},
        {"kernel_names.txt", "Kernel0 name: k\n Grid size: (0, 1, 1), Block size: (64, 1, 1)\n", ERR_INVALID,
         "grid"},
    };
    struct err e;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        put_two_launches();
        put("Kernel0/trace_info.txt", "");
        put(cases[i].name, cases[i].text);
        if (strcmp(cases[i].name, "kernel_names.txt") != 0)
            put("kernel_names.txt", NAMES);
        CHECK_FAILS(read_kernel("Kernel0/trace.txt", &e), &e, cases[i].code, cases[i].says);
    }
    put_two_launches();
    put_records("Kernel0/trace_1.raw", simple, 3, 7, true);
    CHECK_FAILS(read_kernel("Kernel0/trace.txt", &e), &e, ERR_INVALID, "in the middle of record 2");
}

static void several_launches_need_their_list(void **state)
{
    struct bundle b;
    struct err e;

    (void)state;
    put_two_launches();
    assert_int_equal(unlink(in_folder("kernel_config.txt")), 0);
    CHECK_FAILS(bundle_open(folder, NULL, NULL, &b, &e), &e, ERR_NOT_FOUND, "kernel_config.txt");
    CHECK_OK(bundle_open(in_folder("Kernel1"), NULL, NULL, &b, &e), &e);
    assert_int_equal(b.count, 1);
    bundle_close(&b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_folder_is_a_set_of_launches),
        cmocka_unit_test(a_launch_has_its_shape_and_its_warps),
        cmocka_unit_test(without_names_the_shape_is_that_of_the_warps),
        cmocka_unit_test(operands_that_are_no_registers_are_taken_out),
        cmocka_unit_test(lanes_lie_side_by_side_within_a_line_or_two),
        cmocka_unit_test(strides_come_back_from_the_lines),
        cmocka_unit_test(scattered_lanes_keep_their_addresses),
        cmocka_unit_test(damage_is_said),
        cmocka_unit_test(several_launches_need_their_list),
    };

    return cmocka_run_group_tests(tests, folder_make, folder_remove);
}
