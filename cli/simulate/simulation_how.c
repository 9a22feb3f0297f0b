/* `vivace simulate`: the initial cache content of launches, and launches that are not simulated to their end. */
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "cli/simulate/simulation.h"

static void on_read(void *ctx, size_t launches)
{
    (void)ctx;
    cli_progress("what launches find in the caches: %zu read", launches);
}

static int make_images(struct simulation *s, struct err *e)
{
    bool *wanted = mem_zalloc(s->bundle.count + 1, sizeof *wanted, e);
    int ret;

    if (!wanted)
        return -1;
    for (size_t i = 0; i < s->launch_count; i++)
        if (s->launches[i].kernel)
            wanted[s->launches[i].kernel - s->bundle.kernels] = true;
    ret = bundle_images_make(&s->bundle, wanted, on_read, NULL, &s->images, e);
    free(wanted);
    return ret;
}

const struct warm_image *simulation_image(const struct simulation *s, size_t launch)
{
    const struct bundle_kernel *k = s->launches[launch].kernel;

    return k && s->images.image ? s->images.image[k - s->bundle.kernels] : NULL;
}

static int find_before(struct simulation *s, struct err *e)
{
    if (trace_history_make(&s->bundle, &s->history, e) < 0)
        return -1;
    s->before = mem_zalloc(s->launch_count + 1, sizeof *s->before, e);
    for (size_t i = 0; s->before && i < s->launch_count; i++)
        if (s->launches[i].kernel)
            trace_history_before(&s->bundle, &s->history, (size_t)(s->launches[i].kernel - s->bundle.kernels),
                                 s->how.replay_launches, s->how.ctas.first, &s->before[i]);
    return s->before ? 0 : -1;
}

static bool began_empty(const struct simulation *s, size_t launch, size_t design)
{
    const struct sim_task *t = simulation_task(s, launch, design);

    return t->done && !t->began_warm && s->how.caches != SIM_CACHES_REPLAYED &&
           (s->how.caches == SIM_CACHES_WARM || s->launches[launch].launch > 0);
}

size_t simulation_empty(const struct simulation *s)
{
    size_t empty = 0;

    for (size_t i = 0; i < s->launch_count; i++) {
        bool began = false;

        for (size_t d = 0; d < s->design_count; d++)
            began |= began_empty(s, i, d);
        empty += began;
    }
    return empty;
}

double simulation_warm_cycles(const struct simulation *s, size_t launch, size_t design)
{
    const struct sim_task *t = simulation_task(s, launch, design);

    if (!t->done)
        return NAN;
    if (!began_empty(s, launch, design))
        return (double)t->cycles;
    return t->cycles_warm_bound ? (double)t->cycles_warm_bound : NAN;
}

int simulation_caches(struct simulation *s, struct err *e)
{
    switch (s->how.caches) {
    case SIM_CACHES_WARM: return make_images(s, e);
    case SIM_CACHES_REPLAYED: return find_before(s, e);
    case SIM_CACHES_FLUSHED:
    case SIM_CACHES_KEPT: break;
    }
    return 0;
}

size_t simulation_projected(const struct simulation *s, size_t design)
{
    size_t n = 0;

    for (size_t i = 0; i < s->launch_count; i++) {
        const struct sim_task *t = simulation_task(s, i, design);

        n += t->done && t->projected.method != PROJECT_NONE;
    }
    return n;
}

void simulation_note(const struct simulation *s, const struct sim_task *t, char *out, size_t size)
{
    const struct sim_projected *p = &t->projected;

    *out = '\0';
    if (!s->how.projection || !t->done)
        return;
    if (p->method == PROJECT_NONE)
        snprintf(out, size, "whole: %s", p->why_not);
    else if (p->method == PROJECT_STABLE)
        snprintf(out, size,
                 "projected at cycle %" PRIu64 ", %" PRIu64 " of %" PRIu64 " CTAs; %" PRIu64 " to %" PRIu64,
                 p->at_cycle, p->ctas_done, p->ctas, p->low_cycles, p->high_cycles);
    else
        snprintf(out, size, "projected at cycle %" PRIu64 ", %" PRIu64 " of %" PRIu64 " CTAs", p->at_cycle,
                 p->ctas_done, p->ctas);
}
