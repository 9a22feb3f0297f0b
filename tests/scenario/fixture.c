/* tests/scenario/fixture.c: two teams with tokens and one profile each, with traces of all launches. */
#include <inttypes.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/hash.h"
#include "base/strbuf.h"
#include "sampling/profile/profile.h"
#include "server/domain/access/access.h"
#include "server/store/repo/repo_account.h"
#include "server/store/repo/repo_profile.h"
#include "server/store/repo/repo_workload.h"
#include "server/domain/import/profile_file.h"
#include "server/store/repo/sql/statements.h"
#include "tests/scenario/database.h"
#include "tests/scenario/farm.h"

struct fixture fixture;

/* Forty launches of four kernels. Two of three launches have a duplicate, so that jobs share result keys. */
static int make_profile(int team, struct profile *out, struct err *e)
{
    struct profile_builder *b = profile_builder_new(PROFILE_NS, 1, e);
    int64_t start = 0;
    int ret = b ? 0 : -1;

    for (uint64_t i = 0; ret == 0 && i < LAUNCHES; i++) {
        char name[40];
        struct profile_row row = {.name = name,
                                  .grid = {(uint32_t)(1 + i % 4), 1, 1},
                                  .block = {128, 1, 1},
                                  .device = 0,
                                  .correlation = i + 1,
                                  .start_ns = start,
                                  .value = 1000 + 700 * (i % 4) + (i * i * 37) % 211 + (uint64_t)team};

        snprintf(name, sizeof name, "kernel_%d_%d", team, (int)(i % 4));
        start += (int64_t)row.value + 50;
        ret = profile_builder_add(b, &row, e);
    }
    if (ret == 0)
        ret = profile_builder_finish(b, out, e);
    profile_builder_free(b);
    return ret;
}

static int store_rows(struct db *db, const char *id, struct profile_file *f, struct err *e)
{
    struct kernel_facts kernel;
    struct strbuf chunk = STRBUF_INIT;
    uint64_t number = 0;
    int ret;

    while ((ret = profile_file_kernel(f, &kernel, e)) > 0) {
        ret = repo_profile_kernels_put(db, id, number++, &kernel, 1, e);
        kernel_facts_release(&kernel);
        if (ret < 0)
            return -1;
    }
    if (ret < 0 || profile_file_chunk(f, &chunk, e) <= 0)
        return -1;
    ret = repo_profile_chunk_put(db, id, 0, LAUNCHES, &chunk, e);
    strbuf_release(&chunk);
    return ret;
}

static int store_profile(struct db *db, int team, const char *folder, struct err *e)
{
    char path[PATH_MAX], workload[UUID_TEXT], blob[SHA256_HEX], *id = fixture.profile[team];
    struct profile_file *f = NULL;
    struct profile p;
    int ret;

    profile_init(&p);
    snprintf(path, sizeof path, "%s/profile", folder);
    uuid_make(&clock_system, id);
    uuid_make(&clock_system, workload);
    ret = make_profile(team, &p, e) < 0 || profile_file_write(path, &p, "{}", e) < 0 ||
                  profile_file_open(path, &f, e) < 0 || sha256_bytes(id, strlen(id), blob, e) < 0
              ? -1
              : 0;
    if (ret == 0) {
        PQclear(ask(
            "INSERT INTO blob (sha256, bytes, created_at, touched_at) VALUES ($1, 100, to_timestamp(1780000000),"
            " to_timestamp(1780000000)) RETURNING 1",
            blob));
        ret = repo_profile_put(db, id, fixture.team[team], NULL, blob, "profile", profile_file_facts(f),
                               profile_file_tables(f), clock_now(&clock_system), e) < 0 ||
                      store_rows(db, id, f, e) < 0 ||
                      repo_workload_named(db, workload, fixture.team[team], "work", clock_now(&clock_system), e) <
                          0 ||
                      repo_profile_ready(db, id, workload, e) < 0
                  ? -1
                  : 0;
    }
    profile_file_close(f);
    profile_release(&p);
    return ret;
}

/* The bytes of these traces are never read: workers of a scenario compute a result from the trace's hash. */
static void bind_traces(int team)
{
    PQclear(ask("WITH t AS (SELECT DISTINCT encode(sha256(('trace ' || $1 || ' ' || n % 30)::bytea), 'hex') AS sha"
                "             FROM generate_series(0, 39) n),"
                " b AS (INSERT INTO blob (sha256, bytes, created_at, touched_at) SELECT sha, 1000, "
                "to_timestamp(1780000000),"
                "   to_timestamp(1780000000) FROM t RETURNING 1)"
                " SELECT count(*) FROM b",
                team ? "b" : "a"));
    PQclear(ask("WITH t AS (SELECT DISTINCT encode(sha256(('trace ' || $1 || ' ' || n % 30)::bytea), 'hex') AS sha"
                "             FROM generate_series(0, 39) n),"
                " r AS (INSERT INTO trace (sha256, name, grid, block, warp_instructions, ctas, warps, bytes,"
                "         created_at) SELECT sha, 'k', '{1,1,1}', '{128,1,1}', 100, 1, 4, 1000,"
                "         to_timestamp(1780000000) FROM t RETURNING 1) SELECT count(*) FROM r",
                team ? "b" : "a"));
    PQclear(ask("WITH r AS (INSERT INTO trace_binding SELECT $2::uuid, n,"
                "  encode(sha256(('trace ' || $1 || ' ' || n % 30)::bytea), 'hex'), to_timestamp(1780000000)"
                "  FROM generate_series(0, 39) n RETURNING 1) SELECT count(*) FROM r",
                team ? "b" : "a", fixture.profile[team]));
}

static int make_tokens(struct db *db, struct err *e)
{
    struct token_request worker = {.team_id = fixture.team[0], .name = "pool", .scopes = 1u << SCOPE_WORKER};
    char id[UUID_TEXT];

    for (int i = 0; i < TEAMS; i++) {
        struct token_request w = {.team_id = fixture.team[i],
                                  .name = i ? "lab" : "owner",
                                  .scopes = 1u << SCOPE_READ | 1u << SCOPE_WRITE};

        if (token_make(db, &clock_system, &w, fixture.member[i], id, e) < 0)
            return -1;
    }
    return token_make(db, &clock_system, &worker, fixture.worker, id, e);
}

int fixture_make(void *folder, struct err *e)
{
    struct db *db;
    int ret = 0;

    fixture.team[0] = ask_number("SELECT id FROM team WHERE slug = 'default'");
    fixture.team[1] = ask_number("INSERT INTO team (slug, share) VALUES ('lab', 2) RETURNING id");
    db_use_statements(sql_statements);
    if (db_open(database_conninfo(), &db, e) < 0)
        return -1;
    for (int i = 0; ret == 0 && i < TEAMS; i++) {
        ret = store_profile(db, i, folder, e);
        if (ret == 0)
            bind_traces(i);
    }
    if (ret == 0)
        ret = make_tokens(db, e);
    db_close(db);
    return ret;
}
