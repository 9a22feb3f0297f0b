/* The crossbar with flits: ports, arbitration, credits; no packet is lost. */
#include "simcore/mem/noc/crossbar.h"
#include "tests/unit/simcore/hand_source.h"

enum { PACKETS = 1000 };
static struct event_queue *queue;
static sim_time_ps came[PACKETS + 1];
static uint32_t order[PACKETS], arrived_count;

static void arrived(void *ctx, uint32_t packet, sim_time_ps now)
{
    (void)ctx;
    came[packet] = now;
    order[arrived_count++] = packet;
}

static struct noc_flit *network(uint32_t inputs, uint32_t outputs, uint32_t credits)
{
    const struct noc_flit_shape shape = {inputs, outputs, PACKETS, 500, 1000, credits};
    struct err e;
    struct noc_flit *n = noc_flit_new(&shape, queue, arrived, NULL, &e);

    assert_non_null(n);
    event_queue_reset(queue);
    arrived_count = 0;
    memset(came, 0, sizeof came);
    return n;
}

static void run(void)
{
    while (event_queue_step(queue, SIM_NEVER - 1))
        ;
}

static void a_packet_takes_its_flits_at_the_slower_port(void **state)
{
    struct noc_flit *n = network(2, 2, 0);

    (void)state;
    noc_flit_send(n, 1, 0, 1, 5, 0);
    run();
    assert_int_equal(came[1], 5000);
    noc_flit_free(n);
}

static void inputs_take_turns_at_an_output(void **state)
{
    static const uint32_t want[] = {1, 3, 5, 2, 4, 6};
    struct noc_flit *n = network(3, 1, 0);

    (void)state;
    for (uint32_t i = 0; i < 3; i++) {
        noc_flit_send(n, 2 * i + 1, i, 0, 1, 0);
        noc_flit_send(n, 2 * i + 2, i, 0, 1, 0);
    }
    run();
    for (uint32_t i = 0; i < 6; i++) {
        assert_int_equal(order[i], want[i]);
        assert_int_equal(came[order[i]], (i + 1) * 1000);
    }
    noc_flit_free(n);
}

/* A packet for a free output overtakes one that waits for a busy output. */
static void packets_do_not_wait_behind_another_output(void **state)
{
    struct noc_flit *n = network(2, 2, 0);

    (void)state;
    noc_flit_send(n, 1, 0, 0, 10, 0); /* occupies output 0 */
    noc_flit_send(n, 2, 1, 0, 1, 0);
    noc_flit_send(n, 3, 1, 1, 1, 0);
    run();
    assert_int_equal(came[3], 1000);
    assert_int_equal(came[2], 11000);
    noc_flit_free(n);
}

static void without_credits_nothing_moves(void **state)
{
    struct noc_flit *n = network(2, 1, 4);

    (void)state;
    noc_flit_send(n, 1, 0, 0, 3, 0);
    noc_flit_send(n, 2, 1, 0, 2, 0);
    run();
    assert_int_equal(arrived_count, 1);
    noc_flit_credit(n, 0, 3, 9000);
    run();
    assert_int_equal(came[2], 11000);
    noc_flit_free(n);
}

static void every_packet_arrives_and_ports_are_never_idle_for_nothing(void **state)
{
    struct noc_flit *n = network(8, 4, 0);
    sim_time_ps end = 0;

    (void)state;
    for (uint32_t i = 1; i <= PACKETS; i++)
        noc_flit_send(n, i, i % 8, i / 8 % 4, 1 + i % 5, 0);
    run();
    assert_int_equal(arrived_count, PACKETS);
    for (uint32_t i = 1; i <= PACKETS; i++)
        end = came[i] > end ? came[i] : end;
    assert_in_range(end, 750000, 850000); /* 3000 flits through 4 outputs */
    noc_flit_free(n);
}

static int set_up(void **state)
{
    struct err e;

    (void)state;
    queue = event_queue_new(64, &e);
    return queue ? 0 : -1;
}

static int tear_down(void **state)
{
    (void)state;
    event_queue_free(queue);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_packet_takes_its_flits_at_the_slower_port),
        cmocka_unit_test(inputs_take_turns_at_an_output),
        cmocka_unit_test(packets_do_not_wait_behind_another_output),
        cmocka_unit_test(without_credits_nothing_moves),
        cmocka_unit_test(every_packet_arrives_and_ports_are_never_idle_for_nothing),
    };
    return cmocka_run_group_tests(tests, set_up, tear_down);
}
