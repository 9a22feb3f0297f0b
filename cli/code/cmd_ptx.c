/* vivace ptx: runs CUDA kernels on the CPU. This file: the choice of the subcommand; the content of a module, as a
 * table and as text. */
#include "cli/nouns.h"

#include <stdlib.h>

#include "base/array.h"
#include "cli/output/table.h"
#include "ptx/exec/exec.h"
#include "wire/json.h"

/* --- list --- */

static const char list_text[] =
    "One row per kernel of a PTX module: its parameters in bytes, its registers as they are declared and the most "
    "32-bit\n"
    "words that live at one time (what a compiled kernel needs is near that), shared memory, local memory a "
    "thread.\n"
    "For each kernel that cannot run, the reason follows the table.\n"
    "\n"
    "Examples:\n"
    "  clang --target=nvptx64 -x cuda -nocudainc -nocudalib --cuda-gpu-arch=sm_75 -O3 -S -o k.ptx k.cu\n"
    "  vivace ptx list k.ptx\n"
    "  vivace ptx list k.ptx --json | jq '.kernels[] | select(.fault) | .name'\n";

struct kernel_row {
    const struct ptx_function *function;
    uint32_t live_words, shared_bytes, local_bytes;
    struct err fault; /* why the kernel cannot run; code ERR_NONE: it can */
};

static int read_rows(const struct ptx_module *m, struct kernel_row *rows, size_t *count)
{
    int broken = 0;

    *count = 0;
    for (uint32_t i = 0; i < m->function_count; i++) {
        const struct ptx_function *f = &m->functions[i];
        struct kernel_row *r = &rows[*count];
        struct ptx_code *code = NULL;

        if (!f->entry)
            continue;
        (*count)++;
        *r = (struct kernel_row){.function = f};
        if (ptx_decode(m, i, &code, &r->fault) != 0) {
            broken++;
            continue;
        }
        r->live_words = code->live_words;
        r->shared_bytes = code->shared_bytes;
        r->local_bytes = code->local_bytes;
        ptx_code_free(code);
    }
    return broken;
}

static int print_rows(const struct kernel_row *rows, size_t count, bool csv, struct err *e)
{
    static const struct table_column columns[] = {
        {"kernel", "kernel", false, true},       {"params", "params", true, false},
        {"bytes", "param_bytes", true, false},   {"instructions", "instructions", true, false},
        {"registers", "registers", true, false}, {"live words", "live_words", true, false},
        {"shared", "shared_bytes", true, false}, {"local", "local_bytes", true, false},
        {"runs", "runs", false, false}};
    struct table t;
    int ret;

    table_init(&t, columns, sizeof columns / sizeof columns[0]);
    for (size_t i = 0; i < count; i++) {
        const struct ptx_function *f = rows[i].function;

        table_text(&t, f->name);
        table_count(&t, f->param_count);
        table_count(&t, f->param_bytes);
        table_count(&t, f->inst_count);
        table_count(&t, f->register_count);
        table_count(&t, rows[i].live_words);
        table_count(&t, rows[i].shared_bytes);
        table_count(&t, rows[i].local_bytes);
        table_text(&t, rows[i].fault.code == ERR_NONE ? "yes" : "no");
    }
    ret = table_print(&t, csv, stdout, e);
    table_release(&t);
    for (size_t i = 0; ret == 0 && !csv && i < count; i++)
        if (rows[i].fault.code != ERR_NONE)
            printf("%s: %s\n", rows[i].function->name, rows[i].fault.text);
    return ret;
}

static json_t *row_json(const struct kernel_row *r)
{
    struct json_obj o = json_obj_begin();

    json_put_str(&o, "name", r->function->name);
    json_put_u64(&o, "params", r->function->param_count);
    json_put_u64(&o, "param_bytes", r->function->param_bytes);
    json_put_u64(&o, "instructions", r->function->inst_count);
    json_put_u64(&o, "registers", r->function->register_count);
    json_put_u64(&o, "live_words", r->live_words);
    json_put_u64(&o, "shared_bytes", r->shared_bytes);
    json_put_u64(&o, "local_bytes", r->local_bytes);
    json_put_str(&o, "fault", r->fault.code == ERR_NONE ? NULL : r->fault.text);
    return json_obj_end(&o);
}

static int print_json(const struct ptx_module *m, const struct kernel_row *rows, size_t count, struct err *e)
{
    struct json_obj o = json_obj_begin();
    json_t *kernels = json_array();

    json_put_str(&o, "module", m->label);
    json_put_str(&o, "target", m->target_text);
    for (size_t i = 0; i < count; i++)
        o.failed |= json_push(kernels, row_json(&rows[i])) != 0;
    json_put(&o, "kernels", kernels);
    return cli_print_json(json_obj_end(&o), e);
}

int ptx_cmd_list(int argc, char **argv)
{
    struct cli_output output = {0};
    const struct cli_usage usage = {.command = "ptx list",
                                    .synopsis = "FILE.ptx",
                                    .text = list_text,
                                    .output = &output,
                                    .csv = true,
                                    .least_args = 1,
                                    .most_args = 1};
    struct kernel_row *rows = NULL;
    struct ptx_module *m = NULL;
    struct cli_args args;
    struct err e;
    size_t count = 0;
    int ret = -1, r = cli_parse(&usage, argc, argv, &args, &e);

    if (r)
        return cli_parsed(r, &e);
    if (ptx_parse_file(args.items[0], &m, &e) == 0 &&
        (rows = mem_zalloc(m->function_count + 1, sizeof *rows, &e)) != NULL) {
        read_rows(m, rows, &count);
        ret = output.json ? print_json(m, rows, count, &e) : print_rows(rows, count, output.csv, &e);
    }
    free(rows);
    ptx_module_free(m);
    return cli_end(ret, &e);
}

/* --- print --- */

static const char print_text[] = "Prints a PTX module as Vivace parsed it, as PTX text. Comments are removed and "
                                 "names are made unique. What cannot be\n"
                                 "parsed is reported on stderr with line and column, and left out.\n"
                                 "\n"
                                 "With --decoded: prints what the executor does for each instruction of a "
                                 "function, from the decoded form, with the line\n"
                                 "of each. This shows errors of the decoder.\n"
                                 "\n"
                                 "Examples:\n"
                                 "  vivace ptx print kernels.ptx | diff - kernels.ptx\n"
                                 "  vivace ptx print --decoded saxpy kernels.ptx\n";

static int print_decoded(const struct ptx_module *m, const char *name, struct err *e)
{
    uint32_t number = ptx_find_function(m, name);
    struct ptx_code *code = NULL;
    int ret = 0;

    if (number == PTX_NONE)
        return err_set(e, ERR_NOT_FOUND, "%s has no function %s", m->label, name);
    if (ptx_decode(m, number, &code, e) != 0)
        return -1;
    for (uint32_t k = 0; ret == 0 && k < code->op_count; k++) {
        char *text = ptx_op_text(code, k, e);

        if (text)
            printf("line %-6u %s\n", code->function->insts[k].place.line, text);
        ret = text ? 0 : -1;
        free(text);
    }
    ptx_code_free(code);
    return ret;
}

static int print_module(const struct ptx_module *m, struct err *e)
{
    char *text = ptx_print(m, e);

    for (uint32_t i = 0; text && i < m->function_count; i++)
        if (m->functions[i].broken)
            cli_warn("%s: %s", m->functions[i].name, m->functions[i].fault.text);
    if (text)
        fputs(text, stdout);
    free(text);
    return text ? 0 : -1;
}

int ptx_cmd_print(int argc, char **argv)
{
    const char *decoded = NULL;
    const struct cli_option options[] = {
        {"decoded", 0, CLI_TEXT, "FUNCTION", &decoded, "what is executed for each instruction of this function"},
        {NULL, 0, CLI_FLAG, NULL, NULL, NULL}};
    const struct cli_usage usage = {.command = "ptx print",
                                    .synopsis = "[--decoded FUNCTION] FILE.ptx",
                                    .text = print_text,
                                    .options = options,
                                    .least_args = 1,
                                    .most_args = 1};
    struct ptx_module *m = NULL;
    struct cli_args args;
    struct err e;
    int r = cli_parse(&usage, argc, argv, &args, &e);

    if (r)
        return cli_parsed(r, &e);
    r = ptx_parse_file(args.items[0], &m, &e);
    if (r == 0)
        r = decoded ? print_decoded(m, decoded, &e) : print_module(m, &e);
    ptx_module_free(m);
    return cli_end(r, &e);
}
