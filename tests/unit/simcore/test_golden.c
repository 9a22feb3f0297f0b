/* Cycles of hand-made kernels on each design, stored in golden_cycles.csv: any change of the model shows as a
 * difference. VIVACE_GOLDEN=write writes the file again. */
#include "tests/unit/simcore/hand_kernels.h"

#define GOLDEN "tests/unit/simcore/golden_cycles.csv"

static void cycles_are_those_of_the_golden_file(void **state)
{
    const char *mode = getenv("VIVACE_GOLDEN");
    bool writing = mode && strcmp(mode, "write") == 0;
    FILE *f = fopen(GOLDEN, writing ? "w" : "r");
    char line[128], want[128];
    unsigned wrong = 0;

    (void)state;
    assert_non_null(f);
    snprintf(line, sizeof line, "kernel,design,cycles,warp_instructions\n");
    if (writing)
        fputs(line, f);
    else
        assert_string_equal(fgets(want, sizeof want, f), line);
    for (size_t k = 0; k < HAND_KERNELS; k++) {
        for (const char *const *gpu = design_builtin_names(); *gpu; gpu++) {
            struct gpu_design *d = hand_design(*gpu, NULL);
            struct hand h;
            struct sim_result r;

            d->model.fetch = FETCH_CACHED; /* as in the design file */
            hand_kernels[k].make(&h);
            hand_run(&h, d, NULL, &r);
            assert_int_equal(r.end, SIM_DONE);
            snprintf(line, sizeof line, "%s,%s,%llu,%llu\n", hand_kernels[k].name, *gpu,
                     (unsigned long long)r.cycles, (unsigned long long)r.warp_instructions);
            if (writing) {
                fputs(line, f);
            } else if (!fgets(want, sizeof want, f) || strcmp(line, want) != 0) {
                print_message("golden: got  %sgolden: want %s", line, feof(f) ? "nothing\n" : want);
                wrong++;
            }
            sim_result_release(&r);
            design_free(d);
        }
    }
    if (!writing)
        assert_null(fgets(want, sizeof want, f));
    fclose(f);
    assert_int_equal(wrong, 0);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(cycles_are_those_of_the_golden_file)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
