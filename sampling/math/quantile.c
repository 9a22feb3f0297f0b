/* Quantiles: normal by Wichura's rational functions (AS 241, 1988); Student's t by Newton steps on its
 * distribution, an incomplete beta function; the fast version by Fisher's expansion t = z + (z^3 + z) / 4 df + ....
 * Assumes: the weighted sum of stratum means is normal, and V / true V is distributed as chi-square / df. */
#include "sampling/math/quantile.h"

#include <math.h>

#include "base/assert.h"

static double ratio(double r, const double top[8], const double bottom[8])
{
    double a = top[7], b = bottom[7];

    for (int i = 6; i >= 0; i--) {
        a = a * r + top[i];
        b = b * r + bottom[i];
    }
    return a / b;
}

double normal_quantile(double p)
{
    /* Coefficients of Wichura's PPND16: the middle, the near tail, the far tail. */
    static const double a[8] = {3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                                1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                3.3430575583588128105e+4, 2.5090809287301226727e+3};
    static const double b[8] = {1.0,
                                4.2313330701600911252e+1,
                                6.8718700749205790830e+2,
                                5.3941960214247511077e+3,
                                2.1213794301586595867e+4,
                                3.9307895800092710610e+4,
                                2.8729085735721942674e+4,
                                5.2264952788528545610e+3};
    static const double c[8] = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                                3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                                2.27238449892691845833e-2, 7.74545014278341407640e-4};
    static const double d[8] = {1.0,
                                2.05319162663775882187e0,
                                1.67638483018380384940e0,
                                6.89767334985100004550e-1,
                                1.48103976427480074590e-1,
                                1.51986665636164571966e-2,
                                5.47593808499534494600e-4,
                                1.05075007164441684324e-9};
    static const double far_top[8] = {
        6.65790464350110377720e0,  5.46378491116411436990e0,  1.78482653991729133580e0,  2.96560571828504891230e-1,
        2.65321895265761230930e-2, 1.24266094738807843860e-3, 2.71155556874348757815e-5, 2.01033439929228813265e-7};
    static const double far_bottom[8] = {1.0,
                                         5.99832206555887937690e-1,
                                         1.36929880922735805310e-1,
                                         1.48753612908506148525e-2,
                                         7.86869131145613259100e-4,
                                         1.84631831751005468180e-5,
                                         1.42151175831644588870e-7,
                                         2.04426310338993978564e-15};
    double q = p - 0.5, r, x;

    ASSERT(p >= 0 && p <= 1);
    if (fabs(q) <= 0.425)
        return q * ratio(0.180625 - q * q, a, b);
    r = sqrt(-log(q < 0 ? p : 1 - p));
    x = r <= 5 ? ratio(r - 1.6, c, d) : ratio(r - 5, far_top, far_bottom);
    return q < 0 ? -x : x;
}

double normal_probability(double x)
{
    return erfc(-x * 0.70710678118654752440) / 2; /* sqrt(1/2) */
}

/* The continued fraction of the incomplete beta function (NIST DLMF 8.17.22) by the modified Lentz method. */
static double beta_fraction(double a, double b, double x)
{
    const double tiny = 1e-300;
    double c = 1, d = 1 - (a + b) * x / (a + 1), h;

    ASSERT_HOT(x >= 0 && x <= 1);
    d = 1 / (fabs(d) < tiny ? tiny : d);
    h = d;
    for (int m = 1; m < 10000; m++) {
        double even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m)), odd, step;

        d = 1 + even * d;
        c = 1 + even / c;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        h *= d * c;
        odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1));
        d = 1 + odd * d;
        c = 1 + odd / c;
        d = 1 / (fabs(d) < tiny ? tiny : d);
        c = fabs(c) < tiny ? tiny : c;
        step = d * c;
        h *= step;
        if (fabs(step - 1) < 1e-16)
            break;
    }
    return h;
}

static double log_gamma(double x)
{
    int sign;

    return lgamma_r(x, &sign); /* lgamma() writes a global */
}

/* P(T > t) for t >= 0: half the incomplete beta function at df / (df + t^2). */
static double t_tail(double t, double df)
{
    double a = df / 2, b = 0.5, x = df / (df + t * t), y = t * t / (df + t * t);
    double front;

    if (t <= 0)
        return 0.5;
    front = exp(log_gamma(a + b) - log_gamma(a) - log_gamma(b) + a * log(x) + b * log(y));
    if (x < (a + 1) / (a + b + 2))
        return 0.5 * front * beta_fraction(a, b, x) / a;
    return 0.5 * (1 - front * beta_fraction(b, a, y) / b);
}

static double t_density(double t, double df)
{
    return exp(log_gamma((df + 1) / 2) - log_gamma(df / 2) - (df + 1) / 2 * log1p(t * t / df)) /
           sqrt(df * 3.14159265358979323846);
}

/* Fisher's expansion in powers of 1/df (Abramowitz and Stegun 26.7.5). */
double t_factor_quick(double z, double df)
{
    double z2 = z * z, g1 = (z2 + 1) * z / 4, g2 = ((5 * z2 + 16) * z2 + 3) * z / 96;
    double g3 = (((3 * z2 + 19) * z2 + 17) * z2 - 15) * z / 384;
    double g4 = ((((79 * z2 + 776) * z2 + 1482) * z2 - 1920) * z2 - 945) * z / 92160;

    return z + (g1 + (g2 + (g3 + g4 / df) / df) / df) / df;
}

double t_quantile(double p, double df)
{
    double tail = p < 0.5 ? p : 1 - p, low = 0, high, t;

    ASSERT(p >= 0 && p <= 1 && !(df < 0));
    if (p == 0.5)
        return 0;
    if (!(df < 2000)) /* the expansion's next term is below 1e-13 there; gamma functions of large arguments lose
                         digits */
        return isinf(df) ? normal_quantile(p) : t_factor_quick(normal_quantile(p), df);
    t = t_factor_quick(-normal_quantile(tail), df < 1 ? 1 : df);
    for (high = t > 1 ? t : 1; t_tail(high, df) > tail && high < 1e300; high *= 4)
        low = high;
    if (t < low || t > high)
        t = low + (high - low) / 2;
    for (int i = 0; i < 200; i++) { /* Newton; bisection if Newton leaves the bracket */
        double off = t_tail(t, df) - tail, next = t + off / t_density(t, df);

        if (off > 0)
            low = t;
        else
            high = t;
        if (!(next > low && next < high))
            next = low + (high - low) / 2;
        if (fabs(next - t) <= 1e-15 * t) {
            t = next;
            break;
        }
        t = next;
    }
    return p < 0.5 ? -t : t;
}

double t_factor(double level, double df)
{
    return t_quantile(0.5 + level / 2, df);
}

double t_level(double factor, double df)
{
    return 1 - 2 * (df < 2000 ? t_tail(factor, df) : normal_probability(-factor));
}

double published_z(double level)
{
    return level == 0.95 ? 1.96 : normal_quantile(0.5 + level / 2);
}
