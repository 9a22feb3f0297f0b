/* Event queue, clock domains, and the resource's ring of windows compared with a brute-force calendar. */
#include "base/rng.h"
#include "simcore/engine/clock_domain.h"
#include "simcore/engine/resource.h"
#include "tests/harness/check.h"

/* --- event queue --- */

struct probe {
    struct event event;
    uint32_t *log, *count, id;
};

static void note(struct event *ev, sim_time_ps now)
{
    struct probe *p = (struct probe *)ev;

    assert_int_equal(now, ev->at);
    p->log[(*p->count)++] = p->id;
}

enum { PROBES = 400 };

static bool goes_before(const struct probe *a, const struct probe *b)
{
    if (a->event.at != b->event.at)
        return a->event.at < b->event.at;
    if (a->event.phase != b->event.phase)
        return a->event.phase < b->event.phase;
    if (a->event.component != b->event.component)
        return a->event.component < b->event.component;
    return a->event.seq < b->event.seq;
}

static void events_fire_in_their_total_order(void **state)
{
    struct event_queue *q;
    struct err e;
    struct rng r;

    (void)state;
    rng_init(&r, 7, 0, RNG_TEST);
    q = event_queue_new(PROBES, &e);
    assert_non_null(q);
    for (uint32_t round = 0; round < 50; round++) {
        static struct probe probes[PROBES];
        uint32_t log[PROBES], count = 0, scheduled = 0;
        bool cancelled[PROBES] = {false};

        event_queue_reset(q);
        for (uint32_t i = 0; i < PROBES; i++) {
            /* near, inside the wheel, and far beyond its horizon; many at the same time */
            static const uint64_t spans[] = {4, 300, 2000000, 50000000};
            sim_time_ps at = rng_below(&r, spans[rng_below(&r, 4)]);

            probes[i] = (struct probe){.event = {.fire = note, .component = (uint32_t)rng_below(&r, 3)},
                                       .log = log,
                                       .count = &count,
                                       .id = i};
            event_queue_schedule(q, &probes[i].event, at, (enum event_phase)rng_below(&r, 3));
        }
        for (uint32_t i = 0; i < PROBES; i += 7) {
            event_queue_cancel(q, &probes[i].event);
            cancelled[i] = true;
        }
        scheduled = event_queue_pending(q);
        while (event_queue_step(q, SIM_NEVER - 1))
            ;
        assert_int_equal(count, scheduled);
        for (uint32_t i = 1; i < count; i++)
            assert_true(goes_before(&probes[log[i - 1]], &probes[log[i]]));
        for (uint32_t i = 0; i < count; i++)
            assert_false(cancelled[log[i]]);
    }
    event_queue_free(q);
}

static struct event_queue *chain_queue;
static uint64_t chain_fired;
static void chain(struct event *ev, sim_time_ps now)
{
    if (++chain_fired < 100000)
        event_queue_schedule(chain_queue, ev, now + 999983 * (chain_fired % 5), PHASE_ACT);
}

static void the_wheel_turns_for_long(void **state)
{
    struct event ev = {.fire = chain};
    struct err e;

    (void)state;
    chain_queue = event_queue_new(1, &e);
    event_queue_schedule(chain_queue, &ev, 0, PHASE_ACT);
    while (event_queue_step(chain_queue, SIM_NEVER - 1))
        ;
    assert_int_equal(chain_fired, 100000);
    assert_int_equal(event_queue_now(chain_queue), 999983ull * 10 * 20000);
    event_queue_free(chain_queue);
}

static void a_step_stops_at_its_limit(void **state)
{
    struct event_queue *q;
    uint32_t log[1], count = 0;
    struct probe p = {.event = {.fire = note}, .log = log, .count = &count};
    struct err e;

    (void)state;
    q = event_queue_new(1, &e);
    event_queue_schedule(q, &p.event, 5000, PHASE_ACT);
    assert_false(event_queue_step(q, 4999));
    assert_int_equal(event_queue_pending(q), 1);
    assert_true(event_queue_step(q, 5000));
    assert_int_equal(count, 1);
    event_queue_free(q);
}

enum { SOON = 100 }; /* added to a probe's note when it is informed that it fires next */

static void note_soon(const struct event *ev)
{
    const struct probe *p = (const struct probe *)ev;

    p->log[(*p->count)++] = SOON + p->id;
}

/* An event that is near is announced while the previous one fires. The announcement changes nothing else. */
static void the_next_event_is_announced(void **state)
{
    static const sim_time_ps at[] = {10, 10, 700, 1900000};
    static const uint32_t wanted[] = {SOON + 1, 0, SOON + 2, 1, 2, 3};
    struct probe probes[4];
    uint32_t log[8], count = 0;
    struct event_queue *q;
    struct err e;

    (void)state;
    q = event_queue_new(4, &e);
    assert_non_null(q);
    for (uint32_t i = 0; i < 4; i++) {
        probes[i] = (struct probe){
            .event = {.fire = note, .soon = note_soon, .component = i}, .log = log, .count = &count, .id = i};
        event_queue_schedule(q, &probes[i].event, at[i], PHASE_ACT);
    }
    while (event_queue_step(q, SIM_NEVER - 1))
        ;
    assert_int_equal(count, 6);
    assert_memory_equal(log, wanted, sizeof wanted);
    event_queue_free(q);
}

/* --- clock domains --- */

static void cycles_and_picoseconds_agree(void **state)
{
    static const uint32_t khz[] = {1000, 850000, 1380000, 1530000, 1980000, 10000000};
    struct rng r;

    (void)state;
    rng_init(&r, 3, 0, RNG_TEST);
    for (size_t i = 0; i < sizeof khz / sizeof *khz; i++) {
        struct clock_domain c;

        clock_domain_init(&c, khz[i]);
        /* 10^9 cycles drift by less than 10^-6 of their time */
        CHECK_NEAR((double)clock_to_ps(&c, 1000000000), 1e18 / khz[i], 1e-6);
        for (uint32_t k = 0; k < 2000; k++) {
            uint64_t n = rng_below(&r, 1ull << 30);
            sim_time_ps t = clock_to_ps(&c, n);
            struct clock_run run;
            uint32_t more;

            assert_int_equal(clock_from_ps(&c, t), n);
            assert_int_equal(clock_from_ps(&c, t + 1), n + 1);
            run = clock_run_from(&c, n);
            more = (uint32_t)rng_below(&r, 1u << 24);
            assert_int_equal(clock_run_ps(&run, more), clock_to_ps(&c, n + more));
        }
    }
}

/* --- res_take --- */

enum { CALENDAR = 1 << 16 }; /* windows */

/* Records the work that each call was granted. In any order of calls, no window may hold more than its capacity.
 * The grant [end - service, end) is spread over the windows from its start on, as the resource does it. */
struct calendar {
    uint64_t used[CALENDAR], total;
};

static void an_idle_resource_serves_at_once(void **state)
{
    struct res r = {0};

    (void)state;
    res_reset(&r, 1);
    assert_int_equal(res_take(&r, 0, 5000, 100), 5100);
    assert_int_equal(res_take(&r, 0, 5000000, 100), 5000100); /* beyond the ring of 2 us */
    assert_int_equal(res_take(&r, 0, 20000, 100), 20100);     /* an earlier time, requested later */
}

static void a_late_reservation_does_not_delay_an_early_arrival(void **state)
{
    struct res r = {0};

    (void)state;
    res_reset(&r, 1);
    assert_int_equal(res_take(&r, 0, 500000, 1000), 501000);
    assert_int_equal(res_take(&r, 0, 200000, 1000), 201000);
}

static void a_saturated_resource_is_first_come_first_served(void **state)
{
    struct res r = {0};
    sim_time_ps end = 0;

    (void)state;
    res_reset(&r, 1);
    /* 10 ms of work requested at once takes exactly 10 ms, far beyond the ring */
    for (uint32_t i = 0; i < 10000000; i += 1000)
        end = res_take(&r, 0, 0, 1000);
    assert_int_equal(end, 10000000);
    /* ... and later, after the ring has moved on, those windows are still used */
    assert_int_equal(res_take(&r, 9000000, 9000000, 1000), 10001000);
    assert_int_equal(res_take(&r, 9999999, 9999999, 1000), 10002000);
    assert_int_equal(res_take(&r, 20000000, 20000000, 1000), 20001000);
}

/* Random arrivals, some far ahead, while time passes. Brute force: the work granted to end before any moment
 * never exceeds the time available, and no work starts before its arrival. */
static void random_calls_never_exceed_capacity(void **state)
{
    struct rng rng;

    (void)state;
    rng_init(&rng, 11, 0, RNG_TEST);
    for (uint32_t load = 1; load <= 6; load++) {
        static struct calendar c;
        struct res r = {0};
        sim_time_ps now = 0, last_end = 0;
        uint64_t asked = 0;

        memset(&c, 0, sizeof c);
        res_reset(&r, load);
        for (uint32_t i = 0; i < 40000; i++) {
            uint32_t service = 500 + (uint32_t)rng_below(&rng, 3000);
            uint64_t ahead = rng_below(&rng, 10) ? rng_below(&rng, 400000) : rng_below(&rng, 6000000);
            sim_time_ps t = now + ahead, end = res_take(&r, now, t, service);

            assert_true(end >= t + service);
            c.used[(end - 1) >> RES_WINDOW_SHIFT] += service;
            c.total += service;
            asked += service;
            last_end = end > last_end ? end : last_end;
            now += rng_below(&rng, 2 * 2000 * 3 / load); /* from idle to overload */
        }
        /* No range of windows is granted more than its capacity, except for grants that cross its ends. */
        for (uint32_t from = 0, step = 16; from + step < CALENDAR; from += step) {
            uint64_t sum = 0;

            for (uint32_t w = from; w < from + step; w++)
                sum += c.used[w];
            if (sum > (step + 2) * RES_WINDOW_PS)
                fail_msg("load %u: windows %u to %u hold %llu ps of work, capacity %llu", load, from, from + step,
                         (unsigned long long)sum, step * RES_WINDOW_PS);
        }
        assert_true(last_end >= asked); /* a single server */
    }
}

/* Continuous arrivals beyond saturation keep the resource busy: no capacity is lost. */
static void overload_uses_all_capacity(void **state)
{
    struct rng rng;
    struct res r = {0};
    sim_time_ps now = 0, end = 0;
    uint64_t asked = 0;

    (void)state;
    rng_init(&rng, 12, 0, RNG_TEST);
    res_reset(&r, 1);
    for (uint32_t i = 0; i < 100000; i++) {
        uint32_t service = 1000 + (uint32_t)rng_below(&rng, 1000);
        sim_time_ps e = res_take(&r, now, now + rng_below(&rng, 300000), service);

        asked += service;
        end = e > end ? e : end;
        now += 1000; /* half the rate at which work arrives */
    }
    CHECK_NEAR((double)end, (double)asked, 0.01);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(events_fire_in_their_total_order),
        cmocka_unit_test(the_wheel_turns_for_long),
        cmocka_unit_test(a_step_stops_at_its_limit),
        cmocka_unit_test(the_next_event_is_announced),
        cmocka_unit_test(cycles_and_picoseconds_agree),
        cmocka_unit_test(an_idle_resource_serves_at_once),
        cmocka_unit_test(a_late_reservation_does_not_delay_an_early_arrival),
        cmocka_unit_test(a_saturated_resource_is_first_come_first_served),
        cmocka_unit_test(random_calls_never_exceed_capacity),
        cmocka_unit_test(overload_uses_all_capacity),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
