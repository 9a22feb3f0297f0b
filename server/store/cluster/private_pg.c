#include "server/store/cluster/private_pg_internal.h"

#include <errno.h>
#include <libpq-fe.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "base/array.h"
#include "base/clock.h"
#include "base/hash.h"
#include "base/log.h"
#include "server/platform/child.h"
#include "server/store/db/db.h"

#define START_WAIT_S 60 /* orphaned backends of a killed postmaster keep its shared memory for some seconds */
#define STOP_WAIT_S  30

static void sleep_ms(int ms)
{
    struct timespec t = {ms / 1000, (long)(ms % 1000) * 1000000};

    nanosleep(&t, NULL);
}

/* --- Paths --- */

static int socket_folder(struct private_pg *pg, const char *state, struct err *e)
{
    char hex[SHA256_HEX];

    if (strlen(state) + 4 <= SOCKET_PATH_MAX) {
        snprintf(pg->sockets, sizeof pg->sockets, "%s/run", state);
        return 0;
    }
    if (sha256_bytes(state, strlen(state), hex, e) < 0)
        return -1;
    snprintf(pg->sockets, sizeof pg->sockets, "/tmp/vivace-%d-%.12s", (int)geteuid(), hex);
    return 0;
}

/* Removes the environment variables of libpq and PostgreSQL, which may name another database. */
static void forget_other_databases(void)
{
    static const char *const more[] = {"PGSERVICEFILE", "PGSYSCONFDIR", "PGDATA", "PGTZ", "PGGEQO", "PGDATESTYLE"};
    PQconninfoOption *options = PQconndefaults();

    for (const PQconninfoOption *o = options; o && o->keyword; o++)
        if (o->envvar)
            unsetenv(o->envvar);
    PQconninfoFree(options);
    for (size_t i = 0; i < sizeof more / sizeof more[0]; i++)
        unsetenv(more[i]);
}

static int locate(struct private_pg *pg, const struct server_config *c, struct err *e)
{
    const struct passwd *p = getpwuid(geteuid());

    if (!p)
        return err_set(e, ERR_USAGE, "user number %d has no name, which the private database needs",
                       (int)geteuid());
    forget_other_databases();
    snprintf(pg->user, sizeof pg->user, "%s", p->pw_name);
    snprintf(pg->data, sizeof pg->data, "%s/postgres/data", c->state);
    snprintf(pg->logs, sizeof pg->logs, "%s/postgres/log", c->state);
    if (socket_folder(pg, c->state, e) < 0)
        return -1;
    if (strpbrk(pg->sockets, "'\\ ,"))
        return err_set(e, ERR_USAGE,
                       "the state folder's path may hold no blanks, commas, quotes or backslashes: %s", c->state);
    snprintf(pg->conninfo, sizeof pg->conninfo, "host=%s port=5432 dbname=vivace user=%s", pg->sockets, pg->user);
    return 0;
}

int private_pg_address(const struct server_config *c, char conninfo[600], struct err *e)
{
    struct private_pg pg = {0};

    if (locate(&pg, c, e) < 0)
        return -1;
    memcpy(conninfo, pg.conninfo, sizeof pg.conninfo);
    return 0;
}

static int own_folder(const char *path, struct err *e)
{
    struct stat st;

    if (mkdir(path, 0700) < 0 && errno != EEXIST)
        return err_set_errno(e, errno, "making the folder %s", path);
    if (lstat(path, &st) < 0 || !S_ISDIR(st.st_mode) || st.st_uid != geteuid())
        return err_set(e, ERR_FORBIDDEN, "the folder %s belongs to another user", path);
    return chmod(path, 0700) < 0 ? err_set_errno(e, errno, "%s", path) : 0;
}

/* --- Start and stop --- */

static PGPing ping(const struct private_pg *pg)
{
    const char *const key[] = {"host", "port", "dbname", "user", "connect_timeout", NULL};
    const char *const value[] = {pg->sockets, "5432", "postgres", pg->user, "2", NULL};

    return PQpingParams(key, value, 0);
}

static pid_t pid_in_file(const struct private_pg *pg)
{
    char path[PATH_TEXT + 32];
    FILE *f;
    long pid = 0;

    snprintf(path, sizeof path, "%s/postmaster.pid", pg->data);
    f = fopen(path, "re");
    if (!f)
        return 0;
    if (fscanf(f, "%ld", &pid) != 1)
        pid = 0;
    fclose(f);
    return pid > 1 && kill((pid_t)pid, 0) == 0 ? (pid_t)pid : 0;
}

/* These signals stop the private database when a command is interrupted (Ctrl-C) or a server is still starting. A
 * running server handles the signals itself. */
static volatile sig_atomic_t to_end, starter;

static void on_interrupt(int number)
{
    if (to_end > 0 && starter == getpid())
        kill((pid_t)to_end, SIGINT); /* fast shutdown */
    signal(number, SIG_DFL);
    raise(number);
}

static void end_with_us(const struct private_pg *pg)
{
    static const int numbers[] = {SIGINT, SIGTERM, SIGHUP};
    struct sigaction ours = {.sa_handler = on_interrupt}, was;

    if (pg->watched)
        return;
    starter = getpid();
    sigemptyset(&ours.sa_mask);
    for (size_t i = 0; i < sizeof numbers / sizeof numbers[0]; i++)
        if (sigaction(numbers[i], NULL, &was) == 0 && was.sa_handler == SIG_DFL)
            sigaction(numbers[i], &ours, NULL);
}

static int launch(struct private_pg *pg, struct err *e)
{
    char program[PATH_TEXT], startup[PATH_TEXT + 32], connections[40], shared[40], logs[PATH_TEXT + 32];
    const char *const argv[] = {program,
                                "-D",
                                pg->data,
                                "-k",
                                pg->sockets,
                                "-p",
                                "5432",
                                "-c",
                                "listen_addresses=",
                                "-c",
                                "unix_socket_permissions=0700",
                                "-c",
                                connections,
                                "-c",
                                shared,
                                "-c",
                                "fsync=on",
                                "-c",
                                "full_page_writes=on",
                                "-c",
                                "autovacuum_naptime=10s",
                                "-c",
                                "max_wal_size=2GB",
                                "-c",
                                "logging_collector=on",
                                "-c",
                                logs,
                                "-c",
                                "log_filename=postgresql-%a.log",
                                "-c",
                                "log_truncate_on_rotation=on",
                                "-c",
                                "log_rotation_age=1d",
                                "-c",
                                "log_rotation_size=100MB",
                                "-c",
                                "log_line_prefix=%m [%p] ",
                                "-c",
                                "timezone=UTC",
                                "-c",
                                "log_timezone=UTC",
                                NULL};
    struct child child;

    snprintf(program, sizeof program, "%s/postgres", pg->bin);
    snprintf(startup, sizeof startup, "%s/startup.log", pg->logs);
    snprintf(connections, sizeof connections, "max_connections=%llu", (unsigned long long)pg->connections);
    snprintf(shared, sizeof shared, "shared_buffers=%llukB", (unsigned long long)(pg->shared_bytes >> 10));
    snprintf(logs, sizeof logs, "log_directory=%s", pg->logs);
    end_with_us(pg);
    if (child_start(argv, NULL, 0, startup, &child, e) < 0)
        return -1;
    to_end = pg->pid = child.pid;
    pg->ours = true;
    return 0;
}

static bool ended(struct private_pg *pg)
{
    if (!pg->pid)
        return true;
    if (pg->ours)
        return waitpid(pg->pid, NULL, WNOHANG) != 0;
    return kill(pg->pid, 0) < 0;
}

/* Repeats until the database answers. An attempt may fail because of files or memory of an earlier postmaster. */
static int start_and_wait(struct private_pg *pg, struct err *e)
{
    uint64_t until = clock_monotonic_us() + START_WAIT_S * UINT64_C(1000000);
    pid_t living = pid_in_file(pg);

    pg->pid = 0;
    if (living && ping(pg) != PQPING_NO_RESPONSE) {
        pg->pid = living;
        pg->ours = waitpid(living, NULL, WNOHANG) == 0; /* still a child of this process after a restart by exec */
        log_info("postgres", "a running private database was taken over", "pid=%ld", (long)living);
    }
    while (clock_monotonic_us() < until && !atomic_load(&pg->stopping)) {
        if (ended(pg) && launch(pg, e) < 0)
            return -1;
        for (int i = 0; i < 20 && !ended(pg); i++) {
            if (ping(pg) == PQPING_OK) {
                atomic_store(&pg->running, true);
                return 0;
            }
            sleep_ms(25);
        }
        if (ended(pg)) {
            pg->pid = 0;
            sleep_ms(250);
        }
    }
    err_set(e, ERR_DATABASE, "the private database did not start within %d seconds", START_WAIT_S);
    return err_hint(e, "Its log is in %s.", pg->logs);
}

static void *watch(void *arg)
{
    struct private_pg *pg = arg;
    int pause_ms = 200;
    struct err e;

    while (!atomic_load(&pg->stopping)) {
        sleep_ms(200);
        if (atomic_load(&pg->stopping) || !ended(pg))
            continue;
        atomic_store(&pg->running, false);
        log_warn("postgres", "the private database ended and is started again", "after_ms=%d", pause_ms);
        sleep_ms(pause_ms);
        pause_ms = pause_ms < 5000 ? pause_ms * 2 : 5000;
        pg->pid = 0;
        if (atomic_load(&pg->stopping))
            break;
        if (start_and_wait(pg, &e) < 0) {
            log_error("postgres", "the private database cannot be started", "error=%s",
                      log_quote(e.text, (char[500]){0}, 500));
        } else {
            log_info("postgres", "the private database runs again", "pid=%ld", (long)pg->pid);
            pause_ms = 200;
        }
    }
    return NULL;
}

static int make_database(struct private_pg *pg, struct err *e)
{
    char conninfo[600];
    struct db *db;
    struct db_rows r;
    int ret;

    snprintf(conninfo, sizeof conninfo, "host=%s port=5432 dbname=postgres user=%s", pg->sockets, pg->user);
    if (db_open_plain(conninfo, &db, e) < 0)
        return -1;
    ret = db_query_text(db, "SELECT 1 FROM pg_database WHERE datname = 'vivace'", NULL, &r, e);
    if (ret == 0) {
        int exists = r.count;

        db_rows_release(&r);
        if (!exists)
            ret = db_exec_text(db, "CREATE DATABASE vivace", e);
    }
    db_close(db);
    return ret;
}

static int enough_connections(const struct server_config *c, struct err *e)
{
    uint64_t need = server_config_connections(c);

    if (need <= PRIVATE_CONNECTIONS)
        return 0;
    err_set(e, ERR_USAGE, "this server's threads want up to %llu connections, and the private database has %d",
            (unsigned long long)need, PRIVATE_CONNECTIONS);
    return err_hint(e,
                    "Use fewer db-threads, worker-threads or cpu-threads, or --database with a larger PostgreSQL.");
}

int private_pg_possible(const struct server_config *c, struct err *e)
{
    struct private_pg pg = {0};

    return enough_connections(c, e) < 0 || locate(&pg, c, e) < 0 ? -1 : 0;
}

int private_pg_start(const struct server_config *c, struct private_pg **out, struct err *e)
{
    struct private_pg *pg = mem_zalloc(1, sizeof *pg, e);
    char parent[PATH_TEXT];
    int have;

    if (!pg)
        return -1;
    pg->connections = PRIVATE_CONNECTIONS;
    pg->shared_bytes = c->postgres_shared_bytes;
    snprintf(parent, sizeof parent, "%s/postgres", c->state);
    if (enough_connections(c, e) < 0 || locate(pg, c, e) < 0 || private_pg_find_programs(pg, c, e) < 0 ||
        own_folder(parent, e) < 0 || own_folder(pg->logs, e) < 0 || own_folder(pg->sockets, e) < 0)
        goto fail;
    have = private_pg_check_cluster(pg, e);
    if (have < 0 || (have == 0 && private_pg_make_cluster(pg, e) < 0) || start_and_wait(pg, e) < 0 ||
        make_database(pg, e) < 0)
        goto fail;
    if (pthread_create(&pg->watcher, NULL, watch, pg) != 0) {
        err_set(e, ERR_NO_MEMORY, "the watcher of the private database cannot be started");
        goto fail;
    }
    pg->watched = true;
    *out = pg;
    return 0;
fail:
    private_pg_stop(pg);
    return -1;
}

const char *private_pg_conninfo(const struct private_pg *pg)
{
    return pg->conninfo;
}

bool private_pg_running(struct private_pg *pg)
{
    return atomic_load(&pg->running);
}

static bool wait_end(struct private_pg *pg, int seconds)
{
    for (int i = 0; i < seconds * 50; i++) {
        if (ended(pg))
            return true;
        sleep_ms(20);
    }
    return false;
}

void private_pg_leave(struct private_pg *pg)
{
    if (!pg)
        return;
    to_end = 0;
    atomic_store(&pg->stopping, true);
    if (pg->watched)
        pthread_join(pg->watcher, NULL);
    free(pg);
}

void private_pg_stop(struct private_pg *pg)
{
    if (!pg)
        return;
    atomic_store(&pg->stopping, true);
    if (pg->watched)
        pthread_join(pg->watcher, NULL);
    to_end = 0;
    if (pg->pid && !ended(pg)) {
        kill(pg->pid, SIGINT); /* fast shutdown */
        if (!wait_end(pg, STOP_WAIT_S)) {
            log_warn("postgres", "the private database does not stop; it is stopped immediately with SIGQUIT",
                     "pid=%ld", (long)pg->pid);
            kill(pg->pid, SIGQUIT);
            wait_end(pg, 10);
        }
    }
    free(pg);
}
