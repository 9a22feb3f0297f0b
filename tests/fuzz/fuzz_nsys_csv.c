/* Fuzzes CSV of nsys and nvprof, with recognition. By hand, what `make fuzz FUZZ=fuzz_nsys_csv` does:
 *   make BUILD=build-fuzz CC=clang SANITIZE=fuzzer-no-link,address,undefined build-fuzz/fuzz/fuzz_nsys_csv
 *   build-fuzz/fuzz/fuzz_nsys_csv -max_total_time=600 FOUND tests/fuzz/corpus/nsys_csv      (FOUND: a folder for
 * new inputs) */
#include <string.h>

#include "tests/fuzz/import_bytes.h"

static void recognise(const uint8_t *bytes, size_t n)
{
    struct import_head head = {.name = "input", .bytes = malloc(n + 1), .length = n};
    const char *format;
    struct err e;

    if (!head.bytes)
        return;
    memcpy(head.bytes, bytes, n);
    head.bytes[n] = '\0';
    nsys_csv_recognise(&head, &format, &e);
    free(head.bytes);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    recognise(bytes, n);
    import_bytes(nsys_csv_import, bytes, n);
    return 0;
}
