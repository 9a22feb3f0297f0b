/* Programs that were linked with the runtime of CUDA 11, 12 or 13 start with ours, and get structs of their
 * version. At link time a library with the name and version of NVIDIA's, made here, takes its place. */
#include "tests/unit/ptx/runtime/compiled.h"

/* The program declares the interface as the headers of its version do; offsets are those of
 * ptx/runtime/versions.c. V: 11, 12 or 13. */
static const char program[] =
    "#include <stdio.h>\n#include <stdlib.h>\n#include <string.h>\n"
    "#define IS(x, y) do { long a_ = (long)(x), b_ = (long)(y); if (a_ != b_) { printf(\"line %d: %ld, not "
    "%ld\\n\", "
    "__LINE__, a_, b_); exit(1); } } while (0)\n"
    "int cudaMalloc(void **, size_t), cudaMemset(void *, int, size_t), cudaFree(void *), cudaRuntimeGetVersion(int "
    "*);\n"
    "int cudaMemcpy(void *, const void *, size_t, int), cudaPointerGetAttributes(void *, const void *);\n"
    "#if V == 12\n#define cudaGetDeviceProperties cudaGetDeviceProperties_v2\n#endif\n"
    "int cudaGetDeviceProperties(void *, int);\n"
    "#if V < 13\nint cudaThreadSynchronize(void), cudaMemPrefetchAsync(const void *, size_t, int, void "
    "*);\n#endif\n"
    "static unsigned char p[2000], a[200], host[64];\n"
    "static int at(size_t n) { int x; memcpy(&x, p + n, 4); return x; }\n"
    "static void ends_at(const unsigned char *s, size_t n) { IS(s[n], 0xaa); }\n"
    "int main(void)\n{\n  void *d; int version;\n"
    "  memset(p, 0xaa, sizeof p); memset(a, 0xaa, sizeof a);\n"
    "  IS(cudaRuntimeGetVersion(&version), 0); IS(version / 1000, V);\n"
    "  IS(cudaGetDeviceProperties(p, 0), 0);\n"
    "  IS(at(V == 13 ? 384 : 388), 108);\n" /* multiProcessorCount */
    "  IS(at(360), 8); IS(at(364), 0);\n"
    "  IS(V == 13 || at(348) > 1000000, 1);\n" /* clockRate, kHz */
    "  ends_at(p, V == 11 ? 728 : V == 12 ? 1032 : sizeof p - 1);\n"
    "  IS(cudaMalloc(&d, 64), 0); IS(cudaMemset(d, 7, 64), 0); IS(cudaMemcpy(host, d, 64, 2), 0); IS(host[63], "
    "7);\n"
    "  IS(cudaPointerGetAttributes(a, d), 0); IS(a[0], 2); ends_at(a, V == 13 ? 88 : 24);\n"
    "#if V < 13\n  IS(cudaThreadSynchronize(), 0); IS(cudaMemPrefetchAsync(d, 64, 0, 0), 0);\n#endif\n"
    "  IS(cudaFree(d), 0); puts(\"PASSED\"); return 0;\n}\n";

static void runs(int version, const char *library)
{
    char line[1500];
    const char *out;

    snprintf(
        line, sizeof line,
        "cd $D && mkdir -p linked && printf '%s { global: *; };' >linked/map && "
        "for f in Malloc Memset Free RuntimeGetVersion Memcpy PointerGetAttributes GetDeviceProperties "
        "GetDeviceProperties_v2 ThreadSynchronize MemPrefetchAsync; do echo \"int cuda$f(void) { return 1; }\"; "
        "done >linked/s.c && gcc -shared -fPIC -o linked/%s linked/s.c -Wl,-soname,%s "
        "-Wl,--version-script=linked/map && "
        "gcc -DV=%d -o p%d p.c linked/%s && readelf -d p%d | grep -q %s",
        library, library, library, version, version, library, version, library);
    RUNS(line);
    snprintf(line, sizeof line, "$BUILD/vivace exec --device a100 $D/p%d", version);
    if (shell(line, &out) != 0 || strcmp(out, "PASSED\n") != 0)
        fail_msg("%s: %s", library, out);
}

static void programs_of_each_version_start(void **state)
{
    char path[300];
    struct err e;

    (void)state;
    if (!compiler_is_here())
        skip();
    snprintf(path, sizeof path, "%s/p.c", folder);
    CHECK_OK(whole_file_write(path, program, strlen(program), &e), &e);
    runs(11, "libcudart.so.11.0");
    runs(12, "libcudart.so.12");
    runs(13, "libcudart.so.13");
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(programs_of_each_version_start)};

    return cmocka_run_group_tests_name("versions", tests, NULL, remove_folder);
}
