/* Layers, phases and steps of launches, from NVTX ranges in nsys exports and from annotations in PyTorch traces. */
#include "tests/unit/ingest/nsys_db.h"

#include "ingest/range_name.h"

static void names_are_cleaned(void **state)
{
    static const struct {
        const char *text, *want;
        enum range_kind kind;
    } cases[] = {
        {"ProfilerStep#101", "101", RANGE_STEP},
        {"step 007", "7", RANGE_STEP},
        {"Iteration_0", "0", RANGE_STEP},
        {"step", "step", RANGE_LAYER},
        {"stepper 3", "stepper 3", RANGE_LAYER},
        {"## forward ##", "forward", RANGE_PHASE},
        {"Prefill", "prefill", RANGE_PHASE},
        {"Optimizer.step#SGD.step", "optimizer", RANGE_PHASE},
        {"aten::addmm, op_id = 7", "aten::addmm", RANGE_OPERATOR},
        {"aten::mm, seq = 3, op_id = 7, sizes = [[1, 2]]", "aten::mm", RANGE_OPERATOR},
        {"nn.Module: Linear_0", "Linear_0", RANGE_LAYER},
        {"decoder/layers.7/attention", "decoder/layers.7/attention", RANGE_LAYER},
        {" / ", "", RANGE_LAYER},
        {"a\tb\x01", "a?b?", RANGE_LAYER},
    };

    (void)state;
    for (size_t i = 0; i < sizeof cases / sizeof *cases; i++) {
        char name[RANGE_NAME_BYTES];
        enum range_kind kind = range_name_clean(cases[i].text, strlen(cases[i].text), name);

        assert_string_equal(name, cases[i].want);
        assert_int_equal(kind, cases[i].kind);
    }
}

static const char *domain_name(const struct profile *p, enum domain_kind kind, size_t launch)
{
    const struct domain_column *c;

    assert_non_null(p->domains);
    c = &p->domains->columns[kind];
    return c->of ? c->names[c->of[launch]] : "";
}

static void check_launch(const struct profile *p, size_t launch, const char *layer, const char *phase,
                         const char *step)
{
    assert_string_equal(domain_name(p, DOMAIN_LAYER, launch), layer);
    assert_string_equal(domain_name(p, DOMAIN_PHASE, launch), phase);
    assert_string_equal(domain_name(p, DOMAIN_STEP, launch), step);
}

#define PROCESS  (INT64_C(4) << 24)
#define PROCESS2 (INT64_C(5) << 24)

static void range_tables(sqlite3 *db)
{
    db_run(db,
           "CREATE TABLE NVTX_EVENTS (start INTEGER NOT NULL, \"end\" INTEGER, eventType INTEGER, text TEXT,"
           " globalTid INTEGER, textId INTEGER);"
           "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER NOT NULL, \"end\" INTEGER, globalTid INTEGER,"
           " correlationId INTEGER);"
           "INSERT INTO StringIds VALUES (50, 'layers.1')");
}

static void range_row(sqlite3 *db, int start, const char *end, int type, const char *text, int64_t thread)
{
    db_run(db, "INSERT INTO NVTX_EVENTS VALUES (%d, %s, %d, %Q, %lld, NULL)", start, end, type, text,
           (long long)thread);
}

static void call_row(sqlite3 *db, int start, int64_t thread, int correlation)
{
    db_run(db, "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (%d, %d, %lld, %d)", start, start + 1,
           (long long)thread, correlation);
}

static void kernel_rows(sqlite3 *db, int64_t process, const char *const *correlations, size_t n)
{
    for (size_t i = 0; i < n; i++)
        db_kernel(db,
                  &(struct db_launch){9000 - (int)i, "9500", 0, 1, 7, correlations[i], process, "1", {16, 1, 1}});
}

/* A database with a kernel for each correlation id; the test adds ranges and calls. */
static sqlite3 *ranges_new(const char *path, const char *const *correlations, size_t n)
{
    sqlite3 *db = db_new(path, &nsys_schemas[6], true);

    db_kernel_table(db, nsys_schemas[6].columns);
    range_tables(db);
    kernel_rows(db, PROCESS, correlations, n);
    return db;
}

static void ranges_import(sqlite3 *db, const char *path, struct imported *i)
{
    db_close(db);
    import_path(i, path, NULL);
    CHECK_OK(i->ret, &i->e);
}

static void nvtx_ranges_enclose_launch_calls(void **state)
{
    /* Rows are not in launch order, so labels have to move with their rows. */
    static const char *const first[] = {"14", "10", "12", "11", "13", "15", "16"}, *const second[] = {"10"};
    const char *path = scratch_path("nvtx");
    sqlite3 *db = ranges_new(path, first, 7);
    struct imported i;

    (void)state;
    kernel_rows(db, PROCESS2, second, 1);
    range_row(db, 100, "1000", 59, "step 3", PROCESS + 1);
    range_row(db, 110, "500", 59, "forward", PROCESS + 1);
    range_row(db, 120, "300", 59, "decoder", PROCESS + 1);
    db_run(db, "INSERT INTO NVTX_EVENTS VALUES (130, 200, 59, NULL, %lld, 50)", (long long)(PROCESS + 1));
    range_row(db, 140, "150", 59, "aten::mm, op_id = 1", PROCESS + 1);
    range_row(db, 140, "150", 59, "other process", PROCESS2 + 1);
    range_row(db, 600, "700", 60, "aten::add", PROCESS + 1);
    range_row(db, 600, "NULL", 59, "never ended", PROCESS + 1);
    range_row(db, 1, "2000", 34, "a mark", PROCESS + 1);
    range_row(db, 1, "2000", 75, "a domain", PROCESS + 1);
    call_row(db, 145, PROCESS + 1, 10);  /* in everything; the operator is inside a layer */
    call_row(db, 200, PROCESS + 1, 11);  /* layers.1 ends when the call begins */
    call_row(db, 650, PROCESS + 1, 12);  /* only an operator */
    call_row(db, 150, PROCESS + 2, 13);  /* another thread: step and phase of the process */
    call_row(db, 1000, PROCESS + 1, 14); /* the step is over */
    call_row(db, 600, PROCESS + 2, 15);
    call_row(db, 145, PROCESS2 + 1, 10); /* the same correlation id in another process; 16 has no call */
    ranges_import(db, path, &i);
    assert_int_equal(i.profile.count, 8);
    check_launch(&i.profile, 0, "decoder/layers.1", "forward", "3");
    check_launch(&i.profile, 1, "decoder", "forward", "3");
    check_launch(&i.profile, 2, "aten::add", "", "3");
    check_launch(&i.profile, 3, "", "forward", "3");
    check_launch(&i.profile, 4, "", "", "");
    check_launch(&i.profile, 5, "", "", "3");
    check_launch(&i.profile, 6, "", "", "");
    check_launch(&i.profile, 7, "other process", "", "");
    imported_release(&i);
    unlink(path);
}

static void a_file_without_ranges_has_no_columns(void **state)
{
    static const char *const rows[] = {"10"};
    const char *path = scratch_path("none");
    sqlite3 *db = ranges_new(path, rows, 1);
    struct imported i;

    (void)state;
    call_row(db, 145, PROCESS + 1, 10);
    ranges_import(db, path, &i);
    assert_null(i.profile.domains);
    imported_release(&i);
    unlink(path);
}

/* 70 ranges inside each other with names of 100 bytes: a path has 1000 bytes at most. */
static void long_paths_end_early(void **state)
{
    static const char *const rows[] = {"10"};
    const char *path = scratch_path("deep");
    sqlite3 *db = ranges_new(path, rows, 1);
    struct imported i;

    (void)state;
    for (int k = 0; k < 70; k++) {
        char name[101];

        memset(name, 'a' + k % 26, 100);
        name[100] = '\0';
        range_row(db, k, "2000", 59, name, PROCESS + 1);
    }
    call_row(db, 145, PROCESS + 1, 10);
    ranges_import(db, path, &i);
    assert_int_equal(strlen(domain_name(&i.profile, DOMAIN_LAYER, 0)), 9 * 100 + 8);
    assert_int_equal(count_of(&i.report.warnings, "layers_cut"), 1);
    imported_release(&i);
    unlink(path);
}

/* A shorter name further inside is not appended to a path that ended. */
static void paths_end_at_the_first_name_that_does_not_fit(void **state)
{
    static const char *const rows[] = {"10"};
    const char *path = scratch_path("short");
    sqlite3 *db = ranges_new(path, rows, 1);
    struct imported i;

    (void)state;
    for (int k = 0; k < 10; k++) {
        char name[101];

        memset(name, 'a' + k, 100);
        name[100] = '\0';
        range_row(db, k, "2000", 59, name, PROCESS + 1);
    }
    range_row(db, 50, "2000", 59, "short", PROCESS + 1);
    call_row(db, 145, PROCESS + 1, 10);
    ranges_import(db, path, &i);
    assert_int_equal(strlen(domain_name(&i.profile, DOMAIN_LAYER, 0)), 9 * 100 + 8);
    imported_release(&i);
    unlink(path);
}

/* 201 ranges: the innermost is ignored, and both launches inside it are counted; the third is after it. */
static void launches_in_ignored_ranges_are_counted(void **state)
{
    static const char *const rows[] = {"10", "11", "12"};
    const char *path = scratch_path("open");
    sqlite3 *db = ranges_new(path, rows, 3);
    struct imported i;

    (void)state;
    for (int k = 0; k < 201; k++)
        range_row(db, k, k == 200 ? "1000" : "2000", 59, "a", PROCESS + 1);
    call_row(db, 500, PROCESS + 1, 10);
    call_row(db, 600, PROCESS + 1, 11);
    call_row(db, 1500, PROCESS + 1, 12);
    ranges_import(db, path, &i);
    assert_int_equal(count_of(&i.report.warnings, "layers_cut"), 2);
    imported_release(&i);
    unlink(path);
}

static void paths_of_one_text_are_one_layer(void **state)
{
    static const char *const rows[] = {"10", "11"};
    const char *path = scratch_path("text");
    sqlite3 *db = ranges_new(path, rows, 2);
    struct imported i;

    (void)state;
    range_row(db, 100, "200", 59, "a", PROCESS + 1);
    range_row(db, 110, "190", 59, "b", PROCESS + 1);
    range_row(db, 300, "400", 59, "a/b", PROCESS + 1);
    call_row(db, 150, PROCESS + 1, 10);
    call_row(db, 350, PROCESS + 1, 11);
    ranges_import(db, path, &i);
    check_launch(&i.profile, 0, "a/b", "", "");
    check_launch(&i.profile, 1, "a/b", "", "");
    assert_int_equal(i.profile.domains->columns[DOMAIN_LAYER].count, 2);
    imported_release(&i);
    unlink(path);
}

/* 20000 ranges take about 1 MB; the launch and the names take less than the limit. */
static void ranges_are_within_the_memory_limit(void **state)
{
    static const char *const rows[] = {"10"};
    const char *path = scratch_path("many");
    sqlite3 *db = ranges_new(path, rows, 1);
    struct imported i;

    (void)state;
    db_run(db,
           "WITH RECURSIVE n(i) AS (SELECT 0 UNION ALL SELECT i + 1 FROM n WHERE i < 19999) "
           "INSERT INTO NVTX_EVENTS SELECT i, 30000, 59, 'a name of twenty-four by', %lld, NULL FROM n",
           (long long)(PROCESS + 1));
    call_row(db, 145, PROCESS + 1, 10);
    db_close(db);
    import_path(&i, path, &(struct ingest_options){.most_memory_bytes = 200000});
    CHECK_FAILS(i.ret, &i.e, ERR_TOO_LARGE, "ranges and names take more than 200000 bytes");
    imported_release(&i);
    import_path(&i, path, &(struct ingest_options){.most_memory_bytes = 4000000});
    CHECK_OK(i.ret, &i.e);
    imported_release(&i);
    unlink(path);
}

#define EVENT(cat, name, rest) "{\"ph\":\"X\",\"cat\":\"" cat "\",\"name\":\"" name "\"," rest "},"

static void annotations_enclose_launch_calls(void **state)
{
    struct imported i;

    (void)state;
    import_text(
        &i,
        "{\"traceEvents\":[" EVENT("kernel", "a",
                                   "\"ts\":500,\"dur\":1,\"pid\":0,\"tid\":7,\"args\":{\"stream\":7,"
                                   "\"correlation\":2}") EVENT("kernel", "a",
                                                               "\"ts\":510,\"dur\":1,\"pid\":0,\"tid\":7,\"args\":{"
                                                               "\"stream\":7,\"correlation\":1}")
            EVENT("kernel", "a",
                  "\"ts\":520,\"dur\":1,\"pid\":0,\"tid\":7,\"args\":{\"stream\":7,\"correlation\":3}")
                EVENT("user_annotation", "ProfilerStep#12", "\"ts\":100,\"dur\":300,\"pid\":9,\"tid\":9") EVENT(
                    "user_annotation", "## backward ##", "\"ts\":300,\"dur\":50,\"pid\":9,\"tid\":9")
                    EVENT("python_function", "nn.Module: GPT_0", "\"ts\":110,\"dur\":90,\"pid\":9,\"tid\":9") EVENT(
                        "python_function", "torch/nn/functional.py(5): f",
                        "\"ts\":111,\"dur\":88,\"pid\":9,\"tid\":9")
                        EVENT("python_function", "nn.Module: Linear_3", "\"ts\":120,\"dur\":30,\"pid\":9,\"tid\":9")
                            EVENT("cuda_runtime", "cudaLaunchKernel",
                                  "\"ts\":130,\"dur\":2,\"pid\":9,\"tid\":9,\"args\":{\"correlation\":1}")
                                EVENT("cuda_runtime", "cudaLaunchKernel",
                                      "\"ts\":310,\"dur\":2,\"pid\":9,\"tid\":10,\"args\":{\"correlation\":2}")
                                    EVENT(
                                        "gpu_user_annotation", "loss",
                                        "\"ts\":515,\"dur\":9,\"pid\":0,\"tid\":7,\"args\":{}") "{\"ph\":\"M\"}]}");
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.profile.count, 3);
    check_launch(&i.profile, 0, "GPT_0/Linear_3", "", "12");
    check_launch(&i.profile, 1, "", "backward", "12");
    check_launch(&i.profile, 2, "", "loss", ""); /* without a call: the range of its stream */
    imported_release(&i);
}

static void recorded_profiles_have_parts(void **state)
{
    static const struct {
        const char *path;
        enum domain_kind kind;
        const char *name;
        uint64_t launches;
    } cases[] = {
        {"nsys/h100x2-2026.2.sqlite", DOMAIN_LAYER, "FlashAttnFunc/flash_attn::_flash_attn_forward", 66},
        {"nsys/saxpy-a100-2022.2.sqlite", DOMAIN_LAYER, "saxpy", 5},
        {"kineto/train-v100-ns.json.gz", DOMAIN_PHASE, "backward", 2810},
        {"kineto/train-v100-ns.json.gz", DOMAIN_STEP, "103", 870},
        {"kineto/resnet50-v100.json.gz", DOMAIN_STEP, "7", 1462},
    };

    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        struct domain_total *totals;
        struct domain_view view;
        struct imported i;
        size_t count, found = 0;
        uint64_t sum = 0;

        import_path(&i, shared_data(cases[c].path), NULL);
        CHECK_OK(i.ret, &i.e);
        assert_int_equal(domain_view_make(&i.profile, cases[c].kind, &view, &i.e), 1);
        CHECK_OK(domain_totals(&view, cases[c].kind, &totals, &count, &i.e), &i.e);
        for (size_t k = 0; k < count; k++) {
            sum += totals[k].total;
            if (strcmp(totals[k].name, cases[c].name) != 0)
                continue;
            found++;
            assert_int_equal(totals[k].launches, cases[c].launches);
        }
        assert_int_equal(found, 1);
        assert_int_equal(sum, i.report.total);
        free(totals);
        domain_view_release(&view);
        imported_release(&i);
    }
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(names_are_cleaned),
        cmocka_unit_test(nvtx_ranges_enclose_launch_calls),
        cmocka_unit_test(a_file_without_ranges_has_no_columns),
        cmocka_unit_test(long_paths_end_early),
        cmocka_unit_test(paths_end_at_the_first_name_that_does_not_fit),
        cmocka_unit_test(launches_in_ignored_ranges_are_counted),
        cmocka_unit_test(paths_of_one_text_are_one_layer),
        cmocka_unit_test(ranges_are_within_the_memory_limit),
        cmocka_unit_test(annotations_enclose_launch_calls),
        cmocka_unit_test(recorded_profiles_have_parts),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
