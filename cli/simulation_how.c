/* `vivace simulate`: launches that do not begin with empty caches, or are not simulated to their end. */
#include <inttypes.h>
#include <stdio.h>

#include "base/array.h"
#include "cli/simulation.h"

int simulation_warm(struct simulation *s, struct err *e)
{
    if (s->how.caches != SIM_CACHES_WARMED)
        return 0;
    if (trace_history_make(&s->bundle, &s->history, e) < 0)
        return -1;
    s->before = mem_zalloc(s->launch_count + 1, sizeof *s->before, e);
    for (size_t i = 0; s->before && i < s->launch_count; i++)
        if (s->launches[i].kernel)
            trace_history_before(&s->bundle, &s->history, (size_t)(s->launches[i].kernel - s->bundle.kernels),
                                 s->how.warm_launches, s->how.ctas.first, &s->before[i]);
    return s->before ? 0 : -1;
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
