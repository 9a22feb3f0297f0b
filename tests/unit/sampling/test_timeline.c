/* sampling/time/timeline.h: small timelines, re-timed by hand. Times are in ns. */
#include <stdlib.h>

#include "sampling/time/timeline.h"
#include "tests/harness/check.h"

#define US INT64_C(1000)

/* Members of struct timeline. */
#define ITEMS(c, c_n, w, w_n) .calls = (c), .call_count = (c_n), .works = (w), .work_count = (w_n)
#define ON(threads_n, streams_n, gpus_n, processes_n)                                                              \
    .threads = (threads_n), .streams = (streams_n), .gpus = (gpus_n), .processes = (processes_n)

static struct timeline_result retime(const struct timeline *t, struct timeline_options o)
{
    struct timeline_result r;
    double sum = 0;
    struct err e;

    CHECK_OK(timeline_retime(t, &o, &r, NULL, &e), &e);
    for (int k = 0; k < TIMELINE_KINDS; k++)
        sum += r.path_ns[k];
    CHECK_NEAR(sum + r.cpu_ns + r.latency_ns, r.span_ns, 1e-9); /* the critical path has no holes */
    return r;
}

static const struct timeline_options as_profiled = {.factor = {1, 1, 1, 1, 1}},
                                     usual = {.factor = {1, 1, 1, 1, 1}, .typical = true};

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
    struct timeline_work works[] = {{15 * US, 100 * US, 0, 0, 0, 0, TIMELINE_KERNEL, TRANSFER_UNKNOWN, 0},
                                    {117 * US, 100 * US, 0, 0, 0, 1, TIMELINE_KERNEL, TRANSFER_UNKNOWN, 0}};
    struct timeline t = {ITEMS(calls, 3, works, 2), ON(1, 1, 1, 1)};
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

/* Gaps of 2, 4 and 5 us between kernels become 4 us: a median may be longer than the profiled lag. */
static void usual_latencies_are_medians(void **state)
{
    struct timeline_call calls[4];
    struct timeline_work works[4];
    const int64_t starts[] = {10, 112, 216, 321};
    struct timeline t = {ITEMS(calls, 4, works, 4), ON(1, 1, 1, 1)};

    (void)state;
    for (uint32_t i = 0; i < 4; i++) {
        calls[i] = (struct timeline_call){2 * US * i, 1 * US, 0, 0, TIMELINE_NONE, WAITS_NOT};
        works[i] =
            (struct timeline_work){starts[i] * US, 100 * US, 0, 0, 0, i, TIMELINE_KERNEL, TRANSFER_UNKNOWN, 0};
    }
    CHECK_NEAR(retime(&t, as_profiled).span_ns, 421 * US, 0);
    CHECK_NEAR(retime(&t, usual).span_ns, 422 * US, 0);
}

/* The call returns when kernel 13 of 100 is half over; 86 kernels are still in the queue. */
static void a_wait_with_a_long_queue_behind_it(void **state)
{
    enum { KERNELS = 100 };
    struct timeline_call calls[KERNELS + 2];
    struct timeline_work works[KERNELS];
    struct timeline t = {ITEMS(calls, KERNELS + 2, works, KERNELS), ON(1, 1, 1, 1)};

    (void)state;
    for (uint32_t i = 0; i < KERNELS; i++) {
        calls[i] = (struct timeline_call){i * US, 1 * US, 0, 0, TIMELINE_NONE, WAITS_NOT};
        works[i] =
            (struct timeline_work){(10 + 10 * i) * US, 10 * US, 0, 0, 0, i, TIMELINE_KERNEL, TRANSFER_UNKNOWN, 0};
    }
    calls[KERNELS] = (struct timeline_call){100 * US, 45 * US, 0, 0, TIMELINE_NONE, WAITS_ALL};
    calls[KERNELS + 1] = (struct timeline_call){5145 * US, 1 * US, 0, 0, TIMELINE_NONE, WAITS_NOT};
    CHECK_NEAR(retime(&t, as_profiled).span_ns, 5146 * US, 0);
    CHECK_NEAR(retime(&t, with(TIMELINE_KERNEL, 2)).span_ns, (280 + 5000 + 1) * US, 0);
}

/* A call that ends after its own copy waits for it. */
static void a_copy_that_the_call_waits_for(void **state)
{
    struct timeline_call calls[] = {{0, 100 * US, 0, 0, TIMELINE_NONE, WAITS_NOT}};
    struct timeline_work works[] = {{10 * US, 80 * US, 0, 0, 0, 0, TIMELINE_COPY, TRANSFER_UNKNOWN, 0}};
    struct timeline t = {ITEMS(calls, 1, works, 1), ON(1, 1, 1, 1)};

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
    struct timeline_work works[] = {
        {100 * US, 200 * US, 0, 0, 0, 0, TIMELINE_COLLECTIVE, TRANSFER_UNKNOWN, 0},
        {250 * US, 50 * US, 1, 1, 1, 1, TIMELINE_COLLECTIVE, TRANSFER_UNKNOWN, 0},
        {300 * US, 10 * US, 1, 1, 1, TIMELINE_NONE, TIMELINE_COLLECTIVE, TRANSFER_UNKNOWN, 0}};
    struct timeline t = {ITEMS(calls, 2, works, 2), ON(2, 2, 2, 2)};
    struct timeline_result r = retime(&t, with(TIMELINE_COLLECTIVE, 2));

    (void)state;
    CHECK_NEAR(retime(&t, as_profiled).span_ns, 210 * US, 0);
    CHECK_NEAR(r.span_ns, 260 * US, 0);
    CHECK_NEAR(r.path_ns[TIMELINE_COLLECTIVE], 100 * US, 0);
    assert_int_equal(r.collectives, 2);
    assert_int_equal(r.linked, 2);
    t.work_count = 3; /* GPU 1 has one more: which ones belong together is not known */
    r = retime(&t, as_profiled);
    assert_int_equal(r.collectives, 3);
    assert_int_equal(r.linked, 0);
    t.work_count = 2;
    works[1].start_ns = 400 * US; /* they do not overlap: two kernels on their own */
    calls[1].start_ns = 390 * US;
    CHECK_NEAR(retime(&t, with(TIMELINE_COLLECTIVE, 2)).span_ns, 410 * US, 0);
}

/* GPU 1 comes first when its kernel takes no time; then GPU 0 moves data as soon as it arrives, without the usual
 * gap of 4 us between kernels of a stream. */
static void data_moves_when_the_last_gpu_arrives(void **state)
{
    struct timeline_call calls[] = {{0, 5 * US, 1, 1, TIMELINE_NONE, WAITS_NOT},
                                    {6 * US, 2 * US, 1, 1, TIMELINE_NONE, WAITS_NOT},
                                    {90 * US, 5 * US, 0, 0, TIMELINE_NONE, WAITS_NOT}};
    struct timeline_work works[] = {{20 * US, 226 * US, 1, 1, 1, 0, TIMELINE_KERNEL, TRANSFER_UNKNOWN, 0},
                                    {100 * US, 200 * US, 0, 0, 0, 2, TIMELINE_COLLECTIVE, TRANSFER_UNKNOWN, 0},
                                    {250 * US, 50 * US, 1, 1, 1, 1, TIMELINE_COLLECTIVE, TRANSFER_UNKNOWN, 0}};
    struct timeline t = {ITEMS(calls, 3, works, 3), ON(2, 2, 2, 2)};

    (void)state;
    CHECK_NEAR(retime(&t, as_profiled).span_ns, 300 * US, 0);
    CHECK_NEAR(retime(&t, with(TIMELINE_KERNEL, 0)).span_ns, 150 * US, 0);
}

/* Twice for the collectives, with the time that they had from the last arrival to the first end; kernels are not
 * asked. */
static double twice(void *ctx, const struct timeline_work *w, double transfer_ns)
{
    assert_int_equal(w->kind, TIMELINE_COLLECTIVE);
    CHECK_NEAR(transfer_ns, 46 * US, 0);
    ++*(int *)ctx;
    return 2;
}

/* GPU 0 waits 150 us for GPU 1, whose kernel of 226 us runs meanwhile; then both move data, and GPU 0 is the first
 * to end. */
static void gpus_compute_wait_and_transfer(void **state)
{
    struct timeline_call calls[] = {{0, 5 * US, 1, 1, TIMELINE_NONE, WAITS_NOT},
                                    {6 * US, 2 * US, 1, 1, TIMELINE_NONE, WAITS_NOT},
                                    {90 * US, 5 * US, 0, 0, TIMELINE_NONE, WAITS_NOT}};
    struct timeline_work works[] = {{20 * US, 226 * US, 1, 1, 1, 0, TIMELINE_KERNEL, TRANSFER_UNKNOWN, 0},
                                    {100 * US, 196 * US, 0, 0, 0, 2, TIMELINE_COLLECTIVE, TRANSFER_ALL_REDUCE, 0},
                                    {250 * US, 50 * US, 1, 1, 1, 1, TIMELINE_COLLECTIVE, TRANSFER_ALL_REDUCE, 0}};
    struct timeline t = {ITEMS(calls, 3, works, 3), ON(2, 2, 2, 2)};
    struct timeline_gpu gpus[2];
    struct timeline_result r;
    int asked = 0;
    struct timeline_options o = {.factor = {1, 1, 1, 1, 1}, .scale = twice, .ctx = &asked};
    struct err e;

    (void)state;
    CHECK_OK(timeline_retime(&t, &as_profiled, &r, gpus, &e), &e);
    CHECK_NEAR(gpus[0].kernels_ns, 0, 0);
    CHECK_NEAR(gpus[0].wait_ns, 150 * US, 0);
    CHECK_NEAR(gpus[0].transfer_ns, 46 * US, 0);
    CHECK_NEAR(gpus[0].idle_ns, 104 * US, 0);
    CHECK_NEAR(gpus[1].kernels_ns, 226 * US, 0);
    CHECK_NEAR(gpus[1].wait_ns, 0, 0);
    CHECK_NEAR(gpus[1].transfer_ns, 50 * US, 0);
    CHECK_NEAR(gpus[1].idle_ns, 24 * US, 0);
    CHECK_OK(timeline_retime(&t, &o, &r, gpus, &e), &e);
    assert_int_equal(asked, 2);
    CHECK_NEAR(r.span_ns, 350 * US, 0);
    CHECK_NEAR(gpus[0].transfer_ns, 92 * US, 0);
    CHECK_NEAR(gpus[0].wait_ns, 150 * US, 0);
    CHECK_NEAR(gpus[1].transfer_ns, 100 * US, 0);
    CHECK_NEAR(gpus[1].kernels_ns, 226 * US, 0);
}

/* Stream 1 waits for an event; the kernel of stream 0 that ended just before it started is taken for its cause. */
static void a_stream_that_waits_for_another(void **state)
{
    struct timeline_call calls[] = {{0, 5 * US, 0, 0, TIMELINE_NONE, WAITS_NOT},
                                    {6 * US, 1 * US, 0, 0, TIMELINE_NONE, WAITS_NOT},
                                    {8 * US, 4 * US, 0, 0, TIMELINE_NONE, WAITS_NOT}};
    struct timeline_work works[] = {{10 * US, 100 * US, 0, 0, 0, 0, TIMELINE_KERNEL, TRANSFER_UNKNOWN, 0},
                                    {112 * US, 20 * US, 1, 0, 0, 2, TIMELINE_KERNEL, TRANSFER_UNKNOWN, 0}};
    struct timeline_stream_wait waits[] = {{1, 1}};
    struct timeline t = {ITEMS(calls, 3, works, 2), ON(1, 2, 1, 1), .waits = waits, .wait_count = 1};

    (void)state;
    CHECK_NEAR(retime(&t, as_profiled).span_ns, 132 * US, 0);
    CHECK_NEAR(retime(&t, with(TIMELINE_KERNEL, 2)).span_ns, (10 + 200 + 2 + 40) * US, 0);
    t.wait_count = 0; /* without the wait, only its call can have delayed the kernel */
    CHECK_NEAR(retime(&t, with(TIMELINE_KERNEL, 2)).span_ns, 210 * US, 0);
}

/* Stream 1 waits for events three times; two of them were over before. Only the third lag, of 2 us, is a latency.
 */
static void waits_for_finished_events_are_no_latencies(void **state)
{
    const int64_t at[][2] = {{0, 5},   {100, 1}, {102, 4}, {300, 1},
                             {302, 4}, {400, 4}, {406, 1}, {408, 4}}; /* start, duration */
    struct timeline_call calls[8];
    struct timeline_work works[] = {{10 * US, 10 * US, 0, 0, 0, 0, TIMELINE_KERNEL, TRANSFER_UNKNOWN, 0},
                                    {132 * US, 20 * US, 1, 0, 0, 2, TIMELINE_KERNEL, TRANSFER_UNKNOWN, 0},
                                    {332 * US, 20 * US, 1, 0, 0, 4, TIMELINE_KERNEL, TRANSFER_UNKNOWN, 0},
                                    {430 * US, 100 * US, 0, 0, 0, 5, TIMELINE_KERNEL, TRANSFER_UNKNOWN, 0},
                                    {532 * US, 20 * US, 1, 0, 0, 7, TIMELINE_KERNEL, TRANSFER_UNKNOWN, 0}};
    struct timeline_stream_wait waits[] = {{1, 1}, {1, 3}, {1, 6}, {1, 6}};
    struct timeline t = {ITEMS(calls, 8, works, 5), ON(1, 2, 1, 1), .waits = waits, .wait_count = 4};

    (void)state;
    for (size_t i = 0; i < 8; i++)
        calls[i] = (struct timeline_call){at[i][0] * US, (uint64_t)(at[i][1] * US), 0, 0, TIMELINE_NONE, WAITS_NOT};
    CHECK_NEAR(retime(&t, as_profiled).span_ns, 552 * US, 0);
    CHECK_NEAR(retime(&t, usual).span_ns, 552 * US, 0);
}

/* The search for the first work after a wait ends at work that was submitted before it: no dependence. */
static void work_that_was_submitted_before_a_wait_is_not_held_back(void **state)
{
    enum { SMALL = 4096 };
    struct timeline_call calls[] = {{0, 5, 0, 0, TIMELINE_NONE, WAITS_NOT},
                                    {10, 5, 0, 0, TIMELINE_NONE, WAITS_NOT}};
    struct timeline_work *works = calloc(SMALL + 1, sizeof *works);
    struct timeline_stream_wait waits[] = {{1, 1}};
    struct timeline t = {ITEMS(calls, 2, works, SMALL + 1), ON(1, 2, 1, 1), .waits = waits, .wait_count = 1};

    (void)state;
    assert_non_null(works);
    for (size_t i = 0; i < SMALL; i++)
        works[i] =
            (struct timeline_work){10 * US + 10 * (int64_t)i, 5, 0, 0, 0, 0, TIMELINE_KERNEL, TRANSFER_UNKNOWN, 0};
    works[SMALL] = (struct timeline_work){
        10 * US + INT64_C(10) * SMALL, 100 * US, 1, 0, 0, 0, TIMELINE_KERNEL, TRANSFER_UNKNOWN, 0};
    CHECK_NEAR(retime(&t, with(TIMELINE_KERNEL, 2)).span_ns, 10 * US + INT64_C(10) * SMALL + 200 * US, 0);
    free(works);
}

/* Thread 1 rests for 3 ms, and continues when thread 0 has waited for its kernel. */
static void a_thread_that_waits_for_another(void **state)
{
    struct timeline_call calls[] = {{0, 10 * US, 0, 0, TIMELINE_NONE, WAITS_NOT},
                                    {5 * US, 5 * US, 1, 0, TIMELINE_NONE, WAITS_NOT},
                                    {20 * US, 3000 * US, 0, 0, 0, WAITS_STREAM},
                                    {3030 * US, 10 * US, 1, 0, TIMELINE_NONE, WAITS_NOT}};
    struct timeline_work works[] = {{15 * US, 3000 * US, 0, 0, 0, 0, TIMELINE_KERNEL, TRANSFER_UNKNOWN, 0}};
    struct timeline t = {ITEMS(calls, 4, works, 1), ON(2, 1, 1, 1)};

    (void)state;
    CHECK_NEAR(retime(&t, as_profiled).span_ns, 3040 * US, 0);
    CHECK_NEAR(retime(&t, with(TIMELINE_KERNEL, 0.5)).span_ns, 1540 * US, 0);
    calls[1].process = calls[3].process = 1; /* of another process: the gap is its own CPU time */
    CHECK_NEAR(retime(&t, with(TIMELINE_KERNEL, 0.5)).span_ns, 3040 * US, 0);
}

/* Thread 2 has a call that starts later than the one of thread 0, and ends long before it. */
static void the_call_that_ended_last_woke_the_thread(void **state)
{
    struct timeline_call calls[] = {{0, 10 * US, 0, 0, TIMELINE_NONE, WAITS_NOT},
                                    {20 * US, 3000 * US, 0, 0, 0, WAITS_STREAM},
                                    {25 * US, 5 * US, 1, 0, TIMELINE_NONE, WAITS_NOT},
                                    {100 * US, 5 * US, 2, 0, TIMELINE_NONE, WAITS_NOT},
                                    {3030 * US, 10 * US, 1, 0, TIMELINE_NONE, WAITS_NOT}};
    struct timeline_work works[] = {{15 * US, 3000 * US, 0, 0, 0, 0, TIMELINE_KERNEL, TRANSFER_UNKNOWN, 0}};
    struct timeline t = {ITEMS(calls, 5, works, 1), ON(3, 1, 1, 1)};

    (void)state;
    CHECK_NEAR(retime(&t, with(TIMELINE_KERNEL, 0.5)).span_ns, 1540 * US, 0);
}

static void nothing_to_retime(void **state)
{
    struct timeline_call call = {0, 1, 0, 0, TIMELINE_NONE, WAITS_NOT};
    struct timeline t = {.calls = &call, .call_count = 1, .threads = 1, .processes = 1};
    struct timeline_result r;
    struct err e;

    (void)state;
    CHECK_FAILS(timeline_retime(&t, &usual, &r, NULL, &e), &e, ERR_INVALID, "no work on a GPU");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_stream_and_a_wait),
        cmocka_unit_test(usual_latencies_are_medians),
        cmocka_unit_test(a_wait_with_a_long_queue_behind_it),
        cmocka_unit_test(a_copy_that_the_call_waits_for),
        cmocka_unit_test(collectives_wait_for_each_other),
        cmocka_unit_test(data_moves_when_the_last_gpu_arrives),
        cmocka_unit_test(gpus_compute_wait_and_transfer),
        cmocka_unit_test(a_stream_that_waits_for_another),
        cmocka_unit_test(waits_for_finished_events_are_no_latencies),
        cmocka_unit_test(work_that_was_submitted_before_a_wait_is_not_held_back),
        cmocka_unit_test(a_thread_that_waits_for_another),
        cmocka_unit_test(the_call_that_ended_last_woke_the_thread),
        cmocka_unit_test(nothing_to_retime),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
