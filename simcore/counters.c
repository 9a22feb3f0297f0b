#include "simcore/counters.h"

#include "base/array.h"

static const struct sim_counter plain[] = {
#define X(name, unit, sentence) {#name, unit, sentence, 0},
    COUNTERS(X)
#undef X
};
static const struct sim_counter idle[] = {
#define X(name, text, sentence) {"slots_" text, "slots", "issue slots not used: " sentence, 0},
    SLOT_REASONS(X)
#undef X
};
static const struct sim_counter warp_mix[] = {
#define X(name, text, sentence) {"warp_instructions_" text, "instructions", "warp instructions: " sentence, 0},
    OP_MIX(X)
#undef X
};
static const struct sim_counter lane_mix[] = {
#define X(name, text, sentence) {"lane_instructions_" text, "instructions", "active lanes: " sentence, 0},
    OP_MIX(X)
#undef X
};
static const struct sim_counter energies[] = {
#define X(id, name, sentence) {"energy_" name, "nJ", "energy of " sentence, 0},
    POWER_PARTS(X)
#undef X
};
enum { PLAIN = sizeof plain / sizeof *plain };

static size_t append(struct sim_counter *out, const struct sim_counter *rows, const uint64_t *values, size_t n)
{
    for (size_t i = 0; i < n; i++) {
        out[i] = rows[i];
        out[i].value = values[i];
    }
    return n;
}

struct sim_counter *counters_list(const struct counters *c, size_t *n, struct err *e)
{
    const uint64_t values[] = {
#define X(name, unit, sentence) c->name,
        COUNTERS(X)
#undef X
    };
    struct sim_counter *list =
        mem_zalloc(PLAIN + SLOT_REASON_COUNT + 2 * MIX_COUNT + POWER_PART_COUNT, sizeof *list, e);

    if (!list)
        return NULL;
    *n = append(list, plain, values, PLAIN);
    *n += append(list + *n, idle, c->slots_idle, SLOT_REASON_COUNT);
    *n += append(list + *n, warp_mix, c->warp_mix, MIX_COUNT);
    *n += append(list + *n, lane_mix, c->lane_mix, MIX_COUNT);
    *n += append(list + *n, energies, c->energy, POWER_PART_COUNT);
    return list;
}
