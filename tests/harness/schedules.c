#include "tests/harness/schedules.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/rng.h"

enum { STREAMS = 16 };

struct schedule_writer {
    struct profile_builder *builder;
    struct rng rng;
    uint64_t correlation;
    int64_t free_ns[STREAMS]; /* end of the last launch in each stream */
    double spread;
    int failed;
    struct err *e;
};

/* Adds a launch of exactly this duration; returns its end. */
static int64_t put(struct schedule_writer *w, unsigned stream, unsigned device, const char *name, int64_t start_ns,
                   int64_t ns)
{
    struct profile_row row = {.name = name,
                              .grid = {1, 1, 1},
                              .block = {128, 1, 1},
                              .device = (int32_t)device,
                              .context = device,
                              .stream = stream,
                              .correlation = ++w->correlation,
                              .start_ns = start_ns,
                              .value = (uint64_t)ns};

    if (!w->failed)
        w->failed = profile_builder_add(w->builder, &row, w->e) < 0;
    if (start_ns + ns > w->free_ns[stream])
        w->free_ns[stream] = start_ns + ns;
    return start_ns + ns;
}

/* Adds a launch of about `ns`. It starts when the stream has been free for gap_ns, and not before `at_ns`. */
static int64_t run(struct schedule_writer *w, unsigned stream, unsigned device, unsigned kernel, double ns,
                   int64_t gap_ns, int64_t at_ns)
{
    int64_t start = w->free_ns[stream] + gap_ns;
    char name[32];

    snprintf(name, sizeof name, "kernel_%u", kernel);
    return put(w, stream, device, name, start > at_ns ? start : at_ns,
               1 + (int64_t)(ns * exp(w->spread * rng_normal(&w->rng))));
}

static int64_t latest(const struct schedule_writer *w, unsigned streams)
{
    int64_t ns = 0;

    for (unsigned s = 0; s < streams; s++)
        ns = w->free_ns[s] > ns ? w->free_ns[s] : ns;
    return ns;
}

/* Two GPUs with the same kernels, launched back to back. Their streams end together. */
static void twins(struct schedule_writer *w)
{
    for (int i = 0; i < 2000; i++)
        for (unsigned s = 0; s < 2; s++)
            run(w, s, s, (unsigned)i % 5, 3000 * (1 + i % 5), 0, 0);
}

/* Eight GPUs that start each short step together, and idle until the host starts the next step. */
static void steps(struct schedule_writer *w)
{
    for (int i = 0; i < 700; i++) {
        int64_t begin = latest(w, 8) + 5000;

        for (unsigned s = 0; s < 8; s++)
            run(w, s, s, (unsigned)i % 3, 4000 * (1 + i % 3), 0, begin);
    }
}

/* A pipeline of four stages: microbatch m of a stage waits for microbatch m of the stage before. */
static void pipeline(struct schedule_writer *w)
{
    for (int step = 0; step < 12; step++) {
        int64_t begin = latest(w, 4) + 20000;

        for (int m = 0; m < 16; m++) {
            int64_t ready = begin;

            for (unsigned stage = 0; stage < 4; stage++)
                for (unsigned k = 0; k < 6; k++)
                    ready = run(w, stage, stage, k, 2000 + 1500 * k, 0, k == 0 ? ready : 0);
        }
    }
}

/* Four ranks. Each step ends with an all-reduce, which ends on all ranks together when the slowest has arrived. */
static void ranks(struct schedule_writer *w)
{
    for (int step = 0; step < 120; step++) {
        int64_t end;

        for (unsigned k = 0; k < 8; k++)
            for (unsigned s = 0; s < 4; s++)
                run(w, s, s, k, 2000 + 1000 * k, 0, 0);
        end = latest(w, 4) + 9000;
        for (unsigned s = 0; s < 4; s++)
            put(w, s, s, "ncclDevKernel_AllReduce_Sum_f16_RING_LL(ncclDevKernelArgsStorage<4096ul>)", w->free_ns[s],
                end - w->free_ns[s]);
    }
}

/* Long kernels with idle time between them in one stream; many short kernels in another stream, which run in parts
 * of that idle time. */
static void shorts(struct schedule_writer *w)
{
    for (int i = 0; i < 60; i++) {
        int64_t begin = run(w, 0, 0, 0, 100000, 60000, 0);

        for (unsigned k = 0; k < 50; k++)
            run(w, 1, 0, 1 + k % 4, 1500 + 500 * (k % 4), 300, begin - 40000);
    }
}

/* One stream that is always busy, and six streams that are busy at times. */
static void critical(struct schedule_writer *w)
{
    for (int i = 0; i < 700; i++) {
        int64_t begin = w->free_ns[0];

        run(w, 0, 0, (unsigned)i % 4, 8000, i % 50 ? 0 : 3000, 0);
        for (unsigned s = 1; s < 7; s++)
            run(w, s, 0, 4 + s, 1000 * s, 500, begin + 200 * s);
    }
}

/* Work forks to three streams and joins: each of them waits for the main stream, and the main stream for them. */
static void fork_join(struct schedule_writer *w)
{
    for (int i = 0; i < 600; i++) {
        int64_t begin = run(w, 0, 0, 0, 5000, 1000, latest(w, 4));

        for (unsigned s = 1; s < 4; s++)
            for (unsigned k = 0; k < 2; k++)
                run(w, s, 0, s + 3 * k, 3000 + 500 * k, 0, k ? 0 : begin + 800);
    }
}

/* Launches that start before the previous launch in their stream has ended (programmatic dependent launches), and
 * an independent second GPU. */
static void overlapped(struct schedule_writer *w)
{
    for (int i = 0; i < 1800; i++) {
        int64_t start = w->free_ns[0] - (i ? 700 : 0);

        w->free_ns[0] = start;
        run(w, 0, 0, (unsigned)i % 3, 5000 + 1000 * (i % 3), 0, 0);
        run(w, 1, 1, 3 + (unsigned)i % 2, 4000 + 2000 * (i % 2), 900, 0);
    }
}

/* The host launches late: one stream has gaps as long as its kernels, and another sometimes runs in these gaps. */
static void idle(struct schedule_writer *w)
{
    for (int i = 0; i < 2500; i++) {
        run(w, 0, 0, (unsigned)i % 6, 2000 + 700 * (i % 6), 4000, 0);
        if (i % 5 == 0)
            run(w, 1, 0, 6, 6000, 9000, w->free_ns[0] - 2000);
    }
}

/* Each schedule occurs twice: with a small and with a large spread of durations. Plans draw few launches of the
 * former and many of the latter. */
const struct schedule schedules[] = {
    {"twins", twins, 0.02},
    {"steps", steps, 0.02},
    {"pipeline", pipeline, 0.02},
    {"ranks", ranks, 0.02},
    {"shorts", shorts, 0.02},
    {"critical", critical, 0.02},
    {"fork-join", fork_join, 0.02},
    {"overlapped", overlapped, 0.02},
    {"idle", idle, 0.02},
    {"twins-wide", twins, 0.3},
    {"steps-wide", steps, 0.3},
    {"pipeline-wide", pipeline, 0.3},
    {"ranks-wide", ranks, 0.3},
    {"shorts-wide", shorts, 0.3},
    {"critical-wide", critical, 0.3},
    {"fork-join-wide", fork_join, 0.3},
    {"overlapped-wide", overlapped, 0.3},
    {"idle-wide", idle, 0.3},
    {NULL, NULL, 0},
};

const struct schedule *schedule_find(const char *name)
{
    for (const struct schedule *s = schedules; s->name; s++)
        if (strcmp(s->name, name) == 0)
            return s;
    return NULL;
}

int schedule_make(const struct schedule *s, struct profile *out, struct err *e)
{
    struct schedule_writer w = {.builder = profile_builder_new(PROFILE_NS, 1, e), .spread = s->spread, .e = e};
    int ret = -1;

    profile_init(out);
    rng_init(&w.rng, 1, 0, RNG_TEST);
    if (w.builder) {
        s->write(&w);
        ret = w.failed ? -1 : profile_builder_finish(w.builder, out, e);
    }
    profile_builder_free(w.builder);
    return ret;
}
