/* What follows on a GPU's time line: kernels in a stream, copies over links. */
#include <string.h>

#include "simcore/gpu.h"
#include "tests/validation/micro.h"

enum { CHAIN_FIRST = 8, CHAIN_MORE = 32, CHAIN_THREADS = 256 };

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

static int chain_ps(struct micro_call *c, size_t n, bool graph, uint64_t *ps, struct err *e)
{
    static struct hand hands[CHAIN_FIRST + CHAIN_MORE];
    static const struct sim_work work[CHAIN_FIRST + CHAIN_MORE]; /* kernels, all of one stream */
    struct sim_stream_options o = {.base = {.caches = SIM_CACHES_KEPT},
                                   .graph = graph,
                                   .keep_sources = true,
                                   .open = open_kernel,
                                   .ctx = hands};
    int ret;

    for (size_t i = 0; i < n; i++)
        write_small(&hands[i], micro_arg(c, 1, 64 << 10));
    ret = run_list(c, work, n, &o, ps, e);
    for (size_t i = 0; i < n; i++)
        inst_source_release(&hands[i].base);
    return ret;
}

/* Microseconds from one kernel's begin to the next one's. */
static int launch(struct micro_call *c, double *out, struct err *e)
{
    bool graph = strcmp(c->opcode, "graph") == 0;
    uint64_t few, many;

    if (chain_ps(c, CHAIN_FIRST, graph, &few, e) < 0 || chain_ps(c, CHAIN_FIRST + CHAIN_MORE, graph, &many, e) < 0)
        return -1;
    *out = (double)(many - few) / CHAIN_MORE / 1e6;
    return 0;
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
    {"link_gbs", "h2d|d2h|peer BYTES", "GB/s", "one copy of pinned memory, start to end", copy_rate},
    {"link_us", "h2d|d2h|peer BYTES", "us", "the time of the same", copy_time},
    {NULL, NULL, NULL, NULL, NULL},
};
