/* server/platform/config.c: the number of settings is limited, and no setting of an earlier version prevents a
 * start. */
#include "tests/harness/check.h"

#include <string.h>

#include "server/platform/config.h"

enum { SETTINGS_MAX = 45 };

static const struct conf_setting *row(const char *name)
{
    for (const struct conf_setting *s = server_program.settings; s->name; s++)
        if (strcmp(s->name, name) == 0)
            return s;
    return NULL;
}

static void few_settings(void **state)
{
    int count = 0;

    (void)state;
    for (const struct conf_setting *s = server_program.settings; s->name; s++)
        count += !(s->flags & (CONF_TEST | CONF_ONLY_FLAG));
    assert_in_range(count, 1, SETTINGS_MAX);
}

/* Every removed setting that is still used is a constant, and every constant of the table was a setting. */
static void removed_ones_are_constants(void **state)
{
    (void)state;
    for (const struct conf_removed *r = server_program.removed; r->name; r++) {
        const struct conf_setting *s = row(r->name);

        if (s && !(s->flags & CONF_TEST))
            fail_msg("%s is a setting and a removed one", r->name);
    }
    for (const struct conf_setting *s = server_program.settings; s->name; s++) {
        const struct conf_removed *r = server_program.removed;

        while (s->flags & CONF_TEST && r->name && strcmp(r->name, s->name) != 0)
            r++;
        if (!r->name)
            fail_msg("a file that sets %s would stop the start", s->name);
    }
}

/* A configuration file of the previous version with all its settings. */
static void an_old_file_is_read(void **state)
{
    char path[] = "/tmp/vivace-config-XXXXXX", *argv[] = {(char *)"vivace-server", (char *)"--config", path, NULL};
    struct server_config c = {.listen = NULL};
    struct conf_result result;
    struct err e = {0};
    int fd = mkstemp(path), found = 0;
    FILE *f = fd < 0 ? NULL : fdopen(fd, "w");

    (void)state;
    assert_non_null(f);
    for (const struct conf_removed *r = server_program.removed; r->name; r++)
        fprintf(f, "%s = %s\n", r->name, r->flag ? "yes" : "7");
    fclose(f);
    CHECK_OK(conf_load(&server_program, 3, argv, &c, &result, &e), &e);
    unlink(path);
    assert_int_equal(c.heartbeat_s, 10);
    assert_int_equal(c.dead_after_s, 60);
    assert_int_equal(c.launcher_min_workers, 7);
    assert_int_equal(c.launcher_max_workers, 7);
    assert_int_equal(c.connections_per_ip, 7);
    assert_int_equal(c.upload_max_bytes, 7);
    for (int i = 0; server_program.removed[i].name; i++)
        found += strcmp(result.removed[i], "--config") == 0;
    assert_int_equal(found, 37);
    conf_release(&server_program, &c);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(few_settings),
        cmocka_unit_test(removed_ones_are_constants),
        cmocka_unit_test(an_old_file_is_read),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
