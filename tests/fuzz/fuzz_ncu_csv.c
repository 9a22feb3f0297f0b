/* Fuzzes tables of Nsight Compute, with recognition. By hand, what `make fuzz FUZZ=fuzz_ncu_csv` does: see
 * fuzz_nsys_csv.c. */
#include "tests/fuzz/import_bytes.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    recognise_bytes(ncu_csv_recognise, bytes, n);
    import_bytes(ncu_csv_import, bytes, n);
    return 0;
}
