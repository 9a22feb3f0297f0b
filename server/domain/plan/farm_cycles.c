#include "server/domain/plan/farm_cycles.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/array.h"
#include "server/store/repo/repo_result.h"

/* Loads the farm's results; the caller frees them. */
static struct pilot_launch *results(struct db *db, const struct cycles_source *of, size_t *count, struct err *e)
{
    struct pilot_launch *out;
    struct db_rows rows;

    if (repo_result_cycles(db, of->profile, of->design, of->simulator, &rows, e) < 0)
        return NULL;
    *count = (size_t)rows.count;
    out = mem_zalloc(*count + 1, sizeof *out, e);
    for (size_t i = 0; out && i < *count; i++)
        out[i] = (struct pilot_launch){(uint64_t)db_get_i64(&rows, (int)i, 0), db_get_double(&rows, (int)i, 1),
                                       db_get_double(&rows, (int)i, 2)};
    db_rows_release(&rows);
    if (out && *count == 0) {
        free(out);
        err_set(e, ERR_CONFLICT, "simulator %s has no result of this profile's launches on %s yet", of->simulator,
                of->design_name);
        err_hint(e, "Run a plan of the profile on %s first: cycles are estimated from its results.",
                 of->design_name);
        return NULL;
    }
    return out;
}

int farm_cycles(struct db *db, const struct cycles_source *of, struct profile *profile, char *note, size_t size,
                struct err *e)
{
    struct pilot_launch *launches;
    struct pilot_outcome o;
    size_t count = 0;
    int ret;

    if (pilot_check(profile, e) < 0)
        return -1;
    launches = results(db, of, &count, e);
    ret = launches ? pilot_scale(profile, launches, count, of->design_name, &o, e) : -1;
    free(launches);
    if (ret == 0)
        snprintf(note, size,
                 "estimated from %zu launches simulated on %s, which have %zu of %zu shapes; %.3g %% of the cycles "
                 "are scaled from other shapes of the same kernel, %.3g %% from other kernels",
                 count, of->design_name, o.measured, o.shapes, 100 * o.from_name, 100 * o.from_others);
    return ret;
}
