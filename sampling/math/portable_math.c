/* log x = e ln 2 + log m with m near 1, and log m = 2 (s + s^3/3 + s^5/5 + ...) with s = (m - 1) / (m + 1). exp x =
 * 2^k exp r with |r| <= ln 2 / 2, and exp r by its power series. ln 2 is split in two parts, so that k ln 2 has no
 * rounding error (Cody and Waite, Software Manual for the Elementary Functions, 1980). */
#include "sampling/math/portable_math.h"

#include <math.h>

#include "base/assert.h"

#define LN2_HIGH  0x1.62e42fefap-1 /* 33 bits: exact times any exponent */
#define LN2_LOW   0x1.cf79abc9e3b4p-40
#define SQRT_HALF 0.70710678118654752

double portable_log(double x)
{
    int exponent;
    double m = frexp(x, &exponent), s, square, sum = 0;

    ASSERT(x > 0);
    if (m < SQRT_HALF) {
        m *= 2;
        exponent--;
    }
    s = (m - 1) / (m + 1);
    square = s * s;
    for (int i = 23; i >= 1; i -= 2) /* s < 0.172: what is omitted is below 1e-19 */
        sum = sum * square + 1.0 / i;
    return exponent * LN2_HIGH + (2 * s * sum + exponent * LN2_LOW);
}

double portable_log2(double x)
{
    int exponent;

    ASSERT(x > 0);
    return frexp(x, &exponent) == 0.5 ? exponent - 1 : portable_log(x) / (LN2_HIGH + LN2_LOW);
}

double portable_exp(double x)
{
    double r, sum = 1;
    int k;

    if (x < -700)
        return 0;
    if (x > 700)
        return 0x1p1023;
    k = (int)(x / (LN2_HIGH + LN2_LOW) + (x < 0 ? -0.5 : 0.5));
    r = x - k * LN2_HIGH - k * LN2_LOW;
    for (int i = 16; i >= 1; i--)
        sum = 1 + sum * r / i;
    return ldexp(sum, k);
}
