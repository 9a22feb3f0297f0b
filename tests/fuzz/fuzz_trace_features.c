/* Counts the features of the input as a kernel trace; the counts must be consistent with each other. By hand, what
 * `make fuzz FUZZ=fuzz_trace_features` does: see fuzz_nsys_csv.c. */
#include <stdlib.h>
#include <string.h>

#include "ingest/trace_features.h"
#include "simcore/trace/accel_sim.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

static void check(struct launch_features *l)
{
    uint64_t in_waves = 0;
    struct err e;
    struct features_builder *b = features_builder_new(1, &e);
    struct features *f;

    for (size_t w = 0; w < l->wave_count; w++)
        in_waves += l->waves[w].instructions;
    if (in_waves != l->instructions || l->metrics[FEATURE_THREADS_PER_INSTRUCTION] > 32 || !(l->cta_cov >= 0))
        abort();
    for (int m = FEATURE_GLOBAL_LOADS; m <= FEATURE_GLOBAL_ATOMICS; m++)
        if (l->metrics[m] > (double)l->instructions)
            abort();
    if (!b || features_builder_add(b, 0, l, &e) < 0 || !(f = features_builder_finish(b, true, &e)))
        abort();
    features_free(f);
    features_builder_free(b);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static struct trace_counter *counter;
    struct launch_features found;
    struct inst_source *s;
    struct stream *stream;
    struct err e;

    if (!counter && !(counter = trace_counter_new(&e)))
        abort();
    if (stream_open_bytes(bytes, n, "input", &stream, &e) < 0 || accel_sim_open(stream, &s, &e) < 0)
        return 0;
    if (trace_counter_read(counter, s, 3, &found, &e) == 0)
        check(&found);
    inst_source_release(s);
    return 0;
}
