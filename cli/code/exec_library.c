#include "cli/code/exec_library.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#define LIBRARY "libcudart.so.13"

static int there(const char *folder)
{
    char path[PATH_MAX + sizeof LIBRARY + 1];

    snprintf(path, sizeof path, "%s/" LIBRARY, folder);
    return access(path, R_OK) == 0;
}

int exec_library_folder(char out[PATH_MAX], struct err *e)
{
    char own[PATH_MAX - sizeof "/../lib/vivace"];
    ssize_t n = readlink("/proc/self/exe", own, sizeof own - 1);
    char *slash;

    own[n > 0 ? n : 0] = '\0';
    slash = strrchr(own, '/');
    if (slash)
        *slash = '\0';
    snprintf(out, PATH_MAX, "%s", own);
    if (there(out))
        return 0;
    snprintf(out, PATH_MAX, "%s/../lib/vivace", own);
    if (there(out))
        return 0;
    return err_set(e, ERR_NOT_FOUND, LIBRARY " is neither in %s nor in %s", own, out);
}
