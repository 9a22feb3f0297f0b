/* server/domain/plan/farm_cycles.h: a profile of counts becomes one of estimated cycles, by what the farm has
 * simulated of it (sampling/pilot.h). */
#ifndef VIVACE_SERVER_RUN_FARM_CYCLES_H
#define VIVACE_SERVER_RUN_FARM_CYCLES_H

#include "sampling/pilot.h"
#include "server/store/db/db.h"

struct cycles_source {
    const char *profile;              /* id */
    const char *design, *design_name; /* SHA-256, name */
    const char *simulator;            /* version */
};
/* Scales `profile`, which is loaded. note: how much of it rests on what, in a sentence. ERR_CONFLICT without any
 * result. */
int farm_cycles(struct db *db, const struct cycles_source *of, struct profile *profile, char *note, size_t size,
                struct err *e) MUST_CHECK;

#endif
