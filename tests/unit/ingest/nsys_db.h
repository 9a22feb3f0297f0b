/* tests/unit/ingest/nsys_db.h: small databases as `nsys export --type sqlite` writes them, in several schema
 * versions. */
#ifndef VIVACE_TESTS_UNIT_INGEST_NSYS_DB_H
#define VIVACE_TESTS_UNIT_INGEST_NSYS_DB_H

#include <sqlite3.h>

#include "tests/unit/ingest/inputs.h"

#define COLUMNS_27                                                                                                 \
    "start,end,deviceId,contextId,streamId,correlationId,globalPid,demangledName,shortName,mangledName,"           \
    "launchType,"                                                                                                  \
    "cacheConfig,registersPerThread,gridX,gridY,gridZ,blockX,blockY,blockZ,staticSharedMemory,"                    \
    "dynamicSharedMemory,localMemoryPerThread,localMemoryTotal,gridId,sharedMemoryExecuted,graphNodeId,"           \
    "sharedMemoryLimitConfig"
#define COLUMNS_28                                                                                                 \
    "start,end,deviceId,contextId,greenContextId,streamId,correlationId,globalPid,demangledName,shortName,"        \
    "mangledName,"                                                                                                 \
    "launchType,cacheConfig,registersPerThread,gridX,gridY,gridZ,blockX,blockY,blockZ,staticSharedMemory,"         \
    "dynamicSharedMemory,localMemoryPerThread,localMemoryTotal,gridId,sharedMemoryExecuted,graphNodeId,"           \
    "sharedMemoryLimitConfig"
#define COLUMNS_38                                                                                                 \
    COLUMNS_28 ",qmdBulkReleaseDone,qmdPreexitDone,qmdLastCtaDone,graphId,clusterX,clusterY,clusterZ,"             \
               "clusterSchedulingPolicy,maxPotentialClusterSize,maxActiveClusters"
#define COLUMNS_39 COLUMNS_38 ",sharedMemoryRequestedPercentage"
#define COLUMNS_40 COLUMNS_39 ",tensorSizeMinusOneElements"

static const struct nsys_schema {
    const char *version, *columns, *meta; /* meta: the table that contains the version */
} nsys_schemas[] = {
    {"2.7.0", COLUMNS_27, "EXPORT_META_DATA"},  {"2.9.1", COLUMNS_27, "EXPORT_META_DATA"},
    {"3.1.2", COLUMNS_27, "EXPORT_META_DATA"},  {"3.13.2", COLUMNS_28, "META_DATA_EXPORT"},
    {"3.24.0", COLUMNS_38, "META_DATA_EXPORT"}, {"3.24.14", COLUMNS_39, "META_DATA_EXPORT"},
    {"3.25.0", COLUMNS_40, "META_DATA_EXPORT"},
};
#define NSYS_SCHEMAS (sizeof nsys_schemas / sizeof *nsys_schemas)

/* Runs SQL statements; printf format. */
static inline void db_run(sqlite3 *db, const char *format, ...)
{
    char *why = NULL, *sql;
    va_list ap;

    va_start(ap, format);
    sql = sqlite3_vmprintf(format, ap);
    va_end(ap);
    if (sqlite3_exec(db, sql, NULL, NULL, &why) != SQLITE_OK)
        fail_msg("%s: %s", sql, why);
    sqlite3_free(sql);
}

/* A database with everything except kernels. Strings from 1 on are names, from 100 on their mangled forms. */
static inline sqlite3 *db_new(const char *path, const struct nsys_schema *schema, bool with_gpu)
{
    sqlite3 *db;

    unlink(path);
    assert_int_equal(sqlite3_open(path, &db), SQLITE_OK);
    db_run(db,
           "PRAGMA synchronous = OFF; PRAGMA journal_mode = MEMORY; BEGIN;"
           "CREATE TABLE %s (name TEXT NOT NULL, value TEXT);"
           "INSERT INTO %s VALUES ('EXPORT_PRODUCT_NAME', 'NVIDIA Nsight Systems'), ('EXPORT_SCHEMA_VERSION', %Q);"
           "CREATE TABLE StringIds (id INTEGER NOT NULL PRIMARY KEY, value TEXT NOT NULL);"
           "INSERT INTO StringIds VALUES (1, 'void saxpy<float>(int, float, float *)'), (2, 'gemm<128, 64>(T1 *)'),"
           " (100, '_Z5saxpyIfEviT_PS0_'), (101, 'gemm_mangled');",
           schema->meta, schema->meta, schema->version);
    /* Private data that such files also contain and that must never appear in the output. */
    db_run(db, "CREATE TABLE TARGET_INFO_SYSTEM_ENV (name TEXT, nameEnum INTEGER, devStateName TEXT, value TEXT);"
               "INSERT INTO TARGET_INFO_SYSTEM_ENV VALUES ('Hostname', 1, '', 'secret-host');"
               "CREATE TABLE PROCESSES (globalPid INTEGER, pid INTEGER, name TEXT);"
               "INSERT INTO PROCESSES VALUES (281470681743360, 4, '/home/secret-user/train.py');");
    if (with_gpu)
        db_run(db, "CREATE TABLE TARGET_INFO_GPU (vmId INTEGER, id INTEGER NOT NULL, name TEXT, busLocation TEXT,"
                   " cuDevice INTEGER, smCount INTEGER);"
                   "INSERT INTO TARGET_INFO_GPU VALUES (0, 0, 'NVIDIA H100 80GB HBM3', 'x', 1, 132),"
                   " (0, 1, 'NVIDIA A100-SXM4-40GB', 'x', 0, 108)");
    return db;
}

static inline void db_kernel_table(sqlite3 *db, const char *columns)
{
    db_run(db, "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL (%s)", columns);
}

/* One launch. `end`, correlation and name are SQL, so that NULL and invalid values are possible. */
struct db_launch {
    int64_t start;
    const char *end;
    int device, context, stream;
    const char *correlation;
    int64_t process;
    const char *name;
    int grid[3];
};

static inline void db_kernel(sqlite3 *db, const struct db_launch *l)
{
    db_run(
        db,
        "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL (start, \"end\", deviceId, contextId, streamId, correlationId,"
        " globalPid, demangledName, shortName, mangledName, registersPerThread, gridX, gridY, gridZ, blockX, "
        "blockY,"
        " blockZ, staticSharedMemory, dynamicSharedMemory, localMemoryPerThread, localMemoryTotal, gridId)"
        " VALUES (%lld, %s, %d, %d, %d, %s, %lld, %s, 1, 99 + %s, 32, %d, %d, %d, 128, 1, 1, 1024, 512, 0, 0, 7)",
        (long long)l->start, l->end, l->device, l->context, l->stream, l->correlation, (long long)l->process,
        l->name, l->name, l->grid[0], l->grid[1], l->grid[2]);
}

static inline void db_close(sqlite3 *db)
{
    db_run(db, "COMMIT");
    assert_int_equal(sqlite3_close(db), SQLITE_OK);
}

#endif
