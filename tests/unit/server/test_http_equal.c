/* server/api/http/http_equal.c: equal waiting requests share one task, which starts after the last of them
 * arrived. */
#include "tests/harness/check.h"

#include <string.h>

#include "server/api/http/http_internal.h"

static struct equal_waiting waiting;
static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t changed = PTHREAD_COND_INITIALIZER;
static bool gate_open, at_gate;
static unsigned tasks, answered;

static bool same_uri(const struct http_request *a, const struct http_request *b)
{
    return strcmp(a->uri, b->uri) == 0;
}

static void answer(struct db *db, void *ctx)
{
    (void)db;
    pthread_mutex_lock(&lock);
    tasks++;
    answered++;
    for (struct http_request *r = equal_begin(&waiting, ctx); r; r = r->equals)
        answered++;
    pthread_mutex_unlock(&lock);
}

/* The same, but it blocks its thread until the gate opens. */
static void answer_slowly(struct db *db, void *ctx)
{
    answer(db, ctx);
    pthread_mutex_lock(&lock);
    at_gate = true;
    pthread_cond_broadcast(&changed);
    while (!gate_open)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static void submit(struct executor *x, struct http_request *r, char *uri, executor_task task)
{
    struct err e;

    *r = (struct http_request){.uri = uri};
    CHECK_OK(equal_submit(&waiting, r, x, task, &e), &e);
}

static void begin(struct executor **x)
{
    struct err e;

    waiting = (struct equal_waiting){.equal = same_uri};
    pthread_mutex_init(&waiting.lock, NULL);
    gate_open = at_gate = false;
    tasks = answered = 0;
    CHECK_OK(executor_start("test", 1, 4, 0, "", x, &e), &e);
}

static void wait_for_gate(void)
{
    pthread_mutex_lock(&lock);
    while (!at_gate)
        pthread_cond_wait(&changed, &lock);
    pthread_mutex_unlock(&lock);
}

static void end(struct executor *x)
{
    pthread_mutex_lock(&lock);
    gate_open = true;
    pthread_cond_broadcast(&changed);
    pthread_mutex_unlock(&lock);
    executor_stop(x);
    assert_null(waiting.first);
    pthread_mutex_destroy(&waiting.lock);
}

/* 100 requests for two different answers wait behind a busy thread, in a queue of four. Each answer is computed
 * once. */
static void a_crowd_costs_as_much_as_it_has_questions(void **state)
{
    static struct http_request r[101];
    struct executor *x;

    (void)state;
    begin(&x);
    submit(x, &r[0], "/runs", answer_slowly);
    wait_for_gate();
    for (int i = 1; i <= 100; i++)
        submit(x, &r[i], i % 2 ? "/runs" : "/farm", answer);
    end(x);
    assert_int_equal(tasks, 3);
    assert_int_equal(answered, 101);
}

/* An answer in progress may lack data that was written after its start. */
static void who_comes_after_the_task_began_waits_for_another(void **state)
{
    struct http_request first, later;
    struct executor *x;

    (void)state;
    begin(&x);
    submit(x, &first, "/runs", answer_slowly);
    wait_for_gate();
    submit(x, &later, "/runs", answer);
    assert_int_equal(tasks, 1);
    assert_int_equal(answered, 1);
    end(x);
    assert_int_equal(tasks, 2);
    assert_int_equal(answered, 2);
}

static void a_full_queue_refuses_new_questions_alone(void **state)
{
    struct http_request r[6];
    struct executor *x;
    struct err e;

    (void)state;
    begin(&x);
    submit(x, &r[0], "/0", answer_slowly);
    wait_for_gate();
    submit(x, &r[1], "/1", answer);
    submit(x, &r[2], "/2", answer);
    submit(x, &r[3], "/3", answer);
    r[4] = (struct http_request){.uri = "/4"};
    assert_int_equal(equal_submit(&waiting, &r[4], x, answer, &e), -1);
    assert_int_equal(e.code, ERR_BUSY);
    submit(x, &r[5], "/3", answer);
    end(x);
    assert_int_equal(tasks, 4);
    assert_int_equal(answered, 5);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_crowd_costs_as_much_as_it_has_questions),
        cmocka_unit_test(who_comes_after_the_task_began_waits_for_another),
        cmocka_unit_test(a_full_queue_refuses_new_questions_alone),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
