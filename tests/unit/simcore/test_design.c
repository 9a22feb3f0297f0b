/* Design files: what is built in is whole; what is wrong is refused with the key's name; nothing hostile hurts. */
#include <dirent.h>

#include "base/rng.h"
#include "tests/unit/simcore/hand_source.h"

static void built_in_designs_are_whole(void **state)
{
    const char *const *name = design_builtin_names();
    size_t files = 0, names = 0;
    DIR *dir = opendir("simcore/designs");

    (void)state;
    assert_non_null(dir);
    for (struct dirent *f; (f = readdir(dir));)
        files += strstr(f->d_name, ".json") != NULL;
    closedir(dir);
    for (; name[names]; names++) {
        struct gpu_design *d = NULL;
        struct err e;

        CHECK_OK(design_load(name[names], &d, &e), &e);
        assert_string_equal(design_name(d), name[names]);
        assert_true(sha256_hex_valid(design_sha256(d)));
        assert_true(strlen(design_gpu_names(d)) > 3);
        assert_true(design_clock_hz(d) > 1e9);
        design_free(d);
    }
    assert_int_equal(names, files); /* every file is in the list, every name has its file */
}

static void profiles_find_their_gpu(void **state)
{
    struct gpu_design *d = hand_design("v100", NULL);

    (void)state;
    assert_non_null(strstr(design_gpu_names(d), "Tesla V100-SXM2-16GB"));
    design_free(d);
}

/* The text of v100 with one piece replaced. */
static char *edited(const char *from, const char *to)
{
    size_t n;
    const char *json = design_builtin_json("v100", &n), *at = strstr(json, from);
    char *text = malloc(n + strlen(to) + 1);

    if (!at)
        fail_msg("v100.json does not hold %s", from);
    sprintf(text, "%.*s%s%s", (int)(at - json), json, to, at + strlen(from));
    return text;
}

static void a_wrong_design_is_refused_with_its_key(void **state)
{
    static const struct {
        const char *from, *to;
        enum err_code code;
        const char *says;
    } cases[] = {
        {"\"warps\":", "\"warp\":", ERR_INVALID, "sm: unknown key `warp`"},
        {"\"dram\": {", "\"drum\": {", ERR_INVALID, "the design: unknown key `drum`"},
        {"\"fp64\": {", "\"fp65\": {", ERR_INVALID, "units: unknown key `fp65`"},
        {"\"turnover_cycles\": {\"value\": 270", "\"turnover_cycles\": {\"valeu\": 270", ERR_INVALID,
         "launch.turnover_cycles: unknown key `valeu`"},
        {"\"sms\": {\"value\": 80", "\"sms\": {\"value\": 0", ERR_INVALID,
         "gpu.sms: 0 lies outside 1 to 1024 count"},
        {"\"sms\": {\"value\": 80", "\"sms\": {\"value\": 1e300", ERR_INVALID, "gpu.sms"},
        {"\"sms\": {\"value\": 80", "\"sms\": {\"value\": 80.5", ERR_INVALID, "must be a whole number"},
        {"\"sms\": {\"value\": 80", "\"sms\": {\"value\": \"80\"", ERR_INVALID, "must be a number"},
        {"\"kb\": {\"value\": 6144, \"unit\": \"KB\"", "\"kb\": {\"value\": 6144, \"unit\": \"MB\"", ERR_INVALID,
         "l2.kb: the unit must be \"KB\""},
        {"\"unit\": \"count\", \"source\": \"V\"", "\"unit\": \"count\", \"source\": \"X\"", ERR_INVALID,
         "source `X` is not spelled out"},
        {", \"reason\": \"not published; taken to follow the SM clock\"", "", ERR_INVALID,
         "clock.l2_mhz: an estimate (source E) needs a \"reason\""},
        {"\"slices\": {\"value\": 64", "\"slices\": {\"value\": 63", ERR_INVALID,
         "l2.slices must be a multiple of dram.channels"},
        {"\"value\": \"cggty\"", "\"value\": \"best\"", ERR_INVALID, "sm.scheduler"},
        {"[0, 8, 16, 32, 64, 96]", "[]", ERR_INVALID, "sm.carveouts_kb"},
        {"[0, 8, 16, 32, 64, 96]", "[0, 16, 8]", ERR_INVALID, "sizes must be whole and rise"},
        {"[0, 8, 16, 32, 64, 96]", "[0, 8, 16]", ERR_INVALID, "the largest must reach sm.shared_kb"},
        {"\"version\": 1", "\"version\": 2", ERR_UNSUPPORTED, "version"},
        {"vivace-design", "something", ERR_UNSUPPORTED, "not a GPU design"},
        {"\"name\": \"v100\"", "\"name\": \"../v100\"", ERR_INVALID, "\"name\""},
        {"{", "", ERR_MALFORMED, "line"},
        {"\"gpu\": {", "\"gpu\": 3, \"gqu\": {", ERR_INVALID, "\"gpu\" must be an object"},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char *text = edited(cases[i].from, cases[i].to);
        struct gpu_design *d = NULL;
        struct err e;

        CHECK_FAILS(design_parse(text, strlen(text), "test", &d, &e), &e, cases[i].code, cases[i].says);
        assert_non_null(strstr(e.text, "design test"));
        free(text);
    }
}

static void an_unknown_key_is_told_its_nearest_name(void **state)
{
    char *text = edited("\"turnover_cycles\"", "\"turnovr_cycle\"");
    struct gpu_design *d = NULL;
    struct err e;

    (void)state;
    assert_int_equal(design_parse(text, strlen(text), "test", &d, &e), -1);
    assert_string_equal(e.hint, "the nearest known name is `turnover_cycles`");
    free(text);
}

static void a_missing_key_is_named(void **state)
{
    static const char *const groups[] = {"gpu", "sm", "units", "dram", "tensor", "sources", "title"};

    (void)state;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        size_t n;
        const char *json = design_builtin_json("v100", &n);
        json_t *root = json_loadb(json, n, 0, NULL);
        struct gpu_design *d = NULL;
        struct err e;
        char *text;

        json_object_del(root, groups[i]);
        text = json_dumps(root, 0);
        CHECK_FAILS(design_parse(text, strlen(text), "test", &d, &e), &e, ERR_INVALID, groups[i]);
        assert_non_null(strstr(e.text, "missing"));
        free(text);
        json_decref(root);
    }
}

static void the_hash_is_of_the_content_not_the_layout(void **state)
{
    size_t n;
    const char *json = design_builtin_json("v100", &n);
    json_t *root = json_loadb(json, n, 0, NULL);
    char *text = json_dumps(root, JSON_INDENT(7));
    struct gpu_design *a = hand_design("v100", NULL), *b = NULL,
                      *other = hand_design("v100", "clock.sm_mhz", 1380.0, NULL);
    struct err e;

    (void)state;
    CHECK_OK(design_parse(text, strlen(text), "indented", &b, &e), &e);
    assert_string_equal(design_sha256(a), design_sha256(b));
    assert_string_not_equal(design_sha256(a), design_sha256(other));
    design_free(a);
    design_free(b);
    design_free(other);
    free(text);
    json_decref(root);
}

static void an_unknown_name_is_told_what_there_is(void **state)
{
    struct gpu_design *d = NULL;
    struct err e;

    (void)state;
    CHECK_FAILS(design_load("b300", &d, &e), &e, ERR_NOT_FOUND, "no built-in GPU design `b300`");
    assert_non_null(strstr(e.hint, "gtx1050, gtx1080ti, v100, qv100, rtx2060"));
    CHECK_FAILS(design_load("/nowhere/x.json", &d, &e), &e, ERR_NOT_FOUND, "/nowhere/x.json");
    CHECK_OK(design_load("simcore/designs/a100.json", &d, &e), &e);
    design_free(d);
}

/* Whatever a file says, within its ranges or not: a sentence, or a design that can be set up and run. */
static void damaged_designs_never_hurt(void **state)
{
    struct rng r;
    size_t n;
    const char *json = design_builtin_json("v100", &n);
    char *text = malloc(n + 1);
    unsigned accepted = 0;

    (void)state;
    rng_init(&r, 21, 0, RNG_TEST);
    for (uint32_t round = 0; round < 3000; round++) {
        struct gpu_design *d = NULL;
        struct err e;

        memcpy(text, json, n + 1);
        for (uint64_t k = rng_below(&r, 4); k-- > 0;) {
            size_t at = rng_below(&r, n);

            if (rng_below(&r, 2)) {
                at += strcspn(text + at, "0123456789");
                if (at < n)
                    text[at] = (char)('0' + rng_below(&r, 10));
            } else {
                text[at] = (char)rng_below(&r, 256);
            }
        }
        if (design_parse(text, rng_below(&r, 10) ? n : rng_below(&r, n), "damaged", &d, &e) < 0) {
            assert_true(e.code != ERR_NONE && e.text[0]);
            continue;
        }
        accepted++;
        if (round % 16 == 0) {
            struct hand h;
            struct sim_result res;

            hand_init(&h, 3, 64);
            hand_add_memory(&h, "LDG.E", 4, 4, 2, -1);
            hand_add_memory(&h, "STG.E", 4, -1, 2, 4);
            if (simulate(d, &h.base, NULL, &res, &e) == 0)
                sim_result_release(&res);
            inst_source_release(&h.base);
        }
        design_free(d);
    }
    assert_true(accepted > 100);
    free(text);
}

/* The corners of the ranges together: largest counts must not be absurd, smallest must run. */
static void extreme_designs_run(void **state)
{
    struct gpu_design *d;
    struct hand h;

    (void)state;
    d = hand_design("v100", "gpu.sms", 1.0, "gpu.gpcs", 1.0, "l2.slices", 1.0, "dram.channels", 1.0, "l2.kb", 64.0,
                    "l2.ways", 1.0, "lsu.queue", 1.0, "lsu.stores", 1.0, "sm.warps", 4.0, "sm.ctas", 1.0,
                    "dram.banks", 1.0, "l1.sets", 1.0, NULL);
    hand_init(&h, 100, 64);
    hand_add_memory(&h, "LDG.E", 4, 4, 2, -1);
    hand_add_memory(&h, "STG.E", 4, -1, 2, 4);
    assert_true(hand_cycles(&h, d) > 100);
    design_free(d);
    d = hand_design("h100", "gpu.sms", 1024.0, "gpu.gpcs", 64.0, "l2.slices", 512.0, "dram.channels", 512.0, NULL);
    hand_init(&h, 2048, 64);
    hand_add_memory(&h, "LDG.E", 4, 4, 2, -1);
    assert_true(hand_cycles(&h, d) > 100);
    design_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_in_designs_are_whole),
        cmocka_unit_test(profiles_find_their_gpu),
        cmocka_unit_test(a_wrong_design_is_refused_with_its_key),
        cmocka_unit_test(an_unknown_key_is_told_its_nearest_name),
        cmocka_unit_test(a_missing_key_is_named),
        cmocka_unit_test(the_hash_is_of_the_content_not_the_layout),
        cmocka_unit_test(an_unknown_name_is_told_what_there_is),
        cmocka_unit_test(damaged_designs_never_hurt),
        cmocka_unit_test(extreme_designs_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
