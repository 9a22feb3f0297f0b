/* Fuzzes the reader of machine code (cubins, fat binaries, programs, static libraries) and the decoder. */
#include <string.h>

#include "sass/decode.h"
#include "sass/exec/exec.h"
#include "sass/sass_file.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void decode_all(const struct cubin_function *f, uint32_t arch)
{
    struct strbuf b = STRBUF_INIT;

    for (uint64_t at = 0; at < f->code_bytes; at += CUBIN_INST_BYTES) {
        struct sass_inst x;
        uint64_t words[2];

        memcpy(words, f->code + at, sizeof words);
        sass_decode(words, arch, at, &x);
        strbuf_clear(&b);
        sass_print(&x, &b);
    }
    for (size_t k = 0; k < f->label_count; k++)
        if (f->labels[k].at + f->labels[k].bytes > f->code_bytes)
            __builtin_trap();
    strbuf_release(&b);
}

/* Bytes of the file that a function's code, parameters (16 bytes each) and names come from. */
static uint64_t bytes_of(const struct cubin_function *f)
{
    uint64_t bytes = f->code_bytes + 16 * f->param_count + strlen(f->name);

    for (size_t k = 0; k < f->label_count; k++)
        bytes += strlen(f->labels[k].name);
    return bytes;
}

/* Launches the kernels of a module with one warp each, for a few instructions. Each 8 bytes of the parameters are
 * the address of a buffer. */
static void execute(const struct sass_module *m)
{
    enum { BUFFER_BYTES = 4096 };
    static uint64_t params[1 << 13]; /* the size of parameters has 16 bits */
    const struct sass_launch l = {
        .grid = {1, 1, 1}, .block = {32, 1, 1}, .params = params, .limit_instructions = 1000};
    struct device_memory *memory;
    struct sass_program *p;
    uint64_t buffer;
    struct err e;

    if (m->cubin.arch < SASS_EXEC_ARCH_MIN || m->cubin.arch > SASS_EXEC_ARCH_MAX)
        return;
    memory = device_memory_new(1 << 24, &e);
    if (device_alloc(memory, BUFFER_BYTES, 256, "buffer", &buffer, &e) != 0)
        __builtin_trap();
    for (size_t k = 0; k < sizeof params / sizeof *params; k++)
        params[k] = buffer;
    p = sass_program_new(memory, &e);
    if (sass_program_load(p, m->content, m->n, &m->cubin, &e) == 0)
        for (size_t k = 0; k < m->cubin.count && k < 4; k++) {
            const struct sass_kernel *kernel = sass_program_kernel(p, m->cubin.functions[k].name);
            struct sass_stats stats = {0};

            if (kernel)
                (void)sass_launch_run(p, kernel, &l, &stats, &e);
        }
    sass_program_free(p);
    device_memory_free(memory);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct sass_file f;
    uint64_t read = 0;
    struct err e;

    if (sass_file_read(bytes, n, &f, &e) != 0)
        return 0;
    for (size_t m = 0; m < f.count; m++)
        for (size_t k = 0; k < f.items[m].cubin.count; k++) {
            decode_all(&f.items[m].cubin.functions[k], f.items[m].cubin.arch);
            read += bytes_of(&f.items[m].cubin.functions[k]);
        }
    for (size_t m = 0; m < f.count; m++)
        execute(&f.items[m]);
    if (f.unpacked_n == 0 && read > 3 * (uint64_t)n) /* sections that overlap cost memory */
        __builtin_trap();
    sass_file_release(&f);
    return 0;
}
