/* ptx/tools/launch_profile.h: a profile of the launches: a CSV with kernel, grid, block and warp instructions of
 * each launch in launch order (docs/formats/features.md, "A CSV of instruction counts"). */
#ifndef VIVACE_PTX_TOOLS_LAUNCH_PROFILE_H
#define VIVACE_PTX_TOOLS_LAUNCH_PROFILE_H

#include <stdint.h>

#include "base/strbuf.h"

struct launch_profile {
    struct strbuf text;
};

void launch_profile_init(struct launch_profile *p);
void launch_profile_add(struct launch_profile *p, const char *kernel, const uint32_t grid[3],
                        const uint32_t block[3], uint64_t warp_instructions);
/* Writes the file atomically. */
int launch_profile_write(const struct launch_profile *p, const char *path, struct err *e);
void launch_profile_release(struct launch_profile *p);

#endif
