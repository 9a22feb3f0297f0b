#include "base/assert.h"

#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

#include "base/version.h"

void assert_failed(const char *condition, const char *file, int line, const char *function)
{
    /* Written to stderr directly: this thread may hold the log's lock. */
    dprintf(STDERR_FILENO, "Vivace %s has a fault: %s:%d, %s: (%s) is false. Please report this line.\n",
            VIVACE_VERSION, file, line, function, condition);
    abort();
}
