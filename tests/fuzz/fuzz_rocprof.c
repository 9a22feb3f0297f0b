/* Fuzzes CSV and JSON of AMD's rocprof, with recognition. By hand, what `make fuzz FUZZ=fuzz_rocprof` does:
 *   make BUILD=build-fuzz CC=clang SANITIZE=fuzzer-no-link,address,undefined build-fuzz/fuzz/fuzz_rocprof
 *   build-fuzz/fuzz/fuzz_rocprof -max_total_time=600 FOUND tests/fuzz/corpus/rocprof      (FOUND: a folder for new
 * inputs) */
#include "tests/fuzz/import_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    recognise_bytes(rocprof_csv_recognise, bytes, n);
    import_bytes(n > 0 && bytes[0] == '{' ? rocprof_json_import : rocprof_csv_import, bytes, n);
    return 0;
}
