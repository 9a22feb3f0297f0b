/* base/conf.c: sources of settings, their precedence, and values that are refused. */
#include "tests/harness/check.h"

#include <stddef.h>
#include <sys/stat.h>

#include "base/conf.h"

struct values {
    char *listen, *mode, *secret;
    uint64_t threads, limit, wait;
    bool loud, check;
    uint64_t beat;
};
#define AT(f) offsetof(struct values, f)
static const struct conf_setting settings[] = {
    {"listen", CONF_TEXT, "here:80", "ADDRESS", 0, 0, AT(listen), 0, "where"},
    {"mode", CONF_CHOICE, "slow", "slow|fast", 0, 0, AT(mode), 0, "how"},
    {"api-key", CONF_TEXT, NULL, NULL, 0, 0, AT(secret), CONF_SECRET, "a secret"},
    {"http-threads", CONF_NUMBER, "4", "N", 1, 64, AT(threads), 0, "how many"},
    {"limit", CONF_BYTES, "8MiB", "BYTES", 0, 0, AT(limit), 0, "how much"},
    {"wait", CONF_DURATION, "90s", "TIME", 0, 3600, AT(wait), 0, "how long"},
    {"loud", CONF_FLAG, NULL, NULL, 0, 0, AT(loud), 0, "whether"},
    {"check", CONF_FLAG, NULL, NULL, 0, 0, AT(check), CONF_ONLY_FLAG, "act"},
    {"beat", CONF_DURATION, "10s", "TIME", 1, 60, AT(beat), CONF_TEST, "nobody needs another"},
    {NULL, CONF_TEXT, NULL, NULL, 0, 0, 0, 0, NULL},
};
static const struct conf_removed removed[] = {{"beat", false, "It is always 10 s.", NULL},
                                              {"pooler", true, "Write `direct` instead.", NULL},
                                              {"old-path", false, "Use the folder beside the program.", NULL},
                                              {"threads", false, "Its name is `http-threads` now.", "http-threads"},
                                              {NULL, false, NULL, NULL}};
static const struct conf_program program = {"vivace-tester", "1", "usage: vivace-tester", NULL, settings, 1,
                                            removed};

static char folder[64];

static int setup(void **state)
{
    (void)state;
    strcpy(folder, "/tmp/vivace-test-XXXXXX");
    if (!mkdtemp(folder) || chdir(folder) < 0)
        return -1;
    setenv("XDG_CONFIG_HOME", folder, 1);
    unsetenv("VIVACE_HTTP_THREADS");
    return 0;
}

static int teardown(void **state)
{
    char command[100];

    (void)state;
    snprintf(command, sizeof command, "rm -rf %s", folder);
    return chdir("/") < 0 ? -1 : system(command);
}

static void write_file(const char *name, mode_t mode, const char *text)
{
    FILE *f = fopen(name, "w");

    assert_non_null(f);
    fputs(text, f);
    fclose(f);
    chmod(name, mode);
}

static int load(struct values *v, struct conf_result *r, struct err *e, const char *const *words)
{
    char *argv[20] = {(char *)"vivace-tester"};
    int argc = 1;

    memset(v, 0, sizeof *v);
    for (; words && *words; words++)
        argv[argc++] = (char *)*words;
    return conf_load(&program, argc, argv, v, r, e);
}
#define WORDS(...) ((const char *const[]){__VA_ARGS__, NULL})

static void defaults(void **state)
{
    struct conf_result r;
    struct values v;
    struct err e;

    (void)state;
    CHECK_OK(load(&v, &r, &e, NULL), &e);
    assert_string_equal(v.listen, "here:80");
    assert_string_equal(v.mode, "slow");
    assert_null(v.secret);
    assert_int_equal(v.threads, 4);
    assert_int_equal(v.limit, 8 << 20);
    assert_int_equal(v.wait, 90);
    assert_false(v.loud);
    assert_string_equal(r.origin[3], "default");
    conf_release(&program, &v);
}

/* Each layer sets http-threads to another number. The layer with the highest precedence applies; after it is
 * removed, the next one applies. */
static void precedence(void **state)
{
    struct conf_result r;
    struct values v;
    struct err e;

    (void)state;
    mkdir("vivace", 0700);
    write_file("vivace/vivace.conf", 0600, "http-threads = 11\n");
    write_file("vivace.conf", 0600, "# a comment\n\nhttp-threads = 12   # another\nlisten = \"a # b\"\n");
    write_file("more.conf", 0600, "http-threads=13\n");
    setenv("VIVACE_HTTP_THREADS", "14", 1);
    CHECK_OK(load(&v, &r, &e, WORDS("--http-threads", "15", "--config", "more.conf")), &e);
    assert_int_equal(v.threads, 15);
    assert_string_equal(r.origin[3], "flag");
    assert_string_equal(v.listen, "a # b");
    conf_release(&program, &v);
    CHECK_OK(load(&v, &r, &e, WORDS("--config=more.conf")), &e);
    assert_int_equal(v.threads, 14);
    conf_release(&program, &v);
    unsetenv("VIVACE_HTTP_THREADS");
    CHECK_OK(load(&v, &r, &e, WORDS("--config", "more.conf")), &e);
    assert_int_equal(v.threads, 13);
    conf_release(&program, &v);
    CHECK_OK(load(&v, &r, &e, NULL), &e);
    assert_int_equal(v.threads, 12);
    conf_release(&program, &v);
    unlink("vivace.conf");
    CHECK_OK(load(&v, &r, &e, NULL), &e);
    assert_int_equal(v.threads, 11);
    conf_release(&program, &v);
    unlink("vivace/vivace.conf");
}

static void sections(void **state)
{
    struct conf_result r;
    struct values v;
    struct err e;

    (void)state;
    write_file("s.conf", 0600, "loud = yes\n[worker]\nnobody-knows = 1\n[tester]\nmode = fast\n");
    CHECK_OK(load(&v, &r, &e, WORDS("--config", "s.conf")), &e);
    assert_true(v.loud);
    assert_string_equal(v.mode, "fast");
    conf_release(&program, &v);
}

static void flags_and_words(void **state)
{
    struct conf_result r;
    struct values v;
    struct err e;

    (void)state;
    CHECK_OK(load(&v, &r, &e, WORDS("--loud", "--listen=x:1", "go", "--mode", "fast", "--check")), &e);
    assert_true(v.loud && v.check);
    assert_string_equal(v.listen, "x:1");
    assert_int_equal(r.arg_count, 1);
    assert_string_equal(r.args[0], "go");
    conf_release(&program, &v);
    CHECK_OK(load(&v, &r, &e, WORDS("--loud", "--no-loud", "--", "--strange")), &e);
    assert_false(v.loud);
    assert_string_equal(r.args[0], "--strange");
    conf_release(&program, &v);
}

static void refused(void **state)
{
    static const struct {
        const char *words[4], *why;
    } cases[] = {
        {{"--http-thread", "1"}, "no setting --http-thread"},
        {{"--http-threads"}, "needs a value"},
        {{"--http-threads", "0"}, "from 1 to 64"},
        {{"--http-threads", "65"}, "from 1 to 64"},
        {{"--http-threads", "four"}, "http-threads"},
        {{"--http-threads", "-1"}, "http-threads"},
        {{"--mode", "medium"}, "not one of slow|fast"},
        {{"--mode", "slo"}, "not one of slow|fast"},
        {{"--wait", "2h"}, "from 0 to 3600"},
        {{"--wait", "5 lightyears"}, "unit \"lightyears\""},
        {{"--limit", "99999999999TiB"}, "too large"},
        {{"--limit", "many"}, "not a number with a unit"},
        {{"--api-key", "x"}, "may not be on the command line"},
        {{"--api-key-file", "/nowhere"}, "/nowhere"},
        {{"--loud=maybe"}, "neither yes nor no"},
        {{"a", "b"}, "unexpected argument \"b\""},
        {{"-x"}, "no setting -x"},
        {{"--config", "/nowhere.conf"}, "/nowhere.conf"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct conf_result r;
        struct values v;
        struct err e = {0};
        int ret = load(&v, &r, &e, cases[i].words);

        conf_release(&program, &v);
        if (ret >= 0 || !strstr(e.text, cases[i].why))
            fail_msg("%s: got \"%s\"", cases[i].words[0], ret < 0 ? e.text : "accepted");
    }
}

static void files_with_mistakes(void **state)
{
    static const struct {
        const char *text, *why;
    } cases[] = {
        {"listen\n", "line 1"},
        {"\nlisn = 1\n", "there is no setting lisn"},
        {"check = yes\n", "there is no setting check"},
        {"http-threads = 99\n", "bad.conf, line 1"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct conf_result r;
        struct values v;
        struct err e = {0};

        write_file("bad.conf", 0600, cases[i].text);
        CHECK_FAILS(load(&v, &r, &e, WORDS("--config", "bad.conf")), &e, ERR_USAGE, cases[i].why);
        conf_release(&program, &v);
    }
}

static void secrets_come_from_private_files(void **state)
{
    struct conf_result r;
    struct values v;
    struct err e;

    (void)state;
    write_file("key", 0600, "s3cret\n");
    CHECK_OK(load(&v, &r, &e, WORDS("--api-key-file", "key")), &e);
    assert_string_equal(v.secret, "s3cret");
    conf_release(&program, &v);
    chmod("key", 0644);
    CHECK_FAILS(load(&v, &r, &e, WORDS("--api-key-file", "key")), &e, ERR_USAGE, "other users can read it");
    conf_release(&program, &v);
    write_file("open.conf", 0644, "api-key = s3cret\n");
    CHECK_FAILS(load(&v, &r, &e, WORDS("--config", "open.conf")), &e, ERR_USAGE, "other users can read it");
    conf_release(&program, &v);
    setenv("VIVACE_API_KEY", "from-environment", 1);
    CHECK_OK(load(&v, &r, &e, NULL), &e);
    assert_string_equal(v.secret, "from-environment");
    unsetenv("VIVACE_API_KEY");
    conf_release(&program, &v);
}

static void units(void **state)
{
    static const struct {
        const char *text;
        uint64_t bytes, seconds; /* UINT64_MAX: refused */
    } cases[] = {
        {"10", 10, 10},
        {"1k", 1000, UINT64_MAX},
        {"2 MiB", 2 << 20, UINT64_MAX},
        {"3GB", 3000000000, UINT64_MAX},
        {"5min", UINT64_MAX, 300},
        {"2h", UINT64_MAX, 7200},
        {"7d", UINT64_MAX, 604800},
        {"", UINT64_MAX, UINT64_MAX},
        {"-1", UINT64_MAX, UINT64_MAX},
        {"1.5h", UINT64_MAX, UINT64_MAX},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        uint64_t x;
        struct err e;

        if ((conf_parse_bytes(cases[i].text, "x", &x, &e) < 0 ? UINT64_MAX : x) != cases[i].bytes)
            fail_msg("\"%s\" as bytes", cases[i].text);
        if ((conf_parse_duration(cases[i].text, "x", &x, &e) < 0 ? UINT64_MAX : x) != cases[i].seconds)
            fail_msg("\"%s\" as a duration", cases[i].text);
    }
}

static void the_last_row_has_its_origin_and_a_table_too_long_is_refused(void **state)
{
    static struct conf_setting rows[CONF_SETTINGS_MAX + 2];
    static char names[CONF_SETTINGS_MAX + 1][16];
    struct conf_program long_one = {.name = "vivace-long", .version = "0", .usage = "usage", .settings = rows};
    char *argv[] = {names[0], NULL};
    struct conf_result result;
    uint64_t value[1] = {0};
    struct err e = {0};

    (void)state;
    for (int i = 0; i < CONF_SETTINGS_MAX; i++) {
        snprintf(names[i], sizeof names[i], "row-%d", i);
        rows[i] = (struct conf_setting){names[i], CONF_NUMBER, "7", "N", 0, 0, 0, 0, "one of many"};
    }
    CHECK_OK(conf_load(&long_one, 1, argv, value, &result, &e), &e);
    assert_string_equal(result.origin[CONF_SETTINGS_MAX - 1], "default");
    rows[CONF_SETTINGS_MAX] = rows[0];
    CHECK_FAILS(conf_load(&long_one, 1, argv, value, &result, &e), &e, ERR_INTERNAL, "room for 128");
}

/* Captures what conf_warn() writes to stderr. */
static void warnings(const struct conf_result *r, char *text, size_t size)
{
    FILE *f = tmpfile();
    int kept = dup(STDERR_FILENO);
    size_t n;

    assert_non_null(f);
    dup2(fileno(f), STDERR_FILENO);
    conf_warn(&program, r);
    dup2(kept, STDERR_FILENO);
    close(kept);
    rewind(f);
    n = fread(text, 1, size - 1, f);
    text[n] = '\0';
    fclose(f);
}

static int count_of(const char *text, const char *part)
{
    int n = 0;

    for (const char *at = text; (at = strstr(at, part)); at++)
        n++;
    return n;
}

/* A removed setting has no effect in any source. One warning names the replacement. */
static void removed_settings(void **state)
{
    struct conf_result r;
    struct values v;
    struct err e;
    char text[2000];

    (void)state;
    write_file("old.conf", 0600, "beat = 1s\nold-path = /x\nhttp-threads = 5\n");
    setenv("VIVACE_OLD_PATH", "/y", 1);
    CHECK_OK(
        load(&v, &r, &e, WORDS("--config", "old.conf", "--pooler", "--http-threads", "6", "--beat", "2s", "word")),
        &e);
    unsetenv("VIVACE_OLD_PATH");
    assert_int_equal(v.beat, 10);
    assert_int_equal(v.threads, 6);
    assert_int_equal(r.arg_count, 1);
    assert_string_equal(r.args[0], "word");
    warnings(&r, text, sizeof text);
    assert_int_equal(count_of(text, "level=warn"), 3);
    assert_non_null(strstr(text, "setting=beat from=\"flag\" advice=\"It is always 10 s.\""));
    assert_non_null(strstr(text, "setting=pooler from=\"flag\" advice=\"Write `direct` instead.\""));
    assert_non_null(strstr(text, "setting=old-path from=\"environment\""));
    conf_release(&program, &v);
    CHECK_OK(load(&v, &r, &e, WORDS("--no-pooler", "--beat=2s")), &e);
    assert_string_equal(r.removed[0], "flag");
    assert_string_equal(r.removed[1], "flag");
    assert_string_equal(r.removed[2], "");
    conf_release(&program, &v);
    CHECK_FAILS(load(&v, &r, &e, WORDS("--beat")), &e, ERR_USAGE, "--beat needs a value");
    conf_release(&program, &v);
    CHECK_OK(load(&v, &r, &e, NULL), &e);
    warnings(&r, text, sizeof text);
    assert_string_equal(text, "");
    conf_release(&program, &v);
}

/* Only --test-NAME changes a constant. The bounds are checked, there is a warning, and the help does not list it.
 */
static void test_flags(void **state)
{
    struct conf_result r;
    struct values v;
    struct err e;
    char text[8000];
    FILE *f = tmpfile();
    size_t n;

    (void)state;
    CHECK_OK(load(&v, &r, &e, WORDS("--test-beat", "1s")), &e);
    assert_int_equal(v.beat, 1);
    warnings(&r, text, sizeof text);
    assert_int_equal(count_of(text, "level=warn"), 1);
    assert_non_null(strstr(text, "flag=--test-beat"));
    conf_release(&program, &v);
    CHECK_FAILS(load(&v, &r, &e, WORDS("--test-beat", "2min")), &e, ERR_USAGE, "beat");
    conf_release(&program, &v);
    CHECK_FAILS(load(&v, &r, &e, WORDS("--test-loud")), &e, ERR_USAGE, "no setting --test-loud");
    conf_release(&program, &v);
    write_file("test.conf", 0600, "test-beat = 1s\n");
    CHECK_FAILS(load(&v, &r, &e, WORDS("--config", "test.conf")), &e, ERR_USAGE, "no setting test-beat");
    conf_release(&program, &v);
    conf_help(&program, f);
    rewind(f);
    n = fread(text, 1, sizeof text - 1, f);
    text[n] = '\0';
    fclose(f);
    assert_null(strstr(text, "beat"));
}

static void an_old_name_sets_the_setting_of_the_new_one(void **state)
{
    struct conf_result r;
    struct values v;
    struct err e;
    char text[2000];

    (void)state;
    write_file("renamed.conf", 0600, "threads = 5\n");
    CHECK_OK(load(&v, &r, &e, WORDS("--config", "renamed.conf")), &e);
    assert_int_equal(v.threads, 5);
    warnings(&r, text, sizeof text);
    assert_non_null(strstr(text, "the old name still works"));
    assert_non_null(strstr(text, "setting=threads from=\"--config\" advice=\"Its name is `http-threads` now.\""));
    conf_release(&program, &v);
    setenv("VIVACE_THREADS", "6", 1);
    CHECK_OK(load(&v, &r, &e, WORDS("--config", "renamed.conf")), &e);
    assert_int_equal(v.threads, 6);
    conf_release(&program, &v);
    setenv("VIVACE_HTTP_THREADS", "7", 1);
    CHECK_OK(load(&v, &r, &e, NULL), &e);
    assert_int_equal(v.threads, 7);
    conf_release(&program, &v);
    unsetenv("VIVACE_HTTP_THREADS");
    CHECK_OK(load(&v, &r, &e, WORDS("--threads", "8")), &e);
    assert_int_equal(v.threads, 8);
    conf_release(&program, &v);
    CHECK_FAILS(load(&v, &r, &e, WORDS("--threads", "65")), &e, ERR_USAGE, "http-threads");
    conf_release(&program, &v);
    unsetenv("VIVACE_THREADS");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(removed_settings),
        cmocka_unit_test(test_flags),
        cmocka_unit_test(defaults),
        cmocka_unit_test(precedence),
        cmocka_unit_test(sections),
        cmocka_unit_test(flags_and_words),
        cmocka_unit_test(refused),
        cmocka_unit_test(files_with_mistakes),
        cmocka_unit_test(secrets_come_from_private_files),
        cmocka_unit_test(units),
        cmocka_unit_test(the_last_row_has_its_origin_and_a_table_too_long_is_refused),
        cmocka_unit_test(an_old_name_sets_the_setting_of_the_new_one),
    };

    return cmocka_run_group_tests(tests, setup, teardown);
}
