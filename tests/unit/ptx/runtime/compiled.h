/* Real CUDA programs (programs/), compiled by clang. The tests build the container for their PTX. CUDA is not
 * needed. */
#ifndef VIVACE_TESTS_UNIT_SHIM_COMPILED_H
#define VIVACE_TESTS_UNIT_SHIM_COMPILED_H

#include <sys/wait.h>

#include "base/whole_file.h"
#include "tests/harness/check.h"
#include "tests/unit/ptx/runtime/fatbin.h"

#define PROGRAMS "tests/unit/ptx/runtime/programs/"
#define CLANG                                                                                                      \
    "clang --target=x86_64-linux-gnu -x cuda -nocudainc -nocudalib --cuda-gpu-arch=sm_80 "                         \
    "-Wno-unknown-cuda-version -Xclang -target-sdk-version=11.0 -I. -std=c++14 -fno-rtti -ffp-contract=off "

static char folder[] = "/tmp/vivace-compiled-XXXXXX", build[256];

/* Runs a shell command line. The variables BUILD and D are the build folder and the test's folder. Returns the
 * exit code. *out is stdout and stderr together; the next call frees it. */
static inline int shell(const char *line, const char **out)
{
    static char *text;
    char command[2000], path[300];
    struct err e;
    size_t n;
    int status;

    snprintf(command, sizeof command, "BUILD=%s; D=%s; { %s; } >%s/out 2>&1", build, folder, line, folder);
    status = system(command);
    snprintf(path, sizeof path, "%s/out", folder);
    free(text);
    CHECK_OK(whole_file_read(path, 1 << 20, &text, &n, &e), &e);
    if (out)
        *out = text;
    return WEXITSTATUS(status);
}

#define RUNS(line)                                                                                                 \
    do {                                                                                                           \
        const char *out_;                                                                                          \
        int code_ = shell(line, &out_);                                                                            \
        if (code_ != 0)                                                                                            \
            fail_msg("%s: exit code %d: %s", line, code_, out_);                                                   \
    } while (0)

/* Packs $D/NAME.ptx into $D/NAME.fatbin. */
static inline void pack(const char *name)
{
    struct strbuf b = STRBUF_INIT;
    struct fatbin_entry x = {.kind = FATBIN_PTX, .arch = 80};
    char path[300], *text;
    struct err e;

    snprintf(path, sizeof path, "%s/%s.ptx", folder, name);
    CHECK_OK(whole_file_read(path, 1 << 24, &text, &x.n, &e), &e);
    x.bytes = text;
    fatbin_build(&b, &x, 1);
    snprintf(path, sizeof path, "%s/%s.fatbin", folder, name);
    CHECK_OK(whole_file_write(path, b.text, b.length, &e), &e);
    strbuf_release(&b);
    free(text);
}

/* Compiles programs/NAME.cu to $D/NAME. `flags` are for the device code. */
static inline void compile_program(const char *name, const char *flags)
{
    char line[1500];

    snprintf(line, sizeof line,
             CLANG "--cuda-device-only -Xclang -target-feature -Xclang +ptx70 %s -S -o $D/%s.ptx " PROGRAMS "%s.cu",
             flags, name, name);
    RUNS(line);
    pack(name);
    snprintf(line, sizeof line,
             CLANG
             "-O1 --cuda-host-only -Xclang -fcuda-include-gpubinary -Xclang $D/%s.fatbin -c -o $D/%s.o " PROGRAMS
             "%s.cu && gcc -o $D/%s $D/%s.o -L$BUILD -l:libcudart.so.13 -lm",
             name, name, name, name, name);
    RUNS(line);
}

/* Creates the folder. False, with a message: no compiler for these programs is installed. */
static inline bool compiler_is_here(void)
{
    const char *where = getenv("VIVACE_BUILD");
    char cwd[200];

    assert_non_null(mkdtemp(folder));
    assert_non_null(getcwd(cwd, sizeof cwd));
    where = where ? where : "build";
    snprintf(build, sizeof build, "%s%s%s", *where == '/' ? "" : cwd, *where == '/' ? "" : "/", where);
#ifdef __SANITIZE_ADDRESS__
    print_message("skipped: a library with sanitizers does not go into a program without\n");
    return false;
#endif
    if (shell("command -v clang", NULL) != 0) {
        print_message("skipped: clang is not here\n");
        return false;
    }
    return true;
}

static inline int remove_folder(void **state)
{
    char line[100];

    (void)state;
    snprintf(line, sizeof line, "rm -r %s", folder);
    return system(line);
}

#endif
