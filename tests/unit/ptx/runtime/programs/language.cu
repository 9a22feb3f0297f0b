/* C++ as compilers lower it: calls through pointers and tables, recursion, objects, structs by value, local arrays,
 * switches, all widths of arithmetic. Each function runs on the device and on the host, with the same bits. */
#include "tests/unit/ptx/runtime/programs/check.h"

#define BOTH __host__ __device__
typedef unsigned long long u64;
typedef long long s64;

BOTH static u64 mixed(u64 h, u64 v)
{
    h = (h ^ v) * 0x9E3779B97F4A7C15ull;
    return h ^ h >> 29;
}
template <typename T> BOTH static u64 bits_of(T v)
{
    u64 out = 0;

    __builtin_memcpy(&out, &v, sizeof v);
    return out;
}

/* --- arithmetic of every width --- */

template <typename T> BOTH static u64 arithmetic(unsigned i)
{
    T a = (T)(i * 2654435761u + 12345), b = (T)((i * 40503u >> 3) | 1), c = (T)(i - 7);
    u64 h = 0;

    if (b == (T)-1)
        b = 3;
    h = mixed(h, bits_of((T)(a / b)));
    h = mixed(h, bits_of((T)(a % b)));
    h = mixed(h, bits_of((T)((u64)a * (u64)b + (u64)c)));
    h = mixed(h, bits_of((T)(a ^ (b & ~c))));
    h = mixed(h, bits_of((T)(a >> (i % (sizeof(T) * 8)))));
    h = mixed(h, bits_of((T)((u64)a << (i % (sizeof(T) * 8)))));
    h = mixed(h, (u64)(a < b) | (u64)(a <= c) << 1 | (u64)(b > c) << 2 | (u64)(a == c) << 3);
    h = mixed(h, bits_of((T)(a < b ? a : b)));
    return mixed(h, (u64)(s64)a + (u64)(unsigned)c + (u64)(short)b + (u64)(unsigned char)a);
}
BOTH static u64 integers(unsigned i)
{
    return arithmetic<signed char>(i) ^ arithmetic<unsigned char>(i) * 3 ^ arithmetic<short>(i) * 5 ^ arithmetic<unsigned short>(i) * 7 ^
           arithmetic<int>(i) * 11 ^ arithmetic<unsigned>(i) * 13 ^ arithmetic<s64>(i) * 17 ^ arithmetic<u64>(i) * 19;
}

__extension__ typedef unsigned __int128 u128;
BOTH static u64 wide(unsigned i)
{
    u128 a = (u128)(i + 1) * 0x123456789abcdef1ull << (i % 50), b = ~(u128)i * 77;
    u128 sum = a + b, product = a * b, gap = b - a;

    return mixed(mixed((u64)sum, (u64)(sum >> 64)), mixed((u64)product, (u64)(product >> 64))) ^ (u64)(gap >> 31) ^ (u64)(a < b);
}

template <typename T> BOTH static u64 reals(unsigned i)
{
    T a = (T)((int)i - 50) * (T)0.37, b = (T)(i % 13) + (T)0.5, c = a * b - (T)3;
    u64 h = bits_of(a / b);

    h = mixed(h, bits_of(a + b * c));
    h = mixed(h, bits_of((T)__builtin_fabs(a) - b));
    h = mixed(h, (u64)(s64)c);
    h = mixed(h, (u64)(int)a + (u64)(unsigned char)(int)b);
    h = mixed(h, bits_of((T)(u64)(i * 0x1234567ull)) ^ bits_of((T)(s64)-(s64)i) ^ bits_of((T)(short)i));
    h = mixed(h, (u64)(a < c) | (u64)(a >= b) << 1 | (u64)(a != c) << 2);
    return mixed(h, bits_of((float)c) ^ bits_of((double)a));
}
BOTH static u64 floats(unsigned i)
{
    return reals<float>(i) ^ reals<double>(i) * 3;
}

/* --- control --- */

BOTH static u64 switches(unsigned i)
{
    u64 h = i;

    for (unsigned k = 0; k < 6; k++) {
        switch ((i * 7 + k * 5) % 11) {
        case 0: h += 17; break;
        case 1: h ^= h << 3;
        case 2: h *= 5; break;
        case 3: h = ~h; continue;
        case 4: h -= k; break;
        case 6: h ^= 0x55; break;
        case 7:
            if (h & 1)
                goto out;
            h /= 3;
            break;
        case 9: h += h >> 7; break;
        case 10: return h * 31;
        default: h++;
        }
        if (h % 29 == 4)
            break;
    out:
        h ^= k;
    }
    return h;
}
BOTH static u64 loops(unsigned i)
{
    u64 n = i + 1, h = 0;

    while (n != 1 && h < 500) {
        n = n % 2 ? 3 * n + 1 : n / 2;
        h++;
    }
    do
        h = h * 3 + i % 5;
    while (h % 7);
    for (unsigned a = 0; a < i % 9; a++)
        for (unsigned b = a; b < 6; b++) {
            if (a * b == 10)
                continue;
            if (a + b > 9)
                goto done;
            h += a * b;
        }
done:
    return h;
}

/* --- calls --- */

BOTH static u64 ackermann(u64 m, u64 n)
{
    return m == 0 ? n + 1 : n == 0 ? ackermann(m - 1, 1) : ackermann(m - 1, ackermann(m, n - 1));
}
BOTH static bool is_odd(unsigned n);
BOTH static bool is_even(unsigned n)
{
    return n == 0 || is_odd(n - 1);
}
BOTH static bool is_odd(unsigned n)
{
    return n != 0 && is_even(n - 1);
}
BOTH static u64 recursion(unsigned i)
{
    return ackermann(2, i % 5) * 2 + is_even(i % 17);
}

BOTH __attribute__((noinline)) static int add(int a, int b)
{
    return a + b;
}
BOTH __attribute__((noinline)) static int subtract(int a, int b)
{
    return a - b;
}
BOTH __attribute__((noinline)) static int multiply(int a, int b)
{
    return (int)((unsigned)a * (unsigned)b);
}
BOTH __attribute__((noinline)) static int fold(int (*f)(int, int), int from, int n)
{
    int r = from;

    for (int k = 1; k <= n; k++)
        r = f(r, k);
    return r;
}
BOTH static u64 pointers(unsigned i)
{
    int (*const table[3])(int, int) = {add, subtract, multiply};

    return (u64)(unsigned)fold(table[i % 3], (int)i, 5) ^ (u64)(unsigned)table[(i + 1) % 3]((int)i, 9) << 20;
}

struct big {
    char tag;
    short small[3];
    double real;
    u64 many[4];
    unsigned low : 5, high : 11;
};
BOTH __attribute__((noinline)) static big made(unsigned i)
{
    big b = {(char)i, {(short)i, (short)(i * 3), (short)-i}, i * 0.5, {i, i + 1ull, ~(u64)i, 5}, i % 32, i % 2048};

    return b;
}
BOTH __attribute__((noinline)) static u64 taken(big b, int k)
{
    b.many[k % 4] += b.small[k % 3];
    b.low += 3;
    return b.many[0] ^ b.many[1] * 3 ^ b.many[2] * 5 ^ b.many[3] * 7 ^ bits_of(b.real) ^ (u64)b.tag ^ (u64)b.low << 40 ^ (u64)b.high << 48;
}
BOTH static u64 structs(unsigned i)
{
    big b = made(i), copy = b;

    copy.many[i % 4] = 9;
    return taken(b, (int)i) + taken(copy, (int)i + 1) * 3;
}

struct shape {
    BOTH virtual u64 area(unsigned k) const = 0;
    BOTH virtual u64 twice(unsigned k) const
    {
        return 2 * area(k);
    }
};
struct square : shape {
    u64 side;
    BOTH square(u64 side) : side(side)
    {
    }
    BOTH u64 area(unsigned k) const override
    {
        return side * side + k;
    }
};
struct box : shape {
    u64 w, h;
    BOTH box(u64 w, u64 h) : w(w), h(h)
    {
    }
    BOTH u64 area(unsigned k) const override
    {
        return w * h - k;
    }
    BOTH u64 twice(unsigned k) const override
    {
        return area(k) + area(k + 1);
    }
};
BOTH __attribute__((noinline)) static u64 measured(const shape *s, unsigned k)
{
    return s->twice(k) + s->area(1);
}
BOTH static u64 objects(unsigned i)
{
    square s(i + 1);
    box b(i, 3);

    return measured(i % 3 ? (const shape *)&s : (const shape *)&b, i);
}

/* --- memory of a thread --- */

BOTH static u64 arrays(unsigned i)
{
    unsigned v[20], n = 5 + i % 15;
    unsigned char bytes[sizeof v];
    u64 h = 0;

    for (unsigned k = 0; k < n; k++)
        v[k] = (i + k) * 2654435761u >> 20;
    for (unsigned a = 1; a < n; a++)
        for (unsigned b = a; b > 0 && v[b - 1] > v[b]; b--) {
            unsigned swap = v[b];

            v[b] = v[b - 1];
            v[b - 1] = swap;
        }
    __builtin_memcpy(bytes, v, n * sizeof *v);
    for (unsigned k = 0; k < n * sizeof *v; k += 3)
        h = h * 131 + bytes[k];
    return h;
}
union either {
    float f;
    unsigned u;
    unsigned short half[2];
    signed char byte[4];
};
BOTH static u64 unions(unsigned i)
{
    either e;
    u64 h;

    e.f = (float)i * 1.25f;
    h = e.u ^ (u64)e.half[1] << 17;
    e.byte[i % 4] = (signed char)(i * 5);
    e.half[0] += 3;
    return mixed(h, e.u) + (u64)e.byte[3];
}
template <int N> BOTH static u64 power(u64 x)
{
    return x * power<N - 1>(x);
}
template <> BOTH u64 power<0>(u64)
{
    return 1;
}
BOTH static u64 closures(unsigned i)
{
    unsigned calls = 0;
    auto count = [&calls, i](unsigned k) {
        calls += k;
        return k * i;
    };
    u64 h = 0;

    for (unsigned k = 0; k < 4; k++)
        h += count(k);
    return h * 100 + calls + power<5>(i);
}
/* nvcc has these under other names on the device. */
#if defined(__NVCC__) && defined(__CUDA_ARCH__)
#define POPCOUNT(x)   __popc(x)
#define POPCOUNT64(x) __popcll(x)
#define LEADING(x)    __clz(x)
#define LEADING64(x)  __clzll(x)
#define TRAILING(x)   (__ffs(x) - 1)
#define SWAPPED(x)    __byte_perm(x, 0, 0x0123)
#else
#define POPCOUNT(x)   __builtin_popcount(x)
#define POPCOUNT64(x) __builtin_popcountll(x)
#define LEADING(x)    __builtin_clz(x)
#define LEADING64(x)  __builtin_clzll(x)
#define TRAILING(x)   __builtin_ctz(x)
#define SWAPPED(x)    __builtin_bswap32(x)
#endif
BOTH static u64 bits(unsigned i)
{
    unsigned x = i * 2654435761u;
    u64 y = (u64)x << 21 | i;

    return (u64)POPCOUNT(x) | (u64)POPCOUNT64(y) << 8 | (u64)(x ? LEADING(x) : 32) << 16 | (u64)LEADING64(y | 1) << 24 |
           (u64)TRAILING(x | 1u << 31) << 32 | (u64)(SWAPPED(x) & 0xff) << 40 | (u64)(x << 7 | x >> 25) % 251 << 48;
}

#define ALL(X)                                                                                                     \
    X(integers) X(wide) X(floats) X(switches) X(loops) X(recursion) X(pointers) X(structs) X(objects) X(arrays)    \
        X(unions) X(closures) X(bits)

#define KERNEL(f)                                                                                                  \
    __global__ void f##_kernel(u64 *out, int n)                                                                    \
    {                                                                                                              \
        int i = BLOCK(x) * THREADS(x) + THREAD(x);                                                                 \
        if (i < n)                                                                                                 \
            out[i] = f((unsigned)i);                                                                               \
    }
ALL(KERNEL)

/* --- what only a device has --- */

struct given {
    char c;
    u64 *out;
    float table[5];
    short s;
};
__global__ void by_value(given g, char c, short s, double d, given h)
{
    int i = THREAD(x);

    g.out[i] = (u64)(s64)g.c * 1000 + (u64)(s64)(g.table[i % 5] * 4) + (u64)(s64)g.s + (u64)(s64)c + (u64)(s64)(s * d) + (u64)(s64)h.table[4] + (u64)(s64)h.s;
}
static void values_are_handed_over(void)
{
    u64 *out = on_device<u64>(NULL, 32), *want = (u64 *)malloc(32 * sizeof *want);
    given g = {-3, out, {1, 2.5f, -3, 4, 5}, -77}, h = {1, NULL, {0, 0, 0, 0, 42}, 1234};

    by_value<<<1, 32>>>(g, 'x', -5, 2.5, h);
    for (int i = 0; i < 32; i++)
        want[i] = (u64)(s64)g.c * 1000 + (u64)(s64)(g.table[i % 5] * 4) + (u64)(s64)g.s + 'x' + (u64)(s64)(-5 * 2.5) + 42 + 1234;
    expect("by_value", out, want, 32, 0);
}

__device__ int counters[3] = {5, 6, 7};
__device__ int *const places[] = {&counters[2], counters, &counters[1]};
__device__ const char *const words[] = {"one", "three", "eleven"};
__constant__ const unsigned char odd[7] = {1, 3, 5, 7, 9, 11, 13};
__device__ int apply(int x)
{
    return x * 3 + 1;
}
__device__ int (*hook)(int) = apply;
__global__ void initials(int *out)
{
    int i = THREAD(x), n = 0;

    while (words[i % 3][n])
        n++;
    out[i] = *places[i % 3] * 1000 + hook(n) * 10 + odd[i % 7];
}
static void variables_begin_as_written(void)
{
    int *out = on_device<int>(NULL, 32), *want = (int *)malloc(32 * sizeof *want);
    const int values[3] = {7, 5, 6}, lengths[3] = {3, 5, 6};

    initials<<<1, 32>>>(out);
    for (int i = 0; i < 32; i++)
        want[i] = values[i % 3] * 1000 + (lengths[i % 3] * 3 + 1) * 10 + 2 * (i % 7) + 1;
    expect("initials", out, want, 32, 0);
}

int main(void)
{
    enum { COUNT = 200 };

#define RUN(f)                                                                                                     \
    {                                                                                                              \
        u64 *out = on_device<u64>(NULL, COUNT), *got;                                                              \
        int i = 0;                                                                                                 \
        f##_kernel<<<4, 64>>>(out, COUNT);                                                                         \
        got = from_device(out, COUNT);                                                                             \
        while (i < COUNT && got[i] == f((unsigned)i))                                                              \
            i++;                                                                                                   \
        if (i < COUNT) {                                                                                           \
            printf(#f ": value %d is %llx, not %llx\n", i, got[i], f((unsigned)i));                                \
            failures++;                                                                                            \
        }                                                                                                          \
        free(got);                                                                                                 \
    }
    ALL(RUN)
    values_are_handed_over();
    variables_begin_as_written();
    return report();
}
