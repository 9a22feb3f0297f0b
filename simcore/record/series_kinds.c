/* simcore/record/series_kinds.c: the list of series, and their computation from columns. */
#include <math.h>

#include "base/assert.h"
#include "simcore/record/series_internal.h"

/* --- sums over rows --- */

uint64_t series_cycles(const struct recording *r, uint32_t from, uint32_t to)
{
    uint64_t begin = (uint64_t)from * r->interval_cycles, end = (uint64_t)to * r->interval_cycles;

    ASSERT(from <= to && begin <= r->cycles);
    return (end < r->cycles ? end : r->cycles) - begin;
}

static double seconds(const struct recording *r, uint32_t from, uint32_t to)
{
    return (double)series_cycles(r, from, to) / ((double)r->about.sm_khz * 1000);
}

/* The sum of one number of a column. */
static double sum_one(const struct series *s, const struct recorded_column *c, uint32_t index, uint32_t from,
                      uint32_t to)
{
    double sum = 0;

    for (uint32_t row = from; row < to; row++)
        sum += (double)recording_value(s->recording, row, c, index);
    return sum;
}

/* The sum of all numbers of a column. */
static double sum_all(const struct series *s, const struct recorded_column *c, uint32_t from, uint32_t to)
{
    double sum = 0;

    for (uint32_t row = from; row < to; row++)
        for (uint32_t i = 0; i < c->count; i++)
            sum += (double)recording_value(s->recording, row, c, i);
    return sum;
}

static double share(double part, double whole)
{
    return whole > 0 ? part / whole : NAN;
}

/* An event counts fully in the interval in which it ends. So a very short interval can show more than the peak. */
static double at_most_1(double part)
{
    ASSERT(!(part < 0));
    return part > 1 ? 1 : part;
}

/* The share of the bytes that this number of MB/s could have moved. */
static double used(const struct series *s, double bytes, uint64_t mbs, uint32_t from, uint32_t to)
{
    return share(bytes, (double)mbs * 1e6 * seconds(s->recording, from, to));
}

/* --- the values --- */

static double per_cycle(const struct series *s, uint32_t line, uint32_t from, uint32_t to)
{
    const struct recorded_column *c = s->column[0];
    double sum = s->lines > 1 ? sum_one(s, c, line, from, to) : sum_all(s, c, from, to);

    ASSERT(s->lines == 1 || s->lines == c->count);
    return share(sum, (double)series_cycles(s->recording, from, to));
}

static double l1_hits(const struct series *s, uint32_t line, uint32_t from, uint32_t to)
{
    (void)line;
    return share(sum_all(s, s->column[0], from, to) + sum_all(s, s->column[1], from, to),
                 sum_all(s, s->column[2], from, to));
}

static double l2_hits(const struct series *s, uint32_t line, uint32_t from, uint32_t to)
{
    double reads = sum_all(s, s->column[0], from, to), misses = sum_all(s, s->column[1], from, to);

    (void)line;
    return share(reads > misses ? reads - misses : 0, reads);
}

static double dram_moved(const struct series *s, uint32_t line, uint32_t from, uint32_t to)
{
    const struct recorded_column *reads = s->column[0], *writes = s->column[1];
    double sectors = s->lines > 1 ? sum_one(s, reads, line, from, to) + sum_one(s, writes, line, from, to)
                                  : sum_all(s, reads, from, to) + sum_all(s, writes, from, to);

    ASSERT(s->lines == 1 || reads->count == writes->count);
    if (s->lines > 1) /* each channel has an equal share of the peak */
        sectors *= reads->count;
    return used(s, sectors * RECORDING_SECTOR_BYTES, s->recording->about.dram_mbs, from, to);
}

static double dram_used(const struct series *s, uint32_t line, uint32_t from, uint32_t to)
{
    return at_most_1(dram_moved(s, line, from, to));
}

static double dram_efficiency(const struct series *s, uint32_t line, uint32_t from, uint32_t to)
{
    const struct recorded_column *c = s->column[2];
    double pending = s->lines > 1 ? sum_one(s, c, line, from, to) : sum_all(s, c, from, to) / c->count;

    ASSERT(c->count > 0);
    return at_most_1(share(dram_moved(s, line, from, to) * seconds(s->recording, from, to), pending * 1e-12));
}

/* The share of the channel's bus that a bank used: the banks of a channel add up to the channel. */
static double bank_moved(const struct series *s, uint32_t line, uint32_t from, uint32_t to)
{
    double sectors = sum_one(s, s->column[0], line, from, to) * s->column[2]->count;

    return used(s, sectors * RECORDING_SECTOR_BYTES, s->recording->about.dram_mbs, from, to);
}

static double bank_used(const struct series *s, uint32_t line, uint32_t from, uint32_t to)
{
    return at_most_1(bank_moved(s, line, from, to));
}

static double bank_efficiency(const struct series *s, uint32_t line, uint32_t from, uint32_t to)
{
    double pending = sum_one(s, s->column[1], line, from, to);

    return at_most_1(share(bank_moved(s, line, from, to) * seconds(s->recording, from, to), pending * 1e-12));
}

static double request_used(const struct series *s, uint32_t line, uint32_t from, uint32_t to)
{
    (void)line;
    return at_most_1(used(s, sum_all(s, s->column[0], from, to), s->recording->about.noc_request_mbs, from, to));
}

static double reply_used(const struct series *s, uint32_t line, uint32_t from, uint32_t to)
{
    (void)line;
    return at_most_1(used(s, sum_all(s, s->column[0], from, to), s->recording->about.noc_reply_mbs, from, to));
}

static double latency(const struct series *s, uint32_t line, uint32_t from, uint32_t to)
{
    double each_ps = share(sum_all(s, s->column[0], from, to), sum_all(s, s->column[1], from, to));

    (void)line;
    return each_ps * (double)s->recording->about.sm_khz * 1e-9;
}

/* Line 0 is issued instructions; the stall reasons follow. */
static double state_share(const struct series *s, uint32_t line, uint32_t from, uint32_t to)
{
    double issued = sum_all(s, s->column[0], from, to), whole = issued;

    ASSERT(s->lines > 1 && s->part[0] == s->column[0]);
    for (uint32_t i = 1; i < s->lines; i++)
        whole += sum_all(s, s->part[i], from, to);
    return share(line ? sum_all(s, s->part[line], from, to) : issued, whole);
}

/* Like state_share, but of the issue slots of SMs with a resident CTA. Every SM has the same number of slots per
 * cycle, so the share of the active SMs in the cycles of all SMs is their share in the slots. Their last line,
 * `empty`, is the rest: slots of an active SM that no warp could use. An interval can count an instruction that
 * ended with its SM's last CTA: then the slots that were used are the whole. */
static double active_state_share(const struct series *s, uint32_t line, uint32_t from, uint32_t to)
{
    const struct recorded_column *sms = s->column[0], *active_cycles = s->column[1];
    double busy = sum_all(s, sms, from, to), active, empty = sum_all(s, s->part[s->lines - 1], from, to);

    ASSERT(s->lines > 1 && s->part[0] == sms && sms->count > 0 && active_cycles->count == 1);
    for (uint32_t i = 1; i + 1 < s->lines; i++)
        busy += sum_all(s, s->part[i], from, to);
    active = (busy + empty) * share(sum_one(s, active_cycles, 0, from, to),
                                    (double)series_cycles(s->recording, from, to) * sms->count);
    if (!(active > busy))
        active = busy;
    if (line + 1 == s->lines)
        return share(active - busy, active);
    return share(sum_all(s, line ? s->part[line] : sms, from, to), active);
}

static double part_share(const struct series *s, uint32_t line, uint32_t from, uint32_t to)
{
    double whole = 0;

    for (uint32_t i = 0; i < s->lines; i++)
        whole += sum_all(s, s->part[i], from, to);
    return share(sum_all(s, s->part[line], from, to), whole);
}

static double part_watts(const struct series *s, uint32_t line, uint32_t from, uint32_t to)
{
    return share(sum_all(s, s->part[line], from, to) * 1e-15, seconds(s->recording, from, to));
}

static double watts(const struct series *s, uint32_t line, uint32_t from, uint32_t to)
{
    double fj = 0;

    ASSERT(!s->part[SERIES_PREFIXED_MAX - 1]);
    (void)line;
    for (uint32_t i = 0; s->part[i]; i++)
        fj += sum_all(s, s->part[i], from, to);
    return share(fj * 1e-15, seconds(s->recording, from, to));
}

#define DRAM_COLUMNS                                                                                               \
    {                                                                                                              \
        "channel_read_sectors", "channel_write_sectors", "channel_pending_ps"                                      \
    }
#define BANK_COLUMNS                                                                                               \
    {                                                                                                              \
        "bank_sectors", "bank_pending_ps", "channel_read_sectors"                                                  \
    }
const struct series_kind series_kinds[] = {
    {"ipc",
     "instructions a cycle",
     "gpu",
     "Instructions",
     "Instructions a cycle",
     "Warp instructions that the whole GPU issued, over SM cycles.",
     false,
     {"sm_warp_instructions"},
     NULL,
     per_cycle},
    {"active_warps",
     "warps",
     "gpu",
     "Warps",
     "Warps alive",
     "Warps between their start and their exit, on average.",
     false,
     {"warp_cycles"},
     NULL,
     per_cycle},
    {"active_sms",
     "SMs",
     "gpu",
     "Warps",
     "Active SMs",
     "SMs with a resident CTA, on average.",
     false,
     {"sm_active_cycles"},
     NULL,
     per_cycle},
    {"l1_hit_rate",
     "share",
     "gpu",
     "Caches",
     "L1 hit rate",
     "Sectors of loads that were in L1 or on their way.",
     false,
     {"l1_load_hit_sectors", "l1_load_pending_sectors", "l1_load_sectors"},
     NULL,
     l1_hits},
    {"l2_hit_rate",
     "share",
     "gpu",
     "Caches",
     "L2 hit rate",
     "Sectors of reads that were in L2 or on their way.",
     false,
     {"l2_read_sectors", "l2_read_miss_sectors"},
     NULL,
     l2_hits},
    {"dram_utilisation", "share", "gpu", "DRAM", "DRAM utilisation",
     "Bytes moved over the bytes that DRAM moves at "
     "peak.",
     false, DRAM_COLUMNS, NULL, dram_used},
    {"dram_efficiency", "share", "gpu", "DRAM", "DRAM efficiency",
     "The same, but only over the time with requests in the channels.", false, DRAM_COLUMNS, NULL, dram_efficiency},
    {"noc_request_utilisation",
     "share",
     "gpu",
     "Network",
     "Network to L2",
     "Bytes sent over what the ports of all SMs can send.",
     false,
     {"noc_request_bytes"},
     NULL,
     request_used},
    {"noc_reply_utilisation",
     "share",
     "gpu",
     "Network",
     "Network from L2",
     "Bytes that came back over what the ports of all SMs can take in.",
     false,
     {"noc_reply_bytes"},
     NULL,
     reply_used},
    {"memory_latency",
     "cycles",
     "gpu",
     "Network",
     "Memory latency",
     "From leaving the SM to being back, of the answers that came in this interval.",
     false,
     {"answer_ps", "answers"},
     NULL,
     latency},
    {"power", "W", "gpu", "Power", "Power", "Energy of all parts over time.", false, {NULL}, "energy_", watts},
    {"sm_ipc",
     "instructions a cycle",
     "sm",
     "Instructions",
     "Instructions a cycle of each SM",
     "Warp instructions that an SM issued, over cycles: dark is idle.",
     false,
     {"sm_warp_instructions"},
     NULL,
     per_cycle},
    {"warp_states",
     "share",
     "state",
     "Warps",
     "What issue slots did",
     "Of all issue slots: those that issued an instruction, and why the others did not.",
     true,
     {"sm_warp_instructions"},
     "slots_",
     state_share},
    {"active_warp_states",
     "share",
     "state",
     "Warps",
     "What issue slots of active SMs did",
     "The same, of the issue slots of SMs with a resident CTA: no value while no SM has one.",
     true,
     {"sm_warp_instructions", "sm_active_cycles"},
     "slots_",
     active_state_share},
    {"active_lanes",
     "share",
     "lanes",
     "Warps",
     "Active lanes",
     "Shares of the issued warp instructions, by the number of active lanes (of 32).",
     true,
     {NULL},
     "warp_instructions_",
     part_share},
    {"slice_sectors_per_cycle",
     "sectors a cycle",
     "slice",
     "Caches",
     "Sectors requested from each slice of L2",
     "Sectors that requests asked a slice for, over SM cycles: a bright line is a slice that all want.",
     false,
     {"slice_sectors"},
     NULL,
     per_cycle},
    {"channel_utilisation", "share", "channel", "DRAM", "Utilisation of each DRAM channel",
     "Bytes moved, divided by the peak of the channel.", false, DRAM_COLUMNS, NULL, dram_used},
    {"channel_efficiency", "share", "channel", "DRAM", "Efficiency of each DRAM channel",
     "The same, but only over the time with requests in the channel.", false, DRAM_COLUMNS, NULL, dram_efficiency},
    {"bank_utilisation", "share", "bank", "DRAM", "Utilisation of each DRAM bank",
     "Bytes moved, divided by the peak of its channel: the banks of a channel add up to the channel.", false,
     BANK_COLUMNS, NULL, bank_used},
    {"bank_efficiency", "share", "bank", "DRAM", "Efficiency of each DRAM bank",
     "The same, but only over the time with accesses to the bank in progress.", false, BANK_COLUMNS, NULL,
     bank_efficiency},
    {"power_parts",
     "W",
     "part",
     "Power",
     "Power by part",
     "Energy of each part of the GPU over time.",
     false,
     {NULL},
     "energy_",
     part_watts},
};
#undef DRAM_COLUMNS
#undef BANK_COLUMNS

size_t series_count(void)
{
    return sizeof series_kinds / sizeof *series_kinds;
}
