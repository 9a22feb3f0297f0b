#include <stdio.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include "sampling/method.h"
#include "tests/harness/datasets.h"
#include "tests/harness/redraw.h"
static double cpu(void)
{
    return (double)clock() / CLOCKS_PER_SEC;
}
int main(int argc, char **argv)
{
    unsigned repeats = argc > 1 ? (unsigned)atoi(argv[1]) : 1000;
    const char *only = argc > 2 ? argv[2] : NULL;
    int least = argc > 3 ? atoi(argv[3]) : 2;
    static const double errors[] = {0.01, 0.02, 0.03, 0.05, 0.10};
    struct err e;
    for (const struct dataset *d = datasets; d->name; d++) {
        struct profile p;
        if (only && *only && strcmp(only, d->name))
            continue;
        if (dataset_load(d, &p, &e) <= 0) {
            printf("%s: skipped\n", d->name);
            continue;
        }
        enum { MOST = 200 };
        int REAL = (int)(400000 / p.count);
        REAL = REAL < 20 ? 20 : REAL > MOST ? MOST : REAL;
        double *ys[MOST][DESIGN_COUNT];
        for (int r = 0; r < REAL; r++)
            for (int k = 0; k < DESIGN_COUNT; k++)
                ys[r][k] = design_make(&p, k, (uint64_t)(7 + r), &e);
        printf("%s: %zu launches %zu kernels %zu names\n", d->name, p.count, p.kernel_count, p.name_count);
        for (int i = 0; i < 5; i++) {
            double base = 0;
            for (int m = 0; m < 2; m++) {
                const struct method *me = m ? &method_vivace : &method_root;
                struct plan_params pp = PLAN_PARAMS_DEFAULT;
                struct strata s = {0};
                struct redraw_score sc[DESIGN_COUNT];
                struct redraw_params rp = {errors[i], 0.95, 1, repeats / (unsigned)REAL};
                double t0 = cpu(), cost;
                uint64_t n = 0;
                pp.error = errors[i];
                pp.least_samples = least;
                if (me->stratify(&p, &pp, &s, &e) < 0) {
                    printf("fail %s\n", e.text);
                    return 1;
                }
                t0 = cpu() - t0;
                for (size_t h = 0; h < s.count; h++)
                    n += s.items[h].n;
                cost = redraw_cost(&s, &p);
                if (!m)
                    base = cost;
                memset(sc, 0, sizeof sc);
                for (int r = 0; r < REAL; r++) {
                    struct redraw_score t[DESIGN_COUNT];
                    rp.seed = 1 + (uint64_t)r * 100000;
                    redraw(&s, (const double *const *)ys[r], DESIGN_COUNT, p.count, &rp, t, &e);
                    for (int k = 0; k < DESIGN_COUNT; k++) {
                        sc[k].within += t[k].within / REAL;
                        sc[k].covered_t += t[k].covered_t / REAL;
                        sc[k].covered_z += t[k].covered_z / REAL;
                        sc[k].half_width += t[k].half_width / REAL;
                    }
                }
                printf("  %4.0f%% %-7s H%4zu n%5llu x%8.2f %s%5.2f df%5.1f pr%5.2f%% %.3fs |", 100 * errors[i],
                       me->name, s.count, (unsigned long long)n, 1 / cost,
                       m ? cost <= base * (1 + 1e-12) ? "  " : "**" : "  ", cost / base, s.planned_df,
                       100 * s.promised_error, t0);
                for (int k = 0; k < DESIGN_COUNT; k++)
                    if (m)
                        printf(" %5.1f/%5.1f/%5.1f(%4.2f)", 100 * sc[k].covered_t, 100 * sc[k].covered_z,
                               100 * sc[k].within, 100 * sc[k].half_width);
                    else
                        printf(" %5.1f", 100 * sc[k].within);
                printf(" %s\n", s.caution);
                if (m && getenv("SHOW"))
                    for (size_t h = 0; h < s.count; h++) {
                        struct moments mm = moments_of(&s.groups, s.items[h].run_begin, s.items[h].run_end);
                        printf("      kind %d N %llu n %llu mean %.0f sd %.0f planned %.0f share %.3f%%  "
                               "[%llu..%llu]\n",
                               s.items[h].kind, (unsigned long long)mm.count, (unsigned long long)s.items[h].n,
                               moments_mean(&mm), moments_sd(&mm), s.items[h].planned_sd,
                               100 * (double)mm.sum / (double)profile_total(&p),
                               (unsigned long long)s.groups.runs[s.items[h].run_begin].value,
                               (unsigned long long)s.groups.runs[s.items[h].run_end - 1].value);
                    }
                strata_release(&s);
            }
        }
        for (int r = 0; r < REAL; r++)
            for (int k = 0; k < DESIGN_COUNT; k++)
                free(ys[r][k]);
        profile_release(&p);
        fflush(stdout);
    }
}
