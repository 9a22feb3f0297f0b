/* Computes the expected results of cnn.cu (chances and best) with the same classifier in plain C, in double. Writes
 * chances.f32 and best.u32 */
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "examples/random.h"
#include "examples/write_file.h"

enum { IMAGES = 8, CLASSES = 10, HIDDEN = 128 };

/* `count` numbers of a buffer of launches.json, in [middle - reach, middle + reach). */
static double *weights(long count, uint64_t seed, double middle, double reach)
{
    double *w = malloc((size_t)count * sizeof *w);

    if (!w)
        exit(1);
    for (long i = 0; i < count; i++)
        w[i] = (double)random_float(seed, (uint64_t)i, middle - reach, middle + reach);
    return w;
}

/* The sum around (row, column) of one image's channels. */
static double filtered(const double *x, const double *filter, long size, long inputs, long row, long column)
{
    double sum = 0;

    for (long k = 0; k < inputs * 9; k++) {
        long r = row + k % 9 / 3 - 1, c = column + k % 3 - 1;

        if (r >= 0 && r < size && c >= 0 && c < size)
            sum += x[(k / 9 * size + r) * size + c] * filter[k];
    }
    return sum;
}

/* One channel of all images, from `first` on at `stride`: batch norm, then negative values become 0. */
static void normalise(double *first, long area, long stride, double gain, double shift)
{
    double mean = 0, variance = 0;

    for (long i = 0; i < IMAGES * area; i++)
        mean += first[i / area * stride + i % area] / (IMAGES * area);
    for (long i = 0; i < IMAGES * area; i++) {
        double off = first[i / area * stride + i % area] - mean;

        variance += off * off / (IMAGES * area);
    }
    for (long i = 0; i < IMAGES * area; i++) {
        double *v = &first[i / area * stride + i % area];

        *v = fmax(0, (*v - mean) / sqrt(variance + 1e-5) * gain + shift);
    }
}

/* Convolution, batch norm, pooling: its five arrays of weights have seeds from `seed` on. */
static double *stage(double *x, long size, long inputs, long outputs, uint64_t seed, double reach)
{
    double *filter = weights(outputs * inputs * 9, seed, 0, reach), *bias = weights(outputs, seed + 1, 0, 0.125);
    double *gain = weights(outputs, seed + 2, 1, 0.25), *shift = weights(outputs, seed + 3, 0, 0.125);
    long area = size * size, half = size / 2;
    double *maps = calloc((size_t)(IMAGES * outputs * area), sizeof *maps);
    double *pooled = calloc((size_t)(IMAGES * outputs * area / 4), sizeof *pooled);

    if (!maps || !pooled)
        exit(1);
    for (long i = 0; i < IMAGES * outputs * area; i++)
        maps[i] = bias[i / area % outputs] + filtered(x + i / area / outputs * inputs * area,
                                                      filter + i / area % outputs * inputs * 9, size, inputs,
                                                      i % area / size, i % size);
    for (long o = 0; o < outputs; o++)
        normalise(maps + o * area, area, outputs * area, gain[o], shift[o]);
    for (long i = 0; i < IMAGES * outputs * area / 4; i++) {
        const double *from = maps + i / half / half * area + i / half % half * 2 * size + i % half * 2;

        pooled[i] = fmax(fmax(from[0], from[1]), fmax(from[size], from[size + 1]));
    }
    free(filter), free(bias), free(gain), free(shift), free(maps), free(x);
    return pooled;
}

static double *connect(double *x, long inputs, long outputs, uint64_t seed, double reach)
{
    double *w = weights(inputs * outputs, seed, 0, reach), *bias = weights(outputs, seed + 1, 0, 0.125);
    double *y = calloc((size_t)(IMAGES * outputs), sizeof *y);

    if (!y)
        exit(1);
    for (long i = 0; i < IMAGES * outputs; i++) {
        y[i] = bias[i % outputs];
        for (long k = 0; k < inputs; k++)
            y[i] += x[i / outputs * inputs + k] * w[i % outputs * inputs + k];
    }
    free(w), free(bias), free(x);
    return y;
}

int main(void)
{
    double *x = weights(IMAGES * 3L * 32 * 32, 1, 0, 1.5);
    float chances[IMAGES][CLASSES];
    uint32_t best[IMAGES] = {0};

    x = stage(x, 32, 3, 16, 2, 0.3125);
    x = stage(x, 16, 16, 32, 6, 0.15625);
    x = connect(x, 2048, HIDDEN, 10, 0.0625);
    for (int i = 0; i < IMAGES * HIDDEN; i++)
        x[i] = fmax(0, x[i]);
    x = connect(x, HIDDEN, CLASSES, 12, 0.25);
    for (int i = 0; i < IMAGES; i++) {
        double sum = 0;

        for (uint32_t k = 0; k < CLASSES; k++) {
            sum += exp(x[i * CLASSES + (int)k]);
            if (x[i * CLASSES + (int)k] > x[i * CLASSES + (int)best[i]])
                best[i] = k;
        }
        for (int k = 0; k < CLASSES; k++)
            chances[i][k] = (float)(exp(x[i * CLASSES + k]) / sum);
    }
    free(x);
    return write_file("chances.f32", chances, sizeof chances) || write_file("best.u32", best, sizeof best);
}
