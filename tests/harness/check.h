/* tests/harness/check.h: helpers of all unit tests, in addition to cmocka: checks that print both values, and the
 * paths of the shared real inputs. A test whose input is missing is skipped with a message; it does not pass. */
#ifndef VIVACE_TESTS_HARNESS_CHECK_H
#define VIVACE_TESTS_HARNESS_CHECK_H

#include <math.h>
#include <setjmp.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include <cmocka.h>

#include "base/err.h"

/* An instrumented build is slow and finds memory errors: tests repeat long computations less often in it. */
#ifdef __SANITIZE_ADDRESS__
enum { INSTRUMENTED = 1 };
#else
enum { INSTRUMENTED = 0 };
#endif

/* |got - want| <= rel * |want|; where want is 0, |got| <= rel. NaN equals NaN. */
#define CHECK_NEAR(got_, want_, rel_)                                                                              \
    do {                                                                                                           \
        double got__ = (got_), want__ = (want_), rel__ = (rel_);                                                   \
        double off__ = fabs(got__ - want__), most__ = want__ != 0 ? rel__ * fabs(want__) : rel__;                  \
        if (!(isnan(got__) && isnan(want__)) && !(off__ <= most__))                                                \
            fail_msg("%s: got %.17g, want %.17g (off by %.3g)", #got_, got__, want__, off__);                      \
    } while (0)
/* The call must return >= 0. Otherwise the check prints the error text. */
#define CHECK_OK(call_, err_)                                                                                      \
    do {                                                                                                           \
        if ((call_) < 0)                                                                                           \
            fail_msg("%s failed: %s", #call_, (err_)->text);                                                       \
    } while (0)
/* The call must fail with this code, and its error text must contain part_. */
#define CHECK_FAILS(call_, err_, code_, part_)                                                                     \
    do {                                                                                                           \
        if ((call_) >= 0)                                                                                          \
            fail_msg("%s should fail", #call_);                                                                    \
        if ((err_)->code != (code_) || !strstr((err_)->text, (part_)))                                             \
            fail_msg("%s: got %s \"%s\", want %s with \"%s\"", #call_, err_name((err_)->code), (err_)->text,       \
                     err_name(code_), (part_));                                                                    \
    } while (0)

/* Returns the path of a real input (tests run in the project's root). Where it is missing, the test is skipped with
 * a sentence. */
static inline const char *shared_data(const char *relative)
{
    static char path[4][512];
    static unsigned next;
    char *p = path[next++ % 4];

    snprintf(p, sizeof path[0], "../shared/data/%s", relative);
    if (access(p, R_OK) != 0) {
        print_message("skipped: %s is not here\n", p);
        skip();
    }
    return p;
}

#endif
