/* simcore/sm/flight_lines.c: sends the lines of an access as requests of its node, for ports that call back. */
#include "simcore/observe/observer.h"
#include "simcore/sm/flight.h"
#include "simcore/sm/outstanding.h"

uint32_t flight_access_node(struct access *a)
{
    if (!a->node)
        a->node = flight_node(a->sm, a->slot, a->in);
    return a->node;
}

/* Makes a request for sectors of line i at time t. */
static struct mem_request request_at(struct access *a, uint32_t i, uint8_t sectors, enum mem_kind kind,
                                     uint32_t lanes, uint32_t t)
{
    struct mem_request r = line_request(a, i, sectors, kind, lanes, leaves(a, t));
    struct observer *o = a->sm->env->observer;

    lines_charge(a);
    if (o)
        r.watch = observer_request(o, &r);
    return r;
}

void flight_ask_line(struct access *a, uint32_t i, uint8_t sectors, enum mem_kind kind, uint32_t lanes, uint32_t t,
                     struct l1_line *fill)
{
    const struct mem_request r = request_at(a, i, sectors, kind, lanes, t);

    t += a->sm->env->design->l1_detect;
    if (fill)
        flight_fill(a->sm, flight_access_node(a), &r, fill, t);
    else
        flight_ask(a->sm, flight_access_node(a), &r, t);
}

static uint32_t flight_store(struct access *a, enum mem_kind kind, const uint8_t lanes[], uint32_t *t)
{
    for (uint32_t i = 0; i < a->lines.count; i++) {
        const struct mem_request r = request_at(a, i, a->lines.sectors[i], kind, lanes[i], *t);

        flight_tell(a->sm, flight_access_node(a), &r, *t);
    }
    return 0;
}

static uint32_t flight_atomic(struct access *a, const uint8_t lanes[], uint32_t start)
{
    for (uint32_t i = 0; i < a->lines.count; i++)
        flight_ask_line(a, i, a->lines.sectors[i], MEM_ATOMIC, lanes[i], start, NULL);
    return SM_UNKNOWN;
}

/* The copy unit is busy with the whole copy; the port accepts each line at once. */
static uint32_t flight_copy_lines(struct access *a, enum mem_kind kind, uint32_t start)
{
    for (uint32_t i = 0; i < a->lines.count; i++) {
        uint32_t t = start + i * a->sm->env->design->bulk_line;
        struct mem_request r = request_at(a, i, a->lines.sectors[i], kind, kind != MEM_READ, t);

        r.ahead = true;
        if (kind == MEM_READ)
            flight_ask(a->sm, flight_access_node(a), &r, t + a->sm->env->design->l1_detect);
        else
            flight_tell(a->sm, flight_access_node(a), &r, t);
    }
    return start;
}

static void flight_copied(struct access *a, const struct mbarrier_news *news, uint32_t done)
{
    if (a->node) {
        flight_not_before(a->sm, a->node, done);
        flight_copy(a->sm, a->node, news);
    } else {
        mbarrier_tell(a->sm, news, done);
    }
}

static bool flight_admit(struct sm *sm, uint32_t sub, const struct static_inst *in, uint32_t t)
{
    if (flight_room(sm, in))
        return true;
    flight_hold(sm, sub, t);
    return false;
}

static int flight_init(struct sm *sm, struct err *e)
{
    sm->flight = flight_new(sm->env->design, e);
    return sm->flight ? 0 : -1;
}

static void flight_release(struct sm *sm)
{
    flight_free(sm->flight);
}

const struct outstanding_ops outstanding_flight = {.name = "flight",
                                                   .init = flight_init,
                                                   .release = flight_release,
                                                   .begin = flight_begin,
                                                   .begin_warp = flight_begin_warp,
                                                   .rebase = flight_rebase,
                                                   .limit = flight_limit,
                                                   .admit = flight_admit,
                                                   .wait_exit = flight_sleep_exit,
                                                   .wait_fence = flight_sleep_fence,
                                                   .wait_group = flight_sleep_group,
                                                   .arrive_late = flight_arrive_late,
                                                   .exit = flight_exit,
                                                   .look_up = loads_look_up_in_flight,
                                                   .store = flight_store,
                                                   .atomic = flight_atomic,
                                                   .copy = flight_copy_lines,
                                                   .copied = flight_copied};
