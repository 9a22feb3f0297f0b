/* Loops that poll global memory: the simulation decides how long they wait, not the rounds that the tracer saw. */
#include <stdlib.h>

#include "tests/unit/simcore/hand_source.h"
#include "tests/unit/trace/texts.h"

enum { FLAG = 0x1000, OTHER = 0x2000, WORK = 2000, CTAS = 8, ROUNDS = 3 };

/* --- kernels as text --- */

struct kernel {
    struct strbuf text, warp;
    uint32_t insts;
    struct text_input in[4];
    uint32_t opened;
};

static void begin(struct kernel *k, uint32_t ctas)
{
    memset(k, 0, sizeof *k);
    strbuf_addf(&k->text,
                "-kernel name = k\n-kernel id = 1\n-grid dim = (%u,1,1)\n-block dim = (32,1,1)\n-nregs = 32\n"
                "-binary version = 70\n-accelsim tracer version = 4\n#traces format = x\n\n",
                ctas);
}

static void line(struct kernel *k, uint32_t pc, const char *mask, const char *rest)
{
    strbuf_addf(&k->warp, "%04x %s %s\n", pc, mask, rest);
    k->insts++;
}

static void work(struct kernel *k, uint32_t n)
{
    for (uint32_t i = 0; i < n; i++)
        line(k, 0x20, "ffffffff", "1 R5 FFMA 3 R5 R6 R7 0");
}

static void access_word(struct kernel *k, uint32_t pc, const char *what, uint32_t address)
{
    strbuf_addf(&k->warp, "%04x 00000001 %s 4 1 0x%x 0\n", pc, what, address);
    k->insts++;
}

#define LOAD    "1 R4 LDG.E.STRONG.SYS 1 R2"
#define STORE   "0 STG.E.STRONG.SYS 2 R2 R4"
#define ARRIVE  "1 R9 ATOMG.E.ADD.STRONG.GPU 2 R2 R8"
#define LOCK    "1 R4 ATOMG.E.CAS.STRONG.GPU 3 R2 R8 R9"
#define RELEASE "1 R9 ATOMG.E.EXCH.STRONG.GPU 2 R2 R8"

/* A loop that tests at its end. */
static void poll(struct kernel *k, const char *what, uint32_t pc, uint32_t address, uint32_t rounds)
{
    for (uint32_t i = 1; i <= rounds; i++) {
        access_word(k, pc, what, address);
        line(k, pc + 16, "00000001", "0 ISETP.NE.AND 2 R4 R255 0");
        line(k, pc + 32, i < rounds ? "00000001" : "00000000", "0 BRA 0 0");
    }
}

/* A loop that tests at its begin: its last round is a part of one. */
static void poll_at_begin(struct kernel *k, uint32_t address, uint32_t rounds)
{
    for (uint32_t i = 1; i <= rounds; i++) {
        access_word(k, 0x100, LOAD, address);
        line(k, 0x110, "00000001", "0 ISETP.NE.AND 2 R4 R255 0");
        line(k, 0x120, i < rounds ? "00000000" : "00000001", "0 BRA 0 0");
        if (i < rounds)
            line(k, 0x130, "00000001", "0 BRA 0 0");
    }
}

static void end_cta(struct kernel *k, uint32_t cta)
{
    line(k, 0xff0, "ffffffff", "0 EXIT 0 0");
    strbuf_addf(&k->text, "#BEGIN_TB\n\nthread block = %u,0,0\n\nwarp = 0\ninsts = %u\n%s\n#END_TB\n\n", cta,
                k->insts, k->warp.text);
    strbuf_release(&k->warp);
    k->warp = (struct strbuf)STRBUF_INIT;
    k->insts = 0;
}

static int open_kernel(void *kernel, struct inst_source **out, struct err *e)
{
    struct kernel *k = kernel;

    assert_true(k->opened < 4);
    return open_bytes(&k->in[k->opened++], k->text.text, strlen(k->text.text), out, e);
}

static void run(struct kernel *k, const char *gpu, bool partial, struct sim_result *r)
{
    struct sim_options o = {
        .caches = SIM_CACHES_FLUSHED, .reopen = open_kernel, .reopen_ctx = k, .partial = partial};
    struct gpu_design *d = hand_design(gpu, NULL);
    struct inst_source *s;
    struct err e;

    CHECK_OK(open_kernel(k, &s, &e), &e);
    CHECK_OK(simulate(d, s, &o, r, &e), &e);
    inst_source_release(s);
    design_free(d);
    strbuf_release(&k->text);
}

static uint64_t cycles_of(struct kernel *k, const char *gpu)
{
    struct sim_result r;
    uint64_t cycles;

    run(k, gpu, false, &r);
    assert_int_equal(r.end, SIM_DONE);
    check_identities(&r);
    assert_int_equal(result_counter(&r, "polls_given_up"), 0);
    cycles = r.cycles;
    sim_result_release(&r);
    return cycles;
}

/* --- the cycles do not depend on the recorded rounds --- */

static void producer_and_consumer(struct kernel *k, uint32_t rounds)
{
    begin(k, 2);
    work(k, WORK);
    access_word(k, 0x40, STORE, FLAG);
    end_cta(k, 0);
    poll(k, LOAD, 0x100, FLAG, rounds);
    work(k, 100);
    end_cta(k, 1);
}

static void tests_at_its_begin(struct kernel *k, uint32_t rounds)
{
    begin(k, 2);
    work(k, WORK);
    access_word(k, 0x40, STORE, FLAG);
    end_cta(k, 0);
    poll_at_begin(k, FLAG, rounds);
    work(k, 100);
    end_cta(k, 1);
}

/* Each CTA works for another time before each barrier. */
static void barrier_of_the_grid(struct kernel *k, uint32_t rounds)
{
    begin(k, CTAS);
    for (uint32_t c = 0; c < CTAS; c++) {
        for (uint32_t b = 0; b < ROUNDS; b++) {
            work(k, 50 * (1 + (c * 7 + b * 3) % 5));
            access_word(k, 0x80, ARRIVE, FLAG);
            poll(k, LOAD, 0x100, FLAG, (c + b) % 2 ? rounds : 1);
        }
        end_cta(k, c);
    }
}

static void lock(struct kernel *k, uint32_t rounds)
{
    begin(k, CTAS);
    for (uint32_t c = 0; c < CTAS; c++) {
        poll(k, LOCK, 0x100, FLAG, c ? rounds : 1);
        work(k, 100);
        access_word(k, 0x60, RELEASE, FLAG);
        end_cta(k, c);
    }
}

static uint64_t same_for_all_rounds(void make(struct kernel *k, uint32_t rounds), const char *gpu)
{
    static const uint32_t rounds[] = {64, 10000};
    struct kernel k;
    uint64_t once;

    make(&k, 1);
    once = cycles_of(&k, gpu);
    for (int i = 0; i < 2; i++) {
        make(&k, rounds[i]);
        assert_int_equal(cycles_of(&k, gpu), once);
    }
    return once;
}

static uint64_t alone(uint32_t instructions)
{
    struct kernel k;

    begin(&k, 1);
    work(&k, instructions);
    end_cta(&k, 0);
    return cycles_of(&k, "v100");
}

static void cycles_do_not_depend_on_recorded_polls(void **state)
{
    uint64_t cycles;

    (void)state;
    cycles = same_for_all_rounds(producer_and_consumer, "v100");
    assert_true(cycles > alone(WORK + 100)); /* the consumer works after the producer has */
    same_for_all_rounds(tests_at_its_begin, "v100");
    cycles = same_for_all_rounds(barrier_of_the_grid, "v100");
    assert_true(cycles > alone(50 * 5 * ROUNDS)); /* at each barrier, all wait for the CTA that works longest */
    cycles = same_for_all_rounds(lock, "v100");
    assert_true(cycles > alone(100 * CTAS)); /* one after the other */
}

static void event_mode_waits_as_well(void **state)
{
    (void)state;
    same_for_all_rounds(producer_and_consumer, "v100:detailed");
    same_for_all_rounds(barrier_of_the_grid, "v100:detailed");
}

/* --- loops that never end --- */

static void check_stall(struct kernel *k, const char *const want[], size_t n)
{
    struct sim_result r;

    run(k, "v100", false, &r);
    assert_int_equal(r.end, SIM_STALLED);
    for (size_t i = 0; i < n; i++)
        assert_non_null(strstr(r.report, want[i]));
    sim_result_release(&r);
}

static void a_poll_that_never_ends_is_reported(void **state)
{
    static const char *const none[] = {"PC 0x0100 to PC 0x0120", "nothing in the launch writes"};
    static const char *const circle[] = {"PC 0x0100 to PC 0x0120", "the write at PC 0x0040",
                                         "PC 0x0200 to PC 0x0220", "the write at PC 0x0050"};
    struct kernel k;

    (void)state;
    begin(&k, 1);
    poll(&k, LOAD, 0x100, FLAG, 2);
    end_cta(&k, 0);
    check_stall(&k, none, 2);
    begin(&k, 2);
    poll(&k, LOAD, 0x200, OTHER, 2);
    access_word(&k, 0x40, STORE, FLAG);
    end_cta(&k, 0);
    poll(&k, LOAD, 0x100, FLAG, 2);
    access_word(&k, 0x50, STORE, OTHER);
    end_cta(&k, 1);
    check_stall(&k, circle, 4);
}

static void a_writer_outside_is_not_waited_for(void **state)
{
    struct kernel k;
    struct sim_result r;

    (void)state;
    begin(&k, 1);
    poll(&k, LOAD, 0x100, FLAG, 50);
    end_cta(&k, 0);
    run(&k, "v100", true, &r);
    assert_int_equal(r.end, SIM_DONE);
    assert_int_equal(r.warp_instructions, 4); /* one round, and EXIT */
    assert_int_equal(result_counter(&r, "polls_unknown"), 1);
    assert_int_equal(result_counter(&r, "repair_polls"), 49 * 3);
    sim_result_release(&r);
}

/* A load without loop is no poll, and a loop that counts is none either. */
static void other_loops_stay_as_they_are(void **state)
{
    struct kernel k;
    struct sim_result r;

    (void)state;
    begin(&k, 2);
    for (int i = 0; i < 10; i++) {
        access_word(&k, 0x100, "1 R4 LDG.E 1 R2", FLAG);
        line(&k, 0x110, "ffffffff", "1 R5 IADD3 2 R5 R4 0");
        line(&k, 0x120, "ffffffff", "0 ISETP.NE.AND 2 R5 R255 0");
        line(&k, 0x130, "ffffffff", "0 BRA 0 0");
    }
    end_cta(&k, 0);
    access_word(&k, 0x40, STORE, FLAG);
    end_cta(&k, 1);
    run(&k, "v100", false, &r);
    assert_int_equal(r.warp_instructions, 10 * 4 + 3);
    assert_int_equal(result_counter(&r, "polls"), 0);
    sim_result_release(&r);
}

/* Two stores to the word, one of which the consumer must not wait for: its count is a guess that can be too high.
 */
static void a_wait_for_too_much_is_given_up(void **state)
{
    struct kernel k;
    struct sim_result r;

    (void)state;
    begin(&k, 2);
    access_word(&k, 0x40, ARRIVE, FLAG);
    poll(&k, LOAD, 0x200, OTHER, 5);
    access_word(&k, 0x50, ARRIVE, FLAG);
    end_cta(&k, 0);
    poll(&k, LOAD, 0x100, FLAG, 5);
    access_word(&k, 0x60, STORE, OTHER);
    end_cta(&k, 1);
    run(&k, "v100", false, &r);
    assert_int_equal(r.end, SIM_DONE);
    assert_int_equal(result_counter(&r, "polls_given_up"), 1);
    sim_result_release(&r);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(cycles_do_not_depend_on_recorded_polls),
        cmocka_unit_test(event_mode_waits_as_well),
        cmocka_unit_test(a_poll_that_never_ends_is_reported),
        cmocka_unit_test(a_writer_outside_is_not_waited_for),
        cmocka_unit_test(other_loops_stay_as_they_are),
        cmocka_unit_test(a_wait_for_too_much_is_given_up),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
