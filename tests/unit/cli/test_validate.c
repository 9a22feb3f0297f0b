/* vivace validate: statistics, files and refused tables, on facts that take little time. */
#include <unistd.h>

#include "cli/cli.h"
#include "simcore/validation/fact_list.h"
#include "tests/unit/cli/printed.h"

#define COLUMNS "id,card,mhz,measure,low,high,tol,kind,source\n"

static char table[200], page[200], rows[200];

static int name_files(void **state)
{
    (void)state;
    snprintf(table, sizeof table, "/tmp/vivace-validate-%d.csv", (int)getpid());
    snprintf(page, sizeof page, "/tmp/vivace-validate-%d.html", (int)getpid());
    snprintf(rows, sizeof rows, "/tmp/vivace-validate-rows-%d.csv", (int)getpid());
    return 0;
}

static int remove_files(void **state)
{
    (void)state;
    unlink(table);
    unlink(page);
    unlink(rows);
    return 0;
}

static void write_table(const char *text)
{
    FILE *f = fopen(table, "w");

    assert_true(f && fputs(text, f) >= 0 && fclose(f) == 0);
}

static const char *read_file(const char *path)
{
    static char text[1 << 16];
    FILE *f = fopen(path, "r");
    size_t n;

    assert_non_null(f);
    n = fread(text, 1, sizeof text - 1, f);
    text[n] = '\0';
    fclose(f);
    return text;
}

static void every_table_of_the_program_is_accepted(void **state)
{
    static const char *const sets[] = {"facts", "counters", "kernels"};

    (void)state;
    for (size_t i = 0; i < sizeof sets / sizeof *sets; i++) {
        struct fact_list l;
        struct err e;

        CHECK_OK(facts_builtin(sets[i], &l, &e), &e);
        assert_true(l.count > 20);
        facts_release(&l);
    }
}

/* 20 clocks are simulated as 23: an error of 15 %. The second row is inside its range, and the last has no ratio.
 */
static void errors_are_those_of_the_rows(void **state)
{
    json_t *doc, *all;

    (void)state;
    write_table("# tuned: nothing at all\n" COLUMNS "M1,V100,1380,chain LDS.U,20,20,5,M,me\n"
                "M2,V100,1380,chain LDS.U,19,23.5,5,M,me\nM3,V100,1380,-,1,1,5,M,me\n"
                "M4,V100,1380,chain LDS.U - chain FFMA,0,0,5,M,me\n");
    assert_int_equal(RUN(cmd_validate, "validate", "--set", "none", "--measured", table, "--json"), 0);
    doc = json_loads(output, 0, NULL);
    assert_non_null(doc);
    all = json_object_get(json_array_get(json_object_get(doc, "sets"), 0), "all");
    assert_string_equal(
        json_string_value(json_object_get(json_array_get(json_object_get(doc, "sets"), 0), "tuned")),
        "nothing at all");
    assert_int_equal(json_integer_value(json_object_get(all, "rows")), 3);
    assert_int_equal(json_integer_value(json_object_get(all, "not_modelled")), 1);
    assert_int_equal(json_integer_value(json_object_get(all, "in_tolerance")), 1);
    assert_true(fabs(json_number_value(json_object_get(all, "error")) - 0.075) < 1e-9);
    assert_true(fabs(json_number_value(json_object_get(all, "bias")) - sqrt(1.15)) < 1e-9);
    json_decref(doc);
    assert_int_equal(RUN(cmd_validate, "validate", "--set", "none", "--measured", table, "--check"), 65);
    assert_non_null(strstr(errors, "2 of 4 rows"));
}

static void the_page_loads_nothing_and_the_rows_are_a_table(void **state)
{
    const char *text;

    (void)state;
    assert_int_equal(
        RUN(cmd_validate, "validate", "--gpu", "v100", "--only", "F01,F10,F19", "--html", page, "--csv", rows), 0);
    assert_non_null(strstr(output, "chase"));
    assert_non_null(strstr(output, "F29"));
    text = read_file(page);
    assert_non_null(strstr(text, "default-src 'none'"));
    assert_non_null(strstr(text, "<svg"));
    assert_non_null(strstr(text, "</html>"));
    assert_null(strstr(text, "src=\""));
    assert_null(strstr(text, "href"));
    text = read_file(rows);
    assert_non_null(
        strstr(text, "mhz,measure,low,high,tolerance,kind,source,simulated,ratio,error,cpu_s,state,why\n"));
    assert_non_null(strstr(text, "\nfacts,chase,F01,V100,1380,chase 32k,29.9,29.9,0.05,P,GB,"));
}

static void refuse(const char *text, const char *why)
{
    write_table(text);
    assert_int_equal(RUN(cmd_validate, "validate", "--set", "none", "--measured", table), 65);
    if (!strstr(errors, why))
        fail_msg("it says %s, not %s", errors, why);
}

static void wrong_tables_are_refused(void **state)
{
    (void)state;
    refuse("", "the first row must be id,card");
    refuse(COLUMNS, "has no rows");
    refuse(COLUMNS "X,V100,0,chase 32k\n", "has 4 columns, not 9");
    refuse(COLUMNS "X,RTX 9999,0,chase 32k,1,1,5,M,me\n", "no card `RTX 9999`");
    refuse(COLUMNS "X,V100,0,jump 32k,1,1,5,M,me\n", "no measurement `jump 32k`");
    refuse(COLUMNS "X,V100,0,chase,1,1,5,M,me\n", "chase BYTES");
    refuse(COLUMNS "X,V100,0,chase zero,1,1,5,M,me\n", "chase BYTES");
    refuse(COLUMNS "X,V100,0,conv1d wide 64M,1,1,5,M,me\n", "basic|constmask");
    refuse(COLUMNS "X,V100,0,stream read 64 regs=many,1,1,5,M,me\n", "no argument `regs=many`");
    refuse(COLUMNS "X,V100,0,chase 32k / jump,1,1,5,M,me\n", "no measurement `jump`");
    refuse(COLUMNS "X,V100,fast,chase 32k,1,1,5,M,me\n", "mhz");
    refuse(COLUMNS "X,V100,0,chase 32k,2,1,5,M,me\n", "low must not be above high");
    refuse(COLUMNS "X,V100,0,chase 32k,1,1,5,Q,me\n", "P, M or D");
    refuse(COLUMNS "X,V100,0,chase 32k,1,1,5,M,\n", "it has no source");
    refuse(COLUMNS "X,V100,0,chase 32k,1,1,5,M,me,you\n", "more than 9 columns");
    refuse(COLUMNS "an-id-that-is-far-too-long,V100,0,chase 32k,1,1,5,M,me\n", "too long");
}

static void wrong_words_are_refused(void **state)
{
    (void)state;
    assert_int_equal(RUN(cmd_validate, "validate", "--gpu", "rtx9999"), 64);
    assert_non_null(strstr(errors, "--list"));
    assert_int_equal(RUN(cmd_validate, "validate", "--set", "everything"), 64);
    assert_int_equal(RUN(cmd_validate, "validate", "--set", "none"), 64);
    assert_int_equal(RUN(cmd_validate, "validate", "--only", "Z99"), 66);
    assert_int_equal(RUN(cmd_validate, "validate", "--set", "none", "--measured", "/no/such/file.csv"), 66);
    assert_non_null(strstr(errors, "--measured takes a CSV file"));
    assert_int_equal(RUN(cmd_validate, "validate", "--only", "F01", "--gpu", "v100", "--model-error", rows), 64);
    assert_non_null(strstr(errors, "add --set kernels"));
    assert_int_equal(RUN(cmd_validate, "validate", "--only", "F01", "--with", "gpu.sms=40", "--model-error", rows),
                     64);
    assert_non_null(strstr(errors, "not with --with"));
}

static void copies_on_systems_are_within_their_tolerances(void **state)
{
    (void)state;
    assert_int_equal(RUN(cmd_validate, "validate", "--systems", "--check"), 0);
    assert_non_null(strstr(output, "build  33 rows"));
    assert_non_null(strstr(output, "test   30 rows"));
    assert_non_null(strstr(output, " 0 out of tolerance\n"));
    assert_null(strstr(output, " 1 out of tolerance\n"));
}

/* 25 changes are one too many. */
static void wrong_changes_are_refused(void **state)
{
    char many[25 * 8 + 1] = "";

    (void)state;
    for (int i = 0; i < 25; i++)
        snprintf(many + strlen(many), sizeof many - strlen(many), "a.b%02d=1 ", i);
    assert_int_not_equal(RUN(cmd_validate, "validate", "--only", "F01", "--with", "gpu.smz=1", "--check"), 0);
    assert_non_null(strstr(errors, "smz"));
    assert_int_equal(RUN(cmd_validate, "validate", "--only", "F01", "--with", "gpu.sms"), 64);
    assert_non_null(strstr(errors, "`gpu.sms` is not NAME=VALUE"));
    assert_int_equal(RUN(cmd_validate, "validate", "--only", "F01", "--with", many), 64);
    assert_non_null(strstr(errors, "more than 24 changes"));
}

/* Only cards that are a design: Titan V is a changed v100 and has no row. */
static void model_errors_are_by_design_and_class(void **state)
{
    (void)state;
    write_table("# tuned: stream V100: its plateau\n" COLUMNS "M1,V100,1380,stream init 1024,600,600,5,M,GB\n"
                "M2,Titan V,1380,stream init 1024,600,600,5,M,GB\n");
    assert_int_equal(
        RUN(cmd_validate, "validate", "--set", "none", "--measured", table, "--model-error", rows, "--quick"), 0);
    assert_non_null(
        strstr(read_file(rows), "design,class,rows,error,bias,simulator,source,tuned\nv100,copy,1,0.3"));
    assert_non_null(strstr(read_file(rows), ",GB,yes\n"));
    assert_null(strstr(strstr(read_file(rows), "\nv100,") + 1, "\nv100,")); /* one row */
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_table_of_the_program_is_accepted),
        cmocka_unit_test(errors_are_those_of_the_rows),
        cmocka_unit_test(the_page_loads_nothing_and_the_rows_are_a_table),
        cmocka_unit_test(wrong_tables_are_refused),
        cmocka_unit_test(wrong_words_are_refused),
        cmocka_unit_test(wrong_changes_are_refused),
        cmocka_unit_test(copies_on_systems_are_within_their_tolerances),
        cmocka_unit_test(model_errors_are_by_design_and_class),
    };

    return cmocka_run_group_tests(tests, name_files, remove_files);
}
