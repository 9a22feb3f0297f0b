/* Runs the programs of conformance/ (generated with their expected results by make.py) with both orders of
 * divergent branches. The first lines of a program specify the launch. */
#include <dirent.h>

#include "base/whole_file.h"
#include "tests/unit/ptx/engine.h"
#include "tests/unit/ptx/program_file.h"

#define FOLDER "tests/unit/ptx/conformance"

/* --- running --- */

/* 0: the results are as expected. */
static int compare(const char *name, const struct program *p, const struct bench *b, uint64_t out, int ran,
                   const struct err *e)
{
    const uint32_t *words = bench_words(b, out);

    if (p->fault ? ran == 0 || !strstr(e->text, p->fault) : ran != 0) {
        print_error("%s: %s\n", name, ran ? e->text : "it should have faulted");
        return 1;
    }
    for (size_t k = 0; k < p->out.count; k++)
        if (words[k] != p->out.of[k]) {
            print_error("%s: word %zu is %x, not %x\n", name, k, words[k], p->out.of[k]);
            return 1;
        }
    if (p->print && strcmp(p->print, b->printed.text) != 0) {
        print_error("%s: prints %s, not %s\n", name, b->printed.text, p->print);
        return 1;
    }
    return 0;
}

static int run_program(const char *name, const char *text, const struct program *p, bool taken_first)
{
    struct bench *b = calloc(1, sizeof *b);
    uint64_t params[2];
    struct ptx_launch l = {.shared_bytes = p->shared, .params = params, .param_bytes = sizeof params};
    struct err e;
    int ran, failed;

    b->printed = (struct strbuf)STRBUF_INIT;
    b->options = (struct ptx_exec_options){
        .taken_first = taken_first, .print = bench_print, .print_ctx = &b->printed, .limit_instructions = 1 << 24};
    b->memory = device_memory_new(64 << 20, &e);
    b->program = ptx_program_new(b->memory, &e);
    bench_load(b, text);
    params[0] = bench_alloc(b, p->in.count * 4 + 4);
    params[1] = bench_alloc(b, p->out.count * 4 + 4);
    if (p->in.count)
        memcpy(bench_words(b, params[0]), p->in.of, p->in.count * 4);
    memset(bench_words(b, params[1]), 0, p->out.count * 4 + 4);
    memcpy(l.grid, p->grid, sizeof l.grid);
    memcpy(l.block, p->block, sizeof l.block);
    l.module = b->module;
    l.function = ptx_find_function(ptx_program_module(b->program, b->module), "k");
    ran = ptx_launch_run(b->program, &l, &b->options, &b->stats, &e);
    failed = compare(name, p, b, params[1], ran, &e);
    bench_close(b);
    return failed;
}

static int is_program(const struct dirent *d)
{
    return strstr(d->d_name, ".ptx") != NULL;
}

static void programs_leave_what_they_must(void **state)
{
    struct dirent **all;
    int n = scandir(FOLDER, &all, is_program, alphasort), failed = 0;

    (void)state;
    assert_true(n > 60);
    for (int k = 0; k < n; k++) {
        struct program p = {.fault = NULL};
        char path[300], *text;
        struct err e;
        size_t bytes;

        snprintf(path, sizeof path, FOLDER "/%s", all[k]->d_name);
        CHECK_OK(whole_file_read(path, 1 << 20, &text, &bytes, &e), &e);
        read_program(&p, text);
        assert_true(p.out.count || p.fault);
        for (int taken_first = 0; taken_first < 2; taken_first++)
            failed += run_program(all[k]->d_name, text, &p, taken_first);
        program_release(&p);
        free(text);
        free(all[k]);
    }
    free(all);
    assert_int_equal(failed, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(programs_leave_what_they_must)};

    return cmocka_run_group_tests_name("conformance", tests, NULL, NULL);
}
