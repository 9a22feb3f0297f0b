/* simcore/checkpoint_state.c: saves and loads the state of a launch and of its GPU, in the order of the file. */
#include <inttypes.h>
#include <stdlib.h>

#include "base/array.h"
#include "simcore/checkpoint.h"
#include "simcore/sm/cluster.h"
#include "simcore/sm/sm_state.h"

/* --- CTAs taken from the source and not released --- */

static size_t most_open(const struct simulator *s)
{
    return (size_t)s->design->sms * SM_CTAS_MAX + CLUSTER_CTAS_MAX;
}

static int by_index(const void *a, const void *b)
{
    uint64_t x = *(const uint64_t *)a, y = *(const uint64_t *)b;

    return x < y ? -1 : x > y;
}

static void release_open(struct open_ctas *open)
{
    for (size_t i = 0; open->cta && i < open->count; i++)
        if (open->cta[i])
            inst_source_release_cta(open->launch->source, open->cta[i]);
    free(open->cta);
    free(open->index);
}

/* Lists their indices in the trace, ascending. */
static void list_open(const struct simulator *s, struct open_ctas *open)
{
    const struct launch *l = open->launch;

    for (uint32_t i = 0; i < s->design->sms; i++)
        for (uint32_t k = 0; k < SM_CTAS_MAX && s->sms[i].active; k++)
            if (s->sms[i].cta[k].trace)
                open->index[open->count++] = s->sms[i].cta[k].trace->index;
    for (uint32_t i = 0; i < l->held_count; i++)
        open->index[open->count++] = l->held[i]->index;
    qsort(open->index, open->count, sizeof *open->index, by_index);
}

static void open_list_state(struct simulator *s, struct open_ctas *open, struct state_io *io)
{
    open->count = state_number(io, (uint32_t)open->count);
    if (!state_check(io, open->count <= most_open(s)))
        open->count = 0;
    for (size_t i = 0; i < open->count; i++) {
        STATE(io, open->index[i]);
        state_check(io, i == 0 || open->index[i] > open->index[i - 1]);
    }
}

/* Reads the trace again up to the last CTA that was taken, and keeps the open CTAs. */
static int reread(const struct simulator *s, struct open_ctas *open, uint64_t taken, struct err *e)
{
    struct launch *l = open->launch;
    size_t next = 0;

    for (uint64_t i = 0; i < taken; i++) {
        struct cta_trace *cta;
        int got = inst_source_next_cta(l->source, &cta, e);

        if (got < 0)
            return -1;
        if (!got)
            return err_set(e, ERR_MALFORMED,
                           "the checkpoint is behind CTA %" PRIu64 ", but the trace ends at %" PRIu64, taken, i);
        if (next < open->count && open->index[next] == cta->index)
            open->cta[next++] = cta;
        else
            inst_source_release_cta(l->source, cta);
    }
    if (next < open->count)
        return err_set(e, ERR_MALFORMED, "CTA %" PRIu64 " runs in the checkpoint, but is not in the trace",
                       open->index[next]);
    return static_code_extend(&l->code, l->source, s->design, e);
}

/* --- the launch and the GPU --- */

static void launch_state(struct launch *l, struct open_ctas *open, struct state_io *io)
{
    uint64_t resident = l->resident;

    STATE(io, l->count);
    STATE(io, resident);
    l->drained = state_flag(io, l->drained);
    l->alone = state_flag(io, l->alone);
    STATE(io, l->stores_done);
    STATE(io, l->stores_open);
    STATE(io, l->begin_cycle);
    STATE(io, l->first_cycle);
    STATE(io, l->last_cycle);
    STATE(io, l->dram_busy_before);
    STATE(io, l->on_sm);
    if (state_loading(io))
        state_check(io, resident <= open->count);
    l->held_count = state_number(io, l->held_count);
    if (!state_check(io, l->held_count <= CLUSTER_CTAS_MAX && resident + l->held_count == open->count))
        l->held_count = 0;
    for (uint32_t i = 0; i < l->held_count; i++) {
        open_cta_state(open, &l->held[i], io);
        if (!l->held[i])
            l->held_count = i;
    }
}

static void gpu_state(struct simulator *s, struct launch *l, struct state_io *io)
{
    bool placing = state_flag(io, s->scheduler.placing != NULL), charged = state_flag(io, s->env.charged != NULL);

    s->scheduler.placing = placing ? l : NULL;
    s->env.charged = charged ? l : NULL;
    STATE(io, s->scheduler.dispatch_free);
    STATE(io, s->scheduler.busy_from);
    STATE(io, s->scheduler.next_gpc);
    state_check(io, s->scheduler.next_gpc < s->design->gpcs);
    STATE(io, s->env.seen);
    STATE(io, s->env.issued);
    STATE(io, s->settled);
    STATE(io, s->slots_idle);
    cluster_state(&s->env, io);
    event_queue_state(s->env.queue, io);
    event_state(s->env.queue, &s->front, io);
    memory_state(s->memory, io);
}

static void whole_state(struct simulator *s, struct open_ctas *open, struct checkpoint_step *step,
                        struct state_io *io)
{
    step->over = state_flag(io, step->over);
    STATE(io, step->at);
    launch_state(open->launch, open, io);
    gpu_state(s, open->launch, io);
    for (uint32_t i = 0; i < s->design->sms; i++)
        sm_state(&s->sms[i], open, io);
}

void checkpoint_put(struct simulator *s, struct launch *l, const struct checkpoint_step *step, struct strbuf *out,
                    struct err *e)
{
    struct state_io io = {.out = out};
    struct open_ctas open = {.launch = l};
    struct checkpoint_step at = *step;

    open.index = mem_zalloc(most_open(s), sizeof *open.index, e);
    if (!open.index) {
        out->failed = true;
        return;
    }
    list_open(s, &open);
    STATE(&io, l->taken);
    open_list_state(s, &open, &io);
    whole_state(s, &open, &at, &io);
    release_open(&open);
}

/* --- loading --- */

/* Releases everything that was loaded so far. */
static void undo(struct simulator *s, struct launch *l)
{
    for (uint32_t i = 0; i < s->design->sms; i++)
        if (s->sms[i].active)
            sm_finish(&s->sms[i], 0, l);
    for (; l->held_count; l->held_count--)
        inst_source_release_cta(l->source, l->held[l->held_count - 1]);
    s->scheduler.placing = NULL;
    s->env.charged = NULL;
    event_queue_reset(s->env.queue);
}

static int load(struct simulator *s, struct open_ctas *open, struct checkpoint_step *step, struct state_io *io,
                struct err *e)
{
    struct launch *l = open->launch;

    STATE(io, l->taken);
    open_list_state(s, open, io);
    if (!io->failed && reread(s, open, l->taken, e) < 0)
        return -1;
    if (!io->failed) {
        whole_state(s, open, step, io);
        for (size_t i = 0; i < open->count; i++)
            state_check(io, !open->cta[i]);
        state_check(io, io->at == io->end && (l->resident || step->over));
    }
    return io->failed ? err_set(e, ERR_MALFORMED, "its state is damaged") : 0;
}

int checkpoint_take(struct simulator *s, struct launch *l, struct checkpoint_step *step, const void *bytes,
                    size_t n, struct err *e)
{
    struct state_io io = {.at = bytes, .end = (const unsigned char *)bytes + n};
    struct open_ctas open = {.launch = l};
    int ret = -1;

    open.index = mem_zalloc(most_open(s), sizeof *open.index, e);
    open.cta = open.index ? mem_zalloc(most_open(s), sizeof(struct cta_trace *), e) : NULL;
    if (open.cta)
        ret = load(s, &open, step, &io, e);
    if (ret == 0)
        s->running = 1;
    else
        undo(s, l);
    release_open(&open);
    return ret;
}
