/* simcore/observe/recorder_columns.c: the columns of a recording. */
#include <stdio.h>
#include <string.h>

#include "simcore/observe/power.h"
#include "simcore/observe/recorder.h"

struct named {
    const char *name, *sentence;
};
static const struct named mixes[MIX_COUNT] = {
#define X(name, text, sentence) {text, "active lanes: " sentence},
    OP_MIX(X)
#undef X
};
static const struct named reasons[SLOT_REASON_COUNT] = {
#define X(name, text, sentence) {text, "issue slots not used: " sentence},
    SLOT_REASONS(X)
#undef X
};
static const struct named parts[POWER_PART_COUNT] = {
#define X(id, name, sentence) {name "_fj", "energy of " sentence},
    POWER_PARTS(X)
#undef X
};
static const struct named l1_counters[OBSERVED_L1_COUNT] = {
#define X(name) {#name, "as the counter of this name"},
    OBSERVED_L1(X)
#undef X
};

static void add_group(struct recording *r, const char *prefix, const char *unit, const struct named *of, uint32_t n)
{
    char name[40];

    for (uint32_t i = 0; i < n; i++) {
        snprintf(name, sizeof name, "%s%s%s", prefix, *prefix ? "_" : "", of[i].name);
        recording_add_column(r, name, unit, of[i].sentence, OF_GPU, 1);
    }
}

bool recorder_knows_banks(const struct gpu_design *d)
{
    return d->model.dram == DRAM_BANK && d->dram_channels * d->dram_banks <= RECORDING_COUNT_MAX;
}

void recorder_lay_out(struct recorder *r, const struct gpu_design *d)
{
    static const struct {
        const char *name, *unit;
        enum recorded_of of;
        const char *sentence;
    } rows[RECORDED_COUNT] = {
#define X(id, name, unit, of, sentence) {name, unit, of, sentence},
        RECORDED(X)
#undef X
    };
    const uint32_t counts[] = {[OF_GPU] = 1,
                               [OF_SM] = d->sms,
                               [OF_SLICE] = d->l2_slices,
                               [OF_CHANNEL] = d->dram_channels,
                               [OF_BANK] = recorder_knows_banks(d) ? d->dram_channels * d->dram_banks : 0};
    struct recording *out = r->out;

    for (uint32_t i = 0; i < RECORDED_COUNT; i++) {
        r->at[i] = out->width;
        if (i == REC_IDLE)
            add_group(out, rows[i].name, rows[i].unit, reasons, SLOT_REASON_COUNT);
        else if (i == REC_LANE_MIX)
            add_group(out, rows[i].name, rows[i].unit, mixes, MIX_COUNT);
        else if (i == REC_ENERGY)
            add_group(out, rows[i].name, rows[i].unit, parts, POWER_PART_COUNT);
        else if (i == REC_L1)
            add_group(out, "", "sectors, passes or requests", l1_counters, OBSERVED_L1_COUNT);
        else if (counts[rows[i].of])
            recording_add_column(out, rows[i].name, rows[i].unit, rows[i].sentence, rows[i].of, counts[rows[i].of]);
    }
}
