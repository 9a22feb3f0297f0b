/* vivace ptx run on hostile modules and on modules of a broken compiler. Each ends with one sentence that states
 * what is wrong, where, and in which file, within limits of memory and steps. */
#include <sys/resource.h>

#include "base/strbuf.h"
#include "cli/cli.h"
#include "tests/unit/cli/printed.h"

#define ENTRY                                                                                                      \
    ".visible .entry k(.param .u64 p) {\n.reg .u64 %rd<9>; .reg .u32 %r<9>; .reg .pred %p<5>;\n"                   \
    "ld.param.u64 %rd1, [p];\nmov.u32 %r1, %tid.x;\n"
#define AT "/k.ptx:8:1, CTA (0,0,0), warp 0, lane 0, thread (0,0,0): "

static const struct {
    const char *what, *text, *limit;
    uint32_t block;
    int code;
    const char *says;
} cases[] = {
    {"2^31 registers", ".visible .entry k(.param .u64 p) {\n.reg .u32 %r<2147483648>;\nret;\n}\n", NULL, 32, 65,
     "k.ptx:5:14: 2147483648 registers"},
    {"a loop without an end", ENTRY "a: bra a;\nret;\n}\n", NULL, 32, 70, "k.ptx:8:4, CTA (0,0,0), warp 0, lane 0"},
    {"an endless loop that counts", ENTRY "a: add.u32 %r1, %r1, 1;\nst.global.u32 [%rd1], %r1;\nbra a;\n}\n", NULL,
     32, 70, "/k.ptx:8:4, CTA (0,0,0), warp 0, lane 0, thread (0,0,0): an endless loop"},
    {"an endless loop of some lanes", ENTRY "setp.gt.u32 %p1, %r1, 20;\n@!%p1 exit;\na: bra a;\n}\n", NULL, 32, 70,
     "warp 0, lane 21, thread (21,0,0): an endless loop"},
    {"waiting for a value that no thread writes",
     ENTRY "a: ld.global.u32 %r2, [%rd1];\nsetp.eq.u32 %p1, %r2, 0;\n@%p1 bra a;\nret;\n}\n", "100000000", 64, 70,
     "kernel k, CTA (0,0,0): deadlock: all CTAs poll"},
    {"a long loop", ENTRY "a: add.u32 %r1, %r1, 1;\nsetp.ne.u32 %p1, %r1, 0;\n@%p1 bra a;\nret;\n}\n", "3000000",
     32, 70, "kernel k, CTA (0,0,0): the launch reached its limit of instructions: warp 0: lanes 0xffffffff at "},
    {"past the limit when it ends", ENTRY "mov.u32 %r1, 1;\nmov.u32 %r2, 1;\nret;\n}\n", "1", 32, 70,
     "the launch reached its limit of instructions\n"},
    {"recursion without end",
     ".func f(.reg .u32 n) {\n.local .u32 own[4];\ncall f, (n);\nret;\n}\n" ENTRY "call f, (%r1);\nret;\n}\n", NULL,
     64, 70, "k.ptx:6:1, CTA (0,0,0), warp 0, lane 0, thread (0,0,0): calls nest deeper than 4096"},
    {"an address out of range", ENTRY "st.global.u32 [%rd1+1024], 1;\nret;\n}\n", NULL, 32, 70,
     AT "writes 4 bytes at 0x700000000500, which is byte 1024 of x (256 bytes"},
    {"far out", ENTRY "st.global.u32 [%rd9], 1;\nret;\n}\n", NULL, 32, 65, "k.ptx:8"},
    {"the top of all addresses", ENTRY "mov.u64 %rd2, -4; st.global.u32 [%rd2], 1;\nret;\n}\n", NULL, 32, 70,
     "writes 4 bytes at 0xfffffffffffffffc, which is not allocated; the nearest allocation is x"},
    {"no address", ENTRY "mov.u64 %rd2, 0; ld.global.u32 %r2, [%rd2];\nret;\n}\n", NULL, 32, 70, "a null pointer"},
    {"between words", ENTRY "st.global.u32 [%rd1+2], 1;\nret;\n}\n", NULL, 32, 70,
     AT "writes 4 bytes at 0x700000000102, which is not aligned to 4"},
    {"division by zero is defined here",
     ENTRY "mov.u32 %r2, 0; div.u32 %r3, 5, %r2; rem.s32 %r4, 5, %r2; mov.u32 %r5, 0x80000000; mov.u32 %r6, -1;\n"
           "div.s32 %r7, %r5, %r6; rem.s32 %r8, %r5, %r6;\nret;\n}\n",
     NULL, 32, 0, ""},
    {"barriers in divergent code that never meet",
     ENTRY "setp.lt.u32 %p1, %r1, 7;\n@%p1 bra a;\nbar.sync 0;\nbra b;\na: bar.sync 1;\nb: bar.sync 1;\nret;\n}\n",
     NULL, 32, 70, "kernel k, CTA (0,0,0): deadlock: all its warps wait for each other: warp 0: lanes 0x7f at "},
    {"a barrier that does not exist", ENTRY "bar.sync 99;\nret;\n}\n", NULL, 32, 70, AT "barrier 99"},
    {"more shared memory than there is",
     ".visible .entry k(.param .u64 p) {\n.shared .u8 s[4000000000];\n.reg .u32 %r<4>;\nmov.u32 %r1, s;\nret;\n}\n",
     NULL, 32, 65, "kernel k cannot run: k: more than 16777216 bytes of shared variables"},
    {"more local memory than there is",
     ".visible .entry k(.param .u64 p) {\n.local .u8 s[4000000000];\n.reg .u64 %r<4>;\nmov.u64 %r1, s;\nret;\n}\n",
     NULL, 32, 65, "k.ptx:5:12: not supported: more than 524288 bytes for each thread"},
    {"an array larger than memory", ".global .u8 g[18446744073709551615];\n" ENTRY "ret;\n}\n", NULL, 32, 65,
     "k.ptx:4:14: an array of more than 1 TiB"},
    {"a call of nothing", ENTRY "mov.u64 %rd2, 0; call %rd2, (), P;\nP: .callprototype _ ();\nret;\n}\n", NULL, 32,
     70, "calls 0x0, which is not a function"},
    {"printing without end",
     ".extern .func (.param .b32 r) vprintf (.param .b64 f, .param .b64 a);\n.global .u8 t[3] = {97, 10, "
     "0};\n" ENTRY
     ".param .b64 a; .param .b64 b; .param .b32 c;\nL: mov.u64 %rd2, t; st.param.b64 [a], %rd2; st.param.b64 [b], "
     "%rd2;\ncall (c), vprintf, (a, b);\nbra L;\n}\n",
     NULL, 1024, 70, "the kernel prints more than 67108864 bytes"},
};

static char folder[64], path[96];

static void put(const char *name, const char *text)
{
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    f = fopen(path, "w");
    assert_non_null(f);
    if (strcmp(name, "k.ptx") == 0)
        fputs(".version 7.0\n.target sm_80\n.address_size 64\n", f);
    fputs(text, f);
    fclose(f);
}

static void put_list(uint32_t block)
{
    char text[600];

    snprintf(text, sizeof text,
             "\n{\"format\": \"vivace-launch-list\", \"version\": 1, \"modules\": {\"m\": \"k.ptx\"}, \"buffers\": "
             "{\"x\": {\"type\": \"u32\", \"count\": 64}}, \"steps\": [{\"launch\": {\"kernel\": \"k\", \"grid\": "
             "[1], \"block\": [%u], \"params\": [{\"ptr\": \"x\"}]}}]}",
             block);
    put("l.json", text);
}

static int run_list(const char *limit)
{
    const char *words[] = {"ptx", "run", path, "--limit", limit ? limit : "1000000000", NULL};

    return run_words(cli_command, words);
}

static void each_ends_with_a_sentence(void **state)
{
    size_t wrong = 0;
    (void)state;

    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        int code;

        put("k.ptx", cases[i].text);
        put_list(cases[i].block);
        code = run_list(cases[i].limit);
        if (code == cases[i].code && strstr(errors, cases[i].says))
            continue;
        print_message("%s: exit code %d, \"%s\"\n", cases[i].what, code, errors);
        wrong++;
    }
    assert_int_equal(wrong, 0);
}

/* --- large amounts --- */

static int run_text(struct strbuf *text)
{
    int code;

    assert_false(text->failed);
    put("k.ptx", text->text);
    put_list(32);
    code = run_list(NULL);
    strbuf_release(text);
    return code;
}

static void many(struct strbuf *b, size_t times, const char *text)
{
    for (size_t i = 0; i < times; i++)
        strbuf_adds(b, text);
}

static void a_kernel_of_many_lines_runs(void **state)
{
    struct strbuf b = STRBUF_INIT;
    (void)state;

    strbuf_adds(&b, ENTRY);
    many(&b, 100000, "add.u32 %r1, %r1, 1;\n");
    strbuf_adds(&b, "setp.lt.u32 %p1, %r1, 100000;\n@%p1 trap;\nret;\n}\n");
    assert_int_equal(run_text(&b), 0);
}

static void deep_nesting_runs_or_is_refused(void **state)
{
    struct strbuf b = STRBUF_INIT;
    (void)state;

    strbuf_adds(&b, ENTRY);
    many(&b, 50000, "{");
    strbuf_adds(&b, "mov.u32 %r1, 0;");
    many(&b, 50000, "}");
    strbuf_adds(&b, "ret;\n}\n");
    assert_int_equal(run_text(&b), 0);
    strbuf_adds(&b, ENTRY "mov.u32 %r1, ");
    many(&b, 50000, "(");
    strbuf_adds(&b, "1");
    many(&b, 50000, ")");
    strbuf_adds(&b, ";\nret;\n}\n");
    assert_int_equal(run_text(&b), 65);
    assert_non_null(strstr(errors, "brackets are nested deeper than 64"));
    strbuf_adds(&b, ENTRY "mov.b64 %rd2, ");
    many(&b, 50000, "{");
    strbuf_adds(&b, "%r1");
    many(&b, 50000, "}");
    strbuf_adds(&b, ";\nret;\n}\n");
    assert_int_equal(run_text(&b), 65);
}

/* Each call needs thousands of registers; without a limit they would need 50 GiB. */
static void recursion_with_many_registers_is_stopped_early(void **state)
{
    struct strbuf b = STRBUF_INIT;
    struct rusage use;
    (void)state;

    strbuf_adds(&b, ".func f(.reg .u32 n) {\n.reg .u32 %a<3000>;\n");
    for (int i = 0; i < 2999; i++)
        strbuf_addf(&b, "add.u32 %%a%d, n, %d;\n", i, i);
    strbuf_adds(&b, "call f, (n);\n");
    for (int i = 0; i < 2999; i++)
        strbuf_addf(&b, "add.u32 n, n, %%a%d;\n", i);
    strbuf_adds(&b, "ret;\n}\n" ENTRY "call f, (%r1);\nret;\n}\n");
    assert_int_equal(run_text(&b), 70);
    assert_non_null(strstr(errors, "calls need more than"));
    assert_int_equal(getrusage(RUSAGE_SELF, &use), 0);
    assert_true(use.ru_maxrss < 3 << 20); /* KiB */
}

static int make_folder(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/vivace-ptx-hostile-XXXXXX");
    return mkdtemp(folder) ? 0 : -1;
}

static int remove_folder(void **state)
{
    (void)state;
    snprintf(path, sizeof path, "%s/k.ptx", folder);
    unlink(path);
    snprintf(path, sizeof path, "%s/l.json", folder);
    unlink(path);
    return rmdir(folder);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(each_ends_with_a_sentence),
        cmocka_unit_test(a_kernel_of_many_lines_runs),
        cmocka_unit_test(deep_nesting_runs_or_is_refused),
        cmocka_unit_test(recursion_with_many_registers_is_stopped_early),
    };
    return cmocka_run_group_tests_name("vivace ptx: hostile modules", tests, make_folder, remove_folder);
}
