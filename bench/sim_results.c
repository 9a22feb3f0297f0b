/* sim_results [GPU...]: prints the cycles and the SHA-256 of all counters of each hand-written kernel on each
 * built-in design, at each level of detail that can change the result. For tests/results.sh, which compares two
 * builds. */
#include <string.h>

#include "base/hash.h"
#include "tests/unit/simcore/hand_kernels.h"

static const struct {
    const char *name, *preset;
    struct {
        const char *key, *value;
    } change[2];
} variants[] = {
    {"default", "default", {{NULL, NULL}}},
    {"detailed", "detailed", {{NULL, NULL}}},
    {"fast", "fast", {{NULL, NULL}}},
    {"gto", "default", {{"sm.scheduler", "gto"}}},
    {"lrr", "default", {{"sm.scheduler", "lrr"}}},
    {"lrr-detailed", "detailed", {{"sm.scheduler", "lrr"}}},
    {"no-hash", "default", {{"model.hash", "none"}}},
    {"ipoly", "default", {{"model.hash", "ipoly"}}},
    {"event", "default", {{"model.memory", "event"}}},
    {"event-fixed", "default", {{"model.memory", "event"}, {"model.dram", "fixed"}}},
    {"delay-bank", "detailed", {{"model.noc", "delay"}}},
    {"flit-bucket", "detailed", {{"model.dram", "bucket"}}},
    {"tlb", "default", {{"model.tlb", "on"}}},
};

enum { VARIANT_DEFAULT, VARIANT_DETAILED };

static void give_up(const char *what, const struct err *e)
{
    fprintf(stderr, "sim_results: %s: %s\n", what, e->text);
    exit(1);
}

/* Makes a design with a variant of its levels. NULL: the design does not support the variant. */
static struct gpu_design *design_of(const char *gpu, size_t variant)
{
    struct design_change changes[2];
    struct gpu_design *d, *changed = NULL;
    char name[80], *text = NULL;
    struct err e;
    size_t n = 0;

    snprintf(name, sizeof name, "%s:%s", gpu, variants[variant].preset);
    if (design_load(name, &d, &e) < 0)
        give_up(name, &e);
    for (; n < 2 && variants[variant].change[n].key; n++)
        changes[n] = (struct design_change){variants[variant].change[n].key, variants[variant].change[n].value};
    if (!n)
        return d;
    if (design_derive(d, "changed", changes, n, &text, &e) == 0 &&
        design_parse(text, strlen(text), "changed", &changed, &e) < 0)
        give_up(variants[variant].name, &e);
    design_free(d);
    free(text);
    return changed;
}

static void print_result(const struct sim_result *r)
{
    char sum[SHA256_HEX], *text = NULL;
    size_t bytes = 0;
    FILE *f = open_memstream(&text, &bytes);
    struct err e;

    for (size_t i = 0; f && i < r->counter_count; i++)
        fprintf(f, "%s %llu\n", r->counters[i].name, (unsigned long long)r->counters[i].value);
    if (!f || fclose(f) != 0 || sha256_bytes(text, bytes, sum, &e) < 0)
        exit(1);
    printf(" %d %llu %.32s\n", (int)r->end, (unsigned long long)r->cycles, sum);
    free(text);
}

static void run_kernels(const char *gpu, size_t variant)
{
    struct gpu_design *d = design_of(gpu, variant);
    struct sim_result r;
    struct hand h;
    struct err e;

    for (size_t k = 0; d && k < HAND_KERNELS; k++) {
        hand_kernels[k].make(&h);
        if (simulate(d, &h.base, NULL, &r, &e) < 0)
            give_up(hand_kernels[k].name, &e);
        inst_source_release(&h.base);
        printf("%s %s %s", hand_kernels[k].name, gpu, variants[variant].name);
        print_result(&r);
        sim_result_release(&r);
    }
    design_free(d);
}

/* Without arguments: every design at its own levels and at the detailed ones. With arguments: the named designs at
 * every level. */
int main(int argc, char **argv)
{
    for (const char *const *gpu = design_builtin_names(); argc == 1 && *gpu; gpu++) {
        run_kernels(*gpu, VARIANT_DEFAULT);
        run_kernels(*gpu, VARIANT_DETAILED);
    }
    for (int i = 1; i < argc; i++)
        for (size_t v = 0; v < sizeof variants / sizeof *variants; v++)
            run_kernels(argv[i], v);
    return 0;
}
