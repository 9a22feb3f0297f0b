/* server/platform/child.h: what a child program gets. */
#include <string.h>

#include "server/platform/child.h"
#include "tests/harness/check.h"

static void environment_of(const struct child_limits *limits, struct strbuf *out)
{
    static const char *const argv[] = {"/usr/bin/env", NULL};
    struct err e;

    CHECK_OK(child_run(argv, limits, 1 << 16, out, &e), &e);
}

/* A program with limits reads foreign bytes: what it could print goes to those who sent them. */
static void a_reader_of_foreign_bytes_gets_no_secret(void **state)
{
    static const struct child_limits limits = {.cpu_s = 10};
    struct strbuf with = STRBUF_INIT, without = STRBUF_INIT;

    (void)state;
    setenv("AWS_SECRET_ACCESS_KEY", "the bucket's secret", 1);
    setenv("VIVACE_DATABASE", "postgresql://user:secret@host/name", 1);
    environment_of(&limits, &with);
    environment_of(NULL, &without);
    assert_null(strstr(with.text, "secret"));
    assert_non_null(strstr(with.text, "PATH="));
    assert_non_null(strstr(without.text, "VIVACE_DATABASE=")); /* programs of PostgreSQL need theirs */
    strbuf_release(&with);
    strbuf_release(&without);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_reader_of_foreign_bytes_gets_no_secret),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
