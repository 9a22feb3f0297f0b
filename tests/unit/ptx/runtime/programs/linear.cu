/* Linear algebra and dynamic programming: Gaussian elimination with one launch per column, tiled LU (diagonal,
 * edges, interior), sequence alignment along diagonals, all-pairs shortest paths, tridiagonal systems by cyclic
 * reduction. */
#include "tests/unit/ptx/runtime/programs/check.h"

enum { N = 64, TILE = 16 };

/* --- Gauss --- */

__global__ void factors(double *f, const double *a, int n, int column)
{
    int i = BLOCK(x) * THREADS(x) + THREAD(x) + column + 1;

    if (i < n)
        f[i] = a[i * (n + 1) + column] / a[column * (n + 1) + column];
}
__global__ void eliminate(double *a, const double *f, int n, int column)
{
    int x = BLOCK(x) * THREADS(x) + THREAD(x) + column, y = BLOCK(y) * THREADS(y) + THREAD(y) + column + 1;

    if (x <= n && y < n)
        a[y * (n + 1) + x] -= f[y] * a[column * (n + 1) + x];
}
/* One block: solves an upper triangular system by back substitution. */
__global__ void substitute(double *x, const double *a, int n)
{
    __shared__ double known;
    int t = THREAD(x);
    double rest = t < n ? a[t * (n + 1) + n] : 0;

    for (int i = n - 1; i >= 0; i--) {
        if (t == i)
            x[i] = known = rest / a[i * (n + 1) + i];
        __syncthreads();
        if (t < i)
            rest -= a[t * (n + 1) + i] * known;
        __syncthreads();
    }
}

static void equations(void)
{
    double *a = noise_values<double>(N * (N + 1), 200, -100, 0.125), *want = noise_values<double>(N, 100, -50, 0.5);
    double *da, *f = on_device<double>(NULL, N), *x = on_device<double>(NULL, N);

    for (int i = 0; i < N; i++) {
        a[i * (N + 1) + i] += 1000;
        a[i * (N + 1) + N] = 0;
        for (int j = 0; j < N; j++)
            a[i * (N + 1) + N] += a[i * (N + 1) + j] * want[j];
    }
    da = on_device(a, N * (N + 1));
    for (int c = 0; c < N - 1; c++) {
        int left = N - 1 - c;

        factors<<<(left + 31) / 32, 32>>>(f, da, N, c);
        eliminate<<<dim3((left + 2 + 15) / 16, (left + 15) / 16), dim3(16, 16)>>>(da, f, N, c);
    }
    substitute<<<1, N>>>(x, da, N);
    expect("Gauss", x, want, N, 1e-12);
    CHECK(cudaFree(da));
    CHECK(cudaFree(f));
    free(a);
}

/* --- LU in tiles --- */

__global__ void lu_corner(float *a, int n, int at)
{
    __shared__ float t[TILE][TILE];
    int me = THREAD(x);

    for (int i = 0; i < TILE; i++)
        t[i][me] = a[(at + i) * n + at + me];
    __syncthreads();
    for (int i = 0; i < TILE - 1; i++) {
        if (me > i) {
            for (int j = 0; j < i; j++)
                t[me][i] -= t[me][j] * t[j][i];
            t[me][i] /= t[i][i];
        }
        __syncthreads();
        if (me > i)
            for (int j = 0; j < i + 1; j++)
                t[i + 1][me] -= t[i + 1][j] * t[j][me];
        __syncthreads();
    }
    for (int i = 0; i < TILE; i++)
        a[(at + i) * n + at + me] = t[i][me];
}
/* Threads below TILE: the row of tiles right of the diagonal tile. Other threads: the column below it. */
__global__ void lu_edges(float *a, int n, int at)
{
    __shared__ float corner[TILE][TILE], row[TILE][TILE], column[TILE][TILE];
    int me = THREAD(x) % TILE, away = at + (BLOCK(x) + 1) * TILE;
    bool is_row = THREAD(x) < TILE;

    for (int i = 0; i < TILE; i++) {
        if (is_row) {
            corner[i][me] = a[(at + i) * n + at + me];
            row[i][me] = a[(at + i) * n + away + me];
        } else {
            column[i][me] = a[(away + i) * n + at + me];
        }
    }
    __syncthreads();
    if (is_row) {
        for (int i = 1; i < TILE; i++)
            for (int j = 0; j < i; j++)
                row[i][me] -= corner[i][j] * row[j][me];
    } else {
        for (int i = 0; i < TILE; i++) {
            for (int j = 0; j < i; j++)
                column[me][i] -= column[me][j] * corner[j][i];
            column[me][i] /= corner[i][i];
        }
    }
    __syncthreads();
    for (int i = 0; i < TILE; i++) {
        if (is_row)
            a[(at + i) * n + away + me] = row[i][me];
        else
            a[(away + i) * n + at + me] = column[i][me];
    }
}
__global__ void lu_inside(float *a, int n, int at)
{
    __shared__ float row[TILE][TILE], column[TILE][TILE];
    int x = THREAD(x), y = THREAD(y), gx = at + (BLOCK(x) + 1) * TILE + x, gy = at + (BLOCK(y) + 1) * TILE + y;
    float sum = 0;

    row[y][x] = a[(at + y) * n + gx];
    column[y][x] = a[gy * n + at + x];
    __syncthreads();
    for (int i = 0; i < TILE; i++)
        sum += column[y][i] * row[i][x];
    a[gy * n + gx] -= sum;
}

static void lu(void)
{
    float *a = noise_values<float>(N * N, 20, -10, 0.5), *da, *want = (float *)malloc(N * N * sizeof *want);

    for (int i = 0; i < N; i++)
        a[i * N + i] += 200;
    memcpy(want, a, N * N * sizeof *a);
    for (int i = 0; i < N; i++)
        for (int r = i + 1; r < N; r++) {
            want[r * N + i] /= want[i * N + i];
            for (int c = i + 1; c < N; c++)
                want[r * N + c] -= want[r * N + i] * want[i * N + c];
        }
    da = on_device(a, N * N);
    for (int at = 0; at < N; at += TILE) {
        int rest = (N - at) / TILE - 1;

        lu_corner<<<1, TILE>>>(da, N, at);
        if (rest) {
            lu_edges<<<rest, 2 * TILE>>>(da, N, at);
            lu_inside<<<dim3(rest, rest), dim3(TILE, TILE)>>>(da, N, at);
        }
    }
    expect("LU", da, want, N * N, 1e-4);
    free(a);
}

/* --- alignment: a launch a diagonal of tiles, inside a tile a thread a column --- */

enum { LENGTH = 96, SIDE = LENGTH + 1, PENALTY = 3 };

__global__ void align(int *score, const signed char *a, const signed char *b, int diagonal)
{
    __shared__ int t[TILE + 1][TILE + 1];
    int tiles = LENGTH / TILE, first = diagonal < tiles ? 0 : diagonal - tiles + 1, me = THREAD(x);
    int bx = first + BLOCK(x), by = diagonal - bx, x0 = bx * TILE, y0 = by * TILE;

    t[0][me + 1] = score[y0 * SIDE + x0 + me + 1];
    t[me + 1][0] = score[(y0 + me + 1) * SIDE + x0];
    if (me == 0)
        t[0][0] = score[y0 * SIDE + x0];
    __syncthreads();
    for (int step = 0; step < 2 * TILE - 1; step++) {
        int y = step - me;

        if (y >= 0 && y < TILE) {
            int best = t[y][me] + (a[x0 + me] == b[y0 + y] ? 5 : -4), up = t[y][me + 1] - PENALTY, left = t[y + 1][me] - PENALTY;

            best = up > best ? up : best;
            t[y + 1][me + 1] = left > best ? left : best;
        }
        __syncthreads();
    }
    for (int y = 0; y < TILE; y++)
        score[(y0 + y + 1) * SIDE + x0 + me + 1] = t[y + 1][me + 1];
}

static void alignment(void)
{
    signed char *a = noise_values<signed char>(LENGTH, 4, 0, 1), *b = noise_values<signed char>(LENGTH, 4, 0, 1);
    signed char *da = on_device(a, LENGTH), *db = on_device(b, LENGTH);
    int *want = (int *)calloc(SIDE * SIDE, sizeof *want), *d;

    for (int i = 0; i < SIDE; i++)
        want[i] = want[i * SIDE] = -i * PENALTY;
    d = on_device(want, SIDE * SIDE);
    for (int y = 1; y < SIDE; y++)
        for (int x = 1; x < SIDE; x++) {
            int best = want[(y - 1) * SIDE + x - 1] + (a[x - 1] == b[y - 1] ? 5 : -4);

            best = want[(y - 1) * SIDE + x] - PENALTY > best ? want[(y - 1) * SIDE + x] - PENALTY : best;
            want[y * SIDE + x] = want[y * SIDE + x - 1] - PENALTY > best ? want[y * SIDE + x - 1] - PENALTY : best;
        }
    for (int k = 0; k < 2 * LENGTH / TILE - 1; k++) {
        int tiles = LENGTH / TILE, count = k < tiles ? k + 1 : 2 * tiles - 1 - k;

        align<<<count, TILE>>>(d, da, db, k);
    }
    expect("alignment", d, want, SIDE * SIDE, 0);
    CHECK(cudaFree(da));
    CHECK(cudaFree(db));
    free(a);
    free(b);
}

/* --- shortest ways between all pairs --- */

__global__ void relax(int *d, int n, int by)
{
    int x = BLOCK(x) * THREADS(x) + THREAD(x), y = BLOCK(y);
    int way = d[y * n + by] + d[by * n + x];

    if (x < n && way < d[y * n + x])
        d[y * n + x] = way;
}

static void pairs(void)
{
    int *want = noise_values<int>(N * N, 1000, 1, 1), *d = on_device(want, N * N);

    for (int i = 0; i < N; i++)
        want[i * N + i] = 0;
    CHECK(cudaMemcpy(d, want, N * N * sizeof *d, cudaMemcpyHostToDevice));
    for (int k = 0; k < N; k++) {
        relax<<<dim3(1, N), N>>>(d, N, k);
        for (int y = 0; y < N; y++)
            for (int x = 0; x < N; x++)
                if (want[y * N + k] + want[k * N + x] < want[y * N + x])
                    want[y * N + x] = want[y * N + k] + want[k * N + x];
    }
    expect("pairs", d, want, N * N, 0);
}

/* --- tridiagonal systems, one a block --- */

__global__ void reduce_cyclically(float *x, const float *a, const float *b, const float *c, const float *d)
{
    __shared__ float s[2][4][N];
    int t = THREAD(x), at = BLOCK(x) * N + t, in = 0;

    s[0][0][t] = a[at];
    s[0][1][t] = b[at];
    s[0][2][t] = c[at];
    s[0][3][t] = d[at];
    for (int by = 1; by < N; by *= 2, in ^= 1) {
        float(*from)[N] = s[in], (*to)[N] = s[in ^ 1];
        int low = t - by, high = t + by;

        __syncthreads();
        float u = low >= 0 ? from[0][t] / from[1][low] : 0, v = high < N ? from[2][t] / from[1][high] : 0;
        to[0][t] = low >= 0 ? -from[0][low] * u : 0;
        to[2][t] = high < N ? -from[2][high] * v : 0;
        to[1][t] = from[1][t] - (low >= 0 ? from[2][low] * u : 0) - (high < N ? from[0][high] * v : 0);
        to[3][t] = from[3][t] - (low >= 0 ? from[3][low] * u : 0) - (high < N ? from[3][high] * v : 0);
    }
    __syncthreads();
    x[at] = s[in][3][t] / s[in][1][t];
}

static void tridiagonal(void)
{
    enum { SYSTEMS = 3, ALL = SYSTEMS * N };
    float *a = noise_values<float>(ALL, 10, -5, 0.25), *b = noise_values<float>(ALL, 10, 40, 0.25);
    float *c = noise_values<float>(ALL, 10, -5, 0.25), *want = noise_values<float>(ALL, 100, -50, 0.25), d[ALL];
    float *da, *db, *dc, *dd, *x = on_device<float>(NULL, ALL);

    for (int i = 0; i < ALL; i++) {
        a[i] = i % N ? a[i] : 0;
        c[i] = i % N == N - 1 ? 0 : c[i];
        d[i] = b[i] * want[i] + (i % N ? a[i] * want[i - 1] : 0) + (i % N == N - 1 ? 0 : c[i] * want[i + 1]);
    }
    da = on_device(a, ALL);
    db = on_device(b, ALL);
    dc = on_device(c, ALL);
    dd = on_device(d, ALL);
    reduce_cyclically<<<SYSTEMS, N>>>(x, da, db, dc, dd);
    expect("tridiagonal", x, want, ALL, 1e-4);
    CHECK(cudaFree(da));
    CHECK(cudaFree(db));
    CHECK(cudaFree(dc));
    CHECK(cudaFree(dd));
    free(a);
    free(b);
    free(c);
}

int main(void)
{
    equations();
    lu();
    alignment();
    pairs();
    tridiagonal();
    return report();
}
