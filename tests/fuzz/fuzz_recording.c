/* Fuzzes the reader of recordings: an accepted recording can be summarised and exported. */
#include <stdlib.h>

#include "simcore/record/series.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    struct recording *r = NULL;
    size_t length;
    struct err e;
    char *text;

    if (recording_parse((const char *)bytes, n, "fuzz", &r, &e) < 0)
        return 0;
    free(recording_summary(r, &e));
    text = recording_json(r, &e);
    if (!text || recording_export_aerialvision(r, "/dev/null", &e) < 0)
        __builtin_trap();
    free(text);
    text = recording_chrome_trace(r, &length, &e);
    if (!text)
        __builtin_trap();
    free(text);
    recording_free(r);
    return 0;
}
