/* Fuzzes profiles of XLA (protocol buffers). By hand, what `make fuzz FUZZ=fuzz_xplane` does:
 *   make BUILD=build-fuzz CC=clang SANITIZE=fuzzer-no-link,address,undefined build-fuzz/fuzz/fuzz_xplane
 *   build-fuzz/fuzz/fuzz_xplane -max_total_time=600 FOUND tests/fuzz/corpus/xplane      (FOUND: a folder for new
 * inputs) */
#include "tests/fuzz/import_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    import_bytes(xplane_import, bytes, n);
    return 0;
}
