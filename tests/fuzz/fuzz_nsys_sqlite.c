/* Fuzzes the SQLite export of nsys. By hand, what `make fuzz FUZZ=fuzz_nsys_sqlite` does:
 *   make BUILD=build-fuzz CC=clang SANITIZE=fuzzer-no-link,address,undefined build-fuzz/fuzz/fuzz_nsys_sqlite
 *   build-fuzz/fuzz/fuzz_nsys_sqlite -max_total_time=600 FOUND tests/fuzz/corpus/nsys_sqlite      (FOUND: a folder
 * for new inputs) */
#include "tests/fuzz/import_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    import_bytes(nsys_sqlite_import, bytes, n);
    return 0;
}
