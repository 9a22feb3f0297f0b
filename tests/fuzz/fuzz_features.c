/* Fuzzes features files. By hand, what `make fuzz FUZZ=fuzz_features` does: see fuzz_nsys_csv.c. */
#include "tests/fuzz/import_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    import_bytes(features_file_import, bytes, n);
    return 0;
}
