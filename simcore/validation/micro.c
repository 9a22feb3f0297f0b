#include "simcore/validation/micro.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "simcore/gpu.h"

static uint64_t number(const char *s)
{
    char *end;
    uint64_t n = strtoull(s, &end, 10);

    return *end == 'k' ? n << 10 : *end == 'M' ? n << 20 : n;
}

uint64_t micro_arg(const struct micro_call *c, size_t i, uint64_t otherwise)
{
    return i < c->argc && !strchr(c->arg[i], '=') ? number(c->arg[i]) : otherwise;
}

uint64_t micro_option(const struct micro_call *c, const char *name, uint64_t otherwise)
{
    size_t n = strlen(name);

    for (size_t i = 0; i < c->argc; i++)
        if (strncmp(c->arg[i], name, n) == 0 && c->arg[i][n] == '=')
            return number(c->arg[i] + n + 1);
    return otherwise;
}

int micro_run(struct micro_call *c, struct hand *h, struct sim_result *r, struct err *e)
{
    int ret = simulator_run(c->simulator, &h->base, NULL, r, e);

    inst_source_release(&h->base);
    if (ret < 0)
        return -1;
    if (r->end == SIM_DONE)
        return 0;
    err_set(e, ERR_SIMULATION, "the micro-kernel did not end: %s", r->report);
    sim_result_release(r);
    return -1;
}

int micro_cycles(struct micro_call *c, struct hand *h, uint64_t *cycles, struct err *e)
{
    struct sim_result r;

    if (micro_run(c, h, &r, e) < 0)
        return -1;
    *cycles = r.cycles - r.launch_cycles;
    sim_result_release(&r);
    return 0;
}

uint64_t micro_counter(const struct sim_result *r, const char *name)
{
    for (size_t i = 0; i < r->counter_count; i++)
        if (strcmp(r->counters[i].name, name) == 0)
            return r->counters[i].value;
    return 0;
}

int micro_slope(struct micro_call *c, micro_write_fn *write, uint64_t first, uint64_t more, double *cycles,
                struct err *e)
{
    uint64_t time[2];

    for (uint32_t run = 0; run < 2; run++) {
        struct hand h;

        write(&h, c, first + run * more);
        if (micro_cycles(c, &h, &time[run], e) < 0)
            return -1;
    }
    *cycles = ((double)time[1] - (double)time[0]) / (double)more;
    return 0;
}

/* Beyond one and a half times what L2 holds: until reading and writing back have found their balance. */
enum { SETTLE_BYTES = 8 << 20 };

/* Up to which CTA the first part of a kernel goes. */
static uint64_t first_part(const struct gpu_design *d, const struct kernel_info *k, uint64_t bytes)
{
    uint64_t waves = (bytes ? 4 : 1) * design_wave_ctas(d, k),
             l2 = bytes ? (3ull * d->l2_bytes / 2 + SETTLE_BYTES) / bytes : 0;

    return waves > l2 ? waves : l2;
}

int micro_kernel(struct micro_call *c, micro_kernel_fn *write, uint64_t ctas, uint64_t bytes, double *us,
                 double *ctas_a_us, struct err *e)
{
    uint64_t upto[2], cycles[2] = {0, 0};
    double pace;
    struct hand h;

    write(&h, c, 1);
    upto[0] = first_part(c->design, &h.base.info, bytes);
    inst_source_release(&h.base);
    upto[1] = upto[0] + upto[0] / 2 < ctas ? upto[0] + upto[0] / 2 : ctas;
    if (upto[0] >= ctas)
        upto[0] = 0;
    for (uint32_t run = 0; run < 2; run++) {
        if (!upto[run])
            continue;
        write(&h, c, upto[run]);
        if (micro_cycles(c, &h, &cycles[run], e) < 0)
            return -1;
    }
    pace = (double)(upto[1] - upto[0]) / (double)(cycles[1] - cycles[0]);
    if (us)
        *us = ((double)cycles[1] + (double)(ctas - upto[1]) / pace) / micro_ghz(c->design) / 1e3;
    if (ctas_a_us)
        *ctas_a_us = pace * micro_ghz(c->design) * 1e3;
    return 0;
}

void micro_linear(const struct hand *h, uint64_t cta, uint32_t warp, uint32_t step, struct address_set *out)
{
    const struct trace_inst *t = &h->insts[h->steps[step].inst];
    int64_t element = (int64_t)((cta * h->warps + warp) * WARP_LANES) + (int32_t)t->immediate;
    uint64_t array = (uint64_t)((t->immediate - (int32_t)t->immediate) >> 32);

    out->base = (uint64_t)(0x7f0000000000 + (int64_t)(array << 32) + element * t->width);
    out->stride = t->width;
}

uint32_t micro_access(struct hand *h, const char *opcode, uint16_t width, int dst, int a, int b, int64_t immediate)
{
    uint32_t i = hand_add_memory(h, opcode, width, dst, a, b);

    h->insts[i].immediate = immediate;
    if (dst >= 0)
        h->insts[i].dst_regs = (uint8_t)((width + 3) / 4);
    return i;
}

void micro_loop_end(struct hand *h, uint32_t *at)
{
    if (!*at) {
        *at = hand_define(h, "IADD3", 0, 1, 1, -1, -1);
        hand_define(h, "ISETP.NE.AND", 0, -1, 1, -1, -1);
        hand_define(h, "BRA", 0, -1, -1, -1, -1);
    }
    for (uint32_t i = 0; i < 3; i++)
        hand_step(h, *at + i, FULL_MASK);
}

double micro_ghz(const struct gpu_design *d)
{
    return d->sm_khz / 1e6;
}
