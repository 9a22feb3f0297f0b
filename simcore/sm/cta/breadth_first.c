/* simcore/sm/cta/breadth_first.c: places one CTA on each SM before a second CTA on any SM. SM i is in GPC i mod
 * gpcs, so ascending SM numbers visit the GPCs in turn. */
#include "simcore/sm/cta_scheduler.h"

static int breadth_first_place(struct cta_scheduler *s, struct launch *l, uint64_t cycle, struct err *e)
{
    bool placed = true;

    while (placed && !l->drained) {
        placed = false;
        for (uint32_t i = 0; i < s->env->design->sms && !l->drained; i++) {
            int got = cta_scheduler_place_one(s, &s->sms[i], l, cycle, 0, e);

            if (got < 0)
                return -1;
            placed |= got > 0;
        }
    }
    return 0;
}

const struct cta_placement cta_placement_breadth_first = {.name = "breadth_first", .place = breadth_first_place};
