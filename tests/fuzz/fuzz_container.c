/* Fuzzes the reader of GPU code in programs: containers, and blocks of LZ4. */
#include <stdlib.h>
#include <string.h>

#include "ptx/runtime/container.h"
#include "sass/container.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    uint8_t block[4096];
    uint32_t chosen;
    size_t length;
    struct err e;
    char *text;

    if (container_ptx(bytes, n, 80, &text, &length, &chosen, &e) == 0) {
        if (strlen(text) != length)
            __builtin_trap();
        free(text);
    }
    (void)lz4_block(bytes, n, block, n % sizeof block, &e);
    return 0;
}
