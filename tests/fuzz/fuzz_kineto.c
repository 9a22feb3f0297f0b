/* Fuzzes PyTorch's JSON. By hand, what `make fuzz FUZZ=fuzz_kineto` does:
 *   make BUILD=build-fuzz CC=clang SANITIZE=fuzzer-no-link,address,undefined build-fuzz/fuzz/fuzz_kineto
 *   build-fuzz/fuzz/fuzz_kineto -max_total_time=600 FOUND tests/fuzz/corpus/kineto      (FOUND: a folder for new
 * inputs) */
#include "tests/fuzz/import_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    import_bytes(kineto_import, bytes, n);
    return 0;
}
