/* worker/spool.h: finished outcomes survive the end of the process. */
#include <limits.h>
#include <sys/stat.h>

#include "base/log.h"
#include "tests/harness/check.h"
#include "worker/spool.h"

static char folder[] = "/tmp/vivace-test-spool-XXXXXX";

static int set_up(void **state)
{
    (void)state;
    log_set_level(LOG_ERROR + 1);
    memcpy(folder + strlen(folder) - 6, "XXXXXX", 6);
    return mkdtemp(folder) ? 0 : -1;
}

static int tear_down(void **state)
{
    char command[200];

    (void)state;
    snprintf(command, sizeof command, "rm -rf '%s'", folder);
    return system(command);
}

static void make(struct job_outcome *o, const char *job, uint32_t attempt)
{
    struct err e;

    job_outcome_init(o);
    snprintf(o->id.job, sizeof o->id.job, "%s", job);
    o->id.attempt = attempt;
    CHECK_OK(result_replay(1234, PROFILE_NS, &o->result, &e), &e);
    o->has_result = true;
}

static bool there(const char *name)
{
    char path[PATH_MAX];

    snprintf(path, sizeof path, "%s/%s", folder, name);
    return access(path, F_OK) == 0;
}

static void write_text(const char *name, const char *text)
{
    char path[PATH_MAX];
    FILE *f;

    snprintf(path, sizeof path, "%s/%s", folder, name);
    f = fopen(path, "w");
    fputs(text, f);
    fclose(f);
}

static void the_next_process_finds_it(void **state)
{
    struct job_outcome o;
    struct spool *s;
    struct err e;

    (void)state;
    CHECK_OK(spool_open(folder, &s, &e), &e);
    make(&o, "job-1", 3);
    CHECK_OK(spool_add(s, &o, true, &e), &e);
    make(&o, "job-2", 1);
    CHECK_OK(spool_add(s, &o, false, &e), &e); /* too small for a file */
    assert_int_equal(spool_count(s), 2);
    assert_true(there("job-1.3.json") && !there("job-2.1.json"));
    spool_close(s);

    CHECK_OK(spool_open(folder, &s, &e), &e);
    assert_int_equal(spool_count(s), 1);
    assert_string_equal(spool_first(s)->outcome.id.job, "job-1");
    assert_int_equal(spool_first(s)->outcome.id.attempt, 3);
    assert_int_equal(spool_first(s)->outcome.result.value, 1234);
    spool_remove(s, spool_first(s));
    assert_null(spool_first(s));
    assert_false(there("job-1.3.json"));
    spool_close(s);
}

static void a_damaged_file_blocks_no_other_file(void **state)
{
    struct job_outcome o;
    struct spool *s;
    struct err e;

    (void)state;
    CHECK_OK(spool_open(folder, &s, &e), &e);
    make(&o, "good", 1);
    CHECK_OK(spool_add(s, &o, true, &e), &e);
    spool_close(s);
    write_text("half.1.json", "{\"job\": \"half\", \"attempt\": 1, \"outco");
    write_text("odd.1.json", "{\"job\": \"../odd\", \"attempt\": 1, \"outcome\": \"crash\"}");
    write_text("unfinished.1.json.part", "{}");

    CHECK_OK(spool_open(folder, &s, &e), &e);
    assert_int_equal(spool_count(s), 1);
    assert_string_equal(spool_first(s)->outcome.id.job, "good");
    assert_true(there("half.1.json.bad") && there("odd.1.json.bad"));
    assert_false(there("unfinished.1.json.part"));
    spool_close(s);
}

static void a_refused_outcome_is_kept_for_people(void **state)
{
    struct job_outcome o;
    struct spool *s;
    struct err e;

    (void)state;
    CHECK_OK(spool_open(folder, &s, &e), &e);
    make(&o, "a", 1);
    CHECK_OK(spool_add(s, &o, true, &e), &e);
    make(&o, "b", 1);
    CHECK_OK(spool_add(s, &o, true, &e), &e);
    spool_refuse(s, spool_first(s));
    assert_int_equal(spool_count(s), 1);
    assert_true(there("a.1.refused") && !there("a.1.json"));
    make(&o, "c", 1); /* the last entry moves when another is removed */
    CHECK_OK(spool_add(s, &o, true, &e), &e);
    spool_remove(s, spool_first(s)->next);
    make(&o, "d", 1);
    CHECK_OK(spool_add(s, &o, true, &e), &e);
    assert_string_equal(spool_first(s)->next->outcome.id.job, "d");
    spool_close(s);
}

static void a_disk_that_refuses_keeps_it_in_memory(void **state)
{
    struct job_outcome o;
    struct spool *s;
    struct err e;

    (void)state;
    CHECK_OK(spool_open(folder, &s, &e), &e);
    write_text("taken.1.json.part", "");
    tear_down(NULL); /* the folder does not exist, so no file can be written */
    make(&o, "taken", 1);
    CHECK_FAILS(spool_add(s, &o, true, &e), &e, ERR_NOT_FOUND, "spool");
    assert_int_equal(spool_count(s), 1);
    assert_false(spool_first(s)->on_disk);
    assert_string_equal(spool_first(s)->outcome.id.job, "taken");
    spool_close(s);
    set_up(NULL);
}

static void ids_that_are_no_file_names_are_refused(void **state)
{
    static const struct {
        const char *id;
        bool safe;
    } cases[] = {{"0193c2d8-7a6b-7cde-8f01-23456789abcd", true},
                 {"a_B-9", true},
                 {"", false},
                 {"../x", false},
                 {"a b", false},
                 {"a.b", false},
                 {"0123456789012345678901234567890123456789012345678901234567890123", false}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        if (spool_id_safe(cases[i].id) != cases[i].safe)
            fail_msg("\"%s\" should be %s", cases[i].id, cases[i].safe ? "safe" : "refused");
}

static void each_farm_has_its_own(void **state)
{
    struct job_outcome o;
    struct spool *s;
    struct err e;

    (void)state;
    write_text("old.1.json.part", "{");
    CHECK_OK(spool_open(folder, &s, &e), &e);
    make(&o, "old", 1);
    CHECK_OK(spool_add(s, &o, true, &e), &e); /* before a farm is known */
    CHECK_OK(spool_choose_farm(s, "farm-a", &e), &e);
    make(&o, "of-a", 1);
    CHECK_OK(spool_add(s, &o, true, &e), &e);
    make(&o, "of-a", 2);
    CHECK_OK(spool_add(s, &o, false, &e), &e);
    assert_true(there("old.1.json") && there("farm-a/of-a.1.json"));
    CHECK_OK(spool_choose_farm(s, "farm-b", &e), &e);
    assert_int_equal(spool_count(s), 1); /* the outcome without a farm */
    assert_string_equal(spool_first(s)->outcome.id.job, "old");
    assert_int_equal(spool_others(s), 1);
    make(&o, "of-b", 1);
    CHECK_OK(spool_add(s, &o, true, &e), &e);
    spool_close(s);

    CHECK_OK(spool_open(folder, &s, &e), &e);
    assert_int_equal(spool_count(s), 3);
    CHECK_OK(spool_choose_farm(s, "farm-a", &e), &e);
    assert_int_equal(spool_count(s), 2);
    assert_int_equal(spool_others(s), 1);
    CHECK_OK(spool_choose_farm(s, "farm-b", &e), &e); /* another farm at the same address */
    assert_int_equal(spool_count(s), 2);
    assert_int_equal(spool_others(s), 1);
    CHECK_OK(spool_choose_farm(s, "farm-b", &e), &e); /* a new session of the same farm changes nothing */
    assert_int_equal(spool_count(s), 2);
    assert_int_equal(spool_others(s), 1);
    while (spool_first(s))
        spool_refuse(s, spool_first(s));
    assert_int_equal(spool_refused(s), 2);
    assert_true(there("farm-b/of-b.1.refused") && there("farm-a/of-a.1.json"));
    CHECK_FAILS(spool_choose_farm(s, "../elsewhere", &e), &e, ERR_INVALID, "farm's id");
    spool_close(s);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test_setup_teardown(each_farm_has_its_own, set_up, tear_down),
        cmocka_unit_test_setup_teardown(the_next_process_finds_it, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_damaged_file_blocks_no_other_file, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_refused_outcome_is_kept_for_people, set_up, tear_down),
        cmocka_unit_test_setup_teardown(a_disk_that_refuses_keeps_it_in_memory, set_up, tear_down),
        cmocka_unit_test(ids_that_are_no_file_names_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
