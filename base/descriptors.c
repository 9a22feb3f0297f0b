#include "base/descriptors.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <sys/syscall.h>
#include <unistd.h>

#define CLOSE_ON_EXEC (1u << 2) /* CLOSE_RANGE_CLOEXEC */

void descriptors_close_on_exec(unsigned first)
{
    struct rlimit most;

    if (syscall(SYS_close_range, first, ~0u, CLOSE_ON_EXEC) == 0)
        return;
    /* Linux before 5.11 has no CLOSE_RANGE_CLOEXEC. */
    if (getrlimit(RLIMIT_NOFILE, &most) < 0 || most.rlim_cur > 1048576)
        most.rlim_cur = 1048576;
    for (rlim_t fd = first; fd < most.rlim_cur; fd++) {
        int flags = fcntl((int)fd, F_GETFD);

        if (flags >= 0 && !(flags & FD_CLOEXEC))
            (void)fcntl((int)fd, F_SETFD, flags | FD_CLOEXEC);
    }
}
