/* Running kernels: divergence and reconvergence, barriers, shuffles, calls, and threads that wait for each other.
 */
#include "tests/unit/ptx/engine_kernels.h"

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

/* Lanes have reconverged after a loop: activemask is full. */
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

static void exited_lanes_are_not_waited_for(void **state)
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

/* --- exchange between lanes --- */

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

/* Segments of eight lanes. `up` and `down` stop at segment ends, and the predicate reports that. */
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

/* The two halves execute different shuffle instructions. Each reads from the other half. */
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
    /* only one half executes it */
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
    return (third ^ equal) + 496 + 4; /* vote.any is true: 4 is added; vote.all is false */
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

static void add_work(struct strbuf *text, int instructions)
{
    for (int k = 0; k < instructions; k++)
        strbuf_adds(text, "mad.lo.s32 %r14, %r14, 3, %r9;\n");
}

/* Every warp sums what the others wrote, `before` instructions after the barrier. `between` instructions later it
 * writes again without a second barrier. This is a race, but it works on GPUs. Strict mode reports it. */
static void read_and_write_behind_a_barrier(int before, int between)
{
    struct strbuf text = STRBUF_INIT;
    struct bench *b;
    uint64_t out;
    struct err e;

    strbuf_adds(&text,
                ".visible .entry k(.param .u64 out)\n{\n" REGS
                ".shared .align 16 .b8 parts[16];\nmov.u32 %r5, parts; shr.u32 %r6, %r1, 5; shl.b32 %r6, %r6, 2;\n"
                "add.s32 %r6, %r5, %r6; mov.u32 %r9, 0; mov.u32 %r7, 0;\n"
                "AGAIN: add.s32 %r7, %r7, 1; st.shared.u32 [%r6], %r7; bar.sync 0;\n");
    add_work(&text, before);
    strbuf_adds(&text, "ld.shared.v4.u32 {%r10, %r11, %r12, %r13}, [%r5]; add.s32 %r10, %r10, %r11;\n"
                       "add.s32 %r12, %r12, %r13; add.s32 %r9, %r9, %r10; add.s32 %r9, %r9, %r12;\n");
    add_work(&text, between - 8); /* the other eight: four sums, three of the loop, and the store */
    strbuf_adds(&text, "setp.lt.u32 %p1, %r7, 6; @%p1 bra AGAIN;\nst.global.u32 [%rd3], %r9;\nret;\n}\n");
    b = bench_open(text.text);
    out = bench_alloc(b, 128 * 4);
    CHECK_OK(bench_run(b, "k", 1, 128, &out, 1, &e), &e);
    for (uint32_t t = 0; t < 128; t++)
        assert_int_equal(bench_words(b, out)[t], 4 * (1 + 2 + 3 + 4 + 5 + 6));
    b->options.strict = true;
    CHECK_FAILS(bench_run(b, "k", 1, 128, &out, 1, &e), &e, ERR_SIMULATION, "no barrier");
    bench_close(b);
    strbuf_release(&text);
}

static void warps_go_on_side_by_side_behind_a_barrier(void **state)
{
    (void)state;
    read_and_write_behind_a_barrier(0, 20);
    read_and_write_behind_a_barrier(10, 30);
    read_and_write_behind_a_barrier(40, 60);
    read_and_write_behind_a_barrier(580, 600);
}

static uint32_t counted(uint32_t t)
{
    return t < 32 ? 0 : 40 + 1;
}

/* Warp 0 exits at once. The others' barrier does not wait for it. Then a barrier with a reduction of predicates. */
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

/* Warp 0 fills a cell four times and warp 1 empties it. Barrier 1 means full, barrier 2 means empty. */
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

/* The halves of each warp arrive at the barrier from two places. */
static void lanes_arrive_one_after_another(void **state)
{
    (void)state;
    expect(KERNEL(".shared .align 4 .b8 n[4];\nand.b32 %r5, %r1, 1; setp.eq.s32 %p1, %r5, 0;\n"
                  "setp.ne.u32 %p2, %r1, 0; @%p1 bra EVEN;\nbarrier.sync 0; bra JOIN;\n"
                  "EVEN: @%p2 bra SKIP; mov.u32 %r6, 5; st.shared.u32 [n], %r6;\nSKIP: barrier.sync 0;\n"
                  "JOIN: ld.shared.u32 %r9, [n];"),
           1, 64, all_arrived);
}

/* --- threads that wait for each other --- */

static uint32_t one_of_all(uint32_t t)
{
    (void)t;
    return 64;
}

/* Each lane takes the lock separately. The owner must be able to release it while the others spin. */
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

/* All CTAs must run at once: each waits until all 40 have incremented a counter. */
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

/* The lanes of one branch side wait for data that the other side of the same warp writes. */
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
    expect(
        KERNEL("mov.u32 %r5, %clock; sub.u32 %r6, %clock, %r5; setp.gt.u32 %p1, %r6, 0; cvt.u64.u32 %rd5, %clock;\n"
               "setp.gt.and.u64 %p1, %rd5, 1, %p1; selp.b32 %r9, 1, %pm2, %p1;"),
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

/* --- spellings --- */

/* Directives and operands that ptxas 13.0 takes (.hidden and predicates as parameters: only older ones). Each
 * kernel leaves the same word in every thread. */
static void other_spellings_run_the_same(void **state)
{
    static const struct {
        const char *text;
        uint32_t word;
    } rows[] = {
        {".hidden .global .u32 g = 5;\n" KERNEL("ld.global.u32 %r9, [g];"), 5},
        {".visible .func f() .abi_preserve 4 .abi_preserve_control 2 { ret; }\n" KERNEL(
             "call.uni f; mov.u32 %r9, 1;"),
         1},
        {".global .u32 h = 9; .global .u8 a[9] = {0xff(h), 0xff00(h), mask(0xff)(h), 4, 5, 6, 7, 8, 3};\n" KERNEL(
             "mov.u64 %rd5, h; cvt.u32.u64 %r5, %rd5; and.b32 %r5, %r5, 65535; ld.global.u8 %r6, [a];\n"
             "ld.global.u8 %r7, [a+1]; shl.b32 %r7, %r7, 8; or.b32 %r6, %r6, %r7; sub.u32 %r9, %r6, %r5;"),
         0},
        {KERNEL(".reg .v4 .b32 v, w; mov.v4.u32 v, {1, 2, 3, 4}; mov.v4.b32 w, v; add.u32 %r9, w.y, w.w;"), 6},
        {KERNEL(".reg .v2 .b32 v; mov.b64 v, 8589934595; mov.b64 %rd5, v; shr.u64 %rd6, %rd5, 32;\n"
                "cvt.u32.u64 %r9, %rd6; mad.lo.u32 %r9, v.x, 10, %r9;"),
         32},
        {KERNEL("mov.u32 %r5, 7; mov.u32 %r6, %r5+4; add.u32 %r9, %r6, %r5+0x10;"), 34},
        {KERNEL("mov.u64 %rd5, 7; add.u64 %rd6, %rd5, %rd5+9; cvt.u32.u64 %r9, %rd6;"), 23},
        {".global .f32 g[2] = {.5, -.25};\n" KERNEL(
             "ld.global.f32 %f1, [g]; ld.global.f32 %f2, [g+4]; add.f32 %f1, %f1, %f2; mul.f32 %f1, %f1, .5e1;\n"
             "mul.f32 %f1, %f1, 4.; cvt.rzi.u32.f32 %r9, %f1;"),
         5},
        {".global .u32 g[4] = {1, 2, 3, 4};\n" KERNEL("ld.global.u32 %r9, g[2];"), 3},
        {".shared .u32 s[4];\n" KERNEL("st.shared.u32 s[3], 8; ld.shared.u32 %r9, s[3];"), 8},
        {".func (.reg .pred q) flip(.reg .pred p) { not.pred q, p; ret; }\n" KERNEL(
             "setp.eq.u32 %p1, %r1, 99; call (%p2), flip, (%p1); selp.u32 %r9, 6, 4, %p2;"),
         6},
        {KERNEL("mov.f32 %f1, 6.0; mov.f32 %f2, 1.5; div.ftz.rn.f32 %f3, %f1, %f2; fma.ftz.rn.f32 %f3, %f3, %f2, "
                "%f1;\n"
                "sqrt.ftz.rn.f32 %f4, %f3; mul.sat.ftz.f32 %f4, %f4, %f4; add.f32 %f3, %f3, %f4;\n"
                "cvt.rni.u32.f32 %r9, %f3;"),
         13},
        {".func (.reg .u32 r) twice(.reg .u32 a);\n.func (.reg .u32 r) twice(.reg .u32 a) { add.u32 r, a, a; ret; "
         "}\n" KERNEL("call (%r9), twice, (21);"),
         42},
        {".tex .u64 picture;\n" KERNEL("mov.u32 %r9, 2;"), 2},
        {".visible .entry k(.param .u64 out) .reqntid 32 .reqnctapercluster 2 .blocksareclusters\n{\n" REGS
         "mov.u32 %r5, %nctaid.x; mov.u32 %r6, %nclusterid.x; mad.lo.u32 %r9, %r5, 10, %r6;\n"
         "st.global.u32 [%rd3], %r9; ret;\n}\n",
         42},
    };

    (void)state;
    for (size_t k = 0; k < sizeof rows / sizeof *rows; k++) {
        struct bench *b = bench_open(rows[k].text);
        uint64_t out = bench_alloc(b, 4096);
        struct err e;

        CHECK_OK(bench_run(b, "k", 2, 32, &out, 1, &e), &e);
        for (uint32_t t = 0; t < 64; t++)
            if (bench_words(b, out)[t] != rows[k].word)
                fail_msg("row %zu, thread %u: %u, not %u", k, t, bench_words(b, out)[t], rows[k].word);
        bench_close(b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(other_spellings_run_the_same),
        cmocka_unit_test(threads_find_their_numbers),
        cmocka_unit_test(nested_branches_meet_again),
        cmocka_unit_test(divergent_loops_end_for_each_lane_in_its_time),
        cmocka_unit_test(lanes_meet_behind_a_loop_and_behind_exits),
        cmocka_unit_test(exited_lanes_are_not_waited_for),
        cmocka_unit_test(an_indexed_branch_goes_to_each_target),
        cmocka_unit_test(shuffles_add_up_a_warp),
        cmocka_unit_test(shuffles_stop_at_segments),
        cmocka_unit_test(a_shuffle_in_divergent_code_waits_for_its_members),
        cmocka_unit_test(member_masks_divide_a_warp),
        cmocka_unit_test(votes_matches_and_reductions),
        cmocka_unit_test(a_barrier_orders_shared_memory),
        cmocka_unit_test(warps_go_on_side_by_side_behind_a_barrier),
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
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
