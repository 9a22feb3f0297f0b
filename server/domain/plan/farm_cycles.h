/* server/domain/plan/farm_cycles.h: converts a profile of counts to one of estimated cycles, from the farm's
 * results for that profile (sampling/plan/pilot.h). */
#ifndef VIVACE_SERVER_RUN_FARM_CYCLES_H
#define VIVACE_SERVER_RUN_FARM_CYCLES_H

#include "sampling/plan/pilot.h"
#include "server/store/db/db.h"

struct cycles_source {
    const char *profile;              /* id */
    const char *design, *design_name; /* SHA-256, name */
    const char *simulator;            /* version */
};
/* Scales `profile`, which is loaded. note: a sentence that says which part of it rests on which results.
 * ERR_CONFLICT without any result. */
int farm_cycles(struct db *db, const struct cycles_source *of, struct profile *profile, char *note, size_t size,
                struct err *e) MUST_CHECK;

#endif
