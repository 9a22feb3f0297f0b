/* Fuzzes CSV of nsys and nvprof, with recognition. By hand, what `make fuzz FUZZ=fuzz_nsys_csv` does:
 *   make BUILD=build-fuzz CC=clang SANITIZE=fuzzer-no-link,address,undefined build-fuzz/fuzz/fuzz_nsys_csv
 *   build-fuzz/fuzz/fuzz_nsys_csv -max_total_time=600 FOUND tests/fuzz/corpus/nsys_csv      (FOUND: a folder for
 * new inputs) */
#include "tests/fuzz/import_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    recognise_bytes(nsys_csv_recognise, bytes, n);
    import_bytes(nsys_csv_import, bytes, n);
    return 0;
}
