/* Running kernels: divergence and meeting again, barriers, shuffles, calls, waiting for each other; and hostile
 * kernels, which end with a sentence. */
#include "tests/unit/ptx/engine.h"

#define REGS                                                                                                       \
    ".reg .pred %p<9>; .reg .b32 %r<40>; .reg .b64 %rd<20>; .reg .b16 %h<5>; .reg .f32 %f<9>;\n"                   \
    "ld.param.u64 %rd1, [out];\nmov.u32 %r1, %tid.x;\nmov.u32 %r2, %ctaid.x;\nmov.u32 %r3, %ntid.x;\n"             \
    "mad.lo.s32 %r4, %r2, %r3, %r1;\nmul.wide.u32 %rd2, %r4, 4;\nadd.s64 %rd3, %rd1, %rd2;\n"
/* A kernel that gives %r9 of each thread to out[thread]. */
#define KERNEL(body_)                                                                                              \
    ".visible .entry k(.param .u64 out)\n{\n" REGS body_ "\nDONE: st.global.u32 [%rd3], %r9;\nret;\n}\n"

static const bool orders[] = {false, true};

/* Runs k over grid x block in both orders of divergent branches; checks every thread's word. */
static void expect(const char *text, uint32_t grid, uint32_t block, uint32_t (*want)(uint32_t thread))
{
    for (size_t o = 0; o < 2; o++) {
        struct bench *b = bench_open(text);
        uint64_t out = bench_alloc(b, (uint64_t)grid * block * 4);
        struct err e;

        b->options.taken_first = orders[o];
        b->options.strict = true;
        b->options.limit_instructions = 200000000;
        CHECK_OK(bench_run(b, "k", grid, block, &out, 1, &e), &e);
        for (uint32_t k = 0; k < grid * block; k++)
            if (bench_words(b, out)[k] != want(k))
                fail_msg("thread %u, order %zu: got 0x%x, want 0x%x", k, o, bench_words(b, out)[k], want(k));
        bench_close(b);
    }
}

/* The launch must fail with this in its sentence. */
static void expect_fault(const char *text, uint32_t block, bool strict, const char *part)
{
    struct bench *b = bench_open(text);
    uint64_t out = bench_alloc(b, 4096);
    struct err e;

    b->options.limit_instructions = 1000000;
    b->options.strict = strict;
    CHECK_FAILS(bench_run(b, "k", 1, block, &out, 1, &e), &e, ERR_SIMULATION, part);
    if (!strstr(e.text, "kernel k") || !strstr(e.text, "CTA (0,0,0)"))
        fail_msg("the sentence names no kernel or CTA: %s", e.text);
    bench_close(b);
}

/* --- straight code and divergence --- */

static uint32_t thread_plus_7(uint32_t t)
{
    return t + 7;
}

static void threads_find_their_numbers(void **state)
{
    (void)state;
    expect(KERNEL("add.s32 %r9, %r4, 7;"), 5, 96, thread_plus_7);
    expect(KERNEL("add.s32 %r9, %r4, 7;"), 3, 33, thread_plus_7);
}

static uint32_t nested(uint32_t t)
{
    uint32_t r = t & 1 ? (t & 2 ? 100 + t : 200) : 300;

    return r + 1;
}

static void nested_branches_meet_again(void **state)
{
    (void)state;
    expect(KERNEL("and.b32 %r5, %r1, 1; setp.eq.s32 %p1, %r5, 0; @%p1 bra EVEN;\n"
                  "and.b32 %r6, %r1, 2; setp.eq.s32 %p2, %r6, 0; @%p2 bra LOW;\n"
                  "add.s32 %r9, %r4, 100; bra.uni JOIN;\n"
                  "LOW: mov.u32 %r9, 200; bra.uni JOIN;\n"
                  "EVEN: mov.u32 %r9, 300;\n"
                  "JOIN: add.s32 %r9, %r9, 1;"),
           2, 64, nested);
}

static uint32_t triangle(uint32_t t)
{
    uint32_t n = t % 64, sum = 0;

    for (uint32_t i = 0; i <= n; i++)
        sum += i & 1 ? 3 * i : i;
    return sum;
}

static void divergent_loops_end_for_each_lane_in_its_time(void **state)
{
    (void)state;
    expect(KERNEL("mov.u32 %r9, 0; mov.u32 %r5, 0;\n"
                  "LOOP: and.b32 %r6, %r5, 1; setp.eq.s32 %p1, %r6, 0; @%p1 bra EVEN;\n"
                  "mul.lo.s32 %r7, %r5, 3; add.s32 %r9, %r9, %r7; bra NEXT;\n"
                  "EVEN: add.s32 %r9, %r9, %r5;\n"
                  "NEXT: add.s32 %r5, %r5, 1; setp.le.u32 %p2, %r5, %r1; @%p2 bra LOOP;"),
           2, 64, triangle);
}

/* Lanes are together again behind a loop: activemask there is full. */
static uint32_t full_mask(uint32_t t)
{
    (void)t;
    return UINT32_MAX;
}

static void lanes_meet_behind_a_loop_and_behind_exits(void **state)
{
    (void)state;
    expect(KERNEL("mov.u32 %r5, 0;\nLOOP: add.s32 %r5, %r5, 1; setp.le.u32 %p2, %r5, %r1; @%p2 bra LOOP;\n"
                  "activemask.b32 %r9;"),
           1, 32, full_mask);
}

static uint32_t half_exited(uint32_t t)
{
    return t & 1 ? 0 : 0x55555555;
}

static void exited_lanes_are_missed_by_nobody(void **state)
{
    (void)state;
    expect(KERNEL("and.b32 %r5, %r1, 1; setp.eq.s32 %p1, %r5, 1; setp.lt.u32 %p2, %r1, 16;\n"
                  "@%p2 bra FIRST; bra.uni JOIN;\nFIRST: @%p1 exit;\nJOIN: @%p1 exit;\n"
                  "bar.warp.sync 0xffffffff; bar.sync 0; vote.sync.ballot.b32 %r9, 1, 0xffffffff;"),
           1, 32, half_exited);
}

static uint32_t switched(uint32_t t)
{
    static const uint32_t values[] = {10, 20, 30};

    return values[t % 3] + t;
}

static void an_indexed_branch_goes_to_each_target(void **state)
{
    (void)state;
    expect(KERNEL("TS: .branchtargets A, B, C;\nrem.u32 %r5, %r4, 3; brx.idx %r5, TS;\n"
                  "A: mov.u32 %r9, 10; bra JOIN;\nB: mov.u32 %r9, 20; bra JOIN;\nC: mov.u32 %r9, 30;\n"
                  "JOIN: add.s32 %r9, %r9, %r4;"),
           1, 64, switched);
}

/* --- across lanes --- */

static uint32_t warp_sum(uint32_t t)
{
    uint32_t first = t & ~31u;

    return 32 * first + 31 * 16;
}

static void shuffles_add_up_a_warp(void **state)
{
    (void)state;
    expect(KERNEL("mov.u32 %r9, %r4;\n"
                  "shfl.sync.bfly.b32 %r5|%p1, %r9, 16, 31, -1; add.s32 %r9, %r9, %r5;\n"
                  "shfl.sync.bfly.b32 %r5, %r9, 8, 31, -1; add.s32 %r9, %r9, %r5;\n"
                  "shfl.sync.bfly.b32 %r5, %r9, 4, 31, -1; add.s32 %r9, %r9, %r5;\n"
                  "shfl.sync.bfly.b32 %r5, %r9, 2, 31, -1; add.s32 %r9, %r9, %r5;\n"
                  "shfl.sync.bfly.b32 %r5, %r9, 1, 31, -1; add.s32 %r9, %r9, %r5;"),
           2, 64, warp_sum);
}

/* Segments of eight lanes; up and down stop at their ends and tell it in the predicate. */
static uint32_t segments(uint32_t t)
{
    uint32_t lane = t % 32, up = lane % 8 >= 3 ? lane - 3 : 1000 + lane,
             down = lane % 8 < 6 ? lane + 2 : 2000 + lane;

    return up * 10000 + down;
}

static void shuffles_stop_at_segments(void **state)
{
    (void)state;
    expect(KERNEL("mov.u32 %r8, %laneid;\n"
                  "shfl.sync.up.b32 %r5|%p1, %r8, 3, 0x1800, -1; @!%p1 add.s32 %r5, %r5, 1000;\n"
                  "shfl.sync.down.b32 %r6|%p2, %r8, 2, 0x181f, -1; @!%p2 add.s32 %r6, %r6, 2000;\n"
                  "mad.lo.s32 %r9, %r5, 10000, %r6;"),
           1, 32, segments);
}

static uint32_t both_sides(uint32_t t)
{
    return t ^ 1;
}

/* The two halves come to different instructions; each reads what the other holds. */
static void a_shuffle_in_divergent_code_waits_for_its_members(void **state)
{
    (void)state;
    expect(KERNEL("and.b32 %r5, %r1, 1; setp.eq.s32 %p1, %r5, 0; @%p1 bra EVEN;\n"
                  "add.s32 %r6, %r4, 0; shfl.sync.bfly.b32 %r9, %r6, 1, 31, -1; bra JOIN;\n"
                  "EVEN: mov.u32 %r7, %r4; shfl.sync.bfly.b32 %r9, %r7, 1, 31, -1;\n"
                  "JOIN: "),
           2, 64, both_sides);
}

static uint32_t own_half(uint32_t t)
{
    return t % 32 < 16 ? t / 32 * 32 + 3 : t / 32 * 32 + 20;
}

static void member_masks_divide_a_warp(void **state)
{
    (void)state;
    /* the same instruction, two masks */
    expect(KERNEL("setp.lt.u32 %p1, %r1, 1024; and.b32 %r5, %r1, 31; setp.lt.u32 %p1, %r5, 16;\n"
                  "selp.b32 %r6, 0x0000ffff, 0xffff0000, %p1; selp.b32 %r7, 3, 20, %p1;\n"
                  "shfl.sync.idx.b32 %r9, %r4, %r7, 31, %r6;"),
           2, 64, own_half);
    /* one half alone; the other never comes */
    expect(KERNEL("and.b32 %r5, %r1, 31; setp.lt.u32 %p1, %r5, 16; @%p1 bra LOW;\n"
                  "shfl.sync.idx.b32 %r9, %r4, 20, 31, 0xffff0000; bra JOIN;\n"
                  "LOW: shfl.sync.idx.b32 %r9, %r4, 3, 31, 0x0000ffff;\nJOIN: "),
           2, 64, own_half);
}

static uint32_t votes(uint32_t t)
{
    uint32_t lane = t % 32, ballot = 0x92492492, third = 0, equal = 0;

    for (uint32_t k = 0; k < 32; k++) {
        third |= (uint32_t)(k % 3 == 1) << k;
        equal |= (uint32_t)(k % 4 == lane % 4) << k;
    }
    assert_int_equal(third, ballot);
    return (third ^ equal) + 496 + 4; /* any, not all; a sum and one bit more */
}

static void votes_matches_and_reductions(void **state)
{
    (void)state;
    expect(KERNEL("mov.u32 %r8, %laneid; rem.u32 %r5, %r8, 3; setp.eq.u32 %p1, %r5, 1;\n"
                  "vote.sync.ballot.b32 %r10, %p1, -1;\nrem.u32 %r6, %r8, 4;\n"
                  "match.any.sync.b32 %r11, %r6, -1; redux.sync.add.s32 %r12, %r8, -1;\n"
                  "vote.sync.any.pred %p2, %p1, -1; vote.sync.all.pred %p3, %p1, -1;\n"
                  "xor.b32 %r9, %r10, %r11; add.s32 %r9, %r9, %r12;\n"
                  "@%p2 add.s32 %r9, %r9, 4; @%p3 add.s32 %r9, %r9, 1000;"),
           1, 64, votes);
}

/* --- barriers --- */

static uint32_t mirrored(uint32_t t)
{
    return t / 96 * 96 + (95 - t % 96);
}

static void a_barrier_orders_shared_memory(void **state)
{
    (void)state;
    expect(
        KERNEL(".shared .align 4 .b8 tile[384];\nmov.u32 %r5, tile; shl.b32 %r6, %r1, 2; add.s32 %r7, %r5, %r6;\n"
               "st.shared.u32 [%r7], %r4; bar.sync 0;\nsub.s32 %r8, 95, %r1; shl.b32 %r8, %r8, 2;\n"
               "add.s32 %r8, %r5, %r8; ld.shared.u32 %r9, [%r8];"),
        3, 96, mirrored);
}

static uint32_t counted(uint32_t t)
{
    return t < 32 ? 0 : 40 + 1;
}

/* Warp 0 leaves at once; the others' barrier does not wait for it. Then a reduction of predicates. */
static void warps_that_have_ended_release_a_barrier(void **state)
{
    (void)state;
    expect(KERNEL("setp.lt.u32 %p1, %r1, 32; @%p1 exit; bar.sync 0;\n"
                  "setp.lt.u32 %p2, %r1, 72; barrier.red.popc.u32 %r9, 0, %p2;\n"
                  "barrier.red.or.pred %p3, 0, %p2; barrier.red.and.pred %p4, 0, %p2;\n"
                  "@%p3 add.s32 %r9, %r9, 1; @%p4 add.s32 %r9, %r9, 1000;"),
           1, 96, counted);
}

static uint32_t consumed(uint32_t t)
{
    return t < 32 ? 0 : 1 + 2 + 3 + 4;
}

/* Warp 0 fills a cell four times, warp 1 empties it: barrier 1 says full, barrier 2 says empty. */
static void producer_and_consumer_meet_at_named_barriers(void **state)
{
    (void)state;
    expect(KERNEL(".shared .align 4 .b8 cell[4];\nmov.u32 %r5, 0; mov.u32 %r9, 0; setp.ge.u32 %p1, %r1, 32;\n"
                  "@%p1 bra CONSUME;\n"
                  "PRODUCE: add.s32 %r5, %r5, 1; bar.sync 2, 64; st.volatile.shared.u32 [cell], %r5;\n"
                  "bar.arrive 1, 64; setp.lt.u32 %p2, %r5, 4; @%p2 bra PRODUCE; bra DONE;\n"
                  "CONSUME: add.s32 %r5, %r5, 1; bar.arrive 2, 64; bar.sync 1, 64;\n"
                  "ld.volatile.shared.u32 %r6, [cell]; add.s32 %r9, %r9, %r6;\n"
                  "setp.lt.u32 %p3, %r5, 4; @%p3 bra CONSUME;"),
           1, 64, consumed);
}

static uint32_t all_arrived(uint32_t t)
{
    (void)t;
    return 5;
}

/* Halves of each warp come to the barrier from two places. */
static void lanes_arrive_one_after_another(void **state)
{
    (void)state;
    expect(KERNEL(".shared .align 4 .b8 n[4];\nand.b32 %r5, %r1, 1; setp.eq.s32 %p1, %r5, 0;\n"
                  "setp.ne.u32 %p2, %r1, 0; @%p1 bra EVEN;\nbarrier.sync 0; bra JOIN;\n"
                  "EVEN: @%p2 bra SKIP; mov.u32 %r6, 5; st.shared.u32 [n], %r6;\nSKIP: barrier.sync 0;\n"
                  "JOIN: ld.shared.u32 %r9, [n];"),
           1, 64, all_arrived);
}

/* --- waiting for each other --- */

static uint32_t one_of_all(uint32_t t)
{
    (void)t;
    return 64;
}

/* Each lane takes the lock for itself: who holds it must come to give it back while the others spin. */
static void a_spin_lock_in_a_warp_is_given_back(void **state)
{
    (void)state;
    expect(".global .align 4 .u32 lock; .global .align 4 .u32 count;\n" KERNEL(
               "SPIN: atom.global.cas.b32 %r5, [lock], 0, 1; setp.ne.s32 %p1, %r5, 0; @%p1 bra SPIN;\n"
               "ld.volatile.global.u32 %r6, [count]; add.s32 %r6, %r6, 1; st.volatile.global.u32 [count], %r6;\n"
               "membar.gl; atom.global.exch.b32 %r7, [lock], 0;\n"
               "bar.sync 0; ld.volatile.global.u32 %r9, [count];"),
           1, 64, one_of_all);
}

static uint32_t grid_sum(uint32_t t)
{
    (void)t;
    return 40;
}

/* All CTAs must be there at once: each waits until all 40 have counted. */
static void a_grid_barrier_lets_every_cta_come(void **state)
{
    (void)state;
    expect(".global .align 4 .u32 count;\n" KERNEL(
               "setp.ne.u32 %p1, %r1, 0; @%p1 bra WAIT;\natom.global.add.u32 %r5, [count], 1;\n"
               "SPIN: ld.acquire.gpu.global.u32 %r6, [count]; setp.lt.u32 %p2, %r6, 40; @%p2 bra SPIN;\n"
               "WAIT: bar.sync 0; ld.volatile.global.u32 %r9, [count];"),
           40, 64, grid_sum);
}

static uint32_t handed_on(uint32_t t)
{
    return t % 32 == 0 ? 0 : 77;
}

/* The odd half of the branch waits for what the other half of the same warp writes. */
static void lanes_of_a_warp_wait_for_each_other(void **state)
{
    (void)state;
    expect(
        ".global .align 4 .u32 flag;\n" KERNEL(
            "mov.u32 %r9, 0; setp.eq.u32 %p1, %r1, 0; @%p1 bra WRITE;\n"
            "SPIN: nanosleep.u32 20; ld.volatile.global.u32 %r9, [flag]; setp.eq.u32 %p2, %r9, 0; @%p2 bra SPIN;\n"
            "bra JOIN;\nWRITE: mov.u32 %r5, 77; st.volatile.global.u32 [flag], %r5;\nJOIN: "),
        1, 32, handed_on);
}

static uint32_t clock_moves(uint32_t t)
{
    (void)t;
    return 1;
}

static void time_goes_on(void **state)
{
    (void)state;
    expect(KERNEL("mov.u64 %rd5, %clock64; SPIN: mov.u64 %rd6, %clock64; sub.s64 %rd7, %rd6, %rd5;\n"
                  "setp.lt.u64 %p1, %rd7, 5000; @%p1 bra SPIN; mov.u64 %rd8, %globaltimer;\n"
                  "setp.ge.u64 %p2, %rd8, %rd6; selp.b32 %r9, 1, 0, %p2;"),
           2, 64, clock_moves);
}

/* --- calls --- */

static uint32_t squares(uint32_t t)
{
    return t * t + 3 * t;
}

static void functions_take_and_give_values(void **state)
{
    (void)state;
    expect(".func (.param .b32 r) square(.param .b32 x)\n{\n.reg .b32 %r<4>;\nld.param.u32 %r1, [x];\n"
           "mul.lo.s32 %r2, %r1, %r1; st.param.b32 [r], %r2; ret;\n}\n"
           ".func (.reg .u32 r) thrice(.reg .u32 x)\n{\nmul.lo.u32 r, x, 3; ret;\n}\n" KERNEL(
               "{ .param .b32 a; .param .b32 s; st.param.b32 [a], %r4; call.uni (s), square, (a);\n"
               "ld.param.b32 %r9, [s]; }\ncall (%r5), thrice, (%r4); add.s32 %r9, %r9, %r5;"),
           2, 64, squares);
}

static uint32_t fibonacci(uint32_t t)
{
    uint32_t n = t % 12;

    return n < 2 ? n : fibonacci(n - 1) + fibonacci(n - 2);
}

static void recursion_keeps_each_lane_s_values(void **state)
{
    (void)state;
    expect(
        ".func (.param .b32 r) fib(.param .b32 n)\n{\n.reg .pred %p<2>; .reg .b32 %r<9>;\nld.param.u32 %r1, [n];\n"
        "setp.lt.u32 %p1, %r1, 2; @%p1 bra SMALL;\n"
        "{ .param .b32 a; .param .b32 s; sub.s32 %r2, %r1, 1; st.param.b32 [a], %r2;\n"
        "call.uni (s), fib, (a); ld.param.b32 %r3, [s]; }\n"
        "{ .param .b32 a; .param .b32 s; sub.s32 %r4, %r1, 2; st.param.b32 [a], %r4;\n"
        "call.uni (s), fib, (a); ld.param.b32 %r5, [s]; }\n"
        "add.s32 %r6, %r3, %r5; st.param.b32 [r], %r6; ret;\nSMALL: st.param.b32 [r], %r1; ret;\n}\n" KERNEL(
            "rem.u32 %r5, %r4, 12;\n{ .param .b32 a; .param .b32 s; st.param.b32 [a], %r5;\n"
            "call.uni (s), fib, (a); ld.param.b32 %r9, [s]; }"),
        1, 64, fibonacci);
}

static uint32_t by_pointer(uint32_t t)
{
    return t % 3 == 0 ? t + 1 : t % 3 == 1 ? t * 2 : t ^ 0xff;
}

static void function_pointers_divide_a_warp(void **state)
{
    (void)state;
    expect(".func (.param .b32 r) inc(.param .b32 x)\n{\n.reg .b32 %r<4>;\nld.param.u32 %r1, [x];\n"
           "add.s32 %r2, %r1, 1; st.param.b32 [r], %r2; ret;\n}\n"
           ".func (.param .b32 r) twice(.param .b32 x)\n{\n.reg .b32 %r<4>;\nld.param.u32 %r1, [x];\n"
           "add.s32 %r2, %r1, %r1; st.param.b32 [r], %r2; ret;\n}\n"
           ".func (.param .b32 r) flip(.param .b32 x)\n{\n.reg .b32 %r<4>;\nld.param.u32 %r1, [x];\n"
           "xor.b32 %r2, %r1, 255; st.param.b32 [r], %r2; ret;\n}\n"
           ".global .align 8 .u64 table[3] = {inc, twice, flip};\n" KERNEL(
               "rem.u32 %r5, %r4, 3; mul.wide.u32 %rd5, %r5, 8; mov.u64 %rd6, table; add.s64 %rd6, %rd6, %rd5;\n"
               "ld.global.u64 %rd7, [%rd6];\nP: .callprototype (.param .b32 _) _ (.param .b32 _);\n"
               "{ .param .b32 a; .param .b32 s; st.param.b32 [a], %r4; call (s), %rd7, (a), P;\n"
               "ld.param.b32 %r9, [s]; }"),
           1, 64, by_pointer);
}

static uint32_t exits_deep(uint32_t t)
{
    return t & 1 ? 9 : 0;
}

static void exit_ends_a_lane_at_any_depth(void **state)
{
    (void)state;
    expect(".func leave(.param .b32 x)\n{\n.reg .pred %p<2>; .reg .b32 %r<4>;\nld.param.u32 %r1, [x];\n"
           "and.b32 %r1, %r1, 1; setp.eq.s32 %p1, %r1, 0; @%p1 exit; ret;\n}\n" KERNEL(
               "{ .param .b32 a; st.param.b32 [a], %r4; call.uni leave, (a); }\nmov.u32 %r9, 9; bar.sync 0;"),
           1, 64, exits_deep);
}

static uint32_t local_array(uint32_t t)
{
    return t * 4 + 6;
}

static void local_memory_belongs_to_each_thread(void **state)
{
    (void)state;
    expect(KERNEL(".local .align 4 .b8 a[16];\nmov.u64 %rd5, a; cvta.local.u64 %rd6, %rd5; mov.u32 %r5, 0;\n"
                  "FILL: mul.wide.u32 %rd7, %r5, 4; add.s64 %rd8, %rd6, %rd7; add.s32 %r6, %r4, %r5;\n"
                  "st.u32 [%rd8], %r6; add.s32 %r5, %r5, 1; setp.lt.u32 %p1, %r5, 4; @%p1 bra FILL;\n"
                  "ld.local.u32 %r9, [%rd5]; ld.local.u32 %r6, [%rd5+4]; add.s32 %r9, %r9, %r6;\n"
                  "ld.u32 %r6, [%rd6+8]; add.s32 %r9, %r9, %r6; ld.local.u32 %r6, [a+12]; add.s32 %r9, %r9, %r6;"),
           2, 64, local_array);
}

/* --- the system --- */

#define PRINTS                                                                                                     \
    ".extern .func (.param .b32 r) vprintf(.param .b64 f, .param .b64 a);\n"                                       \
    ".extern .func (.param .b64 r) malloc(.param .b64 n);\n.extern .func free(.param .b64 p);\n"                   \
    ".extern .func __assertfail(.param .b64 m, .param .b64 f, .param .b32 l, .param .b64 n, .param .b64 s);\n"

static void printf_comes_in_order_of_threads(void **state)
{
    /* "%d %s %5.2f|%llx\n" and "ok" */
    struct bench *b = bench_open(
        PRINTS
        ".global .align 1 .b8 f[18] = {37,100,32,37,115,32,37,53,46,50,102,124,37,108,108,120,10,0};\n"
        ".global .align 1 .b8 s[3] = {111,107,0};\n" KERNEL(
            ".local .align 8 .b8 v[32];\nmov.u64 %rd5, v; cvta.local.u64 %rd6, %rd5;\n"
            "neg.s32 %r5, %r4; st.local.u32 [v], %r5; mov.u64 %rd7, s; cvta.global.u64 %rd7, %rd7;\n"
            "st.local.u64 [v+8], %rd7; mov.u64 %rd8, 0x400921fb54442d18; st.local.u64 [v+16], %rd8;\n"
            "mov.u64 %rd8, 0x123456789abc; st.local.u64 [v+24], %rd8;\n"
            "setp.lt.u32 %p1, %r1, 62; @%p1 bra DONE; mov.u64 %rd9, f; cvta.global.u64 %rd9, %rd9;\n"
            "{ .param .b64 a; .param .b64 c; .param .b32 n; st.param.b64 [a], %rd9; st.param.b64 [c], %rd6;\n"
            "call.uni (n), vprintf, (a, c); ld.param.b32 %r9, [n]; }\n"));
    uint64_t out = bench_alloc(b, 512);
    struct err e;

    (void)state;
    CHECK_OK(bench_run(b, "k", 2, 64, &out, 1, &e), &e);
    assert_string_equal(b->printed.text, "-62 ok  3.14|123456789abc\n-63 ok  3.14|123456789abc\n"
                                         "-126 ok  3.14|123456789abc\n-127 ok  3.14|123456789abc\n");
    assert_int_equal(bench_words(b, out)[63], 4);
    bench_close(b);
}

static uint32_t from_heap(uint32_t t)
{
    return t * 5;
}

static void malloc_gives_memory_and_free_takes_it(void **state)
{
    (void)state;
    expect(PRINTS KERNEL("{ .param .b64 n; .param .b64 p; mov.u64 %rd5, 16; st.param.b64 [n], %rd5;\n"
                         "call.uni (p), malloc, (n); ld.param.b64 %rd6, [p]; }\n"
                         "mul.lo.s32 %r5, %r4, 5; st.u32 [%rd6+12], %r5; ld.u32 %r9, [%rd6+12];\n"
                         "{ .param .b64 p; st.param.b64 [p], %rd6; call.uni free, (p); }"),
           2, 40, from_heap);
    expect_fault(PRINTS KERNEL("{ .param .b64 p; st.param.b64 [p], %rd1; call.uni free, (p); }"), 32, false,
                 "malloc did not give");
}

static void a_failed_assertion_says_where(void **state)
{
    (void)state;
    /* "x>0" in "a.cu", "f" */
    expect_fault(PRINTS ".global .align 1 .b8 m[4] = {120,62,48,0}; .global .align 1 .b8 c[5] = {97,46,99,117,0};\n"
                        ".global .align 1 .b8 n[2] = {102,0};\n" KERNEL(
                            "setp.ne.u32 %p1, %r1, 37; @%p1 bra DONE;\n"
                            "{ .param .b64 a0; .param .b64 a1; .param .b32 a2; .param .b64 a3; .param .b64 a4;\n"
                            "mov.u64 %rd5, m; mov.u64 %rd6, c; mov.u64 %rd7, n; mov.u32 %r5, 12; mov.u64 %rd8, 1;\n"
                            "st.param.b64 [a0], %rd5; st.param.b64 [a1], %rd6; st.param.b32 [a2], %r5;\n"
                            "st.param.b64 [a3], %rd7; st.param.b64 [a4], %rd8;\n"
                            "call.uni __assertfail, (a0, a1, a2, a3, a4); }"),
                 64, false, "lane 5, thread (37,0,0): assertion `x>0` failed in f, a.cu:12");
}

/* --- hostile kernels --- */

static void an_endless_loop_ends_at_the_limit(void **state)
{
    (void)state;
    expect_fault(KERNEL("LOOP: add.s32 %r5, %r5, 1; bra LOOP;"), 64, false, "limit of instructions");
}

static void a_barrier_that_not_all_can_reach_is_a_dead_end(void **state)
{
    (void)state;
    expect_fault(KERNEL("setp.lt.u32 %p1, %r1, 32; @%p1 bra ONE; bar.sync 1; bra DONE;\nONE: bar.sync 2;"), 64,
                 false, "wait at barrier 2");
    expect_fault(KERNEL("setp.lt.u32 %p1, %r1, 5; @%p1 bra ONE; bar.sync 1; bra DONE;\nONE: bar.sync 2;"), 32,
                 false, "lanes 0x1f at t.ptx:");
    expect_fault(KERNEL("setp.lt.u32 %p1, %r1, 5; @%p1 bra ONE; bar.sync 0;\nONE: bar.sync 0;"), 32, true,
                 "from several places");
    expect_fault(KERNEL("shr.u32 %r5, %r1, 1; bar.sync %r5;"), 96, false, "comes to barrier 1, another lane");
    expect_fault(KERNEL("shr.u32 %r5, %r1, 5; mul.lo.u32 %r5, %r5, 16; bar.sync %r5;"), 96, false,
                 "barrier 16 does not exist");
}

static void members_that_never_come_are_a_dead_end(void **state)
{
    (void)state;
    expect_fault(KERNEL("setp.lt.u32 %p1, %r1, 16; @%p1 bra LOW; bar.warp.sync 0xffff0001; bra DONE;\n"
                        "LOW: bar.sync 1; shfl.sync.idx.b32 %r9, %r4, 0, 31, -1;"),
                 32, false, "wait for lanes 0x1");
}

static void a_wait_that_nobody_ends_is_found(void **state)
{
    struct bench *b = bench_open(".global .align 4 .u32 flag;\n" KERNEL(
        "SPIN: ld.volatile.global.u32 %r5, [flag]; setp.eq.u32 %p1, %r5, 0; @%p1 bra SPIN;"));
    uint64_t out = bench_alloc(b, 4096);
    struct err e;

    (void)state;
    CHECK_FAILS(bench_run(b, "k", 2, 64, &out, 1, &e), &e, ERR_SIMULATION, "only poll");
    bench_close(b);
}

static void bad_addresses_traps_and_depth_are_told(void **state)
{
    (void)state;
    expect_fault(KERNEL("setp.ne.u32 %p1, %r1, 35; @%p1 bra DONE; mov.u64 %rd5, 4660; st.global.u32 [%rd5], %r1;"),
                 64, false, "warp 1, lane 3, thread (35,0,0)");
    expect_fault(KERNEL("st.global.u32 [%rd3+2], %r1;"), 32, false, "t.ptx:");
    expect_fault(KERNEL("setp.eq.u32 %p1, %r1, 33; @%p1 trap;"), 64, false, "thread (33,0,0): trap");
    expect_fault(".func deep(.param .b32 x)\n{\n{ .param .b32 a; .reg .b32 %r<2>; ld.param.u32 %r1, [x];\n"
                 "st.param.b32 [a], %r1; call.uni deep, (a); }\nret;\n}\n" KERNEL(
                     "{ .param .b32 a; st.param.b32 [a], %r1; call.uni deep, (a); }"),
                 32, false, "calls nest deeper");
    expect_fault(KERNEL("P: .callprototype _ (.param .b32 _);\n{ .param .b32 a; st.param.b32 [a], %r1; "
                        "call %rd1, (a), P; }"),
                 32, false, "is no function");
}

static void launches_that_cannot_be_are_refused(void **state)
{
    struct bench *b = bench_open(KERNEL("mov.u32 %r9, 1;"));
    uint64_t params[2] = {bench_alloc(b, 4096), 0};
    struct err e;

    (void)state;
    CHECK_FAILS(bench_run(b, "k", 0, 32, params, 1, &e), &e, ERR_INVALID, "at least 1");
    CHECK_FAILS(bench_run(b, "k", 1, 1025, params, 1, &e), &e, ERR_INVALID, "grid 1,1,1 and block 1025,1,1");
    CHECK_FAILS(bench_run(b, "k", 1, 32, params, 2, &e), &e, ERR_INVALID, "takes 8 bytes of parameters, not 16");
    bench_close(b);
}

/* --- who watches --- */

struct watched {
    uint64_t executed, lanes, off;
    uint32_t begun, ended, warps;
};

static void watch_cta(void *ctx, const uint32_t id[3], uint32_t warps, bool begins)
{
    struct watched *x = ctx;

    (void)id;
    x->warps = warps;
    *(begins ? &x->begun : &x->ended) += 1;
}

static void watch_op(void *ctx, uint32_t warp, const struct ptx_code *code, uint32_t op, uint32_t mask)
{
    struct watched *x = ctx;

    assert_true(warp < 3 && op < code->op_count);
    x->executed++;
    x->lanes += (uint32_t)__builtin_popcount(mask);
    x->off += mask == 0;
}

static void an_observer_sees_every_instruction(void **state)
{
    struct watched seen = {0};
    struct ptx_observer o = {.ctx = &seen, .cta = watch_cta, .executed = watch_op};
    struct bench *b = bench_open(KERNEL("setp.gt.u32 %p1, %r1, 1000; @%p1 add.s32 %r9, %r9, 1; bar.sync 0;"));
    uint64_t out = bench_alloc(b, 4096);
    struct err e;

    (void)state;
    b->options.observer = &o;
    CHECK_OK(bench_run(b, "k", 2, 80, &out, 1, &e), &e);
    assert_int_equal(seen.begun, 2);
    assert_int_equal(seen.ended, 2);
    assert_int_equal(seen.warps, 3);
    assert_int_equal(seen.off, 6);
    assert_int_equal(seen.executed, 6 * 12);
    assert_int_equal(seen.lanes, 2 * 80 * 11);
    assert_int_equal(b->stats.warp_instructions, seen.executed);
    assert_int_equal(b->stats.lane_instructions, seen.lanes);
    assert_int_equal(b->stats.barriers, 2);
    bench_close(b);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(threads_find_their_numbers),
        cmocka_unit_test(nested_branches_meet_again),
        cmocka_unit_test(divergent_loops_end_for_each_lane_in_its_time),
        cmocka_unit_test(lanes_meet_behind_a_loop_and_behind_exits),
        cmocka_unit_test(exited_lanes_are_missed_by_nobody),
        cmocka_unit_test(an_indexed_branch_goes_to_each_target),
        cmocka_unit_test(shuffles_add_up_a_warp),
        cmocka_unit_test(shuffles_stop_at_segments),
        cmocka_unit_test(a_shuffle_in_divergent_code_waits_for_its_members),
        cmocka_unit_test(member_masks_divide_a_warp),
        cmocka_unit_test(votes_matches_and_reductions),
        cmocka_unit_test(a_barrier_orders_shared_memory),
        cmocka_unit_test(warps_that_have_ended_release_a_barrier),
        cmocka_unit_test(producer_and_consumer_meet_at_named_barriers),
        cmocka_unit_test(lanes_arrive_one_after_another),
        cmocka_unit_test(a_spin_lock_in_a_warp_is_given_back),
        cmocka_unit_test(a_grid_barrier_lets_every_cta_come),
        cmocka_unit_test(lanes_of_a_warp_wait_for_each_other),
        cmocka_unit_test(time_goes_on),
        cmocka_unit_test(functions_take_and_give_values),
        cmocka_unit_test(recursion_keeps_each_lane_s_values),
        cmocka_unit_test(function_pointers_divide_a_warp),
        cmocka_unit_test(exit_ends_a_lane_at_any_depth),
        cmocka_unit_test(local_memory_belongs_to_each_thread),
        cmocka_unit_test(printf_comes_in_order_of_threads),
        cmocka_unit_test(malloc_gives_memory_and_free_takes_it),
        cmocka_unit_test(a_failed_assertion_says_where),
        cmocka_unit_test(an_endless_loop_ends_at_the_limit),
        cmocka_unit_test(a_barrier_that_not_all_can_reach_is_a_dead_end),
        cmocka_unit_test(members_that_never_come_are_a_dead_end),
        cmocka_unit_test(a_wait_that_nobody_ends_is_found),
        cmocka_unit_test(bad_addresses_traps_and_depth_are_told),
        cmocka_unit_test(launches_that_cannot_be_are_refused),
        cmocka_unit_test(an_observer_sees_every_instruction),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
