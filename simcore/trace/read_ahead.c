#include "simcore/trace/read_ahead.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/assert.h"

#define SLOTS       256u       /* maximum number of CTAs ahead: a GPU requests many CTAs at once when a wave ends */
#define INSTS_AHEAD (1u << 18) /* maximum warp instructions ahead, about 12 MiB with their addresses */
#define START_AFTER (1u << 15) /* warp instructions: 1 ms of reading, ten times the cost of starting a thread */
#define STACK_BYTES (256u << 10)

/* One item from the reading thread: a CTA, or the end or error of the kernel (then it is the last item). It
 * includes the rows that the inner tables gained since the previous item, because those tables can move while the
 * consumer reads them. */
struct slot {
    struct cta_trace *cta; /* NULL: end or error */
    uint64_t insts;        /* executed instructions in the CTA */
    struct trace_inst *rows;
    const char **opcodes; /* each text stays valid until the inner source is released */
    size_t row_count, opcode_count;
    struct trace_repairs repairs;
    int got; /* what next_cta() of the inner source returned */
};

struct returned {
    struct cta_trace *cta;
};

struct read_ahead {
    struct inst_source source; /* must be the first member */
    struct inst_source *inner; /* used only by the thread while it runs */
    uint64_t start_after, insts_read;
    bool threaded; /* the thread was started; it is joined in release() */
    bool ended;    /* the consumer has seen the last slot */
    /* the consumer's own tables, used once the thread runs */
    struct trace_inst *rows;
    const char **opcodes;
    size_t row_count, row_capacity, opcode_count, opcode_capacity;
    size_t out; /* CTAs that the consumer holds; `back` has capacity for them */
    /* number of rows of the inner tables that were passed on; only the thread uses them */
    size_t rows_sent, opcodes_sent;
    struct err failure; /* of the last slot; written before the slot is published */

    pthread_t thread;
    pthread_mutex_t lock; /* guards the members below */
    pthread_cond_t filled, emptied;
    struct slot ring[SLOTS];
    size_t head, count; /* the oldest slot, and the number of slots */
    uint64_t insts_ahead;
    struct returned *back; /* CTAs that the consumer released and that the inner source does not know of yet */
    size_t back_count, back_capacity;
    bool stop;
};

/* The instructions that are in memory. */
static uint64_t insts_of(const struct cta_trace *cta)
{
    uint64_t n = 0;

    for (uint32_t w = 0; w < cta->warp_count; w++)
        n += cta->warps[w].ready;
    return n;
}

/* --- functions on the thread --- */

static int take_new_rows(struct read_ahead *r, struct slot *s, struct err *e)
{
    const struct inst_source *in = r->inner;

    ASSERT(in->inst_count >= r->rows_sent && in->opcode_count >= r->opcodes_sent); /* tables only grow */
    s->row_count = in->inst_count - r->rows_sent;
    s->opcode_count = in->opcode_count - r->opcodes_sent;
    if (s->row_count) {
        s->rows = mem_zalloc(s->row_count, sizeof *s->rows, e);
        if (!s->rows)
            return -1;
        memcpy(s->rows, in->insts + r->rows_sent, s->row_count * sizeof *s->rows);
    }
    if (s->opcode_count) {
        s->opcodes = mem_zalloc(s->opcode_count, sizeof *s->opcodes, e);
        if (!s->opcodes)
            return -1;
        memcpy(s->opcodes, in->opcodes + r->opcodes_sent, s->opcode_count * sizeof *s->opcodes);
    }
    r->rows_sent = in->inst_count;
    r->opcodes_sent = in->opcode_count;
    return 0;
}

static void slot_clear(struct slot *s)
{
    free(s->rows);
    free(s->opcodes);
    *s = (struct slot){0};
}

/* Reads one CTA into *s. */
static void read_slot(struct read_ahead *r, struct slot *s)
{
    *s = (struct slot){0};
    s->got = inst_source_next_cta(r->inner, &s->cta, &r->failure);
    if (s->got > 0)
        s->insts = insts_of(s->cta);
    if (s->got >= 0 && take_new_rows(r, s, &r->failure) < 0) {
        if (s->cta)
            inst_source_release_cta(r->inner, s->cta);
        slot_clear(s);
        err_no_memory(&r->failure);
        s->got = -1;
    }
    s->repairs = r->inner->repairs;
}

/* Releases the returned CTAs in the inner source, which is not thread-safe. Called with the lock held. */
static void give_back(struct read_ahead *r)
{
    while (r->back_count)
        inst_source_release_cta(r->inner, r->back[--r->back_count].cta);
}

static bool is_full(const struct read_ahead *r)
{
    return r->count == SLOTS || (r->count > 0 && r->insts_ahead >= INSTS_AHEAD);
}

static void *run(void *ctx)
{
    struct read_ahead *r = ctx;
    struct slot s;
    bool on = true;

    while (on) {
        pthread_mutex_lock(&r->lock);
        while (is_full(r) && !r->stop)
            pthread_cond_wait(&r->emptied, &r->lock);
        give_back(r);
        on = !r->stop;
        pthread_mutex_unlock(&r->lock);
        if (!on)
            break;
        read_slot(r, &s);
        pthread_mutex_lock(&r->lock);
        ASSERT(r->count < SLOTS);
        r->ring[(r->head + r->count++) % SLOTS] = s;
        r->insts_ahead += s.insts;
        on = s.got > 0;
        pthread_cond_signal(&r->filled);
        pthread_mutex_unlock(&r->lock);
    }
    return NULL;
}

/* --- functions on the consumer's side --- */

static int append_rows(struct read_ahead *r, const struct trace_inst *rows, size_t row_count,
                       const char *const *opcodes, size_t opcode_count, struct err *e)
{
    void *p = r->rows;

    if (row_count) {
        if (array_reserve(&p, &r->row_capacity, r->row_count + row_count, sizeof *r->rows, e) < 0)
            return -1;
        r->rows = p;
        memcpy(r->rows + r->row_count, rows, row_count * sizeof *rows);
        r->row_count += row_count;
    }
    if (opcode_count) {
        p = r->opcodes;
        if (array_reserve(&p, &r->opcode_capacity, r->opcode_count + opcode_count, sizeof *r->opcodes, e) < 0)
            return -1;
        r->opcodes = p;
        memcpy(r->opcodes + r->opcode_count, opcodes, opcode_count * sizeof *opcodes);
        r->opcode_count += opcode_count;
    }
    r->source.insts = r->rows;
    r->source.inst_count = r->row_count;
    r->source.opcodes = r->opcodes;
    r->source.opcode_count = r->opcode_count;
    return 0;
}

/* If no thread can be started, only speed is lost: the consumer then reads the inner source directly. */
static int start(struct read_ahead *r, struct err *e)
{
    pthread_attr_t attr;

    ASSERT(!r->threaded && r->row_count == 0);
    r->start_after = UINT64_MAX;
    if (append_rows(r, r->inner->insts, r->inner->inst_count, r->inner->opcodes, r->inner->opcode_count, e) < 0)
        return -1;
    r->rows_sent = r->row_count;
    r->opcodes_sent = r->opcode_count;
    if (pthread_attr_init(&attr) != 0)
        return 0;
    if (pthread_attr_setstacksize(&attr, STACK_BYTES) == 0)
        r->threaded = pthread_create(&r->thread, &attr, run, r) == 0;
    pthread_attr_destroy(&attr);
    return 0;
}

static int next_directly(struct read_ahead *r, struct cta_trace **out, struct err *e)
{
    int got;

    r->inner->windowed = r->source.windowed;
    got = inst_source_next_cta(r->inner, out, e);
    inst_source_share_tables(&r->source, r->inner);
    if (got > 0) {
        r->insts_read += insts_of(*out);
        r->out++;
    }
    return got;
}

/* Reserves capacity to return every CTA that the consumer holds, so that a release cannot fail. */
static int reserve_back(struct read_ahead *r, struct err *e)
{
    void *p = r->back;

    if (array_reserve(&p, &r->back_capacity, r->back_count + r->out + 1, sizeof *r->back, e) < 0)
        return -1;
    r->back = p;
    return 0;
}

static int take_slot(struct read_ahead *r, struct slot *s, struct err *e)
{
    int ret;

    pthread_mutex_lock(&r->lock);
    ret = reserve_back(r, e);
    while (ret == 0 && r->count == 0)
        pthread_cond_wait(&r->filled, &r->lock);
    if (ret == 0) {
        bool was_full = is_full(r);

        ASSERT(r->insts_ahead >= r->ring[r->head].insts);
        *s = r->ring[r->head];
        r->head = (r->head + 1) % SLOTS;
        r->count--;
        r->insts_ahead -= s->insts;
        if (was_full && !is_full(r))
            pthread_cond_signal(&r->emptied);
    }
    pthread_mutex_unlock(&r->lock);
    return ret;
}

static int next_from_thread(struct read_ahead *r, struct cta_trace **out, struct err *e)
{
    struct slot s = {0};
    int got;

    if (take_slot(r, &s, e) < 0)
        return -1;
    got = s.got;
    r->source.repairs = s.repairs;
    if (got < 0)
        *e = r->failure;
    else if (append_rows(r, s.rows, s.row_count, s.opcodes, s.opcode_count, e) < 0)
        got = -1;
    if (s.cta)
        r->out++;
    if (got > 0)
        *out = s.cta;
    else if (s.cta)
        inst_source_release_cta(&r->source, s.cta);
    slot_clear(&s);
    return got;
}

static int next_cta(struct inst_source *source, struct cta_trace **out, struct err *e)
{
    struct read_ahead *r = (struct read_ahead *)source;
    int got;

    *out = NULL;
    if (r->ended)
        return 0;
    if (!r->threaded && r->insts_read >= r->start_after && start(r, e) < 0)
        got = -1;
    else
        got = r->threaded ? next_from_thread(r, out, e) : next_directly(r, out, e);
    r->ended = got <= 0;
    return got;
}

static void release_cta(struct inst_source *source, struct cta_trace *cta)
{
    struct read_ahead *r = (struct read_ahead *)source;

    ASSERT(r->out > 0);
    r->out--;
    if (!r->threaded) {
        inst_source_release_cta(r->inner, cta);
        return;
    }
    pthread_mutex_lock(&r->lock);
    ASSERT(r->back_count < r->back_capacity);
    r->back[r->back_count++].cta = cta;
    pthread_mutex_unlock(&r->lock);
}

static void join(struct read_ahead *r)
{
    pthread_mutex_lock(&r->lock);
    r->stop = true;
    pthread_cond_signal(&r->emptied);
    pthread_mutex_unlock(&r->lock);
    pthread_join(r->thread, NULL);
    give_back(r);
    for (; r->count; r->count--, r->head = (r->head + 1) % SLOTS) {
        if (r->ring[r->head].cta)
            inst_source_release_cta(r->inner, r->ring[r->head].cta);
        slot_clear(&r->ring[r->head]);
    }
}

static void release(struct inst_source *source)
{
    struct read_ahead *r = (struct read_ahead *)source;

    if (r->threaded)
        join(r);
    inst_source_release(r->inner);
    pthread_cond_destroy(&r->filled);
    pthread_cond_destroy(&r->emptied);
    pthread_mutex_destroy(&r->lock);
    free(r->rows);
    free(r->opcodes);
    free(r->back);
    free(r);
}

/* The thread starts after the first CTA is taken, so the inner source may be used here. */
static int survey(struct inst_source *source, struct survey *out, struct err *e)
{
    struct inst_source *inner = ((struct read_ahead *)source)->inner;

    return inner->survey(inner, out, e);
}

static const struct inst_source_ops read_ahead_ops = {"read ahead", next_cta, release_cta, release};

int inst_source_read_ahead_after(struct inst_source *inner, uint64_t instructions, struct inst_source **out,
                                 struct err *e)
{
    struct read_ahead *r = mem_zalloc(1, sizeof *r, e);

    *out = NULL;
    if (!r) {
        inst_source_release(inner);
        return -1;
    }
    r->source.ops = &read_ahead_ops;
    r->source.info = inner->info; /* the inner source owns the name */
    r->source.warm = inner->warm;
    r->source.survey = inner->survey ? survey : NULL;
    r->inner = inner;
    r->start_after = instructions;
    inst_source_share_tables(&r->source, r->inner);
    pthread_mutex_init(&r->lock, NULL);
    pthread_cond_init(&r->filled, NULL);
    pthread_cond_init(&r->emptied, NULL);
    *out = &r->source;
    return 0;
}

int inst_source_read_ahead(struct inst_source *inner, struct inst_source **out, struct err *e)
{
    return inst_source_read_ahead_after(inner, START_AFTER, out, e);
}
