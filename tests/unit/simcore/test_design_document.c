/* docs/formats/design.md lists every parameter as in the table of parameters. VIVACE_GOLDEN=write writes the
 * lists again, between their marks "<!-- parameters: GROUP ... -->" and "<!-- end -->". */
#include "base/strbuf.h"
#include "base/stream.h"
#include "base/text.h"
#include "simcore/design_params.h"
#include "tests/unit/simcore/hand_source.h"

#define DOCUMENT "docs/formats/design.md"
#define BEGIN    "<!-- parameters: "
#define END      "<!-- end -->\n"

static const char *value_of(const struct design_param *p, enum gpu_generation g)
{
    const struct design_default *d = design_default_of(p, g);

    return d ? d->value : design_added(p) ? design_added(p) : "none";
}

/* "64; Turing 32; GA10x, Ada 48": the value of most generations, then the exceptions. */
static void add_defaults(struct strbuf *b, const struct design_param *p)
{
    const char *most = NULL;
    size_t count = 0;

    for (int g = 0; g < GENERATION_COUNT; g++) {
        size_t n = 0;

        for (int h = 0; h < GENERATION_COUNT; h++)
            n += strcmp(value_of(p, (enum gpu_generation)g), value_of(p, (enum gpu_generation)h)) == 0;
        if (n > count) {
            count = n;
            most = value_of(p, (enum gpu_generation)g);
        }
    }
    strbuf_adds(b, most);
    for (int g = 0; g < GENERATION_COUNT; g++) {
        const char *value = value_of(p, (enum gpu_generation)g);
        bool seen = strcmp(value, most) == 0;

        for (int h = 0; h < g; h++)
            seen |= strcmp(value_of(p, (enum gpu_generation)h), value) == 0;
        if (seen)
            continue;
        for (int h = g; h < GENERATION_COUNT; h++)
            if (strcmp(value_of(p, (enum gpu_generation)h), value) == 0)
                strbuf_addf(b, "%s%s", h == g ? "; " : ", ", gpu_generation_names[h]);
        strbuf_addf(b, " %s", value);
    }
}

static void add_range(struct strbuf *b, const struct design_param *p)
{
    if (p->kind == DESIGN_NUMBER)
        strbuf_addf(b, "%.15g to %.15g", p->least, p->most);
    for (size_t i = 0; p->names && p->names[i]; i++)
        strbuf_addf(b, "%s`%s`", i ? ", " : "", p->names[i]);
}

static void add_row(struct strbuf *b, const struct design_param *p)
{
    strbuf_addf(b, "| `%s.%s` | %s | ", p->group, p->key, p->unit);
    add_range(b, p);
    strbuf_adds(b, " | ");
    add_defaults(b, p);
    strbuf_addf(b, " | %s |\n", p->meaning);
}

/* "units" includes units.fp32 and so on. */
static bool is_in(const struct design_param *p, const char *group, size_t n)
{
    return strncmp(p->group, group, n) == 0 && (!p->group[n] || p->group[n] == '.');
}

/* groups: names such as "gpu clock launch", n characters. Marks the listed parameters in seen[]. */
static void add_table(struct strbuf *b, const char *groups, size_t n, unsigned *seen)
{
    strbuf_adds(b, "| parameter | unit | values | default | meaning |\n| --- | --- | --- | --- | --- |\n");
    for (size_t at = 0; at < n;) {
        size_t length = strcspn(groups + at, " ");

        if (length > n - at)
            length = n - at;
        for (const struct design_param *p = design_params; p->group; p++) {
            if (!is_in(p, groups + at, length))
                continue;
            add_row(b, p);
            seen[p - design_params]++;
        }
        at += length + 1;
    }
}

/* The document with new tables. */
static void make_document(const char *old, struct strbuf *b, unsigned *seen)
{
    const char *begin;

    while ((begin = strstr(old, BEGIN))) {
        const char *groups = begin + strlen(BEGIN), *close = strstr(groups, " -->\n"), *end = strstr(groups, END);

        assert_true(close && end && close < end);
        strbuf_addf(b, "%.*s", (int)(close + 5 - old), old);
        add_table(b, groups, (size_t)(close - groups), seen);
        old = end;
    }
    strbuf_adds(b, old);
    assert_false(b->failed);
}

static void show_first_difference(const char *is, const char *wanted)
{
    size_t same = 0;

    while (is[same] && is[same] == wanted[same])
        same++;
    while (same > 0 && is[same - 1] != '\n')
        same--;
    print_message("%s has    %.*s\nthe table  %.*s\n", DOCUMENT, (int)strcspn(is + same, "\n"), is + same,
                  (int)strcspn(wanted + same, "\n"), wanted + same);
}

static void the_document_lists_every_parameter(void **state)
{
    const char *mode = getenv("VIVACE_GOLDEN");
    unsigned seen[512] = {0};
    struct strbuf is = STRBUF_INIT, wanted = STRBUF_INIT;
    struct err e;

    (void)state;
    CHECK_OK(stream_read_whole(DOCUMENT, 1 << 20, &is, &e), &e);
    make_document(is.text, &wanted, seen);
    if (mode && strcmp(mode, "write") == 0) {
        FILE *f = fopen(DOCUMENT, "w");

        assert_non_null(f);
        assert_true(fputs(wanted.text, f) >= 0);
        assert_int_equal(fclose(f), 0);
    } else if (strcmp(is.text, wanted.text) != 0) {
        show_first_difference(is.text, wanted.text);
        fail_msg("%s is not as simcore/params/ has it: VIVACE_GOLDEN=write with this test writes it", DOCUMENT);
    }
    for (const struct design_param *p = design_params; p->group; p++)
        if (seen[p - design_params] != 1)
            fail_msg("%s lists %s.%s %u times", DOCUMENT, p->group, p->key, seen[p - design_params]);
    strbuf_release(&is);
    strbuf_release(&wanted);
}

int main(void)
{
    const struct CMUnitTest tests[] = {cmocka_unit_test(the_document_lists_every_parameter)};

    return cmocka_run_group_tests(tests, NULL, NULL);
}
