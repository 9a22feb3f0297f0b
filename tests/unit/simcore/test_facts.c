/* The table of measured facts (tests/validation) is consistent, and the facts that are fast to simulate hold. For
 * all facts: make facts. */
#include "tests/harness/check.h"
#include "base/whole_file.h"
#include "simcore/validation/fact_list.h"
#include "simcore/validation/micro.h"

static struct board_list boards;
static struct fact_list facts;

static int read_tables(void **state)
{
    struct err e;

    (void)state;
    CHECK_OK(boards_builtin(&boards, &e), &e);
    CHECK_OK(facts_builtin("facts", &facts, &e), &e);
    return 0;
}

static int release_tables(void **state)
{
    (void)state;
    facts_release(&facts);
    boards_release(&boards);
    return 0;
}

/* The design of every card can be built, every measurement has a known name, and no id occurs twice. */
static void the_tables_hold_together(void **state)
{
    (void)state;
    assert_true(facts.count > 80);
    for (size_t i = 0; i < boards.count; i++) {
        struct gpu_design *d = NULL;
        struct err e;

        CHECK_OK(board_design(&boards.items[i], 0, NULL, &d, &e), &e);
        design_free(d);
    }
    for (size_t i = 0; i < facts.count; i++) {
        const struct fact *f = &facts.items[i];
        char name[32];

        snprintf(name, sizeof name, "%.*s", (int)strcspn(f->measure, " "), f->measure);
        if (!board_find(&boards, f->card) || (strcmp(name, "-") != 0 && !micro_find(name)) || f->low > f->high ||
            !strchr("PMD", f->kind) || !f->source[0])
            fail_msg("fact %s: its row is wrong", f->id);
        for (size_t k = 0; k < i; k++)
            if (strcmp(facts.items[k].id, f->id) == 0)
                fail_msg("two facts are %s", f->id);
    }
}

/* The table of cards that the program has no rows of is one that --measured reads. */
static void the_table_of_other_cards_can_be_read(void **state)
{
    struct fact_list others;
    struct err e;
    char *text;
    size_t n;

    (void)state;
    CHECK_OK(whole_file_read("tests/validation/other_cards.csv", 1 << 20, &text, &n, &e), &e);
    CHECK_OK(facts_parse(text, "other_cards.csv", &boards, &others, &e), &e);
    assert_int_equal(others.count, 102);
    assert_string_equal(others.tuned, "");
    for (size_t i = 0; i < others.count; i++)
        if (!(others.items[i].mhz > 1000))
            fail_msg("row %s states no clock", others.items[i].id);
    facts_release(&others);
    free(text);
}

static void check_fact(const char *id)
{
    for (size_t i = 0; i < facts.count; i++) {
        struct fact *f = &facts.items[i];
        struct err e;

        if (strcmp(f->id, id) != 0)
            continue;
        CHECK_OK(fact_measure(f, &boards, NULL, &e), &e);
        if (f->state != FACT_PASS)
            fail_msg("%s on %s: %s is %g, want %g to %g within %g %%", id, f->card, f->measure, f->got, f->low,
                     f->high, 100 * f->tolerance);
        return;
    }
    fail_msg("there is no fact %s", id);
}

static void latencies(void **state)
{
    static const char *const ids[] = {"F01", "F02b", "F04", "F07", "F07c", "F10", "D06"};

    (void)state;
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        check_fact(ids[i]);
}

static void arithmetic(void **state)
{
    static const char *const ids[] = {"F13",  "F13b", "F13c", "F14", "F14b", "F15", "F16",
                                      "F16b", "F17",  "F17b", "F18", "D02",  "D02b"};

    (void)state;
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        check_fact(ids[i]);
}

static void l1_and_shared_memory(void **state)
{
    static const char *const ids[] = {"F19",  "F19b", "F19c", "F20",  "F20b", "F21",  "F21b", "F21d",
                                      "F21f", "F22",  "F22b", "F22d", "F23",  "F23b", "F24",  "F24b"};

    (void)state;
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        check_fact(ids[i]);
}

static void atomics_and_tails(void **state)
{
    static const char *const ids[] = {"F34", "F34c", "G95", "G96", "D08"};

    (void)state;
    for (size_t i = 0; i < sizeof ids / sizeof *ids; i++)
        check_fact(ids[i]);
}

static void what_is_not_modelled_says_so(void **state)
{
    struct fact f = {.id = "X", .card = "V100", .measure = "chain FFMA with sm.no_such_thing=1", .kind = 'P'};
    struct err e;

    (void)state;
    CHECK_FAILS(fact_measure(&f, &boards, NULL, &e), &e, ERR_INVALID, "no_such_thing");
    strcpy(f.measure, "-");
    CHECK_OK(fact_measure(&f, &boards, NULL, &e), &e);
    assert_int_equal(f.state, FACT_NOT_MODELLED);
    assert_non_null(strstr(f.why, "nothing in the simulator models it"));
    strcpy(f.measure, "chain FFMA / chain FFMA with clock.sm_mhz=x0.5");
    f.low = f.high = 1;
    CHECK_OK(fact_measure(&f, &boards, NULL, &e), &e);
    assert_int_equal(f.state, FACT_PASS);
    f.low = f.high = 0.8;
    f.tolerance = 0.2;
    CHECK_OK(fact_measure(&f, &boards, NULL, &e), &e);
    assert_int_equal(f.state, FACT_FAIL);
    CHECK_NEAR(f.error, 0.25, 1e-9);
    strcpy(f.measure, "no_such_measure 1");
    CHECK_FAILS(fact_measure(&f, &boards, NULL, &e), &e, ERR_NOT_FOUND, "no_such_measure");
    strcpy(f.card, "no such card");
    CHECK_FAILS(fact_measure(&f, &boards, NULL, &e), &e, ERR_INVALID, "no such card");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_tables_hold_together),
        cmocka_unit_test(the_table_of_other_cards_can_be_read),
        cmocka_unit_test(latencies),
        cmocka_unit_test(arithmetic),
        cmocka_unit_test(l1_and_shared_memory),
        cmocka_unit_test(atomics_and_tails),
        cmocka_unit_test(what_is_not_modelled_says_so),
    };
    return cmocka_run_group_tests(tests, read_tables, release_tables);
}
