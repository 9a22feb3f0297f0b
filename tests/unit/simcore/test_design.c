/* Design files: built-in designs are complete; errors name the key; hostile files do no harm. */
#include <dirent.h>
#include <unistd.h>

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
    assert_int_equal(names, files); /* each file is in the list, and each name has a file */
}

static void profiles_find_their_gpu(void **state)
{
    struct gpu_design *d = hand_design("v100", NULL);

    (void)state;
    assert_non_null(strstr(design_gpu_names(d), "Tesla V100-SXM2-16GB"));
    design_free(d);
}

static bool has_gpu_name(const char *names, const char *one, size_t n)
{
    for (; names; names = strchr(names, '|') ? strchr(names, '|') + 1 : NULL)
        if (strcspn(names, "|") == n && strncmp(names, one, n) == 0)
            return true;
    return false;
}

/* A profile is compared with the design of its own GPU: a name belongs to one design. */
static void no_two_designs_have_a_gpu_name(void **state)
{
    enum { MOST = 64 };
    struct gpu_design *designs[MOST];
    size_t count = 0;

    (void)state;
    for (const char *const *name = design_builtin_names(); *name; name++) {
        assert_true(count < MOST);
        designs[count++] = hand_design(*name, NULL);
    }
    for (size_t i = 0; i < count; i++) {
        const char *one = design_gpu_names(designs[i]);

        for (; one; one = strchr(one, '|') ? strchr(one, '|') + 1 : NULL)
            for (size_t k = i + 1; k < count; k++)
                if (has_gpu_name(design_gpu_names(designs[k]), one, strcspn(one, "|")))
                    fail_msg("%s and %s have the name %.*s", design_name(designs[i]), design_name(designs[k]),
                             (int)strcspn(one, "|"), one);
    }
    for (size_t i = 0; i < count; i++)
        design_free(designs[i]);
}

/* The text of v100 with one part replaced. */
static char *edited(const char *from, const char *to)
{
    char *json = hand_design_text("v100"), *at = strstr(json, from), *text = malloc(strlen(json) + strlen(to) + 1);

    if (!at)
        fail_msg("the text of v100 does not hold %s", from);
    sprintf(text, "%.*s%s%s", (int)(at - json), json, to, at + strlen(from));
    free(json);
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
        {"\"turnover_cycles\": {\"value\": 299", "\"turnover_cycles\": {\"valeu\": 299", ERR_INVALID,
         "launch.turnover_cycles: unknown key `valeu`"},
        {"\"sms\": {\"value\": 80", "\"sms\": {\"value\": 0", ERR_INVALID, "gpu.sms: 0 is outside 1 to 1024 count"},
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

static void an_unknown_key_gets_its_nearest_name(void **state)
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
    static const char *const groups[] = {"gpu", "clock", "l2", "dram",
                                         "title"}; /* including keys without a default */

    (void)state;
    for (size_t i = 0; i < sizeof groups / sizeof *groups; i++) {
        char *text = hand_design_text("v100");
        json_t *root = json_loads(text, 0, NULL);
        struct gpu_design *d = NULL;
        struct err e;

        free(text);
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
    char *whole = hand_design_text("v100");
    json_t *root = json_loads(whole, 0, NULL);
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
    free(whole);
    free(text);
    json_decref(root);
}

/* Reverses the order of members at every level, which does not change the meaning of JSON. */
static json_t *reversed(json_t *value)
{
    json_t *out, *member;
    const char *keys[256], *key;
    size_t n = 0;

    if (!json_is_object(value))
        return json_incref(value);
    out = json_object();
    json_object_foreach(value, key, member) keys[n++] = key;
    while (n-- > 0)
        json_object_set_new(out, keys[n], reversed(json_object_get(value, keys[n])));
    return out;
}

static void check_same_hash(const char *text, const struct gpu_design *as)
{
    struct gpu_design *d = NULL;
    struct err e;

    CHECK_OK(design_parse(text, strlen(text), "respelt", &d, &e), &e);
    assert_string_equal(design_sha256(d), design_sha256(as));
    design_free(d);
}

static void the_hash_is_of_the_meaning_not_the_spelling(void **state)
{
    static const char *const spellings[][2] = {{"\"value\": 80,", "\"value\": 80.0,"},
                                               {"\"value\": 897,", "\"value\": 8.97e2,"},
                                               {"\"value\": 1.04,", "\"value\": 104e-2,"},
                                               {"\"value\": 1,", "\"value\": 1.0,"},
                                               {"\"name\": \"v100\"", "\"name\": \"v\\u0031\\u00300\""},
                                               {"[0, 8, 16,", "[0,\n8,16,"}};
    struct gpu_design *v100 = hand_design("v100", NULL);
    char *text = hand_design_text("v100");
    json_t *root = json_loads(text, 0, NULL), *other = reversed(root);

    (void)state;
    free(text);
    text = json_dumps(other, 0);
    assert_true(strncmp(text, "{\"model\"", 8) == 0); /* it comes last in the file */
    check_same_hash(text, v100);
    free(text);
    for (size_t i = 0; i < sizeof spellings / sizeof *spellings; i++) {
        text = edited(spellings[i][0], spellings[i][1]);
        check_same_hash(text, v100);
        free(text);
    }
    json_decref(other);
    json_decref(root);
    design_free(v100);
}

struct reported_faults {
    size_t count;
    char text[4000];
};

static void tell_fault(void *ctx, const struct err *e)
{
    struct reported_faults *t = ctx;
    size_t n = strlen(t->text);

    snprintf(t->text + n, sizeof t->text - n, "%s\n", e->text);
    t->count++;
}

static void every_fault_of_a_file_is_reported(void **state)
{
    static const char *const wanted[] = {"sm: unknown key `warp`", "gpu.sms: 0 is outside", "clock is missing",
                                         "l2.kb: the unit must be", "power.constant_w is missing"};
    char path[] = "/tmp/vivace-test-design-XXXXXX", *text = edited("\"warps\":", "\"warp\":");
    json_t *root = json_loads(text, 0, NULL);
    struct reported_faults seen = {.count = 0};
    struct gpu_design *d = NULL;
    struct err e;
    int fd = mkstemp(path);

    (void)state;
    json_object_set_new(json_object_get(json_object_get(root, "gpu"), "sms"), "value", json_integer(0));
    json_object_set_new(json_object_get(json_object_get(root, "l2"), "kb"), "unit", json_string("MB"));
    json_object_del(root, "clock");
    json_object_del(json_object_get(root, "power"), "constant_w");
    assert_int_equal(json_dumpfd(root, fd, 0), 0);
    close(fd);
    assert_int_equal(design_check_file(path, tell_fault, &seen, &d, &e), -1);
    assert_null(d);
    assert_int_equal(seen.count, sizeof wanted / sizeof *wanted);
    for (size_t i = 0; i < seen.count; i++)
        assert_non_null(strstr(seen.text, wanted[i]));
    CHECK_OK(design_check_file("simcore/designs/b200.json", tell_fault, &seen, &d, &e), &e);
    assert_int_equal(seen.count, sizeof wanted / sizeof *wanted);
    design_free(d);
    unlink(path);
    json_decref(root);
    free(text);
}

static void every_number_says_where_it_comes_from(void **state)
{
    (void)state;
    for (const char *const *name = design_builtin_names(); *name; name++) {
        struct gpu_design *d = hand_design(*name, NULL);
        struct design_facts facts;
        struct err e;

        CHECK_OK(design_facts_make(d, &facts, &e), &e);
        assert_true(facts.count > 100);
        for (size_t i = 0; i < facts.count; i++) {
            const struct design_fact *f = &facts.items[i];

            if (!*f->value || !*f->unit || !*f->meaning || !f->source_text || strlen(f->source_text) < 10)
                fail_msg("%s: %s has no value, unit, meaning or source", *name, f->name);
            if (strcmp(f->source, "E") == 0 && (!f->reason || strlen(f->reason) < 5))
                fail_msg("%s: %s is an estimate without a reason", *name, f->name);
        }
        assert_int_equal(strtoul(design_facts_find(&facts, "gpu.sms")->value, NULL, 10), d->sms);
        assert_null(design_facts_find(&facts, "gpu.smms"));
        design_facts_release(&facts);
        design_free(d);
    }
}

/* A derived design differs only in the changed parameters. Its text reads back equal, for every GPU. */
static void a_derived_design_differs_in_what_was_set(void **state)
{
    const struct design_change changes[] = {{"gpu.sms", "160"}, {"dram.gbs", "x0.5"}, {"sm.scheduler", "lrr"}};

    (void)state;
    for (const char *const *name = design_builtin_names(); *name; name++) {
        struct gpu_design *base = hand_design(*name, NULL), *d = NULL;
        struct design_facts a, b;
        struct err e;
        char *text;
        size_t differ = 0;

        CHECK_OK(design_derive(base, "mine", changes, 3, &text, &e), &e);
        CHECK_OK(design_parse(text, strlen(text), "mine", &d, &e), &e);
        assert_string_equal(design_name(d), "mine");
        assert_string_equal(design_gpu_names(d), "");
        assert_int_equal(d->sms, 160);
        assert_int_equal(d->dram_mbs, base->dram_mbs / 2);
        assert_int_equal(d->scheduler, SCHED_LRR);
        CHECK_OK(design_facts_make(base, &a, &e), &e);
        CHECK_OK(design_facts_make(d, &b, &e), &e);
        assert_non_null(strstr(b.title, "changed: gpu.sms 160 (was "));
        assert_non_null(strstr(design_facts_find(&b, "gpu.sms")->source_text, design_sha256(base)));
        for (size_t i = 0; i < a.count; i++) {
            assert_string_equal(a.items[i].name, b.items[i].name);
            differ += strcmp(a.items[i].value, b.items[i].value) != 0;
        }
        assert_int_equal(differ, 3);
        design_facts_release(&a);
        design_facts_release(&b);
        free(text);
        design_free(d);
        design_free(base);
    }
}

/* A file may omit a choice of components. The first of the list is then used. Derived designs can set it. */
static void a_choice_left_out_is_the_first_of_its_list(void **state)
{
    const struct design_change same = {"l2.replacement", "lru"}, wrong = {"l2.replacement", "best"};
    struct gpu_design *base = hand_design("v100", NULL), *d = NULL;
    struct design_facts facts;
    struct err e;
    char *text;

    (void)state;
    CHECK_OK(design_facts_make(base, &facts, &e), &e);
    assert_string_equal(design_facts_find(&facts, "l2.replacement")->value, "\"lru\"");
    assert_string_equal(design_facts_find(&facts, "l2.replacement")->source, "default");
    design_facts_release(&facts);
    CHECK_OK(design_derive(base, "mine", &same, 1, &text, &e), &e);
    CHECK_OK(design_parse(text, strlen(text), "mine", &d, &e), &e);
    assert_int_equal(d->l2_replacement, REPLACE_LRU);
    CHECK_OK(design_facts_make(d, &facts, &e), &e);
    assert_string_equal(design_facts_find(&facts, "l2.replacement")->source, "set in mine");
    assert_string_equal(design_facts_find(&facts, "l1.replacement")->source, "default");
    design_facts_release(&facts);
    free(text);
    design_free(d);
    CHECK_FAILS(design_derive(base, "mine", &wrong, 1, &text, &e), &e, ERR_INVALID, "l2.replacement");
    design_free(base);
}

static void a_wrong_change_is_refused(void **state)
{
    static const struct {
        struct design_change change[2];
        const char *says, *hint;
    } cases[] = {
        {{{"gpu.smms", "3"}, {NULL, NULL}}, "there is no parameter `gpu.smms`", "the nearest is `gpu.sms`"},
        {{{"gpu.sms", "0"}, {NULL, NULL}}, "gpu.sms: 0 is outside", ""},
        {{{"gpu.sms", "x0.3"}, {NULL, NULL}}, "", ""}, /* 24: valid */
        {{{"gpu.sms", "x0.33"}, {NULL, NULL}}, "must be a whole number", ""},
        {{{"gpu.sms", "x1e308"}, {NULL, NULL}}, "cannot be set to", ""},
        {{{"l2.slices", "63"}, {NULL, NULL}}, "l2.slices must be a multiple", ""},
        {{{"gpu.sms", "3"}, {"gpu.sms", "4"}}, "gpu.sms is set twice", ""},
    };
    struct gpu_design *v100 = hand_design("v100", NULL);

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        size_t n = cases[i].change[1].name ? 2 : 1;
        struct err e = {.code = ERR_NONE};
        char *text = NULL;
        int ret = design_derive(v100, "mine", cases[i].change, n, &text, &e);

        if (!*cases[i].says) {
            CHECK_OK(ret, &e);
            free(text);
            continue;
        }
        CHECK_FAILS(ret, &e, ERR_INVALID, cases[i].says);
        assert_string_equal(e.hint, cases[i].hint);
        assert_null(text);
    }
    design_free(v100);
}

static void an_unknown_name_gets_the_list_of_names(void **state)
{
    struct gpu_design *d = NULL;
    struct err e;

    (void)state;
    CHECK_FAILS(design_load("b900", &d, &e), &e, ERR_NOT_FOUND, "no built-in GPU design `b900`");
    assert_non_null(strstr(e.hint, "gtx1050, gtx1080ti, v100, qv100, gtx1650"));
    CHECK_FAILS(design_load("/nowhere/x.json", &d, &e), &e, ERR_NOT_FOUND, "/nowhere/x.json");
    CHECK_OK(design_load("simcore/designs/a100.json", &d, &e), &e);
    design_free(d);
}

/* Any value, inside or outside its range, gives an error or a design that can be simulated. */
static void damaged_designs_never_hurt(void **state)
{
    char *json = hand_design_text("v100"), *text = strdup(json);
    size_t n = strlen(json);
    unsigned accepted = 0;
    struct rng r;

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
    free(json);
    free(text);
}

/* Extreme values of all ranges together: the largest counts must be feasible, and the smallest must run. */
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

static void presets_set_the_levels_and_nothing_else(void **state)
{
    struct gpu_design *plain, *fast, *same, *detailed, *none;
    struct err e;

    (void)state;
    assert_int_equal(design_load("h100", &plain, &e), 0);
    assert_int_equal(design_load("h100:default", &same, &e), 0);
    assert_int_equal(design_load("h100:fast", &fast, &e), 0);
    assert_int_equal(design_load("h100:detailed", &detailed, &e), 0);
    assert_string_equal(design_sha256(plain), design_sha256(same));
    assert_string_not_equal(design_sha256(plain), design_sha256(fast));
    assert_string_equal(design_name(detailed), "h100-detailed");
    assert_int_equal(fast->model.dram, DRAM_FIXED);
    assert_int_equal(fast->model.fetch, FETCH_IDEAL);
    assert_int_equal(detailed->model.noc, NOC_FLIT);
    assert_int_equal(detailed->model.memory, MEMORY_EVENT);
    fast->model = plain->model;
    assert_int_equal(fast->dram_mbs, plain->dram_mbs);
    assert_int_equal(fast->sms, plain->sms);
    CHECK_FAILS(design_load("h101:fast", &none, &e), &e, ERR_NOT_FOUND, "h101");
    assert_null(none);
    CHECK_FAILS(design_load("h100:slow", &none, &e), &e, ERR_NOT_FOUND, "h100:slow");
    design_free(plain);
    design_free(same);
    design_free(fast);
    design_free(detailed);
}

static void levels_that_need_each_other_are_checked(void **state)
{
    const struct design_change flit = {"model.noc", "flit"}, bank = {"model.dram", "bank"};
    struct gpu_design *d;
    struct err e;
    char *text;

    (void)state;
    assert_int_equal(design_load("v100", &d, &e), 0);
    CHECK_FAILS(design_derive(d, "x", &flit, 1, &text, &e), &e, ERR_INVALID, "needs model.memory \"event\"");
    CHECK_FAILS(design_derive(d, "x", &bank, 1, &text, &e), &e, ERR_INVALID, "needs model.memory \"event\"");
    design_free(d);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_in_designs_are_whole),
        cmocka_unit_test(profiles_find_their_gpu),
        cmocka_unit_test(no_two_designs_have_a_gpu_name),
        cmocka_unit_test(a_wrong_design_is_refused_with_its_key),
        cmocka_unit_test(an_unknown_key_gets_its_nearest_name),
        cmocka_unit_test(a_missing_key_is_named),
        cmocka_unit_test(the_hash_is_of_the_content_not_the_layout),
        cmocka_unit_test(the_hash_is_of_the_meaning_not_the_spelling),
        cmocka_unit_test(every_fault_of_a_file_is_reported),
        cmocka_unit_test(every_number_says_where_it_comes_from),
        cmocka_unit_test(a_derived_design_differs_in_what_was_set),
        cmocka_unit_test(a_wrong_change_is_refused),
        cmocka_unit_test(a_choice_left_out_is_the_first_of_its_list),
        cmocka_unit_test(an_unknown_name_gets_the_list_of_names),
        cmocka_unit_test(presets_set_the_levels_and_nothing_else),
        cmocka_unit_test(levels_that_need_each_other_are_checked),
        cmocka_unit_test(damaged_designs_never_hurt),
        cmocka_unit_test(extreme_designs_run),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
