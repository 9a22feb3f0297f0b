/* ptx/runtime/container.h, sass/container.h: selection of an entry, decompression, and errors for damaged
 * containers. */
#include <zstd.h>

#include "ptx/runtime/container.h"
#include "tests/harness/check.h"
#include "tests/unit/ptx/runtime/fatbin.h"

static char *find(const struct fatbin_entry *entries, size_t n, uint32_t arch, uint32_t *chosen)
{
    struct strbuf b = STRBUF_INIT;
    char *text = NULL;
    size_t length;
    struct err e;

    fatbin_build(&b, entries, n);
    CHECK_OK(container_ptx(b.text, b.length, arch, &text, &length, chosen, &e), &e);
    assert_int_equal(strlen(text), length);
    strbuf_release(&b);
    return text;
}

#define TEXT(kind_, arch_, text_) ((struct fatbin_entry){kind_, arch_, text_, strlen(text_), 0, 0})

static void the_highest_that_the_device_can_run(void **state)
{
    const struct fatbin_entry entries[] = {TEXT(FATBIN_CODE, 80,
                                                "\x7f"
                                                "ELF"),
                                           TEXT(FATBIN_PTX, 75, "of 75"), TEXT(FATBIN_PTX, 90, "of 90"),
                                           TEXT(FATBIN_PTX, 80, "of 80")};
    static const struct {
        uint32_t device, want;
        const char *text;
    } cases[] = {{100, 90, "of 90"}, {90, 90, "of 90"}, {89, 80, "of 80"},
                 {80, 80, "of 80"},  {75, 75, "of 75"}, {70, 75, "of 75"} /* none that it can run: the lowest */};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        uint32_t chosen;
        char *text = find(entries, 4, cases[i].device, &chosen);

        assert_string_equal(text, cases[i].text);
        assert_int_equal(chosen, cases[i].want);
        free(text);
    }
}

static void zstandard(void **state)
{
    const char *want = "a module, a module, a module, a module, a module";
    char packed[200];
    size_t n = ZSTD_compress(packed, sizeof packed, want, strlen(want) + 1, 3);
    struct fatbin_entry x = {FATBIN_PTX, 75, packed, n, strlen(want) + 1, FATBIN_ZSTD};
    uint32_t chosen;
    char *text;

    (void)state;
    assert_false(ZSTD_isError(n));
    text = find(&x, 1, 80, &chosen);
    assert_string_equal(text, want);
    free(text);
}

/* Blocks built by hand: token (literals << 4 | match - 4), literals, distance. */
static void lz4_blocks(void **state)
{
    static const struct {
        const char *what, *block, *want;
        size_t n;
    } cases[] = {
        {"literals only", "\x50hello", "hello", 6},
        {"a match: 3 back, 6 long",
         "\x32"
         "abc\x03\x00\x10!",
         "abcabcabc!", 8},
        {"a match that overlaps itself",
         "\x1f"
         "a\x01\x00\x02\x10"
         "b",
         "aaaaaaaaaaaaaaaaaaaaaab", 7},
        {"15 literals and more",
         "\xf0\x03"
         "0123456789abcdefgh",
         "0123456789abcdefgh", 20},
    };
    char got[64];
    struct err e;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t want = strlen(cases[i].want);

        memset(got, 0, sizeof got);
        if (lz4_block((const uint8_t *)cases[i].block, cases[i].n, (uint8_t *)got, want, &e) != 0)
            fail_msg("%s: %s", cases[i].what, e.text);
        assert_string_equal(got, cases[i].want);
        /* one byte less or more than the block has */
        assert_int_equal(lz4_block((const uint8_t *)cases[i].block, cases[i].n, (uint8_t *)got, want + 1, &e), -1);
        assert_int_equal(lz4_block((const uint8_t *)cases[i].block, cases[i].n, (uint8_t *)got, want - 1, &e), -1);
    }
    assert_int_equal(lz4_block((const uint8_t *)"\x12"
                                                "a\x02\x00",
                               4, (uint8_t *)got, 7, &e),
                     -1); /* 2 back of 1 */
    assert_int_equal(lz4_block((const uint8_t *)"\x12"
                                                "a\x00\x00",
                               4, (uint8_t *)got, 7, &e),
                     -1); /* 0 back */
}

static void refused(const struct fatbin_entry *entries, size_t n, size_t cut, enum err_code code, const char *part)
{
    struct strbuf b = STRBUF_INIT;
    uint32_t chosen;
    size_t length;
    struct err e;
    char *text;

    fatbin_build(&b, entries, n);
    CHECK_FAILS(container_ptx(b.text, b.length - cut, 80, &text, &length, &chosen, &e), &e, code, part);
    if (code == ERR_UNSUPPORTED && n)
        assert_non_null(strstr(e.hint, "-code=compute_75"));
    strbuf_release(&b);
}

static void what_cannot_be_run_is_reported(void **state)
{
    const struct fatbin_entry code = TEXT(FATBIN_CODE, 86, "ELF"), ptx = TEXT(FATBIN_PTX, 75, "0123456789");
    struct fatbin_entry packed = {FATBIN_PTX, 75, "garbage!", 8, 100, FATBIN_ZSTD};

    (void)state;
    refused(&code, 1, 0, ERR_UNSUPPORTED, "machine code (sm_86) only");
    refused(NULL, 0, 0, ERR_UNSUPPORTED, "no GPU code");
    refused(&ptx, 1, 1, ERR_MALFORMED, "cut off");
    refused(&packed, 1, 0, ERR_MALFORMED, "Zstandard");
    packed.flags = FATBIN_LZ4;
    refused(&packed, 1, 0, ERR_MALFORMED, "LZ4");
    packed.raw = (size_t)2 << 30;
    refused(&packed, 1, 0, ERR_TOO_LARGE, "at most");
}

/* Every length in a header is checked against the actual size. */
static void damaged_headers(void **state)
{
    const struct fatbin_entry ptx = TEXT(FATBIN_PTX, 75, "0123456789");
    static const struct {
        size_t at, bytes;
        uint64_t value;
    } cases[] = {{0, 4, 7},       {6, 2, 3},         {16 + 4, 4, 8}, {16 + 4, 4, 1u << 30}, {16 + 8, 8, 1ull << 60},
                 {16 + 8, 8, 17}, {16 + 16, 4, 1000}};
    char *text;

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        struct strbuf b = STRBUF_INIT;
        uint32_t chosen;
        size_t length;
        struct err e;

        fatbin_build(&b, &ptx, 1);
        fatbin_put(&b, cases[i].at, &cases[i].value, cases[i].bytes);
        CHECK_FAILS(container_ptx(b.text, b.length, 80, &text, &length, &chosen, &e), &e, ERR_MALFORMED,
                    "GPU code");
        strbuf_release(&b);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(the_highest_that_the_device_can_run),
        cmocka_unit_test(zstandard),
        cmocka_unit_test(lz4_blocks),
        cmocka_unit_test(what_cannot_be_run_is_reported),
        cmocka_unit_test(damaged_headers),
    };

    return cmocka_run_group_tests_name("container", tests, NULL, NULL);
}
