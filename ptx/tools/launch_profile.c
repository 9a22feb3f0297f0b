/* A profile of launches: a text with one row for each launch. */
#include "ptx/tools/launch_profile.h"

#include <inttypes.h>

#include "base/whole_file.h"

void launch_profile_init(struct launch_profile *p)
{
    p->text = (struct strbuf)STRBUF_INIT;
    strbuf_adds(&p->text, "kernel,grid,block,warp_instructions\n");
}

void launch_profile_add(struct launch_profile *p, const char *kernel, const uint32_t grid[3],
                        const uint32_t block[3], uint64_t warp_instructions)
{
    strbuf_add_csv(&p->text, kernel);
    strbuf_addf(&p->text, ",\"%u,%u,%u\",\"%u,%u,%u\",%" PRIu64 "\n", grid[0], grid[1], grid[2], block[0], block[1],
                block[2], warp_instructions);
}

int launch_profile_write(const struct launch_profile *p, const char *path, struct err *e)
{
    return p->text.failed ? err_no_memory(e) : whole_file_put(path, p->text.text, p->text.length, e);
}

void launch_profile_release(struct launch_profile *p)
{
    strbuf_release(&p->text);
}
