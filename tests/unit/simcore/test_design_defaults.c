/* Defaults of design files: omitted parameters get them, and the design is the same as with stated values. */
#include "simcore/design_params.h"
#include "tests/unit/simcore/hand_source.h"

/* Results are stored under these hashes. A new parameter, or a default that moves, must not change them. */
static const struct {
    const char *name, *sha256;
} hashes[] = {
    {"gtx1050", "b283e94ce8051494b1d81db3c234d84f536ad0ddc85ec7493564d3360139e674"},
    {"gtx1080ti", "4f43c769de94e3ace87905240442b0c5f9a9f1c7108937c89bd1860854e830b3"},
    {"v100", "97cacb8e4e71b0ac67abdc664c471584b76d78a11b8b684ce2f42c0b7638e7a4"},
    {"qv100", "9f2554c185489317f13bdce0c9af4939a2fa0fd9acaf22c9c58937d8fff080c9"},
    {"gtx1650", "e8ef6a2ec69c028f8af9f3bfe4ab62690a483cff64ff5bd0748755ffb9949e1a"},
    {"rtx2060", "5e41dd4564155723acc6a5be3de5f52440203cd079645fd50fc1adedfb38c7c2"},
    {"rtx2080", "496f52625d5d22787ed5e5ab2cbb370a62f2926afc99b693d17a24f12d021c45"},
    {"titanrtx", "5057bbf229e38830d646e8dc96800033f8a2f310fe2e1d67c4bde53c8ad32c7c"},
    {"t4", "0021b525b9d1519bd1b10f0e7d6d684c4d0584cd36bda5240124945e3a6b9b96"},
    {"rtx3060", "a8bb8dd13f62fc8caafe69fd8e2526cc65dbdd3427b2e71bede5d9f327e8a95c"},
    {"rtx3060ti", "bc7fc3dd2ffee9e4cabb51ab93bbfa32fbcae830163c13ba616e8cd2dc14501c"},
    {"rtx3070", "3c2b890598d1e25894a1caeb1bc325aa32e4db41fa5ae02da64ac341f3a60af6"},
    {"rtx3070ti", "556a3a416b4d97847eeb525f53d10349b9e8685cf2dee23aed6ac815244f1815"},
    {"rtx3080", "15bf3476fb7b1dc2da0467211a7d8b7fea44c46fbc3f462cb1792e7873e1927f"},
    {"rtx3090", "86f3bc88732fe9075b41adbc45ec8dc2aa84b9b6a4d6f28844c6111e5cb1b3ef"},
    {"a40", "95253bb741bfb6d4a36cdabe8d893ae00db90f207f41c5cf22334017ec543458"},
    {"a6000", "4fbb3eb98317783b5a0f8f76dbbdb538c51e58d7981a638a6e8164da8e1625f7"},
    {"a100", "44b80de4c5587ecd9d58e673656bafc6d2d4c394cae4a3668cdfbd22885bc3b1"},
    {"a100-80", "03195690e44502435dca0708e4c1036b4db2ccbd9826b45c1161862128737586"},
    {"rtx4090", "7ee922ec70daf9e780a462df002e2fd253789585a8a3b0ca4448be82d77ac5ff"},
    {"l4", "117faee503959308989cd84b486a64398c5489e77da69cc4409b00d41ecc9d30"},
    {"l40", "06f05450f684d5565c673874ede87ff01608faf979d8a890aff645407fe5475a"},
    {"l40s", "fd8c861600bd0adc3752e2b76392d0f6b92d8d3836d8be8453f6b1113c542a16"},
    {"h100", "02a797d4619d30a7aef61c95bf43da6c80f11d340b4a178830028df6ba68a6ce"},
    {"h100-pcie", "e8c76d67e60c3593ed31d740956720b0b4a22bf6dbc3b868baa29f25af6cbeb2"},
    {"h200", "e8602af9b4ba069c2f29d95a5ff55d4604a77623f7770d8b0ebbaf2ecc3ca932"},
    {"gh200", "c72b3ab4e02faa04a95ec7fef0311149ebf96c63f2e628a0dabecddc6b074625"},
    {"rtx5090", "76f1b7608a9fd71ba989d1b79f4879181a2c1bd1e1f30a1c1c3cc980cc8696d5"},
    {"b200", "ba89d5679872857e83a4b3c78462c23c61913f0f6bac815fa3bafccdd47e33a6"},
    {"b300", "dce5f1cd4159aef74f1fb65aa07627fd9bcde6c8887db8523ea4d73bb2bb0c16"},
};

static void built_in_designs_keep_their_hashes(void **state)
{
    size_t n = 0;

    (void)state;
    for (; design_builtin_names()[n]; n++) {
        struct gpu_design *d = NULL;
        struct err e;

        assert_true(n < sizeof hashes / sizeof *hashes);
        assert_string_equal(design_builtin_names()[n], hashes[n].name);
        CHECK_OK(design_load(hashes[n].name, &d, &e), &e);
        assert_string_equal(design_sha256(d), hashes[n].sha256);
        design_free(d);
    }
    assert_int_equal(n, sizeof hashes / sizeof *hashes);
}

static struct gpu_design *parsed(const json_t *root)
{
    char *text = json_dumps(root, 0);
    struct gpu_design *d = NULL;
    struct err e;

    CHECK_OK(design_parse(text, strlen(text), "test", &d, &e), &e);
    free(text);
    return d;
}

static json_t *whole_document(const char *name)
{
    char *text = hand_design_text(name);
    json_t *root = json_loads(text, 0, NULL);

    assert_non_null(root);
    free(text);
    return root;
}

static json_t *group_of(json_t *root, const char *group)
{
    const char *dot = strchr(group, '.');

    return dot ? json_object_get(json_object_get(root, "units"), dot + 1) : json_object_get(root, group);
}

/* A complete file and a file with only the differing values give the same design. */
static void a_whole_file_is_the_same_design(void **state)
{
    (void)state;
    for (const char *const *name = design_builtin_names(); *name; name++) {
        struct gpu_design *as_shipped = NULL, *whole;
        json_t *root = whole_document(*name);
        struct err e;
        size_t n;

        CHECK_OK(design_load(*name, &as_shipped, &e), &e);
        for (const struct design_param *p = design_params; p->group; p++)
            if (!design_added(p) && !json_object_get(group_of(root, p->group), p->key))
                fail_msg("%s: the whole text leaves out %s.%s", *name, p->group, p->key);
        whole = parsed(root);
        assert_string_equal(design_sha256(whole), design_sha256(as_shipped));
        assert_non_null(design_builtin_json(*name, &n));
        assert_true(n < as_shipped->json_bytes / 2);
        design_free(whole);
        design_free(as_shipped);
        json_decref(root);
    }
}

/* A file with only the members that this GPU requires. */
static json_t *least_document(const char *name, enum gpu_generation g)
{
    json_t *root = whole_document(name);

    for (const struct design_param *p = design_params; p->group; p++)
        if (design_default_of(p, g))
            json_object_del(group_of(root, p->group), p->key);
    json_object_clear(json_object_get(root, "sources"));
    return root;
}

static void check_default(const struct design_facts *facts, const struct design_param *p,
                          const struct design_default *want)
{
    const struct design_fact *f;
    char name[64], quoted[64];

    snprintf(name, sizeof name, "%s.%s", p->group, p->key);
    snprintf(quoted, sizeof quoted, p->kind == DESIGN_CHOICE ? "\"%s\"" : "%s", want->value);
    f = design_facts_find(facts, name);
    assert_non_null(f);
    assert_string_equal(f->value, quoted);
    assert_string_equal(f->source, want->source);
    if (!f->source_text)
        fail_msg("%s: the source %s has no text", name, want->source);
    if (want->reason)
        assert_string_equal(f->reason, want->reason);
    else
        assert_null(f->reason);
}

static void each_generation_has_its_defaults(void **state)
{
    unsigned seen = 0;

    (void)state;
    for (const char *const *name = design_builtin_names(); *name; name++) {
        struct gpu_design *d = hand_design(*name, NULL);
        enum gpu_generation g = gpu_generation_of(d->compute_capability);
        json_t *root = least_document(*name, g);
        struct design_facts facts;
        struct err e;

        seen |= 1U << g;
        design_free(d);
        d = parsed(root);
        CHECK_OK(design_facts_make(d, &facts, &e), &e);
        for (const struct design_param *p = design_params; p->group; p++)
            if (design_default_of(p, g))
                check_default(&facts, p, design_default_of(p, g));
        design_facts_release(&facts);
        design_free(d);
        json_decref(root);
    }
    assert_int_equal(seen, (1U << GENERATION_COUNT) - 1);
}

static void the_generation_is_that_of_the_compute_capability(void **state)
{
    static const struct {
        double capability;
        enum gpu_generation g;
    } cases[] = {{50, GENERATION_PASCAL}, {61, GENERATION_PASCAL},     {70, GENERATION_VOLTA},
                 {72, GENERATION_VOLTA},  {75, GENERATION_TURING},     {80, GENERATION_GA100},
                 {86, GENERATION_GA10X},  {87, GENERATION_GA10X},      {89, GENERATION_ADA},
                 {90, GENERATION_HOPPER}, {100, GENERATION_BLACKWELL}, {120, GENERATION_BLACKWELL},
                 {0, GENERATION_PASCAL},  {-1, GENERATION_PASCAL}};

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++)
        assert_int_equal(gpu_generation_of(cases[i].capability), cases[i].g);
}

static void what_a_file_states_holds(void **state)
{
    json_t *root = least_document("rtx2080", GENERATION_TURING), *sm = json_object(), *units = json_object();
    struct gpu_design *d;

    (void)state;
    json_object_set_new(root, "sources", json_pack("{s:s}", "V", "the data sheet"));
    json_object_set_new(sm, "warps", json_pack("{s:i, s:s, s:s}", "value", 16, "unit", "count", "source", "V"));
    json_object_set_new(root, "sm", sm);
    json_object_set_new(units, "fp32", json_object());
    json_object_set_new(root, "units", units);
    d = parsed(root);
    assert_int_equal(d->warps, 16);
    assert_int_equal(d->ctas, 16); /* the default of Turing */
    assert_int_equal(d->unit[CLASS_FP32].latency, 4);
    assert_non_null(strstr(d->json, "\"V\":\"the data sheet\""));
    assert_non_null(strstr(d->json, "\"CC\":\"NVIDIA CUDA C++ Programming Guide"));
    assert_null(strstr(d->json, "\"CAC\":")); /* no number has this source */
    design_free(d);
    json_decref(root);
}

/* A parameter that was added later: a file without it still gives the same design. */
static void an_added_parameter_left_out_stays_out(void **state)
{
    json_t *root = whole_document("v100");
    size_t added = 0;

    (void)state;
    for (const struct design_param *p = design_params; p->group; p++) {
        added += design_added(p) != NULL;
        assert_true(!design_added(p) || design_default_of(p, GENERATION_VOLTA) ||
                    !json_object_get(group_of(root, p->group), p->key));
    }
    assert_true(added >= 3); /* both replacements, the CTA scheduler */
    json_decref(root);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(built_in_designs_keep_their_hashes),
        cmocka_unit_test(a_whole_file_is_the_same_design),
        cmocka_unit_test(each_generation_has_its_defaults),
        cmocka_unit_test(the_generation_is_that_of_the_compute_capability),
        cmocka_unit_test(what_a_file_states_holds),
        cmocka_unit_test(an_added_parameter_left_out_stays_out),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
