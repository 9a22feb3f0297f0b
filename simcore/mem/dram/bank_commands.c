#include "simcore/mem/dram/bank_commands.h"

#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "simcore/engine/clock_domain.h"

/* Writes drain from the first to the second watermark: long enough to amortize the bus turnaround, with room for
 * writes that arrive meanwhile. Accel-Sim's Titan V drains from 85 % to 25 % of its queue. */
enum { DRAIN_FROM = 54, DRAIN_TO = 16, ACTIVATES_IN_FAW = 4 };

struct timing { /* picoseconds */
    uint32_t ck, rcd, rp, ras, rrd_s, rrd_l, ccd_s, ccd_l, faw, wtr_s, wtr_l, wr, rtp, cl, wl, rfc, refi, close;
    uint32_t refresh; /* between refreshes of two banks */
};

struct bank {
    uint64_t row;                                           /* open row + 1; 0: closed */
    sim_time_ps activate_from, column_from, precharge_from; /* earliest time of each command */
    sim_time_ps used;                                       /* time of the last column command */
    sim_time_ps wanted;                                     /* since when accesses have been waiting, if any */
    uint32_t waiting;                                       /* queued accesses of either kind */
};

struct access {   /* oldest first in its queue */
    uint64_t row; /* + 1 */
    uint32_t id;
    uint8_t bank, sectors;
    bool activated; /* its row was opened for it */
};

struct channel {
    struct event ev; /* must be the first member */
    struct dram_bank *all;
    struct access queue[2][DRAM_QUEUE]; /* reads, writes */
    uint32_t count[2];
    bool draining; /* writes drain down to the low watermark */
    bool wrote;    /* the last column was a write */
    uint32_t column_group, activate_group, activates;
    sim_time_ps column_at, row_command_at; /* the last commands; SIM_NEVER: none yet */
    sim_time_ps activate_at[ACTIVATES_IN_FAW];
    sim_time_ps bus_free, written; /* end of the last data; bus_free of all, written of writes */
    sim_time_ps refresh_at;        /* the next refresh, of refresh_bank */
    uint32_t refresh_bank;
    uint64_t busy_ps;
    struct bank bank[DRAM_BANKS_MAX];
};

struct dram_bank {
    struct timing t;
    uint64_t sector_q16; /* picoseconds * 65536 on the data bus */
    uint32_t channels, banks, banks_per_group, burst_sectors;
    struct event_queue *queue;
    struct dram_counters *count;
    dram_read_fn *read;
    dram_room_fn *room;
    dram_command_fn *command;
    dram_moved_fn *moved; /* NULL: not observed; then `pending` is NULL, too */
    dram_pending_fn *pending;
    void *ctx, *command_ctx, *use_ctx;
    struct channel *channel;
};

/* A command that could be issued next, and its earliest time. */
struct choice {
    sim_time_ps at;
    enum dram_command command;
    uint32_t entry;
};

static sim_time_ps bank_commands_later(sim_time_ps a, sim_time_ps b)
{
    return a > b ? a : b;
}

static void bank_commands_wake(struct event *ev, sim_time_ps now);

/* burst_ps: a burst on the data bus. Bursts of two bank groups can follow each other without a gap on every DRAM,
 * so t_ccd_s is at most that: its clocks count at the command clock of a slower chip where a design has no own
 * ones. */
static void set_timing(struct timing *t, const struct gpu_design *d, uint32_t burst_ps)
{
    const struct {
        uint32_t *to, clocks;
    } each[] = {{&t->ck, 1},
                {&t->rcd, d->dram_t_rcd},
                {&t->rp, d->dram_t_rp},
                {&t->ras, d->dram_t_ras},
                {&t->rrd_s, d->dram_t_rrd_s},
                {&t->rrd_l, d->dram_t_rrd_l},
                {&t->ccd_s, d->dram_t_ccd_s},
                {&t->ccd_l, d->dram_t_ccd_l},
                {&t->faw, d->dram_t_faw},
                {&t->wtr_s, d->dram_t_wtr_s},
                {&t->wtr_l, d->dram_t_wtr_l},
                {&t->wr, d->dram_t_wr},
                {&t->rtp, d->dram_t_rtp},
                {&t->cl, d->dram_t_cl},
                {&t->wl, d->dram_t_wl},
                {&t->rfc, d->dram_t_rfc},
                {&t->refi, d->dram_t_refi},
                {&t->close, d->dram_t_close}};
    struct clock_domain clock;

    clock_domain_init(&clock, d->dram_khz);
    for (size_t i = 0; i < sizeof each / sizeof *each; i++)
        *each[i].to = (uint32_t)clock_span_ps(&clock, each[i].clocks, 1);
    t->ccd_s = t->ccd_s < burst_ps ? t->ccd_s : burst_ps;
    t->refresh = t->refi / d->dram_banks;
}

struct dram_bank *dram_bank_new(const struct gpu_design *d, struct event_queue *q, struct dram_counters *count,
                                struct err *e)
{
    struct dram_bank *m = mem_zalloc(1, sizeof *m, e);

    if (!m)
        return NULL;
    m->sector_q16 = ((uint64_t)SECTOR_BYTES * 1000000 * 65536 * d->dram_channels) / d->dram_mbs;
    m->channels = d->dram_channels;
    m->banks = d->dram_banks;
    m->banks_per_group = d->dram_banks > d->dram_bank_groups ? d->dram_banks / d->dram_bank_groups : 1;
    m->burst_sectors = d->dram_burst_bytes / SECTOR_BYTES;
    set_timing(&m->t, d, (uint32_t)((m->sector_q16 * m->burst_sectors + 32768) >> 16));
    m->queue = q;
    m->count = count;
    m->channel = mem_zalloc(m->channels, sizeof *m->channel, e);
    if (!m->channel) {
        dram_bank_free(m);
        return NULL;
    }
    for (uint32_t i = 0; i < m->channels; i++) {
        m->channel[i].ev.fire = bank_commands_wake;
        m->channel[i].ev.component = i;
        m->channel[i].all = m;
    }
    dram_bank_begin(m);
    return m;
}

void dram_bank_free(struct dram_bank *m)
{
    if (!m)
        return;
    free(m->channel);
    free(m);
}

void dram_bank_listen(struct dram_bank *m, dram_read_fn *read, dram_room_fn *room, void *ctx)
{
    m->read = read;
    m->room = room;
    m->ctx = ctx;
}

void dram_bank_tell_commands(struct dram_bank *m, dram_command_fn *f, void *ctx)
{
    m->command = f;
    m->command_ctx = ctx;
}

void dram_bank_tell_use(struct dram_bank *m, dram_moved_fn *moved, dram_pending_fn *pending, void *ctx)
{
    m->moved = moved;
    m->pending = pending;
    m->use_ctx = ctx;
}

void dram_bank_begin(struct dram_bank *m)
{
    for (uint32_t i = 0; i < m->channels; i++) {
        struct channel *c = &m->channel[i];

        c->count[0] = c->count[1] = 0;
        c->draining = c->wrote = false;
        c->activates = 0;
        c->column_at = c->row_command_at = SIM_NEVER;
        c->bus_free = c->written = 0;
        c->busy_ps = 0;
        c->refresh_at = m->t.refresh;
        c->refresh_bank = 0;
        memset(c->bank, 0, sizeof c->bank);
    }
}

static void observe_command(const struct channel *c, enum dram_command command, uint32_t bank, uint64_t row,
                            sim_time_ps at)
{
    const struct dram_bank *m = c->all;

    if (m->command)
        m->command(m->command_ctx, (uint32_t)(c - m->channel), command, bank, row, at);
}

/* Reports the sectors that the bank transfers until its data bus is free again, and the other accesses that wait at
 * least until then. */
static void observe_use(const struct channel *c, uint32_t bank, uint32_t sectors)
{
    const struct dram_bank *m = c->all;

    if (!m->moved)
        return;
    m->moved(m->use_ctx, (uint32_t)(c - m->channel), bank, sectors, c->bus_free);
    m->pending(m->use_ctx, (uint32_t)(c - m->channel), bank, c->bank[bank].wanted, c->bus_free);
}

static uint32_t group_of(const struct dram_bank *m, uint32_t bank)
{
    return bank / m->banks_per_group;
}

/* --- earliest times of commands --- */

static sim_time_ps column_time(const struct channel *c, const struct access *a, bool write)
{
    const struct timing *t = &c->all->t;
    bool same = group_of(c->all, a->bank) == c->column_group;
    sim_time_ps at = c->bank[a->bank].column_from;
    uint32_t to_data = write ? t->wl : t->cl, turn;

    if (c->column_at == SIM_NEVER)
        return at;
    at = bank_commands_later(at, c->column_at + (same ? t->ccd_l : t->ccd_s));
    turn = write && !c->wrote ? t->ck : 0; /* bus turnaround takes one clock */
    if (c->bus_free + turn > at + to_data)
        at = c->bus_free + turn - to_data;
    if (!write && c->written)
        at = bank_commands_later(at, c->written + (same ? t->wtr_l : t->wtr_s));
    return at;
}

static sim_time_ps activate_time(const struct channel *c, const struct access *a)
{
    const struct timing *t = &c->all->t;
    sim_time_ps at = c->bank[a->bank].activate_from;

    if (c->activates) {
        bool same = group_of(c->all, a->bank) == c->activate_group;

        at = bank_commands_later(at, c->activate_at[(c->activates - 1) % ACTIVATES_IN_FAW] +
                                         (same ? t->rrd_l : t->rrd_s));
    }
    if (c->activates >= ACTIVATES_IN_FAW)
        at = bank_commands_later(at, c->activate_at[c->activates % ACTIVATES_IN_FAW] + t->faw);
    return at;
}

static sim_time_ps after_row_command(const struct channel *c, sim_time_ps at)
{
    return c->row_command_at == SIM_NEVER ? at : bank_commands_later(at, c->row_command_at + c->all->t.ck);
}

/* The first command that any access of the queue can issue from now on. */
static struct choice bank_commands_choose(const struct channel *c, bool write, sim_time_ps now)
{
    struct choice best = {.at = SIM_NEVER};
    const struct access *queue = c->queue[write];
    uint64_t hit_banks = 0, seen_banks = 0;

    for (uint32_t i = 0; i < c->count[write]; i++) /* marks banks whose open row is still needed */
        if (c->bank[queue[i].bank].row == queue[i].row)
            hit_banks |= 1ull << queue[i].bank;
    for (uint32_t i = 0; i < c->count[write]; i++) {
        const struct access *a = &queue[i];
        const struct bank *b = &c->bank[a->bank];
        struct choice x = {.entry = i};

        if (b->row == a->row) {
            x.command = write ? DRAM_WRITE : DRAM_READ;
            x.at = column_time(c, a, write);
        } else if ((hit_banks | seen_banks) >> a->bank & 1) {
            continue; /* an older access decides which row of the bank is open */
        } else {
            x.command = b->row ? DRAM_PRECHARGE : DRAM_ACTIVATE;
            x.at = after_row_command(c, b->row ? b->precharge_from : activate_time(c, a));
            seen_banks |= 1ull << a->bank;
        }
        x.at = bank_commands_later(x.at, now);
        /* Columns before activates: this order keeps the data bus busy. */
        if (x.at < best.at ||
            (x.at == best.at && best.command < DRAM_READ &&
             (x.command >= DRAM_READ || (x.command == DRAM_ACTIVATE && best.command == DRAM_PRECHARGE))))
            best = x;
    }
    return best;
}

/* --- commands --- */

static void precharge(struct channel *c, uint32_t bank, sim_time_ps at)
{
    struct bank *b = &c->bank[bank];

    observe_command(c, DRAM_PRECHARGE, bank, b->row - 1, at);
    b->row = 0;
    b->activate_from = bank_commands_later(b->activate_from, at + c->all->t.rp);
    c->row_command_at = at;
}

static void activate(struct channel *c, struct access *a, sim_time_ps at)
{
    const struct timing *t = &c->all->t;
    struct bank *b = &c->bank[a->bank];

    observe_command(c, DRAM_ACTIVATE, a->bank, a->row - 1, at);
    c->all->count->row_misses++;
    a->activated = true;
    b->row = a->row;
    b->column_from = at + t->rcd;
    b->precharge_from = at + t->ras;
    b->used = at + t->rcd;
    c->activate_at[c->activates++ % ACTIVATES_IN_FAW] = at;
    c->activate_group = group_of(c->all, a->bank);
    c->row_command_at = at;
}

/* Removes a served access from its queue. */
static void bank_commands_leave(struct channel *c, bool write, uint32_t entry)
{
    struct access *queue = c->queue[write];

    c->bank[queue[entry].bank].waiting--;
    memmove(queue + entry, queue + entry + 1, (--c->count[write] - entry) * sizeof *queue);
}

static void column(struct channel *c, bool write, uint32_t entry, sim_time_ps at)
{
    struct dram_bank *m = c->all;
    const struct timing *t = &m->t;
    struct access *a = &c->queue[write][entry];
    struct bank *b = &c->bank[a->bank];
    uint32_t sectors = a->sectors < m->burst_sectors ? a->sectors : m->burst_sectors, id = a->id;
    uint32_t data_ps = (uint32_t)((m->sector_q16 * sectors + 32768) >> 16);

    observe_command(c, write ? DRAM_WRITE : DRAM_READ, a->bank, a->row - 1, at);
    c->bus_free = at + (write ? t->wl : t->cl) + data_ps;
    c->busy_ps += data_ps;
    c->column_at = at;
    c->column_group = group_of(m, a->bank);
    c->wrote = write;
    b->used = at;
    if (write)
        c->written = c->bus_free;
    b->precharge_from = bank_commands_later(b->precharge_from, write ? c->bus_free + t->wr : at + t->rtp);
    *(write ? &m->count->write_sectors : &m->count->read_sectors) += sectors;
    observe_use(c, a->bank, sectors);
    a->sectors = (uint8_t)(a->sectors - sectors);
    if (a->sectors)
        return;
    m->count->row_hits += !a->activated;
    bank_commands_leave(c, write, entry);
    if (!write)
        m->read(m->ctx, id, c->bus_free);
    m->room(m->ctx, (uint32_t)(c - m->channel), write, at);
}

/* --- refresh and idle rows --- */

/* The earliest time of the next refresh, if no other command is issued to its bank. */
static sim_time_ps refresh_time(const struct channel *c)
{
    const struct bank *b = &c->bank[c->refresh_bank];

    return bank_commands_later(c->refresh_at, b->row ? b->precharge_from + c->all->t.rp : b->activate_from);
}

/* Closes the bank's row so that its refresh begins at `at`. The other banks continue. */
static void bank_commands_refresh(struct channel *c, sim_time_ps at)
{
    const struct timing *t = &c->all->t;
    struct bank *b = &c->bank[c->refresh_bank];

    observe_command(c, DRAM_REFRESH, c->refresh_bank, 0, at);
    b->row = 0;
    b->activate_from = at + t->rfc;
    c->refresh_bank = (c->refresh_bank + 1) % c->all->banks;
    c->refresh_at += t->refresh;
}

/* An idle channel is only updated when a request arrives: applies the refreshes and row closings since then. Only
 * the last refresh of each bank has an effect. */
static void catch_up(struct channel *c, sim_time_ps now)
{
    const uint64_t round = (uint64_t)c->all->banks * c->all->t.refresh;

    if (now > c->refresh_at + 2 * round)
        c->refresh_at += ((now - c->refresh_at) / round - 1) * round;
    while (c->refresh_at <= now)
        bank_commands_refresh(c, refresh_time(c));
}

/* Closes the row of a bank without queued accesses if it was not used for the close time. */
static void close_unused(struct channel *c, struct bank *b, sim_time_ps now)
{
    sim_time_ps at = bank_commands_later(b->precharge_from, b->used + c->all->t.close);

    if (!b->row || b->waiting || at >= now)
        return;
    observe_command(c, DRAM_PRECHARGE, (uint32_t)(b - c->bank), b->row - 1, at);
    b->row = 0;
    b->activate_from = bank_commands_later(b->activate_from, at + c->all->t.rp);
}

/* --- main loop of a channel --- */

/* Whether the write queue is served; else the read queue is. */
static bool serves_writes(struct channel *c)
{
    if (c->count[1] >= DRAIN_FROM)
        c->draining = true;
    if (c->count[1] <= DRAIN_TO)
        c->draining = false;
    return c->count[1] && (c->draining || !c->count[0]);
}

static void sleep_until(struct channel *c, sim_time_ps at)
{
    event_queue_cancel(c->all->queue, &c->ev);
    event_queue_schedule(c->all->queue, &c->ev, at, PHASE_ACT);
}

/* Issues all commands that can be issued now, and sleeps until the next one can. */
static void bank_commands_run(struct channel *c, sim_time_ps now)
{
    while (c->count[0] + c->count[1]) {
        bool write = serves_writes(c);
        struct choice next;

        if (c->refresh_at <= now) {
            bank_commands_refresh(c, refresh_time(c)); /* refresh has priority over all other commands */
            continue;
        }
        next = bank_commands_choose(c, write, now);
        if (next.at > now) {
            sleep_until(c, next.at < c->refresh_at ? next.at : c->refresh_at);
            return;
        }
        if (next.command == DRAM_PRECHARGE)
            precharge(c, c->queue[write][next.entry].bank, now);
        else if (next.command == DRAM_ACTIVATE)
            activate(c, &c->queue[write][next.entry], now);
        else
            column(c, write, next.entry, now);
    }
}

static void bank_commands_wake(struct event *ev, sim_time_ps now)
{
    bank_commands_run((struct channel *)ev, now);
}

bool dram_bank_has_room(const struct dram_bank *m, uint32_t channel, bool write)
{
    return m->channel[channel].count[write] < DRAM_QUEUE;
}

void dram_bank_access(struct dram_bank *m, const struct address_place *p, uint32_t sectors, bool write, uint32_t id,
                      sim_time_ps now)
{
    struct channel *c = &m->channel[p->channel];

    if (!c->count[0] && !c->count[1])
        catch_up(c, now);
    close_unused(c, &c->bank[p->bank], now);
    if (!c->bank[p->bank].waiting++)
        c->bank[p->bank].wanted = now;
    c->queue[write][c->count[write]++] =
        (struct access){.row = p->row + 1, .id = id, .bank = (uint8_t)p->bank, .sectors = (uint8_t)sectors};
    sleep_until(c, now);
}

uint64_t dram_bank_busy_ps(const struct dram_bank *m)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < m->channels; i++)
        sum += m->channel[i].busy_ps;
    return sum;
}

uint32_t dram_bank_idle_ps(const struct dram_bank *m)
{
    return m->t.rcd + m->t.cl + (uint32_t)((m->sector_q16 + 32768) >> 16);
}
