#include "tests/harness/check.h"

#include "base/demangle.h"

static void check_demangled(const char *mangled, const char *want)
{
    struct err e;
    char *got = demangle(mangled, &e);

    assert_non_null(got);
    assert_string_equal(got, want);
    free(got);
}

static void mangled_names_read_as_people_write_them(void **state)
{
    (void)state;
    check_demangled("_Z9vectorAddPKfS0_Pfi", "vectorAdd(float const*, float const*, float*, int)");
    check_demangled("_Z8mult_gpuIfEvPT_S1_S1_ii", "void mult_gpu<float>(float*, float*, float*, int, int)");
    check_demangled("_ZN12_GLOBAL__N_11kEv", "(anonymous namespace)::k()");
}

static void other_names_stay_as_they_are(void **state)
{
    (void)state;
    check_demangled("volta_sgemm_128x64_nn", "volta_sgemm_128x64_nn");
    check_demangled("i", "i");
    check_demangled("_Z", "_Z");
    check_demangled("_Zfoo(<script>", "_Zfoo(<script>");
    check_demangled("", "");
}

/* f<B<A,A>, B<B<A,A>,B<A,A>>, ...>: every level prints twice what the level before prints. */
static void doubling_name(char *p, int levels)
{
    static const char digits[] = "0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ";

    p += sprintf(p, "_Z1fI1A1BIS0_S0_E"); /* S_ is f, S0_ is A, S1_ is B, S2_ is B<A,A> */
    for (int i = 1; i < levels; i++)
        p += sprintf(p, "S1_IS%c_S%c_E", digits[i + 1], digits[i + 1]);
    strcpy(p, "EvT_");
}

static void a_name_that_would_print_gigabytes_stays_mangled(void **state)
{
    char name[600];
    char *got;
    struct err e;

    (void)state;
    doubling_name(name, 3);
    check_demangled(name,
                    "void f<A, B<A, A>, B<B<A, A>, B<A, A> >, B<B<B<A, A>, B<A, A> >, B<B<A, A>, B<A, A> > > >(A)");
    doubling_name(name, 30);
    got = demangle(name, &e);
    assert_non_null(got);
    assert_string_equal(got, name);
    free(got);
}

static void deep_nesting_does_not_use_up_the_stack(void **state)
{
    size_t n = 60000;
    char *name = calloc(1, n + 16), *got;
    struct err e;

    (void)state;
    memcpy(name, "_Z1f", 4);
    memset(name + 4, 'P', n);
    strcpy(name + 4 + n, "i");
    got = demangle(name, &e);
    assert_non_null(got);
    free(got);
    free(name);
}

static void spellings_of_one_kernel_match(void **state)
{
    static const char *const same[][2] = {
        {"_Z9vectorAddPKfS0_Pfi", "vectorAdd(float const*, float const*, float*, int)"},
        {"_Z9vectorAddPKfS0_Pfi", "vectorAdd"},
        {"_Z8mult_gpuIfEvPT_S1_S1_ii", "void mult_gpu<float>(float*,float*,float*,int,int)"},
        {"_Z8mult_gpuIfEvPT_S1_S1_ii", "mult_gpu<float>"},
        {"void f<int, g<int> >(int)", "void f<int, g<int>>(int)"},
        {"_Z1fILi4ELj2ELb1EEvv", "void f<(int)4, (unsigned int)2, (bool)1>()"},
        {"_ZN12_GLOBAL__N_11kEv", "<unnamed>::k"},
        {"a::operator()(int) const", "a::operator()"},
    };
    static const char *const other[][2] = {
        {"vectorAdd", "vectorSub"}, {"f<int>", "f<long>"}, {"_Z1fILi4EEvv", "f<5>"},
        {"f<-4>", "f<4>"},          {"void", ""},
    };

    (void)state;
    for (size_t i = 0; i < sizeof same / sizeof *same; i++)
        if (!kernel_names_match(same[i][0], same[i][1]) || !kernel_names_match(same[i][1], same[i][0]))
            fail_msg("%s and %s are one kernel", same[i][0], same[i][1]);
    for (size_t i = 0; i < sizeof other / sizeof *other; i++)
        if (kernel_names_match(other[i][0], other[i][1]))
            fail_msg("%s and %s are two kernels", other[i][0], other[i][1]);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(mangled_names_read_as_people_write_them),
        cmocka_unit_test(other_names_stay_as_they_are),
        cmocka_unit_test(a_name_that_would_print_gigabytes_stays_mangled),
        cmocka_unit_test(deep_nesting_does_not_use_up_the_stack),
        cmocka_unit_test(spellings_of_one_kernel_match),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
