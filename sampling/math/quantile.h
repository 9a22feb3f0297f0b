/* sampling/math/quantile.h: quantiles of the normal and of Student's t distribution. */
#ifndef VIVACE_SAMPLING_QUANTILE_H
#define VIVACE_SAMPLING_QUANTILE_H

/* x with P(Z <= x) = p. Wichura, "Algorithm AS 241", Applied Statistics 37 (1988): about 16 digits. p in (0,1). */
double normal_quantile(double p);
/* P(Z <= x). */
double normal_probability(double x);
/* x with P(T <= x) = p; df > 0, need not be whole, may be infinite. About 11 digits. */
double t_quantile(double p, double df);
/* The two-sided factor of an interval at this level: t_quantile((1 + level) / 2, df). */
double t_factor(double level, double df);
/* The level of an interval with this factor >= 0: the inverse of t_factor(). Beyond 2000 df the normal level; the
 * relative error of 1 - level is then below 1 %. */
double t_level(double factor, double df);
/* As t_factor(), to about four digits (less accurate below df 3), by Fisher's expansion in 1/df: for searches that
 * only compare. */
double t_factor_quick(double z, double df);
/* The z of the papers: 1.96 as printed there at 95 %, the exact quantile at other levels. */
double published_z(double level);

#endif
