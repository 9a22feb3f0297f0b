/* sampling/math/portable_math.h: logarithm and exponential with the same bits on every machine.
 *
 * libm may differ in the last digit between machines, and clustering turns a last digit into another plan. These
 * use additions, multiplications and divisions alone, which IEEE 754 rounds in one way only. Good to about 1e-15.
 */
#ifndef VIVACE_SAMPLING_PORTABLE_MATH_H
#define VIVACE_SAMPLING_PORTABLE_MATH_H

double portable_log(double x);  /* x > 0, normal and finite */
double portable_log2(double x); /* x > 0, normal and finite */
double portable_exp(double x);  /* 0 for x far below 0; the largest finite power of two for x far above 0 */

#endif
