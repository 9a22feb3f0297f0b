/* Breadth-first search in a directed graph that the device makes itself: from random numbers degrees, of which a few are
 * high; from degrees, by a prefix sum, where the edges of each vertex begin. level is -1 where a vertex was not met.
 * Narrow frontiers are queues that `push` takes and makes; wide ones are all vertices of a level, which `sweep` looks
 * for; `collect` makes a queue of them again. Kernels with queues take any grid: blocks go on until all is done. */
#include "../device.h"

/* degree 2^k for one vertex of 2^(k + 1), at most 64 */
extern "C" __global__ void degrees(unsigned *degree, const unsigned *random, int n)
{
    int i = BLOCK(x) * THREADS(x) + THREAD(x);

    if (i < n) {
        unsigned r = random[i];
        int zeros = r ? __builtin_clz(r) : 32;

        degree[i] = 1u << (zeros < 6 ? zeros : 6);
    }
}

/* sums[i] = values before i in the block; totals: of each block, or null. Block: 256. Values from n on count as 0. */
extern "C" __global__ void __launch_bounds__(256) scan(unsigned *sums, unsigned *totals, const unsigned *values, int n)
{
    static __shared__ unsigned part[8];
    int thread = THREAD(x), lane = thread % 32, warp = thread / 32, i = BLOCK(x) * 256 + thread;
    unsigned own = i < n ? values[i] : 0, sum = own;

    for (int lanes = 1; lanes < 32; lanes *= 2) {
        unsigned below = SHUFFLE_UP(sum, lanes);

        if (lane >= lanes)
            sum += below;
    }
    if (lane == 31)
        part[warp] = sum;
    __syncthreads();
    for (int w = 0; w < warp; w++)
        sum += part[w];
    sums[i] = sum - own;
    if (totals && thread == 255)
        totals[BLOCK(x)] = sum;
}
extern "C" __global__ void add_totals(unsigned *sums, const unsigned *totals)
{
    sums[BLOCK(x) * THREADS(x) + THREAD(x)] += totals[BLOCK(x)];
}

extern "C" __global__ void start(int *level, int *queue, int *counts, int source)
{
    level[source] = 0;
    queue[0] = source;
    counts[0] = 1;
}

/* counts[depth] vertices of the queue: their neighbours that nobody met get depth + 1 and go into the next queue, by way
 * of one in shared memory. Block: 128. */
extern "C" __global__ void __launch_bounds__(128)
    push(int *level, int *next, int *counts, const int *queue, const unsigned *offsets, const int *edges, int depth)
{
    enum { HELD = 1024 };
    static __shared__ int held[HELD], held_count, base;
    int count = counts[depth], stride = BLOCKS(x) * 128;

    for (int first = BLOCK(x) * 128; first < count; first += stride) {
        if (THREAD(x) == 0)
            held_count = 0;
        __syncthreads();
        if (first + THREAD(x) < count) {
            int vertex = queue[first + THREAD(x)];

            for (unsigned e = offsets[vertex]; e < offsets[vertex + 1]; e++) {
                int to = edges[e];

                if (level[to] >= 0 || atomicCAS(&level[to], -1, depth + 1) != -1)
                    continue;
                int slot = atomicAdd(&held_count, 1);
                if (slot < HELD)
                    held[slot] = to;
                else
                    next[atomicAdd(&counts[depth + 1], 1)] = to;
            }
        }
        __syncthreads();
        int full = held_count < HELD ? held_count : HELD;
        if (THREAD(x) == 0)
            base = atomicAdd(&counts[depth + 1], full);
        __syncthreads();
        for (int i = THREAD(x); i < full; i += 128)
            next[base + i] = held[i];
        __syncthreads();
    }
}

/* Every vertex of level depth, wherever it is; two that meet the same neighbour write the same. changed[depth + 1] says
 * whether there is a next level. */
extern "C" __global__ void sweep(int *level, int *changed, const unsigned *offsets, const int *edges, int depth, int n)
{
    int vertex = BLOCK(x) * THREADS(x) + THREAD(x);

    if (vertex >= n || level[vertex] != depth)
        return;
    for (unsigned e = offsets[vertex]; e < offsets[vertex + 1]; e++)
        if (level[edges[e]] < 0) {
            level[edges[e]] = depth + 1;
            changed[depth + 1] = 1;
        }
}

/* The vertices of a level, queued: a warp takes its places at once. */
extern "C" __global__ void collect(int *queue, int *counts, const int *level, int depth, int n)
{
    int vertex = BLOCK(x) * THREADS(x) + THREAD(x), lane = THREAD(x) % 32, place = 0;
    unsigned found = BALLOT(vertex < n && level[vertex] == depth);

    if (lane == 0 && found)
        place = atomicAdd(&counts[depth], __builtin_popcount(found));
    place = SHUFFLE(place, 0);
    if (found >> lane & 1)
        queue[place + __builtin_popcount(found & ((1u << lane) - 1))] = vertex;
}
