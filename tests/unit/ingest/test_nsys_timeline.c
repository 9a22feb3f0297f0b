/* The timeline of an nsys export: calls, work, who waited for whom; what a file can have wrong; and the recorded
 * report of two H100, re-timed on its own design. */
#include "ingest/ingest.h"
#include "sampling/time/timeline.h"
#include "tests/unit/ingest/nsys_db.h"

#define PROCESS "281470681743360" /* 0xffff00000000 */
#define THREAD  "281470681743361"

static char path[64]; /* of the report of a test */

/* The tables with what is read from them. */
static sqlite3 *new_report(void)
{
    sqlite3 *db;

    snprintf(path, sizeof path, "/tmp/vivace-nsys-timeline-%d.sqlite", (int)getpid());
    db = db_new(path, &nsys_schemas[NSYS_SCHEMAS - 1], true);

    db_run(
        db,
        "INSERT INTO StringIds VALUES (3, 'cudaStreamSynchronize_v3020'), (4, 'cudaLaunchKernel_v7000'),"
        " (5, 'ncclDevKernel_AllReduce_Sum_f32_RING_LL(ncclDevKernelArgsStorage<(unsigned long)4096>)');"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_RUNTIME (start INTEGER, end INTEGER, globalTid INTEGER,"
        " correlationId INTEGER, nameId INTEGER);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER,"
        " correlationId INTEGER, globalPid INTEGER, demangledName INTEGER);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMCPY (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER,"
        " correlationId INTEGER, globalPid INTEGER, copyKind INTEGER, bytes INTEGER);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_MEMSET (start INTEGER, end INTEGER, deviceId INTEGER, streamId INTEGER,"
        " correlationId INTEGER, globalPid INTEGER);"
        "CREATE TABLE CUPTI_ACTIVITY_KIND_SYNCHRONIZATION (syncType INTEGER, streamId INTEGER,"
        " correlationId INTEGER, globalPid INTEGER);");
    return db;
}

static void close_report(sqlite3 *db)
{
    db_run(db, "COMMIT");
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

static void calls_and_work_are_joined(void **state)
{
    sqlite3 *db = new_report();
    struct timeline t;
    struct err e;

    (void)state;
    db_run(db, "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1020, 1030, " THREAD
               ", 12, 4), (1000, 1010, " THREAD ", 11, 4), (1040, 2000, " THREAD ", 13, 3), (1035, 1036, " THREAD
               ", 14, 4), (NULL, 5, " THREAD ", 15, 4), (9, 5, " THREAD ", 15, 4);");
    db_run(db,
           "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1015, 1500, 0, 7, 11, " PROCESS ", 1), (1500, 1900, 0,"
           " 8, 12, " PROCESS ", 5), (1900, 1950, 0, 7, 99, " PROCESS ", 1);");
    db_run(db, "INSERT INTO CUPTI_ACTIVITY_KIND_MEMCPY VALUES (1950, 1960, 0, 7, 12, " PROCESS
               ", 2, 4096), (1960, 1970, 0,"
               " 7, 12, " PROCESS ", 8, 1), (1990, 1991, 0, 7, 12, " PROCESS
               ", 9, -1), (1992, 1993, 0, 7, 12, " PROCESS ", 3, 1);"
               "INSERT INTO CUPTI_ACTIVITY_KIND_MEMSET VALUES (1970, 1980, 0, 7, 12, " PROCESS ");"
               "INSERT INTO CUPTI_ACTIVITY_KIND_SYNCHRONIZATION VALUES (3, 7, 13, " PROCESS "), (2, 8, 14, " PROCESS
               "), (1, 7, 12, " PROCESS "), (3, 7, 77, " PROCESS ");");
    close_report(db);
    CHECK_OK(ingest_timeline(path, "report", &t, &e), &e);
    assert_int_equal(t.call_count, 4);
    assert_int_equal(t.dropped, 2);
    assert_int_equal(t.calls[0].start_ns, 0);
    assert_int_equal(t.calls[3].duration_ns, 960);
    assert_int_equal(t.calls[3].wait, WAITS_STREAM);
    assert_int_equal(t.calls[0].wait, WAITS_NOT);
    assert_int_equal(t.work_count, 8);
    assert_int_equal(t.works[0].kind, TIMELINE_KERNEL);
    assert_int_equal(t.works[0].call, 0);
    assert_int_equal(t.works[1].kind, TIMELINE_COLLECTIVE);
    assert_int_equal(t.works[1].call, 1);
    assert_int_equal(t.works[2].call, TIMELINE_NONE);
    assert_int_equal(t.works[3].kind, TIMELINE_COPY);
    assert_int_equal(t.works[4].kind, TIMELINE_FILL);
    assert_int_equal(t.works[5].kind, TIMELINE_FILL);
    assert_int_equal(t.works[6].kind, TIMELINE_COPY); /* host to host, host to array: not in a GPU's memory */
    assert_int_equal(t.works[7].kind, TIMELINE_COPY);
    assert_int_equal(t.works[1].transfer, TRANSFER_ALL_REDUCE);
    assert_int_equal(t.works[3].transfer, TRANSFER_TO_HOST);
    assert_int_equal(t.works[3].bytes, 4096);
    assert_int_equal(t.works[6].transfer, TRANSFER_UNKNOWN);
    assert_int_equal(t.works[6].bytes, 0);
    assert_int_equal(t.works[7].transfer, TRANSFER_FROM_HOST);
    assert_int_equal(t.calls[3].stream, t.works[0].stream);
    assert_int_equal(t.wait_count, 1);
    assert_int_equal(t.waits[0].call, 2);
    assert_int_equal(t.waits[0].stream, t.works[1].stream);
    assert_int_equal(t.threads, 1);
    assert_int_equal(t.streams, 2);
    assert_int_equal(t.processes, 1);
    timeline_release(&t);
}

/* By device, then by process; not in the order of rows. */
static void gpus_are_numbered_by_device(void **state)
{
    sqlite3 *db = new_report();
    struct timeline t;
    struct err e;

    (void)state;
    db_run(db, "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1000, 1010, " THREAD ", 11, 4);");
    db_run(db, "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES (1100, 1101, 3, 7, 11, " PROCESS
               ", 1), (1200, 1201, 1, 7, 12, 562949953421312, 1), (1300, 1301, 1, 7, 13, " PROCESS
               ", 1), (1400, 1401, 0, 7, 14, " PROCESS ", 1);");
    close_report(db);
    CHECK_OK(ingest_timeline(path, "report", &t, &e), &e);
    assert_int_equal(t.gpus, 4);
    assert_int_equal(t.works[0].gpu, 3);
    assert_int_equal(t.works[1].gpu, 2);
    assert_int_equal(t.works[2].gpu, 1);
    assert_int_equal(t.works[3].gpu, 0);
    timeline_release(&t);
}

static void check_refused(const char *sql, const char *want)
{
    sqlite3 *db = new_report();
    struct timeline t;
    struct err e;

    db_run(db, "%s", sql);
    close_report(db);
    CHECK_FAILS(ingest_timeline(path, "report", &t, &e), &e, e.code, want);
    timeline_release(&t);
}

static void files_without_calls_are_refused(void **state)
{
    struct timeline t;
    struct err e;

    (void)state;
    check_refused("DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME", "report has no calls of the CUDA API");
    check_refused("DELETE FROM CUPTI_ACTIVITY_KIND_RUNTIME", "report has no calls of the CUDA API");
    check_refused("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 2, 3, 4, 5);"
                  "ALTER TABLE CUPTI_ACTIVITY_KIND_KERNEL RENAME COLUMN streamId TO stream",
                  "table CUPTI_ACTIVITY_KIND_KERNEL has no column streamId");
    check_refused("ALTER TABLE CUPTI_ACTIVITY_KIND_RUNTIME RENAME COLUMN correlationId TO correlation",
                  "table CUPTI_ACTIVITY_KIND_RUNTIME has no column correlationId");
    check_refused("DROP TABLE CUPTI_ACTIVITY_KIND_RUNTIME; CREATE VIEW CUPTI_ACTIVITY_KIND_RUNTIME AS SELECT 1",
                  "CUPTI_ACTIVITY_KIND_RUNTIME");
    CHECK_FAILS(ingest_timeline("Makefile", "Makefile", &t, &e), &e, e.code, "Makefile");
    timeline_release(&t);
}

static void computed_columns_are_refused(void **state)
{
    static const char *const tables[] = {"CUPTI_ACTIVITY_KIND_RUNTIME",         "CUPTI_ACTIVITY_KIND_KERNEL",
                                         "CUPTI_ACTIVITY_KIND_MEMCPY",          "CUPTI_ACTIVITY_KIND_MEMSET",
                                         "CUPTI_ACTIVITY_KIND_SYNCHRONIZATION", "StringIds"};

    (void)state;
    for (size_t i = 0; i < sizeof tables / sizeof *tables; i++) {
        char sql[240], want[100];

        snprintf(sql, sizeof sql,
                 "INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 2, 3, 4, 5);"
                 "ALTER TABLE %s ADD COLUMN more INTEGER AS (abs(1))",
                 tables[i]);
        snprintf(want, sizeof want, "table %s has computed columns", tables[i]);
        check_refused(sql, want);
    }
}

static void whole_graphs_are_refused(void **state)
{
    (void)state;
    check_refused("INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME VALUES (1, 2, 3, 4, 5);"
                  "CREATE TABLE CUPTI_ACTIVITY_KIND_GRAPH_TRACE (start INTEGER, end INTEGER);"
                  "INSERT INTO CUPTI_ACTIVITY_KIND_GRAPH_TRACE VALUES (1, 2)",
                  "CUDA graphs were traced as whole graphs");
}

static void too_many_threads_are_refused(void **state)
{
    (void)state;
    check_refused("WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000)"
                  " INSERT INTO CUPTI_ACTIVITY_KIND_RUNTIME SELECT i, i + 1, i, i, 4 FROM n",
                  "more than 1024 threads");
}

static struct timeline_result retime(const struct timeline *t, enum timeline_kind kind, double factor, bool typical)
{
    struct timeline_options o = {.factor = {1, 1, 1, 1, 1}, .typical = typical};
    struct timeline_result r;
    struct err e;

    o.factor[kind] = factor;
    CHECK_OK(timeline_retime(t, &o, &r, NULL, &e), &e);
    return r;
}

/* The makespan from durations, CPU time and median latencies alone is within 5 % of the profiled one; slower links
 * change only communication. */
static void two_h100_are_retimed(void **state)
{
    const char *report = shared_data("nsys/h100x2-2026.2.sqlite");
    struct timeline_result own, slow;
    struct timeline t;
    struct err e;

    (void)state;
    CHECK_OK(ingest_timeline(report, report, &t, &e), &e);
    assert_int_equal(t.gpus, 2);
    assert_int_equal(t.dropped, 0);
    own = retime(&t, TIMELINE_CALL, 1, false);
    CHECK_NEAR(own.span_ns, own.profiled_ns, 1e-9);
    assert_true(own.linked > 0 && own.linked == own.collectives);
    own = retime(&t, TIMELINE_CALL, 1, true);
    printf("makespan %.3f ms, profiled %.3f ms: %+.2f %%\n", own.span_ns / 1e6, own.profiled_ns / 1e6,
           (own.span_ns / own.profiled_ns - 1) * 100);
    CHECK_NEAR(own.span_ns, own.profiled_ns, 0.05);
    slow = retime(&t, TIMELINE_COLLECTIVE, 2, true);
    CHECK_NEAR(slow.path_ns[TIMELINE_COLLECTIVE], 2 * own.path_ns[TIMELINE_COLLECTIVE], 0.01);
    CHECK_NEAR(slow.path_ns[TIMELINE_KERNEL], own.path_ns[TIMELINE_KERNEL], 0.01);
    CHECK_NEAR(slow.span_ns - own.span_ns, own.path_ns[TIMELINE_COLLECTIVE], 0.02);
    timeline_release(&t);
}

static int remove_report(void **state)
{
    (void)state;
    unlink(path);
    return 0;
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(calls_and_work_are_joined),    cmocka_unit_test(files_without_calls_are_refused),
        cmocka_unit_test(computed_columns_are_refused), cmocka_unit_test(whole_graphs_are_refused),
        cmocka_unit_test(too_many_threads_are_refused), cmocka_unit_test(two_h100_are_retimed),
        cmocka_unit_test(gpus_are_numbered_by_device),
    };
    return cmocka_run_group_tests(tests, NULL, remove_report);
}
