#include <stdlib.h>

#include "base/base64.h"
#include "tests/harness/check.h"

/* RFC 4648, section 10. */
static const char *const vectors[][2] = {{"", ""},
                                         {"f", "Zg=="},
                                         {"fo", "Zm8="},
                                         {"foo", "Zm9v"},
                                         {"foob", "Zm9vYg=="},
                                         {"fooba", "Zm9vYmE="},
                                         {"foobar", "Zm9vYmFy"}};

static void known_texts_go_both_ways(void **state)
{
    struct err e;

    (void)state;
    for (size_t i = 0; i < sizeof vectors / sizeof *vectors; i++) {
        char *text = base64_encode(vectors[i][0], strlen(vectors[i][0]), &e);
        void *bytes;
        size_t n;

        assert_string_equal(text, vectors[i][1]);
        CHECK_OK(base64_decode(text, &bytes, &n, &e), &e);
        assert_int_equal(n, strlen(vectors[i][0]));
        assert_memory_equal(bytes, vectors[i][0], n);
        free(bytes);
        free(text);
    }
}

static void other_texts_are_refused(void **state)
{
    static const char *const wrong[] = {"Zg=", "Zg", "Z g=", " Zm9v   ", "Zm9v\n   ", "Zm!v", "=Zm9"};
    struct err e;
    void *bytes;
    size_t n;

    (void)state;
    for (size_t i = 0; i < sizeof wrong / sizeof *wrong; i++)
        CHECK_FAILS(base64_decode(wrong[i], &bytes, &n, &e), &e, ERR_INVALID, "base64");
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(known_texts_go_both_ways),
        cmocka_unit_test(other_texts_are_refused),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
