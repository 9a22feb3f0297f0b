/* Fuzzes the reader of recordings: what is taken can be summed up and exported. */
#include <stdlib.h>

#include "simcore/simcore.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct recording *r = NULL;
    struct err e;

    if (recording_parse((const char *)bytes, n, "fuzz", &r, &e) < 0)
        return 0;
    free(recording_summary(r, &e));
    if (recording_export_json(r, "/dev/null", &e) < 0 || recording_export_aerialvision(r, "/dev/null", &e) < 0)
        __builtin_trap();
    recording_free(r);
    return 0;
}
