/* tests/lowering/compare.c: compares ptx/lower with ptxas.
 *
 *   compare ptxas.csv                        the table of docs/ptx.md
 *   compare ptxas.csv --kernels ARCH         each kernel: ours, ptxas
 *   compare --code ARCH FILE.ptx KERNEL      our machine instructions
 *   compare --record ARCH FILE.ptx CUBIN     rows of ptxas.csv */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/whole_file.h"
#include "ptx/parse/module.h"
#include "tests/lowering/counts.h"

static int record(const char *arch, const char *ptx, const char *cubin, struct err *e)
{
    struct count_row r = {.arch = (uint32_t)strtoul(arch, NULL, 10)};
    struct ptx_module *m;
    char *bytes;
    size_t n;

    snprintf(r.file, sizeof r.file, "%s", ptx);
    if (ptx_parse_file(ptx, &m, e))
        return -1;
    if (whole_file_read(cubin, SIZE_MAX, &bytes, &n, e))
        bytes = NULL;
    for (uint32_t k = 0; bytes && k < m->function_count; k++) {
        snprintf(r.kernel, sizeof r.kernel, "%s", m->functions[k].name);
        if (m->functions[k].entry && cubin_count((const uint8_t *)bytes, n, r.kernel, r.arch, &r.ptxas, e) == 0)
            counts_print(&r);
    }
    ptx_module_free(m);
    free(bytes);
    return bytes ? 0 : -1;
}

static int print_code(const char *arch, const char *ptx, const char *kernel, struct err *e)
{
    struct count_row row = {.arch = (uint32_t)strtoul(arch, NULL, 10)};
    struct count_rows rows = {.items = &row, .count = 1, .print_code = true};

    snprintf(row.file, sizeof row.file, "%s", ptx);
    snprintf(row.kernel, sizeof row.kernel, "%s", kernel);
    return counts_lower(&rows, e);
}

static void print_kernels(const struct count_rows *r, uint32_t arch)
{
    for (size_t k = 0; k < r->count; k++) {
        const struct count_row *x = &r->items[k];

        if (x->arch != arch)
            continue;
        printf("%5.2f %-45s %5u %5u  registers %3u %3u ", (double)x->ours.instructions / x->ptxas.instructions,
               x->kernel, x->ours.instructions, x->ptxas.instructions, x->ours.registers, x->ptxas.registers);
        for (int c = 0; c < SASS_CLASS_COUNT; c++)
            printf(" %s %u/%u", sass_class_names[c], x->ours.of[c], x->ptxas.of[c]);
        printf(" %s\n", x->file);
    }
}

static int print_summary(const struct count_rows *r, uint32_t arch, enum count_origin origin, struct err *e)
{
    struct count_summary s;

    if (counts_summary(r, arch, origin, &s, e))
        return -1;
    printf("sm_%u, %s: %zu kernels, ratio %.2f in the median; error %.0f %% in the median, %.0f %% for 95 %%; "
           "within 5 %%: %.0f %%, within 15 %%: %.0f %%; registers %.1f off in the mean\n",
           arch, origin == COUNT_COMPILED ? "made by a compiler" : "written by hand", s.rows, s.ratio_median,
           100 * s.error_median, 100 * s.error_95, 100 * s.within_5, 100 * s.within_15, s.registers_mean);
    return 0;
}

static void print_classes(const struct count_rows *r, uint32_t arch)
{
    struct inst_counts ours = {0}, theirs = {0};

    for (size_t k = 0; k < r->count; k++)
        for (int c = 0; c < SASS_CLASS_COUNT && r->items[k].arch == arch; c++) {
            ours.of[c] += r->items[k].ours.of[c];
            theirs.of[c] += r->items[k].ptxas.of[c];
            if (c < 3) {
                ours.shared_loads[c] += r->items[k].ours.shared_loads[c];
                theirs.shared_loads[c] += r->items[k].ptxas.shared_loads[c];
            }
        }
    for (int c = 0; c < SASS_CLASS_COUNT; c++)
        printf("    %-13s %7u %7u\n", sass_class_names[c], ours.of[c], theirs.of[c]);
    for (int c = 0; c < 3; c++)
        printf("    shared loads of %2d bytes %6u %6u\n", 4 << c, ours.shared_loads[c], theirs.shared_loads[c]);
}

static int print_table(const struct count_rows *r, struct err *e)
{
    static const uint32_t archs[] = {75, 86, 90};

    for (size_t a = 0; a < sizeof archs / sizeof *archs; a++) {
        if (print_summary(r, archs[a], COUNT_COMPILED, e) || print_summary(r, archs[a], COUNT_BY_HAND, e))
            return -1;
        print_classes(r, archs[a]);
    }
    return 0;
}

int main(int argc, char **argv)
{
    struct count_rows r;
    struct err e;
    int ret;

    if (argc == 2 && strcmp(argv[1], "--head") == 0) {
        counts_print_head();
        return 0;
    }
    if (argc == 5 && strcmp(argv[1], "--record") == 0) {
        ret = record(argv[2], argv[3], argv[4], &e);
    } else if (argc == 5 && strcmp(argv[1], "--code") == 0) {
        ret = print_code(argv[2], argv[3], argv[4], &e);
    } else if (argc != 2 && !(argc == 4 && strcmp(argv[2], "--kernels") == 0)) {
        fprintf(stderr, "usage: compare ptxas.csv [--kernels ARCH] | --head | --code ARCH FILE.ptx KERNEL | "
                        "--record ARCH FILE.ptx CUBIN\n");
        return 2;
    } else if ((ret = counts_read(argv[1], &r, &e)) == 0) {
        ret = counts_lower(&r, &e);
        if (ret == 0 && argc == 4)
            print_kernels(&r, (uint32_t)strtoul(argv[3], NULL, 10));
        else if (ret == 0)
            ret = print_table(&r, &e);
        counts_release(&r);
    }
    if (ret)
        fprintf(stderr, "%s\n", e.text);
    return ret ? 1 : 0;
}
