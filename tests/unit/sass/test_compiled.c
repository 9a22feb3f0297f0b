/* sass/decode.h against ptxas, where it is on the path: kernels with one known instruction each, and properties
 * that hold for the code of every kernel. */
#include <stdlib.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "sass/decode.h"
#include "sass/sass_file.h"
#include "tests/harness/check.h"

static char folder[64];

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/vivace-sass-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    char line[128];

    (void)state;
    snprintf(line, sizeof line, "rm -r %s", folder);
    return system(line);
}

static void need_ptxas(void)
{
    if (system("command -v ptxas >/dev/null 2>&1") != 0)
        skip();
}

struct compiled {
    char *bytes;
    struct sass_file file;
};

/* Compiles the PTX text for this architecture. */
static void compile(const char *ptx, uint32_t arch, struct compiled *out)
{
    char path[128], line[400];
    struct err e;
    size_t n;

    snprintf(path, sizeof path, "%s/k.ptx", folder);
    CHECK_OK(whole_file_put(path, ptx, strlen(ptx), &e), &e);
    snprintf(line, sizeof line, "ptxas -arch=sm_%u -o %s/k.cubin %s", arch, folder, path);
    if (system(line) != 0)
        fail_msg("ptxas refuses: %.300s", ptx);
    snprintf(path, sizeof path, "%s/k.cubin", folder);
    CHECK_OK(whole_file_read(path, SIZE_MAX, &out->bytes, &n, &e), &e);
    CHECK_OK(sass_file_read((const uint8_t *)out->bytes, n, &out->file, &e), &e);
}

static void release(struct compiled *c)
{
    sass_file_release(&c->file);
    free(c->bytes);
}

static void decode_at(const struct cubin *c, const struct cubin_function *f, uint64_t at, struct sass_inst *out)
{
    uint64_t words[2];

    memcpy(words, f->code + at, sizeof words);
    sass_decode(words, c->arch, at, out);
}

/* --- one instruction each --- */

/* The text is part of one line of the kernel's code, for each architecture. */
static const struct {
    const char *ptx, *text;
} single[] = {
    {"add.s32 %r3, %r1, 12345;", ", 0x3039"},
    {"and.b32 %r3, %r1, 0x00ff00f0;", "LOP3.LUT R"},
    {"and.b32 %r3, %r1, 0x00ff00f0;", ", 0xff00f0, RZ, 0xc0"},
    {"shf.l.wrap.b32 %r3, %r1, %r2, 7;", ", 0x7, R"},
    {"mov.u32 %r3, %ctaid.y;", "SR_CTAID.Y"},
    {"mov.u32 %r3, %tid.z;", "SR_TID.Z"},
    {"mov.u32 %r3, %laneid;", "SR_LANEID"},
    {"mov.u32 %r3, %lanemask_lt;", "SR_LTMASK"},
    {"ld.global.u32 %r3, [%q+0x1040];", "+0x1040]"},
    {"ld.global.u16 %r3, [%q+-16];", "-0x10]"},
    {"ld.global.v4.u32 {%r3,%r4,%r5,%r6}, [%q]; st.global.v4.u32 [%q+512], {%r3,%r4,%r5,%r6};", "LDG.E.128"},
    {"bar.sync 5, 96; mov.u32 %r3, %r1;", " 0x5, 0x60"},
    {"mov.u32 %r4, %laneid; shfl.sync.bfly.b32 %r3, %r4, 3, 31, -1;", ", 0x3, 0x1f"},
    {"fma.rz.f32 %r3, %r1, %r2, 0f3F400000;", "FFMA.RZ R"},
    {"fma.rz.f32 %r3, %r1, %r2, 0f3F400000;", ", 0x3f400000"},
    {"add.rp.ftz.f32 %r3, %r1, %r2;", "FADD.FTZ.RP R"},
    {"mul.sat.f32 %r3, %r1, %r2;", "FMUL.SAT R"},
    {"ex2.approx.ftz.f32 %r3, %r1;", "MUFU.EX2 R"},
    {"rsqrt.approx.ftz.f32 %r3, %r1;", "MUFU.RSQ R"},
    {"cvt.rzi.s32.f32 %r3, %r1;", "S32.F32.TRUNC"},
    {"cvt.rpi.ftz.s32.f32 %r3, %r1;", "F2I.FTZ.S32.F32.CEIL"},
    {"popc.b32 %r3, %r1;", "POPC R"},
    {"brev.b32 %r3, %r1;", "BREV R"},
    {"prmt.b32 %r3, %r1, %r2, 0x5410;", ", 0x5410, R"},
    {"atom.global.xor.b32 %r3, [%q+8], %r1;", ".XOR."},
    {"atom.global.cas.b32 %r3, [%q+8], %r1, %r2;", "ATOMG.CAS.E"},
    {"vote.sync.ballot.b32 %r3, %p1, -1;", "VOTE.ANY R"},
    {"selp.b32 %r3, %r1, 77, %p1;", ", 0x4d, P"},
    {"@!%p1 st.global.u8 [%q+3], %r1; mov.u32 %r3, %r1;", "STG.E.U8"},
    {"st.shared.v2.u32 [s+24], {%r1,%r2}; mov.u32 %r3, %r1;", "STS.64 ["},
    {"ld.const.u32 %r3, [c+20];", "c[0x3][0x14]"},
};

static bool has_text(const struct cubin *c, const struct cubin_function *f, const char *text)
{
    struct strbuf b = STRBUF_INIT;
    bool found = false;

    for (uint64_t at = 0; at < f->code_bytes && !found; at += CUBIN_INST_BYTES) {
        struct sass_inst x;

        decode_at(c, f, at, &x);
        strbuf_clear(&b);
        sass_print(&x, &b);
        found = strstr(b.text, text);
    }
    strbuf_release(&b);
    return found;
}

/* All in one module, one kernel each: ptxas starts once an architecture. */
static void single_instructions_are_found(void **state)
{
    static const uint32_t archs[] = {75, 86, 90};

    (void)state;
    need_ptxas();
    for (size_t a = 0; a < sizeof archs / sizeof *archs; a++) {
        struct strbuf ptx = STRBUF_INIT;
        struct compiled c;

        strbuf_addf(&ptx, ".version 8.0\n.target sm_%u\n.address_size 64\n.const .align 4 .b8 c[64];\n", archs[a]);
        for (size_t k = 0; k < sizeof single / sizeof *single; k++)
            strbuf_addf(
                &ptx,
                ".visible .entry k%zu(.param .u64 p) {\n.reg .b32 %%r<9>; .reg .b64 %%q; .reg .pred %%p<3>;\n"
                ".shared .align 16 .b8 s[64];\nld.param.u64 %%q, [p];\nld.global.u32 %%r1, [%%q+64];\n"
                "ld.global.u32 %%r2, [%%q+128];\nsetp.gt.s32 %%p1, %%r1, 9;\n%s\n"
                "st.global.u32 [%%q+256], %%r3;\nret;\n}\n",
                k, single[k].ptx);
        compile(ptx.text, archs[a], &c);
        for (size_t k = 0; k < sizeof single / sizeof *single; k++) {
            const struct cubin *cubin = &c.file.items[0].cubin;
            const struct cubin_function *f;
            char name[16];

            snprintf(name, sizeof name, "k%zu", k);
            f = cubin_find(cubin, name);
            assert_non_null(f);
            if (!has_text(cubin, f, single[k].text))
                fail_msg("sm_%u: no `%s` in the code of `%s`", archs[a], single[k].text, single[k].ptx);
        }
        release(&c);
        strbuf_release(&ptx);
    }
}

/* --- what holds for all code --- */

static void check_operand(const struct cubin *c, const struct cubin_function *f, const struct sass_operand *x)
{
    if (x->kind == SASS_REGISTER || x->kind == SASS_ADDRESS)
        assert_true(x->index == SASS_RZ || x->index < f->registers);
    if (x->kind == SASS_UNIFORM)
        assert_true(x->index <= SASS_URZ);
    if (x->kind == SASS_TARGET) {
        assert_true(x->value >= 0 && (uint64_t)x->value < f->code_bytes);
        assert_int_equal(x->value % CUBIN_INST_BYTES, 0);
    }
    if (x->kind == SASS_CONSTANT && x->index == SASS_RZ) {
        uint64_t bytes;

        assert_true(x->bank < CUBIN_BANKS);
        bytes = f->bank_bytes[x->bank] ? f->bank_bytes[x->bank] : c->bank_bytes[x->bank];

        assert_true((uint64_t)x->value + 4 <= bytes);
    }
}

static void check_file(const char *name, uint32_t arch, uint64_t count[SASS_DECODED + 1])
{
    char line[400], path[128];
    struct compiled c;
    struct err e;
    size_t n;

    snprintf(line, sizeof line,
             "sed 's/^\\.target.*/.target sm_%u/; s/^\\.version.*/.version 9.0/' %s >%s/k.ptx && ", arch, name,
             folder);
    snprintf(line + strlen(line), sizeof line - strlen(line), "ptxas -arch=sm_%u -o %s/k.cubin %s/k.ptx", arch,
             folder, folder);
    assert_int_equal(system(line), 0);
    snprintf(path, sizeof path, "%s/k.cubin", folder);
    CHECK_OK(whole_file_read(path, SIZE_MAX, &c.bytes, &n, &e), &e);
    CHECK_OK(sass_file_read((const uint8_t *)c.bytes, n, &c.file, &e), &e);
    for (size_t k = 0; k < c.file.items[0].cubin.count; k++) {
        const struct cubin_function *f = &c.file.items[0].cubin.functions[k];

        for (uint64_t at = 0; at < f->code_bytes; at += CUBIN_INST_BYTES) {
            struct sass_inst x;

            decode_at(&c.file.items[0].cubin, f, at, &x);
            count[x.state]++;
            for (uint32_t i = 0; i < x.operand_count && x.state == SASS_DECODED; i++)
                check_operand(&c.file.items[0].cubin, f, &x.operands[i]);
        }
    }
    release(&c);
}

static void operands_agree_with_the_file(void **state)
{
    static const char *const files[] = {"examples/reduction/reduction.ptx", "examples/cnn/cnn.ptx",
                                        "examples/bfs/bfs.ptx", "tests/lowering/kernels/kernels.ptx"};
    uint64_t count[SASS_DECODED + 1] = {0};

    (void)state;
    need_ptxas();
    for (size_t k = 0; k < sizeof files / sizeof *files; k++)
        for (size_t a = 0; a < 3; a++)
            check_file(files[k], (const uint32_t[]){75, 86, 90}[a], count);
    assert_int_equal(count[SASS_UNKNOWN], 0);
    assert_true(count[SASS_PARTLY] * 100 < count[SASS_DECODED]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(single_instructions_are_found),
        cmocka_unit_test(operands_agree_with_the_file),
    };

    return cmocka_run_group_tests_name("compiled", tests, make_folder, remove_folder);
}
