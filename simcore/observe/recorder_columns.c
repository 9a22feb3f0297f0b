/* simcore/observe/recorder_columns.c: the columns of a recording. */
#include <stdio.h>
#include <string.h>

#include "simcore/observe/power.h"
#include "simcore/observe/recorder.h"

static const char *const mix_names[MIX_COUNT] = {
#define X(name, text, sentence) text,
    OP_MIX(X)
#undef X
};
static const char *const mix_sentences[MIX_COUNT] = {
#define X(name, text, sentence) "active lanes: " sentence,
    OP_MIX(X)
#undef X
};
static const char *const reason_names[SLOT_REASON_COUNT] = {
#define X(name, text, sentence) text,
    SLOT_REASONS(X)
#undef X
};
static const char *const reason_sentences[SLOT_REASON_COUNT] = {
#define X(name, text, sentence) "issue slots not used: " sentence,
    SLOT_REASONS(X)
#undef X
};
static const char *const part_names[POWER_PART_COUNT] = {
#define X(id, name, sentence) name "_fj",
    POWER_PARTS(X)
#undef X
};
static const char *const part_sentences[POWER_PART_COUNT] = {
#define X(id, name, sentence) "energy of " sentence,
    POWER_PARTS(X)
#undef X
};
static const char *const l1_names[OBSERVED_L1_COUNT] = {
#define X(name) #name,
    OBSERVED_L1(X)
#undef X
};

static void add_group(struct recording *r, const char *prefix, const char *unit, const char *const names[],
                      const char *const sentences[], uint32_t n)
{
    char name[40];

    for (uint32_t i = 0; i < n; i++) {
        snprintf(name, sizeof name, "%s%s%s", prefix, *prefix ? "_" : "", names[i]);
        recording_add_column(r, name, unit, sentences ? sentences[i] : "as the counter of this name", OF_GPU, 1);
    }
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
    const uint32_t counts[] = {
        [OF_GPU] = 1, [OF_SM] = d->sms, [OF_SLICE] = d->l2_slices, [OF_CHANNEL] = d->dram_channels};

    struct recording *out = r->out;

    for (uint32_t i = 0; i < RECORDED_COUNT; i++) {
        r->at[i] = out->width;
        if (i == REC_IDLE)
            add_group(out, rows[i].name, rows[i].unit, reason_names, reason_sentences, SLOT_REASON_COUNT);
        else if (i == REC_LANE_MIX)
            add_group(out, rows[i].name, rows[i].unit, mix_names, mix_sentences, MIX_COUNT);
        else if (i == REC_ENERGY)
            add_group(out, rows[i].name, rows[i].unit, part_names, part_sentences, POWER_PART_COUNT);
        else if (i == REC_L1)
            add_group(out, "", "sectors, passes or requests", l1_names, NULL, OBSERVED_L1_COUNT);
        else
            recording_add_column(out, rows[i].name, rows[i].unit, rows[i].sentence, rows[i].of, counts[rows[i].of]);
    }
}
