/* Fuzzes the SQLite export of nsys. By hand, what `make fuzz FUZZ=fuzz_nsys_sqlite` does:
 *   make BUILD=build-fuzz CC=clang SANITIZE=fuzzer-no-link,address,undefined build-fuzz/fuzz/fuzz_nsys_sqlite
 *   build-fuzz/fuzz/fuzz_nsys_sqlite -max_total_time=600 FOUND tests/fuzz/corpus/nsys_sqlite      (FOUND: a folder
 * for new inputs) */
#include <math.h>

#include "ingest/ingest.h"
#include "tests/fuzz/import_bytes.h"

/* The path sums up to the makespan, which is as profiled where nothing changes. */
static int read_timeline(struct import *im, struct err *e)
{
    static const struct timeline_options own = {{1, 1, 1, 1, 1}, false}, slow = {{2, 2, 2, 2, 2}, true};
    struct timeline_result r;
    struct timeline t;

    if (ingest_timeline(im->path, im->name, &t, e) == 0) {
        if (timeline_retime(&t, &own, &r, e) == 0 && fabs(r.span_ns - r.profiled_ns) > 1e-6 * r.profiled_ns + 1)
            abort();
        (void)timeline_retime(&t, &slow, &r, e);
    }
    timeline_release(&t);
    return -1;
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    import_bytes(nsys_sqlite_import, bytes, n);
    import_bytes(read_timeline, bytes, n);
    return 0;
}
