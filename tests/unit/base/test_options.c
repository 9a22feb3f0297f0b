/* base/options.c: which arguments are options, values of options, and words, and their order. */
#include "tests/harness/check.h"

#include <string.h>

#include "base/options.h"
#include "base/text.h"

static const struct option_spec specs[] = {{"out", 'o', OPTION_VALUE},
                                           {"quiet", 'q', OPTION_FLAG},
                                           {"check", 0, OPTION_OPTIONAL},
                                           {"checkpoint", 0, OPTION_VALUE},
                                           {"stop", 's', OPTION_FLAG}};

static int take(void *ctx, size_t at, const char *value, struct err *e)
{
    char *seen = ctx;
    size_t n = strlen(seen);

    (void)e;
    snprintf(seen + n, 200 - n, "%s%s%s ", specs[at].name, value ? "=" : "", value ? value : "");
    return strcmp(specs[at].name, "stop") == 0;
}

static int fault(void *ctx, enum option_fault what, size_t at, const char *word, struct err *e)
{
    static const char *const names[] = {"unknown", "needs", "none"};

    (void)ctx;
    return err_set(e, ERR_USAGE, "%s %s %s", names[what], word, what == OPTION_UNKNOWN ? "-" : specs[at].name);
}

static const struct {
    const char *line;
    bool whole_names, first_word_ends;
    const char *seen, *words; /* options seen by take(); words. seen NULL: words is the error */
} cases[] = {
    {"", false, false, "", ""},
    {"a b", false, false, "", "a b "},
    {"a --out x b -q", false, false, "out=x quiet ", "a b "},
    {"--out=x=y", false, false, "out=x=y ", ""},
    {"--out= a", false, false, "out= ", "a "},
    {"-ox -qo y", false, false, "out=x quiet out=y ", ""},
    {"--out --quiet z", false, false, "out=--quiet ", "z "},
    {"- -q", false, false, "quiet ", "- "},
    {"a -- -q --out", false, false, "", "a -q --out "},
    {"--check --check=no", false, false, "check check=no ", ""},
    {"--q", false, false, "quiet ", ""},
    {"--check", false, false, "check ", ""}, /* a complete name, and the beginning of another */
    {"--checkp f", false, false, "checkpoint=f ", ""},
    {"a -s --nonsense", false, false, "stop ", "a --nonsense "},
    {"-q cmd -q --out", false, true, "quiet ", "cmd -q --out "},
    {"--chec", false, false, NULL, "unknown --chec -"},
    {"--q", true, false, NULL, "unknown --q -"},
    {"a --nothing", false, false, NULL, "unknown --nothing -"},
    {"-qz", false, false, NULL, "unknown -qz -"},
    {"-o", false, false, NULL, "needs -o out"},
    {"x --out", false, false, NULL, "needs --out out"},
    {"--quiet=yes", false, false, NULL, "none --quiet=yes quiet"},
};

static void lines(void **state)
{
    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char text[200], seen[200] = "", words[200] = "", *argv[20] = {(char *)"program"};
        struct options o = {
            specs, sizeof specs / sizeof *specs, cases[i].whole_names, cases[i].first_word_ends, seen, take, fault};
        int argc = 1, first = 0, ret;
        struct err e;

        snprintf(text, sizeof text, "%s", cases[i].line);
        for (char *w = strtok(text, " "); w; w = strtok(NULL, " "))
            argv[argc++] = w;
        ret = options_read(&o, argc, argv, &first, &e);
        if (!cases[i].seen) {
            CHECK_FAILS(ret, &e, ERR_USAGE, cases[i].words);
            continue;
        }
        CHECK_OK(ret, &e);
        for (int k = first; k < argc; k++)
            snprintf(words + strlen(words), sizeof words - strlen(words), "%s ", argv[k]);
        if (strcmp(seen, cases[i].seen) != 0 || strcmp(words, cases[i].words) != 0)
            fail_msg("\"%s\": options \"%s\", words \"%s\"", cases[i].line, seen, words);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(lines)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
