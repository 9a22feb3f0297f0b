#include "base/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/strbuf.h"

const char *scratch_folder(void)
{
    const char *folder = getenv("TMPDIR");

    return folder && *folder ? folder : "/tmp";
}

/* For file systems without O_TMPFILE, such as NFS: a name that exists for a moment. */
static int named_file(struct err *e)
{
    struct strbuf path = STRBUF_INIT;
    int fd, failure;

    strbuf_addf(&path, "%s/vivace-XXXXXX", scratch_folder());
    if (path.failed) {
        err_no_memory(e);
        errno = ENOMEM;
        return -1;
    }
    fd = mkostemp(path.text, O_CLOEXEC);
    failure = errno;
    if (fd >= 0)
        unlink(path.text);
    strbuf_release(&path);
    errno = failure;
    return fd;
}

int scratch_file(const char *what, struct err *e)
{
    int fd = open(scratch_folder(), O_TMPFILE | O_RDWR | O_CLOEXEC, 0600);

    if (fd < 0)
        fd = named_file(e);
    if (fd >= 0)
        return fd;
    err_set_errno(e, errno, "cannot make a temporary file in %s for %s", scratch_folder(), what);
    return err_hint(e, "Set TMPDIR to another folder.");
}
