#include "tests/scenario/database.h"

#include <errno.h>
#include <fcntl.h>
#include <grp.h>
#include <limits.h>
#include <poll.h>
#include <pwd.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/prctl.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "server/store/db/migrate.h"
#include "tests/scenario/farm.h"
#include "tests/scenario/fibers.h"
#include "tests/scenario/world.h"

#define LINKS_MAX      96
#define BREAKS_A_STAGE 30 /* per mille; an interim analysis has about twenty stages */
#define LOOK_MS        2  /* a statement that takes longer is checked for a lock wait */
#define TEXT           (PATH_MAX + 200)

PGresult *__real_PQexec(PGconn *c, const char *sql);
PGresult *__real_PQexecParams(PGconn *c, const char *sql, int n, const Oid *types, const char *const *values,
                              const int *lengths, const int *formats, int format);
PGresult *__real_PQexecPrepared(PGconn *c, const char *name, int n, const char *const *values, const int *lengths,
                                const int *formats, int format);
PGresult *__real_PQprepare(PGconn *c, const char *name, const char *sql, int n, const Oid *types);
PGconn *__real_PQconnectdbParams(const char *const *keys, const char *const *values, int expand);
void __real_PQfinish(PGconn *c);
int __real_poll(struct pollfd *fds, nfds_t n, int timeout_ms);

/* A connection that a server has or had. */
struct link {
    PGconn *conn;           /* NULL: unused entry */
    int owner;              /* -1: no server */
    size_t prepared, asked; /* statements prepared on the connection; number that its present owner has prepared */
    int pid;
    bool delicate; /* its transaction is critical: the connection or server may fail at each statement */
};

static struct link links[LINKS_MAX];
static const char lock_wait; /* fibers that wait for locks wait on this */
static PGconn *own;          /* the scenario's own connection; not wrapped */
static pid_t postmaster;
static char folder[200], conninfo[300];

const char *database_conninfo(void)
{
    return conninfo;
}

/* --- The cluster --- */

/* PostgreSQL refuses to run as root. */
static void become_ordinary(void)
{
    const struct passwd *p = geteuid() == 0 ? getpwnam("postgres") : NULL;

    if (p && (setgroups(0, NULL) < 0 || setgid(p->pw_gid) < 0 || setuid(p->pw_uid) < 0))
        _exit(127);
}

static pid_t start_program(const char *const *argv)
{
    pid_t pid = fork();
    int log;

    if (pid != 0)
        return pid;
    setpgid(0, 0);
    become_ordinary();
    prctl(PR_SET_PDEATHSIG, SIGQUIT); /* it ends when the scenario ends for any reason */
    log = open("/dev/null", O_RDWR);
    dup2(log, 0);
    dup2(log, 1);
    dup2(log, 2);
    execv(argv[0], (char *const *)argv);
    _exit(127);
}

static int find_program(const char *name, char out[TEXT], struct err *e)
{
    FILE *f = popen("pg_config --bindir 2>/dev/null || ls -d /usr/lib/postgresql/*/bin | tail -1", "r");

    if (!f || !fgets(out, PATH_MAX, f))
        out[0] = '\0';
    if (f)
        pclose(f);
    out[strcspn(out, "\n")] = '\0';
    snprintf(out + strlen(out), 40, "/%s", name);
    return access(out, X_OK) == 0 ? 0 : err_set(e, ERR_NOT_FOUND, "%s: PostgreSQL is not installed", out);
}

static int init_cluster(const char *data, struct err *e)
{
    char program[TEXT];
    const char *argv[] = {program, "-D", data, "-U",   "scenario",    "-A",
                          "trust", "-N", "-E", "UTF8", "--no-locale", NULL};
    const struct passwd *p = geteuid() == 0 ? getpwnam("postgres") : NULL;
    int status;

    if (p && chown(folder, p->pw_uid, p->pw_gid) < 0)
        return err_set_errno(e, errno, "%s", folder);
    if (find_program("initdb", program, e) < 0)
        return -1;
    if (waitpid(start_program(argv), &status, 0) < 0 || status != 0)
        return err_set(e, ERR_INTERNAL, "initdb failed in %s", data);
    return 0;
}

static int start_postmaster(const char *data, struct err *e)
{
    char program[TEXT];
    const char *argv[] = {program,
                          "-D",
                          data,
                          "-k",
                          folder,
                          "-c",
                          "listen_addresses=",
                          "-c",
                          "fsync=off",
                          "-c",
                          "full_page_writes=off",
                          "-c",
                          "synchronous_commit=off",
                          "-c",
                          "autovacuum=off",
                          "-c",
                          "max_connections=120",
                          "-c",
                          "shared_buffers=64MB",
                          "-c",
                          "max_wal_size=4GB",
                          "-c",
                          "checkpoint_timeout=1h",
                          "-c",
                          "deadlock_timeout=1ms",
                          "-c",
                          "jit=off",
                          NULL};
    const struct timespec pause = {.tv_nsec = 20000000};

    if (find_program("postgres", program, e) < 0)
        return -1;
    postmaster = start_program(argv);
    snprintf(conninfo, sizeof conninfo, "host=%s user=scenario dbname=postgres", folder);
    for (int i = 0; i < 1500; i++) {
        own = PQconnectdb(conninfo);
        if (PQstatus(own) == CONNECTION_OK)
            return 0;
        __real_PQfinish(own);
        own = NULL;
        clock_nanosleep(CLOCK_MONOTONIC, 0, &pause, NULL);
    }
    return err_set(e, ERR_INTERNAL, "PostgreSQL did not start in %s", data);
}

static int run_sql(const char *sql, struct err *e)
{
    PGresult *r = __real_PQexec(own, sql);
    ExecStatusType status = PQresultStatus(r);
    int ret = 0;

    if (status != PGRES_COMMAND_OK && status != PGRES_TUPLES_OK)
        ret = err_set(e, ERR_DATABASE, "%s", PQerrorMessage(own));
    PQclear(r);
    return ret;
}

/* Every scenario uses the same ids: SQL functions that generate an id take the next number of a sequence. */
static const char own_ids[] =
    "CREATE SCHEMA scenario;"
    "CREATE SEQUENCE scenario.ids;"
    "CREATE FUNCTION scenario.next_uuid() RETURNS uuid LANGUAGE sql VOLATILE AS"
    " $$ SELECT md5('id ' || nextval('scenario.ids'))::uuid $$;"
    "DO $do$ DECLARE f record; BEGIN"
    "  FOR f IN SELECT p.oid FROM pg_proc p WHERE pronamespace = 'public'::regnamespace AND prokind = 'f'"
    "              AND prosrc LIKE '%gen_random_uuid()%' LOOP"
    "    EXECUTE replace(pg_get_functiondef(f.oid), 'gen_random_uuid()', 'scenario.next_uuid()');"
    "  END LOOP; END $do$;";

/* scenario.keep() saves all tables and sequences. scenario.reset() restores them. */
static const char own_reset[] =
    "CREATE FUNCTION scenario.keep() RETURNS void LANGUAGE plpgsql AS $f$ DECLARE t record; BEGIN"
    "  CREATE TABLE scenario.tables (name text, rows bigint);"
    "  FOR t IN SELECT c.relname AS name FROM pg_class c WHERE relnamespace = 'public'::regnamespace"
    "              AND relkind = 'r' ORDER BY 1 LOOP"
    "    EXECUTE format('CREATE TABLE scenario.%I AS TABLE public.%I', 'kept_' || t.name, t.name);"
    "    EXECUTE format('INSERT INTO scenario.tables SELECT %L, count(*) FROM public.%I', t.name, t.name);"
    "    EXECUTE format('ALTER TABLE public.%I SET (autovacuum_enabled = off)', t.name);"
    "  END LOOP;"
    "  CREATE TABLE scenario.sequences AS SELECT schemaname, sequencename, coalesce(last_value, 1) AS value,"
    "         last_value IS NOT NULL AS called FROM pg_sequences; END $f$;"
    "CREATE FUNCTION scenario.reset() RETURNS void LANGUAGE plpgsql AS $f$ DECLARE t record; u record; all_ text; "
    "BEGIN"
    "  SET LOCAL session_replication_role = replica;"
    "  SELECT string_agg(format('public.%I', name), ', ') INTO all_ FROM scenario.tables;"
    "  FOR t IN SELECT name, rows FROM scenario.tables LOOP"
    "    EXECUTE format('DELETE FROM public.%I', t.name);"
    "    IF t.rows > 0 THEN EXECUTE format('INSERT INTO public.%I OVERRIDING SYSTEM VALUE TABLE scenario.%I',"
    "       t.name, 'kept_' || t.name); END IF;"
    "  END LOOP;"
    "  PERFORM setval(format('%I.%I', schemaname, sequencename)::regclass, value, called)"
    "     FROM scenario.sequences; END $f$;";

int database_start(const char *where, int (*make)(void *ctx, struct err *e), void *ctx, struct err *e)
{
    char data[TEXT];

    snprintf(folder, sizeof folder, "%s", where);
    snprintf(data, sizeof data, "%s/data", where);
    if (init_cluster(data, e) < 0 || start_postmaster(data, e) < 0 || migrate(conninfo, e) < 0 ||
        run_sql(own_ids, e) < 0 || make(ctx, e) < 0 || run_sql(own_reset, e) < 0 ||
        run_sql("SELECT scenario.keep()", e) < 0)
        return -1;
    return run_sql("VACUUM ANALYZE", e);
}

void database_stop(void)
{
    int status;

    for (size_t i = 0; i < LINKS_MAX; i++)
        if (links[i].conn)
            __real_PQfinish(links[i].conn);
    memset(links, 0, sizeof links);
    if (own)
        __real_PQfinish(own);
    own = NULL;
    if (postmaster > 0) {
        kill(postmaster, SIGQUIT);
        waitpid(postmaster, &status, 0);
    }
    postmaster = 0;
}

int database_reset(struct err *e)
{
    static unsigned resets;

    if (++resets % 20 == 0 && run_sql("VACUUM", e) < 0)
        return -1;
    return run_sql("SELECT scenario.reset()", e);
}

/* --- Queries of the scenario itself --- */

PGresult *ask_all(const char *const *sql_and_values)
{
    PGresult *r;
    int n = 0;

    while (sql_and_values[n + 1])
        n++;
    r = __real_PQexecParams(own, sql_and_values[0], n, NULL, sql_and_values + 1, NULL, NULL, 0);
    if (PQresultStatus(r) != PGRES_TUPLES_OK) {
        fprintf(stderr, "scenario: %s\n%s\n", PQerrorMessage(own), sql_and_values[0]);
        abort();
    }
    return r;
}

int64_t ask_all_number(const char *const *sql_and_values)
{
    PGresult *r = ask_all(sql_and_values);
    int64_t n = PQntuples(r) > 0 ? strtoll(PQgetvalue(r, 0, 0), NULL, 10) : 0;

    PQclear(r);
    return n;
}

/* --- Connections --- */

static struct link *link_of(const PGconn *c)
{
    for (size_t i = 0; c && i < LINKS_MAX; i++)
        if (links[i].conn == c)
            return &links[i];
    return NULL;
}

static bool backend_lives(int pid)
{
    char text[20];

    snprintf(text, sizeof text, "%d", pid);
    return ask_number("SELECT 1 FROM pg_stat_activity WHERE pid = $1::integer", text) > 0;
}

/* When this returns, the backend has ended and its locks are released. */
static void link_close(struct link *l)
{
    __real_PQfinish(l->conn);
    while (l->pid && backend_lives(l->pid))
        continue;
    *l = (struct link){.owner = -1};
}

/* Makes the connection available again, without session state. */
static void release(struct link *l)
{
    PGresult *r;
    bool good = PQstatus(l->conn) == CONNECTION_OK && PQtransactionStatus(l->conn) != PQTRANS_ACTIVE;

    l->owner = -1;
    l->delicate = false;
    if (good && PQtransactionStatus(l->conn) != PQTRANS_IDLE) {
        r = __real_PQexec(l->conn, "ROLLBACK");
        good = PQresultStatus(r) == PGRES_COMMAND_OK;
        PQclear(r);
    }
    if (good) {
        r = __real_PQexec(l->conn, "RESET ALL");
        good = PQresultStatus(r) == PGRES_COMMAND_OK;
        PQclear(r);
    }
    if (!good)
        link_close(l);
}

/* Links that wait for a lock are closed last. Another link of the owner may hold that lock, and a waiting backend
 * does not notice that its client is gone. */
void database_leave(int owner)
{
    for (int waiting = 0; waiting < 2; waiting++)
        for (size_t i = 0; i < LINKS_MAX; i++)
            if (links[i].conn && links[i].owner == owner &&
                (PQtransactionStatus(links[i].conn) == PQTRANS_ACTIVE) == waiting)
                release(&links[i]);
    fiber_wake(&lock_wait, true);
}

void database_cut(int owner)
{
    for (size_t i = 0; i < LINKS_MAX; i++)
        if (links[i].conn && links[i].owner == owner)
            shutdown(PQsocket(links[i].conn), SHUT_RDWR);
    fiber_wake(&lock_wait, true);
}

/* --- Functions that the servers call instead of libpq's --- */

PGconn *__wrap_PQconnectdbParams(const char *const *keys, const char *const *values, int expand);
void __wrap_PQfinish(PGconn *c);
PGresult *__wrap_PQprepare(PGconn *c, const char *name, const char *sql, int n, const Oid *types);
PGresult *__wrap_PQexec(PGconn *c, const char *sql);
PGresult *__wrap_PQexecParams(PGconn *c, const char *sql, int n, const Oid *types, const char *const *values,
                              const int *lengths, const int *formats, int format);
PGresult *__wrap_PQexecPrepared(PGconn *c, const char *name, int n, const char *const *values, const int *lengths,
                                const int *formats, int format);

/* PostgreSQL's own time limits use real time, so they are disabled. */
static PGconn *connect_new(const char *const *keys, const char *const *values)
{
    const char *k[16], *v[16];
    char options[600];
    int n = 0;

    for (; n < 14 && keys[n]; n++) {
        k[n] = keys[n];
        v[n] = values[n];
        if (strcmp(keys[n], "options") == 0) {
            snprintf(options, sizeof options,
                     "%s -c statement_timeout=0 -c lock_timeout=0 -c idle_in_transaction_session_timeout=0"
                     " -c plan_cache_mode=force_generic_plan",
                     values[n]);
            v[n] = options;
        }
    }
    k[n] = v[n] = NULL;
    return __real_PQconnectdbParams(k, v, 1);
}

PGconn *__wrap_PQconnectdbParams(const char *const *keys, const char *const *values, int expand)
{
    struct link *free_place = NULL;

    (void)expand;
    fiber_sleep(1 * MS);
    for (size_t i = 0; i < LINKS_MAX; i++) {
        struct link *l = &links[i];

        if (l->conn && l->owner == -1) {
            l->owner = fiber_owner();
            l->asked = 0;
            return l->conn;
        }
        if (!l->conn && !free_place)
            free_place = l;
    }
    if (!free_place)
        return NULL;
    *free_place = (struct link){.conn = connect_new(keys, values), .owner = fiber_owner()};
    free_place->pid = PQbackendPID(free_place->conn);
    return free_place->conn;
}

void __wrap_PQfinish(PGconn *c)
{
    struct link *l = link_of(c);

    if (l)
        release(l);
    else
        __real_PQfinish(c);
    fiber_wake(&lock_wait, true);
}

/* Every connection prepares the same statements in the same order, so a reused connection has them already. */
PGresult *__wrap_PQprepare(PGconn *c, const char *name, const char *sql, int n, const Oid *types)
{
    struct link *l = link_of(c);

    if (l && l->asked++ < l->prepared)
        return PQmakeEmptyPGresult(c, PGRES_COMMAND_OK);
    if (l)
        l->prepared = l->asked;
    return __real_PQprepare(c, name, sql, n, types);
}

/* Whether the query waits for a lock. Then another fiber must run. */
static bool waits_for_lock(const struct link *l)
{
    char text[20];

    snprintf(text, sizeof text, "%d", l->pid);
    return ask_number("SELECT 1 FROM pg_locks WHERE pid = $1::integer AND NOT granted", text) > 0;
}

/* Returns the last result of the query, as PQexec() does. */
static PGresult *take(struct link *l)
{
    PGresult *last = NULL, *r;

    for (;;) {
        struct pollfd p = {.fd = PQsocket(l->conn), .events = POLLIN};

        if (!PQisBusy(l->conn)) {
            r = PQgetResult(l->conn);
            if (!r)
                return last;
            PQclear(last);
            last = r;
            continue;
        }
        if (__real_poll(&p, 1, LOOK_MS) == 0 && waits_for_lock(l)) {
            fiber_wait(&lock_wait, UINT64_MAX);
            continue;
        }
        if (!PQconsumeInput(l->conn))
            PQflush(l->conn);
    }
}

/* Marks the transaction that writes an interim analysis or a new upload. The mark remains until the result of the
 * commit is known. */
static void watch_delicate(struct link *l, const char *what)
{
    static const char *const begins[] = {"look_put", "look_set", "look_pass_over", "upload_put"};

    for (size_t i = 0; i < sizeof begins / sizeof begins[0]; i++)
        l->delicate = l->delicate || strncmp(what, begins[i], strlen(begins[i])) == 0;
}

static void die_at_stage(struct link *l, const char *what)
{
    if (l->delicate && fault(BREAKS_A_STAGE)) {
        tell("db: server %d is about to die, at %.40s", l->owner, what);
        farm_crash_soon(l->owner);
        fiber_sleep(1 * MS);
    }
    if (PQtransactionStatus(l->conn) == PQTRANS_IDLE || PQstatus(l->conn) != CONNECTION_OK)
        l->delicate = false;
}

/* Before a statement: sometimes closes the connection. The server must handle that. */
static void before(struct link *l)
{
    if (fault(world.cut_before))
        shutdown(PQsocket(l->conn), SHUT_RDWR);
}

/* After a statement: sometimes closes the connection. The statement took effect, but the server has no result. */
static PGresult *after(struct link *l, PGresult *r, const char *what)
{
    watch_delicate(l, what);
    if (PQstatus(l->conn) == CONNECTION_OK && fault(l->delicate ? BREAKS_A_STAGE : world.cut_after)) {
        PQclear(r);
        shutdown(PQsocket(l->conn), SHUT_RDWR);
        r = __real_PQexec(l->conn, "SELECT 1");
    }
    if (PQstatus(l->conn) != CONNECTION_OK) {
        tell("db: connection of server %d lost at %.60s", l->owner, what);
        world.blows++;
        while (backend_lives(l->pid))
            continue;
    }
    if (PQtransactionStatus(l->conn) == PQTRANS_IDLE || PQstatus(l->conn) != CONNECTION_OK)
        fiber_wake(&lock_wait, true);
    die_at_stage(l, what);
    if (chance(world.linger))
        fiber_sleep(random_below(world.linger_us) + 1);
    return r;
}

static PGresult *deliver(struct link *l, int sent, const char *what)
{
    return after(l, sent ? take(l) : __real_PQexec(l->conn, "SELECT 1"), what);
}

/* Notifications between servers are only hints that may be lost. In scenarios all of them are lost. */
static const char *without_hints(const char *sql)
{
    return strncmp(sql, "LISTEN ", 7) == 0 ? "SELECT 1" : sql;
}

PGresult *__wrap_PQexec(PGconn *c, const char *sql)
{
    struct link *l = link_of(c);

    if (!l || !fiber_running())
        return __real_PQexec(c, sql);
    before(l);
    return deliver(l, PQsendQuery(c, without_hints(sql)), sql);
}

PGresult *__wrap_PQexecParams(PGconn *c, const char *sql, int n, const Oid *types, const char *const *values,
                              const int *lengths, const int *formats, int format)
{
    struct link *l = link_of(c);

    if (!l || !fiber_running())
        return __real_PQexecParams(c, sql, n, types, values, lengths, formats, format);
    before(l);
    return deliver(l, PQsendQueryParams(c, sql, n, types, values, lengths, formats, format), sql);
}

PGresult *__wrap_PQexecPrepared(PGconn *c, const char *name, int n, const char *const *values, const int *lengths,
                                const int *formats, int format)
{
    struct link *l = link_of(c);

    if (!l || !fiber_running())
        return __real_PQexecPrepared(c, name, n, values, lengths, formats, format);
    before(l);
    return deliver(l, PQsendQueryPrepared(c, name, n, values, lengths, formats, format), name);
}
