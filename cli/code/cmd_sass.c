/* vivace sass list: what a file with machine code says of its kernels. */
#include "cli/code/cmd_sass.h"

#include <stdlib.h>
#include <string.h>

#include "base/whole_file.h"
#include "cli/nouns.h"
#include "cli/output/table.h"
#include "wire/json.h"

static const char list_text[] =
    "One row per kernel, from the file: registers of a thread, static shared memory of a CTA, local memory of a\n"
    "thread (with what it calls, if that is more), named barriers, the most threads a CTA may have "
    "(__launch_bounds__),\n"
    "parameters and their bytes, bytes of constant bank 0, instructions, relocations of the code, the CUDA "
    "version.\n"
    "From sm_90 on, shared memory has the 1024 bytes that the system reserves. --json adds each parameter's offset "
    "and\n"
    "size, all constant banks, clusters, and functions that are no kernels. Before sm_70, instructions are not "
    "counted.\n"
    "FILE has at most 2 GiB, its compressed modules at most 4 GiB after decompression.\n"
    "\n"
    "Examples:\n"
    "  nvcc -cubin -arch=sm_86 -o k.cubin k.cu && vivace sass list k.cubin\n"
    "  vivace sass list ./program --json | jq '.modules[].functions[] | .name, .registers'\n";

int sass_input_open(const char *path, struct sass_input *out, struct err *e)
{
    *out = (struct sass_input){0};
    if (whole_file_read(path, SASS_INPUT_MAX, &out->bytes, &out->n, e) != 0)
        return -1;
    if (sass_file_read((const uint8_t *)out->bytes, out->n, &out->file, e) == 0)
        return 0;
    free(out->bytes);
    out->bytes = NULL;
    return err_wrap(e, "%.200s", path);
}

void sass_input_close(struct sass_input *in)
{
    sass_file_release(&in->file);
    free(in->bytes);
}

static uint32_t threads(const uint32_t of[3])
{
    return of[0] * (of[1] ? of[1] : 1) * (of[2] ? of[2] : 1);
}

static const char *version(uint32_t v, char out[16])
{
    if (v == 0)
        return "";
    snprintf(out, 16, "%u.%u", v / 10, v % 10);
    return out;
}

static bool has_inst_count(const struct cubin *c)
{
    return c->arch >= CUBIN_INST_BYTES_FROM_ARCH;
}

static void add_row(struct table *t, const struct sass_module *m, const struct cubin_function *f)
{
    const uint32_t *limit = f->required_threads[0] ? f->required_threads : f->max_threads;
    char arch[16], cuda[16];

    snprintf(arch, sizeof arch, "sm_%u", m->cubin.arch);
    table_text(t, f->name);
    table_text(t, arch);
    table_text(t, m->where);
    table_count(t, f->registers);
    table_count(t, f->shared_bytes);
    table_count(t, f->stack_bytes > f->local_bytes ? f->stack_bytes : f->local_bytes);
    table_count(t, f->barriers);
    if (threads(limit))
        table_count(t, threads(limit));
    else
        table_text(t, "");
    table_count(t, f->param_count);
    table_count(t, f->param_bytes);
    table_count(t, f->bank_bytes[0]);
    if (has_inst_count(&m->cubin))
        table_count(t, f->code_bytes / CUBIN_INST_BYTES);
    else
        table_text(t, "");
    table_count(t, f->relocations);
    table_text(t, version(f->cuda_version, cuda));
}

static int print_rows(const struct sass_file *file, bool csv, struct err *e)
{
    static const struct table_column columns[] = {
        {"kernel", "kernel", false, true},           {"arch", "arch", false, false},
        {"module", "module", false, true},           {"registers", "registers", true, false},
        {"shared", "shared_bytes", true, false},     {"local", "local_bytes", true, false},
        {"barriers", "barriers", true, false},       {"max threads", "max_threads", true, false},
        {"params", "params", true, false},           {"bytes", "param_bytes", true, false},
        {"c[0]", "constant0_bytes", true, false},    {"instructions", "instructions", true, false},
        {"relocations", "relocations", true, false}, {"CUDA", "cuda", false, false},
    };
    struct table t;
    int ret;

    table_init(&t, columns, sizeof columns / sizeof *columns);
    for (size_t m = 0; m < file->count; m++)
        for (size_t k = 0; k < file->items[m].cubin.count; k++)
            if (file->items[m].cubin.functions[k].entry)
                add_row(&t, &file->items[m], &file->items[m].cubin.functions[k]);
    ret = table_print(&t, csv, stdout, e);
    table_release(&t);
    return ret;
}

/* --- JSON --- */

static json_t *banks_json(const uint64_t bytes[CUBIN_BANKS])
{
    struct json_obj o = json_obj_begin();

    for (int k = 0; k < CUBIN_BANKS; k++) {
        char bank[16];

        snprintf(bank, sizeof bank, "%d", k);
        if (bytes[k])
            json_put_u64(&o, bank, bytes[k]);
    }
    return json_obj_end(&o);
}

/* null where the file has no such value */
static json_t *three_json(const uint32_t of[3])
{
    return of[0] ? json_pack("[I,I,I]", (json_int_t)of[0], (json_int_t)of[1], (json_int_t)of[2]) : json_null();
}

static json_t *params_json(const struct cubin_function *f)
{
    json_t *list = json_array();

    for (size_t k = 0; k < f->param_count; k++) {
        struct json_obj o = json_obj_begin();

        json_put_u64(&o, "offset", f->params[k].offset);
        json_put_u64(&o, "bytes", f->params[k].bytes);
        if (json_push(list, json_obj_end(&o)) != 0) {
            json_decref(list);
            return NULL;
        }
    }
    return list;
}

static json_t *function_json(const struct cubin *c, const struct cubin_function *f)
{
    struct json_obj o = json_obj_begin();
    char cuda[16];

    json_put_str(&o, "name", f->name);
    json_put_bool(&o, "kernel", f->entry);
    json_put_u64(&o, "registers", f->registers);
    json_put_u64(&o, "shared_bytes", f->shared_bytes);
    json_put_u64(&o, "local_bytes", f->local_bytes);
    json_put_u64(&o, "stack_bytes", f->stack_bytes);
    json_put_u64(&o, "barriers", f->barriers);
    json_put(&o, "max_threads", three_json(f->max_threads));
    json_put(&o, "required_threads", three_json(f->required_threads));
    json_put(&o, "cluster", three_json(f->cluster));
    json_put_u64(&o, "param_bytes", f->param_bytes);
    json_put_u64(&o, "param_offset", f->param_offset);
    json_put(&o, "params", params_json(f));
    json_put(&o, "constant_bytes", banks_json(f->bank_bytes));
    json_put(&o, "instructions",
             has_inst_count(c) ? json_integer((json_int_t)(f->code_bytes / CUBIN_INST_BYTES)) : json_null());
    json_put_u64(&o, "relocations", f->relocations);
    json_put_str(&o, "cuda", f->cuda_version ? version(f->cuda_version, cuda) : NULL);
    return json_obj_end(&o);
}

static int print_json(const struct sass_file *file, struct err *e)
{
    struct json_obj all = json_obj_begin();
    json_t *modules = json_array();

    for (size_t m = 0; m < file->count; m++) {
        const struct sass_module *x = &file->items[m];
        struct json_obj o = json_obj_begin();
        json_t *functions = json_array();

        json_put_str(&o, "where", x->where);
        json_put_u64(&o, "arch", x->cubin.arch);
        json_put(&o, "constant_bytes", banks_json(x->cubin.bank_bytes));
        for (size_t k = 0; k < x->cubin.count; k++)
            o.failed |= json_push(functions, function_json(&x->cubin, &x->cubin.functions[k])) != 0;
        json_put(&o, "functions", functions);
        all.failed |= json_push(modules, json_obj_end(&o)) != 0;
    }
    json_put_u64(&all, "ptx_modules", file->ptx_count);
    json_put(&all, "modules", modules);
    return cli_print_json(json_obj_end(&all), e);
}

int sass_list(int argc, char **argv)
{
    struct cli_output output = {0};
    const struct cli_usage usage = {.command = "sass list",
                                    .synopsis = "FILE",
                                    .text = list_text,
                                    .output = &output,
                                    .csv = true,
                                    .least_args = 1,
                                    .most_args = 1};
    struct sass_input in = {0};
    struct cli_args args;
    struct err e;
    int ret = -1, r = cli_parse(&usage, argc, argv, &args, &e);

    if (r)
        return cli_parsed(r, &e);
    if (sass_input_open(args.items[0], &in, &e) == 0)
        ret = output.json ? print_json(&in.file, &e) : print_rows(&in.file, output.csv, &e);
    sass_input_close(&in);
    return cli_end(ret, &e);
}
