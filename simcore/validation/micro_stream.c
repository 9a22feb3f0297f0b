/* Kernels that stream over arrays in device memory: each thread processes one element. */
#include <string.h>

#include "simcore/gpu.h"
#include "simcore/validation/micro.h"
#include "simcore/validation/micro_sample.h"

enum stream_kind { STREAM_INIT, STREAM_READ, STREAM_SCALE, STREAM_TRIAD };
static const uint32_t arrays_of[] = {1, 1, 2, 3};

static enum stream_kind kind_of(const struct micro_call *c)
{
    static const char *const names[] = {"init", "read", "scale", "triad"};

    for (uint32_t i = 0; i < 4; i++)
        if (strcmp(c->opcode, names[i]) == 0)
            return (enum stream_kind)i;
    return STREAM_READ;
}

/* The head of all kernels in one dimension: the thread's number, compared with the length. */
static void write_head(struct hand *h)
{
    hand_add(h, "MOV", 1, -1, -1, -1);
    hand_add(h, "S2R", 0, -1, -1, -1);
    hand_add(h, "S2R", 3, -1, -1, -1);
    hand_add(h, "IMAD", 0, 0, 3, -1);
    hand_add(h, "ISETP.GE.AND", -1, 0, -1, -1);
    hand_add(h, "EXIT", -1, -1, -1, -1);
    h->steps[h->step_count - 1].mask = 0; /* no lane is beyond the end */
    hand_add(h, "MOV", 5, -1, -1, -1);
}

static void write_body(struct hand *h, enum stream_kind kind)
{
    if (kind == STREAM_INIT) {
        hand_add(h, "MOV", 6, -1, -1, -1);
        hand_add(h, "MOV", 7, -1, -1, -1);
    }
    hand_add(h, "IMAD.WIDE", 2, 0, 5, -1);
    if (kind == STREAM_TRIAD)
        hand_add(h, "IMAD.WIDE", 8, 0, 5, -1);
    if (kind != STREAM_INIT)
        micro_access(h, "LDG.E.64.SYS", 8, 10, 2, -1, MICRO_ARRAY(0, 0));
    if (kind == STREAM_TRIAD)
        micro_access(h, "LDG.E.64.SYS", 8, 12, 8, -1, MICRO_ARRAY(1, 0));
    if (kind == STREAM_READ) { /* stored only if it equals a number that it never does */
        hand_add(h, "DSETP.NEU.AND", -1, 10, -1, -1);
        return;
    }
    if (kind != STREAM_INIT) {
        hand_add(h, "IMAD.WIDE", 14, 0, 5, -1);
        hand_add(h, kind == STREAM_SCALE ? "DMUL" : "DFMA", 6, 10, kind == STREAM_TRIAD ? 12 : -1, -1);
    }
    micro_access(h, "STG.E.64.SYS", 8, -1, kind == STREAM_INIT ? 2 : 14, 6, MICRO_ARRAY(2, 0));
}

static void write_stream(struct hand *h, const struct micro_call *c, uint64_t ctas)
{
    uint64_t registers = micro_option(c, "regs", 0);

    hand_init(h, ctas, (uint32_t)micro_arg(c, 1, 1024));
    h->address = micro_linear;
    if (registers)
        h->base.info.registers = (uint32_t)registers;
    else /* shared memory that only keeps a third CTA out */
        h->base.info.shared_bytes = c->design->shared_bytes / 2 - c->design->shared_system_bytes;
    write_head(h);
    write_body(h, kind_of(c));
    hand_add(h, "EXIT", -1, -1, -1, -1);
}

/* GB/s of useful bytes. */
static int stream(struct micro_call *c, double *out, struct err *e)
{
    uint64_t threads = micro_arg(c, 1, 1024), bytes = (uint64_t)8 * arrays_of[kind_of(c)] * threads;
    double pace;

    /* UINT32_MAX: endless launches, measured back to back. L2 must write back the modified lines of one launch
     * during the next one. */
    if (micro_kernel(c, write_stream, UINT32_MAX, bytes, NULL, &pace, e) < 0)
        return -1;
    *out = pace * (double)bytes / 1e3;
    return 0;
}

/* One stage of a Walsh transform in place: each thread reads and writes four floats `stride` apart; 2^23 floats in
 * CTAs of 256 threads (CUDA samples, fastWalshTransform). */
void micro_write_fwt(struct hand *h)
{
    enum { CTAS = 8192, QUARTER = CTAS * 256 };

    hand_init(h, CTAS, 256);
    h->address = micro_linear;
    write_head(h);
    for (int i = 0; i < 6; i++) /* splits the number into the element's place within its block */
        hand_add(h, i % 2 ? "LOP3.LUT" : "SHF.R.S32.HI", 6 + i % 2, i ? 7 - i % 2 : 0, 5, -1);
    for (int k = 0; k < 4; k++)
        hand_add(h, "IMAD.WIDE", 20 + 2 * k, 7, 5, -1);
    for (int k = 0; k < 4; k++)
        micro_access(h, "LDG.E.SYS", 4, 8 + k, 20 + 2 * k, -1, MICRO_ARRAY(0, (int64_t)k * QUARTER));
    for (int k = 0; k < 4; k++)
        hand_add(h, "FADD", 12 + k, 8 + k % 2, 10 + k % 2, -1);
    for (int k = 0; k < 4; k++) {
        hand_add(h, "FADD", 16, 12 + k / 2 * 2, 13 + k / 2 * 2, -1);
        micro_access(h, "STG.E.SYS", 4, -1, 20 + 2 * k, 16, MICRO_ARRAY(0, (int64_t)k * QUARTER));
    }
    hand_add(h, "EXIT", -1, -1, -1, -1);
}

/* Microseconds, launch included; GB/s of DRAM traffic. */
static int fwt_run(struct micro_call *c, double *us, double *gbs, struct err *e)
{
    struct sim_result r;
    struct hand h;

    micro_write_fwt(&h);
    if (micro_run(c, &h, &r, e) < 0)
        return -1;
    *us = (double)r.cycles / micro_ghz(c->design) / 1e3;
    *gbs = 32.0 * (double)(micro_counter(&r, "dram_read_sectors") + micro_counter(&r, "dram_write_sectors")) / *us /
           1e3;
    sim_result_release(&r);
    return 0;
}

static int fwt(struct micro_call *c, double *out, struct err *e)
{
    double gbs;

    return fwt_run(c, out, &gbs, e);
}

static int fwt_gbs(struct micro_call *c, double *out, struct err *e)
{
    double us;

    return fwt_run(c, &us, out, e);
}

const struct micro micro_stream[] = {
    {"stream", "init|read|scale|triad THREADS [regs=N]", "GB/s",
     "one 8-byte element a thread; two CTAs an SM, or the number that the registers allow", stream},
    {"fwt", "", "us", "32 MB of floats read and written in place", fwt},
    {"fwt_gbs", "", "GB/s", "the same as traffic", fwt_gbs},
    {NULL, NULL, NULL, NULL, NULL},
};
