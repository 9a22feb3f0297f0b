#include "ingest/rocprof.h"

#include <string.h>

size_t rocprof_name_length(const char *name, size_t length)
{
    static const char *const endings[] = {" [clone .kd]", ".kd"};

    for (size_t i = 0; i < sizeof endings / sizeof *endings; i++) {
        size_t n = strlen(endings[i]);

        if (length > n && memcmp(name + length - n, endings[i], n) == 0)
            return length - n;
    }
    return length;
}

int64_t rocprof_workgroups(int64_t grid, int64_t group)
{
    return group > 0 ? grid / group + (grid % group != 0) : 0;
}

void rocprof_warn(struct import *im)
{
    import_warn(
        im, "amd_gpu", im->report->accepted,
        "The launches ran on an AMD GPU. There is no design of an AMD GPU: plans and the replay of durations "
        "work, simulations need a trace from an NVIDIA GPU.");
}
