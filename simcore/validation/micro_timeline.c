/* What follows on a GPU's time line: kernels in a stream, copies over links. */
#include <string.h>

#include "simcore/gpu.h"
#include "simcore/validation/micro.h"

enum { CHAIN_FIRST = 8, CHAIN_MORE = 32, CHAIN_THREADS = 256, ELEMENTWISE_THREADS = 128 };

/* A kernel that reads and writes this number of bytes in all, a double a thread. */
static void write_small(struct hand *h, uint64_t bytes)
{
    hand_init(h, bytes / (2 * sizeof(double) * CHAIN_THREADS), CHAIN_THREADS);
    h->address = micro_linear;
    hand_add(h, "S2R", 0, -1, -1, -1);
    hand_add(h, "S2R", 3, -1, -1, -1);
    hand_add(h, "IMAD", 0, 0, 3, -1);
    hand_add(h, "IMAD.WIDE", 2, 0, 5, -1);
    micro_access(h, "LDG.E.64", 8, 10, 2, -1, MICRO_ARRAY(0, 0));
    hand_add(h, "DMUL", 6, 10, -1, -1);
    micro_access(h, "STG.E.64", 8, -1, 2, 6, MICRO_ARRAY(0, 0));
    hand_add(h, "EXIT", -1, -1, -1, -1);
}

/* One CTA of an elementwise operation as PyTorch launches it, a float a thread: bounds, a load unless it fills, the
 * operation, a store. */
static void write_elementwise(struct hand *h, bool loads)
{
    hand_init(h, 1, ELEMENTWISE_THREADS);
    h->address = micro_linear;
    hand_add(h, "S2R", 0, -1, -1, -1);
    hand_add(h, "S2R", 3, -1, -1, -1);
    hand_add(h, "IMAD", 0, 0, 3, -1);
    hand_add(h, "ISETP.GE.AND", -1, 0, -1, -1);
    hand_add(h, "IMAD.WIDE", 2, 0, 5, -1);
    if (loads)
        micro_access(h, "LDG.E", 4, 10, 2, -1, MICRO_ARRAY(0, 0));
    hand_add(h, "FMUL", 6, loads ? 10 : 0, -1, -1);
    micro_access(h, "STG.E", 4, -1, 2, 6, MICRO_ARRAY(0, 0));
    hand_add(h, "EXIT", -1, -1, -1, -1);
}

static int open_kernel(void *ctx, size_t index, struct inst_source **out, struct err *e)
{
    struct hand *hands = ctx;

    (void)e;
    *out = &hands[index].base;
    return 0;
}

static int run_list(struct micro_call *c, const struct sim_work *work, size_t n, struct sim_stream_options *o,
                    uint64_t *ps, struct err *e)
{
    struct sim_timeline t;

    if (simulator_run_streams(c->simulator, work, n, o, &t, e) < 0)
        return -1;
    *ps = t.ps;
    if (t.end != SIM_DONE)
        err_set(e, ERR_SIMULATION, "the list did not end: %s", t.report);
    n = t.end == SIM_DONE;
    sim_timeline_release(&t);
    return n ? 0 : -1;
}

enum chain_kind { CHAIN_STREAM, CHAIN_GRAPH, CHAIN_LOAD, CHAIN_FILL };

static int chain_ps(struct micro_call *c, size_t n, enum chain_kind kind, uint64_t *ps, struct err *e)
{
    static struct hand hands[CHAIN_FIRST + CHAIN_MORE];
    static const struct sim_work work[CHAIN_FIRST + CHAIN_MORE]; /* kernels, all of one stream */
    struct sim_stream_options o = {.base = {.caches = SIM_CACHES_KEPT},
                                   .graph = kind != CHAIN_STREAM,
                                   .keep_sources = true,
                                   .open = open_kernel,
                                   .ctx = hands};
    int ret;

    for (size_t i = 0; i < n; i++)
        if (kind == CHAIN_LOAD || kind == CHAIN_FILL)
            write_elementwise(&hands[i], kind == CHAIN_LOAD);
        else
            write_small(&hands[i], micro_arg(c, 1, 64 << 10));
    ret = run_list(c, work, n, &o, ps, e);
    for (size_t i = 0; i < n; i++)
        inst_source_release(&hands[i].base);
    return ret;
}

/* Microseconds from one kernel's begin to the next one's. */
static int chain_period(struct micro_call *c, enum chain_kind kind, double *out, struct err *e)
{
    uint64_t few, many;

    if (chain_ps(c, CHAIN_FIRST, kind, &few, e) < 0 || chain_ps(c, CHAIN_FIRST + CHAIN_MORE, kind, &many, e) < 0)
        return -1;
    *out = (double)(many - few) / CHAIN_MORE / 1e6;
    return 0;
}

static int launch(struct micro_call *c, double *out, struct err *e)
{
    return chain_period(c, strcmp(c->opcode, "graph") == 0 ? CHAIN_GRAPH : CHAIN_STREAM, out, e);
}

/* What a profiler says of one launch: in a graph each begins when the one before it has ended. */
static int one_cta(struct micro_call *c, double *out, struct err *e)
{
    return chain_period(c, strcmp(c->opcode, "fill") == 0 ? CHAIN_FILL : CHAIN_LOAD, out, e);
}

static int copy_ps(struct micro_call *c, uint64_t *bytes, uint64_t *ps, struct err *e)
{
    const char *kind = c->opcode;
    struct sim_work w = {.kind = strcmp(kind, "peer") == 0  ? SIM_COPY_FROM_PEER
                                 : strcmp(kind, "d2h") == 0 ? SIM_COPY_TO_HOST
                                                            : SIM_COPY_TO_DEVICE,
                         .bytes = micro_arg(c, 1, 64 << 20)};
    struct sim_stream_options o = {.graph = true};

    *bytes = w.bytes;
    return run_list(c, &w, 1, &o, ps, e);
}

/* GB/s of data. */
static int copy_rate(struct micro_call *c, double *out, struct err *e)
{
    uint64_t bytes, ps;

    if (copy_ps(c, &bytes, &ps, e) < 0)
        return -1;
    *out = (double)bytes * 1e3 / (double)ps;
    return 0;
}

static int copy_time(struct micro_call *c, double *out, struct err *e)
{
    uint64_t bytes, ps;

    if (copy_ps(c, &bytes, &ps, e) < 0)
        return -1;
    *out = (double)ps / 1e6;
    return 0;
}

const struct micro micro_timeline[] = {
    {"launch", "stream|graph BYTES", "us", "period of kernels of BYTES traffic that follow each other", launch},
    {"one_cta", "load|fill", "us", "one CTA of 128 threads, from its launch to its end; data in L2", one_cta},
    {"link_gbs", "h2d|d2h|peer BYTES", "GB/s", "one copy of pinned memory, start to end", copy_rate},
    {"link_us", "h2d|d2h|peer BYTES", "us", "the time of the same", copy_time},
    {NULL, NULL, NULL, NULL, NULL},
};
