/* Sorting and counting: bitonic sort (shared, then global), radix sort with a scan, the scans of Hillis-Steele
 * and Blelloch, a single-pass scan with look-back, histograms, compaction with ballots, a search tree. */
#include "tests/unit/ptx/runtime/programs/check.h"

enum { N = 4096, BLOCK = 256 };

static int by_value(const void *a, const void *b)
{
    unsigned x = *(const unsigned *)a, y = *(const unsigned *)b;

    return x < y ? -1 : x > y;
}

/* --- bitonic --- */

__global__ void sort_parts(unsigned *v)
{
    __shared__ unsigned s[2 * BLOCK];
    int t = THREAD(x), base = BLOCK(x) * 2 * BLOCK;

    s[t] = v[base + t];
    s[t + BLOCK] = v[base + t + BLOCK];
    for (int size = 2; size <= 2 * BLOCK; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2) {
            int low = 2 * t - (t & (stride - 1));
            bool down = (base + low) & size;

            __syncthreads();
            if ((s[low] > s[low + stride]) != down) {
                unsigned swap = s[low];

                s[low] = s[low + stride];
                s[low + stride] = swap;
            }
        }
    __syncthreads();
    v[base + t] = s[t];
    v[base + t + BLOCK] = s[t + BLOCK];
}
__global__ void merge(unsigned *v, int size, int stride)
{
    int t = BLOCK(x) * THREADS(x) + THREAD(x), low = 2 * t - (t & (stride - 1));
    unsigned a = v[low], b = v[low + stride];

    if ((a > b) == !(low & size)) {
        v[low] = b;
        v[low + stride] = a;
    }
}

static void bitonic(void)
{
    unsigned *want = noise_values<unsigned>(N, 1 << 30, 0, 1), *v = on_device(want, N);

    qsort(want, N, sizeof *want, by_value);
    sort_parts<<<N / (2 * BLOCK), BLOCK>>>(v);
    for (int size = 4 * BLOCK; size <= N; size *= 2)
        for (int stride = size / 2; stride > 0; stride /= 2)
            merge<<<N / (2 * BLOCK), BLOCK>>>(v, size, stride);
    expect("bitonic", v, want, N, 0);
}

/* --- radix: 4 bits a pass --- */

__global__ void digits(int *counts, const unsigned *v, int shift)
{
    __shared__ int here[16];

    if (THREAD(x) < 16)
        here[THREAD(x)] = 0;
    __syncthreads();
    atomicAdd(&here[v[BLOCK(x) * BLOCK + THREAD(x)] >> shift & 15], 1);
    __syncthreads();
    if (THREAD(x) < 16)
        counts[THREAD(x) * BLOCKS(x) + BLOCK(x)] = here[THREAD(x)];
}
/* One block with one thread per value (at most 1024): exclusive sums, after Hillis and Steele. */
__global__ void scan_small(int *v)
{
    extern __shared__ int s[];
    int t = THREAD(x), n = THREADS(x), own = v[t];

    s[t] = own;
    for (int by = 1; by < n; by *= 2) {
        __syncthreads();
        int below = t >= by ? s[t - by] : 0;
        __syncthreads();
        s[t] += below;
    }
    v[t] = s[t] - own;
}
__global__ void scatter(unsigned *to, const unsigned *from, const int *starts, int shift)
{
    __shared__ int warps[16][BLOCK / 32];
    unsigned value = from[BLOCK(x) * BLOCK + THREAD(x)], digit = value >> shift & 15, lane = THREAD(x) % 32, peers = ALL_LANES;
    int warp = THREAD(x) / 32, before = 0;

    for (int bit = 0; bit < 4; bit++) {
        unsigned with = BALLOT(digit >> bit & 1);

        peers &= digit >> bit & 1 ? with : ~with;
    }
    if (THREAD(x) < 16 * (BLOCK / 32))
        warps[THREAD(x) / (BLOCK / 32)][THREAD(x) % (BLOCK / 32)] = 0;
    __syncthreads();
    if ((peers & ((1u << lane) - 1)) == 0)
        warps[digit][warp] = __builtin_popcount(peers);
    __syncthreads();
    for (int w = 0; w < warp; w++)
        before += warps[digit][w];
    before += __builtin_popcount(peers & ((1u << lane) - 1));
    to[starts[digit * BLOCKS(x) + BLOCK(x)] + before] = value;
}

static void radix(void)
{
    unsigned *want = noise_values<unsigned>(N, 1 << 30, 0, 1), *a, *b = on_device<unsigned>(NULL, N);
    int *counts = on_device<int>(NULL, 16 * N / BLOCK);

    for (int i = 0; i < N; i++)
        want[i] = want[i] << 2 | (i & 3);
    a = on_device(want, N);
    qsort(want, N, sizeof *want, by_value);
    for (int shift = 0; shift < 32; shift += 4) {
        unsigned *swap = a;

        digits<<<N / BLOCK, BLOCK>>>(counts, a, shift);
        scan_small<<<1, 16 * N / BLOCK, 16 * N / BLOCK * sizeof(int)>>>(counts);
        scatter<<<N / BLOCK, BLOCK>>>(b, a, counts, shift);
        a = b;
        b = swap;
    }
    expect("radix", a, want, N, 0);
    CHECK(cudaFree(b));
    CHECK(cudaFree(counts));
}

/* --- scans --- */

/* Up-sweep and down-sweep of a tree (Blelloch), without bank conflicts. */
__global__ void scan_tree(int *v)
{
    __shared__ int s[2 * BLOCK + 2 * BLOCK / 32];
    int t = THREAD(x), base = BLOCK(x) * 2 * BLOCK, by = 1;
#define AT(i) ((i) + (i) / 32)

    s[AT(2 * t)] = v[base + 2 * t];
    s[AT(2 * t + 1)] = v[base + 2 * t + 1];
    for (int d = BLOCK; d > 0; d /= 2, by *= 2) {
        __syncthreads();
        if (t < d)
            s[AT(by * (2 * t + 2) - 1)] += s[AT(by * (2 * t + 1) - 1)];
    }
    if (t == 0)
        s[AT(2 * BLOCK - 1)] = 0;
    for (int d = 1; d <= BLOCK; d *= 2) {
        by /= 2;
        __syncthreads();
        if (t < d) {
            int low = AT(by * (2 * t + 1) - 1), high = AT(by * (2 * t + 2) - 1), keep = s[low];

            s[low] = s[high];
            s[high] += keep;
        }
    }
    __syncthreads();
    v[base + 2 * t] = s[AT(2 * t)];
    v[base + 2 * t + 1] = s[AT(2 * t + 1)];
}

/* Single pass: a block publishes its sum (flag 1) and the sum up to its end (flag 2). It takes its number when it
 * starts, so all blocks with lower numbers are running already. */
__global__ void scan_once(int *v, volatile int *flags, volatile int *sums, volatile int *ends, int *next)
{
    __shared__ int s[BLOCK], number, before;
    int t = THREAD(x);

    if (t == 0)
        number = atomicAdd(next, 1);
    __syncthreads();
    int at = number * BLOCK + t, own = v[at];
    s[t] = own;
    for (int by = 1; by < BLOCK; by *= 2) {
        __syncthreads();
        int below = t >= by ? s[t - by] : 0;
        __syncthreads();
        s[t] += below;
    }
    __syncthreads();
    if (t == BLOCK - 1) {
        int sum = 0;

        sums[number] = s[t];
        asm volatile("membar.gl;" ::: "memory");
        flags[number] = 1;
        for (int b = number - 1; b >= 0;) {
            int flag = flags[b];

            asm volatile("membar.gl;" ::: "memory");
            if (flag == 2) {
                sum += ends[b];
                break;
            }
            if (flag == 1)
                sum += sums[b--];
        }
        before = sum;
        ends[number] = sum + s[t];
        asm volatile("membar.gl;" ::: "memory");
        flags[number] = 2;
    }
    __syncthreads();
    v[at] = before + s[t] - own;
}

static void scans(void)
{
    int *v = noise_values<int>(N, 100, -50, 1), *want = (int *)malloc(N * sizeof *want), *parts = (int *)malloc(N * sizeof *parts);
    int *d = on_device(v, N), *flags = on_device<int>(NULL, 3 * (N / BLOCK) + 1);

    for (int i = 0; i < N; i++) {
        want[i] = i ? want[i - 1] + v[i - 1] : 0;
        parts[i] = i % (2 * BLOCK) ? parts[i - 1] + v[i - 1] : 0;
    }
    scan_tree<<<N / (2 * BLOCK), BLOCK>>>(d);
    expect("scan_tree", d, parts, N, 0);
    d = on_device(v, N);
    scan_once<<<N / BLOCK, BLOCK>>>(d, flags, flags + N / BLOCK, flags + 2 * (N / BLOCK), flags + 3 * (N / BLOCK));
    expect("scan_once", d, want, N, 0);
    CHECK(cudaFree(flags));
    free(v);
}

/* --- counting --- */

__global__ void histogram(unsigned *counts, const unsigned char *bytes, int n)
{
    __shared__ unsigned here[256];

    here[THREAD(x)] = 0;
    __syncthreads();
    for (int i = (BLOCK(x) * 256 + THREAD(x)) * 4; i < n; i += BLOCKS(x) * 1024) {
        unsigned four = *(const unsigned *)(bytes + i);

        for (int k = 0; k < 4; k++)
            asm volatile("{ .reg .u64 a; .reg .u32 b; cvta.to.shared.u64 a, %0; atom.shared.add.u32 b, [a], 1; }" ::"l"(&here[four >> 8 * k & 255])
                         : "memory");
    }
    __syncthreads();
    asm volatile("red.global.add.u32 [%0], %1;" ::"l"(counts + THREAD(x)), "r"(here[THREAD(x)]) : "memory");
}
/* Keeps the odd values, in order within a warp. Warps take their output position in any order. */
__global__ void keep_odd(unsigned *to, int *count, const unsigned *from, int n)
{
    int i = BLOCK(x) * THREADS(x) + THREAD(x), lane = THREAD(x) % 32, base = 0;
    bool odd = i < n && from[i] & 1;
    unsigned all = BALLOT(odd);

    if (lane == 0)
        base = atomicAdd(count, __builtin_popcount(all));
    base = SHUFFLE(base, 0);
    if (odd)
        to[base + __builtin_popcount(all & ((1u << lane) - 1))] = from[i];
}

static void counting(void)
{
    unsigned char *bytes = noise_values<unsigned char>(N, 256, 0, 1), *db = on_device(bytes, N);
    unsigned *want = (unsigned *)calloc(256, sizeof *want), *counts = on_device<unsigned>(NULL, 256);
    unsigned *v = noise_values<unsigned>(N, 1 << 20, 0, 1), *dv = on_device(v, N), *to = on_device<unsigned>(NULL, N), *got;
    int *count = on_device<int>(NULL, 1), n = 0, *kept;

    for (int i = 0; i < N; i++)
        want[bytes[i]]++;
    histogram<<<3, 256>>>(counts, db, N);
    expect("histogram", counts, want, 256, 0);
    keep_odd<<<N / 128, 128>>>(to, count, dv, N - 5);
    for (int i = 0; i < N - 5; i++)
        if (v[i] & 1)
            v[n++] = v[i];
    kept = from_device(count, 1);
    same("kept", kept, &n, 1, 0);
    got = from_device(to, N);
    qsort(got, n, sizeof *got, by_value);
    qsort(v, n, sizeof *v, by_value);
    same("odd ones", got, v, n, 0);
    free(kept);
    free(got);
    free(v);
    free(bytes);
    CHECK(cudaFree(db));
    CHECK(cudaFree(dv));
}

/* --- a tree of records: 16 keys a node, a block for each query --- */

enum { ORDER = 16, LEAVES = 64, QUERIES = 40 };
struct node {
    int keys[ORDER]; /* ascending; smallest key below each child */
    int child[ORDER];
    bool leaf;
};

__global__ void look_up(int *found, const node *nodes, const int *queries, int depth)
{
    __shared__ int at;
    int t = THREAD(x), query = queries[BLOCK(x)];

    if (t == 0)
        at = 0;
    __syncthreads();
    for (int level = 0; level < depth; level++) {
        const node *n = &nodes[at];

        __syncthreads();
        if (n->keys[t] <= query && (t == ORDER - 1 || query < n->keys[t + 1]))
            at = n->leaf ? (n->keys[t] == query ? n->child[t] : -1) : n->child[t];
        __syncthreads();
    }
    if (t == 0)
        found[BLOCK(x)] = at;
}

static void tree(void)
{
    enum { MIDDLE = LEAVES / ORDER, NODES = 1 + MIDDLE + LEAVES };
    node *nodes = (node *)calloc(NODES, sizeof *nodes), *dn;
    int *queries = (int *)malloc(QUERIES * sizeof *queries), *want = (int *)malloc(QUERIES * sizeof *want), *dq, *found = on_device<int>(NULL, QUERIES);

    for (int i = 0; i < LEAVES * ORDER; i++) {
        node *leaf = &nodes[1 + MIDDLE + i / ORDER];

        leaf->leaf = true;
        leaf->keys[i % ORDER] = 3 * i;
        leaf->child[i % ORDER] = 1000 + i;
    }
    for (int i = 0; i < LEAVES; i++) {
        nodes[1 + i / ORDER].keys[i % ORDER] = 3 * i * ORDER;
        nodes[1 + i / ORDER].child[i % ORDER] = 1 + MIDDLE + i;
    }
    for (int i = 0; i < ORDER; i++) {
        nodes[0].keys[i] = i < MIDDLE ? 3 * i * ORDER * ORDER : 0x7fffffff;
        nodes[0].child[i] = 1 + i;
    }
    for (int i = 0; i < QUERIES; i++) {
        queries[i] = (int)noise(3 * LEAVES * ORDER);
        want[i] = queries[i] % 3 ? -1 : 1000 + queries[i] / 3;
    }
    dn = on_device(nodes, NODES);
    dq = on_device(queries, QUERIES);
    look_up<<<QUERIES, ORDER>>>(found, dn, dq, 3);
    expect("tree", found, want, QUERIES, 0);
    CHECK(cudaFree(dn));
    CHECK(cudaFree(dq));
    free(nodes);
    free(queries);
}

int main(void)
{
    bitonic();
    radix();
    scans();
    counting();
    tree();
    return report();
}
