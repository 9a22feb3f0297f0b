/* Building blocks of clustering methods: portable logarithms, principal components, k-means, average linkage,
 * classifiers. */
#include "tests/harness/check.h"

#include "base/rng.h"
#include "sampling/cluster/classify.h"
#include "sampling/cluster/kmeans.h"
#include "sampling/cluster/linkage.h"
#include "sampling/cluster/pca.h"
#include "sampling/math/portable_math.h"

static void logarithms_agree_with_the_library(void **state)
{
    static const double x[] = {1, 2, 0.5, 3, 10, 0.70710678, 0.70710679, 1e-300, 1e300, 1 + 1e-9, 12345.678};

    (void)state;
    for (size_t i = 0; i < sizeof x / sizeof *x; i++)
        CHECK_NEAR(portable_log(x[i]), log(x[i]), 1e-15);
    for (double e = -690; e < 690; e += 0.37)
        CHECK_NEAR(portable_exp(e), exp(e), 4e-15);
    assert_true(portable_exp(0) == 1 && portable_exp(-1e9) == 0 && isfinite(portable_exp(1e9)));
    for (int k = 0; k < 32; k++)
        assert_true(portable_log2(ldexp(1, k)) == k);
    CHECK_NEAR(portable_log2(3), 1.584962500721156, 1e-15);
}

/* A symmetric 3 x 3 covariance with eigenvalues 4, 2, 1 along chosen directions. */
static void components_of_a_known_covariance(void **state)
{
    static const double axis[3][3] = {
        {2 / 3.0, 2 / 3.0, 1 / 3.0}, {-2 / 3.0, 1 / 3.0, 2 / 3.0}, {1 / 3.0, -2 / 3.0, 2 / 3.0}};
    static const double root[3] = {2, 1.4142135623730951, 1};
    double x[18];
    uint64_t weight[6] = {1, 1, 1, 1, 1, 1};
    struct points p = {6, 3, x, weight}, reduced;
    struct pca pca;
    struct err e;

    (void)state;
    for (int a = 0; a < 3; a++)
        for (int d = 0; d < 3; d++) { /* +- along each axis: the covariance is sum(root^2 axis axis') / 3 */
            x[6 * a + d] = root[a] * axis[a][d];
            x[6 * a + 3 + d] = -root[a] * axis[a][d];
        }
    CHECK_OK(pca_fit(&p, 0.8, &pca, &e), &e);
    CHECK_NEAR(pca.explained[0], 4 / 7.0, 1e-14);
    CHECK_NEAR(pca.explained[1], 2 / 7.0, 1e-14);
    CHECK_NEAR(pca.explained[2], 1 / 7.0, 1e-14);
    assert_int_equal(pca.kept, 2);
    for (int a = 0; a < 3; a++) {
        double dot = 0;

        for (int d = 0; d < 3; d++)
            dot += pca.vectors[3 * a + d] * axis[a][d];
        CHECK_NEAR(fabs(dot), 1, 1e-13);
    }
    CHECK_OK(pca_apply(&pca, &p, &reduced, &e), &e);
    CHECK_NEAR(fabs(point(&reduced, 0)[0]), 2, 1e-13);
    CHECK_NEAR(point(&reduced, 4)[0], 0, 1e-13);
    points_release(&reduced);
    pca_release(&pca);
    CHECK_OK(pca_fit(&p, 6 / 7.0 + 1e-12, &pca, &e), &e); /* strictly more than the share */
    assert_int_equal(pca.kept, 3);
    pca_release(&pca);
    memset(x, 0, sizeof x);
    CHECK_OK(pca_fit(&p, 0.9995, &pca, &e), &e);
    assert_int_equal(pca.kept, 0);
    pca_release(&pca);
}

static double inertia_of(const struct points *p, const uint32_t *label, size_t groups)
{
    double all = 0;

    for (size_t g = 0; g < groups; g++) {
        double mean[2] = {0, 0}, n = 0;

        for (size_t i = 0; i < p->count; i++)
            if (label[i] == g) {
                n += (double)p->weight[i];
                for (size_t d = 0; d < 2; d++)
                    mean[d] += (double)p->weight[i] * point(p, i)[d];
            }
        for (size_t i = 0; i < p->count; i++)
            for (size_t d = 0; d < 2 && label[i] == g; d++)
                all += (double)p->weight[i] * (point(p, i)[d] - mean[d] / n) * (point(p, i)[d] - mean[d] / n);
    }
    return all;
}

/* Compares with every partition of nine points into three groups. */
static void kmeans_finds_the_best_of_all_groupings(void **state)
{
    double x[18];
    uint64_t weight[9];
    struct points p = {9, 2, x, weight};
    struct rng rng;
    struct err e;

    (void)state;
    rng_init(&rng, 7, 0, RNG_TEST);
    for (int trial = 0; trial < 20; trial++) {
        double best = INFINITY;
        uint32_t label[9], again[9], all[9];
        size_t groups;

        for (int i = 0; i < 18; i++)
            x[i] = rng_unit(&rng);
        for (int i = 0; i < 9; i++)
            weight[i] = 1 + rng_below(&rng, 5);
        for (int code = 0; code < 19683; code++) {
            for (int i = 0, c = code; i < 9; i++, c /= 3)
                all[i] = (uint32_t)(c % 3);
            best = fmin(best, inertia_of(&p, all, 3));
        }
        CHECK_OK(kmeans(&p, 3, 4, label, &groups, &e), &e);
        assert_int_equal(groups, 3);
        CHECK_NEAR(inertia_of(&p, label, 3), best, 0.02); /* ten starts end at or near the optimum */
        assert_int_equal(label[0], 0);
        CHECK_OK(kmeans(&p, 3, 4, again, &groups, &e), &e);
        assert_memory_equal(label, again, sizeof label);
    }
}

static void weights_count_as_repeated_points(void **state)
{
    double x[] = {0, 0, 1, 0, 10, 0}, many[24] = {0};
    uint64_t weight[] = {1, 10, 1}, ones[12] = {1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1};
    struct points p = {3, 2, x, weight}, q = {12, 2, many, ones};
    uint32_t label[3], other[12];
    size_t groups;
    struct err e;

    (void)state;
    for (int i = 1; i < 12; i++)
        many[2 * i] = i == 11 ? 10 : 1;
    CHECK_OK(kmeans(&p, 2, 1, label, &groups, &e), &e);
    CHECK_OK(kmeans(&q, 2, 1, other, &groups, &e), &e);
    assert_true(label[0] == label[1] && label[2] != label[0]);
    assert_true(other[0] == other[5] && other[11] != other[0]);
    CHECK_OK(kmeans(&q, 7, 1, other, &groups, &e), &e); /* three distinct points give three groups */
    assert_int_equal(groups, 3);
}

/* Average linkage by definition: merges the pair with the smallest mean distance over all pairs of points. */
static size_t linkage_by_hand(const struct points *p, double cut, uint32_t *label)
{
    size_t clusters = p->count;

    for (uint32_t i = 0; i < p->count; i++)
        label[i] = i;
    for (;;) {
        double least = INFINITY;
        uint32_t from = 0, to = 0;

        for (uint32_t a = 0; a < p->count; a++) {
            for (uint32_t b = a + 1; b < p->count; b++) {
                double sum = 0, n = 0;

                for (size_t i = 0; i < p->count; i++)
                    for (size_t j = 0; j < p->count; j++)
                        if (label[i] == a && label[j] == b) {
                            double w = (double)p->weight[i] * (double)p->weight[j];

                            sum += w * sqrt(distance_squared(point(p, i), point(p, j), p->dims));
                            n += w;
                        }
                if (n > 0 && sum / n < least) {
                    least = sum / n;
                    from = b;
                    to = a;
                }
            }
        }
        if (!(least < cut))
            break;
        for (size_t i = 0; i < p->count; i++)
            label[i] = label[i] == from ? to : label[i];
        clusters--;
    }
    return clusters;
}

static void linkage_is_what_its_definition_says(void **state)
{
    double x[60];
    uint64_t weight[30];
    struct points p = {30, 2, x, weight};
    struct rng rng;
    struct err e;

    (void)state;
    rng_init(&rng, 11, 0, RNG_TEST);
    for (int trial = 0; trial < 40; trial++) {
        double cut = 0.05 + 0.01 * trial;
        uint32_t label[30], want[30];
        size_t clusters;

        for (int i = 0; i < 60; i++)
            x[i] = rng_unit(&rng);
        for (int i = 0; i < 30; i++)
            weight[i] = 1 + rng_below(&rng, 3);
        CHECK_OK(average_linkage(&p, cut, label, &clusters, &e), &e);
        assert_int_equal(clusters, linkage_by_hand(&p, cut, want));
        for (int i = 0; i < 30; i++)
            for (int j = 0; j < i; j++)
                assert_int_equal(label[i] == label[j], want[i] == want[j]);
    }
}

static void linkage_has_a_limit_and_says_so(void **state)
{
    struct points p = {LINKAGE_MAX + 1, 1, calloc(LINKAGE_MAX + 1, sizeof(double)),
                       calloc(LINKAGE_MAX + 1, sizeof(uint64_t))};
    uint32_t *label = calloc(p.count, sizeof *label);
    size_t clusters;
    struct err e;

    (void)state;
    for (size_t i = 0; i < p.count; i++) {
        p.x[i] = (double)i; /* far apart: no memory is needed, but there is one point too many */
        p.weight[i] = 1;
    }
    CHECK_FAILS(average_linkage(&p, 0.5, label, &clusters, &e), &e, ERR_TOO_LARGE, "20001 rows of features differ");
    p.count--;
    CHECK_OK(average_linkage(&p, 0.5, label, &clusters, &e), &e);
    assert_int_equal(clusters, LINKAGE_MAX);
    points_release(&p);
    free(label);
}

/* Two classes of one column, worked by hand: mean 2 and 8, variance 2/3. */
static void bayes_by_hand(void **state)
{
    double x[] = {1, 2, 3, 7, 8, 9}, four = 4;
    uint64_t weight[] = {1, 1, 1, 1, 1, 1};
    uint32_t class_of[] = {0, 0, 0, 1, 1, 1}, label;
    struct training t = {{6, 1, x, weight}, class_of, 2};
    struct points query = {1, 1, &four, weight};
    struct bayes b;
    struct err e;

    (void)state;
    CHECK_OK(bayes_fit(&t, 0, &b, &e), &e);
    CHECK_NEAR(bayes_log_posterior(&b, 0, &four), -4.4093531597, 1e-10);
    CHECK_NEAR(bayes_log_posterior(&b, 1, &four), -13.4093531597, 1e-10);
    bayes_release(&b);
    CHECK_OK(classify_bayes(&t, &query, &label, &e), &e);
    assert_int_equal(label, 0);
    four = 5; /* equally likely in both classes: the lower class */
    CHECK_OK(classify_bayes(&t, &query, &label, &e), &e);
    assert_int_equal(label, 0);
}

static void priors_count_launches(void **state)
{
    double x[] = {1, 3, 2, 4}, at = 2.5;
    uint64_t weight[] = {1, 1, 500, 500};
    uint32_t class_of[] = {0, 0, 1, 1};
    struct training t = {{4, 1, x, weight}, class_of, 2};
    struct bayes b;
    struct err e;

    (void)state;
    CHECK_OK(bayes_fit(&t, 0, &b, &e), &e); /* means 2 and 3, variance 1 each: the prior decides */
    CHECK_NEAR(bayes_log_posterior(&b, 1, &at) - bayes_log_posterior(&b, 0, &at), log(500), 1e-13);
    bayes_release(&b);
}

/* Three classes in two standardized columns: a point near a class belongs to it, and all classifiers must learn
 * that. The second set is the exclusive or, which is not linearly separable: only the perceptron can learn it. */
static void classifiers_learn(void **state)
{
    static int (*const ways[])(const struct training *, const struct points *, uint32_t *,
                               struct err *) = {classify_bayes, classify_sgd, classify_mlp};
    double x[] = {-1.2, -1, -1, -1.2, 1.2, -1, 1, -1.2, 0.1, 1.3, -0.1, 1.2};
    double ask[] = {-0.9, -0.9, 0.9, -0.9, 0, 1};
    uint64_t weight[] = {100, 100, 1, 1, 30, 30};
    uint32_t class_of[] = {0, 0, 1, 1, 2, 2}, label[3], again[3];
    struct training t = {{6, 2, x, weight}, class_of, 3};
    struct points queries = {3, 2, ask, weight};
    double cross[] = {-1, -1, 1, 1, -1, 1, 1, -1};
    uint64_t ones[] = {1, 1, 1, 1};
    uint32_t odd[] = {0, 0, 1, 1}, got[4];
    struct training xor = {{4, 2, cross, ones}, odd, 2};
    struct err e;

    (void)state;
    for (int way = 0; way < 3; way++) {
        CHECK_OK(ways[way](&t, &queries, label, &e), &e);
        for (uint32_t i = 0; i < 3; i++)
            if (label[i] != i)
                fail_msg("classifier %d: query %u is called %u", way, i, label[i]);
        CHECK_OK(ways[way](&t, &queries, again, &e), &e);
        assert_memory_equal(label, again, sizeof label);
    }
    CHECK_OK(classify_mlp(&xor, &xor.points, got, &e), &e);
    assert_memory_equal(got, odd, sizeof got);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(logarithms_agree_with_the_library),
        cmocka_unit_test(components_of_a_known_covariance),
        cmocka_unit_test(kmeans_finds_the_best_of_all_groupings),
        cmocka_unit_test(weights_count_as_repeated_points),
        cmocka_unit_test(linkage_is_what_its_definition_says),
        cmocka_unit_test(linkage_has_a_limit_and_says_so),
        cmocka_unit_test(bayes_by_hand),
        cmocka_unit_test(priors_count_launches),
        cmocka_unit_test(classifiers_learn),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
