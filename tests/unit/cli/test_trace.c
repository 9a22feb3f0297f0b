/* vivace trace: its JSON output and exit codes for a valid and for a damaged trace. */
#include <fcntl.h>
#include <jansson.h>

#include "cli/cli.h"
#include "tests/harness/check.h"

#define SOUND                                                                                                      \
    "-kernel name = _Z9vectorAddPKfS0_Pfi\n-kernel id = 1\n-grid dim = (2,1,1)\n-block dim = (32,1,1)\n"           \
    "-accelsim tracer version = 5\n#traces\n#BEGIN_TB\nthread block = 0,0,0\nwarp = 0\ninsts = 4\n"                \
    "0000 ffffffff 0 SHFL.BFLY 2 R9 R8 0 0\n0010 0000000f 1 R4 LDG.E.64 1 R2 8 1 0x100 8 0\n"                      \
    "0020 ffffffff 1 R1 XYZZY.FAST 0 0 0\n0030 ffffffff 0 EXIT 0 0 0\n#END_TB\n"

static char path[64], printed[1 << 16];

static int make_file(void **state)
{
    (void)state;
    strcpy(path, "/tmp/vivace-trace-XXXXXX");
    return close(mkstemp(path));
}

static int remove_file(void **state)
{
    (void)state;
    return unlink(path);
}

static void put(const char *text, size_t n)
{
    FILE *f = fopen(path, "w");

    assert_non_null(f);
    assert_int_equal(fwrite(text, 1, n, f), n);
    assert_int_equal(fclose(f), 0);
}

/* Runs `trace WHAT path a b c` and returns the exit code. Standard output is in `printed`. */
static int trace(const char *what, const char *a, const char *b, const char *c)
{
    char *argv[] = {(char *)"trace", (char *)what, path, (char *)a, (char *)b, (char *)c, NULL};
    int argc = 3 + (a != NULL) + (b != NULL) + (c != NULL), old_out, old_err, ret;
    FILE *out = tmpfile();
    int nowhere = open("/dev/null", O_WRONLY);
    size_t n;

    assert_true(out && nowhere >= 0);
    fflush(stdout);
    old_out = dup(STDOUT_FILENO);
    old_err = dup(STDERR_FILENO);
    dup2(fileno(out), STDOUT_FILENO);
    dup2(nowhere, STDERR_FILENO);
    ret = cli_command(argc, argv);
    fflush(stdout);
    dup2(old_out, STDOUT_FILENO);
    dup2(old_err, STDERR_FILENO);
    close(old_out);
    close(old_err);
    close(nowhere);
    rewind(out);
    n = fread(printed, 1, sizeof printed - 1, out);
    printed[n] = '\0';
    fclose(out);
    return ret;
}

static json_t *document(void)
{
    json_t *d = json_loads(printed, 0, NULL);

    assert_non_null(d);
    return d;
}

static void info_has_a_row_a_kernel(void **state)
{
    json_t *d, *k;
    const char *name;
    json_int_t instructions, ctas;

    (void)state;
    put(SOUND, strlen(SOUND));
    assert_int_equal(trace("info", "--json", NULL, NULL), 0);
    d = document();
    k = json_array_get(json_object_get(d, "kernels"), 0);
    assert_int_equal(
        json_unpack(k, "{s:s, s:I, s:I}", "name", &name, "warp_instructions", &instructions, "ctas", &ctas), 0);
    assert_string_equal(name, "vectorAdd(float const*, float const*, float*, int)");
    assert_true(instructions == 4 && ctas == 1);
    json_decref(d);
    assert_int_equal(trace("info", "--csv", NULL, NULL), 0);
    assert_non_null(strstr(printed, "1,0,\"(2,1,1)\",\"(32,1,1)\",1,1,4,"));
}

static void verify_counts_what_was_repaired_or_is_unknown(void **state)
{
    json_t *d;
    json_int_t destinations, groups, missing, times;
    const char *opcode;
    int is_sound;

    (void)state;
    put(SOUND, strlen(SOUND));
    assert_int_equal(trace("verify", "--json", NULL, NULL), 0);
    d = document();
    assert_int_equal(json_unpack(d, "{s:b, s:{s:I, s:I, s:I}, s:[{s:s, s:I}], s:[]}", "sound", &is_sound, "repairs",
                                 "destination_from_source", &destinations, "register_group", &groups, "empty_ctas",
                                 &missing, "unknown_opcodes", "opcode", &opcode, "warp_instructions", &times,
                                 "damaged"),
                     0);
    assert_true(is_sound && destinations == 1 && groups == 1 && missing == 1 && times == 1);
    assert_string_equal(opcode, "XYZZY");
    json_decref(d);
}

static void verify_fails_on_damage_and_says_where(void **state)
{
    const char *error;
    json_t *d;
    int is_sound;

    (void)state;
    put(SOUND, strlen(SOUND) - 20);
    assert_int_equal(trace("verify", "--json", NULL, NULL), err_exit_code(ERR_INVALID));
    d = document();
    assert_int_equal(json_unpack(d, "{s:b, s:[{s:s}]}", "sound", &is_sound, "damaged", "error", &error), 0);
    assert_false(is_sound);
    assert_non_null(strstr(error, "ends inside warp 0 of CTA 0,0,0"));
    json_decref(d);
}

static void dump_shows_repaired_operands_and_addresses(void **state)
{
    (void)state;
    put(SOUND, strlen(SOUND));
    assert_int_equal(trace("dump", "--cta=0", "--warp=0", NULL), 0);
    assert_non_null(strstr(printed, "R9 <- R8\n"));
    assert_non_null(strstr(printed, "R4:2 <- R2:2  [8 B at 0x100 +8 a lane]"));
    assert_int_equal(trace("dump", "--limit=1", NULL, NULL), 0);
    assert_null(strstr(printed, "LDG"));
    assert_int_equal(trace("dump", "--kernel=7", NULL, NULL), err_exit_code(ERR_NOT_FOUND));
}

static void other_words_are_usage_errors(void **state)
{
    (void)state;
    assert_int_equal(trace("look", NULL, NULL, NULL), err_exit_code(ERR_USAGE));
    assert_int_equal(trace("info", "--what", NULL, NULL), err_exit_code(ERR_USAGE));
}

#define WITH_FILE(test) cmocka_unit_test_setup_teardown(test, make_file, remove_file)

int main(void)
{
    const struct CMUnitTest tests[] = {
        WITH_FILE(info_has_a_row_a_kernel),
        WITH_FILE(verify_counts_what_was_repaired_or_is_unknown),
        WITH_FILE(verify_fails_on_damage_and_says_where),
        WITH_FILE(dump_shows_repaired_operands_and_addresses),
        WITH_FILE(other_words_are_usage_errors),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
