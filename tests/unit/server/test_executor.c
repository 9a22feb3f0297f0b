/* server/store/threads/executor.c: number and waiting time of tasks are limited. Its threads connect to the
 * database only when a task runs. */
#include "tests/harness/check.h"

#include <pthread.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdio.h>
#include <unistd.h>

#include "server/store/threads/executor.h"

#define QUEUE 4

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool open_gate;
static unsigned begun, done;

/* Blocks its thread until the gate opens. */
static void wait_at_gate(struct db *db, void *ctx)
{
    (void)db;
    (void)ctx;
    pthread_mutex_lock(&lock);
    begun++;
    pthread_cond_broadcast(&changed);
    while (!open_gate)
        pthread_cond_wait(&changed, &lock);
    done++;
    pthread_mutex_unlock(&lock);
}

static void close_gate(void)
{
    open_gate = false;
    begun = done = 0;
}

static void let_go(void)
{
    pthread_mutex_lock(&lock);
    open_gate = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
}

/* One busy thread and `behind` queued tasks. */
static struct executor *busy(uint64_t wait_most_s, unsigned behind)
{
    struct executor *x;
    struct err e;

    close_gate();
    CHECK_OK(executor_start("test", 1, QUEUE, wait_most_s, "", &x, &e), &e);
    CHECK_OK(executor_submit(x, wait_at_gate, NULL, &e), &e);
    pthread_mutex_lock(&lock);
    while (!begun)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    for (unsigned i = 0; i < behind; i++)
        CHECK_OK(executor_submit(x, wait_at_gate, NULL, &e), &e);
    return x;
}

static void a_full_queue_takes_no_more_and_what_it_took_is_done(void **state)
{
    struct executor *x = busy(0, QUEUE);
    struct err e = {0};

    (void)state;
    assert_int_equal(executor_submit(x, wait_at_gate, NULL, &e), -1);
    assert_int_equal(e.code, ERR_BUSY);
    assert_string_equal(e.text, "4 requests wait already");
    let_go();
    executor_stop(x);
    assert_int_equal(done, 1 + QUEUE);
}

static void requests_leave_room_for_the_servers_own(void **state)
{
    struct executor *x = busy(0, 0);
    struct err e = {0};

    (void)state;
    for (unsigned i = 0; i < QUEUE - QUEUE / 4; i++)
        CHECK_OK(executor_submit_request(x, wait_at_gate, NULL, &e), &e);
    assert_int_equal(executor_submit_request(x, wait_at_gate, NULL, &e), -1);
    assert_int_equal(e.code, ERR_BUSY);
    CHECK_OK(executor_submit(x, wait_at_gate, NULL, &e), &e);
    let_go();
    executor_stop(x);
    assert_int_equal(done, 1 + QUEUE);
}

static atomic_bool others_are_strained;
static atomic_uint at_once, most_at_once, ran;

static bool strained(void *ctx)
{
    (void)ctx;
    return atomic_load(&others_are_strained);
}

static void work_a_while(struct db *db, void *ctx)
{
    unsigned n = atomic_fetch_add(&at_once, 1) + 1, before = atomic_load(&most_at_once);

    (void)db;
    (void)ctx;
    while (n > before && !atomic_compare_exchange_weak(&most_at_once, &before, n))
        continue;
    usleep(2000);
    atomic_fetch_sub(&at_once, 1);
    atomic_fetch_add(&ran, 1);
}

/* While other executors are under strain, tasks run one at a time. Later all threads work again. */
static void tasks_yield_to_others(void **state)
{
    struct executor *x;
    struct err e;

    (void)state;
    close_gate();
    atomic_store(&others_are_strained, true);
    CHECK_OK(executor_start("test", QUEUE, 100, 0, "", &x, &e), &e);
    executor_yield_to(x, strained, NULL);
    for (int i = 0; i < 20; i++)
        CHECK_OK(executor_submit(x, work_a_while, NULL, &e), &e);
    while (atomic_load(&ran) < 20)
        usleep(1000);
    assert_int_equal(atomic_load(&most_at_once), 1);
    for (unsigned i = 0; i < QUEUE; i++)
        CHECK_OK(executor_submit(x, wait_at_gate, NULL, &e), &e);
    atomic_store(&others_are_strained, false);
    pthread_mutex_lock(&lock);
    while (begun < QUEUE) /* all run at once */
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
    let_go();
    executor_stop(x);
    assert_int_equal(done, QUEUE);
}

static void a_queue_whose_first_waits_too_long_takes_no_more(void **state)
{
    struct executor *x = busy(1, 1);
    struct err e = {0};
    unsigned seconds;

    (void)state;
    usleep(1100000);
    assert_int_equal(executor_submit_request(x, wait_at_gate, NULL, &e), -1);
    assert_int_equal(e.code, ERR_BUSY);
    assert_int_equal(sscanf(e.text, "1 requests wait already, the first for %u s", &seconds), 1);
    assert_true(seconds >= 1);
    CHECK_OK(executor_submit(x, wait_at_gate, NULL, &e), &e); /* no thread waits for it, but it must run */
    let_go();
    executor_stop(x);
    assert_int_equal(done, 3);
}

static void who_waits_for_nothing_is_taken_however_long_the_thread_works(void **state)
{
    struct executor *x = busy(1, 0);
    struct err e = {0};

    (void)state;
    usleep(1100000);
    CHECK_OK(executor_submit_request(x, wait_at_gate, NULL, &e), &e);
    let_go();
    executor_stop(x);
    assert_int_equal(done, 2);
}

static bool main_sleeps(void)
{
    char path[64], state = 0;
    FILE *f;

    snprintf(path, sizeof path, "/proc/self/task/%d/stat", (int)getpid()); /* "PID (NAME) STATE ..." */
    f = fopen(path, "r");
    assert_non_null(f);
    assert_int_equal(fscanf(f, "%*d (%*[^)]) %c", &state), 1);
    fclose(f);
    return state == 'S';
}

/* Opens the gate once the main thread sleeps. The gate is the only thing that it can wait for. */
static atomic_bool main_waits;
static void *open_it(void *ctx)
{
    (void)ctx;
    while (!atomic_load(&main_waits) || !main_sleeps())
        usleep(1000);
    let_go();
    return NULL;
}

/* A task that submits itself again. */
struct again {
    struct executor *x;
    unsigned left;
};
static void hand_on(struct db *db, void *ctx)
{
    struct again *a = ctx;
    struct err e;

    (void)db;
    if (a->left-- > 1)
        CHECK_OK(executor_submit(a->x, hand_on, a, &e), &e);
}

static void waiting_ends_when_nothing_is_left(void **state)
{
    struct executor *x = busy(0, 2);
    struct again a = {x, 100};
    pthread_t opener;
    struct err e;

    (void)state;
    assert_int_equal(pthread_create(&opener, NULL, open_it, NULL), 0);
    atomic_store(&main_waits, true);
    assert_true(executor_wait(x));
    assert_int_equal(done, 3);
    assert_false(executor_wait(x));
    assert_false(executor_wait(NULL));
    CHECK_OK(executor_submit(x, hand_on, &a, &e), &e);
    executor_wait(x);
    assert_int_equal(a.left, 0);
    pthread_join(opener, NULL);
    executor_stop(x);
}

static void count(struct db *db, void *ctx)
{
    (void)db;
    __atomic_add_fetch((unsigned *)ctx, 1, __ATOMIC_RELAXED);
}

struct crowd {
    struct executor *x;
    unsigned ran, refused;
};

#define EACH 50000
static void *submit_many(void *arg)
{
    struct crowd *c = arg;
    struct err e;

    for (int i = 0; i < EACH; i++)
        if (executor_submit_request(c->x, count, &c->ran, &e) < 0)
            __atomic_add_fetch(&c->refused, 1, __ATOMIC_RELAXED);
    return NULL;
}

/* Submission times increase along the queue, so that no waiting time is negative. */
static void many_who_ask_at_once_have_not_waited(void **state)
{
    enum { ASKERS = 4 };
    pthread_t askers[ASKERS];
    struct crowd c = {0};
    struct err e;

    (void)state;
    /* All fit into the part of the queue for requests, even if no thread of the executor runs. */
    CHECK_OK(executor_start("test", 4, 2 * ASKERS * EACH, 3600, "", &c.x, &e), &e);
    for (int i = 0; i < ASKERS; i++)
        assert_int_equal(pthread_create(&askers[i], NULL, submit_many, &c), 0);
    for (int i = 0; i < ASKERS; i++)
        pthread_join(askers[i], NULL);
    executor_stop(c.x);
    assert_int_equal(c.refused, 0);
    assert_int_equal(c.ran, ASKERS * EACH);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_full_queue_takes_no_more_and_what_it_took_is_done),
        cmocka_unit_test(requests_leave_room_for_the_servers_own),
        cmocka_unit_test(tasks_yield_to_others),
        cmocka_unit_test(a_queue_whose_first_waits_too_long_takes_no_more),
        cmocka_unit_test(who_waits_for_nothing_is_taken_however_long_the_thread_works),
        cmocka_unit_test(waiting_ends_when_nothing_is_left),
        cmocka_unit_test(many_who_ask_at_once_have_not_waited),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
