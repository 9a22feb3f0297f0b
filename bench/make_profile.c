/* make_profile FORMAT ROWS FILE: writes a synthetic profile of ROWS kernel launches with 60 kernel names, for
 * measuring imports and plans. FORMAT is csv (nsys cuda_gpu_trace), sqlite (nsys export, schema 3.1.2) or columns
 * (the chunks of the database, in a file as in server/domain/import/profile_file.h). The output is deterministic.
 */
#include <inttypes.h>
#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/rng.h"
#include "sampling/profile/profile.h"
#include "server/domain/import/profile_file.h"

#define NAMES 60

struct launch {
    uint64_t start_ns, duration_ns;
    unsigned name, grid;
};

/* Log-normal durations with a separate mean for each name, rounded to 32 ns, the resolution of a GPU's clock. */
static struct launch next_launch(struct rng *r, uint64_t *now_ns)
{
    struct launch l;

    l.name = (unsigned)rng_below(r, NAMES);
    l.grid = 1 + l.name % 7;
    l.duration_ns = (uint64_t)(2000.0 * (1 + l.name) * exp(0.1 * rng_normal(r))) / 32 * 32 + 32;
    l.start_ns = *now_ns;
    *now_ns += l.duration_ns + 500;
    return l;
}

static int write_csv(const char *path, uint64_t rows)
{
    FILE *f = fopen(path, "w");
    struct rng r;
    uint64_t now_ns = 1000000;

    if (!f) {
        perror(path);
        return 74;
    }
    rng_init(&r, 1, 0, RNG_EXAMPLE);
    fputs("Start (ns),Duration (ns),CorrId,GrdX,GrdY,GrdZ,BlkX,BlkY,BlkZ,Reg/Trd,StcSMem (MB),DymSMem (MB),"
          "Bytes (MB),Throughput (MBps),SrcMemKd,DstMemKd,Device,Ctx,Strm,Name\n",
          f);
    for (uint64_t i = 0; i < rows; i++) {
        struct launch l = next_launch(&r, &now_ns);

        fprintf(f,
                "%" PRIu64 ",%" PRIu64 ",%" PRIu64 ",%u,1,1,128,1,1,32,0.000,0.000,,,,,Made-up GPU (0),1,7,"
                "\"void made_up::kernel_%u<float, 4>(float*, int)\"\n",
                l.start_ns, l.duration_ns, i + 1, l.grid * 32, l.name);
    }
    if (fclose(f) != 0) {
        perror(path);
        return 74;
    }
    return 0;
}

static int run_sql(sqlite3 *db, const char *sql)
{
    char *why = NULL;

    if (sqlite3_exec(db, sql, NULL, NULL, &why) == SQLITE_OK)
        return 0;
    fprintf(stderr, "make_profile: %s\n", why);
    sqlite3_free(why);
    return 74;
}

static int write_sqlite(const char *path, uint64_t rows)
{
    sqlite3 *db = NULL;
    sqlite3_stmt *insert = NULL;
    struct rng r;
    uint64_t now_ns = 1000000;
    int ret = 74;

    remove(path);
    rng_init(&r, 1, 0, RNG_EXAMPLE);
    if (sqlite3_open(path, &db) != SQLITE_OK ||
        run_sql(
            db,
            "PRAGMA journal_mode=OFF; PRAGMA synchronous=OFF; BEGIN;"
            "CREATE TABLE StringIds(id INTEGER PRIMARY KEY, value TEXT NOT NULL);"
            "CREATE TABLE EXPORT_META_DATA(name TEXT, value TEXT);"
            "INSERT INTO EXPORT_META_DATA VALUES('EXPORT_SCHEMA_VERSION','3.1.2');"
            "CREATE TABLE CUPTI_ACTIVITY_KIND_KERNEL(start INTEGER, end INTEGER, deviceId INTEGER, contextId "
            "INTEGER,"
            " streamId INTEGER, correlationId INTEGER, globalPid INTEGER, demangledName INTEGER, shortName INTEGER,"
            " mangledName INTEGER, launchType INTEGER, cacheConfig INTEGER, registersPerThread INTEGER, gridX "
            "INTEGER,"
            " gridY INTEGER, gridZ INTEGER, blockX INTEGER, blockY INTEGER, blockZ INTEGER, staticSharedMemory "
            "INTEGER,"
            " dynamicSharedMemory INTEGER, localMemoryPerThread INTEGER, localMemoryTotal INTEGER, gridId INTEGER,"
            " sharedMemoryExecuted INTEGER, graphNodeId INTEGER, sharedMemoryLimitConfig INTEGER);") != 0)
        goto out;
    for (unsigned name = 0; name < NAMES; name++) {
        char sql[160];

        snprintf(sql, sizeof sql,
                 "INSERT INTO StringIds VALUES(%u,'void made_up::kernel_%u<float, 4>(float*, int)')", name + 1,
                 name);
        if (run_sql(db, sql) != 0)
            goto out;
    }
    if (sqlite3_prepare_v2(
            db,
            "INSERT INTO CUPTI_ACTIVITY_KIND_KERNEL VALUES(?1,?2,0,1,7,?3,16777216,?4,?4,NULL,0,0,32,"
            "?5,1,1,128,1,1,0,0,0,0,0,0,NULL,0)",
            -1, &insert, NULL) != SQLITE_OK)
        goto out;
    for (uint64_t i = 0; i < rows; i++) {
        struct launch l = next_launch(&r, &now_ns);

        sqlite3_bind_int64(insert, 1, (sqlite3_int64)l.start_ns);
        sqlite3_bind_int64(insert, 2, (sqlite3_int64)(l.start_ns + l.duration_ns));
        sqlite3_bind_int64(insert, 3, (sqlite3_int64)i + 1);
        sqlite3_bind_int(insert, 4, (int)l.name + 1);
        sqlite3_bind_int(insert, 5, (int)l.grid * 32);
        if (sqlite3_step(insert) != SQLITE_DONE || sqlite3_reset(insert) != SQLITE_OK)
            goto out;
    }
    ret = run_sql(db, "COMMIT");
out:
    if (ret != 0)
        fprintf(stderr, "make_profile: %s: %s\n", path, db ? sqlite3_errmsg(db) : "out of memory");
    sqlite3_finalize(insert);
    sqlite3_close(db);
    return ret;
}

static int add_rows(struct profile_builder *b, uint64_t rows, struct err *e)
{
    char names[NAMES][64] = {{0}};
    struct rng r;
    uint64_t now_ns = 1000000;

    for (unsigned name = 0; name < NAMES; name++)
        snprintf(names[name], sizeof names[name], "void made_up::kernel_%u<float, 4>(float*, int)", name);
    rng_init(&r, 1, 0, RNG_EXAMPLE);
    for (uint64_t i = 0; i < rows; i++) {
        struct launch l = next_launch(&r, &now_ns);
        struct profile_row row = {.name = names[l.name],
                                  .grid = {l.grid * 32, 1, 1},
                                  .block = {128, 1, 1},
                                  .registers = 32,
                                  .context = 1,
                                  .stream = 7,
                                  .correlation = i + 1,
                                  .start_ns = (int64_t)l.start_ns,
                                  .value = l.duration_ns};

        if (profile_builder_add(b, &row, e) < 0)
            return -1;
    }
    return 0;
}

static int write_columns(const char *path, uint64_t rows)
{
    struct profile p;
    struct err e;
    struct profile_builder *b = profile_builder_new(PROFILE_NS, 1, &e);
    int ret = -1;

    profile_init(&p);
    if (b && add_rows(b, rows, &e) == 0 && profile_builder_finish(b, &p, &e) == 0) {
        snprintf(p.gpu_name, sizeof p.gpu_name, "Made-up GPU");
        ret = profile_file_write(path, &p, "{}", &e);
    }
    profile_builder_free(b);
    profile_release(&p);
    if (ret < 0)
        fprintf(stderr, "make_profile: %s\n", e.text);
    return ret < 0 ? 74 : 0;
}

int main(int argc, char **argv)
{
    uint64_t rows = argc == 4 ? strtoull(argv[2], NULL, 10) : 0;

    if (rows > 0 && strcmp(argv[1], "csv") == 0)
        return write_csv(argv[3], rows);
    if (rows > 0 && strcmp(argv[1], "sqlite") == 0)
        return write_sqlite(argv[3], rows);
    if (rows > 0 && strcmp(argv[1], "columns") == 0)
        return write_columns(argv[3], rows);
    fprintf(stderr, "usage: make_profile csv|sqlite|columns ROWS FILE\n");
    return 64;
}
