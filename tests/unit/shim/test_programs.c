/* Whole programs of the kind that people bring (programs/: products of matrices, stencils, eliminations, sorts,
 * learning, what C++ needs of a machine), each with a plain reference inside, compiled as they compile them:
 * optimised, and with everything in local memory. Run with --check: what the manual leaves undefined would fail
 * them. */
#include "tests/unit/shim/compiled.h"

static bool here;

static int begin(void **state)
{
    (void)state;
    here = compiler_is_here();
    return 0;
}

static void passes(const char *name, const char *flags)
{
    char line[200];
    const char *out;

    compile_program(name, flags);
    snprintf(line, sizeof line, "$BUILD/vivace exec --check $D/%s", name);
    if (shell(line, &out) != 0 || strcmp(out, "PASSED\n") != 0)
        fail_msg("%s %s: %s", name, flags, out);
}

static void optimised_and_not(void **state)
{
    if (!here)
        skip();
    passes(*state, "-O3");
    passes(*state, "-O0");
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
