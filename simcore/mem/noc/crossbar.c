#include "simcore/mem/noc/crossbar.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"

struct packet {
    uint32_t next, flits, input;
};
struct port_queue { /* list of packet numbers; 0: none */
    uint32_t first, last;
};
struct output {
    struct event ev; /* first: fires at the end of its transfer */
    struct noc_flit *all;
    uint32_t credits, packet, turn; /* packet in transfer; the input with priority at the next selection */
    uint32_t waiting;               /* packets queued for it */
};

struct noc_flit {
    struct noc_flit_shape shape;
    struct event_queue *queue;
    flit_arrived_fn *arrived;
    void *ctx;
    struct output *output;
    bool *input_busy;
    uint32_t *input_turn;      /* the output that is served first when the input is free again */
    struct port_queue *queues; /* queue of output o and input i at o * inputs + i */
    struct packet *packet;
};

static void transfer_ends(struct event *ev, sim_time_ps now);

struct noc_flit *noc_flit_new(const struct noc_flit_shape *shape, struct event_queue *q, flit_arrived_fn *arrived,
                              void *ctx, struct err *e)
{
    struct noc_flit *n = mem_zalloc(1, sizeof *n, e);

    if (!n)
        return NULL;
    *n = (struct noc_flit){.shape = *shape, .queue = q, .arrived = arrived, .ctx = ctx};
    n->output = mem_zalloc(shape->outputs, sizeof *n->output, e);
    n->input_busy = n->output ? mem_zalloc(shape->inputs, sizeof *n->input_busy, e) : NULL;
    n->input_turn = n->input_busy ? mem_zalloc(shape->inputs, sizeof *n->input_turn, e) : NULL;
    n->queues = n->input_turn ? mem_zalloc((size_t)shape->inputs * shape->outputs, sizeof *n->queues, e) : NULL;
    n->packet = n->queues ? mem_zalloc((size_t)shape->packets + 1, sizeof *n->packet, e) : NULL;
    if (!n->packet) {
        noc_flit_free(n);
        return NULL;
    }
    for (uint32_t o = 0; o < shape->outputs; o++) {
        n->output[o].ev.fire = transfer_ends;
        n->output[o].ev.component = o;
        n->output[o].all = n;
    }
    noc_flit_begin(n);
    return n;
}

void noc_flit_free(struct noc_flit *n)
{
    if (!n)
        return;
    free(n->output);
    free(n->input_busy);
    free(n->input_turn);
    free(n->queues);
    free(n->packet);
    free(n);
}

void noc_flit_begin(struct noc_flit *n)
{
    for (uint32_t o = 0; o < n->shape.outputs; o++) {
        struct output *out = &n->output[o];

        out->packet = out->turn = out->waiting = 0;
        out->credits = n->shape.credits ? n->shape.credits : UINT32_MAX;
    }
    memset(n->input_busy, 0, n->shape.inputs * sizeof *n->input_busy);
    memset(n->input_turn, 0, n->shape.inputs * sizeof *n->input_turn);
    memset(n->queues, 0, (size_t)n->shape.inputs * n->shape.outputs * sizeof *n->queues);
}

static struct port_queue *queue_of(struct noc_flit *n, uint32_t output, uint32_t input)
{
    return &n->queues[(size_t)output * n->shape.inputs + input];
}

/* The output begins to transfer the first packet of an input. */
static void crossbar_start(struct noc_flit *n, struct output *out, uint32_t input, sim_time_ps now)
{
    struct port_queue *q = queue_of(n, (uint32_t)(out - n->output), input);
    struct packet *p = &n->packet[q->first];
    uint32_t flit_ps = n->shape.input_ps > n->shape.output_ps ? n->shape.input_ps : n->shape.output_ps;

    out->packet = q->first;
    out->turn = input + 1 < n->shape.inputs ? input + 1 : 0;
    out->waiting--;
    if (n->shape.credits)
        out->credits -= p->flits;
    q->first = p->next;
    if (!q->first)
        q->last = 0;
    n->input_busy[input] = true;
    event_queue_schedule(n->queue, &out->ev, now + (uint64_t)p->flits * flit_ps, PHASE_DELIVER);
}

/* If the output is free, selects a packet round-robin. */
static void crossbar_look(struct noc_flit *n, struct output *out, sim_time_ps now)
{
    uint32_t o = (uint32_t)(out - n->output), input = out->turn;

    if (out->packet || !out->waiting)
        return;
    for (uint32_t i = 0; i < n->shape.inputs; i++) {
        uint32_t first = queue_of(n, o, input)->first;

        if (first && !n->input_busy[input]) {
            if (n->packet[first].flits <= out->credits)
                crossbar_start(n, out, input, now);
            return; /* the selected packet has not enough credits; no other packet may overtake it */
        }
        input = input + 1 < n->shape.inputs ? input + 1 : 0;
    }
}

static void transfer_ends(struct event *ev, sim_time_ps now)
{
    struct output *out = (struct output *)ev;
    struct noc_flit *n = out->all;
    uint32_t packet = out->packet, input = n->packet[packet].input, o = n->input_turn[input];

    out->packet = 0;
    n->input_busy[input] = false;
    n->input_turn[input] = o + 1 < n->shape.outputs ? o + 1 : 0;
    n->arrived(n->ctx, packet, now);
    crossbar_look(n, out, now);
    for (uint32_t i = 0; i < n->shape.outputs && !n->input_busy[input]; i++) {
        if (queue_of(n, o, input)->first)
            crossbar_look(n, &n->output[o], now);
        o = o + 1 < n->shape.outputs ? o + 1 : 0;
    }
}

void noc_flit_send(struct noc_flit *n, uint32_t packet, uint32_t input, uint32_t output, uint32_t flits,
                   sim_time_ps now)
{
    struct port_queue *q = queue_of(n, output, input);

    n->packet[packet] = (struct packet){.flits = flits, .input = input};
    if (q->last)
        n->packet[q->last].next = packet;
    else
        q->first = packet;
    q->last = packet;
    n->output[output].waiting++;
    crossbar_look(n, &n->output[output], now);
}

void noc_flit_credit(struct noc_flit *n, uint32_t output, uint32_t flits, sim_time_ps now)
{
    if (!n->shape.credits)
        return;
    n->output[output].credits += flits;
    crossbar_look(n, &n->output[output], now);
}
