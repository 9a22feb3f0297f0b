/* Features counted from traces, compared with values computed by hand; and the features file. */
#include "tests/unit/ingest/inputs.h"

#include "base/strbuf.h"
#include "ingest/attach.h"
#include "ingest/trace_features.h"
#include "ingest/warp_types.h"
#include "simcore/trace/accel_sim.h"
#include "simcore/trace/sass_class.h"

#define HEAD                                                                                                       \
    "-kernel name = _Z1kPf\n-kernel id = 1\n-grid dim = (2,1,1)\n-block dim = (64,1,1)\n-shmem = 0\n-nregs = 8\n"  \
    "-binary version = 70\n-cuda stream id = 0\n-shmem base_addr = 0x00007f0000000000\n"                           \
    "-local mem base_addr = 0x00007f0002000000\n-nvbit version = 1.5.5\n-accelsim tracer version = 4\n"            \
    "-enable lineinfo = 0\n\n#traces format = PC mask dest_num [reg_dests] opcode src_num [reg_srcs] "             \
    "mem_width\n\n"
/* Blocks 0000..0020 and 0050..0060; one load of a single word, one store to shared memory. */
#define SHORT_WARP                                                                                                 \
    "insts = 5\n0000 ffffffff 1 R1 MOV 1 R2 0 \n"                                                                  \
    "0010 ffffffff 1 R4 LDG.E.SYS 1 R2 4 1 0x7f1000000000 0 \n"                                                    \
    "0020 ffffffff 0 BRA 0 0 \n"                                                                                   \
    "0050 ffffffff 0 STS 2 R2 R4 4 1 0x40 4 \n"                                                                    \
    "0060 ffffffff 0 EXIT 0 0 \n"
/* Blocks 0000..0020, 0010..0020 and 0030..0040: 4 sectors, then one per lane, then 16 lanes from byte 4 on: 3. */
#define LONG_WARP                                                                                                  \
    "insts = 7\n0000 ffffffff 1 R1 MOV 1 R2 0 \n"                                                                  \
    "0010 ffffffff 1 R4 LDG.E.SYS 1 R2 4 1 0x7f1000000000 4 \n"                                                    \
    "0020 ffffffff 0 BRA 0 0 \n"                                                                                   \
    "0010 ffffffff 1 R4 LDG.E.SYS 1 R2 4 1 0x7f1000000000 32 \n"                                                   \
    "0020 ffffffff 0 BRA 0 0 \n"                                                                                   \
    "0030 0000ffff 0 STG.E.SYS 2 R2 R4 4 1 0x7f1000000004 4 \n"                                                    \
    "0040 ffffffff 0 EXIT 0 0 \n"
static const char kernel[] =
    HEAD "#BEGIN_TB\n\nthread block = 0,0,0\n\nwarp = 0\n" LONG_WARP "\nwarp = 1\n" SHORT_WARP
         "\n#END_TB\n\n#BEGIN_TB\n\nthread block = 1,0,0\n\nwarp = 0\n" SHORT_WARP "\n#END_TB\n\n";

static uint64_t waves_of_two(void *ctx, const struct kernel_info *k)
{
    (void)ctx;
    assert_int_equal(k->block[0], 64);
    return 2;
}

static void import_kernel(struct imported *i, const struct ingest_options *options)
{
    const char *path = scratch_path("kernel-1.traceg");

    write_bytes(path, kernel, sizeof kernel - 1);
    import_path(i, path, options);
    unlink(path);
    CHECK_OK(i->ret, &i->e);
}

static void check_metrics(const struct features *f)
{
    static const double want[FEATURE_COUNT] = {[FEATURE_GLOBAL_LOAD_SECTORS] = 4 + 32 + 1 + 1,
                                               [FEATURE_GLOBAL_STORE_SECTORS] = 3,
                                               [FEATURE_GLOBAL_LOADS] = 4,
                                               [FEATURE_GLOBAL_STORES] = 1,
                                               [FEATURE_SHARED_STORES] = 2,
                                               [FEATURE_INSTRUCTIONS] = 17,
                                               [FEATURE_THREADS_PER_INSTRUCTION] = (16 * 32 + 16) / 17.0,
                                               [FEATURE_CTAS] = 2};

    for (int m = 0; m < FEATURE_COUNT; m++)
        if (f->metrics[m][0] != want[m])
            fail_msg("%s: got %g, want %g", feature_infos[m].name, f->metrics[m][0], want[m]);
    assert_int_equal(f->instructions[0], 17);
    CHECK_NEAR(f->cta_cov[0], 3.5 / 8.5, 1e-15); /* 12 and 5 */
}

static void check_blocks(const struct features *f)
{
    /* Keys sort by first address, then length: 0000..0020, 0010..0020, 0030..0040, 0050..0060. */
    static const uint32_t short_blocks[] = {0, 3}, long_blocks[] = {0, 1, 2};
    const struct bbv_store *s = &f->bbvs;

    assert_int_equal(f->bbv_of[0], 0);
    assert_int_equal(s->bbv_count, 1);
    assert_int_equal(s->type_count, 2);
    assert_int_equal(s->types[0].warps, 2);
    assert_int_equal(s->types[0].end - s->types[0].begin, 2);
    assert_int_equal(s->types[1].warps, 1);
    assert_int_equal(s->types[1].end - s->types[1].begin, 3);
    for (size_t i = 0; i < 2; i++)
        assert_int_equal(s->entries[s->types[0].begin + i].block, short_blocks[i]);
    for (size_t i = 0; i < 3; i++) {
        assert_int_equal(s->entries[s->types[1].begin + i].block, long_blocks[i]);
        assert_int_equal(s->entries[s->types[1].begin + i].count, 1);
    }
}

static void a_kernel_counted_by_hand(void **state)
{
    const struct ingest_options options = {.features = true, .wave_ctas = waves_of_two};
    struct imported i;

    (void)state;
    import_kernel(&i, &options);
    assert_int_equal(i.profile.value[0], 17);
    check_metrics(i.profile.features);
    check_blocks(i.profile.features);
    assert_int_equal(i.profile.features->wave_count, 1);
    assert_int_equal(i.profile.features->waves[0].ctas, 2);
    assert_int_equal(i.profile.features->waves[0].instructions, 17);
    assert_int_equal(i.profile.features->waves[0].memory_requests, 5);
    /* 4 of 12 and 1 of 5: mean 4/15, sd 1/15 */
    CHECK_NEAR(i.profile.features->waves[0].variation, 0.25, 1e-15);
    imported_release(&i);
}

static void without_the_option_the_counts_are_the_features(void **state)
{
    struct imported i;

    (void)state;
    import_kernel(&i, NULL);
    assert_int_equal(i.profile.features->known, 1);
    assert_int_equal(i.profile.features->instructions[0], 17);
    assert_null(i.profile.features->bbv_of);
    assert_null(i.profile.features->metrics[0]);
    imported_release(&i);
}

static void sectors_are_distinct_ones(void **state)
{
    uint64_t list[WARP_LANES];
    struct lane_addresses a = {.kind = ADDRESS_STRIDE, .base = 128, .stride = 4};

    (void)state;
    assert_int_equal(access_sectors(&a, UINT32_MAX, 4), 4);
    assert_int_equal(access_sectors(&a, 0x55555555, 4), 4); /* every second lane */
    assert_int_equal(access_sectors(&a, 0x80000001, 4), 2);
    assert_int_equal(access_sectors(&a, 0x10, 4), 1);
    assert_int_equal(access_sectors(&a, 0, 4), 0);
    assert_int_equal(access_sectors(&a, UINT32_MAX, 0), 0);
    a.base = 130; /* the access ends in a fifth sector */
    assert_int_equal(access_sectors(&a, UINT32_MAX, 4), 5);
    a.stride = -16;
    a.base = 1024; /* 1024 down to 528: one sector more than 31 * 16 / 32 */
    assert_int_equal(access_sectors(&a, UINT32_MAX, 16), 17);
    for (unsigned k = 0; k < WARP_LANES; k++)
        list[k] = k % 3 * 4096;
    a = (struct lane_addresses){.kind = ADDRESS_LIST, .list = list};
    assert_int_equal(access_sectors(&a, UINT32_MAX, 8), 3);
    /* Local memory: the same word of all lanes fills 128 bytes; 8 bytes per lane fill 256. */
    a = (struct lane_addresses){.kind = ADDRESS_STRIDE, .base = 64, .stride = 0};
    assert_int_equal(local_sectors(&a, UINT32_MAX, 4), 4);
    assert_int_equal(local_sectors(&a, UINT32_MAX, 8), 8);
    assert_int_equal(local_sectors(&a, 0xff, 4), 1);
}

static void opcodes_are_classed_by_their_first_part(void **state)
{
    const struct kernel_info k = {.shared_base = 0x1000000, .local_base = 0x2000000};

    (void)state;
    assert_int_equal(sass_classify("LDG.E.128").what, SASS_LOAD);
    assert_int_equal(sass_classify("LDGSTS.E").what, SASS_MEMORY);
    assert_int_equal(sass_classify("LDGDEPBAR").what, SASS_OTHER);
    assert_int_equal(sass_classify("ATOMS.ADD").what, SASS_OTHER);
    assert_int_equal(sass_classify("ATOMG").what, SASS_ATOMIC);
    assert_int_equal(sass_classify("BAR.SYNC").what, SASS_END);
    assert_int_equal(sass_classify("").what, SASS_OTHER);
    assert_int_equal(sass_window(&k, 0x1ffffff), SASS_SHARED);
    assert_int_equal(sass_window(&k, 0x2000000), SASS_LOCAL);
    assert_int_equal(sass_window(&k, 0x3000000), SASS_GLOBAL);
}

static void types_beyond_the_most_are_one_with_their_mean(void **state)
{
    struct launch_features out = {0};
    struct err e;
    struct warp_types *t = warp_types_new(2, &e);

    (void)state;
    assert_non_null(t);
    for (uint64_t warp = 1; warp <= 4; warp++) { /* counts 1, 2 are types; 3, 4 have the mean 4 (3.5 rounded) */
        for (uint64_t n = 0; n < warp; n++)
            CHECK_OK(warp_types_block(t, 5, 77, &e), &e);
        CHECK_OK(warp_types_end_warp(t, &e), &e);
    }
    CHECK_OK(warp_types_give(t, &out, &e), &e);
    assert_int_equal(out.type_count, 3);
    assert_int_equal(out.types[2].warps, 2);
    assert_int_equal(out.blocks[out.types[2].begin].count, 4);
    assert_int_equal(out.blocks[out.types[2].begin].key, 77);
    warp_types_free(t);
}

static void the_order_of_adding_does_not_matter(void **state)
{
    struct sha256 *hash[2];
    uint8_t digest[2][SHA256_BYTES];
    struct err e;

    (void)state;
    for (int run = 0; run < 2; run++) {
        struct features_builder *b = features_builder_new(3, &e);
        struct features *f;

        assert_non_null(b);
        for (uint64_t k = 0; k < 3; k++) {
            uint64_t index = run ? 2 - k : k;
            struct block_count blocks[] = {{9, 1 + index / 2}, {4, 2}, {7, 1}};
            struct warp_type types[] = {{1, 0, 2}, {1, 2, 3}};
            struct launch_features l = {
                .type_count = 2, .block_count = 3, .types = types, .blocks = blocks, .instructions = index};

            CHECK_OK(features_builder_add(b, index, &l, &e), &e);
            if (k < 2)
                assert_null(features_builder_finish(b, false, &e)); /* some launches have no features */
        }
        f = features_builder_finish(b, false, &e);
        assert_non_null(f);
        assert_int_equal(f->bbvs.bbv_count, 2);
        assert_int_equal(f->bbv_of[1], 0);
        assert_int_equal(f->bbv_of[2], 1);
        assert_int_equal(f->bbvs.entries[0].block, 0); /* rank of key 4 */
        hash[run] = sha256_new(&e);
        features_hash(f, 3, hash[run]);
        sha256_final(hash[run], digest[run]);
        sha256_free(hash[run]);
        features_free(f);
        features_builder_free(b);
    }
    assert_memory_equal(digest[0], digest[1], sizeof digest[0]);
}

/* --- features files --- */

#define FILE_HEAD                                                                                                  \
    "{\"format\": \"vivace-features\", \"version\": 1, \"kernels\": {\"name\": [\"k\", \"g\"], "                   \
    "\"grid\": [[1,1,1],[2,1,1]], \"block\": [[32,1,1],[32,1,1]]}, "
#define CONTEXTS "\"contexts\": {\"device\": [0, 1], \"launches\": [2, 1]}, \"kernel\": [0, 1, 0], "

static void a_features_file_is_a_profile(void **state)
{
    struct imported i;

    (void)state;
    import_text(
        &i, FILE_HEAD CONTEXTS
        "\"instructions\": [5, 7, 9], \"metrics\": {\"shared_loads\": [1, 0, 2.5]}, \"cta_cov\": [0, 0.5, 0], "
        "\"bbv_of\": [0, 0, 1], \"bbvs\": {\"types\": [1, 2], \"warps\": [4, 3, 1], \"blocks\": [1, 0, 2], "
        "\"block\": [0, 0, 8], \"count\": [2, 3, 4]}, \"waves\": {\"count\": [1, 0, 1], \"ctas\": [1, 1], "
        "\"instructions\": [5, 9], \"memory_requests\": [2, 3], \"variation\": [0, 0.25]}}");
    CHECK_OK(i.ret, &i.e);
    assert_string_equal(i.profile.format, "vivace-features");
    assert_int_equal(i.profile.count, 3);
    assert_int_equal(i.profile.context_count, 2);
    assert_int_equal(i.profile.contexts[1].device, 1);
    assert_int_equal(i.profile.value[2], 9);
    assert_int_equal(i.profile.features->instructions[1], 7);
    CHECK_NEAR(i.profile.features->metrics[FEATURE_SHARED_LOADS][2], 2.5, 0);
    assert_null(i.profile.features->metrics[FEATURE_GLOBAL_LOADS]);
    assert_int_equal(i.profile.features->bbvs.types[2].end, 3);
    assert_int_equal(i.profile.features->bbvs.entries[2].block, 8);
    assert_int_equal(i.profile.features->wave_begin[3], 2);
    CHECK_NEAR(i.profile.features->waves[1].variation, 0.25, 0);
    imported_release(&i);
}

#define CYCLES_HEAD                                                                                                \
    "{\"format\": \"vivace-cycles\", \"version\": 1, \"gpu\": \"v100\", \"kernels\": {\"name\": [\"k\", \"g\"], "  \
    "\"grid\": [[1,1,1],[2,1,1]], \"block\": [[32,1,1],[32,1,1]]}, "

static void estimated_cycles_are_a_profile(void **state)
{
    struct imported i;

    (void)state;
    import_text(
        &i, CYCLES_HEAD
        "\"contexts\": {\"device\": [0, 1], \"process\": [3, 3], \"context\": [7, 9], \"launches\": [2, 1]}, "
        "\"kernel\": [0, 1, 0], \"cycles\": [900, 700, 800], \"stream\": [0, 4, 0], "
        "\"instructions\": [5, 7, 9]}");
    CHECK_OK(i.ret, &i.e);
    assert_string_equal(i.profile.format, "vivace-cycles");
    assert_string_equal(i.profile.gpu_name, "v100");
    assert_int_equal(i.profile.unit, PROFILE_CYCLES);
    assert_int_equal(i.profile.value[2], 800);
    assert_int_equal(i.profile.features->instructions[2], 9);
    assert_int_equal(i.profile.contexts[0].process, 3);
    assert_int_equal(i.profile.contexts[1].context, 9);
    assert_int_equal(i.profile.streams[i.profile.stream[1]].stream, 4);
    imported_release(&i);
}

static void wrong_features_files_are_refused(void **state)
{
    static const struct {
        const char *text, *part;
    } wrong[] = {
        {"{\"format\": \"vivace-features\", \"version\": 2}", "the version is missing or is not 1"},
        {"{\"format\": \"other\", \"x\": \"vivace-features\", \"version\": 1}", "not a features file"},
        {FILE_HEAD CONTEXTS "\"metric\": {}}", "unexpected object"},
        {FILE_HEAD CONTEXTS "\"instructions\": [1, 2]}", "longer or shorter"},
        {FILE_HEAD CONTEXTS "\"instructions\": [1, 2, -3]}", "negative"},
        {FILE_HEAD CONTEXTS "\"instructions\": [1, 2, 3.5]}", "not whole"},
        {FILE_HEAD CONTEXTS "\"instructions\": [1, 2, 3], \"instructions\": [1, 2, 3]}", "twice"},
        {FILE_HEAD CONTEXTS "\"cta_cov\": [1, 2, 3]}", "cannot be used as a profile"},
        {FILE_HEAD "\"contexts\": {\"device\": [0], \"launches\": [2]}, \"kernel\": [0, 1, 0]}", "contexts"},
        {FILE_HEAD "\"contexts\": {\"device\": [0], \"launches\": [1]}, \"kernel\": [2]}", "that no kernel has"},
        {FILE_HEAD CONTEXTS "\"instructions\": [1, 2, 3], \"cycles\": [1, 2, 3]}", "of the format vivace-cycles"},
        {CYCLES_HEAD CONTEXTS "\"instructions\": [1, 2, 3]}", "needs the members cycles"},
        {CYCLES_HEAD CONTEXTS "\"cycles\": [1, 2]}", "longer or shorter"},
        {CYCLES_HEAD CONTEXTS "\"cycles\": [1, 2, 3], \"stream\": [1]}", "longer or shorter"},
        {"{\"format\": \"vivace-cycles\", \"version\": 1, \"kernels\": {\"name\": [\"k\"], \"grid\": [1,1,1], "
         "\"block\": [1,1,1]}, \"contexts\": {\"device\": [0], \"launches\": [1]}, \"kernel\": [0], \"cycles\": "
         "[5]}",
         "and gpu"},
        {CYCLES_HEAD
         "\"contexts\": {\"device\": [0, 1], \"process\": [1], \"launches\": [2, 1]}, \"kernel\": [0, 1, 0], "
         "\"cycles\": [1, 2, 3]}",
         "contexts: its columns"},
        {FILE_HEAD CONTEXTS "\"bbv_of\": [0, 0, 1], \"bbvs\": {\"types\": [1]}}", "do not match"},
        {FILE_HEAD CONTEXTS "\"waves\": {\"count\": [1, 1, 1]}}", "do not match"},
        {FILE_HEAD CONTEXTS "\"instructions\": [1, 2, 3]", "premature EOF"},
    };
    struct imported i;

    (void)state;
    for (size_t k = 0; k < sizeof wrong / sizeof *wrong; k++) {
        import_text(&i, wrong[k].text);
        CHECK_FAILS(i.ret, &i.e, ERR_INVALID, wrong[k].part);
        imported_release(&i);
    }
}

/* --- instruction counts, and profiles that they are attached to --- */

static void counts_with_kernels_are_a_profile(void **state)
{
    struct imported i;

    (void)state;
    import_text(&i,
                "Kernel, Grid, Block, instructions\n_Z1kPf,4 1 1,\"(32, 1, 1)\", 70\n\"g<1, 2>(int)\",2,64,9\n");
    CHECK_OK(i.ret, &i.e);
    assert_string_equal(i.profile.format, "instructions-csv");
    assert_string_equal(i.profile.kernels[0].name, "k(float*)");
    assert_int_equal(i.profile.kernels[1].grid[0], 2);
    assert_int_equal(i.profile.kernels[1].grid[2], 1);
    assert_int_equal(i.profile.value[1], 9);
    assert_int_equal(i.profile.features->instructions[0], 70);
    imported_release(&i);
    import_text(&i, "instructions\n5\n");
    CHECK_FAILS(i.ret, &i.e, ERR_INVALID, "without a column `kernel`");
    imported_release(&i);
    import_text(&i, "kernel,instructions\nk,5\nk,many\n");
    CHECK_FAILS(i.ret, &i.e, ERR_INVALID, "line 3: the launch cannot be read");
    assert_string_equal(i.e.hint, "Column 2 (`instructions`) has `many`.");
    imported_release(&i);
    import_text(&i, "instructions,kernel,grid,block\n5,k,\"4,1\",x\n");
    CHECK_FAILS(i.ret, &i.e, ERR_INVALID, "line 2: the launch cannot be read");
    assert_string_equal(i.e.hint, "Column 3 (`grid`) has `4,1`."); /* the first wrong column */
    imported_release(&i);
    import_text(&i, "kernel,grid,block,instructions\nk,1,1\n");
    CHECK_FAILS(i.ret, &i.e, ERR_INVALID, "line 2 has 3 columns");
    imported_release(&i);
}

static void a_file_is_attached_to_a_profile(void **state)
{
    static const char text[] = "instructions\n5\n6\n";
    const char *path = scratch_path("counts");
    struct imported i;

    (void)state;
    import_text(&i, FILE_HEAD CONTEXTS "\"instructions\": [50, 70, 90]}");
    CHECK_OK(i.ret, &i.e);
    write_bytes(path, text, sizeof text - 1);
    CHECK_OK(ingest_features(path, NULL, &i.profile, "profile", &i.e), &i.e);
    assert_int_equal(i.profile.features->known, 2);
    assert_int_equal(i.profile.features->instructions[1], 6);
    CHECK_OK(ingest_response(path, NULL, &i.profile, &i.e) < 0 ? 0 : -1, &i.e); /* the file is not a profile */
    write_bytes(path, "name,instructions\nother,5\n", 26);
    CHECK_FAILS(ingest_features(path, NULL, &i.profile, "profile", &i.e), &i.e, ERR_CONFLICT,
                "does not belong to profile: there it is launch 0: other");
    unlink(path);
    imported_release(&i);
}

/* A training step of PyTorch on a V100. */
static void real_traces_are_counted_the_same_way_twice(void **state)
{
    const struct ingest_options options = {.features = true};
    struct imported counted, plain;

    (void)state;
    import_path(&counted, shared_data("traces/pytorch-sgd-v100.tar.zst"), &options);
    import_path(&plain, shared_data("traces/pytorch-sgd-v100.tar.zst"), NULL);
    CHECK_OK(counted.ret, &counted.e);
    CHECK_OK(plain.ret, &plain.e);
    assert_int_equal(counted.profile.count, 1101);
    for (size_t k = 0; k < plain.profile.count; k++) {
        const struct features *f = counted.profile.features;
        const struct profile_kernel *kernel_ = &counted.profile.kernels[counted.profile.kernel[k]];
        const struct bbv *v = &f->bbvs.bbvs[f->bbv_of[k]];
        uint64_t warps = 0;

        /* `insts =` lines and counting each instruction give the same number */
        assert_int_equal(f->instructions[k], plain.profile.features->instructions[k]);
        for (size_t t = v->begin; t < v->end; t++)
            warps += f->bbvs.types[t].warps;
        assert_int_equal(warps, (uint64_t)kernel_->grid[0] * kernel_->grid[1] * kernel_->grid[2] *
                                    ((kernel_->block[0] * kernel_->block[1] * kernel_->block[2] + 31) / 32));
    }
    imported_release(&counted);
    imported_release(&plain);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(a_kernel_counted_by_hand),
        cmocka_unit_test(without_the_option_the_counts_are_the_features),
        cmocka_unit_test(sectors_are_distinct_ones),
        cmocka_unit_test(opcodes_are_classed_by_their_first_part),
        cmocka_unit_test(types_beyond_the_most_are_one_with_their_mean),
        cmocka_unit_test(the_order_of_adding_does_not_matter),
        cmocka_unit_test(a_features_file_is_a_profile),
        cmocka_unit_test(estimated_cycles_are_a_profile),
        cmocka_unit_test(wrong_features_files_are_refused),
        cmocka_unit_test(counts_with_kernels_are_a_profile),
        cmocka_unit_test(a_file_is_attached_to_a_profile),
        cmocka_unit_test(real_traces_are_counted_the_same_way_twice),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
