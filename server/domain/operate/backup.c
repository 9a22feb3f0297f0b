#include "server/domain/operate/backup.h"

#include <errno.h>
#include <fcntl.h>
#include <inttypes.h>
#include <libpq-fe.h>
#include <libgen.h>
#include <limits.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/archive_write.h"
#include "base/version.h"
#include "server/store/blob/blob_store.h"
#include "server/platform/child.h"
#include "server/platform/config.h"
#include "server/store/db/db.h"
#include "server/domain/operate/maintenance.h"
#include "server/store/cluster/private_pg.h"
#include "server/platform/privileges.h"

#define WORDS_KEPT 8192

/* The manifest, without the parts that this program adds. Roles belong to the cluster, not to the database, so a
 * dump does not contain them. The manifest lists those that the schema created. */
#define MANIFEST                                                                                                   \
    "SELECT json_build_object('format', 'vivace-backup', 'version', 1, 'vivace', $1::text,"                        \
    " 'made_at', to_char(now() AT TIME ZONE 'UTC', 'YYYY-MM-DD\"T\"HH24:MI:SS\"Z\"'),"                             \
    " 'schema', (SELECT json_agg(name ORDER BY name) FROM schema_patch),"                                          \
    " 'roles', (SELECT coalesce(json_agg(json_build_object('name', rolname, 'sees_all', rolbypassrls)"             \
    "   ORDER BY rolname), '[]') FROM pg_roles WHERE rolname ~ '^vivace_[a-z_]+$'),"                               \
    " 'blobs', (SELECT json_build_object('count', count(*), 'bytes', coalesce(sum(bytes), 0)::text) FROM blob),"   \
    " 'with_blobs', $2::boolean)::text"

bool backup_knows(const char *word)
{
    return strcmp(word, "backup") == 0 || strcmp(word, "restore") == 0;
}

/* A backup file gets its final name when it is complete. The folder may be writable only for the caller of the
 * program. A child process that keeps the caller's rights renames the file, or deletes it when the main process
 * ends early. */
static struct {
    pid_t pid;
    int word, answer; /* ends of pipes */
} namer;

static int give_name(const char *part, const char *path)
{
    char folder[PATH_MAX];
    int dir;

    /* fails if the file exists: a backup never overwrites a file */
    if (link(part, path) < 0)
        return errno;
    unlink(part);
    snprintf(folder, sizeof folder, "%s", path);
    dir = open(dirname(folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (dir >= 0) {
        fsync(dir);
        close(dir);
    }
    return 0;
}

static void name_it(const char *part, const char *path, int from, int to)
{
    char word = 0;
    int problem;

    setsid();
    signal(SIGPIPE, SIG_IGN);
    signal(SIGINT, SIG_IGN);
    signal(SIGTERM, SIG_IGN);
    if (read(from, &word, 1) == 1) {
        problem = give_name(part, path);
        if (write(to, &problem, sizeof problem) == sizeof problem && problem == 0)
            _exit(0);
    }
    unlink(part);
    _exit(0);
}

static int start_namer(const char *part, const char *path, struct err *e)
{
    int word[2], answer[2];

    if (pipe2(word, O_CLOEXEC) < 0)
        return err_set_errno(e, errno, "a pipe");
    if (pipe2(answer, O_CLOEXEC) < 0) {
        close(word[0]);
        close(word[1]);
        return err_set_errno(e, errno, "a pipe");
    }
    namer.pid = fork();
    if (namer.pid == 0) {
        close(word[1]);
        close(answer[0]);
        name_it(part, path, word[0], answer[1]);
    }
    close(word[0]);
    close(answer[1]);
    namer.word = word[1];
    namer.answer = answer[0];
    return namer.pid < 0 ? err_set_errno(e, errno, "starting a process") : 0;
}

/* Reports to the child process that the backup is complete, or that it must be deleted. */
static int end_namer(bool whole, struct err *e)
{
    int problem = EIO, ret = 0;

    if (whole && (write(namer.word, "", 1) != 1 ||
                  read(namer.answer, &problem, sizeof problem) != (ssize_t)sizeof problem || problem != 0))
        ret = err_set_errno(e, problem, "renaming the backup to its final name");
    close(namer.word);
    close(namer.answer);
    waitpid(namer.pid, NULL, 0);
    namer.pid = 0;
    return ret;
}

static int open_backup(const char *path, int *fd, struct err *e)
{
    char part[PATH_MAX];
    struct stat there;

    if (lstat(path, &there) == 0)
        return err_set_errno(e, EEXIST, "%s", path);
    if (snprintf(part, sizeof part, "%s.part", path) >= (int)sizeof part)
        return err_set_errno(e, ENAMETOOLONG, "%s", path);
    *fd = open(part, O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0600);
    if (*fd < 0) {
        bool exists = errno == EEXIST;

        err_set_errno(e, errno, "%s", part);
        return exists ? err_hint(e, "Another backup is being written there. If the machine stopped during one, "
                                    "remove that folder.")
                      : -1;
    }
    if (start_namer(part, path, e) == 0)
        return 0;
    close(*fd);
    unlink(part);
    return -1;
}

int backup_open_file(const char *word, const char *path, int *fd, struct err *e)
{
    if (strcmp(word, "backup") == 0)
        return open_backup(path, fd, e);
    *fd = open(path, O_RDONLY | O_CLOEXEC);
    return *fd < 0 ? err_set_errno(e, errno, "%s", path) : 0;
}

/* --- PostgreSQL's own programs --- */

static int pass_by_environment(const char *conninfo, char *database, size_t size, struct err *e)
{
    char *why = NULL;
    PQconninfoOption *options = PQconninfoParse(conninfo, &why);

    if (!options) {
        err_set(e, ERR_USAGE, "the database's address: %.200s", why ? why : "not understood");
        PQfreemem(why);
        return -1;
    }
    for (const PQconninfoOption *o = options; o->keyword; o++) {
        if (o->val && o->envvar)
            setenv(o->envvar, o->val, 1);
        if (o->val && strcmp(o->keyword, "dbname") == 0)
            snprintf(database, size, "%s", o->val);
    }
    PQconninfoFree(options);
    return 0;
}

int pg_tool_run(const struct farm *farm, const char *conninfo, const struct pg_tool *tool, struct err *e)
{
    char folder[PATH_MAX], program[PATH_MAX + 32], database[200] = "";
    const char *argv[3 + sizeof tool->words / sizeof *tool->words] = {program, "--dbname", database};
    struct strbuf output = STRBUF_INIT;
    int ret;

    if (private_pg_programs(farm->config, folder, e) < 0 ||
        pass_by_environment(conninfo, database, sizeof database, e) < 0)
        return -1;
    snprintf(program, sizeof program, "%s/%s", folder, tool->name);
    for (size_t i = 0; tool->words[i]; i++)
        argv[3 + i] = tool->words[i];
    ret = child_run(argv, NULL, WORDS_KEPT, &output, e);
    strbuf_release(&output);
    return ret;
}

/* --- Backup --- */

struct backup {
    struct farm *farm;
    const char *conninfo;
    struct db *db; /* in the transaction whose snapshot is dumped */
    struct archive_writer *writer;
    char dump[PATH_MAX];
    uint64_t blobs, blob_bytes;
};

static int dump_database(struct backup *b, struct err *e)
{
    struct pg_tool dump = {"pg_dump", {"--format=custom", "--compress=0", "--file", b->dump, "--snapshot"}};
    struct db_rows r;
    int fd, ret;

    if (db_exec_text(b->db, "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY", e) < 0 ||
        db_exec_text(b->db, "SET LOCAL idle_in_transaction_session_timeout = 0", e) < 0 ||
        db_exec_text(b->db, "SET LOCAL statement_timeout = 0", e) < 0 ||
        db_exec_text(b->db, "SET LOCAL application_name = 'vivace backup'", e) < 0 ||
        blob_stage(b->farm->store.blobs, &fd, b->dump, e) < 0)
        return -1;
    close(fd);
    if (db_query_text(b->db, "SELECT pg_export_snapshot()", NULL, &r, e) < 0)
        return -1;
    dump.words[5] = db_get(&r, 0, 0);
    ret = pg_tool_run(b->farm, b->conninfo, &dump, e);
    db_rows_release(&r);
    return ret;
}

static int write_manifest(struct backup *b, struct err *e)
{
    struct db_params p = DB_PARAMS_INIT;
    struct db_rows r;
    int ret;

    db_text(&p, VIVACE_VERSION);
    db_bool(&p, b->farm->config->with_blobs);
    if (db_query_text(b->db, MANIFEST, &p, &r, e) < 0)
        return -1;
    ret = archive_writer_bytes(b->writer, "manifest.json", db_get(&r, 0, 0), strlen(db_get(&r, 0, 0)), e);
    db_rows_release(&r);
    return ret;
}

static int write_blob(struct backup *b, const char *sha256, struct err *e)
{
    char name[6 + SHA256_HEX], path[40];
    int fd, ret;

    if (blob_open(b->farm->store.blobs, sha256, &fd, NULL, e) < 0)
        return -1;
    snprintf(name, sizeof name, "blobs/%s", sha256);
    snprintf(path, sizeof path, "/proc/self/fd/%d", fd);
    ret = archive_writer_file(b->writer, name, path, e);
    close(fd);
    return ret;
}

static int write_blobs(struct backup *b, struct err *e)
{
    struct strbuf list = STRBUF_INIT;
    struct db_rows r;
    int ret;

    if (db_query_text(b->db, "SELECT sha256, bytes FROM blob ORDER BY sha256", NULL, &r, e) < 0)
        return -1;
    for (int i = 0; i < r.count; i++) {
        strbuf_addf(&list, "%s\t%" PRId64 "\n", db_get(&r, i, 0), db_get_i64(&r, i, 1));
        b->blob_bytes += (uint64_t)db_get_i64(&r, i, 1);
    }
    b->blobs = (uint64_t)r.count;
    ret = list.failed ? err_no_memory(e)
                      : archive_writer_bytes(b->writer, "blobs.tsv", list.length ? list.text : "", list.length, e);
    for (int i = 0; i < r.count && ret == 0 && b->farm->config->with_blobs; i++)
        ret = write_blob(b, db_get(&r, i, 0), e);
    strbuf_release(&list);
    db_rows_release(&r);
    return ret;
}

static int backup_make(struct backup *b, int fd, struct err *e)
{
    if (db_open_plain(b->conninfo, &b->db, e) < 0 || dump_database(b, e) < 0)
        return err_wrap(e, "dumping the database");
    b->writer = archive_writer_new(fd, e);
    if (!b->writer || write_manifest(b, e) < 0 || archive_writer_file(b->writer, "database.dump", b->dump, e) < 0 ||
        write_blobs(b, e) < 0 || archive_writer_bytes(b->writer, "complete", "", 0, e) < 0 ||
        archive_writer_finish(b->writer, e) < 0)
        return err_wrap(e, "writing the backup");
    return fsync(fd) < 0 ? err_set_errno(e, errno, "writing the backup") : 0;
}

static int backup_and_tell(struct farm *farm, const char *conninfo, int fd, struct err *e)
{
    struct backup b = {.farm = farm, .conninfo = conninfo};
    int ret = backup_make(&b, fd, e);

    if (b.dump[0])
        unlink(b.dump);
    archive_writer_free(b.writer);
    db_close(b.db);
    if (ret < 0 || end_namer(true, e) < 0)
        return -1;
    printf("backed up: the database, and %s %" PRIu64 " stored files of %" PRIu64 " bytes\n",
           farm->config->with_blobs ? "the bytes of" : "the names of", b.blobs, b.blob_bytes);
    if (!farm->config->with_blobs && b.blobs)
        printf("Their contents are not in it (--with-blobs adds them): keep the folder %s/blobs, too.\n",
               server_config_files(farm->config));
    return 0;
}

int backup_run(struct farm *farm, const char *word, int fd, struct err *e)
{
    bool back = strcmp(word, "restore") == 0;
    struct maintenance_database at = {.conninfo = NULL};
    int ret = -1;

    if (back && state_lock(farm->config->state, e) < 0)
        err_hint(e, "Stop the server that uses this state folder, then restore.");
    else if ((!back || restore_verify(fd, e) == 0) && maintenance_database_open(farm->config, &at, back, e) == 0 &&
             blob_store_open_configured(farm->config, farm->clock, &farm->store.blobs, e) == 0)
        ret = back ? restore_run(farm, at.conninfo, fd, e) : backup_and_tell(farm, at.conninfo, fd, e);
    maintenance_database_close(&at);
    close(fd);
    if (namer.pid > 0) {
        struct err ignored;

        end_namer(false, &ignored);
    }
    return ret;
}
