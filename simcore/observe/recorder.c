#include "simcore/observe/recorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/array.h"
#include "base/text.h"
#include "simcore/observe/power.h"
#include "simcore/observe/recorder_rows.h"

static void say_about(struct recording_about *a, const struct gpu_design *d, const struct kernel_info *k)
{
    /* Ports use the clock of L2. Converts bytes per clock of each SM to MB/s of all SMs. */
    uint64_t ports_khz = (uint64_t)d->sms * d->l2_khz;

    snprintf(a->simulator, sizeof a->simulator, "%s", SIMCORE_VERSION);
    snprintf(a->design, sizeof a->design, "%s", d->name);
    memcpy(a->design_sha256, d->sha256, sizeof a->design_sha256);
    snprintf(a->kernel, sizeof a->kernel, "%s", k->name ? k->name : "");
    text_sanitize(a->kernel);
    a->kernel_id = k->id;
    a->sm_khz = d->sm_khz;
    a->dram_mbs = d->dram_mbs;
    a->noc_request_mbs = ports_khz * d->noc_request_bytes / 1000;
    a->noc_reply_mbs = ports_khz * d->noc_reply_bytes / 1000;
}

static uint32_t least(uint32_t a, uint32_t b)
{
    return a < b ? a : b;
}

struct recorder *recorder_new(const struct gpu_design *d, const struct kernel_info *k, uint32_t interval_cycles,
                              struct err *e)
{
    bool automatic = interval_cycles == SIM_RECORD_AUTO;
    struct recorder *r = mem_zalloc(1, sizeof *r, e);

    if (!r)
        return NULL;
    r->out = mem_zalloc(1, sizeof *r->out, e);
    r->channel_until = mem_zalloc(d->dram_channels, sizeof *r->channel_until, e);
    if (recorder_knows_banks(d))
        r->bank_until = mem_zalloc((size_t)d->dram_channels * d->dram_banks, sizeof *r->bank_until, e);
    if (!r->out || !r->channel_until || (recorder_knows_banks(d) && !r->bank_until)) {
        recorder_free(r);
        return NULL;
    }
    say_about(&r->out->about, d, k);
    clock_domain_init(&r->clock, d->sm_khz);
    r->out->interval_cycles = automatic ? RECORDER_AUTO_CYCLES : interval_cycles;
    r->banks = d->dram_banks;
    recorder_lay_out(r, d);
    r->rows_max = least(RECORDER_ROWS_MAX, RECORDER_CELLS_MAX / r->out->width);
    r->rows_at_end = least(automatic ? RECORDER_AUTO_ROWS : RECORDER_ROWS_MAX, r->rows_max);
    return r;
}

void recorder_free(struct recorder *r)
{
    if (!r)
        return;
    recording_free(r->out);
    free(r->channel_until);
    free(r->bank_until);
    free(r);
}

/* --- events --- */

/* Adds the SM's instructions to the current row. */
static void take_sm(struct recorder *r)
{
    struct recorded_issue *i = &r->issue;
    uint64_t issued = i->count->slots_issued, *row;

    if (issued == i->sm_issued)
        return;
    row = recorder_row_of(r, i->from);
    if (row)
        row[r->at[REC_SM_ISSUED] + i->sm] += issued - i->sm_issued;
    i->sm_issued = issued;
}

/* Adds the counts since the current row began. */
static void take_row(struct recorder *r)
{
    struct recorded_issue *i = &r->issue;
    const struct counters *c = i->count;
    const uint64_t l1[OBSERVED_L1_COUNT] = {
#define X(name) c->name,
        OBSERVED_L1(X)
#undef X
    };
    uint64_t *row;

    take_sm(r);
    row = recorder_row_of(r, i->from);
    if (!row)
        return;
    row[r->at[REC_LANES_32]] += c->slots_issued - i->issued;
    /* lane classes of instructions with fewer than all lanes */
    for (uint32_t k = 0; k + 1 < RECORDER_LANE_CLASSES; k++) {
        row[r->at[REC_LANES_0] + k] += i->lane_class[k];
        row[r->at[REC_LANES_32]] -= i->lane_class[k];
    }
    for (uint32_t k = 0; k < SLOT_REASON_COUNT; k++)
        if (k != SLOT_EMPTY) /* empty slots are computed at the end as the remainder */
            row[r->at[REC_IDLE] + k] += c->slots_idle[k] - i->idle[k];
    for (uint32_t k = 0; k < MIX_COUNT; k++)
        row[r->at[REC_LANE_MIX] + k] += c->lane_mix[k] - i->lanes[k];
    for (uint32_t k = 0; k < OBSERVED_L1_COUNT; k++)
        row[r->at[REC_L1] + k] += l1[k] - i->l1[k];
    row[r->at[REC_TENSOR]] += c->tensor_cycles - i->tensor;
}

/* Makes the row of this cycle the current one and stores the current counters. */
static void begin_row(struct recorder *r, const struct counters *c, uint64_t cycle)
{
    struct recorded_issue *i = &r->issue;
    const uint64_t l1[OBSERVED_L1_COUNT] = {
#define X(name) c->name,
        OBSERVED_L1(X)
#undef X
    };

    if (i->count)
        take_row(r);
    if (!recorder_row_of(r, cycle))
        return;
    i->from = r->last_from;
    i->to = r->last_to;
    i->count = c;
    i->issued = i->sm_issued = c->slots_issued;
    i->tensor = c->tensor_cycles;
    memcpy(i->idle, c->slots_idle, sizeof i->idle);
    memcpy(i->lanes, c->lane_mix, sizeof i->lanes);
    memcpy(i->l1, l1, sizeof i->l1);
    memset(i->lane_class, 0, sizeof i->lane_class);
}

/* For another row, launch or SM than before, or if the sub-core has been idle since before the row began. */
static __attribute__((noinline)) void turn_to(struct recorder *r, const struct sm *sm, const struct sub_core *sc,
                                              const struct counters *c, uint8_t reason, uint64_t cycle)
{
    struct recorded_issue *i = &r->issue;

    if (cycle < i->from || cycle >= i->to || c != i->count)
        begin_row(r, c, cycle);
    if (!i->count) /* out of memory */
        return;
    if (sm->index != i->sm) {
        take_sm(r);
        i->sm = sm->index;
    }
    if (sc->accounted < i->from && reason != SLOT_EMPTY) {
        recorder_spread(r, sc->accounted, i->from, r->at[REC_IDLE] + reason);
        i->idle[reason] += i->from - sc->accounted;
    }
}

void recorder_issue(struct recorder *r, const struct sm *sm, uint32_t slot, uint32_t t)
{
    const struct sub_core *sc = &sm->sub[slot % SUB_CORES];
    const struct warp *w = &sm->warp[slot];
    struct recorded_issue *i = &r->issue;
    uint32_t mask = w->insts[w->position].mask;
    uint64_t cycle = sm->base + t;

    if (cycle < i->from || cycle >= i->to || sc->accounted < i->from || sm->index != i->sm ||
        &w->launch->count != i->count)
        turn_to(r, sm, sc, &w->launch->count, sc->reason[slot / SUB_CORES], cycle);
    if (mask != UINT32_MAX)
        i->lane_class[observer_lane_class(mask)]++;
}

void recorder_exit(struct recorder *r, const struct sm *sm, const struct warp *w, uint32_t t, bool cta_over)
{
    uint64_t end = sm->base + t + 1;

    recorder_spread(r, w->started, end, r->at[REC_WARP_CYCLES]);
    if (!cta_over)
        return;
    recorder_add(r, end - 1, r->at[REC_CTAS], 1);
    recorder_add(r, end - 1, r->at[REC_CTA_CYCLES], end - w->started);
    if (sm->resident_ctas == 1) /* this was the last CTA */
        recorder_spread(r, sm->ctas_since, end, r->at[REC_SM_CYCLES]);
}

/* Adds the time with pending requests. Requests reach a channel or bank nearly in the order of the calls, so time
 * that was already added is not added again. */
static void pending(struct recorder *r, uint64_t *until, sim_time_ps from, sim_time_ps to, uint32_t at)
{
    if (to <= *until)
        return;
    recorder_spread_ps(r, from > *until ? from : *until, to, at);
    *until = to;
}

static void channel_pending(struct recorder *r, const struct mem_step *s)
{
    pending(r, &r->channel_until[s->place], s->from, s->to, r->at[REC_DRAM_PENDING] + s->place);
}

void recorder_bank_pending(struct recorder *r, uint32_t channel, uint32_t bank, sim_time_ps from, sim_time_ps to)
{
    uint32_t place = channel * r->banks + bank;

    if (r->bank_until)
        pending(r, &r->bank_until[place], from, to, r->at[REC_BANK_PENDING] + place);
}

void recorder_bank_moved(struct recorder *r, uint32_t channel, uint32_t bank, uint32_t sectors, sim_time_ps at)
{
    if (r->bank_until)
        recorder_add(r, clock_from_ps(&r->clock, at), r->at[REC_BANK_MOVED] + channel * r->banks + bank, sectors);
}

void recorder_stage(struct recorder *r, const struct mem_request *q, const struct mem_step *s)
{
    const uint32_t kinds[] = {[MEM_READ] = REC_L2_READ,
                              [MEM_WRITE] = REC_L2_WRITE,
                              [MEM_ATOMIC] = REC_L2_ATOMIC,
                              [MEM_REDUCTION] = REC_L2_ATOMIC};
    uint64_t end = clock_from_ps(&r->clock, s->to), made = clock_from_ps(&r->clock, q->made);

    switch (s->stage) {
    case STAGE_REQUEST: recorder_add(r, end, r->at[REC_NOC_REQUEST], s->amount); break;
    case STAGE_TAGS:
        recorder_add(r, end, r->at[REC_SLICE] + s->place, s->amount);
        if (q->kind != MEM_FAR_READ) /* the far read was counted where it was sent */
            recorder_add(r, made, r->at[kinds[q->kind]], s->amount);
        /* added in the row of its read, of which it is a part */
        recorder_add(r, made, r->at[REC_L2_MISS], s->missed);
        break;
    case STAGE_WRITE_BACK:
        channel_pending(r, s);
        recorder_add(r, end, r->at[REC_DRAM_WRITE] + s->place, s->amount);
        break;
    case STAGE_FILL:
        channel_pending(r, s);
        recorder_add(r, end, r->at[REC_DRAM_READ] + s->place, s->amount);
        break;
    case STAGE_REPLY:
        recorder_add(r, end, r->at[REC_NOC_REPLY], s->amount);
        recorder_add(r, end, r->at[REC_ANSWERS], 1);
        recorder_add(r, end, r->at[REC_ANSWER_PS], s->to - q->made);
        break;
    case STAGE_TRANSLATION:
    case STAGE_BRIDGE:
    case STAGE_DATA:
    case MEM_STAGE_COUNT: break;
    }
}

/* --- end of the recording --- */

/* All slots of a row are issued, idle for a reason, or empty. Computes the empty ones. */
static void fill_empty(struct recorder *r, const struct gpu_design *d, uint32_t row)
{
    uint64_t from = (uint64_t)row * r->out->interval_cycles, to = from + r->out->interval_cycles, used = 0;
    uint64_t *cell = r->out->cell + (size_t)row * r->out->width;

    to = to < r->out->cycles ? to : r->out->cycles;
    for (uint32_t i = 0; i < RECORDER_LANE_CLASSES; i++)
        used += cell[r->at[REC_LANES_0] + i];
    for (uint32_t i = 0; i < SLOT_REASON_COUNT; i++)
        used += cell[r->at[REC_IDLE] + i];
    cell[r->at[REC_IDLE] + SLOT_EMPTY] += (to - from) * d->sms * SUB_CORES - used;
}

static uint64_t sum_cells(const uint64_t *cell, uint32_t n)
{
    uint64_t sum = 0;

    for (uint32_t i = 0; i < n; i++)
        sum += cell[i];
    return sum;
}

static void fill_energy(struct recorder *r, const struct gpu_design *d, uint32_t row)
{
    uint64_t from = (uint64_t)row * r->out->interval_cycles, to = from + r->out->interval_cycles;
    uint64_t *cell = r->out->cell + (size_t)row * r->out->width;
    const uint64_t *l1 = cell + r->at[REC_L1];
    struct power_activity a = {
        .cycles = (to < r->out->cycles ? to : r->out->cycles) - from,
        .sm_active_cycles = cell[r->at[REC_SM_CYCLES]],
        .warp_instructions = sum_cells(cell + r->at[REC_LANES_0], RECORDER_LANE_CLASSES),
        .tensor_cycles = cell[r->at[REC_TENSOR]],
        .l1_sectors = l1[OBSERVED_l1_load_sectors] + l1[OBSERVED_l1_bypass_sectors] + l1[OBSERVED_l1_store_sectors],
        .shared_passes = l1[OBSERVED_shared_passes],
        .l2_sectors = cell[r->at[REC_L2_READ]] + cell[r->at[REC_L2_WRITE]] + cell[r->at[REC_L2_ATOMIC]],
        .noc_bytes = cell[r->at[REC_NOC_REQUEST]] + cell[r->at[REC_NOC_REPLY]],
        .dram_sectors = sum_cells(cell + r->at[REC_DRAM_READ], 2 * d->dram_channels), /* reads, then writes */
    };

    memcpy(a.lanes, cell + r->at[REC_LANE_MIX], sizeof a.lanes);
    power_of(d, &a, cell + r->at[REC_ENERGY]);
}

/* Adds rows after the end to the last row, which may be shorter than the others. */
static void cut_rows(struct recorder *r, uint64_t cycles)
{
    struct recording *out = r->out;
    uint32_t last = cycles ? (uint32_t)((cycles - 1) / out->interval_cycles) : 0;

    for (uint32_t i = last + 1; i < out->rows; i++)
        for (uint32_t k = 0; k < out->width; k++)
            out->cell[(size_t)last * out->width + k] += out->cell[(size_t)i * out->width + k];
    out->rows = cycles ? last + 1 : 0;
    while (out->rows > r->rows_at_end)
        recorder_fold(r);
}

int recorder_end(struct recorder *r, const struct sm *sms, const struct gpu_design *d, uint64_t cycles,
                 struct recording **out, struct err *e)
{
    r->out->cycles = cycles;
    if (r->issue.count)
        take_row(r);
    r->issue.count = NULL; /* the launch is freed before the recording */
    for (uint32_t i = 0; i < d->sms; i++)
        if (sms[i].active && sms[i].resident_ctas)
            recorder_spread(r, sms[i].ctas_since, cycles, r->at[REC_SM_CYCLES]);
    if (cycles)
        recorder_row_of(r, cycles - 1);
    if (r->failed)
        return err_no_memory(e);
    cut_rows(r, cycles);
    for (uint32_t i = 0; i < r->out->rows; i++) {
        fill_empty(r, d, i);
        fill_energy(r, d, i);
    }
    *out = r->out;
    r->out = NULL;
    return 0;
}
