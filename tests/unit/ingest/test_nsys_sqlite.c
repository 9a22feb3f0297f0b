#include "tests/unit/ingest/nsys_db.h"

#include "base/rng.h"

static const struct db_launch three[] = {
    /* The rows are not in launch order, which is the order of correlation ids within a context. */
    {5000, "5250", 0, 1, 7, "12", 4, "2", {4, 2, 1}},
    {1000, "2000", 0, 1, 7, "10", 4, "1", {16, 1, 1}},
    {3000, "3100", 0, 1, 13, "11", 4, "1", {16, 1, 1}},
};

static const char *made(const char *name, const struct nsys_schema *schema, const struct db_launch *rows, size_t n)
{
    const char *path = scratch_path(name);
    sqlite3 *db = db_new(path, schema, true);

    db_kernel_table(db, schema->columns);
    for (size_t i = 0; i < n; i++)
        db_kernel(db, &rows[i]);
    db_close(db);
    return path;
}

static void every_schema_reads_the_same(void **state)
{
    (void)state;
    for (size_t v = 0; v < NSYS_SCHEMAS; v++) {
        const char *path = made("schema", &nsys_schemas[v], three, 3);
        struct imported i;

        import_path(&i, path, NULL);
        CHECK_OK(i.ret, &i.e);
        assert_string_equal(i.profile.format, "nsys-sqlite");
        assert_string_equal(i.report.schema, nsys_schemas[v].version);
        assert_string_equal(i.profile.gpu_name, "NVIDIA A100-SXM4-40GB"); /* found by cuDevice, not by id */
        assert_int_equal(i.profile.count, 3);
        assert_int_equal(i.report.accepted, 3);
        assert_int_equal(i.report.kernels, 2);
        assert_int_equal(i.report.kernel_shapes, 2);
        assert_int_equal(i.report.streams, 2);
        assert_int_equal(i.report.total, 1350);
        assert_int_equal(i.report.dropped_count, 0);
        assert_int_equal(i.report.warnings.count, 0);
        CHECK_NEAR(i.report.clock_high_hz, 0, 0); /* this schema has no such column */
        assert_int_equal(i.profile.value[0], 1000);
        assert_int_equal(i.profile.value[1], 100);
        assert_int_equal(i.profile.value[2], 250);
        assert_int_equal(i.profile.start_ns[0], 0); /* times are relative to the first start */
        assert_int_equal(i.profile.start_ns[2], 4000);
        assert_string_equal(i.profile.kernels[0].name, "void saxpy<float>(int, float, float *)");
        assert_string_equal(i.profile.kernels[0].mangled_name, "_Z5saxpyIfEviT_PS0_");
        assert_int_equal(i.profile.kernels[1].grid[1], 2);
        assert_int_equal(i.profile.kernels[1].block[0], 128);
        assert_int_equal(i.profile.kernels[1].registers, 32);
        assert_int_equal(i.profile.kernels[1].shared_bytes, 1536);
        imported_release(&i);
        unlink(path);
    }
}

static void columns_are_found_by_name(void **state)
{
    static const char backwards[] = "gridId,localMemoryTotal,localMemoryPerThread,dynamicSharedMemory,"
                                    "staticSharedMemory,blockZ,blockY,blockX,gridZ,"
                                    "gridY,gridX,registersPerThread,mangledName,shortName,demangledName,globalPid,"
                                    "correlationId,streamId,contextId,"
                                    "deviceId,\"end\",start,somethingNew";
    struct nsys_schema schema = {"9.9.9", backwards, "META_DATA_EXPORT"};
    const char *path = made("backwards", &schema, three, 3);
    struct imported i;

    (void)state;
    import_path(&i, path, NULL);
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.report.total, 1350);
    assert_string_equal(i.profile.kernels[0].name, "void saxpy<float>(int, float, float *)");
    imported_release(&i);
    unlink(path);
}

static void optional_columns_may_be_missing(void **state)
{
    const char *path = scratch_path("few");
    sqlite3 *db = db_new(path, &nsys_schemas[0], false);
    struct imported i;

    (void)state;
    db_kernel_table(
        db, "start, \"end\", deviceId, contextId, streamId, demangledName, gridX, gridY, gridZ, blockX, blockY,"
            " blockZ");
    db_run(db, "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (10, 30, 0, 1, 7, 1, 1, 1, 1, 32, 1, 1)");
    db_close(db);
    import_path(&i, path, NULL);
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.report.total, 20);
    assert_null(i.profile.kernels[0].mangled_name);
    assert_int_equal(count_of(&i.report.warnings, "no_correlation"), 1);
    assert_non_null(note_of(&i.report.warnings, "no_gpu_name"));
    imported_release(&i);
    unlink(path);
}

static void devices_and_processes_stay_apart(void **state)
{
    static const struct db_launch rows[] = {
        {100, "110", 1, 2, 7, "1", 9, "1", {1, 1, 1}},
        {101, "111", 0, 1, 7, "1", 8, "1", {1, 1, 1}},
        {102, "112", 0, 1, 7, "2", 8, "2", {1, 1, 1}},
        {103, "113", 0, 1, 8, "3", 9, "1", {1, 1, 1}},
    };
    const char *path = made("devices", &nsys_schemas[6], rows, 4);
    struct imported i;

    (void)state;
    import_path(&i, path, NULL);
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.report.devices, 2);
    assert_int_equal(i.report.processes, 2);
    assert_int_equal(i.report.contexts, 3);
    assert_int_equal(i.profile.contexts[0].process, 8);
    assert_int_equal(i.profile.contexts[0].count, 2);
    assert_int_equal(i.profile.contexts[1].process, 9);
    assert_int_equal(i.profile.contexts[1].context, 1);
    assert_int_equal(i.profile.contexts[2].device, 1);
    assert_int_equal(count_of(&i.report.warnings, "several_gpus"), 1);
    imported_release(&i);
    unlink(path);
}

/* Only GPUs with launches count. Impossible clocks are ignored. */
static void the_peak_clock_is_reported(void **state)
{
    static const struct {
        const char *device1, *device2;
        double low_hz, high_hz;
        const char *json;
    } cases[] = {
        {"1410000000", "1980000000", 1.41e9, 1.41e9,
         "\"clock\": {\"measured\": false, \"low_hz\": 1410000000, \"high_hz\": 1410000000}, "},
        {"NULL", "1980000000", 0, 0, "\"clock\": null, "},
        {"-5", "1", 0, 0, "\"clock\": null, "},
        {"9e300", "1", 0, 0, "\"clock\": null, "},
    };

    (void)state;
    for (size_t c = 0; c < sizeof cases / sizeof *cases; c++) {
        const char *path = scratch_path("clock");
        sqlite3 *db = db_new(path, &nsys_schemas[6], false);
        struct strbuf json = STRBUF_INIT;
        struct imported i;

        db_run(db,
               "CREATE TABLE TARGET_INFO_GPU (id INTEGER NOT NULL, name TEXT, clockRate INTEGER);"
               "INSERT INTO TARGET_INFO_GPU VALUES (0, 'NVIDIA A100-SXM4-40GB', %s), (1, 'NVIDIA H200', %s)",
               cases[c].device1, cases[c].device2);
        db_kernel_table(db, nsys_schemas[6].columns);
        for (size_t k = 0; k < 3; k++)
            db_kernel(db, &three[k]);
        db_close(db);
        import_path(&i, path, NULL);
        CHECK_OK(i.ret, &i.e);
        CHECK_NEAR(i.report.clock_low_hz, cases[c].low_hz, 0);
        CHECK_NEAR(i.report.clock_high_hz, cases[c].high_hz, 0);
        import_report_to_json(&i.report, &json);
        assert_non_null(strstr(json.text, cases[c].json));
        strbuf_release(&json);
        imported_release(&i);
        unlink(path);
    }
}

/* Kernels of one graph launch share its correlation id. A graph with one kernel is recognized by its node id
 * alone. */
static void launches_by_cuda_graphs_are_marked(void **state)
{
    static const struct db_launch rows[] = {
        {100, "110", 0, 1, 7, "1", 4, "1", {1, 1, 1}}, {140, "150", 0, 1, 7, "2", 4, "2", {1, 1, 1}},
        {120, "130", 0, 1, 7, "2", 4, "1", {1, 1, 1}}, {160, "170", 0, 1, 7, "3", 4, "1", {1, 1, 1}},
        {180, "190", 0, 1, 7, "4", 4, "1", {1, 1, 1}},
    };
    const char *path = made("graphs", &nsys_schemas[6], rows, 5);
    struct imported i;
    sqlite3 *db;

    (void)state;
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    db_run(db, "UPDATE CUPTI_ACTIVITY_KIND_KERNEL SET graphNodeId = 4294967301 WHERE correlationId = 3");
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
    import_path(&i, path, NULL);
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.profile.tie_count, 2);
    assert_int_equal(i.profile.ties[0].first, 1);
    assert_int_equal(i.profile.ties[0].count, 2);
    assert_int_equal(i.profile.start_ns[1], 20);
    assert_int_equal(i.profile.ties[1].first, 3);
    assert_int_equal(i.profile.ties[1].count, 1);
    assert_true(i.profile.ties[0].graph && i.profile.ties[1].graph);
    assert_int_equal(profile_calls(&i.profile, 0), 2);
    imported_release(&i);
    unlink(path);
}

static void odd_rows_are_dropped_and_reported(void **state)
{
    static const struct db_launch rows[] = {
        {100, "110", 0, 1, 7, "1", 4, "1", {1, 1, 1}},
        {100, "NULL", 0, 1, 7, "2", 4, "1", {1, 1, 1}},
        {100, "0", 0, 1, 7, "3", 4, "1", {1, 1, 1}},
        {100, "90", 0, 1, 7, "4", 4, "1", {1, 1, 1}},
        {100, "110", 0, 1, 7, "5", 4, "77", {1, 1, 1}},
        {100, "110", 0, 1, 7, "6", 4, "1", {0, 1, 1}},
        {100, "110", 0, 1, 7, "7", 4, "1", {1, -1, 1}},
        {100, "'soon'", 0, 1, 7, "8", 4, "1", {1, 1, 1}},
        {-9000000000000000000, "9000000000000000000", 0, 1, 7, "9", 4, "1", {1, 1, 1}},
        {100, "100", 0, 1, 7, "10", 4, "1", {1, 1, 1}}, /* a launch of 0 ns is kept */
        {100, "120", 0, 1, 7, "NULL", 4, "1", {1, 1, 1}},
    };
    const char *path = made("odd", &nsys_schemas[6], rows, sizeof rows / sizeof *rows);
    struct imported i;
    const struct import_note *note;

    (void)state;
    import_path(&i, path, NULL);
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.report.accepted, 3);
    assert_int_equal(i.report.dropped_count, 8);
    assert_int_equal(count_of(&i.report.dropped, "no_end_time"), 3);
    assert_int_equal(count_of(&i.report.dropped, "negative_duration"), 1);
    assert_int_equal(count_of(&i.report.dropped, "unknown_name"), 1);
    assert_int_equal(count_of(&i.report.dropped, "bad_shape"), 2);
    assert_int_equal(count_of(&i.report.dropped, "time_range"), 1);
    assert_int_equal(i.report.zero_duration, 1);
    assert_int_equal(count_of(&i.report.warnings, "zero_duration"), 1);
    assert_int_equal(count_of(&i.report.warnings, "no_correlation"), 1);
    note = note_of(&i.report.dropped, "negative_duration");
    assert_int_equal(note->example_count, 1);
    assert_string_equal(note->examples[0], "row 4: void saxpy<float>(int, float, float *)");
    imported_release(&i);
    unlink(path);
}

static void examples_stop_at_ten(void **state)
{
    struct db_launch rows[25];
    struct imported i;
    const char *path;

    (void)state;
    for (int k = 0; k < 25; k++)
        rows[k] = (struct db_launch){k, k < 24 ? "NULL" : "1000", 0, 1, 7, "5", 4, "1", {1, 1, 1}};
    path = made("many", &nsys_schemas[6], rows, 25);
    import_path(&i, path, NULL);
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(count_of(&i.report.dropped, "no_end_time"), 24);
    assert_int_equal(note_of(&i.report.dropped, "no_end_time")->example_count, IMPORT_EXAMPLES);
    imported_release(&i);
    unlink(path);
}

static void nothing_usable_is_an_error_with_the_reason(void **state)
{
    static const struct db_launch rows[] = {{100, "NULL", 0, 1, 7, "2", 4, "1", {1, 1, 1}}};
    const char *path = made("unusable", &nsys_schemas[6], rows, 1);
    struct imported i;

    (void)state;
    import_path(&i, path, NULL);
    CHECK_FAILS(i.ret, &i.e, ERR_INVALID, "none of the 1 kernel launches can be used");
    assert_non_null(strstr(i.e.text, "no end time"));
    assert_int_equal(i.report.dropped_count, 1);
    imported_release(&i);
    unlink(path);
}

static void names_keep_their_text_and_lose_their_tricks(void **state)
{
    static const struct db_launch rows[] = {{100, "110", 0, 1, 7, "1", 4, "3", {1, 1, 1}},
                                            {200, "220", 0, 1, 7, "2", 4, "4", {1, 1, 1}},
                                            {300, "330", 0, 1, 7, "3", 4, "5", {1, 1, 1}}};
    const char *path = scratch_path("names");
    sqlite3 *db = db_new(path, &nsys_schemas[6], true);
    struct strbuf json = STRBUF_INIT;
    struct imported i;

    (void)state;
    db_kernel_table(db, nsys_schemas[6].columns);
    db_run(db,
           "INSERT INTO StringIds VALUES (3, %Q), (4, CAST(x'6b1b5b3331ff6d' AS TEXT)), (5, "
           "replace(hex(zeroblob(40000)), '0', 'n'))",
           "<script>alert(\"1\")</script>; rm -rf / $(id) `id` ' OR 1=1 --");
    for (size_t k = 0; k < 3; k++)
        db_kernel(db, &rows[k]);
    db_close(db);
    import_path(&i, path, NULL);
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.report.accepted, 2);
    assert_int_equal(count_of(&i.report.dropped, "name_too_long"), 1); /* 80 000 bytes */
    assert_string_equal(i.profile.kernels[0].name,
                        "<script>alert(\"1\")</script>; rm -rf / $(id) `id` ' OR 1=1 --");
    assert_string_equal(i.profile.kernels[1].name, "k?[31?m"); /* escape codes and invalid UTF-8 were replaced */
    import_report_to_json(&i.report, &json);
    assert_false(json.failed);
    strbuf_release(&json);
    imported_release(&i);
    unlink(path);
}

static void private_tables_are_never_shown(void **state)
{
    const char *path = made("private", &nsys_schemas[6], three, 3);
    struct strbuf json = STRBUF_INIT;
    struct imported i;

    (void)state;
    import_path(&i, path, NULL);
    CHECK_OK(i.ret, &i.e);
    import_report_to_json(&i.report, &json);
    assert_null(strstr(json.text, "secret"));
    strbuf_release(&json);
    imported_release(&i);
    unlink(path);
}

static void graphs_are_warned_about_or_the_reason(void **state)
{
    const char *path = scratch_path("graphs");
    sqlite3 *db = db_new(path, &nsys_schemas[6], true);
    struct imported i;

    (void)state;
    db_run(db, "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER, \"end\" INTEGER);"
               "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (1, 2), (3, 4)");
    db_close(db);
    import_path(&i, path, NULL);
    CHECK_FAILS(i.ret, &i.e, ERR_INVALID, "its 2 CUDA graph launches were traced as whole graphs");
    assert_non_null(strstr(i.e.hint, "--cuda-graph-trace=node"));
    imported_release(&i);

    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    db_run(db, "BEGIN");
    db_kernel_table(db, nsys_schemas[6].columns);
    db_kernel(db, &three[0]);
    db_close(db);
    import_path(&i, path, NULL);
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(count_of(&i.report.warnings, "cuda_graphs"), 2);
    assert_non_null(strstr(note_of(&i.report.warnings, "cuda_graphs")->sentence, "--cuda-graph-trace=node"));
    imported_release(&i);
    unlink(path);
}

/* Imports a database after running `sql` on it. The kernel table exists unless `sql` drops it. */
static void refused_after(const char *sql, enum err_code code, const char *part)
{
    const char *path = made("tampered", &nsys_schemas[6], three, 3);
    struct imported i;
    sqlite3 *db;

    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    db_run(db, "BEGIN");
    db_run(db, "%s", sql);
    db_close(db);
    import_path(&i, path, NULL);
    CHECK_FAILS(i.ret, &i.e, code, part);
    assert_int_equal(i.profile.count, 0);
    imported_release(&i);
    unlink(path);
}

static void refuses_what_no_export_is(void **state)
{
    (void)state;
    refused_after("DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL", ERR_INVALID, "no GPU kernels in this report");
    refused_after("DELETE FROM CUPTI_ACTIVITY_KIND_KERNEL", ERR_INVALID, "no GPU kernels in this report");
    refused_after("ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL RENAME TO k;"
                  "CREATE VIEW CUPTI_ACTIVITY_KIND_KERNEL AS SELECT * FROM k",
                  ERR_INVALID, "CUPTI_ACTIVITY_KIND_KERNEL is not a plain table");
    refused_after("ALTER TABLE StringIds RENAME TO s; CREATE VIEW StringIds AS SELECT id, value FROM s",
                  ERR_INVALID, "StringIds is not a plain table");
    refused_after("CREATE TRIGGER t AFTER INSERT ON StringIds BEGIN SELECT 1; END", ERR_INVALID, "triggers");
    refused_after("DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL; CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start,"
                  " \"end\" AS (start + 1))",
                  ERR_INVALID, "computed columns");
    refused_after("DROP TABLE CUPTI_ACTIVITY_KIND_KERNEL; CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start, \"end\")",
                  ERR_UNSUPPORTED, "no column deviceId");
    refused_after("DROP TABLE StringIds", ERR_INVALID, "no table StringIds");
    refused_after("DROP TABLE StringIds; DROP TABLE META_DATA_EXPORT", ERR_UNSUPPORTED,
                  "not one that nsys export writes");
}

static size_t read_file(const char *path, unsigned char **out)
{
    FILE *f = fopen(path, "rb");
    long n;

    assert_non_null(f);
    fseek(f, 0, SEEK_END);
    n = ftell(f);
    rewind(f);
    *out = malloc((size_t)n);
    assert_int_equal(fread(*out, 1, (size_t)n, f), n);
    fclose(f);
    return (size_t)n;
}

static void truncated_files_are_one_sentence(void **state)
{
    const char *path = made("cut", &nsys_schemas[6], three, 3);
    unsigned char *bytes;
    size_t n = read_file(path, &bytes);
    const size_t lengths[] = {40, 99, 100, 1000, 4096, n / 2, n - 1};

    (void)state;
    for (size_t k = 0; k < sizeof lengths / sizeof *lengths; k++) {
        struct imported i;

        write_bytes(path, bytes, lengths[k]);
        import_path(&i, path, NULL);
        CHECK_FAILS(i.ret, &i.e, ERR_INVALID, "cut off");
        imported_release(&i);
    }
    free(bytes);
    unlink(path);
}

/* Random changes of bytes give a result or an error, never a crash or an endless read. */
static void damaged_files_end(void **state)
{
    const char *path = made("damaged", &nsys_schemas[6], three, 3);
    unsigned char *bytes, *broken;
    size_t n = read_file(path, &bytes), refused = 0;
    struct rng r;

    (void)state;
    rng_init(&r, 1, 0, RNG_TEST);
    broken = malloc(n);
    for (int round = 0; round < 400; round++) {
        struct imported i;

        memcpy(broken, bytes, n);
        for (int k = 0; k < 1 + round % 8; k++)
            broken[100 + rng_below(&r, n - 100)] = (unsigned char)rng_u32(&r);
        write_bytes(path, broken, n);
        import_path(&i, path, NULL);
        if (i.ret < 0) {
            refused++;
            assert_true(i.e.text[0] != '\0');
        }
        imported_release(&i);
    }
    assert_true(refused > 0);
    free(broken);
    free(bytes);
    unlink(path);
}

/* A program still writes the database: its changes are in the log, not in the file. */
static void a_write_ahead_log_is_refused(void **state)
{
    struct imported i;
    sqlite3 *db;
    char path[64];

    (void)state;
    snprintf(path, sizeof path, "/tmp/vivace-wal-%d.sqlite", (int)getpid());
    db = db_new(path, &nsys_schemas[6], true);
    db_run(db, "COMMIT; PRAGMA journal_mode = WAL; PRAGMA wal_autocheckpoint = 0; CREATE TABLE later (x)");
    import_path(&i, path, NULL);
    CHECK_FAILS(i.ret, &i.e, ERR_INVALID, "write-ahead log");
    assert_non_null(strstr(i.e.hint, "wal_checkpoint"));
    imported_release(&i);
    sqlite3_close(db); /* copies the log into the file */
    import_path(&i, path, NULL);
    CHECK_FAILS(i.ret, &i.e, ERR_INVALID, "no GPU kernels");
    imported_release(&i);
    unlink(path);
}

static void odd_paths_open(void **state)
{
    const char *path = made("a b%41?mode=memory#x", &nsys_schemas[6], three, 3);
    struct imported i;

    (void)state;
    import_path(&i, path, NULL);
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.report.accepted, 3);
    imported_release(&i);
    unlink(path);
}

static void limits_hold(void **state)
{
    const char *path = made("limits", &nsys_schemas[6], three, 3);
    struct imported i;

    (void)state;
    import_path(&i, path, &(struct ingest_options){.most_rows = 2, .display_name = "report.sqlite"});
    CHECK_FAILS(i.ret, &i.e, ERR_TOO_LARGE, "report.sqlite: more than 2 kernel launches");
    imported_release(&i);
    import_path(&i, path, &(struct ingest_options){.most_memory_bytes = 50});
    CHECK_FAILS(i.ret, &i.e, ERR_TOO_LARGE, "names take more than 50 bytes");
    imported_release(&i);
    unlink(path);
}

static void real_h100x2(void **state)
{
    struct imported i;

    (void)state;
    import_path(&i, shared_data("nsys/h100x2-2026.2.sqlite"), NULL);
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.report.accepted, 4010);
    assert_int_equal(i.report.kernels, 27);
    assert_int_equal(i.report.kernel_shapes, 48);
    assert_int_equal(i.report.devices, 2);
    assert_int_equal(i.report.dropped_count, 0);
    assert_string_equal(i.report.schema, "3.25.0");
    imported_release(&i);
}

static void real_rtx3080_and_a100(void **state)
{
    struct imported i;

    (void)state;
    import_path(&i, shared_data("nsys/rtx3080-2026.1.sqlite"), NULL);
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.report.accepted, 2);
    assert_string_equal(i.report.schema, "3.24.14");
    assert_string_equal(i.report.gpu_name, "NVIDIA GeForce RTX 3080");
    CHECK_NEAR(i.report.clock_high_hz, 1.71e9, 0);
    imported_release(&i);
    import_path(&i, shared_data("nsys/saxpy-a100-2022.2.sqlite"), NULL);
    CHECK_OK(i.ret, &i.e);
    assert_int_equal(i.report.accepted, 5);
    assert_string_equal(i.report.schema, "2.9.1");
    assert_string_equal(i.report.gpu_name, "NVIDIA A100-SXM4-40GB");
    CHECK_NEAR(i.report.clock_low_hz, 1.41e9, 0);
    imported_release(&i);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_schema_reads_the_same),
        cmocka_unit_test(columns_are_found_by_name),
        cmocka_unit_test(optional_columns_may_be_missing),
        cmocka_unit_test(devices_and_processes_stay_apart),
        cmocka_unit_test(the_peak_clock_is_reported),
        cmocka_unit_test(launches_by_cuda_graphs_are_marked),
        cmocka_unit_test(odd_rows_are_dropped_and_reported),
        cmocka_unit_test(examples_stop_at_ten),
        cmocka_unit_test(nothing_usable_is_an_error_with_the_reason),
        cmocka_unit_test(names_keep_their_text_and_lose_their_tricks),
        cmocka_unit_test(private_tables_are_never_shown),
        cmocka_unit_test(graphs_are_warned_about_or_the_reason),
        cmocka_unit_test(refuses_what_no_export_is),
        cmocka_unit_test(truncated_files_are_one_sentence),
        cmocka_unit_test(damaged_files_end),
        cmocka_unit_test(a_write_ahead_log_is_refused),
        cmocka_unit_test(odd_paths_open),
        cmocka_unit_test(limits_hold),
        cmocka_unit_test(real_h100x2),
        cmocka_unit_test(real_rtx3080_and_a100),
    };

    return cmocka_run_group_tests(tests, NULL, NULL);
}
