#include "worker/scratch_dir.h"

#include <errno.h>
#include <ftw.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "base/log.h"

int scratch_dir_state_make(char *out, size_t size, struct err *e)
{
    const char *job = getenv("SLURM_JOB_ID"), *folder = getenv("SLURM_TMPDIR");
    int n;

    if (!job || !*job || strchr(job, '/'))
        return 0;
    n = snprintf(out, size, "%s/vivace-worker-%s-XXXXXX", folder && *folder ? folder : "/tmp", job);
    if (n < 0 || (size_t)n >= size)
        return err_set(e, ERR_USAGE, "$SLURM_TMPDIR is too long");
    return mkdtemp(out) ? 1 : err_set_errno(e, errno, "making a folder like %s", out);
}

static int remove_one(const char *path, const struct stat *st, int type, struct FTW *at)
{
    (void)st;
    (void)type;
    (void)at;
    return remove(path) == 0 || errno == ENOENT ? 0 : -1;
}

void scratch_dir_state_remove(const char *folder)
{
    if (nftw(folder, remove_one, 16, FTW_DEPTH | FTW_PHYS | FTW_MOUNT) != 0)
        log_warn("worker", "the worker's folder could not be removed", "state=%s", folder);
}
