/* Fuzzes the lists that tracers write, compared with a small profile. By hand, what `make fuzz
 * FUZZ=fuzz_launch_list` does: make BUILD=build-fuzz CC=clang SANITIZE=fuzzer-no-link,address,undefined
 * build-fuzz/fuzz/fuzz_launch_list build-fuzz/fuzz/fuzz_launch_list -max_total_time=600 FOUND
 * tests/fuzz/corpus/launch_list      (FOUND: a folder for new inputs) */
#include <string.h>

#include "ingest/launch_check.h"

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n);

/* Launches f, a graph of two launches, f, g: the order of the seeds' lists. */
static void make_profile(struct profile *p)
{
    static const uint64_t calls[] = {1, 2, 2, 3, 4};
    struct profile_builder *b;
    struct err e;

    b = profile_builder_new(PROFILE_NS, 1, &e);
    for (size_t i = 0; b && i < 5; i++)
        profile_builder_add(b,
                            &(struct profile_row){.name = i == 4 ? "g()" : "f(int*)",
                                                  .mangled_name = i == 4 ? NULL : "_Z1fPi",
                                                  .grid = {4, 1, 1},
                                                  .block = {32, 1, 1},
                                                  .correlation = calls[i],
                                                  .start_ns = (int64_t)i,
                                                  .value = 1},
                            &e);
    if (b)
        profile_builder_finish(b, p, &e);
    profile_builder_free(b);
}

int LLVMFuzzerTestOneInput(const uint8_t *bytes, size_t n)
{
    static struct profile profile;
    const struct launch_check_options options = {.context = 0};
    struct launch_verdict v;
    struct stream *s;
    struct err e;

    if (!profile.count)
        make_profile(&profile);
    if (stream_open_bytes(bytes, n, "list", &s, &e) < 0)
        return 0;
    if (launch_check_stream(s, &profile, &options, &v, &e) == 0) {
        json_t *json = launch_verdict_json(&v, &profile);

        if (!json || (!v.mismatch.there && v.in_order && v.matched != v.calls))
            __builtin_trap(); /* the answer must be printable for any name, and must contain its counts */
        json_decref(json);
    }
    launch_verdict_release(&v);
    stream_close(s);
    return 0;
}
