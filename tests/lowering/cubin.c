/* tests/lowering/cubin.c: counts the machine instructions on the main path by class. */
#include "tests/lowering/cubin.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "sass/cubin.h"
#include "tests/lowering/reach.h"

enum { FUNCTIONS_MAX = 64 };

static void add(struct inst_counts *c, enum sass_class class, uint32_t width)
{
    c->instructions++;
    c->of[class]++;
    if (class == SASS_SHARED_LOAD)
        c->shared_loads[width]++;
}

void inst_count_words(struct inst_counts *c, const uint64_t word[2])
{
    uint32_t size = word[1] >> 9 & 7; /* values 4, 5, 6 mean 4, 8, 16 bytes; smaller values mean 1 or 2 bytes */

    add(c, sass_class_of_operation(inst_operation(word)), size == 6 ? 2 : size == 5);
}

void inst_count_text(struct inst_counts *c, const char *opcode)
{
    add(c, sass_class_of_name(opcode, strcspn(opcode, ".")),
        strstr(opcode, ".128") ? 2 : strstr(opcode, ".64") != NULL);
}

/* ptxas names its own subroutines $__internal_...; these handle the cases that the code before the call does not:
 * denormal operands, and results that may be denormal. */
static bool is_rare_name(const char *name)
{
    return strncmp(name, "$__internal_", 12) == 0 &&
           (strstr(name, "slowpath") || strstr(name, "mediumpath") || strstr(name, "_full"));
}

/* Collects the functions inside of the kernel's code: the program's own ($kernel$name) and rare subroutines of
 * ptxas. Other subroutines of ptxas are reached by their calls. */
static uint32_t functions_of(const struct cubin_function *f, struct reach_function out[static FUNCTIONS_MAX])
{
    uint32_t count = 0;

    for (size_t k = 0; k < f->label_count && count < FUNCTIONS_MAX; k++) {
        const struct cubin_label *x = &f->labels[k];

        if (is_rare_name(x->name) || x->name[1] != '_')
            out[count++] = (struct reach_function){
                (uint32_t)(x->at / INST_BYTES), (uint32_t)((x->at + x->bytes) / INST_BYTES), is_rare_name(x->name)};
    }
    return count;
}

/* The code without its end: a branch to itself between NOPs. */
static uint32_t without_padding(const uint64_t (*words)[2], uint64_t count)
{
    while (count && inst_operation(words[count - 1]) == OP_NOP)
        count--;
    count -= count && inst_operation(words[count - 1]) == OP_BRA;
    while (count && inst_operation(words[count - 1]) == OP_NOP)
        count--;
    return (uint32_t)count;
}

static int count_function(const struct cubin_function *f, uint32_t arch, struct inst_counts *out, struct err *e)
{
    struct reach_function functions[FUNCTIONS_MAX];
    struct reach_code code = {.arch = arch, .functions = functions};
    uint64_t(*words)[2] = mem_zalloc(f->code_bytes / INST_BYTES + 1, sizeof *words, e);
    bool *on_path = words ? mem_zalloc(f->code_bytes / INST_BYTES + 1, sizeof *on_path, e) : NULL;
    int ret = -1;

    if (on_path) {
        memcpy(words, f->code, f->code_bytes);
        code.words = (const uint64_t(*)[2])words;
        code.count = without_padding(code.words, f->code_bytes / INST_BYTES);
        code.function_count = functions_of(f, functions);
        ret = reach_main_path(&code, on_path, e);
    }
    for (uint32_t k = 0; ret == 0 && k < code.count; k++)
        if (on_path[k])
            inst_count_words(out, words[k]);
    out->registers = f->registers;
    free(words);
    free(on_path);
    return ret;
}

int cubin_count(const uint8_t *file, size_t n, const char *kernel, uint32_t arch, struct inst_counts *out,
                struct err *e)
{
    const struct cubin_function *f;
    struct cubin c;
    int ret;

    *out = (struct inst_counts){0};
    if (cubin_read(file, n, &c, e) != 0)
        return -1;
    f = cubin_find(&c, kernel);
    ret = f ? count_function(f, arch, out, e)
            : err_set(e, ERR_NOT_FOUND, "the cubin has no code of kernel %s", kernel);
    cubin_release(&c);
    return ret;
}
