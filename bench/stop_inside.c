/* stop_inside [CASE [DESIGN]] | stop_inside --traces FILE.vtrace ...: compares `--project stable` with complete
 * simulations.
 *
 * The kernels are hand-written .vtrace files, with CTAs that differ, and with equal CTAs (four times as large), on
 * four designs. For each: the complete simulation, the projection, whether its interval covers the former, the
 * share of the cycles that was simulated, and the CPU time of both. CASE and DESIGN: only those whose names begin
 * with it.
 * --traces: instead, every launch in these files with at least three waves. Prints tab-separated rows, then sums.
 */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "simcore/design.h"
#include "simcore/trace/vtrace.h"
#include "tests/harness/varied.h"

static const char *const design_names[] = {"gtx1050", "rtx2060", "v100", "h100"};
static const uint32_t waves[] = {40, 24, 12, 8};
enum { DESIGNS = sizeof design_names / sizeof *design_names };

static struct {
    unsigned cases, stopped, held, regular, refused;
    double whole_s, projected_s, half_widths, errors, regular_whole_s, regular_projected_s;
} sum;

static double cpu_s(void)
{
    struct timespec t;

    clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec + (double)t.tv_nsec * 1e-9;
}

static void give_up(const struct err *e)
{
    fprintf(stderr, "stop_inside: %s\n", e->text);
    exit(1);
}

struct file {
    const char *path;
    size_t launch;
};

static int reopen(void *ctx, struct inst_source **out, struct err *e)
{
    const struct file *f = ctx;

    return vtrace_source_path(f->path, f->launch, out, e);
}

static double run(const struct gpu_design *d, struct file *f, enum sim_projection method, struct sim_result *out)
{
    const struct sim_options o = {
        .caches = SIM_CACHES_FLUSHED, .projection = method, .reopen = reopen, .reopen_ctx = f};
    struct inst_source *s;
    struct err e;
    double begin = cpu_s();

    if (reopen(f, &s, &e) < 0 || simulate(d, s, &o, out, &e) < 0)
        give_up(&e);
    inst_source_release(s);
    return cpu_s() - begin;
}

/* Prints one row. `regular`: the kernel's CTAs are equal. */
static void compare(const char *name, const struct gpu_design *d, struct file *f, bool regular)
{
    struct sim_result whole, r;
    double whole_s = run(d, f, PROJECT_NONE, &whole), projected_s = run(d, f, PROJECT_STABLE, &r);
    const struct sim_projected *p = &r.projected;
    double size = (double)whole.cycles, half = 0, off = 0;
    bool held = true;

    if (p->method) {
        half = ((double)p->high_cycles - (double)p->low_cycles) / 2 / size;
        off = (double)r.cycles / size - 1;
        held = p->low_cycles <= whole.cycles && whole.cycles <= p->high_cycles;
        sum.stopped++;
        sum.held += held;
        sum.half_widths += half;
        sum.errors += fabs(off);
    }
    printf("%s\t%s\t%" PRIu64 "\t%s\t%.3f\t%+.2f%%\t%.2f%%\t%s\t%.2f\t%.2f\t%s\n", name, design_name(d),
           whole.cycles, p->method ? "stopped" : "whole", p->method ? (double)p->at_cycle / size : 1, 100 * off,
           100 * half, held ? "yes" : "NO", whole_s, projected_s, p->method ? "" : p->why_not);
    fflush(stdout);
    sum.cases++;
    sum.whole_s += whole_s;
    sum.projected_s += projected_s;
    if (regular) {
        sum.regular++;
        sum.regular_whole_s += whole_s;
        sum.regular_projected_s += projected_s;
    }
    sim_result_release(&whole);
    sim_result_release(&r);
}

static void run_case(const struct varied *v, const struct gpu_design *d, uint32_t wave_count)
{
    char path[64];
    struct file f = {path, 0};
    struct hand h;
    struct err e;

    varied_make(&h, v, 1);
    varied_make_again(&h, v, design_wave_ctas(d, &h.base.info) * wave_count * (v->alike ? 4 : 1));
    snprintf(path, sizeof path, "/tmp/stop_inside.%ld.vtrace", (long)getpid());
    if (vtrace_write_one(path, &h.base, &e) < 0)
        give_up(&e);
    inst_source_release(&h.base);
    compare(v->name, d, &f, v->alike);
    unlink(path);
}

static void run_traces(const char *path, const struct gpu_design *d)
{
    struct vtrace *v;
    struct err e;

    if (vtrace_open(path, &v, &e) < 0)
        give_up(&e);
    for (size_t i = 0; i < vtrace_launch_count(v); i++) {
        const struct vtrace_launch *l = vtrace_launch_at(v, i);
        struct file f = {path, i};
        uint64_t wave = design_wave_ctas(d, &l->info);
        char name[64];

        snprintf(name, sizeof name, "%.32s#%zu", l->info.name, i);
        if (wave && l->ctas >= 3 * wave)
            compare(name, d, &f, false);
    }
    vtrace_close(v);
}

static void print_sums(void)
{
    double n = sum.stopped ? sum.stopped : 1;

    printf("# %u cases, %u stopped, %u of these held (%.1f%%); mean |error| %.2f%%, mean half-width %.2f%%\n",
           sum.cases, sum.stopped, sum.held, 100 * sum.held / n, 100 * sum.errors / n, 100 * sum.half_widths / n);
    printf("# CPU: %.1f s whole, %.1f s projected; CTAs alike: %u cases, %.1f s whole, %.1f s projected (%.2f "
           "times)\n",
           sum.whole_s, sum.projected_s, sum.regular, sum.regular_whole_s, sum.regular_projected_s,
           sum.regular_projected_s > 0 ? sum.regular_whole_s / sum.regular_projected_s : 0);
}

static bool begins(const char *name, const char *with)
{
    return !with || strncmp(name, with, strlen(with)) == 0;
}

int main(int argc, char **argv)
{
    bool traces = argc > 1 && strcmp(argv[1], "--traces") == 0;

    puts("kernel\tdesign\tcycles\tend\tsimulated\terror\thalf-width\theld\twhole_s\tprojected_s\twhy");
    for (int i = 0; i < DESIGNS; i++) {
        struct gpu_design *d;
        struct err e;

        if (!traces && argc > 2 && !begins(design_names[i], argv[2]))
            continue;
        if (design_load(design_names[i], &d, &e) < 0)
            give_up(&e);
        for (int k = 2; traces && k < argc; k++)
            run_traces(argv[k], d);
        for (size_t k = 0; !traces && k < varied_count; k++)
            if (begins(varied_kernels[k].name, argc > 1 ? argv[1] : NULL))
                run_case(&varied_kernels[k], d, waves[i]);
        design_free(d);
    }
    print_sums();
    return 0;
}
