/* Launch lists: parsing, errors and their messages, initial values, expected values. */
#include <math.h>
#include <stdbool.h>
#include <stdint.h>

#include "ptx/list/launch_list.h"
#include "ptx/memory/tensor_map.h"
#include "tests/harness/check.h"

#define HEAD "{\"format\": \"vivace-launch-list\", \"version\": 1, \"modules\": {\"m\": \"a.ptx\"},"

static struct launch_list *parse(const char *text)
{
    struct launch_list *l = NULL;
    struct err e;

    CHECK_OK(launch_list_parse(text, strlen(text), "lists/t.json", &l, &e), &e);
    return l;
}

static void numbers_beyond_2_to_the_63_are_read(void **state)
{
    struct launch_list *l = parse(
        HEAD "\"buffers\": {\"12345678901234567890\": {\"type\": \"u64\", \"init\": {\"values\":"
             "[18446744073709551615, 9223372036854775808, 9223372036854775807, \"0xFF00000000000001\", 7]}},"
             "\"f\": {\"type\": \"f64\", \"init\": {\"values\": [1234567890123456789.5, -9223372036854775807]}}},"
             "\"steps\": []}");
    const uint64_t want[] = {UINT64_MAX, 1ull << 63, INT64_MAX, 0xFF00000000000001u, 7};
    const double floats[] = {1234567890123456789.5, -9223372036854775807.0};

    (void)state;
    assert_string_equal(l->buffers[0].name, "12345678901234567890");
    assert_memory_equal(l->buffers[0].values, want, sizeof want);
    assert_memory_equal(l->buffers[1].values, floats, sizeof floats);
    launch_list_free(l);
}

static void a_whole_list_is_read(void **state)
{
    struct launch_list *l = parse(
        HEAD
        "\"buffers\": {\"x\": {\"type\": \"f32\", \"count\": 100, \"init\": {\"random\": \"normal\", \"seed\": 7}},"
        "\"i\": {\"type\": \"s8\", \"init\": {\"values\": [3, -1, 127]}},"
        "\"r\": {\"type\": \"ptr\", \"init\": {\"pointers\": [\"x\", \"x+16\", \"i\"]}}},"
        "\"steps\": [{\"launch\": {\"kernel\": \"k\", \"grid\": [2], \"block\": [32, 2], \"shared_bytes\": 64,"
        "\"params\": [{\"s8\": -1}, {\"ptr\": \"x\", \"offset\": 8}, {\"struct\": [{\"u8\": 1}, {\"f64\": 0.5},"
        "{\"ptr\": \"r\"}, {\"u16\": 515}]}, {\"bytes\": \"0a0B\"}]}},"
        "{\"repeat\": {\"times\": 3, \"steps\": [{\"fill\": {\"buffer\": \"x+4\", \"byte\": 255}}]}},"
        "{\"copy\": {\"from\": \"x\", \"to\": \"x+200\", \"bytes\": 200}},"
        "{\"symbol\": {\"name\": \"c\", \"from\": \"i\", \"bytes\": 3}}],"
        "\"expect\": [{\"buffer\": \"x\", \"file\": \"ref\", \"type\": \"f64\", \"rtol\": 1e-5, \"ulp\": 4}]}");
    const struct list_step *s = &l->steps[0];
    (void)state;

    assert_string_equal(l->modules[0].file, "lists/a.ptx");
    assert_int_equal(l->buffers[1].count, 3);
    assert_memory_equal(l->buffers[1].values, "\x03\xff\x7f", 3);
    assert_int_equal(l->buffers[2].places[1].offset, 16);
    assert_int_equal(s->block[1], 2);
    assert_int_equal(s->grid[1], 1);
    assert_int_equal(s->param_count, 4);
    assert_int_equal(s->params[0].bytes, 1);
    assert_int_equal(s->params[2].bytes, 32); /* 1, 7 unused, 8, 8, 2, 6 unused */
    assert_int_equal(s->params[3].bytes, 2);
    assert_memory_equal(s->image + s->params[3].first, "\x0a\x0b", 2);
    assert_int_equal(s->image[s->params[2].first + 24], 3);
    assert_int_equal(s->relocation_count, 2);
    assert_int_equal(s->relocations[0].at, s->params[1].first);
    assert_int_equal(s->relocations[0].place.offset, 8);
    assert_int_equal(s->relocations[1].at, s->params[2].first + 16);
    assert_int_equal(l->steps[1].times, 3);
    assert_int_equal(l->steps[1].steps[0].bytes, 396);
    assert_true(l->steps[3].to_symbol);
    assert_int_equal(l->expects[0].type, ELEMENT_F64);
    launch_list_free(l);
}

#define MAP(buffer, rest)                                                                                          \
    HEAD "\"buffers\": {\"x\": {\"type\": \"f16\", \"count\": 4096, \"init\": \"zero\"}}, \"steps\": "             \
         "[{\"launch\": {"                                                                                         \
         "\"kernel\": \"k\", \"grid\": [1], \"block\": [32], \"params\": [{\"s32\": 1}, {\"tensor_map\": "         \
         "{\"buffer\": \"" buffer "\", \"type\": \"f16\", \"dims\": [64, 60], " rest "}}]}}]}"

static void a_tensor_map_is_made(void **state)
{
    struct launch_list *l =
        parse(MAP("x+32", "\"strides\": [128], \"box\": [64, 8], \"swizzle\": 128, \"fill\": \"nan\""));
    const struct list_step *s = &l->steps[0];
    struct ptx_tensor_map m;
    struct err e;

    (void)state;
    assert_int_equal(s->params[1].bytes, 128);
    assert_int_equal(s->relocations[0].at, s->params[1].first + 8);
    assert_int_equal(s->relocations[0].place.offset, 32);
    CHECK_OK(ptx_tensor_map_read(s->image + s->params[1].first, &m, &e), &e);
    assert_int_equal(m.rank, 2);
    assert_int_equal(m.type, PTX_TENSOR_F16);
    assert_int_equal(m.swizzle, PTX_TENSOR_SWIZZLE_128);
    assert_true(m.fill_nan);
    assert_int_equal(m.dims[1], 60);
    assert_int_equal(m.strides[1], 128);
    assert_int_equal(m.box[1], 8);
    assert_int_equal(m.steps[1], 1);
    launch_list_free(l);
}

static void wrong_tensor_maps_are_reported(void **state)
{
    static const struct {
        const char *text, *want;
    } cases[] = {
        {MAP("x", "\"box\": [64, 8]"),
         "steps[0].launch.params[1].tensor_map: `strides` must be a list of 1 numbers"},
        {MAP("x", "\"strides\": [128], \"box\": [64]"), "`box` must be a list of 2 numbers"},
        {MAP("x", "\"strides\": [120], \"box\": [64, 8]"), "the stride is 120 bytes"},
        {MAP("x+8", "\"strides\": [128], \"box\": [64, 8]"), "address 0x8 is not a multiple of 16"},
        {MAP("x", "\"strides\": [128], \"box\": [64, 8], \"swizzle\": 48"), "must be 32, 64 or 128 bytes"},
        {MAP("x", "\"strides\": [128], \"box\": [64, 8], \"fill\": \"one\""), "\"zero\" or \"nan\""},
        {MAP("x", "\"strides\": [128], \"box\": [0, 8]"), "`box`[0] must be a positive whole number"},
    };
    struct launch_list *l;
    struct err e;

    (void)state;
    for (size_t k = 0; k < sizeof cases / sizeof *cases; k++)
        CHECK_FAILS(launch_list_parse(cases[k].text, strlen(cases[k].text), "t.json", &l, &e), &e, ERR_INVALID,
                    cases[k].want);
}

/* A module, an empty file and a profile, which users pass by mistake. */
static void another_file_is_reported_what_a_launch_list_is(void **state)
{
    static const char *const others[] = {"// PTX\n.version 8.0\n", "", " \n", "name,duration\n", "[1]", "{}"};
    struct launch_list *l;
    struct err e;

    (void)state;
    for (size_t k = 0; k < sizeof others / sizeof *others; k++) {
        int ret = launch_list_parse(others[k], strlen(others[k]), "a.ptx", &l, &e);

        CHECK_FAILS(ret, &e, k < 4 ? ERR_MALFORMED : ERR_INVALID, "a.ptx");
        assert_non_null(strstr(e.text, "not a launch list"));
        assert_non_null(strstr(e.hint, "docs/ptx.md"));
    }
}

/* Each error names its location. */
static void what_is_wrong_is_reported_with_its_place(void **state)
{
#define BUFFERS "\"buffers\": {\"x\": {\"type\": \"f32\", \"count\": 10}},"
    static const struct {
        const char *text, *part;
        enum err_code code;
    } bad[] = {
        {"{", "t.json:1:", ERR_MALFORMED},
        {"[]", "not a launch list", ERR_INVALID},
        {"{\"format\": \"vivace-launch-list\", \"version\": 2}", "version 2", ERR_UNSUPPORTED},
        {HEAD "\"stepz\": []}", "`stepz` is not a known key here; did you mean `steps`?", ERR_INVALID},
        {HEAD "\"steps\": 1}", "list of steps", ERR_INVALID},
        {HEAD "\"buffers\": {\"x\": {\"type\": \"f31\", \"count\": 1}}, \"steps\": []}", "buffers.x: `type`: `f31`",
         ERR_INVALID},
        {HEAD "\"buffers\": {\"x\": {\"type\": \"u8\", \"init\": {\"values\": [1, 256]}}}, \"steps\": []}",
         "[1]: 256 does not fit u8", ERR_INVALID},
        {HEAD "\"buffers\": {\"x\": {\"type\": \"u8\", \"count\": 3, \"init\": {\"values\": [1]}}}, \"steps\": []}",
         "`count` is 3, but there are 1 values", ERR_INVALID},
        {HEAD
         "\"buffers\": {\"x\": {\"type\": \"s32\", \"count\": 3, \"init\": {\"random\": \"normal\", \"seed\": 1}}}"
         ", \"steps\": []}",
         "need a floating-point type", ERR_INVALID},
        {HEAD BUFFERS "\"steps\": [{\"copy\": {\"from\": \"x\", \"to\": \"x+20\", \"bytes\": 40}}]}",
         "steps[0].copy: to: 40 bytes at byte 20", ERR_INVALID},
        {HEAD BUFFERS "\"steps\": [{\"fill\": {\"buffer\": \"y\", \"byte\": 0}}]}", "there is no buffer `y`",
         ERR_INVALID},
        {HEAD BUFFERS "\"steps\": [{\"fill\": {\"buffer\": \"x\", \"byte\": 256}}]}", "0 to 255", ERR_INVALID},
        {HEAD BUFFERS "\"steps\": [{\"launch\": {\"kernel\": \"k\", \"grid\": [0], \"block\": [1]}}]}", "`grid`[0]",
         ERR_INVALID},
        {HEAD "\"buffers\": {\"x\": {\"type\": \"u64\", \"init\": {\"values\": [\"0x1ffffffffffffffff\"]}}}}",
         "[0]: `0x1ffffffffffffffff` is not a number from 0 to 2^64 - 1", ERR_INVALID},
        {HEAD "\"buffers\": {\"x\": {\"type\": \"s64\", \"init\": {\"values\": [9223372036854775808]}}}}",
         "[0]: expected a whole number here", ERR_INVALID},
        {HEAD BUFFERS "\"steps\": [{\"launch\": {\"kernel\": \"k\", \"grid\": [1], \"block\": [1], \"params\": "
                      "[{\"s32\": 1, \"f32\": 1}]}}]}",
         "params[0]: expected one value", ERR_INVALID},
        {HEAD BUFFERS "\"steps\": [{\"launch\": {\"kernel\": \"k\", \"grid\": [1], \"block\": [1], \"params\": "
                      "[{\"ptr\": \"x+44\"}]}}]}",
         "past the end of x (40 bytes)", ERR_INVALID},
        {HEAD BUFFERS "\"steps\": [{\"texture\": {}}]}", "steps[0].texture: `handle` is missing", ERR_INVALID},
        {HEAD BUFFERS "\"steps\": [{\"texture\": {\"handle\": \"t\", \"buffer\": \"x\", \"dims\": [4, 4, 4, 4]}}]}",
         "`dims` must be a list of one to three", ERR_INVALID},
        {HEAD BUFFERS
         "\"steps\": [{\"texture\": {\"handle\": \"t\", \"buffer\": \"x\", \"dims\": [4], \"format\": \"f64\"}}]}",
         "`format` must be one of u8", ERR_INVALID},
        {HEAD BUFFERS
         "\"steps\": [{\"texture\": {\"handle\": \"t\", \"buffer\": \"x\", \"dims\": [4], \"format\": \"f32\", "
         "\"filter\": \"cubic\"}}]}",
         "`filter`: \"cubic\" is not supported", ERR_INVALID},
        {HEAD BUFFERS "\"steps\": [], \"expect\": [{\"buffer\": \"x\", \"sha256\": \"00\"}]}", "64 lower-case",
         ERR_INVALID},
        {HEAD BUFFERS "\"steps\": [], \"expect\": [{\"buffer\": \"x\"}]}", "expect[0]: exactly one of `file`",
         ERR_INVALID},
        {HEAD BUFFERS "\"steps\": [], \"steps\": []}", "duplicate", ERR_MALFORMED},
    };
    struct launch_list *l;
    struct err e;
    (void)state;

    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        CHECK_FAILS(launch_list_parse(bad[i].text, strlen(bad[i].text), "t.json", &l, &e), &e, bad[i].code,
                    bad[i].part);
}

static void fill(struct list_buffer b, void *out)
{
    struct err e;

    b.name = (char *)"b";
    CHECK_OK(launch_list_fill(&b, out, &e), &e);
}

/* First outputs of SplitMix64 with seed 1234567 (reference program of its authors). */
static void random_numbers_are_splitmix64(void **state)
{
    uint64_t u[3];
    (void)state;

    fill(
        (struct list_buffer){
            .type = ELEMENT_U64, .count = 3, .init = INIT_UNIFORM, .seed = 1234567, .high = INT64_MAX},
        u);
    assert_true(u[0] == (uint64_t)((unsigned __int128)6457827717110365317u * INT64_MAX >> 64));
    assert_true(u[1] == (uint64_t)((unsigned __int128)3203168211198807973u * INT64_MAX >> 64));
    assert_true(u[2] == (uint64_t)((unsigned __int128)9817491932198370423u * INT64_MAX >> 64));
}

static void random_numbers_have_the_spread_they_should(void **state)
{
    enum { N = 200000 };
    static double x[N];
    static float f[N];
    double sum = 0, squares = 0, fourth = 0;
    int16_t s[1000];
    bool seen[7] = {false};
    (void)state;

    fill((struct list_buffer){.type = ELEMENT_F64, .count = N, .init = INIT_NORMAL, .seed = 3, .a = 2, .b = 3}, x);
    for (int i = 0; i < N; i++) {
        double z = (x[i] - 2) / 3;

        sum += z;
        squares += z * z;
        fourth += z * z * z * z;
    }
    assert_true(fabs(sum / N) < 4 / sqrt(N));
    assert_true(fabs(squares / N - 1) < 4 * sqrt(2.0 / N));
    assert_true(fabs(fourth / N - 3) < 4 * sqrt(96.0 / N));
    fill((struct list_buffer){.type = ELEMENT_F32, .count = N, .init = INIT_UNIFORM, .seed = 3, .a = -1, .b = 1},
         f);
    sum = 0;
    for (int i = 0; i < N; i++) {
        assert_true(f[i] >= -1 && f[i] < 1);
        sum += (double)f[i];
    }
    assert_true(fabs(sum / N) < 4 * sqrt(1.0 / 3 / N));
    fill(
        (struct list_buffer){
            .type = ELEMENT_S16, .count = 1000, .init = INIT_UNIFORM, .seed = 9, .low = -3, .high = 4},
        s);
    for (int i = 0; i < 1000; i++) {
        assert_in_range(s[i] + 3, 0, 6);
        seen[s[i] + 3] = true;
    }
    for (int i = 0; i < 7; i++)
        assert_true(seen[i]);
}

/* Box-Muller with the logarithm and cosine of the C library: equal to 14 digits. */
static void normal_numbers_follow_their_formula(void **state)
{
    enum { N = 1000 };
    static double x[N];
    static uint64_t u[2 * N];
    (void)state;

    fill((struct list_buffer){.type = ELEMENT_F64, .count = N, .init = INIT_NORMAL, .seed = 11, .b = 1}, x);
    for (int i = 0; i < 2 * N; i++) { /* a second implementation of the published generator */
        uint64_t z = 11 + ((uint64_t)i + 1) * 0x9e3779b97f4a7c15ull;

        z = (z ^ z >> 30) * 0xbf58476d1ce4e5b9ull;
        z = (z ^ z >> 27) * 0x94d049bb133111ebull;
        u[i] = z ^ z >> 31;
    }
    for (int i = 0; i < N; i++) {
        double r = sqrt(-2 * log(ldexp((double)((u[2 * i] >> 11) + 1), -53)));
        double want = r * cos(2 * acos(-1) * ldexp((double)(u[2 * i + 1] >> 11), -53));

        if (!(fabs(x[i] - want) <= 1e-14 * (1 + r)))
            fail_msg("number %d is %.17g, want %.17g", i, x[i], want);
    }
}

static void values_are_rounded_once(void **state)
{
    uint16_t h;
    uint8_t b;
    int8_t c;
    (void)state;

    /* just above a tie; after rounding to f32 it would be a tie */
    element_write(ELEMENT_F16, &h, 1 + 0x1p-11 + 0x1p-40);
    assert_int_equal(h, 0x3c01);
    element_write(ELEMENT_F16, &h, 1 + 0x1p-11);
    assert_int_equal(h, 0x3c00);
    element_write(ELEMENT_BF16, &h, 1 + 0x1p-8 + 0x1p-30);
    assert_int_equal(h, 0x3f81);
    element_write(ELEMENT_U8, &b, 300);
    assert_int_equal(b, 255);
    element_write(ELEMENT_S8, &c, -300);
    assert_int_equal(c, -128);
    element_write(ELEMENT_S8, &c, 2.5);
    assert_int_equal(c, 2);
    assert_true(element_read(ELEMENT_S8, "\xff") == -1);
}

static void files_that_are_too_short_are_reported(void **state)
{
    char path[] = "/tmp/vivace-fill-XXXXXX";
    int fd = mkstemp(path);
    struct list_buffer b = {.name = (char *)"b", .type = ELEMENT_U16, .count = 3, .init = INIT_FILE, .file = path};
    uint16_t out[3];
    struct err e;
    (void)state;

    assert_int_equal(write(fd, "aabbcc", 6), 6);
    close(fd);
    CHECK_OK(launch_list_fill(&b, out, &e), &e);
    assert_memory_equal(out, "aabbcc", 6);
    b.offset = 2;
    CHECK_FAILS(launch_list_fill(&b, out, &e), &e, ERR_INVALID, "needs 6 bytes at byte 2, and the file has 4");
    unlink(path);
    CHECK_FAILS(launch_list_fill(&b, out, &e), &e, ERR_NOT_FOUND, path);
}

/* Makes one comparison. Returns the failure message, or "". */
static const char *found(struct list_expect x, enum element_type t, const void *got, uint64_t n, const void *want)
{
    static char text[400];
    struct list_buffer b = {.name = (char *)"y", .type = t, .count = n};
    struct err e;
    char *said;
    int r;

    x.values = (uint8_t *)(uintptr_t)want;
    x.count = n;
    r = launch_list_expect(&x, &b, got, "", 0, &said, &e);
    if (r < 0)
        fail_msg("%s", e.text);
    snprintf(text, sizeof text, "%s", r ? "" : said);
    free(said);
    return text;
}

static void results_are_compared_within_tolerances(void **state)
{
    const float got[] = {1, 2.5f, NAN, 0};
    const double want[] = {1, 2.5, NAN, -0.0}, off[] = {1, 2.50000048, NAN, 1e-9};
    const int64_t big[] = {INT64_MAX, 1}, other[] = {INT64_MAX - 1, 1};
    (void)state;

    assert_string_equal(found((struct list_expect){.type = ELEMENT_F64}, ELEMENT_F32, got, 4, want), "");
    assert_string_equal(found((struct list_expect){.type = ELEMENT_F64}, ELEMENT_F32, got, 4, off),
                        "y[1] is 2.5, expected 2.50000048 (2 ulp apart); 2 of 4 values are wrong");
    assert_string_equal(found((struct list_expect){.type = ELEMENT_F64, .max_bad = 2}, ELEMENT_F32, got, 4, off),
                        "");
    assert_string_equal(
        found((struct list_expect){.type = ELEMENT_F64, .rtol = 1e-6, .atol = 1e-8}, ELEMENT_F32, got, 4, off), "");
    assert_string_equal(
        found((struct list_expect){.type = ELEMENT_F64, .ulp = 2, .atol = 1e-8}, ELEMENT_F32, got, 4, off), "");
    assert_non_null(
        strstr(found((struct list_expect){.type = ELEMENT_F64, .ulp = 1, .atol = 1e-8}, ELEMENT_F32, got, 4, off),
               "1 of 4"));
    assert_non_null(strstr(found((struct list_expect){.type = ELEMENT_S64}, ELEMENT_S64, big, 2, other), "y[0]"));
}

static void hashes_and_prints_are_compared(void **state)
{
    struct list_buffer b = {.name = (char *)"y", .type = ELEMENT_U8, .count = 3};
    struct list_expect x = {
        .sha256 = "ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad"}; /* of "abc", FIPS 180-2 */
    char path[] = "/tmp/vivace-print-XXXXXX", *text;
    int fd = mkstemp(path);
    struct err e;
    (void)state;

    assert_int_equal(launch_list_expect(&x, &b, (const uint8_t *)"abc", "", 0, &text, &e), 1);
    assert_int_equal(launch_list_expect(&x, &b, (const uint8_t *)"abd", "", 0, &text, &e), 0);
    assert_non_null(strstr(text, "expected ba7816bf"));
    free(text);
    assert_int_equal(write(fd, "a\nb\n", 4), 4);
    close(fd);
    x = (struct list_expect){.buffer = PTX_NONE, .file = path};
    assert_int_equal(launch_list_expect(&x, NULL, NULL, "a\nb\n", 4, &text, &e), 1);
    assert_int_equal(launch_list_expect(&x, NULL, NULL, "a\nc\n", 4, &text, &e), 0);
    assert_non_null(strstr(text, "in line 2"));
    free(text);
    unlink(path);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_tensor_map_is_made),
        cmocka_unit_test(wrong_tensor_maps_are_reported),
        cmocka_unit_test(a_whole_list_is_read),
        cmocka_unit_test(numbers_beyond_2_to_the_63_are_read),
        cmocka_unit_test(another_file_is_reported_what_a_launch_list_is),
        cmocka_unit_test(what_is_wrong_is_reported_with_its_place),
        cmocka_unit_test(random_numbers_are_splitmix64),
        cmocka_unit_test(random_numbers_have_the_spread_they_should),
        cmocka_unit_test(normal_numbers_follow_their_formula),
        cmocka_unit_test(values_are_rounded_once),
        cmocka_unit_test(files_that_are_too_short_are_reported),
        cmocka_unit_test(results_are_compared_within_tolerances),
        cmocka_unit_test(hashes_and_prints_are_compared),
    };
    return cmocka_run_group_tests_name("launch lists", tests, NULL, NULL);
}
