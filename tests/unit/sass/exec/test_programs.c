/* Runs the programs of tests/unit/ptx/conformance from machine code: recorded cubins (cubins.a) everywhere, and
 * what ptxas makes of all of them where it is on the path. */
#include <dirent.h>
#include <unistd.h>

#include "base/whole_file.h"
#include "sass/exec/exec.h"
#include "sass/exec/list_engine.h"
#include "sass/sass_file.h"
#include "tests/unit/ptx/program_file.h"

#define FOLDER   "tests/unit/ptx/conformance"
#define RECORDED "tests/unit/sass/exec/cubins.a"

/* What is not executed: the begin of a name, and the instruction that the error names. */
static const struct {
    const char *name, *text;
} left_out[] = {
    {"print_formats.", ""}, /* vprintf: CALL.ABS, or LEPC before it */
    {"drop_and_expect.sm90", "SYNCS"},
    {"asynchronous_copies.sm90", "SYNCS"},
    {"halves.sm75.O0", "HADD2"},          /* an f32 constant as f16 */
    {"asynchronous_copies.sm8", "ATOMS"}, /* ATOMS.ARRIVE */
    {"histogram.sm80.O3", "ATOMS"},       /* ATOMS.POPC.INC */
    {"histogram.sm86.O3", "ATOMS"},
    {"histogram.sm89.O3", "ATOMS"},
    {"histogram.sm90.O3", "ATOMS"},
    {"reductions_in_a_warp.sm90.O3", "WARPSYNC"},
    {"reductions_in_a_warp.sm90.c", "WARPSYNC"},
    {"barriers_by_number.sm90.O0", "WARPSYNC"},
    {"reserved_shared.sm90", "c[0x0]"},
    {"cache_policies.sm86.c", "ATOMG"},
};
/* Of relocatable code (NAME.smNN.c.cubin): shared variables, function tables of sm_90, and what other files have.
 */
static const char unresolved[] = " relocation ";
/* Words that machine code leaves in place of those of the PTX. ptxas 13.0 puts the values of `m[2][3] = {{a, b},
 * {c, d, e}}` directly after one another; by the PTX ISA 9.0, section 5.4.4, the rest of a short row has the
 * default. */
static const struct {
    const char *name;
    size_t word;
    uint32_t value;
} other_words[] = {{"constants_and_addresses.", 2, 0}, {"constants_and_addresses.", 7, 0x80000000}};

static bool begins(const char *name, const char *with)
{
    return strncmp(name, with, strlen(with)) == 0;
}

static const char *left_out_text(const char *name)
{
    for (size_t k = 0; k < sizeof left_out / sizeof *left_out; k++)
        if (begins(name, left_out[k].name))
            return left_out[k].text;
    return NULL;
}

static uint32_t expected_word(const char *name, const struct program *p, size_t word)
{
    for (size_t k = 0; k < sizeof other_words / sizeof *other_words; k++)
        if (begins(name, other_words[k].name) && other_words[k].word == word)
            return other_words[k].value;
    return p->out.of[word];
}

static int check_words(const char *name, const struct program *p, const uint32_t *words)
{
    for (size_t k = 0; k < p->out.count; k++)
        if (words[k] != expected_word(name, p, k)) {
            print_error("%s: word %zu is %x, not %x\n", name, k, words[k], expected_word(name, p, k));
            return 1;
        }
    return 0;
}

static size_t relocated; /* programs of relocatable code that ran */

static int check_end(const char *name, const struct program *p, int ran, const struct err *e, const uint32_t *words)
{
    const char *text = left_out_text(name);

    if (ran != 0 && strstr(name, ".c.cubin") && strstr(e->text, unresolved))
        return 0;
    relocated += ran == 0 && strstr(name, ".c.cubin");
    if (text || p->fault) {
        if (ran != 0 && (!text || strstr(e->text, text)))
            return 0;
        print_error("%s: %s\n", name, ran ? e->text : "runs, but an error is expected");
        return 1;
    }
    if (ran == 0)
        return check_words(name, p, words);
    print_error("%s: %s\n", name, e->text);
    return 1;
}

/* Launches kernel `k` of the module. 0: it leaves what it must. */
static int run_module(const char *name, const struct sass_module *m, const struct program *p, bool taken_first)
{
    uint64_t params[2];
    struct sass_launch l = {
        .shared_bytes = p->shared, .params = params, .limit_instructions = 1 << 24, .taken_first = taken_first};
    struct sass_stats stats = {0};
    struct device_memory *memory;
    struct sass_program *program;
    int ran, failed;
    struct err e;

    memory = device_memory_new(64 << 20, &e);
    assert_non_null(memory);
    program = sass_program_new(memory, &e);
    if (sass_program_load(program, m->content, m->n, &m->cubin, &e) != 0) {
        sass_program_free(program);
        device_memory_free(memory);
        return check_end(name, p, -1, &e, NULL);
    }
    CHECK_OK(device_alloc(memory, p->in.count * 4 + 4, 256, "in", &params[0], &e), &e);
    CHECK_OK(device_alloc(memory, p->out.count * 4 + 4, 256, "out", &params[1], &e), &e);
    if (p->in.count)
        memcpy(device_bytes(memory, params[0], p->in.count * 4), p->in.of, p->in.count * 4);
    memcpy(l.grid, p->grid, sizeof l.grid);
    memcpy(l.block, p->block, sizeof l.block);
    assert_non_null(sass_program_kernel(program, "k"));
    ran = sass_launch_run(program, sass_program_kernel(program, "k"), &l, &stats, &e);
    failed = check_end(name, p, ran, &e, device_bytes(memory, params[1], 4));
    sass_program_free(program);
    device_memory_free(memory);
    return failed;
}

static void read_of(const char *name, struct program *p, char **text)
{
    char path[300];
    struct err e;
    size_t n;

    snprintf(path, sizeof path, FOLDER "/%.*s.ptx", (int)strcspn(name, "."), name);
    CHECK_OK(whole_file_read(path, 1 << 20, text, &n, &e), &e);
    *p = (struct program){.fault = NULL};
    read_program(p, *text);
}

static int run_file(const char *name, const char *path, size_t *modules)
{
    struct sass_file f;
    int failed = 0;
    char *bytes;
    struct err e;
    size_t n;

    CHECK_OK(whole_file_read(path, SIZE_MAX, &bytes, &n, &e), &e);
    CHECK_OK(sass_file_read((const uint8_t *)bytes, n, &f, &e), &e);
    for (size_t k = 0; k < f.count; k++) {
        const char *of = name ? name : f.items[k].where;
        struct program p;
        char *text;

        read_of(strncmp(of, "member ", 7) == 0 ? of + 7 : of, &p, &text);
        for (int taken_first = 0; taken_first < 2; taken_first++)
            failed += run_module(strncmp(of, "member ", 7) == 0 ? of + 7 : of, &f.items[k], &p, taken_first);
        program_release(&p);
        free(text);
        ++*modules;
    }
    sass_file_release(&f);
    free(bytes);
    return failed;
}

static void recorded_machine_code_leaves_what_it_must(void **state)
{
    size_t modules = 0;

    (void)state;
    assert_int_equal(run_file(NULL, RECORDED, &modules), 0);
    assert_true(modules >= 30);
    assert_true(relocated >= 12);
}

/* The file has linked code, and relocatable code that cannot be loaded. */
static void linked_code_goes_before_relocatable_code(void **state)
{
    struct device_memory *memory;
    struct sass_list_engine x;
    struct sass_file f;
    char *bytes;
    struct err e;
    size_t n;

    (void)state;
    memory = device_memory_new(64 << 20, &e);
    assert_non_null(memory);
    CHECK_OK(whole_file_read(RECORDED, SIZE_MAX, &bytes, &n, &e), &e);
    CHECK_OK(sass_file_read((const uint8_t *)bytes, n, &f, &e), &e);
    sass_list_engine_init(&x, &f, 90);
    CHECK_OK(x.engine.begin(x.engine.ctx, memory, &e), &e);
    sass_list_engine_release(&x);
    device_memory_free(memory);
    sass_file_release(&f);
    free(bytes);
}

static int is_program(const struct dirent *d)
{
    return strstr(d->d_name, ".ptx") != NULL;
}

/* The program for an architecture, in `folder`; `options`: as in a name of cubins.a, without `-`. False: ptxas does
 * not compile it. */
static bool compile(const char *folder, const char *name, uint32_t arch, const char *options, char *out, size_t n)
{
    char line[1000];

    snprintf(out, n, "%s/%.*s.sm%u.%s.cubin", folder, (int)strcspn(name, "."), name, arch, options);
    snprintf(line, sizeof line,
             "sed 's/^\\.target.*/.target sm_%u/; s/^\\.version.*/.version 9.0/' " FOLDER "/%s >%s/k.ptx && "
             "ptxas -arch=sm_%u -%s -o %s %s/k.ptx 2>/dev/null",
             arch, name, folder, arch, options, out, folder);
    return system(line) == 0;
}

static void compiled_machine_code_leaves_what_it_must(void **state)
{
    static const struct {
        uint32_t arch;
        const char *options;
    } kinds[] = {{75, "O3"}, {80, "O3"}, {86, "O0"}, {89, "O3"}, {90, "O0"},
                 {90, "O3"}, {75, "c"},  {86, "c"},  {90, "c"}};
    char folder[] = "/tmp/vivace-sass-exec-XXXXXX", line[64];
    struct dirent **all;
    size_t modules = 0;
    int failed = 0, n;

    (void)state;
    if (system("command -v ptxas >/dev/null 2>&1") != 0)
        skip();
    assert_non_null(mkdtemp(folder));
    n = scandir(FOLDER, &all, is_program, alphasort);
    for (int k = 0; k < n; k++) {
        for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++) {
            char path[400];

            if (compile(folder, all[k]->d_name, kinds[i].arch, kinds[i].options, path, sizeof path))
                failed += run_file(path + strlen(folder) + 1, path, &modules);
        }
        free(all[k]);
    }
    free(all);
    snprintf(line, sizeof line, "rm -r %s", folder);
    assert_int_equal(system(line), 0);
    assert_int_equal(failed, 0);
    assert_true(modules > 400);
    assert_true(relocated > 300);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(recorded_machine_code_leaves_what_it_must),
                                       cmocka_unit_test(linked_code_goes_before_relocatable_code),
                                       cmocka_unit_test(compiled_machine_code_leaves_what_it_must)};

    return cmocka_run_group_tests_name("sass programs", tests, NULL, NULL);
}
