/* sampling/timeline.h: small timelines, re-timed by hand. Times are in ns. */
#include "sampling/timeline.h"
#include "tests/harness/check.h"

#define US INT64_C(1000)

static struct timeline_result retime(const struct timeline *t, struct timeline_options o)
{
    struct timeline_result r;
    double sum = 0;
    struct err e;

    CHECK_OK(timeline_retime(t, &o, &r, &e), &e);
    for (int k = 0; k < TIMELINE_KINDS; k++)
        sum += r.path_ns[k];
    CHECK_NEAR(sum + r.cpu_ns + r.latency_ns, r.span_ns, 1e-9); /* the critical path has no holes */
    return r;
}

static const struct timeline_options as_profiled = {{1, 1, 1, 1, 1}, false}, usual = {{1, 1, 1, 1, 1}, true};

static struct timeline_options with(enum timeline_kind kind, double factor)
{
    struct timeline_options o = as_profiled;

    o.factor[kind] = factor;
    return o;
}

/* Two kernels of a stream, and a call that waits for the second. */
static void a_stream_and_a_wait(void **state)
{
    struct timeline_call calls[] = {{0, 10 * US, 0, 0, TIMELINE_NONE, WAITS_NOT},
                                    {20 * US, 10 * US, 0, 0, TIMELINE_NONE, WAITS_NOT},
                                    {35 * US, 190 * US, 0, 0, 0, WAITS_STREAM}};
    struct timeline_work works[] = {{15 * US, 100 * US, 0, 0, 0, 0, TIMELINE_KERNEL},
                                    {117 * US, 100 * US, 0, 0, 0, 1, TIMELINE_KERNEL}};
    struct timeline t = {.calls = calls,
                         .call_count = 3,
                         .works = works,
                         .work_count = 2,
                         .threads = 1,
                         .streams = 1,
                         .gpus = 1,
                         .processes = 1};
    struct timeline_result r = retime(&t, as_profiled);

    (void)state;
    CHECK_NEAR(r.profiled_ns, 225 * US, 0);
    CHECK_NEAR(r.span_ns, 225 * US, 0);
    CHECK_NEAR(retime(&t, usual).span_ns, 225 * US, 0); /* each latency occurs once, so it is its own median */
    r = retime(&t, with(TIMELINE_KERNEL, 0.5));
    /* call 10, latency 5, kernel 50, gap 2, kernel 50, return 8 */
    CHECK_NEAR(r.span_ns, 125 * US, 0);
    CHECK_NEAR(r.path_ns[TIMELINE_KERNEL], 100 * US, 0);
    CHECK_NEAR(r.path_ns[TIMELINE_CALL], 10 * US, 0);
    CHECK_NEAR(r.latency_ns, 15 * US, 0);
    /* kernels of no time: the second call, its latency, the return; 20 + 10 + 5 + 8 */
    CHECK_NEAR(retime(&t, with(TIMELINE_KERNEL, 0)).span_ns, 43 * US, 1e-9);
    calls[2].wait = WAITS_ALL;
    CHECK_NEAR(retime(&t, with(TIMELINE_KERNEL, 0.5)).span_ns, 125 * US, 0);
    calls[2].wait = WAITS_NOT; /* then the call takes its time whatever the kernels do */
    CHECK_NEAR(retime(&t, with(TIMELINE_KERNEL, 0.5)).span_ns, 225 * US, 0);
}

/* A call that ends after its own copy waits for it. */
static void a_copy_that_the_call_waits_for(void **state)
{
    struct timeline_call calls[] = {{0, 100 * US, 0, 0, TIMELINE_NONE, WAITS_NOT}};
    struct timeline_work works[] = {{10 * US, 80 * US, 0, 0, 0, 0, TIMELINE_COPY}};
    struct timeline t = {.calls = calls,
                         .call_count = 1,
                         .works = works,
                         .work_count = 1,
                         .threads = 1,
                         .streams = 1,
                         .gpus = 1,
                         .processes = 1};

    (void)state;
    CHECK_NEAR(retime(&t, with(TIMELINE_COPY, 2)).span_ns, 180 * US, 0);
    works[0].kind = TIMELINE_KERNEL; /* a launch does not wait */
    CHECK_NEAR(retime(&t, with(TIMELINE_KERNEL, 0.5)).span_ns, 100 * US, 0);
}

/* GPU 0 waits in its collective for GPU 1; only the time after that is of the collective. */
static void collectives_wait_for_each_other(void **state)
{
    struct timeline_call calls[] = {{90 * US, 5 * US, 0, 0, TIMELINE_NONE, WAITS_NOT},
                                    {240 * US, 5 * US, 1, 1, TIMELINE_NONE, WAITS_NOT}};
    struct timeline_work works[] = {{100 * US, 200 * US, 0, 0, 0, 0, TIMELINE_COLLECTIVE},
                                    {250 * US, 50 * US, 1, 1, 1, 1, TIMELINE_COLLECTIVE}};
    struct timeline t = {.calls = calls,
                         .call_count = 2,
                         .works = works,
                         .work_count = 2,
                         .threads = 2,
                         .streams = 2,
                         .gpus = 2,
                         .processes = 2};
    struct timeline_result r = retime(&t, with(TIMELINE_COLLECTIVE, 2));

    (void)state;
    CHECK_NEAR(retime(&t, as_profiled).span_ns, 210 * US, 0);
    CHECK_NEAR(r.span_ns, 260 * US, 0);
    CHECK_NEAR(r.path_ns[TIMELINE_COLLECTIVE], 100 * US, 0);
    works[1].start_ns = 400 * US; /* they do not overlap: two kernels on their own */
    calls[1].start_ns = 390 * US;
    CHECK_NEAR(retime(&t, with(TIMELINE_COLLECTIVE, 2)).span_ns, 410 * US, 0);
}

/* Stream 1 waits for an event; the kernel of stream 0 that ended just before it started is taken for its cause. */
static void a_stream_that_waits_for_another(void **state)
{
    struct timeline_call calls[] = {{0, 5 * US, 0, 0, TIMELINE_NONE, WAITS_NOT},
                                    {6 * US, 1 * US, 0, 0, TIMELINE_NONE, WAITS_NOT},
                                    {8 * US, 4 * US, 0, 0, TIMELINE_NONE, WAITS_NOT}};
    struct timeline_work works[] = {{10 * US, 100 * US, 0, 0, 0, 0, TIMELINE_KERNEL},
                                    {112 * US, 20 * US, 1, 0, 0, 2, TIMELINE_KERNEL}};
    struct timeline_stream_wait waits[] = {{1, 1}};
    struct timeline t = {.calls = calls,
                         .call_count = 3,
                         .works = works,
                         .work_count = 2,
                         .waits = waits,
                         .wait_count = 1,
                         .threads = 1,
                         .streams = 2,
                         .gpus = 1,
                         .processes = 1};

    (void)state;
    CHECK_NEAR(retime(&t, as_profiled).span_ns, 132 * US, 0);
    CHECK_NEAR(retime(&t, with(TIMELINE_KERNEL, 2)).span_ns, (10 + 200 + 2 + 40) * US, 0);
    t.wait_count = 0; /* without the wait, only its call can have delayed the kernel */
    CHECK_NEAR(retime(&t, with(TIMELINE_KERNEL, 2)).span_ns, 210 * US, 0);
}

/* Thread 1 rests for 3 ms, and goes on when thread 0 has waited for its kernel. */
static void a_thread_that_waits_for_another(void **state)
{
    struct timeline_call calls[] = {{0, 10 * US, 0, 0, TIMELINE_NONE, WAITS_NOT},
                                    {5 * US, 5 * US, 1, 0, TIMELINE_NONE, WAITS_NOT},
                                    {20 * US, 3000 * US, 0, 0, 0, WAITS_STREAM},
                                    {3030 * US, 10 * US, 1, 0, TIMELINE_NONE, WAITS_NOT}};
    struct timeline_work works[] = {{15 * US, 3000 * US, 0, 0, 0, 0, TIMELINE_KERNEL}};
    struct timeline t = {.calls = calls,
                         .call_count = 4,
                         .works = works,
                         .work_count = 1,
                         .threads = 2,
                         .streams = 1,
                         .gpus = 1,
                         .processes = 1};

    (void)state;
    CHECK_NEAR(retime(&t, as_profiled).span_ns, 3040 * US, 0);
    CHECK_NEAR(retime(&t, with(TIMELINE_KERNEL, 0.5)).span_ns, 1540 * US, 0);
    calls[1].process = calls[3].process = 1; /* of another process: the gap is its own CPU time */
    CHECK_NEAR(retime(&t, with(TIMELINE_KERNEL, 0.5)).span_ns, 3040 * US, 0);
}

static void nothing_to_retime(void **state)
{
    struct timeline_call call = {0, 1, 0, 0, TIMELINE_NONE, WAITS_NOT};
    struct timeline t = {.calls = &call, .call_count = 1, .threads = 1, .processes = 1};
    struct timeline_result r;
    struct err e;

    (void)state;
    CHECK_FAILS(timeline_retime(&t, &usual, &r, &e), &e, ERR_INVALID, "no work on a GPU");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stream_and_a_wait),
        cmocka_unit_test(a_copy_that_the_call_waits_for),
        cmocka_unit_test(collectives_wait_for_each_other),
        cmocka_unit_test(a_stream_that_waits_for_another),
        cmocka_unit_test(a_thread_that_waits_for_another),
        cmocka_unit_test(nothing_to_retime),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
