#include "server/domain/operate/check.h"

#include <inttypes.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/sandbox.h"
#include "base/text.h"
#include "server/platform/net/static_files.h"
#include "server/store/blob/blob_store.h"
#include "server/platform/config.h"
#include "server/store/db/db.h"
#include "server/store/db/migrate.h"
#include "server/store/repo/repo_watch.h"
#include "server/domain/operate/maintenance.h"
#include "server/domain/operate/watch.h"
#include "server/store/threads/db_clock.h"

struct check {
    struct farm *farm;
    struct err *e; /* the first error */
    int wrong;
};

static void wrong(struct check *c, const char *what, const struct err *why)
{
    printf("WRONG  %s: %s%s%s\n", what, why->text, why->hint[0] ? "\n       " : "", why->hint);
    if (c->wrong++ == 0) {
        *c->e = *why;
        err_wrap(c->e, "%s", what);
    }
}

/* Writes a byte, reads it back and deletes it, as an upload does. */
static void check_stored_files(struct check *c)
{
    struct farm *farm = c->farm;
    struct err why;
    uint64_t space;
    char path[PATH_MAX];
    int fd;

    if (blob_store_open_configured(farm->config, farm->clock, &farm->store.blobs, &why) < 0 ||
        blob_space(farm->store.blobs, &space, &why) < 0 || blob_stage(farm->store.blobs, &fd, path, &why) < 0) {
        wrong(c, "the stored files", &why);
        return;
    }
    if (write(fd, "x", 1) != 1 || fsync(fd) < 0) {
        err_set(&why, ERR_IO, "nothing can be written to %s", farm->config->state);
        err_hint(&why, "Check whether its disk is full or mounted read-only.");
        wrong(c, "the stored files", &why);
    } else {
        printf("ok     stored files: %s, room for %" PRIu64 " MB\n", server_config_files(farm->config),
               space / 1000000);
    }
    close(fd);
    unlink(path);
    blob_store_keep_free(farm->store.blobs, farm->config->disk_reserve_bytes);
    if (blob_store_probe(farm->store.blobs, &why) < 0)
        wrong(c, "the bucket", &why);
    if (watch_room(farm, &why) < 0)
        wrong(c, "room", &why);
}

static void check_promises(struct check *c, const struct watch_facts *facts)
{
    struct err why;

    for (size_t i = 0; i < WATCHED_SETTINGS; i++)
        if (facts->setting_on[i]) {
            printf("ok     database: %s is on\n", watched_settings[i]);
        } else {
            err_set(&why, ERR_UNSUPPORTED,
                    "%s is off, so acknowledged data could be lost, or the queue tables grow", watched_settings[i]);
            err_hint(&why, "ALTER SYSTEM SET %s = on, then restart PostgreSQL.", watched_settings[i]);
            wrong(c, "the database", &why);
        }
}

static void check_facts(struct check *c, struct db *db)
{
    struct watch_snapshot snapshot;
    struct watch_facts facts;
    struct err why;
    double skew;

    if (repo_watch_facts(db, clock_now(c->farm->clock), &facts, &why) < 0 ||
        repo_watch_snapshot(db, &snapshot, &why) < 0) {
        wrong(c, "the database", &why);
        return;
    }
    check_promises(c, &facts);
    skew = (double)(clock_now(c->farm->clock) - facts.clock) / 1e6;
    if (fabs(skew) < DB_CLOCK_DIFFERS_S) {
        printf("ok     clocks: %.1f s between this machine and the database\n", fabs(skew));
    } else {
        err_set(&why, ERR_UNSUPPORTED, "this machine's clock differs from the database's by %.1f s", skew);
        err_hint(&why, "Synchronise both with a time server.");
        wrong(c, "clocks", &why);
    }
    if (snapshot.age_s < WATCH_SNAPSHOT_S)
        return;
    err_set(&why, ERR_BUSY, "a session of %s (%s, pid %d) holds a snapshot of %.0f s: this slows down the queue",
            snapshot.user, snapshot.program, snapshot.pid, snapshot.age_s);
    err_hint(&why, "SELECT pg_terminate_backend(%d);", snapshot.pid);
    wrong(c, "the database", &why);
}

static void check_database(struct check *c)
{
    struct maintenance_database at = {.conninfo = NULL};
    struct db *db = NULL;
    struct err why;

    if (maintenance_database_open(c->farm->config, &at, false, &why) < 0 ||
        db_open_plain(at.conninfo, &db, &why) < 0 || migrate_check(at.conninfo, &why) < 0) {
        wrong(c, "the database", &why);
    } else {
        db_close(db);
        db = NULL;
        printf("ok     database: %s, its schema is current\n", c->farm->config->database ? "given" : "private");
        if (db_open(at.conninfo, &db, &why) < 0) {
            wrong(c, "the database", &why);
        } else {
            check_facts(c, db);
        }
    }
    db_close(db);
    maintenance_database_close(&at);
}

static void check_sandbox(void)
{
    struct sandbox_report report;
    struct err why;

    if (sandbox_self_test(&report, &why) < 0)
        report.level = SANDBOX_NONE;
    if (report.level == SANDBOX_FULL)
        printf("ok     sandbox: full\n");
    else
        printf(
            "note   sandbox: %s; imports and simulations are less confined than possible\n"
            "       A kernel with Landlock and seccomp gives full confinement; an outer sandbox may hide them.\n",
            sandbox_level_name(report.level));
}

static void say_found(const char *what, const char *path, bool found, const char *hint)
{
    if (found)
        printf("ok     %s: %s\n", what, path);
    else
        printf("note   %s: %s is not there\n       %s\n", what, path, hint);
}

/* Reports on descriptors that were opened before privileges were dropped: the unprivileged user may be unable to
 * open the path. */
static void check_dashboard(const struct farm *farm)
{
    struct static_file page;
    bool found = static_files_get(farm->files, "index.html", false, &page) > 0;

    if (found)
        close(page.fd);
    say_found("dashboard", farm->config->web_dir, found, "`make web` builds it. The API works without.");
}

/* As above: the path may be that of a descriptor (privileges.h). */
static void check_simulator(const struct farm *farm)
{
    const char *path = farm->config->vivace_sim;
    bool found = access(path, X_OK) == 0;
    char real[PATH_MAX];
    ssize_t n = found && str_starts(path, "/proc/self/fd/") ? readlink(path, real, sizeof real - 1) : -1;

    if (n > 0) {
        real[n] = '\0';
        path = real;
    }
    say_found("simulator", path, found,
              "Install it beside this program. Without it there are no GPU designs to simulate.");
}

int check_farm(struct farm *farm, struct err *e)
{
    struct check c = {.farm = farm, .e = e};

    check_sandbox(); /* first, because it forks, and no threads exist yet */
    check_stored_files(&c);
    check_database(&c);
    check_dashboard(farm);
    check_simulator(farm);
    fflush(stdout);
    return c.wrong ? -1 : 0;
}
