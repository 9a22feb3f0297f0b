/* Complete CUDA programs as users write them (programs/: matrix products, stencils, linear algebra, sorts,
 * machine learning, C++ features), each with a simple reference inside. They are compiled with optimization, and
 * without it, which puts all variables in local memory. They run with --check, so behaviour that the manual
 * leaves undefined is an error. */
#include "tests/unit/ptx/runtime/compiled.h"

static bool here;

static int begin(void **state)
{
    (void)state;
    here = compiler_is_here();
    return 0;
}

static void passes(const char *name, const char *how)
{
    char line[200];
    const char *out;

    snprintf(line, sizeof line, "$BUILD/vivace exec --check $D/%s", name);
    if (shell(line, &out) != 0 || strcmp(out, "PASSED\n") != 0)
        fail_msg("%s %s: %s", name, how, out);
}

/* Compiles with NVIDIA's compiler where it is installed. The output is deleted. */
static void by_nvcc(const char *name)
{
    char line[400];

    if (shell("PATH=$PATH:/usr/local/cuda/bin; command -v nvcc", NULL) != 0)
        return;
    snprintf(line, sizeof line,
             "PATH=$PATH:/usr/local/cuda/bin; nvcc -cudart shared -std=c++14 -w -fmad=false -I. -arch=compute_90 "
             "-code=compute_90 -O3 -o $D/%s " PROGRAMS "%s.cu",
             name, name);
    RUNS(line);
    passes(name, "by nvcc");
}

static void optimised_and_not(void **state)
{
    static const char *const flags[] = {"-O3", "-O0"};

    if (!here)
        skip();
    for (size_t k = 0; k < sizeof flags / sizeof *flags; k++) {
        compile_program(*state, flags[k]);
        passes(*state, flags[k]);
    }
    by_nvcc(*state);
}

#define PROGRAM(name)                                                                                              \
    {                                                                                                              \
        name, optimised_and_not, NULL, NULL, name                                                                  \
    }

int main(void)
{
    const struct CMUnitTest tests[] = {
        PROGRAM("matmul"), PROGRAM("stencils"), PROGRAM("linear"),
        PROGRAM("sorts"),  PROGRAM("learning"), PROGRAM("language"),
    };

    return cmocka_run_group_tests_name("programs", tests, begin, remove_folder);
}
