/* Fuzzes the reader of machine code: cubins, fat binaries, programs and static libraries. */
#include <string.h>

#include "sass/sass_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static uint64_t sum_code(const struct cubin_function *f)
{
    uint64_t sum = strlen(f->name);

    for (uint64_t k = 0; k < f->code_bytes; k++)
        sum += f->code[k];
    for (size_t k = 0; k < f->label_count; k++)
        if (f->labels[k].at + f->labels[k].bytes > f->code_bytes)
            __builtin_trap();
    return sum;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    volatile uint64_t sum = 0;
    struct sass_file f;
    struct err e;

    if (sass_file_read(bytes, n, &f, &e) != 0)
        return 0;
    for (size_t m = 0; m < f.count; m++)
        for (size_t k = 0; k < f.items[m].cubin.count; k++)
            sum += sum_code(&f.items[m].cubin.functions[k]);
    sass_file_release(&f);
    return 0;
}
