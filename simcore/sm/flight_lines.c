/* simcore/sm/flight_lines.c: sends the lines of an access as requests of its node, for ports that call back. */
#include "simcore/observe/observer.h"
#include "simcore/sm/flight_internal.h"
#include "simcore/sm/lines.h"

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

uint32_t flight_store(struct access *a, enum mem_kind kind, const uint8_t lanes[], uint32_t *t)
{
    for (uint32_t i = 0; i < a->lines.count; i++) {
        const struct mem_request r = request_at(a, i, a->lines.sectors[i], kind, lanes[i], *t);

        flight_tell(a->sm, flight_access_node(a), &r, *t);
    }
    return 0;
}

uint32_t flight_atomic(struct access *a, const uint8_t lanes[], uint32_t start)
{
    for (uint32_t i = 0; i < a->lines.count; i++)
        flight_ask_line(a, i, a->lines.sectors[i], MEM_ATOMIC, lanes[i], start, NULL);
    return SM_UNKNOWN;
}

/* The copy unit is busy with the whole copy; the port accepts each line at once. */
uint32_t flight_copy_lines(struct access *a, enum mem_kind kind, uint32_t start)
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
