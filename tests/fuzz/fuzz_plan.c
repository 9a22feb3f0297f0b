/* Fuzzes the reader of plan files. A projection of each accepted plan must work. By hand, what `make fuzz
 * FUZZ=fuzz_plan` does: make BUILD=build-fuzz CC=clang SANITIZE=fuzzer-no-link,address,undefined
 * build-fuzz/fuzz/fuzz_plan build-fuzz/fuzz/fuzz_plan -max_total_time=600 FOUND tests/fuzz/corpus/plan      (FOUND:
 * a folder for new inputs) */
#include <stdlib.h>

#include "sampling/estimate/projection.h"
#include "wire/plan_json.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct projection r;
    struct plan p;
    struct err e;
    double *y;

    if (plan_from_text((const char *)bytes, n, &p, &e) < 0)
        return 0;
    y = calloc(p.sample_count + 1, sizeof *y);
    for (size_t i = 0; y && i < p.sample_count; i++)
        y[i] = (double)p.samples[i].value;
    if (y && projection_make(&p, y, 0.95, &r, &e) == 0)
        projection_release(&r);
    free(y);
    plan_release(&p);
    return 0;
}
