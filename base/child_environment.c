#include "base/child_environment.h"

#include <unistd.h>

#include "base/text.h"

void child_environment(char *env[CHILD_ENVIRONMENT])
{
    static const char *const passed[] = {
        "PATH=", "TMPDIR=", "LD_LIBRARY_PATH=", "ASAN_OPTIONS=", "LSAN_OPTIONS=", "UBSAN_OPTIONS="};
    size_t n = 0;

    for (char **v = environ; *v; v++)
        for (size_t i = 0; i < sizeof passed / sizeof *passed && n + 1 < CHILD_ENVIRONMENT; i++)
            if (str_starts(*v, passed[i]))
                env[n++] = *v;
    env[n] = NULL;
}
