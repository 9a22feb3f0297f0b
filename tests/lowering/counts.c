/* tests/lowering/counts.c: reads rows of counts, lowers their kernels, and compares both. */
#include "tests/lowering/counts.h"

#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "ptx/lower/lower.h"
#include "ptx/program/program.h"

/* --- text --- */

void counts_print_head(void)
{
    printf("file,kernel,arch,registers,instructions");
    for (int k = 0; k < SASS_CLASS_COUNT; k++)
        printf(",%s", sass_class_names[k]);
    printf(",shared_load_4,shared_load_8,shared_load_16\n");
}

void counts_print(const struct count_row *r)
{
    const struct inst_counts *c = &r->ptxas;

    printf("%s,%s,%u,%u,%u", r->file, r->kernel, r->arch, c->registers, c->instructions);
    for (int k = 0; k < SASS_CLASS_COUNT; k++)
        printf(",%u", c->of[k]);
    printf(",%u,%u,%u\n", c->shared_loads[0], c->shared_loads[1], c->shared_loads[2]);
}

static bool read_number(char **at, uint32_t *out)
{
    char *end;

    if (**at != ',')
        return false;
    *out = (uint32_t)strtoul(*at + 1, &end, 10);
    if (end == *at + 1)
        return false;
    *at = end;
    return true;
}

static bool read_text(char **at, char *out, size_t room)
{
    size_t n = strcspn(*at, ",");

    if (n >= room)
        return false;
    memcpy(out, *at, n);
    out[n] = 0;
    *at += n;
    return **at == ',';
}

static bool read_row(char *line, struct count_row *r)
{
    struct inst_counts *c = &r->ptxas;
    char *at = line;
    bool good = read_text(&at, r->file, sizeof r->file);

    at++;
    good = good && read_text(&at, r->kernel, sizeof r->kernel) && read_number(&at, &r->arch) &&
           read_number(&at, &c->registers) && read_number(&at, &c->instructions);
    for (int k = 0; good && k < SASS_CLASS_COUNT; k++)
        good = read_number(&at, &c->of[k]);
    for (int k = 0; good && k < 3; k++)
        good = read_number(&at, &c->shared_loads[k]);
    return good && c->instructions;
}

int counts_read(const char *path, struct count_rows *out, struct err *e)
{
    FILE *f = fopen(path, "r");
    char line[1000];
    uint32_t number = 0;
    int ret = 0;

    *out = (struct count_rows){0};
    if (!f)
        return err_set(e, ERR_NOT_FOUND, "cannot read %s", path);
    while (ret == 0 && fgets(line, sizeof line, f)) {
        struct count_row r = {.arch = 0};

        if (++number == 1)
            continue;
        if (!read_row(line, &r))
            ret = err_set(e, ERR_MALFORMED, "%s:%u: this is not a row of counts", path, number);
        else
            ret = array_reserve((void **)&out->items, &out->capacity, out->count + 1, sizeof r, e);
        if (ret == 0)
            out->items[out->count++] = r;
    }
    fclose(f);
    if (ret)
        counts_release(out);
    return ret;
}

void counts_release(struct count_rows *r)
{
    free(r->items);
    *r = (struct count_rows){0};
}

/* --- ours --- */

struct counting {
    struct inst_counts *counts;
    bool print;
    const struct ptx_machine_table *table;
};

static void print_inst(const struct ptx_machine_table *t, const struct trace_inst *i)
{
    printf("    %-24s", t->opcodes[i->opcode]);
    if (i->dst_count)
        printf(" R%u:%u <-", i->dst, i->dst_regs);
    for (uint32_t s = 0; s < i->src_count; s++)
        printf(" R%u:%u", i->src[s], i->src_regs[s]);
    if (i->has_immediate)
        printf(" %#" PRIx64, (uint64_t)i->immediate);
    printf("\n");
}

static void count_range(void *ctx, uint32_t inst, uint32_t count)
{
    const struct counting *c = ctx;

    for (uint32_t k = inst; k < inst + count; k++)
        inst_count_text(c->counts, c->table->opcodes[c->table->insts[k].opcode]);
    if (c->print)
        printf("  a run of %u instructions\n", count);
    for (uint32_t k = inst; c->print && k < inst + count; k++)
        print_inst(c->table, &c->table->insts[k]);
}

/* Adds the functions that this code calls; for an indirect call, all functions that are not kernels. */
static void add_called(const struct ptx_module *m, const struct ptx_code *code, bool *called)
{
    for (uint32_t k = 0; k < code->op_count; k++) {
        if (code->ops[k].action != PTX_DO_CALL)
            continue;
        if (code->ops[k].target != PTX_NONE) {
            called[code->ops[k].target] = true;
            continue;
        }
        for (uint32_t f = 0; f < m->function_count; f++)
            called[f] = called[f] || (!m->functions[f].entry && m->functions[f].has_body);
    }
}

static int lower_function(const struct ptx_code *code, struct count_row *r, bool print, struct err *e)
{
    struct ptx_machine_table t = {.arch = r->arch};
    struct counting c = {&r->ours, print, &t};
    struct ptx_lowered *l;
    int ret = -1;

    if (ptx_lower(&t, code, &l, e) == 0) {
        ptx_lowered_code(l, count_range, &c);
        if (l->registers > r->ours.registers)
            r->ours.registers = l->registers;
        ptx_lowered_free(l);
        ret = 0;
    }
    ptx_machine_table_release(&t);
    return ret;
}

/* A kernel with the functions that it calls, as ptxas puts them into one section. */
static int lower_row(struct ptx_program *p, uint32_t module, struct count_row *r, bool print, struct err *e)
{
    const struct ptx_module *m = ptx_program_module(p, module);
    uint32_t function = ptx_find_function(m, r->kernel);
    bool *called, *done;
    int ret = 0;

    if (function == PTX_NONE)
        return err_set(e, ERR_NOT_FOUND, "%s has no kernel %s", r->file, r->kernel);
    called = mem_zalloc(2 * (size_t)m->function_count, sizeof *called, e);
    if (!called)
        return -1;
    done = called + m->function_count;
    called[function] = true;
    for (bool more = true; ret == 0 && more;) {
        more = false;
        for (uint32_t f = 0; ret == 0 && f < m->function_count; f++) {
            const struct ptx_code *code = NULL;

            if (!called[f] || done[f])
                continue;
            code = ptx_program_code(p, module, f, e);
            ret = code ? lower_function(code, r, print, e) : -1;
            if (ret == 0)
                add_called(m, code, called);
            done[f] = more = true;
        }
    }
    free(called);
    return ret;
}

/* Rows of one file, the first of which is at `from`. *to: the first row after them. */
static int lower_file(struct count_rows *r, size_t from, size_t *to, struct err *e)
{
    struct device_memory *memory = device_memory_new(64 << 20, e);
    struct ptx_program *p = memory ? ptx_program_new(memory, e) : NULL;
    struct ptx_module *m = NULL;
    uint32_t module;
    int ret =
        p && ptx_parse_file(r->items[from].file, &m, e) == 0 && ptx_program_load(p, m, &module, e) == 0 ? 0 : -1;

    for (*to = from; ret == 0 && *to < r->count && strcmp(r->items[*to].file, r->items[from].file) == 0; (*to)++)
        ret = lower_row(p, module, &r->items[*to], r->print_code, e);
    ptx_program_free(p);
    device_memory_free(memory);
    return ret;
}

int counts_lower(struct count_rows *r, struct err *e)
{
    int ret = 0;

    for (size_t k = 0; ret == 0 && k < r->count;)
        ret = lower_file(r, k, &k, e);
    return ret;
}

/* --- compared --- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;

    return x < y ? -1 : x > y;
}

enum count_origin counts_origin(const struct count_row *r)
{
    return strstr(r->file, "/conformance/") ? COUNT_BY_HAND : COUNT_COMPILED;
}

int counts_summary(const struct count_rows *r, uint32_t arch, enum count_origin origin, struct count_summary *out,
                   struct err *e)
{
    double *ratio = mem_zalloc(2 * r->count + 1, sizeof *ratio, e), *error = ratio ? ratio + r->count : NULL;
    size_t n = 0;

    *out = (struct count_summary){0};
    if (!ratio)
        return -1;
    for (size_t k = 0; k < r->count; k++) {
        const struct count_row *x = &r->items[k];

        if (x->arch != arch || counts_origin(x) != origin)
            continue;
        ratio[n] = (double)x->ours.instructions / x->ptxas.instructions;
        error[n] = fabs(ratio[n] - 1);
        out->within_5 += error[n] <= 0.05;
        out->within_15 += error[n] <= 0.15;
        out->registers_mean += fabs((double)x->ours.registers - x->ptxas.registers);
        n++;
    }
    if (n) {
        qsort(ratio, n, sizeof *ratio, by_value);
        qsort(error, n, sizeof *error, by_value);
        *out = (struct count_summary){n,
                                      ratio[n / 2],
                                      error[n / 2],
                                      out->within_5 / (double)n,
                                      out->within_15 / (double)n,
                                      error[n * 95 / 100],
                                      out->registers_mean / (double)n};
    }
    free(ratio);
    return 0;
}
