/* Fuzzes the reader of design files. From an accepted design another one can be derived and read back, and the
 * occupancy of a kernel can be computed. By hand, what `make fuzz FUZZ=fuzz_design` does: make BUILD=build-fuzz
 * CC=clang SANITIZE=fuzzer-no-link,address,undefined build-fuzz/fuzz/fuzz_design build-fuzz/fuzz/fuzz_design
 * -max_total_time=600 FOUND simcore/designs      (FOUND: a folder for new inputs) */
#include <stdlib.h>
#include <string.h>

#include "simcore/simcore.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* Derives a design without changes: the text must read back with the same numbers. */
static void derive_and_read_back(const struct gpu_design *d)
{
    struct gpu_design *again = NULL;
    struct err e;
    char *text = NULL;

    if (design_derive(d, "again", NULL, 0, &text, &e) < 0)
        __builtin_trap();
    if (design_parse(text, strlen(text), "again", &again, &e) < 0)
        __builtin_trap();
    if (design_clock_hz(d) != design_clock_hz(again))
        __builtin_trap();
    design_free(again);
    free(text);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct kernel_info k = {.grid = {4, 1, 1}, .block = {64, 1, 1}, .registers = 32};
    struct gpu_design *d = NULL;
    struct design_facts facts;
    struct err e;

    if (design_parse((const char *)bytes, n, "fuzz", &d, &e) < 0)
        return 0;
    (void)design_fits(d, &k, &e);
    (void)design_wave_ctas(d, &k);
    if (design_facts_make(d, &facts, &e) == 0)
        design_facts_release(&facts);
    derive_and_read_back(d);
    design_free(d);
    return 0;
}
